# RUN: PYTHONPATH=%S %python -B %s
"""A green build proves nothing where a build falls back without a word (T24): the log counts what
went through, and a call that did not go through is missing from it."""
import json

from recording import Place, equal

place = Place()
log = place.root / "log"
runtime = dict(CUDA_CC_LOG=log, CUDA_CC_RUNTIME="cuda==13.0")
place.call("-c", "a.cu", **runtime)
place.call("-c", "b.cu", **runtime)
place.call("-E", "a.cu", **runtime)
kinds = [json.loads(line)["kind"] for line in log.read_text().splitlines()]
equal(kinds, ["compile", "compile", "preprocess"], "calls in the log")
