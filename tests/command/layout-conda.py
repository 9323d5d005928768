# RUN: PYTHONPATH=%S %python -B %s
"""A link for a runtime that conda laid out: the search path leads to the prefix's lib from where the
file will lie, from a build directory it is absolute (PRODUCT.md 6; F18)."""
import json
import re

from binaries import CUDART, PROGRAM, Binaries, equal, run

place = Binaries()
work = place.work
prefix = work / "conda"
(prefix / "lib/python3.11/site-packages").mkdir(parents=True)
(prefix / "conda-meta").mkdir()
library = place.library(f"conda/lib/{CUDART}", CUDART, ["cudaMalloc"])
(prefix / "conda-meta/cuda-cudart-12.4.127-h0_0.json").write_text(
    json.dumps({"name": "cuda-cudart", "version": "12.4.127", "files": [f"lib/{CUDART}"]}))
place.object("ext.o", ["cudaMalloc"])


def path(*words, runtime="env:conda", layout="conda"):
    done = run(PROGRAM, "gcc", f"--cudacc-runtime={runtime}", f"--cudacc-layout={layout}",
               "-nostdlib", "ext.o", library, "-o", "built", *words, cwd=work)
    equal(done.returncode, 0, done)
    found = re.search(r"rpath: \[(.*)\]", run("readelf", "-d", "built", cwd=work).stdout)
    return found[1].split(":") if found else []


relative = ["$ORIGIN/../../..", "$ORIGIN/../.."]
equal(path("-shared"), relative, "an extension")
equal(path("-shared", "--cudacc-install-dir=pkg/sub"), ["$ORIGIN/../../../.."], "deeper")
program = ("-nostartfiles", "-Wl,--entry=init")
equal(path(*program), [*relative, str(prefix / "lib")], "a program in a build directory")
equal(path(*program, "--cudacc-develop=false"), relative)
equal(path("-shared", "--cudacc-develop"), [*relative, str(prefix / "lib")])
equal(path("-shared", runtime="cuda==12.4"), relative, "from tables")
equal(path("-shared", layout="system:/opt/cuda/lib64"), ["/opt/cuda/lib64"])
equal(path("-shared", layout="none"), [])

# Nobody declares the layout, and the library comes by a script: conda's own Python leads to the prefix's lib, which
# only `check` can ask it. The link does not refuse.
(work / "libscript.so").write_text(f"INPUT({library})\n")
done = run(PROGRAM, "gcc", "--cudacc-runtime=env:conda", "-nostdlib", "-shared", "ext.o", "libscript.so",
           "-o", "scripted.so", cwd=work)
equal((done.returncode, done.stderr), (0, ""), done)
