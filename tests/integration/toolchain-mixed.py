# SPDX-License-Identifier: Apache-2.0
# REQUIRES: nvcc
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""AT20, AT28: a toolchain directory from two sources: nvcc of an installed toolkit, headers and libraries of CUDA 12's
wheels; and one from the wheels only, for host compilers. Libraries that are released separately link by their plain
names (RP-3)."""
import os
import shutil

import note
import wheels
from proof import prefix
from sandbox import KERNEL, MAIN, Sandbox, environment_of, equal, toolkit

site = environment_of("nvidia-cuda-runtime-cu12==12.4.127", "nvidia-cublas-cu12==12.4.5.8",
                      "nvidia-cusolver-cu12==11.6.1.9", "nvidia-cusparse-cu12==12.3.1.170",
                      "nvidia-nvjitlink-cu12==12.4.127", "nvidia-cuda-cccl-cu12==12.4.127.post1",
                      "nvidia-cudnn-cu12==9.1.0.70", "nvidia-nccl-cu12==2.21.5",
                      "nvidia-cuda-nvcc-cu12==12.4.131")
sandbox = Sandbox()
own = sandbox.root / "site"
shutil.copytree(site, own, copy_function=wheels.link_or_copy)
venv = prefix(sandbox, own, "venv")
sandbox.write("k.cu", KERNEL + MAIN)
sandbox.write("l.cpp", """#include <cuda_runtime.h>
#include <cudnn_version.h>
#include <cusolverDn.h>
#include <nccl.h>
extern "C" size_t cudnnGetVersion();
int main() {
  int version;
  cusolverDnHandle_t handle;
  cudaRuntimeGetVersion(&version);
  return cusolverDnCreate(&handle) + ncclGetVersion(&version) + cudnnGetVersion();
}
""")
libraries = ("-lcusolver", "-lcudnn", "-lnccl", "-lcudart")
needed = {"libcusolver.so.11", "libcudnn.so.9", "libnccl.so.2", "libcudart.so.12",
          "libnvJitLink.so.12"}
folders = {f"$ORIGIN/../nvidia/{name}/lib" for name in ("cusolver", "cudnn", "nccl", "cuda_runtime")}

def build(*words, **environment):
    ended = sandbox.run(*words, **environment)
    assert ended.status == 0 and "cuda-cc" not in ended.err, ended

def links(td):
    build(td / "bin/g++", "l.cpp", *libraries, "-o", "l")
    elf = note.elf(sandbox.work / "l")
    assert needed <= set(elf.needed), elf.needed
    assert folders <= set(elf.rpath), elf.rpath
    assert not any(str(td) in element for element in elf.rpath), elf.rpath

# Without nvcc.
sandbox.path = "/usr/bin:/bin"
td = sandbox.work / "host"
made = sandbox.good("toolchain", td, VIRTUAL_ENV=venv, CUDA_CC_RUNTIME="env")
assert "no nvcc was found" in made.out, made
assert not (td / "bin/nvcc").exists()
links(td)
# The directory uses its own environment, whichever is active in the shell (R6).
build(td / "bin/g++", "-c", "l.cpp", VIRTUAL_ENV=venv, CUDA_CC_RUNTIME="env")
ended = sandbox.run(td / "bin/g++", "-c", "l.cpp", VIRTUAL_ENV=sandbox.work, CUDA_CC_RUNTIME="env")
assert ended.status == 2 and ended.codes == ["CC1005"], ended

sandbox.use(toolkit("12.4"))
td = sandbox.work / "both"
made = sandbox.good("toolchain", td, "--runtime", f"env:{venv}")
assert "nvcc 12.4.131" in made.out, made
inside = str(next(venv.glob("lib/python3*/site-packages")))
for path in ("include/cuda_runtime.h", "lib64/libcudart.so.12", "include/cusolverDn.h"):
    assert os.readlink(td / path).startswith(inside), (path, os.readlink(td / path))
sandbox.path = "/usr/bin:/bin"
links(td)
build(td / "bin/nvcc", "-arch=sm_80", "-cudart", "shared", "-cudadevrt", "none", "k.cu", "-o", "k")
assert "libcudart.so.12" in note.elf(sandbox.work / "k").needed
build(td / "bin/nvcc", "-arch=sm_80", "-cudart", "shared", "-cudadevrt", "none", "l.cpp",
      *libraries, "-o", "l2")
assert needed <= set(note.elf(sandbox.work / "l2").needed)

# An installation beside it changes folders, but no file that the directory was made of.
(own / "other.dist-info").mkdir()
equal(sandbox.cc("toolchain", "--check", td).out, f"{td}: matches\n")
build(td / "bin/nvcc", "-arch=sm_80", "-c", "k.cu", "-o", "k.o")
# The removal of a library is noticed.
shutil.rmtree(own / "nvidia/nccl")
shutil.rmtree(next(own.glob("nvidia_nccl_cu12-*.dist-info")))
ended = sandbox.cc("toolchain", "--check", td)
assert ended.status == 3 and ended.codes == ["CC2018"], ended
made = sandbox.good("toolchain", td, "--runtime", f"env:{venv}", "--toolkit", toolkit("12.4"))
assert "made again" in made.out, made
assert not os.path.lexists(td / "lib64/libnccl.so.2")
