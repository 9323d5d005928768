# SPDX-License-Identifier: Apache-2.0
# UNSUPPORTED: sanitizers
# RUN: PYTHONPATH=%S:%support %python -B %s
"""driver/text.order names functions and constants of this program; ./dev order writes it anew."""
import subprocess
from pathlib import Path

from binaries import PROGRAM

lines = (Path(__file__).resolve().parents[2] / "driver/text.order").read_text().splitlines()
names = {line for line in lines if not line.startswith("#")}
symbols = subprocess.run(["nm", PROGRAM], capture_output=True, text=True, check=True).stdout
gone = names - {line.split()[-1] for line in symbols.splitlines()}
assert len(names) > 400 and len(gone) < len(names) / 10, sorted(gone)
