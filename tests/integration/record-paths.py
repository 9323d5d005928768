# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""Nothing but the object's record depends on where cuda-cc keeps the record's header: make goes on when the store is
gone, and objects of two users are equal (EM-9)."""
import os
import shutil

from sandbox import Sandbox, equal

sandbox = Sandbox("13.0")
sandbox.write("a.cpp", "#include <cuda_runtime.h>\n#define HALF 0.5\nint a() { return cudaSuccess; }\n")
sandbox.write("k.cu", "__global__ void k() {}\n")
RUNTIME = "--cudacc-runtime=cuda==13.0"
include = next(folder for folder in (sandbox.toolkit / "include", sandbox.toolkit / "targets/x86_64-linux/include")
               if (folder / "cuda_runtime.h").exists())
nvcc = sandbox.toolkit / "bin/nvcc"
hosts = [name for name in ("g++", "clang++") if shutil.which(name)]


def compiled(*words, store="one", out="a.o", **variables):
    ended = sandbox.cc(RUNTIME, *words, "-o", out, XDG_DATA_HOME=str(sandbox.work / store), **variables)
    equal((ended.status, ended.out, ended.err), (0, "", ""), (words, ended))
    return (sandbox.work / out).read_bytes()


# Depfiles: make needs no file that they list.
lines = [(host, f"-I{include}", *words, "-c", "a.cpp") for host in hosts
         for words in (("-MMD",), ("-MD", "-MF", "a.d"), ("-Wp,-MMD,a.d",))]
lines += [(nvcc, *words, "-MD", "-MF", "a.d", "-c", "k.cu") for words in ((), ("--cudacc-backend=ninja",))]
lines += [(nvcc, "-Xcompiler", "-MMD,-MF,a.d", "-c", "a.cpp")]
sandbox.write("Makefile", "a.o:\n\ttouch a.o\n-include a.d\n")
for line in lines:
    compiled(*line)
    assert "one/cuda-cc" in (sandbox.work / "a.d").read_text(), (line, "the depfile lists the header")
    shutil.rmtree(sandbox.work / "one")
    made = sandbox.run("make", "a.o")
    equal(made.status, 0, (line, made))
    for name in ("a.o", "a.d"):
        (sandbox.work / name).unlink()
compiled("g++", f"-I{include}", "-c", "a.cpp", DEPENDENCIES_OUTPUT="a.d")
shutil.rmtree(sandbox.work / "one")
equal(sandbox.run("make", "a.o").status, 0, "DEPENDENCIES_OUTPUT")

# Objects of two users.
lines = [(host, f"-I{include}", *words, "-c", "a.cpp") for host in hosts
         for words in (("-g",), ("-g3",), ("-ggdb3",), ("-g3", "-gdwarf-4"), ("-g", "-frecord-gcc-switches"))]
if "clang++" in hosts:
    lines += [("clang++", f"-I{include}", *words, "-c", "a.cpp")
              for words in (("-g", "-fdebug-macro"), ("-frecord-command-line",), ("-g", "-grecord-command-line"))]
lines += [(nvcc, "-Xcompiler", "-g3", "-c", "a.cpp")]
for line in lines:
    one, other = compiled(*line, store="one"), compiled(*line, store="other")
    assert one == other, (line, "differs between users")
    assert os.fsencode(sandbox.work / "one") not in one, line
    names_command = line[0] == "clang++" and any("record-" in str(word) for word in line)
    equal(b".note.cuda-target" in one, not names_command, line)

# A HOME whose path compilers do not take is not used.
for name in ("a$b", "a,b", "a=b", "a'b", "a\udcffb"):
    (sandbox.work / name).mkdir()
    compiled(nvcc, "-c", "k.cu", store=name, TMPDIR=str(sandbox.work))
    equal(os.listdir(sandbox.work / name), [], name)
    assert b".note.cuda-target" in compiled(nvcc, "-c", "a.cpp", store=name, TMPDIR=str(sandbox.work)), name
sandbox.clean()
