# SPDX-License-Identifier: Apache-2.0
# REQUIRES: nvcc
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""docs/python.md as written, except for the backend (python-backend-docs.py), torch (python-torch.py) and CuPy
(python-cupy.py). AT17, R31, R33, F18: pip builds a project with `runtime = "env:.venv"` in build isolation, with
setuptools, scikit-build-core (in four ways), meson-python and Hatch. The installed module has manifest and search
path, is accepted and can be imported; every call was checked against the environment outside of the isolation."""
import json
import zipfile

import installed
from behaviour import behaviour
from documented import follows
from python_project import BUILDERS, KERNEL, MODULE, NVIDIA, accepted, imported, pip_of
from sandbox import Sandbox, equal, skip, tools, wheels

if set(tools("cmake", "ninja")) < {"cmake", "ninja"}:
    skip("no cmake or no ninja")
sandbox = Sandbox()
prefix = sandbox.work / ".venv"
site = installed.venv(prefix)
installed.put(site, *wheels.read_wanted("environments")["torch==2.11.0"], *NVIDIA, *BUILDERS)
PAGE = follows("python", "Without the backend", "Wheels", "In place", "setuptools", "scikit-build-core", "meson-python",
               "Hatch")
DECLARED = PAGE["Without the backend"].files["pyproject.toml"]
runtime = f"env:{prefix}"
log = sandbox.work / "log"
VARIABLES = {"CUDA_CC_LOG": log, **pip_of(
    sandbox, prefix, *BUILDERS, "scikit-build-core==0.11.6", "pathspec==0.12.1", "meson-python==0.18.0",
    "pyproject-metadata==0.9.1", "meson==1.12.1", "hatchling==1.27.0", "pluggy==1.7.0",
    "trove-classifiers==2026.9.21.13")}
sandbox.write("ext.cpp", MODULE)
sandbox.write("k.cu", KERNEL)
cmake = sandbox.write("CMakeLists.txt", """cmake_minimum_required(VERSION 3.21)
project(ext LANGUAGES CXX CUDA)
find_package(CUDAToolkit REQUIRED)
find_package(Python REQUIRED COMPONENTS Interpreter Development.Module)
python_add_library(ext MODULE WITH_SOABI ext.cpp k.cu)
set_target_properties(ext PROPERTIES CUDA_ARCHITECTURES 80 CUDA_RUNTIME_LIBRARY Shared)
target_link_libraries(ext PRIVATE CUDA::cudart CUDA::cusolver)
install(TARGETS ext DESTINATION .)
""")
sandbox.write("meson.build", """project('ext', ['cpp', 'cuda'], version: '1')
py = import('python').find_installation(pure: false)
cuda = dependency('cuda', modules: ['cudart', 'cusolver'])
py.extension_module('ext', 'ext.cpp', 'k.cu', dependencies: [cuda, py.dependency()], install: true,
                    cuda_args: ['-arch=sm_80'])
""")


def project(backend, requires, title=None):
    """The files of the project; the declaration is on the same line in each."""
    text = (f'[build-system]\nrequires = ["{requires}"]\nbuild-backend = "{backend}"\n'
            f'[project]\nname = "ext"\nversion = "1"\n{DECLARED}')
    files = PAGE[title].files if title else {}
    for name, content in {**files, "pyproject.toml": text + files.get("pyproject.toml", "")}.items():
        sandbox.write(name, content)


def shell(*lines, **variables):
    done = sandbox.run("sh", "-eux", "-c", "\n".join(lines), **{**VARIABLES, **variables})
    assert done.status == 0 and "cuda-cc: error" not in done.out + done.err, done
    return done


ACTIVATE = PAGE["Without the backend"].commands[-1]


def built(*lines, where=site, rpath=None, kinds=frozenset({"compile", "link"}), **variables):
    """Runs these commands; every call of cuda-cc used the environment's runtime, and the module works."""
    for module in [*site.glob("ext*.so"), *sandbox.work.glob("ext*.so")]:
        module.unlink()
    log.unlink(missing_ok=True)
    done = shell(*lines, **variables)
    calls = [json.loads(line) for line in log.read_text().splitlines()]
    assert kinds <= {call["kind"] for call in calls}, calls
    equal({call["runtime"].split(" ")[0] for call in calls if "runtime" in call}, {runtime}, lines)
    module = next(where.glob("ext*.so"))
    accepted(sandbox, module, runtime, rpath)
    imported(sandbox, where)
    assert "pip install ." not in lines or "Installing build dependencies" in done.out, done
    return module


project("setuptools.build_meta", "setuptools", "setuptools")
shell(*PAGE["Without the backend"].commands)
plain, arguments = PAGE["scikit-build-core"].commands


@behaviour
def setuptools_builds_in_an_activated_shell():
    built(ACTIVATE, *PAGE["setuptools"].commands)


@behaviour
def a_module_in_the_source_tree_is_for_development():
    """F18: it finds the environment's libraries, and is no part of a wheel."""
    project("setuptools.build_meta", "setuptools", "setuptools")
    relative = ["$ORIGIN/../nvidia/cu13/lib", "$ORIGIN/nvidia/cu13/lib"]
    for command in PAGE["In place"].commands:
        module = built(ACTIVATE, command, where=sandbox.work, rpath=[*relative, f"{site}/nvidia/cu13/lib"])
    with zipfile.ZipFile(sandbox.work / "ext-1-py3-none-any.whl", "w") as archive:
        archive.write(module, "ext.so")
        archive.writestr("ext-1.dist-info/METADATA", "Metadata-Version: 2.1\nName: ext\nVersion: 1\n")
    rejected = sandbox.cc("check", "ext-1-py3-none-any.whl", "--runtime", runtime)
    assert rejected.status == 3 and "CC4012" in rejected.out, rejected


@behaviour
def hatch_builds_in_an_activated_shell():
    project("hatchling.build", "hatchling", "Hatch")
    built(ACTIVATE, *PAGE["Hatch"].commands)


@behaviour
def a_wheel_is_built_without_a_toolchain_directory():
    """`env` is the outer environment too, because pip's own is not a virtual one."""
    project("hatchling.build", "hatchling", "Hatch")
    shell(*PAGE["Wheels"].commands, NVCC="cuda-cc", CUDA_CC_RUNTIME="env", CUDA_CC_TOOLKIT="env",
          VIRTUAL_ENV=prefix)
    with zipfile.ZipFile(next((sandbox.work / "dist").glob("*.whl"))) as archive:
        accepted(sandbox, archive.extract("ext.so", sandbox.work / "dist"), runtime)


@behaviour
def meson_python_builds_in_an_activated_shell():
    project("mesonpy", "meson-python")
    built(ACTIVATE, *PAGE["meson-python"].commands)


@behaviour
def scikit_build_core_builds_in_an_activated_shell_or_with_variables():
    project("scikit_build_core.build", "scikit-build-core")
    built(ACTIVATE, plain)
    built(plain, CUDACXX=sandbox.work / "build/cuda/bin/nvcc",
          CMAKE_CXX_LINKER_LAUNCHER=sandbox.work / "build/cuda/bin/cuda-cc")


@behaviour
def a_cpp_project_is_linked_by_an_argument_or_by_the_page_s_files():
    project("scikit_build_core.build", "scikit-build-core")
    sandbox.write("run.cpp", 'extern "C" int run(int *) { return 0; }\n')
    cmake.write_text(cmake.read_text().replace("CXX CUDA", "CXX").replace("k.cu", "run.cpp"))
    built(arguments, kinds={"link"})
    project("scikit_build_core.build", "scikit-build-core", "scikit-build-core")
    built(plain, kinds={"link"})
