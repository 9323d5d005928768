# SPDX-License-Identifier: Apache-2.0
# REQUIRES: nvcc
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""Libraries that NVIDIA releases separately from the toolkit, each from its wheel with those of torch 2.11.0: each
links by its plain name with no other flag, with its headers, is NEEDED directly by the program, and at run time it
and its dependencies are the wheels'. No driver is needed for that (RP-3)."""
import re

import note
import wheels
from sandbox import Sandbox, environment_of, equal

APART = ("cutensornet-cu13==2.14.0", "cutensor-cu13==2.8.1", "custatevec-cu13==1.14.0",
         "custabilizer-cu13==0.4.0", "nvidia-cudss-cu13==0.7.1.4", "nvidia-libnvcomp-cu13==5.2.0.10",
         "nvidia-cublasmp-cu13==0.7.0.125")
environment = environment_of(
    *wheels.read_wanted("environments")["torch==2.11.0"], "nvidia-cuda-nvcc==13.0.88",
    "nvidia-cuda-crt==13.0.88", "nvidia-nvvm==13.0.88", "nvidia-cuda-cccl==13.0.85", *APART)
sandbox = Sandbox()
td = sandbox.work / "td"
sandbox.good("toolchain", td, "--runtime", f"env:{environment}")

# -l name: header, SONAME, function that returns the library's major version.
PROPERTY = "int v = -1; %sGetProperty(MAJOR_VERSION, &v); return v"
LIBRARIES = {
    "cudnn": ("cudnn.h", "libcudnn.so.9", "return cudnnGetVersion() / 10000"),
    "nccl": ("nccl.h", "libnccl.so.2", "int v = -1; ncclGetVersion(&v); return v / 10000"),
    "cutensor": ("cutensor.h", "libcutensor.so.2", "return cutensorGetVersion() / 10000"),
    "cutensornet": ("cutensornet.h", "libcutensornet.so.2", "return cutensornetGetVersion() / 10000"),
    "custatevec": ("custatevec.h", "libcustatevec.so.1", PROPERTY % "custatevec"),
    "custabilizer": ("custabilizer.h", "libcustabilizer.so.0",
                     "return custabilizerGetVersion() / 10000"),
    "cudss": ("cudss.h", "libcudss.so.0", PROPERTY % "cudss"),
    "nvcomp": ("nvcomp.h", "libnvcomp.so.5",
               "nvcompProperties_t v{}; nvcompGetProperties(&v); return v.version / 1000"),
    "cublasmp": ("cublasmp.h", "libcublasmp.so.0",
                 "int v = -1; cublasMpGetVersion(&v); return v / 10000"),
    "nvshmem_host": ("host/nvshmem_api.h", "libnvshmem_host.so.3",
                     "int v = -1, m, p; nvshmemx_vendor_get_version_info(&v, &m, &p); return v"),
    "cusparseLt": ("cusparseLt.h", "libcusparseLt.so.0", PROPERTY % "cusparseLt"),
}
# No wheel has the driver's library: cuBLASMp needs it, and does not start without it.
DRIVERLESS = ("cublasmp",)


def link(name):
    header, soname, ask = LIBRARIES[name]
    sandbox.write("x.cpp", f"#include <{header}>\n#include <cstdio>\nint ask() {{ {ask}; }}\n"
                         'int main() { printf("%d\\n", ask()); }\n')
    done = sandbox.run(td / "bin/g++", "x.cpp", f"-l{name}", "-o", name)
    equal((done.status, done.err), (0, ""), done)
    elf = note.elf(sandbox.work / name)
    assert soname in elf.needed and note.manifest(sandbox.work / name).link, (name, elf.needed)
    assert "libcuda.so.1" not in elf.needed, elf.needed
    assert not any("stubs" in element for element in elf.rpath), elf.rpath
    return soname


for name in LIBRARIES:
    soname = link(name)
    ran = sandbox.run(sandbox.work / name, LD_DEBUG="libs")
    if name in DRIVERLESS and ran.status:
        assert "libcuda.so.1: cannot open shared object file" in ran.err, ran
        loaded = re.findall(r"trying file=(\S+/libnccl.so.2)\n", ran.err)
    else:
        major = re.search(r"\.so\.(\d+)$", soname)[1]
        equal((ran.status, ran.out.strip()), (0, major), ran)
        loaded = re.findall(r"calling init: (\S+/lib(?:cu|nv|nccl)\S*)", ran.err)
    assert loaded and all(path.startswith(f"{environment}/") for path in loaded), (name, loaded)
