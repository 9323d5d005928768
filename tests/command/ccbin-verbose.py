# RUN: PYTHONPATH=%S %python -B %s
"""nvcc that is asked -v names the shim, also where it only compiles: what CMake reads off is what
will link (F4, R3). With nothing declared and no link F1 wins: the line stays nvcc's own."""
from recording import Place, equal

place = Place()

for words in (["-v", "-c", "k.cu"], ["--verbose", "-c", "k.cu"]):
    nvcc = [started for started in place.call("--cudacc-runtime=cuda==13.0", *words, RECORD_EXEC="/usr/bin/g++").started
            if started.program == place.nvcc]
    equal(len(nvcc), 1, "nvcc calls")
    equal(sum(word.startswith(("-ccbin", "--compiler-bindir")) for word in nvcc[0].arguments), 1,
          f"-ccbin in {nvcc[0].arguments}")
