# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %support/hide-cuda %python -B %s
"""A project's own cuda.h, cudnn.h or nccl.h is not CUDA's: it does not stop a compile and is not checked. Which
headers it hides, and which it includes next, is decided as by the preprocessor."""
from sandbox import KERNEL, Sandbox, equal, toolkit

sandbox = Sandbox("12.4")
newer = toolkit("13.0") / "include"
declared = "--cudacc-runtime=cuda==12.4"
# As in darknet: declarations, in headers with names of the toolkit's.
names = ("cuda.h", "cuda_runtime_api.h", "cudnn.h", "nccl.h", "cublas_v2.h", "cublas.h", "nvrtc.h",
         "cusparse.h", "nvJitLink.h")
for name in names:
    sandbox.write(f"src/{name}", "#pragma once\nvoid check_error(int status);\n")
sandbox.write("x.cpp", '#include "cuda.h"\nint x() { check_error(0); return 0; }\n')
sandbox.write("plain.cpp", "int x;\n")
sandbox.write("k.cu", KERNEL)


def removed(output="x.o"):
    (sandbox.work / output).unlink()


# The smallest case: the header is not even included.
sandbox.good(declared, "g++", "-Isrc", "-c", "plain.cpp", "-o", "x.o")
removed()
for words in (["-Isrc"], ["-iquote", "src"], ["-isystem", "src"], ["-idirafter", "src"],
              ["-include", "src/cuda.h"], ["-Isrc", "-include", "cuda.h"],
              ["-I", "src/../src", "-I", f"{sandbox.toolkit}/include"]):
    text = "x.cpp" if "-include" not in words else "plain.cpp"
    sandbox.good(declared, "g++", *words, "-c", text, "-o", "x.o")
    removed()
for variable in ("CPATH", "CPLUS_INCLUDE_PATH"):
    sandbox.good(declared, "g++", "-c", "x.cpp", "-o", "x.o", **{variable: "src"})
    removed()
# Under nvcc, which includes the toolkit's own cuda_runtime.h: with src/cuda_runtime_api.h in front of it, no
# compiler succeeds, with or without cuda-cc.
(sandbox.work / "src/cuda_runtime_api.h").unlink()
sandbox.write("own.cu", '#include "cuda.h"\n' + KERNEL)
for words in (["-Isrc"], ["-isystem", "src"], ["-Xcompiler", "-iquote,src"]):
    for source in ("k.cu", "own.cu")[:1 if "-Xcompiler" in words else 2]:
        sandbox.good(declared, "nvcc", "-arch=sm_80", *words, "-c", source, "-o", "k.o")
        removed("k.o")

# It hides the headers behind it. cuda_runtime_api.h is still found there and checked.
only = sandbox.work / "only"
only.mkdir()
(only / "cuda.h").symlink_to(newer / "cuda.h")
sandbox.good(declared, "g++", "-Isrc", "-Ionly", "-c", "x.cpp", "-o", "x.o")
removed()
ended = sandbox.refused(declared, "g++", "-Isrc", f"-I{newer}", "-c", "x.cpp", "-o", "x.o",
                        code="CC3014", output="x.o")
assert "cuda_runtime_api.h 13.0" in ended.err and "src/cuda.h" not in ended.err, ended
# Behind CUDA's headers, or on the path for quotes only, it hides nothing.
for words in (["-Ionly", "-Isrc"], ["-iquote", "src", "-Ionly"]):
    ended = sandbox.refused(declared, "g++", *words, "-c", "x.cpp", "-o", "x.o", code="CC3014",
                            output="x.o")
    assert "only/cuda.h" in ended.err, ended
# If it uses #include_next, the header behind it is checked.
with sandbox.file("src/cuda.h", "#include_next <cuda.h>\n"):
    sandbox.refused(declared, "g++", "-Isrc", "-Ionly", "-c", "plain.cpp", "-o", "x.o",
                    code="CC3014", output="x.o")
    sandbox.good(declared, "g++", "-Isrc", "-c", "plain.cpp", "-o", "x.o")
    removed()

# CUDA's own header inside the project's folder is CUDA's.
(sandbox.work / "src/cuda.h").symlink_to(newer / "cuda.h")
sandbox.refused(declared, "g++", "-Isrc", "-c", "plain.cpp", "-o", "x.o", code="CC3014", output="x.o")
# The record names CUDA's headers only.
(sandbox.work / "src/cuda.h").unlink()
(sandbox.work / "src/cuda.h").write_text("")
ended = sandbox.cc("--cudacc-print=toolkit", declared, "g++", "-Isrc", f"-I{sandbox.toolkit}/include",
                   "-c", "x.cpp")
equal(ended.out.count('"name": "cuda_runtime_api.h"'), 1, ended)
assert '"cuda.h"' not in ended.out, ended
sandbox.clean()
