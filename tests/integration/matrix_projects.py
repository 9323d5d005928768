# SPDX-License-Identifier: Apache-2.0
"""Projects and real toolkits for the tests of `cuda-cc matrix`."""

import json
import shutil
import subprocess

from sandbox import KERNEL, Sandbox, skip, toolkit, tools

CMAKE = {"CMakeLists.txt": """cmake_minimum_required(VERSION 3.21)
project(p LANGUAGES CXX CUDA)
find_package(CUDAToolkit REQUIRED)
add_library(p SHARED k.cu l.cpp)
set_target_properties(p PROPERTIES CUDA_ARCHITECTURES 80 CUDA_RUNTIME_LIBRARY Shared)
target_link_libraries(p PRIVATE CUDA::cudart)
install(TARGETS p)
""", "k.cu": KERNEL, "l.cpp": """#include <cuda_runtime.h>
extern "C" int run(float *x);
extern "C" int both(float *x) { return run(x) + cudaDeviceSynchronize(); }
"""}


class Matrix:
    """A project in a sandbox."""

    def __init__(self, files):
        if set(tools("cmake", "ninja", "tar")) < {"cmake", "ninja", "tar"}:
            skip("no cmake, ninja or tar")
        self.sandbox = Sandbox()
        for name, text in files.items():
            self.sandbox.write(name, text)

    def __call__(self, *words, status=0, **environment):
        done = self.sandbox.cc("matrix", *words, **environment)
        assert done.status == status, done
        return done

    def json(self, *words, **more):
        return json.loads(self(*words, "--format=json", **more).out)


def _with_device_runtime(folder):
    """Debian's package of nvcc has no libcudadevrt.a, which CMake always links: an empty one, in a copy."""
    copy = Sandbox(name="toolkit").work
    shutil.copytree(folder, copy, dirs_exist_ok=True)
    subprocess.run(["ar", "rcs", copy / "lib64/libcudadevrt.a"], check=True)
    return copy


NVCC_OF = {version: toolkit(version) for version in ("13.0", "13.2")}
NVCC_OF["12.4"] = _with_device_runtime(toolkit("12.4"))
