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
from behaviour import behaviour
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

host, both = sandbox.work / "host", sandbox.work / "both"
sandbox.path = "/usr/bin:/bin"
alone = sandbox.good("toolchain", host, VIRTUAL_ENV=venv, CUDA_CC_RUNTIME="env")
sandbox.use(toolkit("12.4"))
made = sandbox.good("toolchain", both, "--runtime", f"env:{venv}")
sandbox.path = "/usr/bin:/bin"


@behaviour
def a_directory_without_nvcc_is_for_host_compilers():
    assert "no nvcc was found" in alone.out, alone
    assert not (host / "bin/nvcc").exists()
    links(host)


@behaviour
def a_directory_uses_its_own_environment_whichever_is_active():
    """R6"""
    build(host / "bin/g++", "-c", "l.cpp", VIRTUAL_ENV=venv, CUDA_CC_RUNTIME="env")
    ended = sandbox.run(host / "bin/g++", "-c", "l.cpp", VIRTUAL_ENV=sandbox.work, CUDA_CC_RUNTIME="env")
    assert ended.status == 2 and ended.codes == ["CC1005"], ended


@behaviour
def nvcc_is_the_toolkit_s_and_headers_and_libraries_are_the_environment_s():
    assert "nvcc 12.4.131" in made.out, made
    inside = str(next(venv.glob("lib/python3*/site-packages")))
    for path in ("include/cuda_runtime.h", "lib64/libcudart.so.12", "include/cusolverDn.h"):
        assert os.readlink(both / path).startswith(inside), (path, os.readlink(both / path))


@behaviour
def libraries_link_by_their_plain_names():
    links(both)
    build(both / "bin/nvcc", "-arch=sm_80", "-cudart", "shared", "-cudadevrt", "none", "k.cu", "-o", "k")
    assert "libcudart.so.12" in note.elf(sandbox.work / "k").needed
    build(both / "bin/nvcc", "-arch=sm_80", "-cudart", "shared", "-cudadevrt", "none", "l.cpp",
          *libraries, "-o", "l2")
    assert needed <= set(note.elf(sandbox.work / "l2").needed)


@behaviour
def an_installation_beside_it_changes_no_file_of_the_directory():
    (own / "other.dist-info").mkdir()
    equal(sandbox.cc("toolchain", "--check", both).out, f"{both}: matches\n")
    build(both / "bin/nvcc", "-arch=sm_80", "-c", "k.cu", "-o", "k.o")


@behaviour
def the_removal_of_a_library_is_noticed():
    shutil.rmtree(own / "nvidia/nccl")
    shutil.rmtree(next(own.glob("nvidia_nccl_cu12-*.dist-info")))
    ended = sandbox.cc("toolchain", "--check", both)
    assert ended.status == 3 and ended.codes == ["CC2018"], ended
    made = sandbox.good("toolchain", both, "--runtime", f"env:{venv}", "--toolkit", toolkit("12.4"))
    assert "made again" in made.out, made
    assert not os.path.lexists(both / "lib64/libnccl.so.2")
