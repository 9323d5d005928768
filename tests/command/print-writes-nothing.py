# RUN: PYTHONPATH=%S %python -B %s
"""--cudacc-print=STAGE answers and writes nothing: neither in the working directory nor in HOME, the
data folder or TMPDIR, where a call without it keeps what it learned."""
import os
from pathlib import Path

from recording import Place, equal

place = Place()
place.write("x.cpp", "#include <cuda_runtime.h>\n")
place.write("x.o")
homes = {name: place.root / name.lower() for name in ("HOME", "XDG_DATA_HOME", "TMPDIR")}
for folder in homes.values():
    folder.mkdir()
include = f"-I{place.toolkit}/include"
calls = {"nvcc compiles": ("-c", "k.cu"), "nvcc links": ("x.o", "-o", "x"),
         "nvcc says what it would do": ("-v", "x.o", "-o", "x"),
         "g++ compiles": ("g++", include, "-c", "x.cpp"),
         "g++ links": ("g++", "-shared", "x.o", "-o", "x.so")}


def written():
    return sorted(str(path.relative_to(place.root)) for folder in (*homes.values(), place.work)
                  for path in Path(folder).rglob("*") if path.is_file())


before = written()
for stage in ("invocation", "target", "toolkit", "verdict", "plan"):
    for what, words in calls.items():
        ended = place.call(f"--cudacc-print={stage}", *words, CUDA_CC_RUNTIME="cuda==13.0", **homes)
        equal(ended.status, 0, f"{what}: {ended.err}")
        assert ended.out.startswith("{"), (what, stage, ended.out)
        equal((ended.started, written()), ([], before), f"{what}, {stage}")
# Without the question the same call keeps something: the test can fail.
place.call(*calls["nvcc compiles"], CUDA_CC_RUNTIME="cuda==13.0", **homes)
assert written() != before, os.listdir(homes["XDG_DATA_HOME"])
