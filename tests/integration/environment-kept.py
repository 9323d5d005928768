# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""The target resolved from an environment or a lock is cached, safely under concurrent calls. A library that was
replaced in place does not change the cache key, but is noticed at the link."""
import concurrent.futures
import contextlib
import json
import os
import shutil
import time

import installed
from sandbox import PROGRAM, Sandbox, equal, wheel

sandbox = Sandbox()
JITLINK = "nvidia/nvjitlink/lib/libnvJitLink.so.12"
OLD, NEW = wheel("nvidia-nvjitlink-cu12==12.4.127"), wheel("nvidia-nvjitlink-cu12==12.6.85")
targets = sandbox.store / "1/targets"

def kept():
    """(inode, modification time) of all cached files."""
    return {path.name: (path.stat().st_ino, path.stat().st_mtime_ns) for path in targets.glob("*")}

def target(*words):
    # What is as new as the answer is not kept: it could change again within the clock's tick.
    time.sleep(0.05)
    ended = sandbox.run(PROGRAM, "target", "--format=json", "--runtime", *words)
    assert ended.status == 0 and not ended.err, ended
    return json.loads(ended.out)

def environment(name, *requirements):
    prefix = sandbox.work / name
    site = installed.venv(prefix)
    installed.torch(site, "2.5.1+cu124", "12.4")
    for requirement in requirements:
        shutil.copytree(wheel(requirement), site, dirs_exist_ok=True)
    return prefix, site

def replace(file, other):
    """Replaces the content of the file in place. No directory changes, unlike under pip."""
    before = os.stat(file.parent).st_mtime_ns, os.stat(file).st_ino
    with open(file, "r+b") as out:
        out.write(other.read_bytes())
        out.truncate()
    equal((os.stat(file.parent).st_mtime_ns, os.stat(file).st_ino), before)

prefix, site = environment("venv", "nvidia-nvjitlink-cu12==12.6.85")
runtime = f"--cudacc-runtime=env:{prefix}"

# Cached, and used while nothing changes; the answer is the same with and without the cache.
first = target(f"env:{prefix}")
equal(len(kept()), 1)
before = kept()
equal(target(f"env:{prefix}"), first)
equal(kept(), before)
# An additional requirement has its own cache entry.
equal(target(f"env:{prefix}", "--runtime", "sm=90")["gpu"], ["sm_90"])
equal(target(f"env:{prefix}"), first)

# An object that needs nvJitLink 12.5: 12.6 has the symbol, whichever version is linked.
sandbox.write("ext.cpp", """#include <nvJitLink.h>
extern "C" int run(void) { nvJitLinkHandle handle; return nvJitLinkCreate(&handle, 0, nullptr); }
""")
include = wheel("nvidia-nvjitlink-cu12==12.5.82") / "nvidia/nvjitlink/include"
sandbox.good(runtime, "g++", "-fPIC", f"-I{include}", "-c", "ext.cpp", "-o", "ext.o")
link = (runtime, "g++", "-shared", "ext.o", "-o", "ext.so", site / JITLINK)
sandbox.good(*link)

# The file of 12.4 in its place: the cache does not notice this, the link does.
before = kept()
replace(site / JITLINK, OLD / JITLINK)
rows = {row["soname"]: row for row in target(f"env:{prefix}")["libraries"]}
equal(rows["libnvJitLink.so.12"]["version"], "12.6.85", "what the metadata says")
equal(kept(), before)
ended = sandbox.cc(*link)
assert ended.status == 3 and "__nvJitLinkCreate_12_5" in ended.err, ended
assert "the file was replaced: that version has it" in ended.err, ended
assert not (sandbox.work / "ext.so").exists()
replace(site / JITLINK, NEW / JITLINK)
sandbox.good(*link)

# Changes by pip are noticed: another release, and an uninstallation.
shutil.rmtree(site / "nvidia_nvjitlink_cu12-12.6.85.dist-info")
shutil.rmtree(site / "nvidia/nvjitlink")
shutil.copytree(OLD, site, dirs_exist_ok=True)
rows = {row["soname"]: row for row in target(f"env:{prefix}")["libraries"]}
equal(rows["libnvJitLink.so.12"]["version"], "12.4.127")

# A lock, with all files that it names.
sandbox.write("limits.txt", "nvidia-nvjitlink-cu12==12.4.127\n")
lock = sandbox.write("requirements.txt", "-c limits.txt\nnvidia-cuda-runtime-cu12==12.4.127\n"
                                       "nvidia-nvjitlink-cu12\n")

def pinned():
    rows = {row["soname"]: row for row in target(f"lock:{lock}")["libraries"]}
    return rows["libnvJitLink.so.12"]["version"]

equal(pinned(), "12.4.127")
before = kept()
equal(pinned(), "12.4.127")
equal(kept(), before)
sandbox.write("limits.txt", "nvidia-nvjitlink-cu12==12.6.85\n")
equal(pinned(), "12.6.85")

# Messages name the place where a requirement was written, so the place is part of the cache key.
with sandbox.file("cuda-cc.toml", f'runtime = "lock:{lock}"\n'):
    equal(json.loads(sandbox.run(PROGRAM, "target", "--format=json").out)["declared"],
          [{"origin": "cuda-cc.toml:1", "requirement": f"lock:{lock}"}])
with sandbox.file("cuda-cc.toml", f'\n\nruntime = "lock:{lock}"\n'):
    equal(json.loads(sandbox.run(PROGRAM, "target", "--format=json").out)["declared"],
          [{"origin": "cuda-cc.toml:3", "requirement": f"lock:{lock}"}])

# A damaged cache file is ignored and written again; every cache file may be missing.
for damage in ("", "cuda-cc-target 3\n", "\0" * 4096):
    for path in targets.iterdir():
        path.write_text(damage)
    equal(pinned(), "12.6.85")
for path in targets.iterdir():
    path.write_text(path.read_text()[:-5])
equal(pinned(), "12.6.85")
shutil.rmtree(sandbox.store, ignore_errors=True)

# Concurrent calls while the environment changes: each answer describes one state of it.
def ask(number):
    if number % 8 == 0:
        with contextlib.suppress(FileExistsError):
            (site / "other-1.0.dist-info").mkdir()
    if number % 8 == 4:
        shutil.rmtree(site / "other-1.0.dist-info", ignore_errors=True)
    return sandbox.run(PROGRAM, "target", "--format=json", "--runtime", f"env:{prefix}")

with concurrent.futures.ThreadPoolExecutor(16) as pool:
    answers = {(ended.status, ended.out, ended.err) for ended in pool.map(ask, range(64))}
equal(len(answers), 1, answers)
sandbox.clean()
