# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %support/hide-cuda %python -B %s
"""CC and CXX of an activated shell are one path each, whatever the user had: as -ccbin of nvcc, as a command, as
compiler and host compiler of CMake. The user's compiler runs, and what is linked is sealed."""
from sandbox import Sandbox, equal, tools

sandbox = Sandbox("13.0")
sandbox.write("k.cu", "__global__ void k() {}\nvoid run() { k<<<1, 1>>>(); }\n")
sandbox.write("c.c", "int c(void) { return 1; }\n")
sandbox.write("x.cpp", "int x() { return 1; }\n")
sandbox.write("CMakeLists.txt", """cmake_minimum_required(VERSION 3.20)
project(p LANGUAGES C CXX)
set(CMAKE_CUDA_HOST_COMPILER ${CMAKE_CXX_COMPILER})
enable_language(CUDA)
add_library(p SHARED k.cu c.c x.cpp)
""")
called = sandbox.root / "called"
wrapper = sandbox.write("wrap/my-g++", f'#!/bin/sh\necho >{called}\nexec g++ "$@"\n')
wrapper.chmod(0o755)
equal(sandbox.cc("toolchain", "td", "--runtime", "cuda==13.0").status, 0)
TRY = """set -eu
. td/activate
nvcc -ccbin "$CC" -arch=sm_80 -c k.cu -o k.o
nvcc -ccbin $CXX -arch=sm_80 -shared -Xcompiler -fPIC k.cu -o k.so
"$CC" -c c.c -o c.o
$CXX -shared -fPIC x.cpp -o x.so
"""
CMAKE = """rm -rf b
{ CUDAARCHS=80 cmake -S . -B b -G Ninja && cmake --build b; } >log 2>&1 || { cat log >&2; false; }
"""
CASES = [{}, {"CC": "/usr/bin/gcc"}, {"CXX": "g++"}, {"CC": "/usr/bin/gcc", "CXX": "g++"},
         {"CC": "gcc-12", "CXX": "g++-12"}, {"CXX": str(wrapper)}, {"CC": "gcc -O1", "CXX": "g++ -O1"}]
if tools("ccache"):
    CASES.append({"CC": "ccache gcc", "CXX": "ccache g++"})
for case in CASES:
    if any(word.startswith("g") and not tools(word) for value in case.values() for word in value.split()[:1]):
        continue
    for name in ("k.o", "k.so", "c.o", "x.so"):
        (sandbox.work / name).unlink(missing_ok=True)
    more = CMAKE if tools("cmake", "ninja") == ["cmake", "ninja"] else ""
    done = sandbox.run("bash", "-c", TRY + more, **case, CCACHE_DIR=sandbox.root / "ccache")
    equal((done.status, done.err), (0, ""), (case, done))
    sealed = sandbox.cc("inspect", "--format=json", "x.so")
    assert '"link"' in sealed.out, (case, sealed)
    if "my-g++" in str(case):
        equal(called.exists(), True)
