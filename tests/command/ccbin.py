# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %python -B %s
"""The shim is passed as -ccbin exactly once if nvcc links, and on no other line (F4, R11)."""
import os

from recording import Place, equal, fronted

place = Place()
own = str(place.bin / "g++")

def ccbins(words):
    found = []
    for index, word in enumerate(words):
        name, equals, value = word.partition("=")
        if name in ("-ccbin", "--compiler-bindir"):
            found.append(value if equals else words[index + 1])
    return found

for words in (["-c", "k.cu"], ["-dc", "k.cu"], ["-dlink", "k.o", "-o", "l.o"], ["--version"],
              ["-dlink", "-shared", "k.o", "-o", "l.o"], ["-lib", "k.o", "-o", "l.a"],
              ["-ptx", "k.cu"], ["-E", "k.cu"], ["-M", "k.cu"], ["--dryrun", "-c", "k.cu"],
              ["-fatbin", "-rdc=true", "k.cu"], ["-optix-ir", "k.cu"]):
    fronted(place, *words)
    fronted(place, *words, "-ccbin", own)

real = {"RECORD_EXEC": "/usr/bin/g++", "CUDA_CC_RUNTIME": "cuda==13.0"}
for words in (["k.o", "-o", "x"], ["-shared", "k.cu", "-o", "x.so"], ["k.cu"],
              ["-o", "x", "k.cu", "-lcublas"], ["-v", "k.cu", "-o", "x"]):
    for user in ([], ["-ccbin", own], [f"-ccbin={own}"], ["--compiler-bindir", own],
                 [f"--compiler-bindir={place.bin}"], ["-ccbin", "g++"]):
        ended = place.call(*words, *user, **real)
        nvcc = [started for started in ended.started if started.program == place.nvcc]
        equal(len(nvcc), 1, f"nvcc calls of {words} {user}: {ended}")
        found = ccbins(nvcc[0].arguments)
        equal(len(found), 1, f"-ccbin of {words} {user} in {nvcc[0].arguments}")
        shim = found[0]
        assert os.path.isabs(shim) and os.access(shim, os.X_OK), shim
        assert os.path.realpath(shim) not in (own, "/usr/bin/g++"), shim
        assert not os.path.islink(shim) or os.path.isdir(shim), shim

# Without a declaration only one line has it: the one from which CMake reads the link compiler and stores it.
for words, wanted in ((["k.o", "-o", "x"], 0), (["-v", "k.cu", "-o", "x"], 0),
                      (["-v", "CMakeCUDACompilerId.cu"], 1)):
    nvcc = [started for started in place.call(*words, RECORD_EXEC="/usr/bin/g++").started
            if started.program == place.nvcc]
    equal([len(ccbins(each.arguments)) for each in nvcc], [wanted], words)
