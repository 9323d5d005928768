# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %support/hide-cuda %python -B %s
"""Every toolkit made of wheels links under its own CUDA line and is rejected under the previous one (TG-3):
two neighbouring lines in every run, all with ./dev test --all."""
import os

import note
from sandbox import KERNEL, Sandbox, equal

for minor in range(6 if os.environ.get("CUDACC_TEST_ALL") else 2):
    sandbox = Sandbox(f"13.{minor}")
    sandbox.write("k.cu", KERNEL)
    words = ("-arch=sm_80", "-shared", "-Xcompiler", "-fPIC", "-cudart", "shared", "k.cu", "-o",
             "k.so")
    if minor:
        sandbox.refused(f"--cudacc-runtime=cuda==13.{minor - 1}", *words, code="CC3001", output="k.so")
    sandbox.good(f"--cudacc-runtime=cuda==13.{minor}", *words)
    found = note.manifest(sandbox.work / "k.so")
    equal(found.link["target"]["cuda"], f"13.{minor}", "target")
    assert note.parse(found.objects[0])["headers"] == f"13.{minor}", found.objects
