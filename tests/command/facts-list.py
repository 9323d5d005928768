# SPDX-License-Identifier: Apache-2.0
# RUN: %python -B %s %support
"""./dev facts list: rows by confidence and source; the README of the data counts the same rows."""
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(sys.argv[1]).resolve().parents[1]
DATA = ROOT / "driver/tables/data"
TOOL = ROOT / "driver/tables/update/contents.py"
sys.path.insert(0, str(TOOL.parent))
import contents


def listed(data, *words):
    return subprocess.run([sys.executable, "-B", TOOL, "--data", data, *words], text=True, capture_output=True)


with tempfile.TemporaryDirectory() as folder:
    data = Path(folder)
    (data / "symbols").mkdir()
    (data / "symbols/zz.json").write_text(json.dumps(
        {"confidence": "verified", "versions": [{"source": "zz-1.whl"}, {"source": "zz-2.whl"}]}))
    (data / "made.json").write_text(json.dumps({"rows": [
        {"confidence": "verified", "source": "a wheel"}, {"confidence": "secondary", "source": "an inference"},
        {"confidence": "verified", "source": "a wheel"}, {"confidence": {"soname": "inferred"}}]}))
    done = listed(data)
    assert done.returncode == 0, done.stderr
    lines = [line.split(maxsplit=6) for line in done.stdout.splitlines()]
    assert lines[1:] == [["made", "4", "2", "1", "1", "2", "a wheel"], ["symbols", "2", "2", "2", "zz-1.whl"]], lines
    assert listed(data, "made").stdout == "     2  a wheel\n     1  an inference\n"
    done = listed(data, "mad")
    assert done.returncode == 2 and "no table 'mad' (known: made, symbols)" in done.stderr, done

# Every table has a line in the README, with the number of its rows.
readme = (DATA / "README.md").read_text()
counted = {name: int(rows) for name, rows in re.findall(r"^\| `(\w+)` \| (\d+)", readme, flags=re.M)}
tables = {name: len(rows) for name, rows in contents.tables_of(DATA).items() if name not in ("libraries", "symbols")}
assert counted == tables, counted.items() ^ tables.items()

# What may be missing in an incomplete row is said there.
pins = json.loads((DATA / "torch_wheel_pins.json").read_text())["rows"]
assert all(row["note"] for row in pins if not row["complete"])
