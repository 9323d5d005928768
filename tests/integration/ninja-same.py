# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""backend = "ninja": outputs, diagnostics and exit status are nvcc's, in each of its modes. A few of them are in the
usual extent."""
import os
import re

from behaviour import behaviour
from ninja_builds import Builds, tool
from sandbox import ALL, PROGRAM, equal, some

builds = Builds()
KERNEL = """#include "part.h"
__device__ int shared_value;
__global__ void kernel(int *x) { *x = PART + shared_value; }
int host() { kernel<<<1, 1>>>(nullptr); return 0; }
"""
builds.write("part.h", "#define PART 3\n")
builds.write("k.cu", KERNEL)
builds.write("other.cu", """#include <cstdio>
__global__ void other() { printf("%d", 1); }
void more() { other<<<1, 1>>>(); }
""")
builds.write("host.cpp", "int answer() { return 42; }\n")
builds.write("plain.c", "int plain(void) { return 1; }\n")
builds.write("with blank/k 1.cu", "#include \"in it.h\"\n#include <cstddef>\n" + KERNEL.replace("part.h", "../part.h"))
builds.write("with blank/in it.h", "#pragma once\n")
builds.write("words.rsp", "-DX=1 -c k.cu -o k.o\n")
TWO = ["-gencode", "arch=compute_80,code=sm_80", "-gencode", "arch=compute_90,code=[sm_90,compute_90]"]

CASES = [
    ["-c", "k.cu", *TWO, "-Xcompiler", "-fPIC,-O2", "-O3", "-std=c++17", "-lineinfo", "-Xptxas", "-v"],
    ["-c", "k.cu", "-arch=native"],
    ["-dc", "k.cu", *TWO],
    ["-c", "k.cu", "other.cu", "host.cpp", *TWO],
    ["-c", "host.cpp", "plain.c", "-Xcompiler", "-Wall"],
    ["-lib", "k.cu", "host.cpp", "-o", "lib.a"],
    ["-c", "with blank/k 1.cu", "-o", "with blank/o 1.o", "-I", "with blank", *TWO, "-MD"],
    ["-optf", "words.rsp", "-arch=sm_80"],
    ["-ptx", "k.cu", "other.cu"],
    ["-c", "k.cu", "-o", "k.o"],
    ["-c", "k.cu", "-o", "k.o", *TWO],
    ["-c", "k.cu", "-arch=all-major", "--threads", "4", "-Xptxas=-v"],
    ["-c", "-gencode", "arch=compute_80,code=sm_80", "-gencode", "arch=compute_80,code=sm_86", "k.cu"],
    ["-c", "-rdc=true", "k.cu", "-arch=sm_80", "-g", "-lineinfo"],
    ["-c", "-dlto", "k.cu", "-arch=sm_80"],
    ["-dc", "k.cu", "-gencode", "arch=compute_80,code=lto_80", "-gencode", "arch=compute_90,code=sm_90"],
    ["-fatbin", "k.cu", "-arch=all-major"],
    ["-fatbin", "k.cu", *TWO, "-o", "some.fatbin"],
    ["-cubin", "k.cu", "-arch=sm_90", "-o", "k.cubin"],
    ["-lib", "k.cu", "other.cu", "host.cpp", "-o", "lib.a"],
    ["-c", "k.cu", "-ccbin", "/usr/bin/g++", "-allow-unsupported-compiler"],
    *(["-c", "k.cu", "-o", "k.o", *TWO, *options] for options in (
        ["-MD"], ["-MMD"], ["-MD", "-MP"], ["-MMD", "-MP", "-MF", "some.d"], ["-MD", "-MT", "a b", "-MF", "x y.d"],
        ["-MMD", "-MF", "t.d", "--threads", "2"], ["-MD", "-g"])),
    ["-c", "k.cu", "other.cu", "-MMD"],
    ["-dc", "other.cu", "-MD", "-odir", "with blank"],
]


@behaviour
def each_mode_makes_what_nvcc_makes():
    for words in some(CASES, 6):
        builds.same(*words)


@behaviour
def words_and_variables_are_passed_on_as_they_are():
    builds.same("-c", "k.cu", '-DTEXT="a $HOME"', "-DPAIR=a b", "-Xcompiler", '-DMORE="q r"', HOME=builds.home)
    builds.same("k.cu", NVCC_PREPEND_FLAGS="-DFIRST=1 -c", NVCC_APPEND_FLAGS="-arch=sm_80 -DLAST=2")


@behaviour
def warnings_come_once_and_in_nvccs_order():
    builds.write("warns.cu", """#ifdef __CUDA_ARCH__
