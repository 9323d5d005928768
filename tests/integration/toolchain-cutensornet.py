# SPDX-License-Identifier: Apache-2.0
# REQUIRES: nvcc
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""RP-12, RP-2: wheels of CUDA 13 with cuTensorNet, and those of CUDA 12: a program links with the names of its
libraries and no other flag. Every NVIDIA library that is loaded is a wheel's, also with older copies on
LD_LIBRARY_PATH, and after the environment was moved; a library that a wheel needs but does not require is named."""
import re
import shutil
import sys

import installed
import wheels
from behaviour import behaviour
from sandbox import Sandbox, equal, wheel

CU13 = ("cutensornet-cu13==2.14.0", "cutensor-cu13==2.8.1", "nvidia-cublas==13.1.0.3",
        "nvidia-cusolver==12.0.4.66", "nvidia-cusparse==12.6.3.3", "nvidia-nvjitlink==13.0.88",
        "nvidia-cuda-runtime==13.0.96", "nvidia-cuda-nvcc==13.0.88", "nvidia-cuda-crt==13.0.88",
        "nvidia-nvvm==13.0.88", "nvidia-cuda-cccl==13.0.85")
CU12 = ("cutensornet-cu12==2.14.0", "cutensor-cu12==2.8.1", "nvidia-cublas-cu12==12.9.1.4",
        "nvidia-cuda-runtime-cu12==12.9.79", "nvidia-cuda-nvcc-cu12==12.4.131")
# cutensornet needs cuSOLVER, but its wheel does not require it; cuSOLVER's dependencies are installed with it.
CUSOLVER12 = ("nvidia-cusolver-cu12==11.6.1.9", "nvidia-cusparse-cu12==12.5.1.3",
              "nvidia-nvjitlink-cu12==12.5.82")
SOURCE = """#include <cstdio>
#include <cutensornet.h>
#ifdef __CUDACC__
#include <cusolverDn.h>
__global__ void k() {}
static int more() { cusolverDnHandle_t h; k<<<1, 1>>>(); return cusolverDnCreate(&h); }
#else
#include <cuda_runtime.h>
static int more() { int n = 0; return cudaGetDeviceCount(&n); }
#endif
extern "C" size_t works() { return more() == -1 ? 0 : cutensornetGetVersion(); }
int main() { printf("%zu\\n", works()); }
"""
sandbox = Sandbox()
for name in ("example.cu", "example.cpp"):
    sandbox.write(name, SOURCE)
old = [wheel(each) for each in ("nvidia-nvjitlink-cu12==12.0.140", "nvidia-cublas-cu12==12.4.5.8",
                                "nvidia-nvjitlink==13.0.88")]
older = ":".join(str(lib) for tree in old for lib in tree.glob("nvidia/*/lib"))


def environment(name, *requirements):
    prefix = sandbox.work / name
    site = installed.venv(prefix)
    # Hard links, so that the whole folder can be moved.
    wheels.merge(requirements, site)
    return prefix, site


def loaded(program, **more):
    """{SONAME: path} of the loaded NVIDIA libraries according to the loader, and the program's output."""
    done = sandbox.run(*program, LD_DEBUG="libs", **more)
    equal(done.status, 0, done)
    found = {}
    for path in re.findall(r"calling init: (\S+)", done.err):
        if re.search(r"/lib(cu|nv)\w*\.so", path):
            found[path.rsplit("/", 1)[1]] = path
    return found, done.out.strip()


def holds(site, program, **more):
    found, said = loaded(program, **more)
    assert said == "21400" and "libcutensornet.so.2" in found, (said, found)
    wrong = [path for path in found.values() if not path.startswith(f"{site}/")]
    equal(wrong, [], "not of the wheels")


prefix, site = environment("venv", *CU13)
td = sandbox.work / "td"
sandbox.good("toolchain", td, "--runtime", f"env:{prefix}")


@behaviour
def a_program_loads_libraries_of_the_wheels_alone():
    nvcc = sandbox.run(td / "bin/nvcc", "-arch=sm_80", "example.cu", "-lcutensornet", "-lcusolver", "-o",
                       "example")
    equal((nvcc.status, nvcc.err), (0, ""), nvcc)
    holds(site, [sandbox.work / "example"])
    holds(site, [sandbox.work / "example"], LD_LIBRARY_PATH=older)


@behaviour
def an_extension_moves_with_its_environment():
    (site / "pkg").mkdir()
    made = sandbox.run(td / "bin/nvcc", "-arch=sm_80", "-shared", "-Xcompiler", "-fPIC", "example.cu",
                       "-lcutensornet", "-lcusolver", "-o", site / "pkg/ext.so")
    equal((made.status, made.err), (0, ""), made)
    moved = sandbox.work / "moved"
    prefix.rename(moved)
    extension = next(moved.glob("lib/python3*/site-packages"))
    code = "import ctypes, sys; print(ctypes.CDLL(sys.argv[1]).works())"
    holds(extension, [sys.executable, "-c", code, extension / "pkg/ext.so"], LD_LIBRARY_PATH=older)
    shutil.rmtree(moved)


@behaviour
def a_missing_wheel_is_named_instead_of_undefined_references():
    """CUDA 12, whose wheels have no nvcc."""
    prefix, site = environment("venv12", *CU12)
    td = sandbox.work / "td12"
    sandbox.path = "/usr/bin:/bin"
    sandbox.good("toolchain", td, "--runtime", f"env:{prefix}")
    words = (td / "bin/g++", "example.cpp", "-lcutensornet", "-lcudart", "-o", "example12")
    short = sandbox.run(*words)
    equal((short.status, short.codes[:1]), (3, ["CC4003"]), short)
    text = " ".join(short.err.split())
    assert "the environment has no libcusolver.so.11" in text, short
    assert "install nvidia-cusolver-cu12" in text and "undefined reference" not in text, short
    wheels.merge(CUSOLVER12, site)
    done = sandbox.run(*words)
    equal((done.status, done.err), (0, ""), done)
    holds(site, [sandbox.work / "example12"])
    holds(site, [sandbox.work / "example12"], LD_LIBRARY_PATH=older)
