# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%support %python -B %s %support
"""./dev facts opens: the calls that open libraries in the Python sources of a wheel, and whether the rows of
opens.json name what these open."""
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import madewheel

UPDATE = Path(sys.argv[1]).resolve().parents[1] / "driver/tables/update"
scratch = tempfile.TemporaryDirectory()
wheel = Path(scratch.name) / "numba-0.64.0-py3-none-any.whl"


def opens(source, dist="numba", *words):
    madewheel.write(wheel, {"pk/__init__.py": source.encode()})
    done = subprocess.run([sys.executable, "-B", UPDATE / "opens.py", dist, "0.64.0", "--wheel", wheel, *words],
                          capture_output=True, text=True)
    assert not done.stderr, done.stderr
    return done.returncode, done.stdout.splitlines()


def check(found, *expected):
    assert found == (expected[0], list(expected[1:])), found


# By its name, on import and in a function, and where the name is in a variable.
check(opens("import ctypes\nctypes.CDLL('libtbb.so.12')\n"),
      0, "pk/__init__.py:2: CDLL on import: libtbb.so.12", "row of numba from the first: as in the sources")
check(opens("from ctypes import CDLL\ndef f():\n    name = 'libtbb.so.12'\n    CDLL(name)\n"),
      0, "pk/__init__.py:4: CDLL in f: libtbb.so.12", "row of numba from the first: as in the sources")
# A function that passes on what it is given stands for the call; nothing that only looks alike does.
check(opens('''"""libnothing.so is mentioned."""
import ctypes, pathlib
def _load(folder, libraries):
    for each in libraries:
        ctypes.cdll.LoadLibrary(pathlib.Path(folder) / each)
def start():
    _load("tbb", ["libtbb.so.12", "libtbbmalloc.so.2"])
    print("libother.so")
'''), 0, "pk/__init__.py:7: _load in start: libtbb.so.12, libtbbmalloc.so.2",
      "row of numba from the first: as in the sources")
# A release that opens something else.
check(opens("import ctypes\nctypes.CDLL('libtbb2.so.13')\n"), 1, "pk/__init__.py:2: CDLL on import: libtbb2.so.13",
      "row of numba from the first: no source has libtbb.so.12")
# A package without rows gets a draft.
status, lines = opens("import ctypes\nctypes.CDLL(f'libx{1}.so')\n", "other", "--row")
row = json.loads(lines[1])
assert (status, row["packages"], row["from"], row["opens"]) == (0, ["other"], "0.64.0", ["libx*.so"]), lines
