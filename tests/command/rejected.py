# RUN: PYTHONPATH=%S %python -B %s
"""A compile by a newer toolkit than the runtime's starts nothing, changes no file and says which
(CC3001, CC3002; F3, F22, R2)."""
from recording import Place, equal

place = Place()
place.write("k.cu")

for runtime, code in (("cuda==12.4", "CC3002"), ("torch==2.5.1", "CC3002")):
    for words in (["-c", "k.cu", "-o", "k.o"], ["nvcc", "-c", "k.cu", "-o", "k.o"],
                  ["-shared", "k.cu", "-o", "k.o"], ["-ptx", "k.cu", "-o", "k.o"]):
        place.write("k.o", "old")
        ended = place.call(*words, CUDA_CC_RUNTIME=runtime)
        equal((ended.status, ended.out, ended.started), (3, "", []), f"{words}")
        equal((place.work / "k.o").read_text(), "old", "what lies at -o")
        first = ended.err.splitlines()[0]
        assert first.startswith("cuda-cc: error: ") and f"[{code}]" in first, ended.err
        assert len(first) <= 77, first
        assert "CUDA_CC_RUNTIME" in ended.err and place.nvcc in ended.err, ended.err

newer = Place("12.5")
ended = newer.call("-c", "k.cu", "--cudacc-runtime=cuda==12.4")
equal((ended.status, ended.started), (3, []), "a newer minor")
assert "[CC3001]" in ended.err and "--cudacc-runtime" in ended.err, ended.err
equal(newer.call("-c", "k.cu", CUDA_CC_RUNTIME="cuda==12.5").status, 0, "the same minor")
equal(newer.call("-c", "k.cu", CUDA_CC_RUNTIME="cuda==12.8").status, 0, "a newer runtime")
