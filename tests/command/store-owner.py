# SPDX-License-Identifier: Apache-2.0
# REQUIRES: root
# RUN: PYTHONPATH=%S %python -B %s
"""Files that another user has put into the store are not used, replaced or removed: a note object, a record's header, a
toolchain directory, cached facts. Nor is a store used that others can write, or that of the user who called sudo
(F21)."""
import os
import shutil
from pathlib import Path

from recording import Place, equal

NOBODY = 65534
place = Place("12.4")
place.write("x.o")
place.write("k.cu")
home, tmp = place.root / "home", place.root / "tmp"
RUNTIME = "--cudacc-runtime=cuda==12.4"
FALLBACK = tmp / f"cuda-cc-{os.getuid()}"
STORE = home / ".local/share/cuda-cc/1"


def fresh():
    for folder in (home, tmp):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(mode=0o755)
    tmp.chmod(0o1777)


def used(part):
    """Path of the file that a call uses from the store: note object, record header or shim."""
    words = {"notes": ("g++", "x.o", "-o", "x"), "records": ("-c", "k.cu"),
             "directories": ("k.cu", "-o", "k")}[part]
    ended = place.call(RUNTIME, *words, HOME=home, TMPDIR=tmp, XDG_DATA_HOME=None)
    found = [word.removeprefix("-ccbin=") for word in ended.last.argv if f"/{part}/" in word]
    equal(len(found), 1, f"{part} {ended}")
    return Path(found[0])


def tree(folder):
    """Everything in it, with owner and content."""
    return {path: (path.lstat().st_uid, path.lstat().st_ino,
                   path.read_bytes() if path.is_file() else None)
            for path in sorted(folder.rglob("*"))}


def below(path, root):
    return root in path.parents


for part in ("notes", "records", "directories"):
    fresh()
    path = used(part)
    assert below(path, STORE), path
    equal(used(part), path, "it is kept")
    # Planted files: with the same name, any content, and in a planted folder; the compiler that nvcc starts.
    places = [path, path.parent, STORE / part]
    for planted in places:
        for mode, owner in ((None, NOBODY), (0o777, 0)):
            before = planted.stat()
            if owner:
                os.chown(planted, owner, owner)
            else:
                planted.chmod(mode)
            state = tree(STORE / part)
            other = used(part)
            assert below(other, FALLBACK), (part, planted, owner, other)
            equal(tree(STORE / part), state, f"{planted} is left alone")
            os.chown(planted, before.st_uid, before.st_gid)
            planted.chmod(before.st_mode & 0o7777)
            equal(used(part), path, "good again")
            shutil.rmtree(FALLBACK)
    # The user's own file with other bytes is written again.
    if path.is_file() and part != "directories":
        good = path.read_bytes()
        path.write_bytes(good[:-1] + b"?")
        equal(used(part), path, part)
        equal(path.read_bytes(), good, "written anew")

# Cached facts of another user about the toolkit are ignored.
fresh()
used("records")
facts = next((STORE / "toolkits").iterdir())
facts.write_bytes(facts.read_bytes().replace(b"\t12\t4\t", b"\t12\t9\t"))
ended = place.call(RUNTIME, "-c", "k.cu", HOME=home, TMPDIR=tmp, XDG_DATA_HOME=None)
equal(ended.status, 3, "the test knows what is kept")
os.chown(facts, NOBODY, NOBODY)
kept = facts.read_bytes()
used("records")
equal(facts.read_bytes(), kept, "left alone")

# The folders in which the store can be.
for folder in (STORE, STORE.parent, STORE.parent.parent):
    for mode, owner in ((0o755, NOBODY), (0o777, 0)):
        fresh()
        used("notes")
        os.chown(folder, owner, owner)
        folder.chmod(mode)
        assert below(used("notes"), FALLBACK), (folder, owner)

# sudo: no file of root is left in the user's HOME, and the user's store is not used.
fresh()
os.chown(home, NOBODY, NOBODY)
assert below(used("notes"), FALLBACK), "sudo"
equal(list(home.rglob("*")), [], "HOME of another user")

# A HOME that does not exist is none: root would create it.
fresh()
home.rmdir()
assert below(used("notes"), FALLBACK), "no HOME"
assert not home.exists()

# No store can be written: this is reported once, with the reasons, and the link is checked.
fresh()
used("notes")
os.chown(STORE, NOBODY, NOBODY)
FALLBACK.mkdir()
os.chown(FALLBACK, NOBODY, NOBODY)
ended = place.call(RUNTIME, "g++", "x.o", "-o", "x", HOME=home, TMPDIR=tmp, XDG_DATA_HOME=None)
equal(ended.err.count("CC2009"), 1, ended.err)
said = " ".join(ended.err.split())
for folder in (STORE, FALLBACK):
    assert f"{folder} belongs to another user" in said.replace("- ", "-"), said
equal([word for word in ended.last.argv if "/notes/" in word], [], "no note")
