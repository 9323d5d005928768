# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %support/hide-cuda %python -B %s
"""Wheels as pip installs them, without lib64 and without libX.so: nvcc links against them, with the static
and with the shared runtime (N17)."""
from pathlib import Path

import note
from sandbox import KERNEL, Sandbox, equal, toolkits

sandbox = Sandbox(Path(toolkits.bare("13.0")))
assert not (sandbox.toolkit / "lib64").exists() and not (sandbox.toolkit / "lib/libcudart.so").exists()
sandbox.write("k.cu", KERNEL)
shared = ("-arch=sm_80", "-shared", "-Xcompiler", "-fPIC", "k.cu", "-o", "k.so")
runtime = "--cudacc-runtime=cuda==13.0"

sandbox.good(runtime, *shared)
equal(note.manifest(sandbox.work / "k.so").link["cudart"], "static", "by default")
sandbox.good(runtime, *shared, "-cudart", "shared")
elf = note.elf(sandbox.work / "k.so")
assert "libcudart.so.13" in elf.needed, elf.needed
equal(elf.manifest().link["cudart"], "shared", "asked for")
sandbox.clean()
