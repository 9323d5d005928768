# RUN: PYTHONPATH=%S %python -B %s
"""check on several runtimes: a row each; the matrix breaks where the imports break."""
import re

from binaries import CUDART, JITLINK, Binaries, equal

place = Binaries()
place.extension("ext.so", {JITLINK: ["__nvJitLinkCreate_12_5"], CUDART: ["cudaMalloc"]})

several = place.check("ext.so", "--runtime", "torch==2.5.1", "--runtime", "torch==2.7.1",
                      "--runtime", "cuda==12.4", "--runtime", "torch==2.5.1", "--format=json")
equal([(file["runtime"], file["verdict"]) for file in several.json["files"]],
      [("torch==2.5.1", "reject"), ("torch==2.7.1", "accept"), ("cuda==12.4", "reject")])
equal(several.json["runtimes"], ["torch==2.5.1", "torch==2.7.1", "cuda==12.4"])
equal(several.status, 3)
text = place.check("ext.so", "--runtime", "torch==2.5.1", "--runtime", "torch==2.7.1")
equal(text.first, "ext.so on 2 runtimes: 1 rejected, 1 accepted", text)

everything = place.check("ext.so", "--against", "all", "--format=json").json
verdicts = {file["runtime"]: file for file in everything["files"]}
equal(len(verdicts), len(everything["files"]), "each runtime once")
for runtime, verdict in (("torch==2.5.1", "reject"), ("torch==2.6.0", "reject"),
                         ("torch==2.7.0", "accept"), ("torch==2.8.0", "accept"),
                         ("cuda==12.4", "reject"), ("cuda==12.5", "accept"),
                         ("cuda==12.9", "accept"), ("cuda==13.0", "reject"),
                         ("cuda==11.8", "reject")):
    equal(verdicts[runtime]["verdict"], verdict, runtime)
floor = verdicts["torch==2.7.0"]["floor"]
assert floor[JITLINK].startswith("12.5.") and floor[CUDART].startswith("12.0."), floor

matrix = place.check("ext.so", "--against=all")
# A table to read: some runtime takes it.
equal((matrix.status, matrix.err), (0, ""))
equal(matrix.first, "ext.so needs libnvJitLink.so.12 >= 12.5, libcudart.so.12 >= 12.0", matrix)
assert re.search(r"^  torch +CUDA  driver  verdict  first that is missing$", matrix.out, re.M), matrix
assert re.search(r"^  2\.5\.\d.* 12\.4  525     reject +__nvJitLinkCreate_12_5$", matrix.out, re.M), matrix
assert re.search(r"^  2\.7\.0.* 12\.6  525     accept$", matrix.out, re.M), matrix
assert all(len(line) <= 100 for line in matrix.out.splitlines()), matrix
