# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %support/hide-cuda %python -B %s
"""A rejected link leaves no output: the next make fails too, also without .DELETE_ON_ERROR (R19, AT15, F3)."""
from sandbox import KERNEL, PROGRAM, Sandbox, equal, toolkit, wheel

sandbox = Sandbox("13.0")
newer = toolkit("13.1")
sandbox.write("k.cu", KERNEL)
sandbox.write("main.cpp", "int main() { return 0; }\n")
jitlink = wheel("nvidia-nvjitlink-cu12==12.5.82") / "nvidia/nvjitlink/lib/libnvJitLink.so.12"
sandbox.write("Makefile", f"""
k.so: k.o
	$(NVCC) -arch=sm_80 -shared -cudart none k.o -o k.so -Xlinker {newer}/lib/libcudart.so.13
k.o: k.cu
	$(NVCC) -arch=sm_80 -Xcompiler -fPIC -c k.cu -o k.o
main: main.cpp
	$(CXX) -Wl,--no-as-needed main.cpp {jitlink} -o main
""")

def make(target, **environment):
    return sandbox.run("make", target, f"NVCC={PROGRAM}", f"CXX={PROGRAM} g++", **environment)

for target, runtime, files in (("k.so", "cuda==13.0", {"k.o"}), ("main", "torch==2.5.1", set())):
    for attempt in ("first", "second"):
        ended = make(target, CUDA_CC_RUNTIME=runtime)
        equal((ended.status, ended.codes[:1]), (2, ["CC3015"]), f"{attempt} make of {target}: {ended}")
        equal(sandbox.files(), {"Makefile", "k.cu", "main.cpp", *files} | (sandbox.files() & {"k.o"}),
              f"{attempt} make of {target}")
    assert "up to date" not in ended.out, ended

# The output of an earlier build is unchanged, because no compiler ran.
sandbox.write("k.so", "of an earlier build")
equal(make("k.so", CUDA_CC_RUNTIME="cuda==13.0").status, 0, "it is up to date for make")
sandbox.write("k.so", "of an earlier build")
ended = sandbox.cc("--cudacc-runtime=cuda==13.0", "-arch=sm_80", "-shared", "-cudart", "none", "k.o",
                   "-o", "k.so", "-Xlinker", newer / "lib/libcudart.so.13")
equal((ended.status, (sandbox.work / "k.so").read_text()), (3, "of an earlier build"), ended)
(sandbox.work / "k.so").unlink()
equal(make("k.so", CUDA_CC_RUNTIME="cuda==13.1").status, 0, "a runtime that has it")
sandbox.clean()
