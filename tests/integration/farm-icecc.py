# SPDX-License-Identifier: Apache-2.0
# REQUIRES: nvcc, root
# RUN: PYTHONPATH=%S:%support %support/alone %support/hide-cuda %python -B %s
"""R28: icecc with a scheduler and two daemons on loopback, behind cuda-cc and in front of it: compiles are checked here
before they are sent, and their objects have the record; commands that icecc does not support run here."""
import note
from farming import Icecc
from sandbox import KERNEL, PROGRAM, Sandbox, equal

sandbox = Sandbox("13.0")
farm = Icecc(sandbox)
sandbox.write("k.cu", KERNEL)
sandbox.write("l.cpp", '#include <cuda_runtime.h>\nextern "C" int f() { return cudaFree(nullptr); }\n')
COMPILE = ("g++", "-fPIC", f"-I{sandbox.toolkit}/include", "-c", "l.cpp", "-o", "l.o")
LINK = ("g++", "-shared", "k.o", "l.o", f"-L{sandbox.toolkit}/lib64", "-lcudart", "-o", "ext.so")
declared = {"CUDA_CC_RUNTIME": "cuda==13.0", **farm.variables}
behind = {**declared, "CUDA_CC_LAUNCHER": "icecc"}


def records(file):
    return [note.parse(record)["headers"] for record in note.manifest(sandbox.work / file).objects]


sandbox.good(*COMPILE, **behind)
equal((records("l.o"), farm.jobs()), (["13.0"], ["l.cpp"]), "launcher")
(sandbox.work / "l.o").unlink()
sandbox.good("icecc", *COMPILE, **declared)
equal((records("l.o"), farm.jobs()), (["13.0"], ["l.cpp"] * 2), "on the line")
for words in (COMPILE, ("icecc", *COMPILE)):
    sandbox.refused(*words, code="CC3014", output="l.o", **{**behind, "CUDA_CC_RUNTIME": "cuda==12.9"})

# These run here: nvcc's compiles, compiles with icecc in front of cuda-cc, links.
sandbox.good("-arch=sm_80", "-Xcompiler", "-fPIC", "-c", "k.cu", "-o", "k.o", **behind)
equal(records("k.o"), ["13.0"], "nvcc")
ended = sandbox.run("icecc", PROGRAM, *COMPILE, **declared)
equal((ended.status, records("l.o")), (0, ["13.0"]), ended)
ended = sandbox.run("icecc", PROGRAM, *COMPILE, **{**declared, "CUDA_CC_RUNTIME": "cuda==12.9"})
assert ended.status == 3 and "CC3014" in ended.err, ended
sandbox.good(*COMPILE, **declared)
sandbox.good(*LINK, **behind)
assert note.manifest(sandbox.work / "ext.so").link
sandbox.refused(*LINK, code="CC3016", output="ext.so", **{**behind, "CUDA_CC_RUNTIME": "cuda==12.9"})
equal(farm.jobs(), ["l.cpp"] * 2, "nothing else was sent")
