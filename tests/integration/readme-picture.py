# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""The README's picture of a rejected build shows what the program prints, is small, and needs no other file.
`docs/images/refused.py build/bin/cuda-cc` makes it anew."""
import subprocess
import sys
import xml.etree.ElementTree as xml

from documented import ROOT
from sandbox import PROGRAM, Sandbox, equal

sandbox = Sandbox()
committed = (ROOT / "docs/images/refused.svg").read_text()
made = sandbox.work / "refused.svg"
script = ROOT / "docs/images/refused.py"
subprocess.run([sys.executable, "-B", script, PROGRAM, made], check=True)
equal(committed, made.read_text(), "docs/images/refused.svg is not what cuda-cc prints")

assert len(committed) < 30_000
image = xml.fromstring(committed)
lines = ["".join(text.itertext()) for text in image.iter("{http://www.w3.org/2000/svg}text")]
assert "cuda-cc: error: libnvJitLink.so.12 of CUDA 12.5, runtime has 12.4 [CC3015]" in lines, lines
assert "ext.so: accept on torch==2.5.1 (CUDA 12.4)" in lines, lines
for foreign in ("href", "url(", "@import", "<script", "/tmp/"):
    assert foreign not in committed, foreign
assert "prefers-color-scheme: dark" in committed

# The script fails with a program that accepts everything.
sandbox.write("cuda-cc", "#!/bin/sh\nexit 0\n").chmod(0o755)
done = subprocess.run([sys.executable, "-B", script, sandbox.work / "cuda-cc", made], capture_output=True, text=True)
assert done.returncode == 1 and "status 0" in done.stderr, done
