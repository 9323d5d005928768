# SPDX-License-Identifier: Apache-2.0
"""Helpers for the tests with Meson: Meson from its wheel, and a toolchain directory made from bare wheels of CUDA
13."""
import sys

from sandbox import KERNEL, environment_of, skip, tools, wheel

NEWEST = "1.12.1"
BARE = (
    "nvidia-cuda-nvcc==13.0.88", "nvidia-cuda-crt==13.0.88", "nvidia-nvvm==13.0.88",
    "nvidia-cuda-runtime==13.0.96", "nvidia-cuda-cccl==13.0.85", "nvidia-cusolver==12.0.4.66",
    "nvidia-cusparse==12.6.3.3", "nvidia-cublas==13.1.0.3", "nvidia-nvjitlink==13.0.88")
SOURCES = {
    "k.cu": KERNEL,
    "solve.cpp": """#include <cusolverDn.h>
extern "C" int solve() { cusolverDnHandle_t h; return cusolverDnCreate(&h); }
""",
    "only.cpp": """#include <cuda_runtime.h>
extern "C" int devices() { int n = 0; return cudaGetDeviceCount(&n) + n; }
""",
    "main.cpp": "int main() { return 0; }\n",
}


def toolchain(sandbox):
    """A toolchain directory `td`."""
    if "ninja" not in tools("ninja"):
        skip("no ninja")
    td = sandbox.work / "td"
    sandbox.good("toolchain", td, "--runtime", f"env:{environment_of(*BARE)}")
    return td


def project(sandbox, text, folder="p"):
    for name, content in {**SOURCES, "meson.build": text}.items():
        sandbox.write(f"{folder}/{name}", content)


def meson(sandbox, *words, version=NEWEST, cwd="p", **environment):
    return sandbox.run(sys.executable, "-B", "-m", "mesonbuild.mesonmain", *words,
                       cwd=sandbox.work / cwd, PYTHONPATH=wheel(f"meson=={version}"), **environment)


def good(done):
    assert done.status == 0, done
    return done
