# SPDX-License-Identifier: Apache-2.0
# REQUIRES: nvcc
# RUN: PYTHONPATH=%S %support/hide-cuda %python -B %s
"""AT18: bear records one entry per translation unit of a build in a toolchain directory, with the compiler names
that the user called. The program is static: bear is in what starts it."""
import json

from sandbox import KERNEL, Sandbox, equal, skip, tools

if not tools("bear"):
    skip("no bear")
sandbox = Sandbox("13.0")
td = sandbox.work / "td"
sandbox.good("toolchain", td, "--runtime", "cuda==13.0")
sandbox.write("k.cu", KERNEL)
sandbox.write("l.cpp", '#include <cuda_runtime.h>\nextern "C" int f() { return cudaFree(nullptr); }\n')
sandbox.write("Makefile", """all: k.o l.o
\tg++ -shared k.o l.o -L. -lcudart -o ext.so
k.o: k.cu
\tnvcc -arch=sm_80 -Xcompiler -fPIC -c k.cu -o k.o
l.o: l.cpp
\t$(CXX) -fPIC -c l.cpp -o l.o
""")
done = sandbox.run("bear", "--", "make", PATH=f"{td}/bin:{sandbox.path}", CXX=td / "bin/g++")
equal(done.status, 0, done)
entries = json.loads((sandbox.work / "compile_commands.json").read_text())
equal(sorted((entry["arguments"][0], entry["file"], entry["output"]) for entry in entries),
      sorted([(f"{td}/bin/nvcc", f"{sandbox.work}/k.cu", f"{sandbox.work}/k.o"),
              (f"{td}/bin/g++", f"{sandbox.work}/l.cpp", f"{sandbox.work}/l.o")]))
