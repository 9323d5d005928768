# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %python -B %s
"""HOME unset, a data folder that cannot be written, a working directory that was removed: the compile runs, or ends
with one clear error (F21)."""
import os
import subprocess

import recording
from recording import Place, equal

place = Place()
tmp = place.root / "tmp"
tmp.mkdir()
blocked = place.root / "blocked"
blocked.write_text("a file where a folder should be")

for environment in ({"HOME": None, "XDG_DATA_HOME": None}, {"XDG_DATA_HOME": blocked},
                    {"XDG_DATA_HOME": "/proc/none"},
                    {"XDG_DATA_HOME": "relative", "HOME": place.root / "home"}, {"HOME": ""}):
    for declared in ({}, {"CUDA_CC_RUNTIME": "cuda==13.0"}):
        for words in (("g++", "-c", "x.c"), ("-c", "k.cu")):
            ended = place.call(*words, TMPDIR=tmp, **environment, **declared)
            equal((ended.status, len(ended.started)), (0, 1), f"{words} {environment}")
equal(sorted(os.listdir(place.work)), [], "nothing in the working directory")

gone = place.root / "gone"
gone.mkdir()
script = 'cd "$1" && rmdir "$1" && shift && exec "$@"'
done = subprocess.run(["sh", "-c", script, "sh", str(gone), recording.PROGRAM, "g++", "-c", "x.c"],
                      env=place.environment(), cwd=place.work, capture_output=True,
                      text=True)
if done.returncode == 0:
    equal(place.started()[-1].arguments, ["-c", "x.c"], "arguments")
else:
    equal((done.returncode, done.stderr.count("error:")), (4, 1), "one clear error")
