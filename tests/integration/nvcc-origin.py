# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %support/hide-cuda %python -B %s
"""$ORIGIN on an nvcc line: the one that cuda-cc adds is always literal, the caller's arrives as under plain nvcc, and
one that the shell expanded is reported (R34, AT21, CC4117)."""
import note
from sandbox import KERNEL, Sandbox, equal, ours

sandbox = Sandbox("13.0")
sandbox.write("k.cu", KERNEL)
runtime = "--cudacc-runtime=cuda==13.0"
sandbox.good(runtime, "-arch=sm_80", "-Xcompiler", "-fPIC", "-c", "k.cu", "-o", "k.o")
link = ("-arch=sm_80", "-shared", "-cudart", "shared", "k.o", "-o", "k.so")
prefix = ["$ORIGIN/../nvidia/cu13/lib", "$ORIGIN/nvidia/cu13/lib"]
forward = "-forward-unknown-to-host-compiler"

for words in (["-Xlinker", "-rpath,$ORIGIN/x"], ["-Xlinker=-rpath,$ORIGIN/x"],
              ["-Xlinker", "-rpath", "-Xlinker", "$ORIGIN/x"],
              ["-Xlinker", "-rpath,\\$ORIGIN/x"],
              ["-Xcompiler", "-Wl\\,-rpath\\,$ORIGIN/x"],
              [forward, "-Wl,-rpath,$ORIGIN/x"],
              ["-Xcompiler", "'-Wl\\,-rpath\\,$ORIGIN/x'"],
              [forward, "'-Wl,-rpath,$ORIGIN/x'"],
              ["-Xcompiler", "-Wl\\,-rpath\\,$ORIGIN/../x"]):
    plain = sandbox.run(sandbox.toolkit / "bin/nvcc", *link, *words)
    ended = sandbox.cc(runtime, *link, *words)
    equal(ended.status, plain.status, f"{words}: {ended}")
    if plain.status:
        continue
    (sandbox.work / "k.so").unlink()
    sandbox.run(sandbox.toolkit / "bin/nvcc", *link, *words)
    without = note.elf(sandbox.work / "k.so")
    theirs = without.rpath + without.runpath
    sandbox.cc(runtime, *link, *words)
    elf = note.elf(sandbox.work / "k.so")
    equal(elf.rpath, prefix + theirs, f"{words}")
    lost = any(element.startswith("/..") for element in theirs)
    equal("CC4117" in ended.err, lost, f"{words}: {theirs} {ended}")
    assert elf.manifest().link, words
equal(ours(elf.rpath), prefix, "ours")
sandbox.clean()
