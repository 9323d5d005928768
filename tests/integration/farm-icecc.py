# SPDX-License-Identifier: Apache-2.0
# REQUIRES: nvcc, root
# RUN: PYTHONPATH=%S:%support %support/alone %support/hide-cuda %python -B %s
"""R28: icecc with a scheduler and two daemons on loopback, behind cuda-cc and in front of it: compiles are checked here
before they are sent, and their objects have the record; commands that icecc does not support run here."""
import note
from farming import Icecc
from scene import KERNEL, PROGRAM, Scene, equal

scene = Scene("13.0")
farm = Icecc(scene)
scene.write("k.cu", KERNEL)
scene.write("l.cpp", '#include <cuda_runtime.h>\nextern "C" int f() { return cudaFree(nullptr); }\n')
COMPILE = ("g++", "-fPIC", f"-I{scene.toolkit}/include", "-c", "l.cpp", "-o", "l.o")
LINK = ("g++", "-shared", "k.o", "l.o", f"-L{scene.toolkit}/lib64", "-lcudart", "-o", "ext.so")
declared = {"CUDA_CC_RUNTIME": "cuda==13.0", **farm.variables}
behind = {**declared, "CUDA_CC_LAUNCHER": "icecc"}


def records(file):
    return [note.parse(record)["headers"] for record in note.manifest(scene.work / file).objects]


scene.good(*COMPILE, **behind)
equal((records("l.o"), farm.jobs()), (["13.0"], ["l.cpp"]), "launcher")
(scene.work / "l.o").unlink()
scene.good("icecc", *COMPILE, **declared)
equal((records("l.o"), farm.jobs()), (["13.0"], ["l.cpp"] * 2), "on the line")
for words in (COMPILE, ("icecc", *COMPILE)):
    scene.refused(*words, code="CC3014", output="l.o", **{**behind, "CUDA_CC_RUNTIME": "cuda==12.9"})

# These run here: nvcc's compiles, compiles with icecc in front of cuda-cc, links.
scene.good("-arch=sm_80", "-Xcompiler", "-fPIC", "-c", "k.cu", "-o", "k.o", **behind)
equal(records("k.o"), ["13.0"], "nvcc")
ended = scene.run("icecc", PROGRAM, *COMPILE, **declared)
equal((ended.status, records("l.o")), (0, ["13.0"]), ended)
ended = scene.run("icecc", PROGRAM, *COMPILE, **{**declared, "CUDA_CC_RUNTIME": "cuda==12.9"})
assert ended.status == 3 and "CC3014" in ended.err, ended
scene.good(*COMPILE, **declared)
scene.good(*LINK, **behind)
assert note.manifest(scene.work / "ext.so").link
scene.refused(*LINK, code="CC3016", output="ext.so", **{**behind, "CUDA_CC_RUNTIME": "cuda==12.9"})
equal(farm.jobs(), ["l.cpp"] * 2, "nothing else was sent")
