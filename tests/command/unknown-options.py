# RUN: PYTHONPATH=%S %python -B %s
"""Unknown is never an error and never moved (PRODUCT.md 3; N24)."""
from recording import Place, fronted, launched

place = Place()

for words in (
    ["--no-such-option", "-c", "x.c"],
    ["-c", "x.c", "--no-such=1", "-fno-such", "-Zsomething", "-mno-such"],
    ["-c", "x.c", "-fplugin=a.so", "-fplugin-arg-a-b=c", "-specs=none"],
    ["-c", "x.c", "--cuda", "-cudacc-x", "---cudacc"],
    ["-c", "-target", "x", "x.c", "-Xclang", "-load", "-Xclang", "p.so"],
):
    for compiler in ("g++", "clang", "mpicxx"):
        launched(place, compiler, *words)
for words in (
    ["--no-such-option", "-c", "k.cu"],
    ["-c", "k.cu", "-enable-tile", "-Xtileiras", "x", "-concat"],
    ["-c", "k.cu", "-fno-such", "--no-such=1", "-forward-unknown-to-host-compiler", "-pipe"],
    ["-c", "k.cu", "-compress-mode=size", "-jump-table-density", "3"],
):
    fronted(place, *words)
