# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""Real headers of torch 2.11.0, under a declaration of that release, of an older and of a newer one; and the fact that
cuda-cc relies on: with -DTORCH_TARGET_VERSION they reject everything that is not in the stable ABI."""
from sandbox import Sandbox, equal, wheel

torch = wheel("torch==2.11.0") / "torch"
options = ["-isystem", torch / "include", "-isystem", torch / "include/torch/csrc/api/include"]
sandbox = Sandbox()
sandbox.write("stable.cpp", "#include <torch/csrc/stable/c/shim.h>\n"
              "AOTITorchError count(AtenTensorHandle t, int64_t *n) {\n"
              "  return aoti_torch_get_numel(t, n);\n}\n")
sandbox.write("guarded.cpp", "#include <c10/core/TensorImpl.h>\n")
STABLE = "-DTORCH_TARGET_VERSION=0x020a000000000000"


def line(source, runtime, *more):
    return ["g++", "-std=c++20", "-c", source, "-o", "a.o", *options, *more,
            f"--cudacc-runtime={runtime}"]


sandbox.good(*line("stable.cpp", "torch==2.11.0"))
said = sandbox.refused(*line("stable.cpp", "torch==2.10.0"), code="CC3017", output="a.o").err
assert "torch 2.11.0 headers are newer than runtime 2.10.0" in said, said
assert f"define {STABLE}" in said, said
said = sandbox.cc(*line("stable.cpp", "torch==2.12.1"))
equal(said.status, 0, said)
assert "torch 2.11.0 headers are older than runtime 2.12.1 [CC4127]" in said.err, said

sandbox.good(*line("stable.cpp", "torch==2.10.0", STABLE))
said = sandbox.cc(*line("guarded.cpp", "torch==2.10.0", STABLE))
assert said.status == 1 and "TORCH_TARGET_VERSION is defined" in said.err, said
assert "cuda-cc:" not in said.err, said
