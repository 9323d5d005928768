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
from behaviour import behaviour
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


class Environment:
    """An environment of pip with this torch, and its target."""

    def __init__(self, requirement, version, cuda, release):
        self.requirement, self.version, self.line, self.release = requirement, version, cuda, release
        self.prefix = sandbox.work / requirement.replace("==", "-")
        self.site = installed.venv(self.prefix)
        slim.pip_torch(self.prefix, sandbox.root / f"wheels-{cuda}", requirement, installed.version_py(version, cuda),
                       WANTED["environments"][requirement])
        self.target = target("--runtime", f"env:{self.prefix.name}")


ENVIRONMENTS = [Environment("torch==2.5.1", "2.5.1+cu124", "12.4", "12.4.1"),
                Environment("torch==2.11.0", "2.11.0+cu130", "13.0", None)]
prefix, other = (each.prefix for each in ENVIRONMENTS)


@behaviour
def the_target_is_that_of_the_installed_torch():
    for each in ENVIRONMENTS:
        got = each.target
        equal((got["line"], got["torch"]), (each.line, each.version), got)
        if each.release:
            equal(got["release"], each.release)
        equal(got["site_packages"], [str(each.site)])
        assert "problems" not in got, got["problems"]


@behaviour
def pip_took_the_wheels_that_the_table_wants():
    for each in ENVIRONMENTS:
        equal({wheels.name_of(dist): number for dist, number in installed.listed(each.prefix).items()
               if "nvidia" in dist}, dict(map(wheels.parse, WANTED["environments"][each.requirement])), "what pip took")


@behaviour
def each_row_is_what_python_says():
    for each in ENVIRONMENTS:
        rows = {f"{row['folder']}/{row['soname']}": row for row in each.target["libraries"]}
        listed = installed.listed(each.prefix)
        for file, (dist, number) in installed.what_python_says(each.prefix).items():
            if file not in rows:  # not a library that programs link: plug-ins of one library
                print("no row:", file)
                continue
            row = rows.pop(file)
            equal((row["dist"], row["version"], row["path"], row["floats"]),
                  (dist, number, str(each.site / file), False), file)
            equal(listed[dist], number)
            equal(soname(row["path"]), row["soname"], "wheels name files by their SONAME")
            equal(row["origin"], f"installed in {each.prefix.name}")
            if "cuda" in row:
                equal(row["cuda"], each.line, row)
        equal([file for file in rows if not file.endswith(".so")], [], "rows that Python does not know")


@behaviour
def installed_versions_are_those_of_the_tables_for_the_release():
    for each in ENVIRONMENTS:
        pinned = {row["soname"]: row["version"] for row in target("--runtime", each.requirement)["libraries"]
                  if row["origin"].startswith("pinned")}
        for row in each.target["libraries"]:
            equal(row["version"], pinned.get(row["soname"], row["version"]), row)


@behaviour
def all_requirements_apply_together():
    for each in ENVIRONMENTS:
        own = ("--runtime", f"env:{each.prefix}", "--runtime")
        equal(target(*own, each.requirement)["line"], each.line)
        stops(3, "CC3004", *own, "torch==2.6.0")
        stops(3, "CC3004", *own, "cuda==12.9")


@behaviour
def the_active_environment_is_the_one_of_the_shell():
    """F14."""
    equal(target("--runtime", "env", VIRTUAL_ENV=prefix)["line"], "12.4")
    equal(target("--runtime", "env", CONDA_PREFIX=other)["line"], "13.0")
    equal(target("--runtime", "env", CONDA_PREFIX=prefix, VIRTUAL_ENV=prefix)["line"], "12.4")
    ended = stops(2, "CC1010", "--runtime", "env", CONDA_PREFIX=other, VIRTUAL_ENV=prefix)
    assert str(other) in ended.err and str(prefix) in ended.err, ended
    stops(2, "CC1007", "--runtime", "env")


@behaviour
def a_path_in_a_file_is_relative_to_its_folder():
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


@behaviour
def a_change_is_noticed():
    """torch is replaced, then a wheel is removed."""
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


@behaviour
def other_folders_are_no_environments():
    (sandbox.work / "pkg").mkdir(exist_ok=True)
    stops(4, "CC2005", "--runtime", "env:gone")
    stops(4, "CC2005", "--runtime", "env:pkg")
    installed.venv(sandbox.work / "empty")
    stops(4, "CC2007", "--runtime", "env:empty")


sandbox.clean()
