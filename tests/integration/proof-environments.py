# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %support/hide-cuda %python -B %s
"""Every CUDA library in the wheels of a CUDA 12 torch and of a CUDA 13 torch loads in its own environment, and `check`
agrees: no error, nothing unknown, no unexplained finding. Mixed pairs are rejected with the missing symbol (V-RL-10,
V-RL-19)."""
import os
import shutil

from proof import check, loads, prefix
from sandbox import Sandbox, environment_of, wheel, wheels

sandbox = Sandbox()
wanted = wheels.read_wanted("environments")
for name in ("torch==2.5.1", "torch==2.11.0"):
    site = environment_of(*wanted[name])
    venv = prefix(sandbox, site, name.replace("==", "-"))
    answer, status = check(sandbox, f"--runtime=env:{venv}", site / "nvidia")
    assert status == 0, [f for f in answer["files"] if f["verdict"] != "accept"]
    libraries = [file for file in answer["files"] if ".so" in file["path"]]
    assert len(libraries) >= 25, len(libraries)
    bad = [(file["path"], finding) for file in answer["files"] for finding in file["findings"]
           if finding["severity"] == "error"]
    assert not bad, bad


def mixed(name, wheel_of, swapped):
    """A site-packages with the libraries of some wheels, with single files of other wheels written over them."""
    site = sandbox.root / name
    wheels.merge(wheel_of, site)
    for requirement, path in swapped:
        os.unlink(site / path)
        shutil.copy(wheel(requirement) / path, site / path)
    return site, prefix(sandbox, site, name + "-venv")


# KC-1, KC-2: cuSPARSE 12.5 beside nvJitLink 12.4, as pip installs them.
site, venv = mixed("sparse", ["nvidia-cusparse-cu12==12.5.1.3", "nvidia-nvjitlink-cu12==12.4.127",
                              "nvidia-cuda-runtime-cu12==12.4.127"], [])
library = site / "nvidia/cusparse/lib/libcusparse.so.12"
words = loads(sandbox, library)
assert "__nvJitLink" in words and "_12_5" in words, words
answer, status = check(sandbox, f"--runtime=env:{venv}", library)
assert status == 3, answer
text = str(answer["files"][0]["findings"])
assert "__nvJitLink" in text and "_12_5" in text and "libnvJitLink.so.12" in text, text

# SY-18: cuBLAS 12.9.1.4 beside cublasLt 12.4.5.8.
site, venv = mixed("blas", ["nvidia-cublas-cu12==12.9.1.4", "nvidia-cuda-runtime-cu12==12.4.127"],
                   [("nvidia-cublas-cu12==12.4.5.8", "nvidia/cublas/lib/libcublasLt.so.12")])
library = site / "nvidia/cublas/lib/libcublas.so.12"
words = loads(sandbox, library)
assert "cublasLtGetEnvironmentMode" in words, words
answer, status = check(sandbox, f"--runtime=env:{venv}", library)
assert status == 3 and "cublasLtGetEnvironmentMode" in str(answer), answer
