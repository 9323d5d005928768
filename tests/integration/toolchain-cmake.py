# SPDX-License-Identifier: Apache-2.0
# REQUIRES: nvcc
# RUN: PYTHONPATH=%S %support/hide-cuda %python -B %s
"""AT20: a CMake project with CUDA and CUDA::cusolver builds with a toolchain directory of bare wheels of CUDA 13, while
with the wheels alone it cannot be configured; the installed files find the runtime."""
import note
from sandbox import KERNEL, Sandbox, environment_of, ours, skip, tools

if set(tools("cmake", "ninja")) < {"cmake", "ninja"}:
    skip("no cmake or no ninja")
sandbox = Sandbox()
environment = environment_of(
    "nvidia-cuda-nvcc==13.0.88", "nvidia-cuda-crt==13.0.88", "nvidia-nvvm==13.0.88",
    "nvidia-cuda-runtime==13.0.96", "nvidia-cuda-cccl==13.0.85", "nvidia-cusolver==12.0.4.66",
    "nvidia-cusparse==12.6.3.3", "nvidia-cublas==13.1.0.3", "nvidia-nvjitlink==13.0.88")
sandbox.write("p/CMakeLists.txt", """cmake_minimum_required(VERSION 3.21)
project(p LANGUAGES CXX CUDA)
find_package(CUDAToolkit REQUIRED)
message(STATUS "toolkit ${CUDAToolkit_VERSION} in ${CUDAToolkit_BIN_DIR}")
add_library(p SHARED k.cu l.cpp)
set_target_properties(p PROPERTIES CUDA_ARCHITECTURES 80 CUDA_RUNTIME_LIBRARY Shared)
target_link_libraries(p PRIVATE CUDA::cudart CUDA::cusolver CUDA::cuda_driver)
install(TARGETS p)
""")
sandbox.write("p/k.cu", KERNEL)
sandbox.write("p/l.cpp", """#include <cuda.h>
#include <cusolverDn.h>
extern "C" int solve() {
  cusolverDnHandle_t handle;
  return cusolverDnCreate(&handle) + cuInit(0);
}
""")

def configure(name, nvcc, **more):
    return sandbox.run("cmake", "-G", "Ninja", "-S", "p", "-B", name, f"-DCMAKE_INSTALL_PREFIX={name}/i",
                       CUDACXX=nvcc, **more)

bare = configure("bare", environment / "nvidia/cu13/bin/nvcc")
assert bare.status != 0, bare

td = sandbox.work / "td"
sandbox.good("toolchain", td, "--runtime", f"env:{environment}")
for name, more in (("front", {"CXX": td / "bin/g++"}),
                   ("launcher", {"CMAKE_CXX_LINKER_LAUNCHER": td / "bin/cuda-cc"})):
    done = configure(name, td / "bin/nvcc", **more)
    assert done.status == 0, done
    assert f"toolkit 13.0.88 in {td}/bin" in done.out, done
    done = sandbox.run("cmake", "--build", name, **more)
    assert done.status == 0 and "cuda-cc" not in done.err, done
    done = sandbox.run("cmake", "--install", name)
    assert done.status == 0, done
    elf = note.elf(sandbox.work / name / "i/lib/libp.so")
    assert {"libcudart.so.13", "libcusolver.so.12", "libcuda.so.1"} <= set(elf.needed), elf.needed
    if name == "front":
        assert "$ORIGIN/../nvidia/cu13/lib" in ours(elf.rpath + elf.runpath), (elf.rpath, elf.runpath)
