# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %support/hide-cuda %python -B %s
"""Wheels as pip installs them, without lib64 and without libX.so: nvcc links against them, with the static
and with the shared runtime (N17)."""
from pathlib import Path

import note
from scene import KERNEL, Scene, equal, toolkits

scene = Scene(Path(toolkits.bare("13.0")))
assert not (scene.toolkit / "lib64").exists() and not (scene.toolkit / "lib/libcudart.so").exists()
scene.write("k.cu", KERNEL)
shared = ("-arch=sm_80", "-shared", "-Xcompiler", "-fPIC", "k.cu", "-o", "k.so")
runtime = "--cudacc-runtime=cuda==13.0"

scene.good(runtime, *shared)
equal(note.manifest(scene.work / "k.so").link["cudart"], "static", "by default")
scene.good(runtime, *shared, "-cudart", "shared")
elf = note.elf(scene.work / "k.so")
assert "libcudart.so.13" in elf.needed, elf.needed
equal(elf.manifest().link["cudart"], "shared", "asked for")
scene.clean()
