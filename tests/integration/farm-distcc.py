# SPDX-License-Identifier: Apache-2.0
# REQUIRES: nvcc, ccache
# RUN: PYTHONPATH=%S %support/alone %support/hide-cuda %python -B %s
"""R28: distcc with a daemon on loopback, behind cuda-cc (`launcher`, or on the line) and in front of it. Compiles are
checked here before they are sent, and their objects have the record (EM-9); a rejected compile is not sent; compilers
that distcc does not support (nvcc) run here; links run here and are checked."""
import shutil

import note
from caching import Ccache
from farming import Distcc
from sandbox import KERNEL, PROGRAM, Sandbox, equal

sandbox = Sandbox("13.0")
farm = Distcc(sandbox)
sandbox.write("k.cu", KERNEL)
sandbox.write("l.cpp", '#include <cuda_runtime.h>\nextern "C" int f() { return cudaFree(nullptr); }\n')
include = f"-I{sandbox.toolkit}/include"
COMPILE = ("g++", "-fPIC", include, "-c", "l.cpp", "-o", "l.o")
declared = {"CUDA_CC_RUNTIME": "cuda==13.0", **farm.variables}
behind = {**declared, "CUDA_CC_LAUNCHER": "distcc"}
sent = []


def records(file):
    return [note.parse(record)["headers"] for record in note.manifest(sandbox.work / file).objects]


def done(jobs, what):
    """What the daemon has compiled since the last call."""
    equal(farm.jobs(), sent + jobs, what)
    sent.extend(jobs)


sandbox.good(*COMPILE, **behind)
equal(records("l.o"), ["13.0"], "record")
done(["/usr/bin/g++ l.cpp"], "launcher")
sandbox.good("distcc", *COMPILE, **declared)
equal(records("l.o"), ["13.0"], "record")
done(["/usr/bin/g++ l.cpp"], "on the line")
for words in (COMPILE, ("distcc", *COMPILE)):
    sandbox.refused(*words, code="CC3014", output="l.o", **{**behind, "CUDA_CC_RUNTIME": "cuda==12.9"})
done([], "refused")

# distcc does not distribute nvcc's compiles; they are checked and have their record.
sandbox.good("-arch=sm_80", "-Xcompiler", "-fPIC", "-c", "k.cu", "-o", "k.o", **behind)
equal(records("k.o"), ["13.0"], "nvcc's record")
done([], "nvcc")

# A cache in front of the farm: on a miss, the daemon compiles.
cache = Ccache(sandbox)
both = {**declared, **cache.variables, "CUDA_CC_LAUNCHER": "ccache", "CCACHE_PREFIX": "distcc"}
objects = []
for hits, jobs in ((0, ["/usr/bin/g++ l.cpp"]), (1, [])):
    sandbox.good(*COMPILE, **both)
    objects.append((sandbox.work / "l.o").read_bytes())
    equal(cache.counts(), (hits, 1), "ccache")
    done(jobs, "ccache and distcc")
equal((objects[0], records("l.o")), (objects[1], ["13.0"]), "out of the cache")

sandbox.good("g++", "-shared", "k.o", "l.o", f"-L{sandbox.toolkit}/lib64", "-lcudart", "-o", "ext.so",
             **behind)
assert note.manifest(sandbox.work / "ext.so").link
sandbox.refused("g++", "-shared", "k.o", "l.o", f"-L{sandbox.toolkit}/lib64", "-lcudart", "-o", "ext.so",
                code="CC3016", output="ext.so", **{**behind, "CUDA_CC_RUNTIME": "cuda==12.9"})
done([], "links")

# distcc in front: the preprocessing through cuda-cc runs here and is checked. The daemon compiles the preprocessed
# file with the named compiler, so the object has no record.
program = shutil.copy(PROGRAM, farm.folder)
(sandbox.work / "l.o").unlink()
ended = sandbox.run("distcc", program, *COMPILE, **declared)
assert ended.status == 0, (ended, farm.daemon.said)
equal(records("l.o"), [], "a preprocessed input has no record")
done([f"{program} l.cpp"], "in front")
ended = sandbox.run("distcc", program, *COMPILE, **{**declared, "CUDA_CC_RUNTIME": "cuda==12.9"})
assert ended.status == 3 and "CC3014" in ended.err, ended
# A command that distcc does not support runs here unchanged (R28).
(sandbox.work / "k.o").unlink()
ended = sandbox.run("distcc", program, "-arch=sm_80", "-c", "k.cu", "-o", "k.o", **declared)
equal((ended.status, records("k.o")), (0, ["13.0"]), ended)
done([], "nvcc")
