# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %python -B %s
"""Command lines on which a wrapper with a fixed list of options failed (T5 to T9, T20)."""
from recording import Place, fronted

place = Place()
place.write("x.c")

for words in (
    ["-gencode", "arch=compute_80,code=sm_80", "-gencode", "arch=compute_90,code=sm_90"],
    ["--generate-code=arch=compute_80,code=[compute_80,sm_80]"],
    ["-ccbin=g++"],
    ["--compiler-bindir", "g++"],
    ["-Xlinker=-rpath,/x"],
    ["-Xcompiler=-fPIC"],
    ["-t", "4"],
    ["-odir", "out"],
    ["-isystem", "dir"],
    ["-isystem=dir"],
    ["-D", "NDEBUG"],
    ["-DS=\"x y\""],
    ["-Xcompiler", ',"-fopenmp","-fPIC","-O3"'],
    ['-gencode=arch=compute_80,code="sm_80,compute_80"'],
    ["--compiler-options", "'-fPIC'", "-c", "-DA", "-DA"],
    ["--compiler-options", "-Wall -Wno-unused-result -DGPU"],
    ["-Xcompiler", "-isystem,DIR,-isystem,DIR,-fPIC"],
    ["--generate-code=arch=compute_No CUDA devices found.,code=[sm_No CUDA devices found.]"],
    ["-arch", "sm_80", "-code=sm_80", "-arch=all-major"],
    ["-MD", "-MT", "k.o", "-MF", "k.d", "-qpp-config", "x"],
    ["-L/lib", "-I/include/", "-lX", "-L", "dir"],
):
    fronted(place, *words, "-c", "x.cu", "-o", "x.o")
    fronted(place, "-c", "x.c", *words)
