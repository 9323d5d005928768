# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %python -B %s
"""The reader of ld.so.cache against ldconfig: this machine's cache, and caches made here in every
format that ldconfig writes, with subdirectories of glibc-hwcaps."""
import os
import re
import shutil

from loading import CACHE, SIMULATION, Tree
from sandbox import equal, skip

tree = Tree()
ldconfig = shutil.which("ldconfig", path="/usr/sbin:/sbin:/usr/bin:/bin")
if not ldconfig or not os.access(CACHE, os.R_OK):
    skip("no ldconfig, or no cache")

def by_ldconfig(cache):
    """Name, path, whether 64-bit x86, and subdirectory, as ldconfig prints them."""
    text = tree.run(ldconfig, "-p", "-C", cache).out
    rows = re.findall(r"^\t(\S+) \((.*)\) => (.*)$", text, re.M)
    return [(name, path, "libc6,x86-64" in words,
             (re.search(r'hwcap: "(.*?)"', words) or [0, ""])[1]) for name, words, path in rows]

def ours(cache):
    done = tree.run(SIMULATION, "--list-cache", cache)
    assert done.status == 0, done
    rows = [line.split("\t") for line in done.out.splitlines()]
    return [(name, path, flags == "303", subdirectory) for name, path, flags, subdirectory in rows]

assert len(by_ldconfig(CACHE)) > 20
equal(ours(CACHE), by_ldconfig(CACHE), "this machine's")

P = "libp.so.13"
for place in ("lib", "lib/glibc-hwcaps/x86-64-v2", "lib/glibc-hwcaps/x86-64-v3", "more"):
    tree.library(f"{place}/{P}")
tree.library("more/libother.so.2")
tree.write("ld.so.conf", f"{tree.work}/lib\n{tree.work}/more\n")
for form in ("new", "compat"):
    done = tree.run(ldconfig, "-X", "-c", form, "-C", f"{form}.cache", "-f",
                    "ld.so.conf")
    assert done.status == 0, done
    cache = tree.work / f"{form}.cache"
    rows = [row for row in by_ldconfig(cache) if row[0].startswith((P, "libother"))]
    # After the older format, ldconfig and the loader do not find the names of subdirectories.
    if form == "new":
        equal({row[3] for row in rows}, {"", "x86-64-v2", "x86-64-v3"}, form)
    equal(ours(cache), by_ldconfig(cache), form)

# Files that are not a cache are ignored.
for name, content in (("empty", b""), ("text", b"glibc-ld.so.cache" * 9),
                      ("cut", (tree.work / "new.cache").read_bytes()[:-40])):
    (tree.work / name).write_bytes(content)
    assert tree.run(SIMULATION, "--list-cache", name).status == 1, name
tree.clean()
