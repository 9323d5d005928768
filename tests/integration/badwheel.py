# SPDX-License-Identifier: Apache-2.0
"""Calls of `wheel show`, `repair` and `prove` with wheels that no backend makes: what they say, how much memory they
take, and what they leave."""
import sys

import demowheel
import packing
from sandbox import PROGRAM, Sandbox, equal, wheels

INFO = "big-1.0.dist-info"
METADATA = b"Metadata-Version: 2.1\nName: big\nVersion: 1.0\n"
LIMIT = 200 << 10  # KiB
CALLS = (("show",), ("repair", "-w", "out", "--runtime=cuda==12.4"), ("prove", "--resolution=highest"))
SHOW, REPAIR, PROVE = CALLS
# A process starts with the memory of the one that it is forked from: this one holds what it packs.
MEASURED = """import os, sys
child = os.spawnv(os.P_NOWAIT, sys.argv[1], sys.argv[1:])
_, status, usage = os.wait4(child, 0)
print("\\nmeasured", os.waitstatus_to_exitcode(status), usage.ru_maxrss)
"""


class BadWheels:
    def __init__(self):
        self.sandbox = Sandbox()
        uv = next(wheels.Path(wheels.get("uv==0.13.9")).glob("*.data/scripts/uv"))
        self.variables = {"PATH": f"{uv.parent}:{demowheel.wheel_tools(self.sandbox)}", "UV_OFFLINE": "1",
                          "UV_CACHE_DIR": self.sandbox.root / "uv"}
        self.sandbox.write("ext.cpp", '#include <stdio.h>\nint main() { return puts(""); }\n')
        self.sandbox.good("--cudacc-runtime=cuda==12.4", "g++", "-shared", "-fPIC", "ext.cpp", "-o", "ext.so")
        self.module = (self.sandbox.work / "ext.so").read_bytes()
        self.members = {"big/ext.so": self.module}

    def pack(self, members=None, **options):
        """A sound wheel, but for these options of packing.sound."""
        return packing.sound(self.sandbox.work, "big", self.members if members is None else members, **options)

    def call(self, *words):
        """Exit status, both outputs, and KiB of memory of a call."""
        done = self.sandbox.run(sys.executable, "-S", "-c", MEASURED, PROGRAM, "wheel", *words, **self.variables)
        said, _, measured = done.out.rpartition("measured ")
        assert measured, done
        status, memory = map(int, measured.split())
        return status, said + done.err, memory

    def tree(self):
        """Every path, and the time at which it was changed."""
        return sorted((str(path), path.lstat().st_mtime_ns) for folder in (self.sandbox.work, self.sandbox.tmp)
                      for path in folder.rglob("*") if path.is_file())

    def refused(self, what, path, code=None, calls=CALLS):
        before = self.tree()
        for words in calls:
            status, said, memory = self.call(*words, path)
            assert status == 4 and said.count("cuda-cc: error:") == 1, f"{what}: {words}: {status}\n{said[:3000]}"
            assert code is None or f"[{code}]" in said, f"{what}: {words}\n{said[:3000]}"
            assert memory < LIMIT, f"{what}: {words}: {memory} KiB"
            equal(self.tree(), before, f"{what}: {words}")

    def accepted(self, what, path, calls=CALLS[:2]):
        for words in calls:
            status, said, memory = self.call(*words, path)
            assert status == 0 and memory < LIMIT, f"{what}: {words}: {status}, {memory} KiB\n{said[:3000]}"

    def take(self):
        """The repaired wheel's bytes; its folder is removed, as a failing call would leave it."""
        folder = self.sandbox.work / "out"
        [path] = folder.iterdir()
        data = path.read_bytes()
        path.unlink()
        folder.rmdir()
        return data

def spoilt(path, change):
    path.write_bytes(change(path.read_bytes()))
    return path


def record(members):
    """A RECORD of these files and of the metadata that packing.sound adds."""
    files = {f"{INFO}/METADATA": METADATA, f"{INFO}/WHEEL": packing.WHEEL, **members}
    return ("".join(packing.recorded(path, data) for path, data in files.items()) + f"{INFO}/RECORD,,\n").encode()