#warning device
#endif
#warning both
__global__ void kernel(int *x) { int unused; *x = 1; }
static int never() { return 1; }
""")
    builds.same("-c", "warns.cu", *TWO, "-Xcompiler", "-Wall")


FAILING = {
    "missing": '#include "nowhere.h"\n',
    "front": "__global__ void k(int *x) { *x = y; }\nint host() { return z; }\n",
    "host": "__global__ void k(int *x) { *x = 1; }\nint host() { asm(\"no such\"); return 1; }\n",
    "ptxas": "__global__ void k(int *x) { asm(\"foo;\"); *x = 1; }\n",
    "arch": """#if __CUDA_ARCH__ >= 900
#error new
#endif
#warning all
__global__ void k(int *x) { *x = 1; }
""",
}
for name, text in FAILING.items():
    builds.write(f"{name}.cu", text)


@behaviour
def errors_are_nvccs():
    for number, name in enumerate(FAILING):
        if ALL or number % 2 == 0:
            builds.same("-c", f"{name}.cu", *TWO)
        if ALL:
            builds.same("-c", "k.cu", f"{name}.cu", "other.cu")
    builds.same("-cubin", "ptxas.cu", "-arch=sm_80")


builds.write("operand.cu", '#ifndef __CUDA_ARCH__\nint f(int y) { asm("" :: "i"(y)); return 1; }\n#endif\n')


@behaviour
def an_output_that_was_there_stays_or_goes_as_with_nvcc():
    """It stays if a compiler fails, and goes if the assembler does."""
    for name, stays in (("front", True), ("operand", True), ("host", False)):
        for run in (lambda *words: builds.run("nvcc", *words), builds.ninja):
            builds.write("old.o", "old")
            equal(run("-c", f"{name}.cu", "-o", "old.o", "-arch=sm_80").status != 0, True, name)
            equal((builds.work / "old.o").exists(), stays, (name, run))


@behaviour
def of_two_outputs_the_compile_that_fails_first_decides_about_its_own():
    for run in (lambda *words: builds.run("nvcc", *words), builds.ninja):
        for name in ("operand.o", "host.o"):
            builds.write(name, "old")
        equal(run("-c", "-g", "operand.cu", "host.cu", "-arch=sm_80").status != 0, True)
        equal([(builds.work / name).exists() for name in ("operand.o", "host.o")], [True, True], run)


@behaviour
def what_nvcc_does_besides_its_steps_is_left_to_it():
    """Or what the steps do not tell."""
    for words in some((["-keep"], ["-time", "times.csv"], ["-v"], ["-Xcompiler", "--coverage"], ["-Xcompiler", "-MD"],
                       ["-objtemp"], ["-o", "nowhere/k.o"], ["-no-such-option"]), 4):
        before = builds.files()
        builds.ninja("-c", "k.cu", "-arch=sm_80", *words)
        assert builds.ran() is None, (words, builds.logged())
        assert builds.logged()["whole"], builds.logged()
        for name in builds.files() - before:
            (builds.work / name).unlink()
    builds.same("k.cu", "-c", "-o", "/dev/null", whole=True)


@behaviour
def a_program_that_ends_well_without_its_output_is_noticed():
    """Where an earlier call left one."""
    equal(builds.ninja("-c", "k.cu", "-o", "k.o", "-arch=sm_80").status, 0)
    for words in (["-Xptxas", "-h"], ["-Xcompiler", "-###"], ["-Xcompiler", "--write-dependencies"]):
        builds.same("-c", "k.cu", "-o", "k.o", "-arch=sm_80", *words, whole=True)


@behaviour
def files_beside_the_output_are_made():
    equal(builds.ninja("-c", "host.cpp", "-o", "host.o", DEPENDENCIES_OUTPUT="host.d").status, 0)
    equal((builds.work / "host.d").read_text().splitlines()[-1], "host.o: host.cpp")


@behaviour
def a_stream_of_the_caller_is_read():
    for run in (lambda *words: builds.run("nvcc", *words, input="#define SEEN\n"),
                lambda *words: builds.cc(*words, input="#define SEEN\n", CUDA_CC_BACKEND="ninja")):
        builds.write("stream.cpp", "#ifndef SEEN\n#error unseen\n#endif\n")
        equal(run("-c", "stream.cpp", "-include", "/dev/stdin", "-o", "stream.o").status, 0)


@behaviour
def the_folder_in_debug_information_is_named_as_the_shell_names_it():
    (builds.root / "link").symlink_to(builds.work)
    for name in (builds.root / "link", builds.work):
        script = f'cd "{name}" && "$0" -c host.cpp -o host.o -Xcompiler -g'
        equal(builds.run("sh", "-c", script, PROGRAM, CUDA_CC_BACKEND="ninja", CUDA_CC_LOG=builds.log).status, 0)
        equal(builds.logged()["did"], "ninja", builds.logged())
        folders = re.findall(rb"DW_AT_comp_dir.*: (/.*)", tool("readelf", "--debug-dump=info", builds.work / "host.o"))
        assert os.fsencode(name) in folders, folders
