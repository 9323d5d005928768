# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %python -B %s
"""nvcc gets no path of the store that it or its shell would read as something else: the record's header, the shim."""
import os

from recording import Place, equal

place = Place("12.4")
place.write("k.cu")

for name, record, shim in (("plain", True, True), ("ü &", True, True), ("$x", True, False), ("$(id)", True, False),
                           ("a,b", False, True), ("it's", False, False), (b"\xff\xfe", False, True)):
    home = os.path.join(os.fsencode(place.root), os.fsencode(name))
    os.mkdir(home)
    for words, part, wanted in ((("-c", "k.cu"), "/records/", record), (("k.cu", "-o", "k"), "/directories/", shim)):
        ended = place.call("--cudacc-runtime=cuda==12.4", *words, HOME=os.fsdecode(home), XDG_DATA_HOME=None)
        equal(any(part in word for word in ended.last.argv), wanted, f"{name} {part} {ended}")
