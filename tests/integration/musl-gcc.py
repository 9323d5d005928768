# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %support/hide-cuda %python -B %s
"""Debian's musl-gcc: a program without CUDA is nobody's business and runs, as on Alpine; one with CUDA is refused, as
NVIDIA's libraries are for glibc."""
from sandbox import Sandbox, equal, skip, toolkit, tools

if not tools("musl-gcc"):
    skip("no musl-gcc")
sandbox = Sandbox()
sandbox.write("x.c", "int main(void) { return 0; }\n")
cuda, libraries = "--cudacc-runtime=cuda==13.0", toolkit("13.0") / "lib64"
for words in (("x.c",), ("-static", "x.c"), ("-shared", "-fPIC", "x.c")):
    sandbox.good(cuda, "musl-gcc", *words, "-o", "x")
    if "-shared" not in words:
        equal(sandbox.run("./x").status, 0, words)
    equal(sandbox.cc("check", "--runtime", "cuda==13.0", "x").status, 0, words)
runtime = ("-Wl,--no-as-needed", f"-L{libraries}", "-lcudart", "-Wl,--allow-shlib-undefined")
sandbox.refused(cuda, "musl-gcc", "x.c", "-o", "with-cuda", *runtime, code="CC4003", output="with-cuda")
sandbox.good(cuda, "gcc", "x.c", "-o", "with-cuda", *runtime)
sandbox.clean()
