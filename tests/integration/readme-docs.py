# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""Runs the commands of the README unchanged: the quick start in one shell, where no CUDA is visible and the toolkit is
one that was fetched before. The commands for a user's module are compared with docs/troubleshooting.md, whose test runs
them, and those of `./dev` with the script."""
import json
import re
import shutil

import installed
import packing
from documented import ROOT, follows, instead
from sandbox import PROGRAM, Sandbox, equal, skip, toolkit, wheels

sandbox = Sandbox()
if sandbox.run("python3", "-c", "import ensurepip, venv").status:
    skip("python3 has no ensurepip (Debian: python3-venv)")
text = (ROOT / "README.md").read_text()
PAGE = follows("README")
assert len(text.split()) <= 700, "a README is read in a minute"

script = (ROOT / "dev").read_text()
named = re.findall(r"`(\./dev \w+)`", text)
assert named and all(f"\n{command} " in script for command in named), named

packing.wheel(sandbox, sandbox.work / "clone/dist")
cache = sandbox.root / "cache"
OFFLINE = {"PIP_NO_INDEX": "1", "PIP_NO_COMPILE": "1", "XDG_CACHE_HOME": cache, **wheels.QUIET_PIP}
# As if it was fetched before: fetch-toolkit.py fetches.
plan = json.loads(sandbox.cc("toolchain", "x", "--runtime=torch==2.11.0", "--fetch", "--print", "--format=json",
                             XDG_CACHE_HOME=cache).out)
shutil.copytree(toolkit("13.0"), plan["folder"], symlinks=True)
equal([PAGE["Install"].commands[0].replace("./", '"$OLDPWD"/')], PAGE["Quick start"].commands[2:3])
instead(PAGE["Install"].commands[0])
started = PAGE["Quick start"].follow(sandbox, "clone", PATH=sandbox.path, **OFFLINE)
place = sandbox.work / "try"
assert "ext.so: accept on torch==2.11.0" in " ".join(started.out.split()), started
assert re.search(r"2\.11\.0 to .* accept", started.out), started
[named] = re.findall(r"`(cuda-cc check ext\.so [^`]*)`", text)
rejected = sandbox.run(PROGRAM, *named.split()[1:], cwd=place)
assert rejected.status == 3 and "the runtime has no libcudart.so.13" in rejected.out, rejected

# The sections on wheels, for a wheel of this file.
(place / "dist").mkdir()
packing.extension(place / "dist", place / "ext.so", "torch>=2.11")
path = f"{place}/.venv/bin:{sandbox.path}"
PAGE["Check wheels in CI"].follow(sandbox, "try", PATH=path)
done = PAGE["What to write into install_requires"].follow(sandbox, "try", PATH=path)
line = PAGE["What to write into install_requires"].commands[0].split("# ")[1]
assert f"\n{line}\n" in done.out, done
assert "`torch>=2.11`" in text
# link-docs.py runs it with objects of device code.
instead(*PAGE["Link device code"].commands)

explain, doctor, trace = PAGE["A user reports an ImportError"].commands
done = sandbox.run("sh", "-euc", explain, PATH=path)
assert done.status == 0 and "libnvJitLink.so.12 is too old" in done.out, done
followed = (ROOT / "docs/troubleshooting.md").read_text()
for command, page in ((doctor, "cuda-cc doctor --before torch pkg.native"),
                      (trace, "cuda-cc trace -- python -c 'import pkg.native'")):
    assert page in followed and command.split()[:2] == page.split()[:2], command
    instead(command)

# The declarations in the table.
[site] = (place / ".venv/lib").glob("python*/site-packages")
installed.put(site, "nvidia-cuda-runtime==13.0.96")
for cell in re.findall(r"^\| (.*?) \|", text.split("| `runtime` | means |")[1].split("\n\n")[0], re.M):
    for value in re.findall(r"`([^`]+)`", cell):
        sandbox.write("try/cuda-cc.toml", f"runtime = {value}\n")
        done = sandbox.run(PROGRAM, "target", VIRTUAL_ENV=place / ".venv", cwd=place)
        if "lock:" not in value:
            equal(done.status, 0, done)

for link in re.findall(r"\]\(([\w./-]+)", text):
    assert (ROOT / link).is_file(), link
