# SPDX-License-Identifier: Apache-2.0
# REQUIRES: nvcc, root
# RUN: PYTHONPATH=%S:%support %support/alone %support/hide-cuda %python -B %s
"""R27: sccache's own compile farm, sccache-dist, behind cuda-cc: compiles are checked here, the server compiles them,
the objects have the record, and the next clean build has only hits."""
import shutil

import note
from farming import SccacheDist
from sandbox import Sandbox, equal, skip

if not shutil.which("bwrap"):
    skip("no bubblewrap, in which sccache-dist builds")
sandbox = Sandbox("13.0")
sandbox.write("l.cpp", '#include <cuda_runtime.h>\nextern "C" int f() { return cudaFree(nullptr); }\n')
COMPILE = ("g++", "-fPIC", f"-I{sandbox.toolkit}/include", "-c", "l.cpp", "-o", "l.o")
farm = SccacheDist(sandbox)
behind = {"CUDA_CC_RUNTIME": "cuda==13.0", "CUDA_CC_LAUNCHER": farm.client.program, **farm.variables}

sandbox.good(*COMPILE, **behind)
first = (sandbox.work / "l.o").read_bytes()
equal([note.parse(each)["headers"] for each in note.manifest(sandbox.work / "l.o").objects], ["13.0"])
equal((farm.jobs(), farm.client.counts()), (1, (0, 1)), f"compiled there: {farm.client.stats()}")
(sandbox.work / "l.o").unlink()
sandbox.good(*COMPILE, **behind)
equal((sandbox.work / "l.o").read_bytes(), first, "out of the cache")
sandbox.refused(*COMPILE, code="CC3014", output="l.o", **{**behind, "CUDA_CC_RUNTIME": "cuda==12.9"})
equal((farm.jobs(), farm.client.counts()), (1, (1, 1)), "a hit; nothing was asked for what is refused")
