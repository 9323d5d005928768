# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %python -B %s
"""nvcc gets no path of the store that it or its shell would read as something else: it lies below TMPDIR then."""
import os

from recording import Place, equal

place = Place("12.4")
place.write("k.cu")
tmp = os.path.join(place.root, "tmp")
os.mkdir(tmp)
kept = {"TMPDIR": tmp, "XDG_DATA_HOME": None}

for name, is_taken in (("plain", True), ("ü &", True), ("$x", False), ("$(id)", False), ("a,b", False),
                       ("it's", False), (b"\xff\xfe", False)):
    home = os.path.join(os.fsencode(place.root), os.fsencode(name))
    os.mkdir(home)
    for words, part in ((("-c", "k.cu"), "/records/"), (("k.cu", "-o", "k"), "/directories/")):
        ended = place.call("--cudacc-runtime=cuda==12.4", *words, **kept, HOME=os.fsdecode(home))
        paths = [os.fsencode(word) for word in ended.last.argv if part in word]
        equal([home in path for path in paths], [is_taken], f"{name} {part} {ended}")
    equal(bool(os.listdir(home)), is_taken, name)
