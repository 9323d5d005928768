# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %python -B %s
"""A call after which nothing is left to do is replaced by the compiler: same process, descriptors, directory (R5,
F1)."""
import os
import subprocess

import recording
from recording import Place, equal

place = Place()

for words in (("g++", "-c", "x.c"), ("g++", "--version"), ("g++", "-E", "x.c"), ("-c", "k.cu"),
              ("--version",), ("-dlink", "k.o", "-o", "l.o"), ("-lib", "k.o", "-o", "l.a"),
              ("-ptx", "k.cu"), ("nvcc", "-dc", "k.cu"), ("g++", "-r", "a.o", "-o", "b.o")):
    ended = place.call(*words)
    equal(ended.only.pid, ended.pid, f"process of {words}")
    equal(ended.only.cwd, str(place.work), "working directory")
    equal(ended.only.descriptors, [0, 1, 2], "descriptors")

reader, writer = os.pipe()
process = subprocess.run([recording.PROGRAM, "g++", "-c", "x.c"], cwd=place.work,
                         env=place.environment(), pass_fds=(reader, writer), check=True)
equal(place.started()[-1].descriptors, sorted([0, 1, 2, reader, writer]), "jobserver")
