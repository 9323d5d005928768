# RUN: PYTHONPATH=%S %python -B %s
"""Options of cuda-cc are taken out, the others keep their order; an unknown one is an error that
names the nearest (CC1004)."""
from recording import Place, equal

place = Place()

ended = place.call("-DA", "--cudacc-runtime=cuda==13.0", "-c", "--cudacc-enforce=warn", "k.cu")
equal([word for word in ended.only.arguments if word in ("-DA", "-c", "k.cu")],
      ["-DA", "-c", "k.cu"], "nvcc")
assert not any(word.startswith("--cudacc") for word in ended.only.arguments), ended
ended = place.call("g++", "--cudacc-runtime=cuda==13.0", "-c", "x.c", "-DB")
equal([word for word in ended.only.arguments if word in ("-c", "x.c", "-DB")],
      ["-c", "x.c", "-DB"], "g++")

for words in (["-c", "k.cu", "--cudacc-runtim=cuda==13.0"],
              ["g++", "-c", "x.c", "--cudacc-runtim=x"]):
    ended = place.call(*words)
    equal((ended.status, ended.out, ended.started), (2, "", []), f"{words}")
    assert "--cudacc-runtime" in ended.err and "CC1004" in ended.err, ended.err
for value in ("cuda==banana", "cuda", "12.4", "cuda==12.4,<<3"):
    ended = place.call("-c", "k.cu", f"--cudacc-runtime={value}")
    equal((ended.status, ended.started), (2, []), value)
