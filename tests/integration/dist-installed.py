# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %python -B %s
"""The wheel as users install it: by pip into a virtual environment, a folder and a home, by uv as a package and as a
tool. The program on PATH is the program itself, and finds what it reads; find_package(CudaCC) works in a build that
requires cuda-cc and nothing else, in the isolation of pip and of uv, with no index but a folder."""
import os
import shutil
import sys
from pathlib import Path

from behaviour import behaviour
from installed import venv
from packing import MINOR, VERSION, links
from sandbox import SYSTEM, Sandbox, equal, wheel, wheels

sandbox = Sandbox()
folder, package = links(sandbox)
offline = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": folder, "UV_NO_INDEX": "1", "UV_FIND_LINKS": folder,
           "UV_CACHE_DIR": sandbox.work / "uv-cache", "UV_PYTHON": sys.executable, "UV_OFFLINE": "1",
           "UV_TOOL_DIR": sandbox.work / "tools", "UV_TOOL_BIN_DIR": sandbox.work / "tool-bin", "UV_NO_CONFIG": "1"}
uv = next(wheel("uv==0.13.9").glob("*.data/scripts/uv"), None) or next(wheel("uv==0.13.9").rglob("bin/uv"))


def good(*words, **environment):
    done = sandbox.run(*words, **{**offline, **environment})
    assert done.status == 0, done
    return done


sandbox.write("c10.c", "int c10;\n")
sandbox.write("t.c", "void _ZNK3c1010TensorImpl15decref_pyobjectEv(void);\n"
              "void f(void) { _ZNK3c1010TensorImpl15decref_pyobjectEv(); }\n")
good("gcc", "-shared", "-fPIC", "-Wl,-soname,libc10.so", "c10.c", "-o", "libc10.so")
good("gcc", "-shared", "-fPIC", "-Wl,--no-as-needed", "t.c", "libc10.so", "-o", "t.so")


def works(program):
    """It runs, and finds the table of torch's names and the loader's audit library."""
    assert program.read_bytes()[:4] == b"\x7fELF", program
    equal(good(program, "version").out.splitlines()[0], f"cuda-cc {VERSION}", program)
    for release, status in (("2.5.1", 3), ("2.10.0", 0)):
        done = sandbox.run(program, "check", "--runtime", f"torch=={release}", "t.so")
        equal(done.status, status, done)
    good(program, "trace", "--", "/bin/true")


SAMPLE = """cmake_minimum_required(VERSION 3.21)
project(sample LANGUAGES NONE)
find_package(CudaCC {version} REQUIRED)
execute_process(COMMAND ${{CudaCC_PROGRAM}} version OUTPUT_FILE ${{CMAKE_BINARY_DIR}}/said COMMAND_ERROR_IS_FATAL ANY)
install(FILES ${{CMAKE_BINARY_DIR}}/said DESTINATION sample)
"""
sandbox.write("sample/pyproject.toml", """[build-system]
requires = ["cuda-cc", "scikit-build-core"]
build-backend = "scikit_build_core.build"
[project]
name = "sample"
version = "1.0"
""")


def sample(version):
    sandbox.write("sample/CMakeLists.txt", SAMPLE.format(version=version))
    return sandbox.work / "sample"


def found(prefix, packages=None, version=MINOR):
    """find_package(CudaCC) as scikit-build-core directs it to the package of this site-packages."""
    site = packages or next(prefix.glob("lib/python3*/site-packages"))
    sample(version)
    shutil.rmtree(sandbox.work / "b", ignore_errors=True)
    return sandbox.run("cmake", "-S", "sample", "-B", "b", f"-DCudaCC_ROOT={site}/cuda_cc")


environment = sandbox.work / "env"
site = venv(environment)


@behaviour
def pip_installs_into_an_environment_and_removes_it():
    before = sorted(environment.rglob("*"))
    wheels.pip("--python", environment / "bin/python", "install", "-q", "--no-index", "--no-compile", package)
    works(environment / "bin/cuda-cc")
    equal(found(environment).status, 0, "the environment's package")
    done = found(environment, version="9.0")
    assert done.status and VERSION in done.err, done
    moved = (environment / "share/cmake").rename(sandbox.work / "moved")
    done = found(environment)
    assert done.status and "install it again" in done.err, done
    moved.rename(environment / "share/cmake")
    wheels.pip("--python", environment / "bin/python", "uninstall", "-q", "-y", "cuda-cc")
    left = [path for path in sorted(environment.rglob("*")) if path not in before and not path.is_dir()]
    equal(left, [], "pip removed all of it")


@behaviour
def pip_installs_into_a_folder():
    wheels.pip("install", "-q", "--no-index", "--no-compile", "--target", sandbox.work / "target", package)
    works(sandbox.work / "target/bin/cuda-cc")
    equal(found(None, sandbox.work / "target").status, 0, "a folder's package")


@behaviour
def uv_installs_into_an_environment():
    good(uv, "pip", "install", "-q", "--python", environment / "bin/python", "cuda-cc")
    works(environment / "bin/cuda-cc")
    equal(found(environment).status, 0, "uv's package")


@behaviour
def uv_installs_a_tool():
    good(uv, "tool", "install", "-q", "cuda-cc")
    works(sandbox.work / "tool-bin/cuda-cc")


@behaviour
def builds_in_isolation_find_what_they_require():
    """It comes from the folder, and CMake finds it."""
    sample(MINOR)
    for name, words in {"pip": (sys.executable, "-m", "pip", "wheel", "-q", "-w", "pip", "./sample"),
                        "uv": (uv, "build", "-q", "--wheel", "-o", "uv", "sample")}.items():
        good(*words, PATH=SYSTEM)
        built = next(Path(sandbox.work / name).glob("sample-1.0-*.whl"))
        said = wheels.zipfile.ZipFile(built).read("sample/said").decode()
        equal(said.splitlines()[0], f"cuda-cc {VERSION}", name)
        assert os.path.exists(built)
