# SPDX-License-Identifier: Apache-2.0
"""Rows of host compilers whose sources include CUDA headers: with a declaration, objects get the record (F5)."""

from table import Row

FILES = ["cuda.c", "h.h"]
CXX = [{"cuda.cpp": "#include <cuda.h>\n#include \"pch.h\"\nint c() { return box<int>{4}.t; }\n"},
       "pch.h"]
PCH = [["g++", "-x", "c++-header", "pch.h"]]


def gcc(name, ids, *words, **more):
    return Row(name, ids, ["gcc", "-I{toolkit}/include", *words],
               **{"cls": 2, "files": FILES, **more})


def gxx(name, ids, *words, **more):
    return Row(name, ids, ["g++", "-isystem", "{toolkit}/include", *words],
               **{"cls": 2, "files": CXX, **more})


def clang(name, ids, *words, **more):
    return gcc(name, ids, *words, needs=("clang",), **more)


def with_compiler(compiler, row):
    row.argv[0] = compiler
    return row


ROWS = [
    gcc("c", "F5", "-c", "cuda.c"),
    gcc("O2-g", "F1", "-O2", "-g", "-c", "cuda.c", "-o", "out.o"),
    gcc("g", "F1", "-g", "-c", "cuda.c"),
    gcc("MD", "R14 F1", "-MD", "-c", "cuda.c"),
    gcc("MMD-MF-MT-MP", "R14 F1", "-MMD", "-MF", "a b.d", "-MT", "t", "-MP", "-c", "cuda.c"),
    gcc("Wp-MD", "R14 F1", "-Wp,-MD,x.d", "-c", "cuda.c"),
    gcc("H", "F1", "-H", "-c", "cuda.c"),
    gcc("save-temps", "F1", "-save-temps", "-c", "cuda.c"),
    gcc("E", "R14", "-E", "cuda.c", cls=1),
    gcc("M", "R14", "-M", "cuda.c", cls=1),
    gcc("MM", "R14", "-MM", "cuda.c", cls=1),
    gcc("S", "-", "-S", "cuda.c", cls=1),
    gcc("fsyntax-only", "-", "-fsyntax-only", "cuda.c", cls=1),
    gcc("pedantic", "-", "-std=c89", "-pedantic", "-Wall", "-Wextra", "-Wredundant-decls", "-c",
        "cuda.c"),
    gcc("include", "-", "-include", "h.h", "-c", "cuda.c"),
    gcc("error", "-", "-c", "cuda.c", "-Dk=@", status=1),
    gcc("stdin", "-", "-x", "c", "-c", "-", "-o", "s.o", stdin=b"#include <cuda.h>\nint i;\n",
        files=[]),
    gcc("several", "-", "-c", "cuda.c", "h2.c",
        files=[*FILES, {"h2.c": "#include <cuda.h>\nint h2;\n"}]),
    gcc("response", "R9", "@x.rsp", files=[*FILES, {"x.rsp": "-c cuda.c -O1"}]),
    gcc("CPATH", "F5", "-c", "cuda.c", env={"CPATH": "{toolkit}/include"}),
    gcc("lto", "-", "-flto", "-frandom-seed=1", "-c", "cuda.c", volatile=("cuda.o",)),
    gcc("shared", "F1", "-shared", "-fPIC", "cuda.c", "-o", "libc.so", cls=3, so="libc.so"),
    gxx("cxx", "F5", "-std=c++20", "-c", "cuda.cpp"),
    gxx("cxx-g", "F1", "-g", "-O1", "-c", "cuda.cpp"),
    gxx("pch-use", "F1", "-Winvalid-pch", "-H", "-include", "pch.h", "-c", "cuda.cpp",
        prepare=PCH, volatile=("*.gch",)),
    gxx("weffc", "-", "-Wall", "-Wextra", "-Wpedantic", "-Weffc++", "-Wredundant-decls", "-c",
        "cuda.cpp"),
    *(with_compiler("clang", row) for row in (
        clang("clang-c", "F5", "-c", "cuda.c"),
        clang("clang-g", "F1", "-O1", "-g", "-c", "cuda.c"),
        clang("clang-MD", "R14 F1", "-MD", "-MP", "-c", "cuda.c"),
        clang("clang-everything", "-", "-Weverything", "-c", "cuda.c"),
        clang("clang-S", "-", "-S", "cuda.c", cls=1),
    )),
]

GROUPS = {"host-cuda": ROWS}
