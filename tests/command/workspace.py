# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""F28: a member of a workspace runs on the runtime of a table above it. When that changes, calls in the member follow,
by the compiler that CMake keeps too, and a toolchain directory that was made there stops. Nothing that is kept between
calls answers for the old runtime."""
import json

from recording import Place, equal

place = Place("13.0")
place.write("packages/ext/k.cu")
place.write("packages/ext/x.cpp")
place.write("packages/ext/pyproject.toml", '[tool.cuda-cc]\nbackend = "setuptools.build_meta"\n')
UV_LOCK = """version = 1
requires-python = ">=3.9"

[[package]]
name = "nvidia-cuda-runtime{}"
version = "{}"
source = {{ registry = "https://index.example.org/simple" }}
"""
REAL = {"RECORD_EXEC": "/usr/bin/g++"}


def called(*words, **variables):
    return place.call(*words, cwd=place.work / "packages/ext", **variables)


def declare(text, folder=""):
    place.write(f"{folder}pyproject.toml", f"[tool.cuda-cc]\n{text}\n")


def line(*words, **variables):
    done = called(*words, CUDA_CC_PRINT="target", **variables)
    equal(done.status, 0, done)
    return json.loads(done.out)["line"]


def by_name(runtime):
    declare(f'runtime = "cuda=={runtime}"')


def by_lock(runtime):
    declare('runtime = "lock:uv.lock"')
    place.write("uv.lock", UV_LOCK.format(*{"12.4": ("-cu12", "12.4.127"), "13.0": ("", "13.0.96")}[runtime]))


def by_another_file(runtime):
    """One between the two, which has no runtime first."""
    declare(f'runtime = "cuda=={runtime}"' if runtime == "12.4" else "strict = true", folder="packages/")


by_name("13.0")
[shim] = [word.partition("=")[2] for word in called("-v", "CMakeCUDACompilerId.cu", **REAL).started[0].arguments
          if word.startswith("-ccbin=")]
for write in (by_lock, by_name, by_another_file):
    write("13.0")
    td = place.work / write.__name__
    equal(called("toolchain", td).status, 0)
    inside = [td / "bin/nvcc", "-c", "k.cu"]
    for runtime, status in (("13.0", 0), ("12.4", 3), ("13.0", 0), ("13.0", 0)):
        write(runtime)
        for words in (["-c", "k.cu"], ["k.cu", "-o", "k"]):
            equal(called(*words, **REAL).status, status, (write, runtime, words))
        equal(line("-c", "k.cu"), runtime)
        equal(line(f"{shim}/g++", "x.cpp", "-shared", "-o", "x.so", program=None), runtime, write)
        stopped = called(*inside, program=None)
        code = "CC3002" if write is by_lock else "CC1011"
        equal((bool(stopped.status), code in stopped.err), (bool(status), bool(status)), (write, stopped.err))
        equal((write, called("toolchain", "--check", td).status), (write, status))
