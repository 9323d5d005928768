# RUN: PYTHONPATH=%S %python -B %s
"""NVCC_PREPEND_FLAGS and NVCC_APPEND_FLAGS are merged where -ccbin is placed, and left to nvcc
elsewhere (R10, F4)."""
from recording import Place, equal

place = Place()
flags = {"NVCC_PREPEND_FLAGS": "-DFIRST -DA", "NVCC_APPEND_FLAGS": "-DLAST -DC"}

for words in (["-c", "k.cu"], ["-dlink", "k.o"], ["--version"], ["-lib", "k.o", "-o", "a.a"]):
    ended = place.call(*words, **flags)
    equal(ended.only.arguments, words, "arguments")
    equal(ended.only.environment, place.environment(**flags), "environment")

real = {"RECORD_EXEC": "/usr/bin/g++", "CUDA_CC_RUNTIME": "cuda==13.0"}
for words in (["k.o", "-o", "x"], ["-shared", "k.cu", "-o", "x.so"]):
    nvcc = [started for started in place.call(*words, **flags, **real).started
            if started.program == place.nvcc][0]
    for name in flags:
        assert not nvcc.environment.get(name), nvcc.environment[name]
    kept = [word for word in nvcc.arguments if word in words or word.startswith("-D")]
    equal([kept[0], kept[-2]], ["-DFIRST", "-DLAST"], "order")
    assert set(words) <= set(kept), kept

bypass = {"NVCC_APPEND_FLAGS": "-ccbin /usr/bin/g++"}
nvcc = [started for started in place.call("k.o", "-o", "x", **bypass, **real).started
        if started.program == place.nvcc][0]
equal(sum(word.startswith(("-ccbin", "--compiler-bindir")) for word in nvcc.arguments), 1,
      "-ccbin from a variable goes round nothing")
assert "/usr/bin/g++" not in nvcc.arguments, nvcc.arguments
