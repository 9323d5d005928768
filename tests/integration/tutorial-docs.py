# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""Runs docs/tutorial.md from its first to its last command in one shell, where no CUDA is visible and a folder of
wheels replaces the package index. The outputs on the page are compared with the real ones."""
import re

import packing
from documented import sections
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

PROMPT = "$ "
BEGINS = re.compile(r"(python3|pip|cuda-cc|\.|sed|mkdir|user/bin/\w+) |  nvidia-")
PAGE = sections("tutorial")
script, shown = [], []
for section in PAGE.values():
    section.put(sandbox)
    for line in section.commands:
        if BEGINS.match(line):
            script.append(line)
        elif line.startswith(PROMPT):
            # A command with a prompt is one that the page shows as rejected.
            script.append(f"status=0; {line[len(PROMPT):]} 2>&1 || status=$?; [ $status = 3 ]")
        else:
            shown.append(line)
assert len(script) == 20, script
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
