# SPDX-License-Identifier: Apache-2.0
# RUN: %python -B %s %support
"""./dev facts python-abi: CPython's own list of its stable ABI becomes rows by version; only functions and variables,
without those of Windows."""
import json
import subprocess
import sys
import tempfile
from pathlib import Path

UPDATE = Path(sys.argv[1]).resolve().parents[1] / "driver/tables/update"
scratch = tempfile.TemporaryDirectory()
folder = Path(scratch.name)
(folder / "stable_abi.toml").write_text("""
[struct.PyObject]
    added = '3.2'
[function.PyList_New]
    added = '3.2'
[function.PyErr_SetFromWindowsErr]
    added = '3.7'
    ifdef = 'MS_WINDOWS'
[function.PyOS_AfterFork_Child]
    added = '3.7'
    ifdef = ['HAVE_FORK']
[data.PyList_Type]
    added = '3.2'
[function.PyType_GetName]
    added = '3.11'
""")
done = subprocess.run([sys.executable, "-B", UPDATE / "python_abi.py", folder / "stable_abi.toml",
                       folder / "out.json"], text=True, capture_output=True)
assert done.returncode == 0, done.stderr
rows = json.loads((folder / "out.json").read_text())["rows"]
got = {row["since"]: row["names"] for row in rows}
assert got == {"3.2": ["PyList_New", "PyList_Type"], "3.7": ["PyOS_AfterFork_Child"],
               "3.11": ["PyType_GetName"]}, got
assert list(got) == ["3.2", "3.7", "3.11"], got
assert rows[0]["source"] == "Misc/stable_abi.toml of CPython", rows[0]
kept = json.loads((UPDATE.parent / "data/python_limited_api.json").read_text())["rows"]
assert {"since": rows[0]["since"], "confidence": "sourced"}.items() <= kept[0].items(), kept[0]
