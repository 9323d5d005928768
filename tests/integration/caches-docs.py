# SPDX-License-Identifier: Apache-2.0
# REQUIRES: nvcc, ccache
# RUN: PYTHONPATH=%S %support/hide-cuda %python -B %s
"""docs/caches.md as written, but for farms with Ninja: every command succeeds, and the cache has the hits and misses
that the page shows."""
from pathlib import Path

import note
from caching import Ccache, Sccache
from documented import follows
from farming import unpacked
from sandbox import KERNEL, PROGRAM, Sandbox, equal, skip, tools

if len(tools("sccache", "cmake", "ninja")) < 3:
    skip("no sccache, cmake or ninja")
sandbox = Sandbox("13.0")
ccache, sccache = Ccache(sandbox), Sccache(sandbox)
farms = ":".join(str(unpacked(name) / "bin") for name in ("distcc", "icecc"))
variables = {**ccache.variables, **sccache.variables, "CUDA_PATH": sandbox.toolkit, "CUDAARCHS": "80",
             "CMAKE_GENERATOR": "Ninja", "DISTCC_HOSTS": "localhost",
             "DISTCC_DIR": sandbox.root / "distcc",
             "PATH": f"{Path(PROGRAM).parent}:{sandbox.path}:{farms}"}
sandbox.write("kernels.cu", KERNEL)
sandbox.write("ext.cpp", 'extern "C" int run(float *);\nint ext() { return run(nullptr); }\n')
sandbox.write("CMakeLists.txt", """cmake_minimum_required(VERSION 3.21)
project(ext LANGUAGES CXX CUDA)
add_library(ext SHARED ext.cpp kernels.cu)
""")
page = follows("caches", "The setting", "In a toolchain directory", "CMake", "Which does what")
(sandbox.root / "distcc").mkdir()


def follow(title, hits, misses):
    before = ccache.counts()
    page[title].follow(sandbox, **variables)
    after = ccache.counts()
    equal((after[0] - before[0], after[1] - before[1]), (hits, misses), title)


# Compiled once; then served to the call of the same line.
follow("The setting", 1, 2)
assert note.manifest(sandbox.work / "kernels.o").objects and note.manifest(sandbox.work / "ext.so").link
equal(sum(sccache.counts()), 1, "sccache was asked")
# In the directory, nvcc gets its host compiler and g++ the include path as options, so the keys differ.
follow("In a toolchain directory", 0, 2)
assert note.manifest(sandbox.work / "kernels.o").objects and note.manifest(sandbox.work / "ext.so").link
# First behind the cache, then in front: the keys of nvcc's compiles differ, that of g++'s is the same.
before = ccache.counts()
page["CMake"].follow(sandbox, **variables)
after = ccache.counts()
assert after[0] > before[0] and after[1] >= before[1] + 3, (before, after)
(kernels,) = (sandbox.work / "build/release").rglob("kernels.cu.o")
equal(len(note.manifest(kernels).objects), 1, "record")
assert note.manifest(sandbox.work / "build/release/libext.so").link
follow("Which does what", 1, 0)
