# RUN: PYTHONPATH=%S %python -B %s
"""CUDA_CC_LOG appends one JSON line per call; it changes nothing else (F19)."""
import json

from recording import Place, equal, fronted, launched

place = Place()
log = place.root / "log"

launched(place, "g++", "-c", "x.c", CUDA_CC_LOG=log)
fronted(place, "-c", "k.cu", CUDA_CC_LOG=log)
place.call("-c", "k.cu", CUDA_CC_LOG=log, CUDA_CC_RUNTIME="cuda==12.4")
lines = log.read_text().splitlines()
equal(len(lines), 3, "lines")
for line in lines:
    assert isinstance(json.loads(line), dict), line
assert "CC3002" in lines[2], lines[2]
launched(place, "g++", "-c", "x.c", CUDA_CC_LOG="/proc/none/log")
