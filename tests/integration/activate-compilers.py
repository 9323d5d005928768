# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""CC and CXX of an activated shell are one path each, whatever the user had: as -ccbin of nvcc, as a command, as
compiler and host compiler of CMake. The user's compiler runs with all its words, and what is linked is sealed."""
import json

import note
from behaviour import behaviour
from sandbox import Sandbox, equal, tools

sandbox = Sandbox("13.0")
sandbox.write("k.cu", "__global__ void k() {}\nvoid run() { k<<<1, 1>>>(); }\n"
              "#if defined WANTED && !defined MARK\n#error the words of the compiler are lost\n#endif\n")
sandbox.write("c.c", "int c(void) { return 1; }\n")
sandbox.write("x.cpp", "int x() { return 1; }\n")
sandbox.write("CMakeLists.txt", """cmake_minimum_required(VERSION 3.20)
project(p LANGUAGES C CXX)
set(CMAKE_CUDA_HOST_COMPILER ${CMAKE_CXX_COMPILER})
enable_language(CUDA)
add_library(p SHARED k.cu c.c x.cpp)
""")
called = sandbox.root / "called"


def wrapper(folder, name):
    path = sandbox.write(f"{folder}/my-{name}", f'#!/bin/sh\necho >>{called} "$@"\nexec {name} "$@"\n')
    path.chmod(0o755)
    return path


equal(sandbox.cc("toolchain", "td", "--runtime", "cuda==13.0").status, 0)
COMMANDS = {"k.o": 'nvcc -ccbin "$CC" -arch=sm_80 -c k.cu -o k.o',
            "k-cc.so": 'nvcc -ccbin "$CC" -arch=sm_80 -shared -Xcompiler -fPIC k.cu -o k-cc.so',
            "k.so": "nvcc -ccbin $CXX -arch=sm_80 -shared -Xcompiler -fPIC k.cu -o k.so",
            "c.o": '"$CC" -c c.c -o c.o',
            "x.so": "$CXX -shared -fPIC x.cpp -o x.so",
            "launched.so": "cuda-cc $CXX -shared -fPIC x.cpp -o launched.so"}
CMAKE = """rm -rf b
{ CUDAARCHS=80 cmake -S . -B b -G Ninja && cmake --build b; } >log 2>&1 || { cat log >&2; false; }
"""
WORDS = " -DMARK -Wl,-soname,mark.so"
gcc, gxx = (wrapper("wrap", name) for name in ("gcc", "g++"))
blank = [wrapper("with a blank", name) for name in ("gcc", "g++")]
CASES = [{}, {"CC": "/usr/bin/gcc"}, {"CXX": "g++"}, {"CC": "gcc-12", "CXX": "g++-12"}, {"CC": gcc, "CXX": gxx},
         {"CC": f"'{blank[0]}'{WORDS}", "CXX": blank[1]}, {"CC": f"gcc{WORDS}", "CXX": f"{blank[1]}{WORDS}"}]
if tools("ccache"):
    CASES += [{"CC": "ccache gcc", "CXX": f"ccache {gxx}{WORDS}"}]


def run(script, case):
    called.unlink(missing_ok=True)
    done = sandbox.run("bash", "-euc", f". td/activate\n{script}", **case, CCACHE_DIR=sandbox.root / "ccache")
    equal((done.status, done.err), (0, ""), (case, script, done))
    meant = [name for name in ("CC", "CXX") if f"${name}" in script] or ["CXX"]
    if "my-" in case.get(meant[0], ""):
        assert called.exists(), f"{case}: {script}: the user's compiler did not run"


for case in CASES:
    @behaviour
    def the_user_s_compiler_runs_with_all_its_words(case=case):
        case = {name: str(value) for name, value in case.items()}
        if "gcc-12" in case.values() and not tools("gcc-12"):
            return
        for output, command in COMMANDS.items():
            wanted = " -DWANTED" if "MARK" in case.get("CC" if "$CC" in command else "CXX", "") else ""
            (sandbox.work / output).unlink(missing_ok=True)
            run(command + wanted, case)
            if output.endswith(".so"):
                assert note.manifest(sandbox.work / output), (case, output)
                equal(note.elf(sandbox.work / output).dynamic(14), ["mark.so"] if wanted else [], (case, command))
        facts = json.loads(sandbox.cc("inspect", "--format=json", "k.so").out)["files"][0]
        equal(len(facts["manifest"]["objects"]), 1, (case, facts["manifest"]))
        if len(case) == 2 and tools("cmake", "ninja") == ["cmake", "ninja"]:
            run(CMAKE, case)
            assert note.manifest(sandbox.work / "b/libp.so"), case


@behaviour
def another_call_than_the_directory_s_has_its_own_runtime_and_the_user_s_compiler():
    case = {"CUDA_CC_USER_CXX": f"{gxx}{WORDS}", "CUDA_CC_RUNTIME": "cuda==13.1"}
    front = sandbox.work / "td/bin/cuda-cc-c++"
    called.unlink(missing_ok=True)
    done = sandbox.cc("-ccbin", front, "-arch=sm_80", "-DWANTED", "-shared", "-Xcompiler", "-fPIC", "k.cu",
                      "-o", "p.so", **case)
    equal((done.status, done.err), (0, ""), done)
    built = sandbox.work / "p.so"
    equal((called.exists(), note.elf(built).dynamic(14), note.manifest(built).link["target"]["cuda"]),
          (True, ["mark.so"], "13.1"))


@behaviour
def the_words_of_a_compiler_are_an_input_of_each_step_of_ninja():
    if tools("ninja"):
        for mark in ("1", "2", "2", "1"):
            run('nvcc -ccbin $CXX -arch=sm_80 -DWANTED -c k.cu -o k.o',
                {"CXX": f"g++ -DMARK={mark} -Drun=run{mark}", "CUDA_CC_BACKEND": "ninja"})
            symbols = sandbox.run("nm", "-C", "k.o").out
            assert f" run{mark}()" in symbols, (mark, symbols)
