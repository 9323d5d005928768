# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%S/../../packaging/portable %python -B %s
"""Neither the program nor what is installed with it lets data become code, as packaging/portable/check.py checks for
what ships; and that check finds what gcc can be told to do wrong. What uses glibc is compiled with its checks."""
import json
from pathlib import Path

from check import DynamicSection, ELFFile, problems_of_segments
from sandbox import PROGRAM, Sandbox, equal

sandbox = Sandbox()


def problems(path):
    with open(path, "rb") as stream:
        elf = ELFFile(stream)
        dynamic = [tag for section in elf.iter_sections() if isinstance(section, DynamicSection)
                   for tag in section.iter_tags()]
        return list(problems_of_segments(elf, dynamic))


beside = Path(PROGRAM).resolve().parents[1] / "libexec/cuda-cc"
for path in (PROGRAM, beside / "devlink", beside / "libcuda-cc-rtld.so"):
    equal(problems(path), [], path)

sandbox.write("x.c", "int x; int *address(void) { return &x; } int main(void) { return x; }\n")
sandbox.write("text.s", ".globl f\nf: .quad x\n")
GOOD = ("-Wl,-z,relro,-z,now,-z,noexecstack",)
for words, wrong in (
        (GOOD, []), ((*GOOD, "-static"), []), ((*GOOD, "-Wl,-z,execstack"), ["has an executable stack"]),
        ((*GOOD, "-static", "-nostdlib", "-Wl,-N,-e,main"), ["has a segment that can be written and executed"]),
        (("-Wl,-z,relro,-z,lazy,-z,noexecstack",), ["has pointers to functions that stay writable"]),
        ((*GOOD, "-Wl,-z,norelro"), ["has pointers to functions that stay writable"]),
        ((*GOOD, "-shared", "-fPIC", "-Wl,-z,notext", "text.s"), ["relocates its code"])):
    done = sandbox.run("gcc", "x.c", *words, "-o", "x")
    equal(done.status, 0, done)
    equal(problems(sandbox.work / "x"), wrong, words)

# musl has no such checks, and the loader's audit library calls no libc.
build = Path(PROGRAM).resolve().parents[1]
if "CUDACC_PORTABLE:" in (build / "CMakeCache.txt").read_text():
    commands = [each["command"] for each in json.loads((build / "compile_commands.json").read_text())
                if "/cuda-cc-devlink.dir/" in each["command"]]
    assert commands and all(" -D_FORTIFY_SOURCE=2 " in each and " -O" in each for each in commands), commands
