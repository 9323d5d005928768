# SPDX-License-Identifier: Apache-2.0
# REQUIRES: nvcc
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""check --relink: PTX and LTO-IR are linked with the nvJitLink of the runtime's environment, for each declared GPU that
machine code does not cover."""
import json
import zipfile

import wheels
from sandbox import Sandbox, equal

sandbox = Sandbox("13.0")
sandbox.write("k.cu", "__device__ int twice(int x) { return 2 * x; }\n"
                    "__global__ void k(int *p) { *p = twice(*p); }\n")
sandbox.write("open.cu", "__device__ int missing(int);\n__global__ void k(int *p) { *p = missing(*p); }\n")
nvcc = sandbox.toolkit / "bin/nvcc"
PTX = ("-gencode", "arch=compute_80,code=[sm_80,compute_80]")
LTO = ("-rdc=true", "-gencode", "arch=compute_80,code=lto_80")
for name, words in {"ptx.so": (*PTX, "k.cu"), "lto.o": ("-c", *LTO, "k.cu"), "open.o": ("-c", *LTO, "open.cu"),
                    "sm.so": ("-arch=sm_90", "k.cu")}.items():
    shared = () if name.endswith(".o") else ("-shared",)
    made = sandbox.run(nvcc, *shared, "-Xcompiler", "-fPIC", "-cudart=none", *words, "-o", name)
    equal(made.status, 0, made)
with zipfile.ZipFile(sandbox.work / "pkg-1-py3-none-any.whl", "w") as wheel:
    wheel.write(sandbox.work / "ptx.so", "pkg/ptx.so")
    for name in ("METADATA", "WHEEL", "RECORD"):
        wheel.writestr(f"pkg-1.dist-info/{name}", "")

env = {
    "13.0.88": wheels.env("-", ["nvidia-nvjitlink==13.0.88", "nvidia-cuda-runtime==13.0.96"]),
    "12.4.127": wheels.env("-", ["nvidia-nvjitlink-cu12==12.4.127", "nvidia-cuda-runtime-cu12==12.4.127"]),
}


def relinked(name, release, gpu):
    """The findings of the link alone."""
    ended = sandbox.cc("check", name, "--format=json", "--relink", "--gpu", gpu, "--runtime", f"env:{env[release]}")
    file, = json.loads(ended.out)["files"]
    found = [each for each in file["findings"] if each["code"].startswith("CC50")]
    return [(each["code"], [fact["text"] for fact in each["facts"] if fact["label"] == "for"]) for each in found]


for name in ("ptx.so", "lto.o", "sm.so", "pkg-1-py3-none-any.whl"):
    equal(relinked(name, "13.0.88", "sm_80,sm_90"), [], name)
# PTX of 13.0 does not become code of nvJitLink 12.4; on sm_80 machine code runs.
equal(relinked("ptx.so", "12.4.127", "sm_80,sm_90"), [("CC5007", ["sm_90"])], "newer PTX")
equal(relinked("pkg-1-py3-none-any.whl", "12.4.127", "sm_90"), [("CC5007", ["sm_90"])], "newer PTX in a wheel")
equal(relinked("lto.o", "12.4.127", "sm_90"), [("CC5007", ["sm_90"])], "newer LTO-IR")
equal(relinked("open.o", "13.0.88", "sm_80,sm_90"), [("CC5007", ["sm_80"]), ("CC5007", ["sm_90"])], "undefined")

ended = sandbox.cc("check", "ptx.so", "--relink", "--runtime", f"env:{env['13.0.88']}")
equal(ended.status, 2, ended)
ended = sandbox.cc("check", "ptx.so", "--relink", "--gpu", "sm_90", "--runtime", "cuda==13.0")
equal((ended.status, "CC5008" in ended.out), (4, True), ended)
