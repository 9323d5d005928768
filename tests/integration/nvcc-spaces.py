# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %support/hide-cuda %python -B %s
"""A HOME with a space, a working directory with spaces and quotes, non-ASCII names: search path and manifest are
written as usual (R24, R35, AT14)."""
import note
from sandbox import KERNEL, Sandbox, equal

prefix = ["$ORIGIN/../nvidia/cu13/lib", "$ORIGIN/nvidia/cu13/lib"]
runtime = "--cudacc-runtime=cuda==13.0"
first = None

for home, work in (("a home", "work"), ("grün", "wörk 日本"), ("home", "it's work; $HOME")):
    sandbox = Sandbox("13.0", name=work)
    sandbox.home = sandbox.root / home
    sandbox.home.mkdir(exist_ok=True)
    sandbox.write("k k.cu", KERNEL)
    words = ["-arch=sm_80", "-shared", "-Xcompiler", "-fPIC", "-cudart", "shared"]
    sandbox.good(runtime, *words, "k k.cu", "-o", "out put.so")
    elf = note.elf(sandbox.work / "out put.so")
    equal(elf.rpath, prefix, f"{home} {work}")
    assert elf.manifest().link, (home, work)
    equal(len(elf.manifest().objects), 1, f"object records, {home} {work}")
    sandbox.good(runtime, "g++", "-shared", "out put.so", "-o", "sec ond.so")
    assert note.manifest(sandbox.work / "sec ond.so").link, (home, work)
    sandbox.clean()

# A path that cannot be passed on nvcc's line costs the record, not the build (README, limits).
sandbox = Sandbox("13.0")
sandbox.home = sandbox.root / "a, b"
sandbox.home.mkdir()
sandbox.write("k.cu", KERNEL)
ended = sandbox.cc(runtime, *words, "k.cu", "-o", "k.so")
equal(ended.status, 0, ended)
elf = note.elf(sandbox.work / "k.so")
assert elf.manifest().link and elf.rpath == prefix, elf.rpath
