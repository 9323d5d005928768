# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %support/hide-cuda %python -B %s
"""An executable stack: a library that asks for one is rejected, as dlopen refuses it; a program with nested functions
needs it, runs, and is accepted (CC4010)."""
import json

from sandbox import Sandbox, equal

sandbox = Sandbox()
torch = "--cudacc-runtime=torch==2.5.1"
sandbox.write("nested.c", """static int twice(int (*f)(int), int x) { return f(f(x)); }
int nested(int y) { int add(int x) { return x + y; } return twice(add, 1); }
int main(int argc, char **argv) { (void)argv; return nested(argc) - 3; }
""")
for words in (("gcc", "nested.c"), ("gcc", "-no-pie", "nested.c"), ("gcc", "-static", "nested.c")):
    sandbox.good(torch, *words, "-o", "nested")
    equal(sandbox.run("./nested").status, 0, words)
    file, = json.loads(sandbox.cc("check", "--runtime", "torch==2.5.1", "--format=json", "nested").out)["files"]
    found, = (each for each in file["findings"] if each["code"] == "CC4010")
    equal((file["verdict"], found["severity"]), ("accept", "remark"), words)

sandbox.refused(torch, "gcc", "-shared", "-fPIC", "nested.c", "-o", "nested.so", code="CC4010", output="nested.so")
sandbox.good(torch, "gcc", "-shared", "-fPIC", "nested.c", "-Wl,-z,noexecstack", "-o", "nested.so")
sandbox.clean()
