# RUN: PYTHONPATH=%S %python -B %s
"""The first word decides what is started (PRODUCT.md 3, F20; R4)."""
import os

from recording import Place, equal, fronted, launched

place = Place()

equal(fronted(place, "-c", "k.cu").program, place.nvcc, "front")
equal(launched(place, "nvcc", "-c", "k.cu").program, place.nvcc, "launcher")
equal(launched(place, place.nvcc, "-c", "k.cu").program, place.nvcc, "launcher by path")

for name in ("g++", "gcc", "cc", "c++", "clang", "clang++", "g++-12", "x86_64-linux-gnu-g++",
             "mpicxx"):
    started = launched(place, name, "-c", "x.c")
    equal(started.program, str(place.bin / name), "program")
    equal(started.argv[0], name, "argv[0] is the caller's word")

relative = os.path.relpath(place.bin / "g++", place.work)
equal(launched(place, relative, "-c", "x.c").program, str(place.bin / "g++"), "relative path")
equal(launched(place, place.bin / "g++", "-c", "x.c").argv[0], str(place.bin / "g++"), "path")

ended = place.call("ccache", "g++", "-c", "x.c")
equal(ended.only.name, "ccache", "launcher in front")
assert os.path.basename(ended.only.argv[1]) == "g++", ended
equal(ended.only.argv[2:], ["-c", "x.c"], "words behind ccache")

for words in (("version",), ("help",), ("--cudacc-help",)):
    ended = place.call(*words)
    equal((ended.status, ended.started), (0, []), f"{words}")
    assert ended.out and not ended.err, ended
