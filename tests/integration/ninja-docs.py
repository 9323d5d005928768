# SPDX-License-Identifier: Apache-2.0
# REQUIRES: nvcc, ccache
# RUN: PYTHONPATH=%S %support/hide-cuda %python -B %s
"""docs/ninja.md as written; and a launcher, which stands before the host compile alone."""
import json
import shutil
from pathlib import Path

from caching import Ccache, new_sccache
from documented import follows
from ninja_builds import Builds, comparable
from sandbox import KERNEL, PROGRAM, equal

builds = Builds()
builds.write("kernel.cu", KERNEL)
page = follows("ninja")
builds.write("cuda-cc.toml", 'backend = "ninja"\n' + "\n".join(page["Jobs"].shown) + "\n")
ccache = Ccache(builds)
variables = {**ccache.variables, "PATH": f"{Path(PROGRAM).parent}:{builds.path}"}
for section in page.values():
    section.follow(builds, **variables)
last = json.loads((builds.work / "log").read_text().splitlines()[-1])
assert last["did"] == "ninja" and "ran" in last, last

equal(ccache.counts(), (0, 1), ccache.counts())
first = comparable(builds.work / "cached.o")


def again(launcher, **environment):
    """The same compile without what the last one left."""
    shutil.rmtree(builds.store)
    done = builds.ninja("-c", "kernel.cu", "-o", "cached.o", "-gencode", "arch=compute_80,code=sm_80",
                        CUDA_CC_LAUNCHER=launcher, **environment)
    equal((done.status, done.err), (0, ""), done)
    assert "cicc" in builds.ran(), builds.logged()
    equal(comparable(builds.work / "cached.o"), first)


again("ccache", **ccache.variables)
equal(ccache.counts(), (1, 1), ccache.counts())
# An sccache of 0.10 or newer has the device code, too; another launcher is not asked for it.
sccache = new_sccache(builds)
for expected in ((0, 3), (3, 3)):
    again(sccache.program, **sccache.variables)
    equal(sccache.counts(), expected, sccache.stats())
