# SPDX-License-Identifier: Apache-2.0
# REQUIRES: nvcc
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""A member of a workspace under cuda_cc.build: `uv build` makes its wheel from its source distribution, which has no
workspace above it, and enforces the runtime of the workspace's root all the same, also one that is a lock file there.
So do builds in the workspace itself."""
import shutil

from backends import Builds
from sandbox import equal, toolkit

sandbox = Builds("plain", "build").use("13.0")
UV = (sandbox.uv, "build", "--out-dir", "dist")
PIP = (*sandbox.pip_command, "wheel", "--no-deps", "-w", "dist")
LOCK = """version = 1
requires-python = ">=3.9"

[[package]]
name = "nvidia-cuda-runtime"
version = "{}"
source = {{ registry = "https://index.example.org/simple" }}
"""


def workspace(root, *member, folder):
    """Its member, below packages; the root has a lock file, as uv makes it."""
    sandbox.write(f"{folder}/pyproject.toml", '[tool.uv.workspace]\nmembers = ["packages/*"]\n' + root)
    sandbox.write(f"{folder}/uv.lock", LOCK.format("13.0.96"))
    return sandbox.project("plain", [*member, 'backend = "setuptools.build_meta"'], f"{folder}/packages/ext")


def built(project, *commands):
    for command in commands:
        sandbox.judged(sandbox.built(*command, project, PATH=sandbox.path))


def refused(project, declared, *commands):
    """The toolkit is too new for the runtime in each of these builds."""
    for command in commands:
        shutil.rmtree(sandbox.work / "dist", ignore_errors=True)
        done = sandbox.build(*command, project, PATH=f"{toolkit('13.2')}/bin:{sandbox.path}")
        shown = " ".join((done.out + done.err).split())
        assert done.status and "toolkit CUDA 13.2 is newer than runtime CUDA 13.0 [CC3001]" in shown, done
        assert declared in shown and "Traceback" not in shown, done
        equal([path.name for path in (sandbox.work / "dist").glob("*.whl")], [], command)


inherits = workspace('[tool.cuda-cc]\nruntime = ["torch==2.11.0"]\n', folder="inherits")
built(inherits, UV, PIP)
refused(inherits, "torch==2.11.0 in ", UV, PIP)
locked = workspace("", 'runtime = "lock:../../uv.lock"', folder="locked")
built(locked, UV, (sandbox.python, "-m", "build", "--outdir", "dist"))
refused(locked, "/ext-1/.cuda-cc/uv.lock in pyproject.toml:", UV)
