# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %support/hide-cuda %python -B %s
"""Objects whose compile was not checked, from a cache or from elsewhere, are checked at the link by their records (F7,
AV-E09; R26: the link check always runs)."""
import note
from sandbox import KERNEL, Sandbox, equal

sandbox = Sandbox("13.1")
sandbox.write("k.cu", KERNEL)
link = ("-shared", "k.o", "-o", "k.so")
sandbox.good("--cudacc-runtime=cuda==13.1", "-arch=sm_80", "-Xcompiler", "-fPIC", "-c", "k.cu", "-o",
             "k.o")
record = note.parse(note.manifest(sandbox.work / "k.o").objects[0])
assert "13.0" not in str(record) and "target" not in record, "a record knows no target (R39)"

sandbox.use("13.0")
runtime = "--cudacc-runtime=cuda==13.0"
cudart = f"-L{sandbox.toolkit}/lib"
for words in (("-arch=sm_80", "-cudart", "shared", *link), ("g++", *link, cudart, "-lcudart")):
    ended = sandbox.refused(runtime, *words, code="CC4009", output="k.so")
    assert "13.1" in ended.err and "13.0" in ended.err, ended
ended = sandbox.cc(runtime, "--cudacc-enforce=warn", "g++", *link, cudart, "-lcudart")
equal(ended.status, 0, ended)
assert "CC4009" in ended.err, ended
equal(note.manifest(sandbox.work / "k.so").link["enforce"], "warn", "in the manifest")

# The object does not depend on the target under which it was compiled (R39).
first = (sandbox.work / "k.o").read_bytes()
sandbox.use("13.1")
sandbox.good("--cudacc-runtime=cuda==13.5", "-arch=sm_80", "-Xcompiler", "-fPIC", "-c", "k.cu", "-o",
             "k.o")
equal(note.manifest(sandbox.work / "k.o").objects, [note.Elf(first).manifest().objects[0]], "record")
