# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %python -B %s
"""Every argument is passed on byte for byte, in order, whatever it is."""
from recording import Place, fronted, launched

place = Place()
place.write("args.rsp", "-DX=1 -DY='a b'")
place.write("x.c")
strange = ["", " ", "a b", "$HOME", "`id`", "*", "'", '"', "\\", "a\nb", "\t", "grün", "日本",
           "b\udcff", "-", "=", "%s", "a,b", "\\,", ";", "&", "!", "~", "#"]

for compiler in ("g++", "gcc", "clang++"):
    launched(place, compiler, "-c", "x.c", *(f"-DV={word}" for word in strange))
    launched(place, compiler, "-c", *strange, "x.c")
    launched(place, compiler, "-c", "@args.rsp", "x.c")
    launched(place, compiler, "-c", "x.c", "-o")

fronted(place, "-c", "k.cu", *(f"-DV={word}" for word in strange))
fronted(place, "-c", "k.cu", "-optf", "args.rsp", "--options-file=args.rsp")
fronted(place, "-c", "k.cu", "@args.rsp")
fronted(place, "-c", "k.cu", "-o")
launched(place, "g++", "-c", "x.c", *(f"-DN{n}" for n in range(100_000)))
