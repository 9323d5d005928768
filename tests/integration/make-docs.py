# SPDX-License-Identifier: Apache-2.0
# REQUIRES: nvcc
# RUN: PYTHONPATH=%S %support/hide-cuda %python -B %s
"""docs/make.md as written, but for Bazel: make with separate compilation, an archive and a C++ link, by
variables, by PATH and without a directory; CMake's old FindCUDA (R23); configure, automake and libtool, which links
again when it installs. The linked files have manifest and search path, and load."""
import note
from documented import follows
from sandbox import Sandbox, environment_of, equal, skip, tools

if set(tools("make", "cmake", "autoreconf", "libtoolize")) < {"make", "cmake", "autoreconf", "libtoolize"}:
    skip("no make, cmake, autoconf, automake or libtool")
sandbox = Sandbox()
environment = environment_of(
    "nvidia-cuda-nvcc==13.0.88", "nvidia-cuda-crt==13.0.88", "nvidia-nvvm==13.0.88",
    "nvidia-cuda-runtime==13.0.96", "nvidia-cuda-cccl==13.0.85", "nvidia-cusolver==12.0.4.66",
    "nvidia-cusparse==12.6.3.3", "nvidia-cublas==13.1.0.3", "nvidia-nvjitlink==13.0.88")
D = ["$ORIGIN/../nvidia/cu13/lib", "$ORIGIN/nvidia/cu13/lib"]
SOLVE = """#include <cusolverDn.h>
extern "C" int run(float *);
extern "C" int solve() { cusolverDnHandle_t h; return run(nullptr) + cusolverDnCreate(&h); }
"""


def held(path, elements=D):
    elf = note.elf(path)
    assert note.manifest(path), f"{path} has no manifest"
    equal(elf.rpath[:len(elements)], elements, path)
    assert not [element for element in elf.rpath if "build/cuda" in element], (path, elf.rpath)
    return elf


make = follows("make", "make and scripts", "Without a directory", "FindCUDA", "Autotools")
(sandbox.work / ".venv").symlink_to(environment)
sandbox.write("ext.cpp", SOLVE)
sandbox.write("main.cpp", 'extern "C" int solve();\nint main() { return solve() == 0; }\n')
sandbox.write("launch.cu", """__device__ float scaled(float);
__global__ void all(float *x) { *x = scaled(*x); }
extern "C" int run(float *x) { all<<<1, 1>>>(x); return (int)cudaGetLastError(); }
""")
sandbox.write("scale.cu", "__device__ float scaled(float x) { return 2 * x; }\n")
sandbox.write("old/old.cu", 'extern "C" int count() { int n; return cudaGetDeviceCount(&n); }\n')
first = make["make and scripts"]
first.follow(sandbox)
held(sandbox.work / "ext.so")
held(sandbox.work / "main", [])
# There is no GPU: the test checks only that it starts.
equal(sandbox.run("./main", LD_LIBRARY_PATH=environment / "nvidia/cu13/lib").status, 0)
made = note.elf(sandbox.work / "ext.so").rpath
(sandbox.work / "ext.so").unlink()
make["Without a directory"].follow(sandbox, LIBRARY_PATH=environment / "nvidia/cu13/lib")
equal(held(sandbox.work / "ext.so").rpath, made)
make["FindCUDA"].follow(sandbox)
held(sandbox.work / "build/old/libold.so", [])

sandbox.write("auto/ext.cpp", SOLVE.replace("int run", "int part();\nextern \"C\" int run").replace(
    "run(nullptr)", "part() + run(nullptr)"))
sandbox.write("auto/part.cpp", 'extern "C" int part() { return 0; }\n')
sandbox.write("auto/kernels.cu", """__global__ void all(float *x) { *x *= 2; }
extern "C" int run(float *x) { all<<<1, 1>>>(x); return (int)cudaGetLastError(); }
""")
(sandbox.work / "auto/.venv").symlink_to(environment)
done = make["Autotools"].follow(sandbox, "auto")
assert "relink: " in done.out and "build/cuda/bin/g++" in done.out, done
elf = held(sandbox.work / "auto/dist/lib/libext.so", [*D, f"{sandbox.work}/auto/dist/lib"])
equal(len(elf.rpath), 3, "libtool's own, once")
assert "libcusolver.so.12" in elf.needed and "libpart.so.0" in elf.needed, elf.needed
held(sandbox.work / "auto/dist/lib/libpart.so", [])
