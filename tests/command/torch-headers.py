# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %python -B %s
"""A compile that finds headers of a torch newer than the declared one starts no program and prints the version to pin,
for nvcc and for host compilers; older headers, and those of another build, are a warning (CC3017, CC4127, CC2023)."""
from recording import Place, equal

PYTHON = """from typing import Optional
__version__ = '{0}'
debug = False
cuda: Optional[str] = '{1}'
"""
NUMBERS = """#pragma once
#define TORCH_VERSION_MAJOR {}
#define TORCH_VERSION_MINOR {}
#define TORCH_VERSION_PATCH {}
"""

place = Place()
place.write("k.cu")
place.write("a.cpp")
API = "torch/include/torch/csrc/api/include"


def torch(release, label, cuda, folder=None):
    """Headers and version.py as in the wheel of that release; returns the -I options."""
    folder = folder or f"env{release}{label}/site-packages"
    numbers = release.split(".")
    place.write(f"{folder}/torch/version.py", PYTHON.format(f"{release}+{label}", cuda))
    old = f"{folder}/{API}/torch/version.h"
    if int(numbers[1]) < 10:
        place.write(old, NUMBERS.format(*numbers))
    else:
        place.write(old, "#include <torch/headeronly/version.h>\n")
        place.write(f"{folder}/torch/include/torch/headeronly/version.h", NUMBERS.format(*numbers))
    place.write(f"{folder}/torch/include/c10/core/TensorImpl.h")
    return [f"-I{folder}/torch/include", f"-I{folder}/{API}"]


def lines(*options):
    yield [*options, "-c", "k.cu", "-o", "k.o"]
    yield ["nvcc", *options, "-c", "k.cu", "-o", "k.o"]
    yield ["g++", *options, "-c", "a.cpp", "-o", "a.o"]
    yield ["clang++", *options, "-c", "a.cpp", "-o", "a.o"]


def refused(options, code="CC3017", status=3, runtime="torch==2.11.0", **more):
    for words in lines(*options):
        ended = place.call(*words, CUDA_CC_RUNTIME=runtime, **more)
        equal((ended.status, ended.out, ended.started), (status, "", []), f"{words} {ended.err}")
        first = ended.err.splitlines()[0]
        assert first.startswith("cuda-cc: error: ") and f"[{code}]" in first, ended.err
        assert len(first) <= 77, first
    return ended.err


def started(options, runtime="torch==2.11.0", warning=None, **more):
    for words in lines(*options):
        ended = place.call(*words, CUDA_CC_RUNTIME=runtime, **more)
        equal((ended.status, ended.out, len(ended.started)), (0, "", 1), f"{words} {ended.err}")
        if warning:
            first = ended.err.splitlines()[0]
            assert first.startswith("cuda-cc: warning: ") and f"[{warning}]" in first, ended.err
            assert len(first) <= 77, first
        else:
            equal(ended.err, "", f"{words}")
    return ended.err


same = torch("2.11.0", "cu130", "13.0")
isolated = torch("2.15.0", "cu130", "13.0",
                 "pip-build-env-x1/overlay/lib/python3.11/site-packages")
older = torch("2.9.1", "cu128", "12.8")

started(same)
said = refused(isolated)
for text in ("torch 2.15.0 headers are newer than runtime 2.11.0", "torch 2.15.0+cu130 at pip-build",
             "torch==2.11.0 from CUDA_CC_RUNTIME", "pip builds in isolation",
             'fix: write "torch==2.11.0" in build-system.requires of pyproject.toml'):
    assert text in said, f"{text!r} is missing:\n{said}"
refused([option.replace("-I", "-isystem") for option in isolated])
refused([], CPATH=isolated[0][2:])
# The headers that the compiler finds first are checked.
started(same + isolated)
refused(isolated + same)
refused([same[0], isolated[1]])

# The stable ABI of a release that the runtime has.
started([*isolated, "-DTORCH_TARGET_VERSION=0x020b000000000000"])
refused([*isolated, "-DTORCH_TARGET_VERSION=0x020c000000000000"])
refused([*isolated, "-DTORCH_STABLE_ONLY"])
refused([*isolated, "-DTORCH_TARGET_VERSION=LATER"], "CC2023", 4)

started(older, warning="CC4127")
started(torch("2.11.0", "cu128", "12.8"), warning="CC4127")
started(torch("2.11.0", "cpu", "13.0"))

# A range is checked at its oldest release; modes; and only if torch is declared.
started(same, runtime="torch>=2.11,<2.13")
refused(torch("2.12.1", "cu130", "13.0"), runtime="torch>=2.11,<2.13")
started(isolated, CUDA_CC_ENFORCE="symbols")
started(isolated, CUDA_CC_ENFORCE="warn", warning="CC3017")
started(isolated, CUDA_CC_ENFORCE="off")
started(isolated, CUDA_CC_DISABLE="1")
started(isolated, runtime="cuda==13.0")
started(isolated, runtime=None)
place.write("cuda-cc.toml", 'runtime = "torch==2.11.0"\nwaive = ["CC3017: measured"]\n')
started(isolated, runtime=None)
place.write("cuda-cc.toml", "")

# Headers of torch without a version; a project's own folder of that name.
place.write("cut/torch/include/torch/headeronly/version.h", "#define TORCH_VERSION_MAJOR\n")
place.write("cut/torch/include/torch/csrc/autograd/variable.h")
said = refused(["-Icut/torch/include"], "CC2023", 4)
assert "no TORCH_VERSION_MAJOR with a number" in said, said
place.write("own/torch/csrc/ours.h")
place.write("own/torch/version.h", "#define OURS 1\n")
started(["-Iown"])
