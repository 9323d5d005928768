# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %support/hide-cuda %python -B %s
"""nvcc's host link runs through cuda-cc, and the named host compiler does the work, in every way of naming it (R10,
R11, AT3, AT23): all spellings of -ccbin, an options file, the variables."""
import os

import note
from sandbox import KERNEL, Sandbox, equal, skip, tools

other = (tools("clang++-14", "clang++") + [None])[0]
if not other:
    skip("this machine has one host compiler only")
sandbox = Sandbox("13.0")
sandbox.write("k.cu", KERNEL)
path = os.path.join("/usr/bin", other)
runtime = "--cudacc-runtime=cuda==13.0"
sandbox.good(runtime, "-arch=sm_80", "-Xcompiler", "-fPIC", "-c", "k.cu", "-o", "k.o")
assert b"clang" not in (sandbox.work / "k.o").read_bytes()
sandbox.write("one.opt", f"-ccbin {path}\n")
sandbox.write("two.opt", "-optf one.opt\n")
folder = sandbox.root / "compilers"
folder.mkdir()
(folder / "clang++").symlink_to(path)
link = ("-arch=sm_80", "-shared", "k.o", "-o", "k.so")

def captured(words, variables):
    """The stub that nvcc compiles at the link comes from the other compiler, and the link ran through cuda-cc."""
    sandbox.good(runtime, *link, *words, **variables)
    output = sandbox.work / "k.so"
    record = note.manifest(output).link
    assert record["host"].startswith("clang-"), (words, variables, record)
    assert b"clang version" in output.read_bytes(), f"{words} {variables}: another compiled it"
    equal(ours(output), 1, f"{words} {variables}")
    output.unlink()

def ours(output):
    return len(note.manifest(output).objects)

for words in (["-ccbin", path], [f"-ccbin={path}"], ["--compiler-bindir", path],
              [f"--compiler-bindir={path}"], ["-ccbin", other], ["--options-file", "one.opt"],
              ["-optf=two.opt"], [f"-ccbin={folder}/clang++"],
              ["-ccbin", "g++", "-ccbin", path]):
    captured(words, {})
for variables in ({"NVCC_APPEND_FLAGS": f"-ccbin {path}"}, {"NVCC_CCBIN": path},
                  {"NVCC_PREPEND_FLAGS": f"--compiler-bindir={path}"}):
    captured([], variables)

# -ccbin overrides NVCC_CCBIN; an output that a variable names is the one that is checked (AT23).
sandbox.good(runtime, *link, "-ccbin", "/usr/bin/g++", NVCC_CCBIN=path)
assert note.manifest(sandbox.work / "k.so").link["host"].startswith("gcc-")
(sandbox.work / "k.so").unlink()
sandbox.good(runtime, "-arch=sm_80", "-shared", "k.o", NVCC_APPEND_FLAGS="-o other.so")
assert note.manifest(sandbox.work / "other.so").link

# Compiled and linked in one step.
sandbox.good(runtime, "-arch=sm_80", "-shared", "-Xcompiler", "-fPIC", "-ccbin", path, "k.cu",
             "-o", "k.so")
found = note.manifest(sandbox.work / "k.so")
equal(len(found.objects), 1, "object records")
assert note.parse(found.objects[0])["host"].startswith("clang-"), found.objects
assert found.link["host"].startswith("clang-"), found.link
sandbox.clean()
