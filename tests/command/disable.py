# RUN: PYTHONPATH=%S %python -B %s
"""CUDA_CC_DISABLE=1 passes everything through, unless a runtime is required (F19)."""
from recording import Place, equal, fronted, launched

place = Place()
older = {"CUDA_CC_RUNTIME": "cuda==12.4", "CUDA_CC_DISABLE": "1"}

fronted(place, "-c", "k.cu", **older)
fronted(place, "k.o", "-o", "x", **older)
launched(place, "g++", "x.o", "-o", "x", **older)
equal(place.call("-c", "k.cu", CUDA_CC_RUNTIME="cuda==12.4", CUDA_CC_DISABLE="0").status, 3,
      "0 is not 1")
required = place.call("-c", "k.cu", CUDA_CC_DISABLE="1", CUDA_CC_REQUIRE_RUNTIME="1")
equal((required.status, required.started), (2, []), "required and not declared")
refused = place.call("-c", "k.cu", CUDA_CC_REQUIRE_RUNTIME="1", **older)
equal((refused.status, refused.started), (3, []), "required and too old")
# It is said that it was ignored, and what works instead works.
assert "CUDA_CC_DISABLE: ignored: a runtime is required by CUDA_CC_REQUIRE_RUNTIME" in \
    " ".join(refused.err.split()), refused
assert "CUDA_CC_ENFORCE=off" in refused.err, refused
assert "unset what requires a runtime: CUDA_CC_REQUIRE_RUNTIME" in required.err, required
assert "CUDA_CC_DISABLE" not in place.call("-c", "k.cu", CUDA_CC_RUNTIME="cuda==12.4",
                                           CUDA_CC_REQUIRE_RUNTIME="1").err
equal(place.call("-c", "k.cu", CUDA_CC_REQUIRE_RUNTIME="1", CUDA_CC_ENFORCE="off", **older).status, 0)
