# SPDX-License-Identifier: Apache-2.0
# REQUIRES: nvcc
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""Runs the commands of the README that no page of docs/ contains: cuda-cc in place of nvcc, in front of a compiler and
a cache, with and without a toolchain directory, and its flags for other builds. The pages that the README names
exist."""
import re

import note
from documented import ROOT, sections
from python_project import NVIDIA
from scene import Scene, environment_of, equal, skip, tools, wheels

if "ccache" not in tools("ccache"):
    skip("no ccache")
scene = Scene()
environment = environment_of(*wheels.read_wanted("environments")["torch==2.11.0"], *NVIDIA)
(scene.work / ".venv").symlink_to(environment)
scene.write("cuda-cc.toml", 'runtime = "env:.venv"\ntoolkit = "env"\n')
scene.write("kernels.cu", '__global__ void k() {}\nextern "C" void run() { k<<<1, 1>>>(); }\n')
scene.write("ext.cpp", """#include <nvJitLink.h>
extern "C" int made() { nvJitLinkHandle h; return nvJitLinkCreate(&h, 0, nullptr); }
""")
scene.write("Makefile", """all: kernels.o ext.o
kernels.o: kernels.cu
\t$(NVCC) -arch=sm_80 -c $< -o $@
""")
cuda = environment / "nvidia/cu13"
USED = {"cuda-cc -O2 ": "kernels.so", "make NVCC=cuda-cc": "kernels.o", "cuda-cc g++ -shared": "ext.so",
        'make CXX="cuda-cc g++"': "ext.o", "cuda-cc ccache g++ ": "ext.o",
        "cuda-cc toolchain build/cuda --runtime": "build/cuda/bin/nvcc", "build/cuda/bin/g++ ext.cpp": "ext.so",
        "cuda-cc toolchain --check": None, "g++ -shared -fPIC ext.cpp": "ext.so",
        "cuda-cc config --cmake": "cuda.cmake"}
section = sections("../README")["Use"]
every = section.commands
for beginning, output in USED.items():
    section.commands = [line for line in every if line.startswith(beginning)][:1]
    assert section.commands, f"the README has no more: {beginning}"
    for left in scene.work.glob("*.[os]*"):
        left.unlink()
    section.follow(scene, NVCC="cuda-cc", CPATH=cuda / "include", LIBRARY_PATH=cuda / "lib")
    assert not output or (scene.work / output).exists(), beginning
    if output and output.endswith(".so") and not beginning.startswith("g++"):
        assert note.manifest(scene.work / output), f"{beginning}: no manifest"
    if output == "ext.so":
        equal(note.elf(scene.work / output).rpath[:1], ["$ORIGIN/../nvidia/cu13/lib"], beginning)

for page in re.findall(r"\]\((docs/[\w.]+)\)", (ROOT / "README.md").read_text()):
    assert (ROOT / page).is_file(), page
