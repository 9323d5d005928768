# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %support/hide-cuda %python -B %s
"""A link whose output keeps inode, size and time is sealed or removed like any other (F3): file systems with a time
step of a second, a clock that stands still, linkers that write into the old file."""
import os

import note
from sandbox import Sandbox, equal, tools

sandbox = Sandbox()
torch = "--cudacc-runtime=torch==2.5.1"
sandbox.write("m.cpp", "int f() { return 0; }\n")
made = sandbox.work / "made.so"
STAMP = 1_000_000_000


def compiler(name, text):
    """A compiler whose output has the same time at each link."""
    sandbox.write(name, f'#!/bin/sh\ncase "$*" in *"-o made.so") ;; *) exec /usr/bin/g++ "$@" ;; esac\n'
                        f"{text} || exit\ntouch -d @{STAMP} made.so\n").chmod(0o755)
    return name, "-shared", "-fPIC"


def relinked(*words):
    """Three links that are accepted, then one that is rejected, within one time step."""
    made.unlink(missing_ok=True)
    for _ in range(3):
        sandbox.good(torch, *words, "m.cpp", "-o", "made.so")
        assert note.manifest(made).link, words
        os.utime(made, (STAMP, STAMP))
    ended = sandbox.cc(torch, *words, "-Wl,-z,execstack", "m.cpp", "-o", "made.so")
    equal((ended.status, ended.codes), (3, ["CC4010"]), ended)
    assert not made.exists(), f"the rejected output is left: {words}"


link = compiler("bin/g++", '/usr/bin/g++ "$@"')
for name in ("bfd", *(each.removeprefix("ld.") for each in tools("ld.gold", "ld.lld", "mold"))):
    relinked(*link, f"-fuse-ld={name}")
# Linkers write into the old file where they cannot remove it: in a folder that is not theirs, or a mount point.
into = compiler("into/g++", '/usr/bin/g++ "$@" -o new.so && cat new.so > made.so && rm new.so')
relinked(*into)

# The file that a link leads to is the one that was written; the link itself is not this call's.
(sandbox.work / "real").mkdir()
made.symlink_to("real/made.so")
for _ in range(3):
    sandbox.good(torch, *into, "m.cpp", "-o", "made.so")
    assert note.manifest(made).link and made.is_symlink()
    os.utime(made, (STAMP, STAMP))
ended = sandbox.cc(torch, *into, "-Wl,-z,execstack", "m.cpp", "-o", "made.so")
equal((ended.status, ended.codes), (3, ["CC4010"]), ended)
equal((made.is_symlink(), os.listdir(sandbox.work / "real")), (True, []), "behind the link")
made.unlink()

# A call that succeeds and writes nothing leaves the old file, and gives its verdict.
plain = sandbox.run("g++", "-shared", "-fPIC", "-Wl,-z,execstack", "m.cpp", "-o", "made.so")
equal(plain.status, 0, plain)
before, content = os.stat(made), made.read_bytes()
still = compiler("still/g++", "exit 0")
ended = sandbox.cc(torch, *still, "m.cpp", "-o", "made.so")
equal((ended.status, ended.codes), (3, ["CC4010"]), ended)
after = os.stat(made)
equal((after.st_ino, made.read_bytes()), (before.st_ino, content), "a file of another call")
sandbox.clean()
