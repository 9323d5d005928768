# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %python -B %s
"""A toolkit with conda's layout: headers and libraries under targets/, versions in conda-meta, the prefix as root.
Accepted under its own line, rejected under an older one and under another major, at the compile and at the link
(V-TG-01, V-TG-05, V-EV-13)."""
import json
import os
import shutil

import recorder
from recording import Place, equal, fronted

PROFILE = """TOP = $(_HERE_)/..
CICC_PATH = $(TOP)/nvvm/bin
NVVMIR_LIBRARY_DIR = $(TOP)/nvvm/libdevice
LD_LIBRARY_PATH += $(TOP)/lib:
PATH += $(CICC_PATH):$(_HERE_):
INCLUDES += "-I$(TOP)/$(_TARGET_DIR_)/include" $(_SPACE_)
LIBRARIES =+ $(_SPACE_) "-L$(TOP)/$(_TARGET_DIR_)/lib$(_TARGET_SIZE_)/stubs" \\
"-L$(TOP)/$(_TARGET_DIR_)/lib$(_TARGET_SIZE_)"
"""
PACKAGES = {"cuda-nvcc-tools": "12.4.131", "cuda-nvvm-tools": "12.4.131",
            "cuda-crt-dev_linux-64": "12.4.131", "cuda-cudart-dev_linux-64": "12.4.127",
            "cuda-driver-dev_linux-64": "12.4.127", "cuda-cccl_linux-64": "12.4.127"}

place = Place()
prefix = place.root / "conda"
recorder.toolkit(prefix, "12.4")
(prefix / "version.json").unlink()
(prefix / "bin/nvcc.profile").write_text(PROFILE)
target = prefix / "targets" / ("sbsa-linux" if os.uname().machine == "aarch64" else "x86_64-linux")
target.mkdir(parents=True)
shutil.move(prefix / "include", target / "include")
shutil.move(prefix / "lib64", target / "lib")
(prefix / "conda-meta").mkdir()
for name, version in PACKAGES.items():
    (prefix / f"conda-meta/{name}-{version}-h0_0.json").write_text(
        json.dumps({"name": name, "version": version, "files": []}))
(target / "lib/libcublas.so").write_bytes(b"")
place.write("k.cu")
place.path = [prefix / "bin", place.bin, "/usr/bin", "/bin"]

shown = json.loads(place.call("--cudacc-print=toolkit", "-c", "k.cu").out)
equal((shown["layout"], shown["cuda"], shown["root"]), ("conda", "12.4", str(prefix)), "toolkit")
equal(shown["include_dirs"], [str(target / "include")], "headers")
equal(shown["conflicts"], [], "conflicts")
crt = next(part for part in shown["components"] if part["name"] == "crt")
equal((crt["cuda"], crt["evidence"]), ("12.4", "cuda-crt-dev_linux-64-12.4.131-h0_0.json"), "crt")

fronted(place, "-c", "k.cu", CUDA_CC_RUNTIME=None)
for runtime in ("cuda==12.4", "torch==2.5.1", "cuda==12.9"):
    equal(place.call("-c", "k.cu", CUDA_CC_RUNTIME=runtime).status, 0, runtime)
for runtime, code in (("cuda==12.3", "CC3001"), ("cuda==13.0", "CC3002"), ("cuda==11.8", "CC3002")):
    for words in (["-c", "k.cu"], ["k.cu", "-o", "x"]):
        ended = place.call(*words, CUDA_CC_RUNTIME=runtime)
        equal((ended.status, ended.started), (3, []), f"{runtime} {ended}")
        assert f"[{code}]" in ended.err and str(prefix) in ended.err, ended

# A library of the prefix gets its version from the prefix's headers.
for runtime, status in (("cuda==12.4", 0), ("cuda==12.3", 3)):
    ended = place.call("--cudacc-print=verdict", "g++", "k.o", f"-L{target / 'lib'}", "-lcublas",
                       "-o", "x", CUDA_CC_RUNTIME=runtime)
    equal(json.loads(ended.out)["exit"], status, f"{runtime}: {ended}")
