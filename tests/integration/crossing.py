# SPDX-License-Identifier: Apache-2.0
"""Builds for aarch64 on x86-64, with NVIDIA's wheels for servers (sbsa), and qemu to run the aarch64 loader."""
import os
import platform
import re
import struct

from sandbox import equal, skip, tools, wheels

GXX = "aarch64-linux-gnu-g++"
QEMU = ("qemu-aarch64", "-L", "/usr/aarch64-linux-gnu")
EM_AARCH64 = 183
EXTENSION = """#include <nvJitLink.h>
extern "C" int run(void) {
  nvJitLinkHandle handle;
  return nvJitLinkCreate(&handle, 0, nullptr);
}
"""
KERNELS = """#include <cuda_runtime.h>
__global__ void twice(float *x) { x[threadIdx.x] *= 2; }
extern "C" int launch(float *x) { twice<<<1, 32>>>(x); return cudaGetLastError(); }
"""
OPENER = """#include <dlfcn.h>
#include <cstdio>
int main(int count, char **files) {
  void *ext = dlopen(files[1], RTLD_NOW);
  std::puts(ext ? "loads" : dlerror());
  return !ext;
}
"""


def needs(*programs):
    if platform.machine() != "x86_64":
        skip("this machine is not x86-64")
    for program in (GXX, *programs):
        if not tools(program):
            skip(f"this machine has no {program}")


def environment(folder, *requirements):
    """The wheels for aarch64, as `pip install --target` lays them out."""
    for requirement in requirements:
        wheels.link_tree(wheels.get(requirement, "aarch64"), folder)
    return folder


def machine(path):
    with open(path, "rb") as file:
        return struct.unpack_from("<H", file.read(20), 18)[0]


def opened(sandbox, program, file):
    """The aarch64 loader's result of dlopen, and the NVIDIA libraries that it initialised."""
    done = sandbox.run(*QEMU, "-E", "LD_DEBUG=libs", program, file)
    taken = re.findall(r"calling init: (\S*/nvidia/\S+)", done.err)
    return done.status == 0, done.out.strip(), sorted({os.path.normpath(path) for path in taken})


def refused_by_both(sandbox, program, file, runtime, text):
    """`check` and the loader agree that the file cannot be loaded, and name the same symbol."""
    loads, said, _ = opened(sandbox, program, file)
    assert not loads and text in said, said
    checked = sandbox.cc("check", file, "--runtime", runtime)
    equal(checked.status, 3, checked)
    assert re.search(r"undefined symbol: (\w+)", said)[1] in checked.out, checked
    return checked
