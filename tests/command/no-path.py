# RUN: PYTHONPATH=%S %python -B %s
"""Programs are searched as execvp does: without PATH in its default folders, and in the working
directory where PATH has an empty element, and only there."""
import os
import shutil

from recording import Place, equal

place = Place()
in_work = place.work / "mpicxx"
in_work.write_bytes((place.bin / "mpicxx").read_bytes())
in_work.chmod(0o755)
place.write("x.cpp", "int f() { return 1; }\n")


def call(*words, **environment):
    return place.call(*words, **environment)


for path in ("", ":/none", "/none:", "/none::/none/too", "."):
    ended = call("mpicxx", "-c", "x.cpp", PATH=path)
    equal((ended.status, ended.only.program), (0, str(in_work)), f"PATH={path!r}")
for path in ("/none", None):
    ended = call("./mpicxx", "-c", "x.cpp", PATH=path)
    equal((ended.status, ended.only.program), (0, str(in_work)), "a path is no name")
    # Not a compiler, so an input of nvcc.
    ended = call("mpicxx", "-c", "x.cpp", PATH=path, CUDA_PATH=place.toolkit)
    equal(ended.only.program, str(place.nvcc), f"PATH={path!r}")
    ended = call("gcc-of-none", "-c", "x.cpp", PATH=path, CUDA_PATH=place.toolkit)
    equal(ended.only.program, str(place.nvcc), f"PATH={path!r}")

# A name that only a compiler has: nothing in the working directory is taken for it.
for name in ("x86_64-none-g++", "clang-98"):
    copy = place.work / name
    copy.write_bytes(in_work.read_bytes())
    copy.chmod(0o755)
    ended = call(name, "-c", "x.cpp", PATH=None)
    equal((ended.status, ended.started), (4, []), f"{name} {ended.err}")
    assert "searched: PATH is not set, so /bin:/usr/bin" in ended.err, ended.err
    equal(call(name, "-c", "x.cpp", PATH="").only.program, str(copy), name)
copy = place.work / "nvcc"
shutil.copy(place.nvcc, copy)
copy.chmod(0o755)
equal(call("-c", "k.cu", PATH="").only.program, str(copy), "nvcc of the working directory")
equal(call("-c", "k.cu", PATH=None, CUDA_PATH=place.toolkit).only.program, str(place.nvcc), "no PATH")

# What every machine has is found, in an environment with nothing in it, too; g++ itself may not get on
# without PATH (12 does not find cc1plus), which is its own affair.
if os.access("/bin/g++", os.X_OK) or os.access("/usr/bin/g++", os.X_OK):
    nothing = dict.fromkeys(place.environment())
    for environment in ({"PATH": None}, nothing):
        for words in (("g++", "--version"), ("g++", "-c", "x.cpp", "-o", "x.o")):
            plain = call("/usr/bin/env", *words, program=None, **environment)
            ended = call(*words, **environment)
            equal((ended.status, ended.out, ended.err), (plain.status, plain.out, plain.err), words)
    equal(call("g++", "--version", PATH=None).status, 0, "it was found")
