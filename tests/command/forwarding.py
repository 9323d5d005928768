# RUN: PYTHONPATH=%S %python -B %s
"""On link lines that hold -Wl, nvcc is told to forward it; every other line stays (R13, N5, 9.6 of
build-systems.md)."""
from recording import Place, equal, fronted

place = Place()
option = "-forward-unknown-to-host-compiler"
real = {"RECORD_EXEC": "/usr/bin/g++", "CUDA_CC_RUNTIME": "cuda==13.0"}


def count(*words):
    nvcc = [started for started in place.call(*words, **real).started
            if started.program == place.nvcc]
    equal(len(nvcc), 1, f"nvcc calls of {words}")
    return nvcc[0].arguments.count(option)


equal(count("k.o", "-Wl,-rpath,/x", "-o", "x"), 1, "added")
equal(count(option, "k.o", "-Wl,-rpath,/x", "-o", "x"), 1, "not twice")
equal(count("k.o", "-o", "x"), 0, "no -Wl,")
equal(count("k.o", "-Xcompiler", "-Wl\\,-rpath\\,/x", "-o", "x"), 0, "a value of -Xcompiler")
fronted(place, "-c", "k.cu", "-Wl,-rpath,/x")
