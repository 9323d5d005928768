# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""What a call leaves to another program below a TMPDIR that all users share lies in a folder of its own, whose name
nobody can foresee; words of a response file lie in the store (F21)."""
import os
import shutil
import sys

from binaries import JITLINK, Binaries
from recording import Place, equal

place, made = Place("12.4"), Binaries()
tmp = place.root / "tmp"
tmp.mkdir()
tmp.chmod(0o1777)
home = place.root / "home"
home.mkdir()
kept = {"TMPDIR": tmp, "HOME": home, "XDG_DATA_HOME": None}

# A long response file, of which a word is changed.
site = made.site("venv", {"nvidia-nvjitlink-cu12": ("12.4.127", {
    f"nvidia/nvjitlink/lib/{JITLINK}": made.library("j.so", JITLINK, ["nvJitLinkVersion"])})})
shutil.copytree(made.work / "venv", place.work / "venv")
place.write("x.o")
place.write("long.rsp", "x.o -Lvenv/lib/python3.11/site-packages/nvidia/nvjitlink/lib -lnvJitLink\n"
            + "-Wl,--defsym=a_symbol_with_a_long_name=0\n" * 2000)
ended = place.call("--cudacc-runtime=env:venv", "g++", "-shared", "@long.rsp", "-o", "x.so", **kept)
words = [word for word in ended.last.argv if word.startswith("@")]
assert len(words) == 1 and words[0].startswith(f"@{home}/.local/share/cuda-cc/1/words/"), (words, ended)
equal([*(home / ".local/share/cuda-cc/1/words").iterdir()], [], "removed")
equal(os.listdir(tmp), [])

# The records of a trace.
LOOK = ("import os; path = next(v for k, v in os.environ.items() if k.startswith('CUDA_CC') and v.startswith(%r)); "
        "folder = os.path.dirname(path); print(folder, oct(os.stat(folder).st_mode & 0o777))" % str(tmp))
folders = set()
for _ in range(2):
    ended = place.call("trace", "--", sys.executable, "-c", LOOK, **kept)
    equal(ended.status, 0, ended)
    folder, mode = ended.out.split()
    assert folder.startswith(f"{tmp}/.cuda-cc-") and mode == "0o700" and str(ended.pid) not in folder, ended
    folders.add(folder)
equal(len(folders), 2)
equal(os.listdir(tmp), [])
