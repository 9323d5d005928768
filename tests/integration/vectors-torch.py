# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %support/hide-cuda %python -B %s
"""nvcc 12.5 is rejected for torch==2.5.1, nvcc 12.4 is accepted (V-TG-01, V-TG-02, V-TG-03, V-TG-07)."""
import note
from sandbox import KERNEL, Sandbox, equal, toolkit

older, newer = toolkit("12.4"), toolkit("12.5")
sandbox = Sandbox()
sandbox.write("k.cu", KERNEL)
compile = ("-arch=sm_80", "-c", "k.cu", "-o", "k.o")

sandbox.use(newer)
ended = sandbox.refused("--cudacc-runtime=torch==2.5.1", *compile, code="CC3001", output="k.o")
for fact in (f"{newer}/bin/nvcc", "12.5", "torch==2.5.1", "12.4"):  # V-TG-01
    assert fact in ended.err, ended
sandbox.good("--cudacc-runtime=torch==2.7.1", *compile)  # V-TG-02
record = note.parse(note.manifest(sandbox.work / "k.o").objects[0])
equal(record["toolkit"].split(".")[:2], ["12", "5"], "toolkit of the record")

ended = sandbox.refused("--cudacc-runtime=cuda==13.0", *compile, code="CC3002", output="k.o")

sandbox.use(older)
sandbox.good("--cudacc-runtime=torch==2.5.1", *compile)  # V-TG-03
record = note.parse(note.manifest(sandbox.work / "k.o").objects[0])
equal((record["toolkit"].split(".")[:2], record["headers"]), (["12", "4"], "12.4"), "record")
sandbox.refused("--cudacc-runtime=cuda==13.0", *compile, code="CC3002", output="k.o")  # V-TG-07
sandbox.good("--cudacc-runtime=torch==2.5.1", "-arch=sm_80", "-shared", "-Xcompiler", "-fPIC",
             "-cudart", "shared", "-cudadevrt", "none", "k.cu", "-o", "k.so")
equal(note.manifest(sandbox.work / "k.so").link["target"]["cuda"], "12.4", "target")
