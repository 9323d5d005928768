# SPDX-License-Identifier: Apache-2.0
# REQUIRES: ccache
# RUN: PYTHONPATH=%S %support/hide-cuda %python -B %s
"""A compiler cache behind cuda-cc: a hit is checked too, and its object has the record (R26, F20)."""
import note
from sandbox import Sandbox, equal

sandbox = Sandbox()
sandbox.write("include/cuda.h", "#define CUDA_VERSION 12050\n")
sandbox.write("x.cpp", "#include <cuda.h>\nint x = CUDA_VERSION;\n")
cache = {"CCACHE_DIR": sandbox.root / "ccache", "CCACHE_TEMPDIR": sandbox.root / "ccache-temporary",
         "CCACHE_NODEPEND": "1"}
words = ("ccache", "g++", "-Iinclude", "-c", "x.cpp", "-o", "x.o")

def hits():
    shown = sandbox.run("ccache", "--print-stats", **cache).out
    found = dict(line.split("\t")[:2] for line in shown.splitlines())
    return int(found["direct_cache_hit"]) + int(found["preprocessed_cache_hit"])

sandbox.good("--cudacc-runtime=cuda==12.5", *words, **cache)
first = (sandbox.work / "x.o").read_bytes()
equal((len(note.manifest(sandbox.work / "x.o").objects), hits()), (1, 0), "compiled")
sandbox.good("--cudacc-runtime=cuda==12.8", *words, **cache)
equal(hits(), 1, "the target is not part of the key (R39)")
equal((sandbox.work / "x.o").read_bytes(), first, "out of the cache")
sandbox.refused("--cudacc-runtime=cuda==12.4", *words, code="CC3013", output="x.o", **cache)
equal(hits(), 1, "nothing was started")

sandbox.write("include/cuda.h", "#define CUDA_VERSION 12060\n")
sandbox.good("--cudacc-runtime=cuda==12.8", *words, **cache)
record = note.parse(note.manifest(sandbox.work / "x.o").objects[0])
equal(record["headers"], "12.6", "another header is another record")
sandbox.good("--cudacc-runtime=cuda==12.8", "ccache", "g++", "-shared", "x.o", "-o", "x.so", **cache)
assert note.manifest(sandbox.work / "x.so").link, "a link behind ccache"
