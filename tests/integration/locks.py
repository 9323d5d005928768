# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s %S/locks
"""`lock:PATH`: the same rows from every tool's lock of one project, those of torch from uv's lock; invalid or
insufficient locks are reported with file and line (TG-1, F24)."""
import json
import shutil
import sys
from pathlib import Path

from sandbox import PROGRAM, Sandbox, equal

LOCKS = Path(sys.argv[1])
sandbox = Sandbox()

def target(lock, *words):
    ended = sandbox.run(PROGRAM, "target", "--format=json", "--runtime", f"lock:{lock}", *words)
    assert ended.status == 0, ended
    return json.loads(ended.out)

def rows(got):
    return {row["soname"]: (row["dist"], row["version"]) for row in got["libraries"]}

def stops(status, code, lock, *parts):
    ended = sandbox.run(PROGRAM, "target", "--runtime", f"lock:{lock}")
    equal((ended.status, ended.out, ended.codes), (status, "", [code]), ended)
    for part in parts:
        assert part in ended.err, (part, ended)

# One project: the runtime and nvJitLink of CUDA 12.4.
PROJECT = {"libcudart.so.12": ("nvidia-cuda-runtime-cu12", "12.4.127"),
           "libnvJitLink.so.12": ("nvidia-nvjitlink-cu12", "12.4.127")}
for lock, place in (("uv/uv.lock", "uv.lock:32"), ("pylock/pylock.toml", "pylock.toml:19"),
                    ("pip-tools/requirements.txt", "requirements.txt:12"),
                    ("poetry/poetry.lock", "poetry.lock:23"), ("pdm/pdm.lock", "pdm.lock:27"),
                    ("pipenv/Pipfile.lock", "Pipfile.lock:27"),
                    ("conda-lock/conda-lock.yml", "conda-lock.yml:47"),
                    ("pixi/pixi.lock", "pixi.lock:32")):
    got = target(LOCKS / lock)
    equal((rows(got), got["line"], got.get("problems", [])), (PROJECT, "12.4", []), lock)
    origin = {row["soname"]: row["origin"] for row in got["libraries"]}
    equal(origin["libnvJitLink.so.12"], f"pinned in {place}", lock)

# torch with all its requirements: uv's lock, its export, and torch's own requirements agree.
whole = target(LOCKS / "uv-torch/uv.lock")
equal((whole["line"], whole["torch"], whole["release"]), ("12.4", "2.5.1+cu124", "12.4.1"), whole)
assert len(whole["libraries"]) > 20, whole
equal(rows(target(LOCKS / "requirements-torch/requirements.txt")), rows(whole))
(sandbox.work / "requirements.txt").write_text("torch==2.5.1\n")
equal(rows(target("requirements.txt")), rows(whole))

# Two extras that exclude each other: it is unknown which one is installed.
stops(4, "CC2002", LOCKS / "uv-extras/uv.lock", "nvidia-nvjitlink-cu12 12.4.127 in uv.lock:",
      "nvidia-nvjitlink-cu12 12.6.85 in uv.lock:")

# A relative path is relative to the folder of the file that declares it.
below = sandbox.work / "below"
below.mkdir()
shutil.copy(LOCKS / "uv/uv.lock", sandbox.work)
(sandbox.work / "cuda-cc.toml").write_text('runtime = "lock:uv.lock"\n')
ended = sandbox.run(PROGRAM, "target", "--format=json", cwd=below)
equal((ended.status, rows(json.loads(ended.out))), (0, PROJECT), ended)

# Invalid input is one error that names the line.
text = (LOCKS / "uv/uv.lock").read_text()
for name, content, status, code, part in (
        ("uv.lock", text[:len(text) // 2], 4, "CC2006", "uv.lock:"),
        ("uv.lock", "version = 1\na = " + "[" * 1000000, 4, "CC2006", "64 deep"),
        ("uv.lock", "version = 1\n", 4, "CC2007", "pins no CUDA"),
        ("requirements.txt", "torch 2.5.1\n", 4, "CC2006", "requirements.txt:1"),
        ("requirements.txt", "-r requirements.txt\nnumpy==1.26.4\n", 4, "CC2007", "pins no CUDA"),
        ("requirements.txt", "-r gone.txt\n", 4, "CC2006", "requirements.txt:1"),
        ("requirements.txt", "a==1\n" * 1000000, 4, "CC2006", "65536 packages"),
        ("Pipfile.lock", '{"_meta": {', 4, "CC2006", "Pipfile.lock:1"),
        ("pixi.lock", "- " * 1000000, 4, "CC2006", "64 deep"),
        ("yarn.lock", "", 2, "CC1007", "is not a lock file")):
    folder = sandbox.work / "bad"
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(content)
    stops(status, code, folder / name, part)
stops(4, "CC2005", sandbox.work / "nowhere" / "uv.lock", "lock:")
