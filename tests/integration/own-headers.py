# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %support/hide-cuda %python -B %s
"""A project's own cuda.h, cudnn.h or nccl.h is not CUDA's: it does not stop a compile and is not checked. Which
headers it hides, and which it includes next, is decided as by the preprocessor."""
from scene import KERNEL, Scene, equal, toolkit

scene = Scene("12.4")
newer = toolkit("13.0") / "include"
declared = "--cudacc-runtime=cuda==12.4"
# As in darknet: declarations, in headers with names of the toolkit's.
names = ("cuda.h", "cuda_runtime_api.h", "cudnn.h", "nccl.h", "cublas_v2.h", "cublas.h", "nvrtc.h",
         "cusparse.h", "nvJitLink.h")
for name in names:
    scene.write(f"src/{name}", "#pragma once\nvoid check_error(int status);\n")
scene.write("x.cpp", '#include "cuda.h"\nint x() { check_error(0); return 0; }\n')
scene.write("plain.cpp", "int x;\n")
scene.write("k.cu", KERNEL)


def removed(output="x.o"):
    (scene.work / output).unlink()


# The smallest case: the header is not even included.
scene.good(declared, "g++", "-Isrc", "-c", "plain.cpp", "-o", "x.o")
removed()
for words in (["-Isrc"], ["-iquote", "src"], ["-isystem", "src"], ["-idirafter", "src"],
              ["-include", "src/cuda.h"], ["-Isrc", "-include", "cuda.h"],
              ["-I", "src/../src", "-I", f"{scene.toolkit}/include"]):
    text = "x.cpp" if "-include" not in words else "plain.cpp"
    scene.good(declared, "g++", *words, "-c", text, "-o", "x.o")
    removed()
for variable in ("CPATH", "CPLUS_INCLUDE_PATH"):
    scene.good(declared, "g++", "-c", "x.cpp", "-o", "x.o", **{variable: "src"})
    removed()
# Under nvcc, which includes the toolkit's own cuda_runtime.h: with src/cuda_runtime_api.h in front of it, no
# compiler succeeds, with or without cuda-cc.
(scene.work / "src/cuda_runtime_api.h").unlink()
scene.write("own.cu", '#include "cuda.h"\n' + KERNEL)
for words in (["-Isrc"], ["-isystem", "src"], ["-Xcompiler", "-iquote,src"]):
    for source in ("k.cu", "own.cu")[:1 if "-Xcompiler" in words else 2]:
        scene.good(declared, "nvcc", "-arch=sm_80", *words, "-c", source, "-o", "k.o")
        removed("k.o")

# It hides the headers behind it. cuda_runtime_api.h is still found there and checked.
only = scene.work / "only"
only.mkdir()
(only / "cuda.h").symlink_to(newer / "cuda.h")
scene.good(declared, "g++", "-Isrc", "-Ionly", "-c", "x.cpp", "-o", "x.o")
removed()
ended = scene.refused(declared, "g++", "-Isrc", f"-I{newer}", "-c", "x.cpp", "-o", "x.o",
                      code="CC3014", output="x.o")
assert "cuda_runtime_api.h 13.0" in ended.err and "src/cuda.h" not in ended.err, ended
# Behind CUDA's headers, or on the path for quotes only, it hides nothing.
for words in (["-Ionly", "-Isrc"], ["-iquote", "src", "-Ionly"]):
    ended = scene.refused(declared, "g++", *words, "-c", "x.cpp", "-o", "x.o", code="CC3014",
                          output="x.o")
    assert "only/cuda.h" in ended.err, ended
# If it uses #include_next, the header behind it is checked.
with scene.file("src/cuda.h", "#include_next <cuda.h>\n"):
    scene.refused(declared, "g++", "-Isrc", "-Ionly", "-c", "plain.cpp", "-o", "x.o",
                  code="CC3014", output="x.o")
    scene.good(declared, "g++", "-Isrc", "-c", "plain.cpp", "-o", "x.o")
    removed()

# CUDA's own header inside the project's folder is CUDA's.
(scene.work / "src/cuda.h").symlink_to(newer / "cuda.h")
scene.refused(declared, "g++", "-Isrc", "-c", "plain.cpp", "-o", "x.o", code="CC3014", output="x.o")
# The record names CUDA's headers only.
(scene.work / "src/cuda.h").unlink()
(scene.work / "src/cuda.h").write_text("")
ended = scene.cc("--cudacc-print=toolkit", declared, "g++", "-Isrc", f"-I{scene.toolkit}/include",
                 "-c", "x.cpp")
equal(ended.out.count('"name": "cuda_runtime_api.h"'), 1, ended)
assert '"cuda.h"' not in ended.out, ended
scene.clean()
