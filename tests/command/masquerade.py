# RUN: PYTHONPATH=%S %support/hide-cuda %python -B %s
"""Under a compiler's name cuda-cc finds the compiler behind itself on PATH, never itself."""
from recording import Place, equal

place = Place()
for name in ("g++", "nvcc"):
    folder = place.masquerade(name)
path = f"{folder}:{place.environment()['PATH']}"

def once(ended, program, words):
    equal(ended.only.program, str(program), f"{words}")
    equal(ended.only.arguments, list(words), f"{words}")
    equal(ended.status, 0, f"{words}")

words = ("-c", "x.c")
once(place.call(folder / "g++", *words, program=None, PATH=path), place.bin / "g++", words)
once(place.call(folder / "nvcc", *words, program=None, PATH=path), place.nvcc, words)
once(place.call("g++", *words, PATH=path), place.bin / "g++", words)
once(place.call("nvcc", *words, PATH=path), place.nvcc, words)
once(place.call(*words, PATH=path), place.nvcc, words)
twice = f"{folder}:{folder}/:{path}"
once(place.call(folder / "g++", *words, program=None, PATH=twice), place.bin / "g++", words)

for program in (folder / "g++", folder / "nvcc"):
    ended = place.call(program, *words, program=None, PATH=str(folder))
    equal((ended.status, ended.started), (4, []), f"only {program} on PATH")
    assert "CC200" in ended.err, ended.err
