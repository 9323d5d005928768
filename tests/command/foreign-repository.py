# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""In a cloned repository whose files name programs for everything, what only reads starts none of them."""
import shutil

import recorder
from binaries import CUDART, Binaries
from recording import Place, equal

place, made = Place("12.4"), Binaries()
work = place.work
evil = place.bin / "g++"  # a recorder
recorder.toolkit(work / "cuda", "12.4")
for name in ("launcher", "host/g++", ".venv/bin/python", ".venv/bin/python3", "td/bin/nvcc", "uv", "pip", "ninja",
             "cmake", "meson", "auditwheel", "patchelf", "nvcc", "g++", "python3", "git", "sh"):
    (work / name).parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(evil, work / name)
extension = made.extension("ext.so", {CUDART: ["cudaMalloc"]})
shutil.copy(extension, work)
shutil.copy(made.wheel("x-1.0-cp311-cp311-linux_x86_64.whl", {"x/ext.so": extension}), work)
site = made.site("venv", {"nvidia-cuda-runtime-cu12": ("12.4.127", {
    "nvidia/cuda_runtime/lib/libcudart.so.12": made.library("c.so", CUDART, ["cudaMalloc"])})})
shutil.copytree(made.work / "venv/lib", work / ".venv/lib")
shutil.copy(made.work / "venv/pyvenv.cfg", work / ".venv")
# What Python runs as it starts.
(work / ".venv/lib/python3.11/site-packages/x.pth").write_text(f"import os; os.system('{work}/launcher')\n")
(work / ".venv/lib/python3.11/site-packages/sitecustomize.py").write_text(f"import os; os.system('{work}/launcher')\n")
declared = "".join(f"{key} = {value!r}\n" for key, value in {
    "runtime": "env:.venv", "launcher": f"{work}/launcher", "toolkit": f"{work}/cuda",
    "host-compiler": f"{work}/host/g++"}.items()).replace("'", '"')
(work / "pyproject.toml").write_text('[build-system]\nrequires = []\nbuild-backend = "evil"\nbackend-path = ["."]\n')
(work / "evil.py").write_text("import os; os.system('./launcher')\n")
(work / "CMakeLists.txt").write_text("execute_process(COMMAND ./launcher)\n")
build = work / "build"
build.mkdir()
(build / "CMakeCache.txt").write_text(f"CMAKE_HOME_DIRECTORY:INTERNAL={work}\nCMAKE_GENERATOR:INTERNAL=Ninja\n"
                                      f"CMAKE_MAKE_PROGRAM:FILEPATH={work}/ninja\n"
                                      f"CMAKE_COMMAND:INTERNAL={work}/cmake\n")
(build / "build.ninja").write_text("rule r\n  command = ../launcher\nbuild all: r\n")

READS = (("check", "ext.so"), ("check", "x-1.0-cp311-cp311-linux_x86_64.whl", "--format=sarif"),
         ("check", ".", "--runtime", "cuda==12.4"), ("check", ".venv", "--runtime", "env:.venv"), ("inspect", "ext.so"),
         ("explain", "libcudart.so.12: cannot open shared object file"), ("target",), ("target", "--format=cmake"),
         ("doctor",), ("doctor", "ext.so"), ("doctor", "--env", ".venv", "ext.so"), ("init", "--dry-run"),
         ("config", "--cflags", "--libs", "cudart"), ("wheel", "show", "x-1.0-cp311-cp311-linux_x86_64.whl"),
         ("cache", "list"), ("trust", "--list"), ("audit", "build"), ("toolchain", "--check", "td"), ("--cudacc-help",),
         ("help", "check"), ("completion", "bash"))
for text in ("", declared, declared.replace(f"{work}/", "./"), declared + '[matrix]\nruntimes = ["env:.venv"]\n'
             f'toolkits = ["{work}/cuda"]\nbuild = "./launcher"\nartefacts = ["*.so"]\n'):
    (work / "cuda-cc.toml").write_text(text)
    for words in (*READS, ("matrix", "--plan")):
        ended = place.call(*words, PATH="/usr/bin:/bin")
        equal((ended.started, ended.asked), ([], []), f"{words} {ended}")
        assert 0 <= ended.status <= 4, ended

# A compile starts what the repository names, as make does, if it is the user's own (trust.py).
(work / "cuda-cc.toml").write_text(declared)
place.write("x.cpp")
ended = place.call("g++", "-c", "x.cpp", PATH=f"{place.bin}:/usr/bin:/bin")
equal(ended.last.program, str(work / "launcher"), ended)
