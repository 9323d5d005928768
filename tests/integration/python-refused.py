# SPDX-License-Identifier: Apache-2.0
# REQUIRES: nvcc
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""AT17: pip builds a project under CUDA_CC_RUNTIME=torch==2.11.0 (CUDA 13.0) with nvcc 13.2: setuptools,
scikit-build-core and meson-python stop, cuda-cc's message is in their output (for Meson, in the log that it names),
and there is no wheel. torch's builder: python-torch.py."""
from python_project import BUILDERS, KERNEL, MODULE
from sandbox import PROGRAM, Sandbox, environment_of, equal, skip, tools, wheels

if set(tools("cmake", "ninja")) < {"cmake", "ninja"}:
    skip("no cmake or no ninja")
sandbox = Sandbox("13.2")
site = environment_of(
    *BUILDERS, "scikit-build-core==0.11.6", "pathspec==0.12.1", "meson-python==0.18.0",
    "pyproject-metadata==0.9.1", "meson==1.12.1")
MESON = """import sys
sys.path.insert(0, {!r})
from mesonbuild.mesonmain import main
sys.exit(main())
"""
program = sandbox.write("meson", "#!/usr/bin/env -S python3 -B\n" + MESON.format(str(site)))
program.chmod(0o755)
machine = sandbox.write("machine.ini", f"""[binaries]
c = ['{PROGRAM}', 'gcc']
cpp = ['{PROGRAM}', 'g++']
cuda = '{PROGRAM}'
""")
VARIABLES = {"PYTHONPATH": site, "USER": "u", "NVCC": PROGRAM, "CUDACXX": PROGRAM, "CC": f"{PROGRAM} gcc",
             "CXX": f"{PROGRAM} g++", "MESON": program, "CUDA_CC_RUNTIME": "torch==2.11.0"}
SETUP = """import os, subprocess
from setuptools import Extension, setup
subprocess.check_call([os.environ["NVCC"], "-arch=sm_80", "-Xcompiler=-fPIC", "-c", "k.cu", "-o", "k.o"])
setup(ext_modules=[Extension("ext", ["ext.cpp"], extra_objects=["k.o"], language="c++")])
"""
CMAKE = """cmake_minimum_required(VERSION 3.21)
project(ext LANGUAGES CXX CUDA)
add_library(ext MODULE ext.cpp k.cu)
install(TARGETS ext DESTINATION .)
"""
NINJA = """project('ext', ['cpp', 'cuda'], version: '1')
py = import('python').find_installation(pure: false)
py.extension_module('ext', 'ext.cpp', 'k.cu', install: true)
"""


def refused(backend, *options, **files):
    for name, text in {"ext.cpp": MODULE, "k.cu": KERNEL, "pyproject.toml":
                       f'[build-system]\nrequires = []\nbuild-backend = "{backend}"\n'
                       '[project]\nname = "ext"\nversion = "1"\n', **files}.items():
        sandbox.write(f"{backend}/{name}", text)
    done = sandbox.run(*wheels.pip_command(), "wheel", "--no-deps", "--no-build-isolation", "--no-index", "-w",
                       "dist", *options, f"./{backend}", **VARIABLES)
    assert done.status, done
    equal(list((sandbox.work / "dist").glob("*")), [], backend)
    return done.out + done.err


def says(text):
    text = " ".join(text.split())
    assert "[CC3001]" in text and "toolkit CUDA 13.2 is newer than" in text, text


says(refused("setuptools.build_meta", **{"setup.py": SETUP}))
says(refused("scikit_build_core.build", **{"CMakeLists.txt": CMAKE}))
log = sandbox.work / "mesonpy/kept/meson-logs/meson-log.txt"
shown = refused("mesonpy", f"-Csetup-args=--native-file={machine}", "-Cbuild-dir=kept",
                **{"meson.build": NINJA})
assert "compile programs" in shown and str(log) in shown, shown
says(log.read_text())
