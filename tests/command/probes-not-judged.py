# RUN: PYTHONPATH=%S %python -B %s
"""Questions are never refused, whatever is declared (R2, R3, R15)."""
from recording import Place, equal, fronted

place = Place()
older = {"CUDA_CC_RUNTIME": "cuda==12.4"}

for words in (["--version"], ["-V"], ["--help"], ["--list-gpu-arch"], ["--list-gpu-code"],
              ["-c", "k.cu", "--version"]):
    fronted(place, *words, **older)
for words in (["g++", "--version"], ["g++", "-v"], ["g++", "-print-search-dirs"],
              ["g++", "-dumpversion"], ["g++", "-E", "-dM", "-"], ["g++", "-Wl,--version"],
              ["g++", "-###", "x.c"]):
    ended = place.call(*words, **older)
    equal((ended.status, ended.only.arguments), (0, words[1:]), f"{words}")
ended = place.call("-v", "__cmake_determine_cuda", RECORD_STATUS=1, **older)
equal((ended.status, ended.err), (1, ""), "CMake's question")
