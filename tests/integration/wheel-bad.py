# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""Wheels that no backend makes: `wheel show`, `repair` and `prove` end with one error, in less than 200 MB of memory,
and leave nothing behind. A sound wheel of 3 GB takes no more memory (WR-1, WR-10)."""
import os
import sys
import zipfile

import demowheel
import packing
from sandbox import PROGRAM, Sandbox, equal, wheels

INFO = "big-1.0.dist-info"
NAME = "big-1.0-cp311-cp311-linux_x86_64.whl"
LIMIT = 200 << 10  # KiB
MORE = 3_200_000_000
sandbox = Sandbox()
PATH = demowheel.wheel_tools(sandbox)
uv = next(wheels.Path(wheels.get("uv==0.13.9")).glob("*.data/scripts/uv"))
sandbox.write("ext.cpp", '#include <stdio.h>\nint main() { return puts(""); }\n')
sandbox.good("--cudacc-runtime=cuda==12.4", "g++", "-shared", "-fPIC", "ext.cpp", "-o", "ext.so")
MODULE = (sandbox.work / "ext.so").read_bytes()
MEMBERS = {"big/ext.so": MODULE}
METADATA = b"Metadata-Version: 2.1\nName: big\nVersion: 1.0\n"


def pack(members, **options):
    return packing.sound(sandbox.work, "big", members, **options)


# A process starts with the memory of the one that it is forked from: this one holds what it packs.
MEASURED = """import os, sys
child = os.spawnv(os.P_NOWAIT, sys.argv[1], sys.argv[1:])
_, status, usage = os.wait4(child, 0)
print("\\nmeasured", os.waitstatus_to_exitcode(status), usage.ru_maxrss)
"""


def call(*words):
    """Exit status, both outputs, and KiB of memory of a call."""
    done = sandbox.run(sys.executable, "-S", "-c", MEASURED, PROGRAM, "wheel", *words, UV_OFFLINE="1",
                       PATH=f"{uv.parent}:{PATH}", UV_CACHE_DIR=sandbox.root / "uv")
    said, _, measured = done.out.rpartition("measured ")
    status, memory = map(int, measured.split())
    return status, said + done.err, memory


def tree():
    return sorted(str(path) for folder in (sandbox.work, sandbox.tmp) for path in folder.rglob("*"))


CALLS = (("show",), ("repair", "-w", "out", "--runtime=cuda==12.4"), ("prove", "--resolution=highest"))


def refused(what, path, code=None, calls=CALLS, status=(4,)):
    before, content = tree(), os.stat(path).st_mtime_ns
    for words in calls:
        got, said, memory = call(*words, path)
        assert got in status and said.count("error:") == 1, f"{what}: {words}: {got}\n{said[:3000]}"
        assert code is None or f"[{code}]" in said, f"{what}: {words}\n{said[:3000]}"
        assert memory < LIMIT, f"{what}: {words}: {memory} KiB"
        equal(tree(), before, f"{what}: {words}")
    equal(os.stat(path).st_mtime_ns, content, what)


def spoilt(change):
    path = pack(MEMBERS)
    path.write_bytes(change(path.read_bytes()))
    return path


# The base of all that follows is accepted.
for words in CALLS:
    if words[0] != "prove":
        equal(call(*words, pack(MEMBERS))[0], 0, words)
for path in (sandbox.work / "out").iterdir():
    path.unlink()
(sandbox.work / "out").rmdir()

refused("no zip", spoilt(lambda data: b"\0" * 100))
refused("cut", spoilt(lambda data: data[:len(data) // 2]))
refused("empty", spoilt(lambda data: b""))
for name in ("../../evil.so", "/etc/evil.so", "big/../../evil.so"):
    refused(name, pack({**MEMBERS, name: MODULE}))
refused("two dist-info", pack({**MEMBERS, "other-1.0.dist-info/METADATA": b"x"}), "CC2025")
refused("not UTF-8", pack({**MEMBERS, f"{INFO}/METADATA": b"Name: \xff\n"}), "CC2025")
with zipfile.ZipFile(pack(MEMBERS)) as archive:
    right, WHEEL = (archive.read(f"{INFO}/{each}") for each in ("RECORD", "WHEEL"))
refused("RECORD lies", pack(MEMBERS, record=right.replace(b",%d\n" % len(MODULE), b",1\n")), "CC2025")

# Bombs: zeros, more than the memory that is allowed, in each file that is read whole, and in a library, of which `show`
# and `prove` unpack what they need.
zeros = bytes(300 << 20)
metadata = f"{INFO}/METADATA"
refused("bomb in METADATA", pack({**MEMBERS, metadata: METADATA + zeros}, compression=zipfile.ZIP_DEFLATED))
refused("bomb in a library", pack({**MEMBERS, "big/ext.so": MODULE + zeros}, compression=zipfile.ZIP_DEFLATED),
        "CC2103", [CALLS[1]])
got, said, memory = call("show", sandbox.work / NAME)
assert got == 0 and memory < LIMIT, (got, memory, said)
refused("bomb in RECORD", pack(MEMBERS, record=zeros, compression=zipfile.ZIP_DEFLATED))
del zeros

# Where nobody can write: also not root.
for folder in ("/proc/wheelhouse", PROGRAM):
    refused(folder, pack(MEMBERS), calls=[("repair", "-w", folder, "--runtime=cuda==12.4")])

# 3 GB, of which a file system stores little: the digest is not compared by `show`.
class Sparse:
    def __init__(self, path):
        self.file = open(path, "wb")

    def write(self, data):
        if len(data) == 1 << 20 and not any(data[:64]):
            return self.file.seek(len(data), os.SEEK_CUR)
        return self.file.write(data)

    def __getattr__(self, name):
        return getattr(self.file, name)


path = sandbox.work / NAME
path.unlink()
target = Sparse(path)
with zipfile.ZipFile(target, "w") as archive:
    with archive.open(zipfile.ZipInfo("big/ext.so"), "w", force_zip64=True) as member:
        member.write(MODULE)
        for _ in range(MORE >> 20):
            member.write(bytes(1 << 20))
    size = len(MODULE) + (MORE >> 20 << 20)
    archive.writestr(f"{INFO}/METADATA", METADATA)
    archive.writestr(f"{INFO}/WHEEL", WHEEL)
    archive.writestr(f"{INFO}/RECORD", right.replace(b",%d\n" % len(MODULE), b",%d\n" % size))
target.close()
assert path.stat().st_size > 3_000_000_000 and path.stat().st_blocks * 512 < 100_000_000, path.stat()
got, said, memory = call("show", path)
assert got == 0 and memory < LIMIT, (got, memory, said)
if os.environ["CUDACC_TEST_ALL"]:
    refused("3 GB, another digest", path, "CC2025", [("show", "--verify"), CALLS[1]])
sandbox.clean()
