# SPDX-License-Identifier: Apache-2.0
# REQUIRES: nvcc
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""`cuda-cc matrix` with `build = "meson"`, and with `pip wheel` of setuptools: what is installed is checked, a test
imports the wheel in an environment of its own, and one that fails rejects the runtime."""
import json
import sys

import installed
from matrix_projects import Matrix
from meson_project import NEWEST
from python_project import BUILDERS, pip_of
from sandbox import KERNEL, equal, skip, toolkit, wheel

KIT = toolkit("13.0")


def declare(matrix, **keys):
    lines = "".join(f"{key} = {json.dumps(value)}\n" for key, value in keys.items())
    matrix.sandbox.write("cuda-cc.toml", f"[matrix]\nruntimes = ['cuda==13.0', 'cuda==13.2']\ntoolkits = ['{KIT}']\n"
                                         f"{lines}")


# Meson.
matrix = Matrix({"k.cu": KERNEL, "meson.build": """project('p', 'cpp', 'cuda')
cuda = dependency('cuda', modules: ['cudart'])
shared_library('p', 'k.cu', dependencies: cuda, link_args: ['-cudart', 'shared'], install: true)
"""})
meson = matrix.sandbox.root / "bin/meson"
meson.parent.mkdir()
meson.write_text(f"#!/bin/sh\nPYTHONPATH={wheel(f'meson=={NEWEST}')} exec {sys.executable} -B -m mesonbuild.mesonmain "
                 '"$@"\n')
meson.chmod(0o755)
declare(matrix, build="meson")
path = {"PATH": f"{meson.parent}:{matrix.sandbox.path}"}
made = matrix.json(**path)
assert made["verdict"] == "accept" and made["builds"][0]["runtimes"] == ["cuda==13.0", "cuda==13.2"], made
paths = {row["path"] for row in made["files"]}
assert len(paths) == 1 and paths.pop().startswith("cu13.0/install/"), made["files"]
log = matrix.sandbox.work / ".cuda-cc/matrix/cu13.0/build.log"
matrix.sandbox.write("k.cu", KERNEL + "\n")
matrix(**path)
assert "Compiling Cuda object" in log.read_text() or "k.cu" in log.read_text(), log.read_text()

# setuptools, in pip's isolation.
matrix = Matrix({
    "pyproject.toml": '[build-system]\nrequires = ["setuptools", "wheel"]\nbuild-backend = "setuptools.build_meta"\n',
    "setup.py": """from setuptools import Extension, setup
setup(name="x", version="1.0", packages=["x"], install_requires=["nvidia-cuda-runtime>=13.0,<14"],
      ext_modules=[Extension("x.native", ["native.c"], libraries=["cudart"])])
""",
    "x/__init__.py": "",
    "native.c": """#include <Python.h>
#include <cuda_runtime_api.h>
static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "native"};
PyMODINIT_FUNC PyInit_native(void) {
  int version = 0;
  cudaRuntimeGetVersion(&version);
  PyObject *made = PyModule_Create(&module);
  PyModule_AddIntConstant(made, "version", version);
  return made;
}
"""})
if matrix.sandbox.run("python3", "-c", "import ensurepip, venv").status:
    skip("python3 has no ensurepip (Debian: python3-venv)")
prefix = matrix.sandbox.root / "venv"
installed.venv(prefix)
variables = pip_of(matrix.sandbox, prefix, *BUILDERS, "nvidia-cuda-runtime==13.0.96")
variables["PATH"] = matrix.sandbox.path
TEST = "cd / && \"$PYTHON\" -c 'import x.native; assert x.native.version >= 13000, x.native.version'"
declare(matrix, build="pip wheel", test=TEST)
made = matrix.json(**variables)
equal((made["verdict"], "problems" in made), ("accept", False), made)
assert all(row["path"].startswith("cu13.0/dist/x-1.0-") for row in made["files"]), made["files"]
declare(matrix, build="pip wheel", test=TEST.replace(">=", "<"))
done = matrix(status=3, **variables)
equal(done.codes, ["CC4222"] * 2, done)
assert "AssertionError: 130" in done.err, done.err
