# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""Runs docs/tutorial.md from its first to its last command in one shell, where no CUDA is visible and a folder of
wheels replaces the package index. The outputs on the page are compared with the real ones."""
import re

import packing
from documented import follows, instead
from python_project import BUILDERS, NVIDIA
from sandbox import Sandbox, skip, wheels

sandbox = Sandbox()
if sandbox.run("python3", "-c", "import ensurepip, venv").status:
    skip("python3 has no ensurepip (Debian: python3-venv)")
packing.wheel(sandbox, sandbox.work / "dist")
index = sandbox.root / "index"
index.mkdir()
for requirement in (*NVIDIA, *BUILDERS, "nvidia-cuda-runtime==13.0.96"):
    wheels.file_of(requirement, index)
OFFLINE = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": index, "PIP_NO_COMPILE": "1", **wheels.QUIET_PIP}

REFUSED = "7. Be refused"
PAGE = follows("tutorial")
script, shown = [], []
for title, section in PAGE.items():
    section.put(sandbox)
    shown += section.shown
    for command in section.commands:
        if title == REFUSED:
            instead(command)
            command = f"status=0; {command} 2>&1 || status=$?; [ $status = 3 ]"
        script.append(command)
done = sandbox.run("sh", "-eux", "-c", "\n".join(script), PATH=sandbox.path, **OFFLINE)
assert done.status == 0, done

said = " ".join(done.out.split())
assert "accept on torch>=2.11,<2.13" in said, done
assert "no error" in done.out or "no CUDA-capable device" in done.out or "driver" in done.out, done
# Columns and paths differ between machines; `...` on the page stands for omitted text.
for line in shown:
    for part in re.split(r"\.\.\.|\.venv/", line):
        for piece in re.split(r"  +|: ", part.strip()):
            assert " ".join(piece.split()) in said, f"the page shows {piece!r}, which was not printed: {done}"
