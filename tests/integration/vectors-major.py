# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %support/hide-cuda %python -B %s
"""Toolkits of another major, and of a newer and an equal minor, with real nvcc from wheels (V-TG-03, V-TG-06, TG-3)."""
import note
from sandbox import KERNEL, Sandbox, equal

sandbox = Sandbox("13.0")
sandbox.write("k.cu", KERNEL)
compile = ("-arch=sm_80", "-c", "k.cu", "-o", "k.o")

for runtime in ("cuda==12.9", "torch==2.5.1"):  # V-TG-06
    ended = sandbox.refused(f"--cudacc-runtime={runtime}", *compile, code="CC3002", output="k.o")
    assert str(sandbox.toolkit) in ended.err and runtime in ended.err, ended
sandbox.good("--cudacc-runtime=cuda==13.0", *compile)
equal(note.parse(note.manifest(sandbox.work / "k.o").objects[0])["toolkit"], "13.0.88", "nvcc")

sandbox.use("13.1")
ended = sandbox.refused("--cudacc-runtime=cuda==13.0", *compile, code="CC3001", output="k.o")
assert "13.1" in ended.err, ended
sandbox.good("--cudacc-runtime=cuda==13.1", *compile)
sandbox.good("--cudacc-runtime=cuda==13.2", *compile)
