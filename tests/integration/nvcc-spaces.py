# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %support/hide-cuda %python -B %s
"""A HOME with a space, a working directory with spaces and quotes, non-ASCII names: search path and manifest are
written as usual (R24, R35, AT14)."""
import note
from scene import KERNEL, Scene, equal

prefix = ["$ORIGIN/../nvidia/cu13/lib", "$ORIGIN/nvidia/cu13/lib"]
runtime = "--cudacc-runtime=cuda==13.0"
first = None

for home, work in (("a home", "work"), ("grün", "wörk 日本"), ("home", "it's work; $HOME")):
    scene = Scene("13.0", name=work)
    scene.home = scene.root / home
    scene.home.mkdir(exist_ok=True)
    scene.write("k k.cu", KERNEL)
    words = ["-arch=sm_80", "-shared", "-Xcompiler", "-fPIC", "-cudart", "shared"]
    scene.good(runtime, *words, "k k.cu", "-o", "out put.so")
    elf = note.elf(scene.work / "out put.so")
    equal(elf.rpath, prefix, f"{home} {work}")
    assert elf.manifest().link, (home, work)
    equal(len(elf.manifest().objects), 1, f"object records, {home} {work}")
    scene.good(runtime, "g++", "-shared", "out put.so", "-o", "sec ond.so")
    assert note.manifest(scene.work / "sec ond.so").link, (home, work)
    scene.clean()

# A path that cannot be passed on nvcc's line costs the record, not the build (README, limits).
scene = Scene("13.0")
scene.home = scene.root / "a, b"
scene.home.mkdir()
scene.write("k.cu", KERNEL)
ended = scene.cc(runtime, *words, "k.cu", "-o", "k.so")
equal(ended.status, 0, ended)
elf = note.elf(scene.work / "k.so")
assert elf.manifest().link and elf.rpath == prefix, elf.rpath
