# RUN: PYTHONPATH=%S %support/hide-cuda %python -B %s
"""Without a toolkit, or without the compiler, one clear error and exit 4 (CC2003, CC2004)."""
from recording import Place, equal

place = Place()
place.path = [place.bin]

ended = place.call("-c", "k.cu")
equal((ended.status, ended.out, ended.started), (4, "", []), "no nvcc")
assert "[CC2003]" in ended.err.splitlines()[0], ended.err
ended = place.call("/no/such/place/g++", "-c", "x.c")
equal((ended.status, ended.out, ended.started), (4, "", []), "no g++")
assert "[CC2004]" in ended.err.splitlines()[0], ended.err
place.write("g++", "not a program")
ended = place.call("./g++", "-c", "x.c")
equal((ended.status, ended.started), (4, []), "not executable")
