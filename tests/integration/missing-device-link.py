# SPDX-License-Identifier: Apache-2.0
# REQUIRES: nvcc
# RUN: PYTHONPATH=%S %support/hide-cuda %python -B %s
"""Objects of nvcc -rdc=true that g++ links: without nvcc -dlink, the link, check, doctor and explain name the missing
device link, and never an old cudart; with it they accept. Two device links of the same objects, and a kernel that two
objects define, have an explanation of their own."""
import json
import shutil

from sandbox import KERNEL, Sandbox, equal, tools

MEANS = "relocatable device code without its device link"
FIX = "link with nvcc, or add what nvcc -dlink OBJECTS -o dlink.o makes"
sandbox = Sandbox("13.0")
sandbox.write("a.cu", "extern __device__ int f(int);\n__global__ void k(int *p) { *p = f(*p); }\n"
              "void run() { k<<<1, 1>>>(nullptr); }\n")
sandbox.write("b.cu", "__device__ int f(int x) { return x + 1; }\n")
for name in "ab":
    made = sandbox.run("nvcc", "-arch=sm_90", "-rdc=true", "-Xcompiler", "-fPIC", "-c", f"{name}.cu")
    equal(made.status, 0, made)
made = sandbox.run("nvcc", "-arch=sm_90", "-dlink", "-Xcompiler", "-fPIC", "a.o", "b.o", "-o", "dlink.o")
equal(made.status, 0, made)
LIB = sandbox.toolkit / "lib"
RUNTIME = ("--runtime", "cuda==13.0")


def link(output, *objects, cudart):
    tail = ("-lcudadevrt", *cudart)
    made = sandbox.run("g++", "-shared", *objects, f"-L{LIB}", *tail, f"-Wl,-rpath,{LIB}", "-o", output)
    equal(made.status, 0, made)


def errors(verb, *words):
    ended = sandbox.cc(verb, "--format=json", *words)
    file, = json.loads(ended.out)["files"]
    return ended, [finding for finding in file["findings"] if finding["code"] == "CC4021"], \
        [finding["code"] for finding in file["findings"] if finding["severity"] == "error"]


for cudart in (("-lcudart",), ("-lcudart_static", "-lrt", "-lpthread", "-ldl")):
    link("bad.so", "a.o", "b.o", cudart=cudart)
    for verb, words in (("check", ("bad.so", *RUNTIME)), ("doctor", ("bad.so",))):
        ended, (finding, *more), codes = errors(verb, *words)
        equal((ended.status, more, codes.count("CC4001")), (3, [], 0), ended)
        equal(finding["message"], MEANS, ended)
        assert finding["fixes"][0].startswith(FIX), ended
    link("good.so", "a.o", "b.o", "dlink.o", cudart=cudart)
    for verb, words in (("check", ("good.so", *RUNTIME)), ("doctor", ("good.so",))):
        ended, found, codes = errors(verb, *words)
        equal((found, "CC4001" in codes), ([], False), ended)

# The link itself.
words = ("g++", "-shared", "a.o", "b.o", f"-L{LIB}", "-lcudart")
own = ("--cudacc-runtime=cuda==13.0",)
sandbox.refused(*words, "-o", "refused.so", *own, code="CC4021", output="refused.so")
ended = sandbox.cc(*words, "dlink.o", "-lcudadevrt", "-lcudart", "-o", "accepted.so", *own)
equal(ended.status, 0, ended)

# The loader and the linker say it in their words, explain in ours.
for command in (("python3", "-c", "import ctypes; ctypes.CDLL('./bad.so', 2)"), ("g++", "-o", "program", "a.o", "b.o",
                                                                              f"-L{LIB}", "-lcudart")):
    said = sandbox.run(*command)
    assert said.status != 0 and "__cudaRegisterLinkedBinary_" in said.err, said
    line = next(line for line in said.err.splitlines() if "__cudaRegisterLinkedBinary_" in line and "undefined" in line)
    ended = sandbox.cc("explain", line)
    equal(ended.status, 0, ended)
    assert MEANS in ended.out and FIX in " ".join(ended.out.split()), ended

# Twice: each linker's own words; the same link with one of the two succeeds.
sandbox.write("same.cu", KERNEL)
for output in ("one.o", "two.o"):
    made = sandbox.run("nvcc", "-arch=sm_90", "-Xcompiler", "-fPIC", "-c", "same.cu", "-o", output)
    equal(made.status, 0, made)
shutil.copy(sandbox.work / "dlink.o", sandbox.work / "dlink2.o")
TWICE = ((("a.o", "b.o", "dlink.o"), "dlink2.o", "device-linked twice"),
         (("one.o",), "two.o", "a kernel is defined in two objects"))
linkers = [name for name in ("bfd", "gold", "lld", "mold") if tools(f"ld.{name}")]
assert linkers
for linker in linkers:
    for once, again, means in TWICE:
        words = ("g++", f"-fuse-ld={linker}", "-shared", *once, f"-L{LIB}", "-lcudadevrt", "-lcudart", "-o", "twice.so")
        made = sandbox.run(*words)
        equal(made.status, 0, made)
        said = sandbox.run(*words, again)
        assert said.status != 0, said
        ended = sandbox.cc("explain", "--format=json", said.err)
        found = [message["what"] for message in json.loads(ended.out)["messages"]]
        assert any(means in what for what in found), (linker, said.err, found)
        assert MEANS not in found, (linker, said.err, found)
