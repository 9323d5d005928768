# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""`toolkit = "fetch"` behind cuda_cc.build, where no CUDA is installed: pip builds with a toolkit that was fetched
before (fetch-toolkit.py fetches), and without one asks for the license."""
import json
import shutil

from backends import Builds
from sandbox import toolkit

builds = Builds("setuptools", environment=("nvidia-cuda-runtime==13.0.96",))
project = builds.project("setuptools", ['runtime = "torch==2.11.0"', 'backend = "setuptools.build_meta"',
                                        'toolkit = "fetch"'])
cache = builds.root / "cache"
command = (*builds.pip_command, "wheel", "--no-deps", "-w", "dist", project)
refused = builds.build(*command, XDG_CACHE_HOME=cache)
assert refused.status and "[CC1015]" in refused.out + refused.err and not cache.exists(), refused

plan = json.loads(builds.cc("toolchain", "x", "--runtime=torch==2.11.0", "--fetch", "--print", "--format=json",
                            XDG_CACHE_HOME=cache).out)
shutil.copytree(toolkit("13.0"), plan["folder"], symlinks=True)
builds.judged(builds.built(*command, XDG_CACHE_HOME=cache))
builds.nothing_is_left()
builds.clean()
