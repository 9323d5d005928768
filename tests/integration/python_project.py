# SPDX-License-Identifier: Apache-2.0
"""An extension module for tests of Python's build tools (a kernel, a call into cuSOLVER, Python's C API), and the
checks of the built module."""
import json
import shutil
import sys
from pathlib import Path

import note
from sandbox import PROGRAM, equal, wheels

MODULE = """#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <cusolverDn.h>
extern "C" int run(int *p);
static PyObject *solve(PyObject *, PyObject *) {
  cusolverDnHandle_t handle;
  return PyLong_FromLong(cusolverDnCreate(&handle) + run(nullptr));
}
static PyMethodDef methods[] = {{"solve", solve, METH_NOARGS, ""}, {}};
static PyModuleDef definition = {PyModuleDef_HEAD_INIT, "ext", "", -1, methods};
PyMODINIT_FUNC PyInit_ext(void) { return PyModule_Create(&definition); }
"""
KERNEL = """__global__ void k(int *p) { *p = 1; }
extern "C" int run(int *p) { k<<<1, 1>>>(p); return (int)cudaGetLastError(); }
"""
TORCH_NEEDS = ("filelock==3.16.1", "typing-extensions==4.12.2", "sympy==1.13.3", "mpmath==1.3.0",
               "networkx==3.4.2", "jinja2==3.1.4", "markupsafe==3.0.2", "fsspec==2024.10.0")
BUILDERS = ("setuptools==80.9.0", "wheel==0.45.1", "packaging==25.0")
NVIDIA = ("nvidia-cuda-nvcc==13.0.88", "nvidia-cuda-crt==13.0.88", "nvidia-nvvm==13.0.88",
          "nvidia-cuda-cccl==13.0.85")


def activated(td, path):
    """The variables that `activate` sets, for starting programs without a shell."""
    nvcc = td / "bin/nvcc"
    return {"PATH": f"{td}/bin:{path}", "CC": td / "bin/gcc", "CXX": td / "bin/g++", "CUDACXX": nvcc,
            "CUDA_HOME": td, "CUDA_PATH": td, "CUDAToolkit_ROOT": td, "NVCC": nvcc,
            "PYTORCH_NVCC": nvcc, "CMAKE_TOOLCHAIN_FILE": td / "toolchain.cmake"}


def accepted(sandbox, path, runtime, rpath=None, folders=("nvidia/cu13/lib",)):
    """It contains manifest and search path, and `check` accepts it."""
    elf = note.elf(path)
    assert note.manifest(path), f"{path} has no manifest"
    equal(elf.rpath, rpath or [f"$ORIGIN/{up}{folder}" for up in ("../", "") for folder in folders], path)
    done = sandbox.run(PROGRAM, "check", "--format=json", "--runtime", runtime, path)
    equal(done.status, 0, done)
    equal(json.loads(done.out)["files"][0]["verdict"], "accept", done)


def imported(sandbox, folder, before=""):
    """Python finds the module in this folder, and its call into cuSOLVER succeeds."""
    code = f"{before}\nimport ext\nprint('solved', ext.solve())"
    done = sandbox.run(sys.executable, "-B", "-W", "ignore", "-c", code, PYTHONPATH=folder, cwd="/")
    assert done.status == 0 and done.out.startswith("solved "), done


def held(sandbox, path, runtime, site, before="", folders=("nvidia/cu13/lib",)):
    """It is accepted, and Python imports it from its site-packages."""
    accepted(sandbox, path, runtime, folders=folders)
    target = site / "ext.so"
    target.unlink(missing_ok=True)
    shutil.copy(path, target)
    imported(sandbox, site, before)
    target.unlink()


def pip_of(sandbox, prefix, *requirements):
    """Variables under which `pip` and `python` are those of this environment, and pip's index, also in build isolation,
    consists of these wheels."""
    index = sandbox.root / "index"
    index.mkdir()
    for requirement in requirements:
        wheels.file_of(requirement, index)
    pip = sandbox.root / "bin/pip"
    pip.parent.mkdir()
    pip.write_text("#!/bin/sh\nexec {} --python '{}/bin/python' \"$@\"\n".format(
        " ".join(wheels.pip_command()), prefix))
    pip.chmod(0o755)
    return {"PATH": f"{pip.parent}:{prefix}/bin:{Path(PROGRAM).parent}:{sandbox.path}", "USER": "u",
            "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": index, "PIP_NO_COMPILE": "1", **wheels.QUIET_PIP}
