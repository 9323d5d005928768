# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""`env:PATH`: each row of the target of torch, installed by pip, equals what Python itself and `pip list` report for
the same folder (TG-1, F14, EV-2)."""
import json
import re
import shutil
import subprocess

import installed
import slim
import wheels
from sandbox import PROGRAM, Sandbox, equal

WANTED = json.loads((wheels.Path(wheels.__file__).parent / "wanted.json").read_text())
sandbox = Sandbox()

def target(*words, **environment):
    ended = sandbox.run(PROGRAM, "target", "--format=json", *words, **environment)
    assert ended.status == 0 and not ended.err, ended
    return json.loads(ended.out)

def stops(status, code, *words, **environment):
    ended = sandbox.run(PROGRAM, "target", *words, **environment)
    equal((ended.status, ended.out, ended.codes), (status, "", [code]), ended)
    return ended

def soname(path):
    text = subprocess.run(["readelf", "-d", path], capture_output=True, text=True).stdout
    return re.search(r"SONAME.*\[(.*)\]", text)[1]

for name, version, cuda, release, line in (
        ("torch==2.5.1", "2.5.1+cu124", "12.4", "12.4.1", "12.4"),
        ("torch==2.11.0", "2.11.0+cu130", "13.0", None, "13.0")):
    prefix = sandbox.work / name.replace("==", "-")
    site = installed.venv(prefix)
    slim.pip_torch(prefix, sandbox.root / f"wheels-{cuda}", name, installed.version_py(version, cuda),
                   WANTED["environments"][name])
    got = target("--runtime", f"env:{prefix.name}")
    equal((got["line"], got["torch"]), (line, version), got)
    if release:
        equal(got["release"], release)
    equal(got["site_packages"], [str(site)])
    assert "problems" not in got, got["problems"]
    rows = {f"{row['folder']}/{row['soname']}": row for row in got["libraries"]}
    expected = installed.what_python_says(prefix)
    listed = installed.listed(prefix)
    equal({wheels.name_of(dist): number for dist, number in listed.items() if "nvidia" in dist},
          dict(map(wheels.parse, WANTED["environments"][name])), "what pip took")
    for file, (dist, number) in expected.items():
        if file not in rows:  # not a library that programs link: plug-ins of one library
            print("no row:", file)
            continue
        row = rows.pop(file)
        equal((row["dist"], row["version"], row["path"], row["floats"]),
              (dist, number, str(site / file), False), file)
        equal(listed[dist], number)
        equal(soname(row["path"]), row["soname"], "wheels name files by their SONAME")
        equal(row["origin"], f"installed in {prefix.name}")
        if "cuda" in row:
            equal(row["cuda"], line, row)
    equal([file for file in rows if not file.endswith(".so")], [], "rows that Python does not know")

    # The installed versions are those of the tables for that release.
    pinned = {row["soname"]: row["version"] for row in target("--runtime", name)["libraries"]
              if row["origin"].startswith("pinned")}
    for row in got["libraries"]:
        equal(row["version"], pinned.get(row["soname"], row["version"]), row)

    # All requirements apply together.
    equal(target("--runtime", f"env:{prefix}", "--runtime", name)["line"], line)
    stops(3, "CC3004", "--runtime", f"env:{prefix}", "--runtime", "torch==2.6.0")
    stops(3, "CC3004", "--runtime", f"env:{prefix}", "--runtime", "cuda==12.9")

prefix = sandbox.work / "torch-2.5.1"
other = sandbox.work / "torch-2.11.0"

# F14: the active environment.
equal(target("--runtime", "env", VIRTUAL_ENV=prefix)["line"], "12.4")
equal(target("--runtime", "env", CONDA_PREFIX=other)["line"], "13.0")
equal(target("--runtime", "env", CONDA_PREFIX=prefix, VIRTUAL_ENV=prefix)["line"], "12.4")
ended = stops(2, "CC1010", "--runtime", "env", CONDA_PREFIX=other, VIRTUAL_ENV=prefix)
assert str(other) in ended.err and str(prefix) in ended.err, ended
stops(2, "CC1007", "--runtime", "env")

# Declared in a file: the path is relative to the file's folder.
sub = sandbox.work / "pkg/src"
sub.mkdir(parents=True)
with sandbox.file("cuda-cc.toml", 'runtime = ["env:torch-2.5.1", "sm>=80", "driver>=550.54.14"]\n'):
    ended = sandbox.run(PROGRAM, "target", "--format=json", cwd=sub)
    got = json.loads(ended.out)
    equal((got["line"], got["gpu"], got["driver"], got["driver_cuda"]),
          ("12.4", ["sm_80", "sm_86", "sm_89", "sm_90"], "550.54.14", "12.4"), ended)
    ended = sandbox.run(PROGRAM, "target", cwd=sub)
    assert "installed in torch-2.5.1" in ended.out and "GPUs: sm_80" in ended.out, ended
    # A long path is not wrapped.
    assert all(len(text) <= 100 for text in ended.out.splitlines()
               if str(sandbox.root) not in text), ended

# A change is noticed: torch is replaced, then a wheel is removed.
site = next(prefix.glob("lib/python3.*/site-packages"))
equal(target("--runtime", f"env:{prefix}")["torch"], "2.5.1+cu124")
(site / "torch/version.py").write_text("__version__ = '2.5.0'\ncuda = '12.4'\n")
got = target("--runtime", f"env:{prefix}", "--runtime", "torch==2.5.0")
equal((got["torch"], [problem["code"] for problem in got["problems"]]),
      ("2.5.0+cu124", ["CC2002"]), "version.py and the metadata disagree")
for entry in site.glob("nvidia_nvjitlink*"):
    shutil.rmtree(entry)
rows = {row["soname"]: row for row in target("--runtime", f"env:{prefix}")["libraries"]}
assert "version" not in rows["libnvJitLink.so.12"], rows["libnvJitLink.so.12"]

# Paths that are not environments.
stops(4, "CC2005", "--runtime", "env:gone")
stops(4, "CC2005", "--runtime", "env:pkg")
installed.venv(sandbox.work / "empty")
stops(4, "CC2007", "--runtime", "env:empty")
sandbox.clean()
