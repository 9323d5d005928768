# SPDX-License-Identifier: Apache-2.0
# REQUIRES: nvcc, ccache
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""AT12, R26 (d), C12: `launcher`, caches behind cuda-cc. Every compile is checked, hits too. A served object was
compiled by the same nvcc from the same sources and has its record (EM-9), whatever the target (R39). A second clean
build has only hits. The link bypasses the cache (C11) and is checked."""
import note
from behaviour import behaviour
from caching import caches
from sandbox import KERNEL, Sandbox, equal, toolkit

sandbox = Sandbox()
current = sandbox.root / "toolkit"
sandbox.write("k.cu", KERNEL)
sandbox.write("l.cpp", '#include <cuda_runtime.h>\nextern "C" int f() { return cudaFree(nullptr); }\n')
COMPILES = (("-arch=sm_80", "-Xcompiler", "-fPIC", "-c", "k.cu", "-o", "k.o"),
            ("g++", "-fPIC", f"-I{current}/include", "-c", "l.cpp", "-o", "l.o"))
LINK = ("g++", "-shared", "k.o", "l.o", "-o", "ext.so", "-L", current / "lib64", "-lcudart")


def take(ctk):
    """Replaces one toolkit by another at the same path."""
    current.unlink(missing_ok=True)
    current.symlink_to(toolkit(ctk))


def headers(file):
    return note.parse(note.manifest(sandbox.work / file).objects[0])["headers"]


def build(cache, run, runtime="cuda==13.0"):
    """A clean build: objects, link record, hits, misses."""
    for output in ("k.o", "l.o", "ext.so"):
        (sandbox.work / output).unlink(missing_ok=True)
    before = cache.counts()
    for words in (*COMPILES, LINK):
        run(*words, CUDA_CC_RUNTIME=runtime)
    after = cache.counts()
    return ([(sandbox.work / name).read_bytes() for name in ("k.o", "l.o")],
            note.manifest(sandbox.work / "ext.so").link, after[0] - before[0], after[1] - before[1])


def runs(cache):
    return lambda *words, **environment: sandbox.good(*words, **cache.variables, **environment)


def twice(cache):
    """Two clean builds; the objects and the link's record."""
    take("13.0")
    sandbox.write("cuda-cc.toml", f'toolkit = "{current}"\nlauncher = "{cache.program}"\n')
    run = runs(cache)
    objects, link, hits, misses = build(cache, run)
    equal((hits, misses >= 2), (0, True), f"{cache.program}: first build")
    equal((headers("k.o"), headers("l.o")), ("13.0", "13.0"), "records")
    again, linked, hits, misses = build(cache, run)
    equal((hits >= 2, misses), (True, 0), f"{cache.program}: a second clean build is hits alone")
    equal((again, linked), (objects, link), "the same")
    return objects, link


def checked(cache):
    """Another target: the compile is checked before the cache is asked."""
    asked = cache.counts()
    for words, code in zip(COMPILES, ("CC3002", "CC3014")):
        sandbox.refused(*words, code=code, output=words[-1], CUDA_CC_RUNTIME="cuda==12.9",
                        **cache.variables)
    equal(cache.counts(), asked, "nothing was started")
    # The link is checked although its objects came from the cache.
    sandbox.refused(*LINK, code="CC3016", output="ext.so", CUDA_CC_RUNTIME="cuda==12.9",
                    **cache.variables)


def shared(cache, objects, link):
    """Another target that accepts them uses the same objects."""
    again, other, hits, misses = build(cache, runs(cache), "cuda==13.1")
    equal((again, misses), (objects, 0), "an object does not know its target")
    assert other != link and "13.1" in str(other), other


def across(cache):
    """Another nvcc or other headers at the same path: no old object is served."""
    take("13.1")
    _, _, hits, misses = build(cache, runs(cache), "cuda==13.1")
    equal((hits, misses >= 2), (0, True), f"{cache.program}: nothing across toolkits")
    equal((headers("k.o"), headers("l.o")), ("13.1", "13.1"), "records")
    for words, code in zip(COMPILES, ("CC3001", "CC3013")):
        sandbox.refused(*words, code=code, output=words[-1], CUDA_CC_RUNTIME="cuda==13.0",
                        **cache.variables)


def directory(cache):
    """The same for a toolchain directory that is made again, whose nvcc keeps its path."""
    td = sandbox.work / "td"
    sandbox.write("cuda-cc.toml")
    for ctk in ("13.0", "13.1"):
        sandbox.good("toolchain", td, "--runtime=cuda==13.1", "--toolkit", toolkit(ctk),
                     "--launcher", cache.program)
        for expected in ((0, 1), (1, 0)):
            before = cache.counts()
            done = sandbox.run(td / "bin/nvcc", "-arch=sm_80", "-c", "k.cu", "-o", "k.o",
                               **cache.variables)
            after = cache.counts()
            assert done.status == 0 and "cuda-cc:" not in done.err, done
            equal((after[0] - before[0], after[1] - before[1], headers("k.o")), (*expected, ctk))


ccache, *others = caches(sandbox)


@behaviour
def a_second_clean_build_is_hits_alone_for_each_target():
    shared(ccache, *twice(ccache))


@behaviour
def compiles_and_links_are_checked_though_the_cache_has_them():
    checked(ccache)


@behaviour
def nothing_is_served_across_toolkits_at_one_path():
    across(ccache)


@behaviour
def nothing_is_served_across_toolchain_directories_at_one_path():
    directory(ccache)


@behaviour
def other_caches_do_the_same():
    for cache in others:
        twice(cache)
        checked(cache)
        if cache.name == cache.program:
            across(cache)
