# SPDX-License-Identifier: Apache-2.0
# REQUIRES: ccache
# RUN: PYTHONPATH=%S %support/hide-cuda %python -B %s
"""A compiler cache behind cuda-cc: a hit is checked too, and its object has the record (R26, F20)."""
import note
from scene import Scene, equal

scene = Scene()
scene.write("include/cuda.h", "#define CUDA_VERSION 12050\n")
scene.write("x.cpp", "#include <cuda.h>\nint x = CUDA_VERSION;\n")
cache = {"CCACHE_DIR": scene.root / "ccache", "CCACHE_TEMPDIR": scene.root / "ccache-temporary",
         "CCACHE_NODEPEND": "1"}
words = ("ccache", "g++", "-Iinclude", "-c", "x.cpp", "-o", "x.o")

def hits():
    shown = scene.run("ccache", "--print-stats", **cache).out
    found = dict(line.split("\t")[:2] for line in shown.splitlines())
    return int(found["direct_cache_hit"]) + int(found["preprocessed_cache_hit"])

scene.good("--cudacc-runtime=cuda==12.5", *words, **cache)
first = (scene.work / "x.o").read_bytes()
equal((len(note.manifest(scene.work / "x.o").objects), hits()), (1, 0), "compiled")
scene.good("--cudacc-runtime=cuda==12.8", *words, **cache)
equal(hits(), 1, "the target is not part of the key (R39)")
equal((scene.work / "x.o").read_bytes(), first, "out of the cache")
scene.refused("--cudacc-runtime=cuda==12.4", *words, code="CC3013", output="x.o", **cache)
equal(hits(), 1, "nothing was started")

scene.write("include/cuda.h", "#define CUDA_VERSION 12060\n")
scene.good("--cudacc-runtime=cuda==12.8", *words, **cache)
record = note.parse(note.manifest(scene.work / "x.o").objects[0])
equal(record["headers"], "12.6", "another header is another record")
scene.good("--cudacc-runtime=cuda==12.8", "ccache", "g++", "-shared", "x.o", "-o", "x.so", **cache)
assert note.manifest(scene.work / "x.so").link, "a link behind ccache"
