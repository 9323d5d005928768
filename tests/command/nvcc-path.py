# RUN: PYTHONPATH=%S %python -B %s
"""nvcc starts host compilers with its profile's PATH in front of the caller's (Debian's package has a
gcc there): the shim stands for those, by default and by a bare name, never by a path (F4, N27)."""
import shutil
from pathlib import Path

from recording import PROGRAM, Place, equal

place = Place()
place.path = [place.bin, place.toolkit / "bin", "/usr/bin", "/bin"]
real = {"RECORD_EXEC": "/usr/bin/g++", "CUDA_CC_RUNTIME": "cuda==13.0"}

def meant(*words):
    """Name and place of each compiler that the shim of this line stands for."""
    ended = place.call("k.cu", "-o", "x", *words, **real)
    given = next(word for word in ended.started[0].arguments if word.startswith("-ccbin="))
    folder = Path(given.removeprefix("-ccbin="))
    folder = folder if folder.is_dir() else folder.parent
    lines = (folder.parent / "cuda-cc.facts").read_text().splitlines()
    return dict(line.split("\t")[1:3] for line in lines if line.startswith("compiler\t"))

def at(folder, *names):
    return {name: str(folder / name) for name in names}

equal(meant(), at(place.bin, "gcc", "g++"), "nothing of that name in nvcc's own folders")
own = place.toolkit / "bin"
for name in ("gcc", "g++", "clang++"):
    shutil.copy(place.bin / name, own / name)
equal(meant(), at(own, "gcc", "g++"), "by default")
equal(meant("-ccbin", "g++"), at(own, "g++", "gcc"), "by name")
equal(meant("-ccbin", "g++-12"), at(place.bin, "g++-12"), "by a name that lies elsewhere only")
equal(meant("-ccbin", place.bin / "g++"), at(place.bin, "g++", "gcc"), "by path")
equal(meant("-ccbin", place.bin), at(place.bin, "gcc", "g++"), "by directory")
# A copy of cuda-cc there is no compiler.
shutil.copy(PROGRAM, own / "gcc")
shutil.copy(PROGRAM, own / "g++")
equal(meant(), at(place.bin, "gcc", "g++"), "cuda-cc itself")
