# SPDX-License-Identifier: Apache-2.0
# REQUIRES: nvcc
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""What is refused under cuda_cc.build, is refused in the output of pip, uv and build, without a traceback of Python:
a toolkit that is newer than the runtime, before anything is compiled; and a wheel with a library that does not load
there, which is removed."""
from backends import Builds
from sandbox import equal, some, toolkit, wheel

sandbox = Builds("plain", "build")
COMMANDS = {
    "pip": [*sandbox.pip_command, "wheel", "--no-deps", "-w", "dist"],
    "uv": [sandbox.uv, "build", "--wheel", "--out-dir", "dist"],
    "uv pip": [sandbox.uv, "pip", "install", "--no-deps"],
    "build": [sandbox.python, "-m", "build", "--wheel", "--outdir", "dist"],
}


def refused(project, *texts, commands=2, **variables):
    for name, command in some(COMMANDS.items(), commands):
        done = sandbox.build(*command, project, **variables)
        shown = " ".join((done.out + done.err).split())
        assert done.status, (name, done)
        for text in texts:
            assert text in shown, (name, text, done)
        assert "Traceback" not in shown, (name, done)
        equal([path.name for path in (sandbox.work / "dist").glob("*.whl")], [], name)
    sandbox.clean()


declared = 'runtime = "torch==2.11.0"'
backend = 'backend = "setuptools.build_meta"'
refused(sandbox.project("plain", [declared, backend]), "toolkit CUDA 13.2 is newer than runtime CUDA 13.0 [CC3001]",
        "runtime: torch==2.11.0 in pyproject.toml:", 'fix: toolkit = "fetch" in [tool.cuda-cc] # nvcc 13.0', commands=4,
        PATH=f"{toolkit('13.2')}/bin:{sandbox.path}")

# Without a runtime there is nothing to enforce, here and above.
refused(sandbox.project("plain", [backend]), "cuda-cc: error: no runtime is declared", "fix: write runtime = ",
        PATH="/usr/bin:/bin")
refused(sandbox.project("plain", [declared, 'backend = "setuptools"']),
        'backend = "setuptools" in [tool.cuda-cc] names no module', 'fix: write backend = "setuptools.build_meta"',
        PATH="/usr/bin:/bin")

# A library of somebody else's build, which setuptools takes as data.
library = wheel("nvidia-nvjitlink-cu12==12.5.82") / "nvidia/nvjitlink/lib/libnvJitLink.so.12"
source = sandbox.write("prebuilt.c", "int __nvJitLinkCreate_12_5(void);\n"
                       "int f(void) { return __nvJitLinkCreate_12_5(); }\n")
done = sandbox.run("gcc", "-shared", "-fPIC", source, library, "-o", "prebuilt.so")
assert done.status == 0, done
project = sandbox.project("plain", ['runtime = "torch==2.5.1"', backend], **{
    "setup.py": "from setuptools import setup\nsetup(packages=['pkg'], package_data={'pkg': ['*.so']})\n",
    "pkg/__init__.py": ""})
(sandbox.work / "prebuilt.so").rename(project / "pkg/prebuilt.so")
refused(project, "__nvJitLinkCreate_12_5", "[CC4002]",
        "cuda-cc: error: ext-1-py3-none-any.whl was not accepted, and is removed", PATH="/usr/bin:/bin")
