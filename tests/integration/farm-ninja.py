# SPDX-License-Identifier: Apache-2.0
# REQUIRES: nvcc, root
# RUN: PYTHONPATH=%S:%support %support/alone %support/hide-cuda %python -B %s
"""docs/caches.md: with backend = "ninja" the host part of a compile by nvcc runs on a farm of distcc, icecc or
sccache-dist, which compiles for the device, too. Symbols and device code are nvcc's; of preprocessed text, which a farm
gets, GCC itself makes slightly other instructions."""
import os
import shutil
from pathlib import Path

from documented import follows
from farming import Distcc, Icecc, SccacheDist
from ninja_builds import Builds, stable, tool
from sandbox import KERNEL, PROGRAM, equal, skip

if not shutil.which("bwrap"):
    skip("no bubblewrap, in which sccache-dist builds")
builds = Builds()
builds.write("kernel.cu", KERNEL)
WORDS = ("-c", "kernel.cu", "-o", "kernel.o", "-gencode", "arch=compute_80,code=sm_80", "-gencode",
         "arch=compute_90,code=sm_90")
output, images = builds.work / "kernel.o", builds.root / "images"


def parts():
    """Symbols, and the images for the device."""
    tool("objcopy", "-O", "binary", "-j", ".nv_fatbin", "--set-section-flags", ".nv_fatbin=alloc", output, images)
    names = [line.split()[:2] for line in stable(tool("nm", "-P", output)).decode().splitlines()]
    return sorted(names), images.read_bytes()


equal(builds.run("nvcc", *WORDS).status, 0)
expected = parts()


def compiled(launcher, variables):
    """The same compile, with nothing left of the last one."""
    shutil.rmtree(builds.store, ignore_errors=True)
    output.unlink()
    done = builds.ninja(*WORDS, CUDA_CC_LAUNCHER=launcher, **variables)
    equal((done.status, done.err), (0, ""), done)
    names, code = parts()
    equal((names, code == expected[1]), (expected[0], True), launcher)
    assert builds.ran().count("cicc") == 2, builds.logged()


def followed(section, variables):
    """A section as written; the page's last command of all made the object."""
    shutil.rmtree(builds.store, ignore_errors=True)
    section.follow(builds, **{**variables, "PATH": f"{Path(PROGRAM).parent}:{variables['PATH']}"})
    assert output.exists()


page = follows("caches", "sccache-dist", "distcc and icecc")
distcc = Distcc(builds)
compiled("distcc", distcc.variables)
equal(len(distcc.jobs()), 1, distcc.daemon.said)
sccache = SccacheDist(builds)
for hits, misses in ((0, 5), (5, 5)):
    compiled(sccache.client.program, sccache.variables)
    equal(sccache.client.counts(), (hits, misses), sccache.client.stats())
equal(sccache.jobs(), 5, sccache.client.stats())
programs = os.path.dirname(sccache.client.program)
followed(page["sccache-dist"], {**sccache.variables, "PATH": f"{programs}:{builds.path}"})
equal(sccache.client.counts(), (10, 5), sccache.client.stats())
# Last, as it mounts on files of /proc, where bubblewrap then can mount no other.
icecc = Icecc(builds)
compiled("icecc", icecc.variables)
equal(len(icecc.jobs()), 1, icecc.there.said)
both = {**distcc.variables, **icecc.variables, "PATH": f"{distcc.bin}:{icecc.variables['PATH']}"}
followed(page["distcc and icecc"], both)
equal((len(distcc.jobs()), len(icecc.jobs())), (2, 2))
