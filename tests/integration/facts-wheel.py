# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %python -B %s
"""The wheel cuda-cc-facts: data alone, where pip puts it for cuda-cc; rows that releases of the data
added and no others; the same bytes from equal data. Installed from newer data, a release is known that
is not built in."""
import base64
import csv
import hashlib
import json
import os
import shutil
import subprocess
import sys
import time
import zipfile
from pathlib import Path

from behaviour import behaviour
from documented import ROOT, follows
from sandbox import PROGRAM, Sandbox, equal

DATA = ROOT / "driver/tables/data"
sandbox = Sandbox()


def build(output, data=DATA, **environment):
    done = subprocess.run([sys.executable, "-B", ROOT / "packaging/facts/wheel.py", "--output",
                           sandbox.work / output, "--data", data], text=True, capture_output=True,
                          env={**os.environ, **environment})
    equal(done.returncode, 0, done.stderr)
    return Path(done.stdout.strip())


def installed(wheel, prefix):
    done = subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps",
                           "--prefix", prefix, wheel], text=True, capture_output=True,
                          env={**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1"})
    equal(done.returncode, 0, done.stdout + done.stderr)
    return prefix / "share/cuda-cc/facts"


def version(prefix):
    done = sandbox.run(PROGRAM, "version", "--format=json", VIRTUAL_ENV=str(prefix))
    equal((done.status, done.err), (0, ""))
    return json.loads(done.out)["facts"]


def rows(table, folder=DATA):
    return json.loads((folder / f"{table}.json").read_text())["rows"]


wheel = build("a")
release = rows("release")[0]["release"]
equal(wheel.name, f"cuda_cc_facts-{release}-py3-none-any.whl")
facts = f"cuda_cc_facts-{release}.data/data/share/cuda-cc/facts"
info = f"cuda_cc_facts-{release}.dist-info"


@behaviour
def the_wheel_is_data_alone_where_cuda_cc_looks_for_it():
    with zipfile.ZipFile(wheel) as archive:
        equal(sorted(archive.namelist()), sorted([*(f"{facts}/{name}" for name in (
            "release.json", "tables.json", "torch-names.bin")), *(f"{info}/{name}" for name in (
                "METADATA", "WHEEL", "RECORD", "licenses/LICENSE"))]))
        for name, digest, size in csv.reader(archive.read(f"{info}/RECORD").decode().splitlines()):
            content = archive.read(name)
            if name != f"{info}/RECORD":
                equal((digest, int(size)), ("sha256=" + base64.urlsafe_b64encode(
                    hashlib.sha256(content).digest()).rstrip(b"=").decode(), len(content)), name)
        equal(archive.read(f"{facts}/torch-names.bin"), (DATA / "torch-names.bin").read_bytes())
        equal(archive.read(f"{info}/licenses/LICENSE"), (ROOT / "LICENSE").read_bytes())
    assert wheel.stat().st_size < 4_000_000, wheel.stat().st_size


@behaviour
def only_rows_that_releases_added_are_in_the_package():
    """Every cuda-cc that looks for a package has the others."""
    tables = json.loads(zipfile.ZipFile(wheel).read(f"{facts}/tables.json"))
    for table, packaged in tables["tables"].items():
        for row in packaged:
            assert row["since"] <= release, row
            if table == "nvidia_wheel_versions":
                whole = next(each for each in rows(table) if each["dist"] == row["dist"])
                equal({entry[0] for entry in row["versions"]}, set(whole["since"]), row["dist"])
            else:
                assert row in rows(table), row


@behaviour
def no_row_was_added_without_its_release():
    """It would be in no package: those without it are of the first release."""
    FIRST = {"ctk_component_versions": 52, "torch_wheel_pins": 39, "pytorch_cuda_lines": 46,
             "torch_pypi_default": 17, "framework_targets": 95, "torch_platforms": 60}
    equal({table: sum("since" not in row for row in rows(table)) for table in FIRST}, FIRST)
    equal(sum(len(row["versions"]) - len(row.get("since", {})) for row in rows("nvidia_wheel_versions")), 1602)


copy = sandbox.work / "data"
shutil.copytree(DATA, copy)
for path in copy.rglob("*"):
    os.utime(path, (time.time() + 9e6,) * 2)


@behaviour
def equal_data_makes_equal_bytes():
    """Elsewhere and later."""
    equal(build("b", copy, TZ="Asia/Kathmandu").read_bytes(), wheel.read_bytes(), "bytes")


@behaviour
def times_are_those_of_source_date_epoch():
    epoch = build("c", SOURCE_DATE_EPOCH="86400000")
    equal({entry.date_time for entry in zipfile.ZipFile(epoch).infolist()}, {(1980, 1, 1, 0, 0, 0)},
          "archives have no earlier time")
    equal({entry.date_time for entry in zipfile.ZipFile(
        build("c", SOURCE_DATE_EPOCH="1800000000")).infolist()}, {(2027, 1, 15, 8, 0, 0)})


@behaviour
def what_is_built_in_is_not_newer_than_itself():
    place = installed(wheel, sandbox.work / "same")
    equal(sorted(path.name for path in place.iterdir()), ["release.json", "tables.json", "torch-names.bin"])
    equal(version(sandbox.work / "same"), {"release": release, "built_in": release})


# A release of the data from next year: torch 9.9.0, built as 2.15.0 was.
head = "2099.1.0"


def add(table, like, **changes):
    path = copy / f"{table}.json"
    value = json.loads(path.read_text())
    row = next(row for row in value["rows"] if like(row))
    value["rows"].append({**row, **changes, "since": head})
    path.write_text(json.dumps(value))


add("torch_wheel_pins", lambda row: row["torch_versions"] == ["2.15.0"], torch="9.9",
    torch_versions=["9.9.0"])
for table in ("pytorch_cuda_lines", "torch_pypi_default"):
    add(table, lambda row: row["torch"] == "2.15", torch="9.9")
(copy / "release.json").write_text(json.dumps(
    {"schema": 1, "rows": [{"release": head, "date": "2099-01-05"}]}))
newer = build("d", copy)
prefix = sandbox.work / "venv"


@behaviour
def pip_installs_newer_facts():
    """Until they are on PyPI, it finds the wheel in a folder."""
    pip = sandbox.write("bin/pip", f'#!/bin/sh\nexec "{sys.executable}" -m pip "$@"\n')
    pip.chmod(0o755)
    done = follows("facts")["Facts: releases that cuda-cc does not know yet"].follow(
        sandbox, PATH=f"{pip.parent}:{Path(PROGRAM).parent}:{sandbox.path}", VIRTUAL_ENV=prefix, PIP_PREFIX=prefix,
        PIP_NO_INDEX="1", PIP_FIND_LINKS=newer.parent)
    assert head in done.out, done
    equal(version(prefix), {"release": head, "built_in": release, "package": str(prefix / "share/cuda-cc/facts")})


def libraries(runtime):
    done = sandbox.run(PROGRAM, "target", "--runtime", runtime, "--format=json",
                       VIRTUAL_ENV=str(prefix))
    equal(done.status, 0, done.err)
    return {row["soname"]: row["version"] for row in json.loads(done.out)["libraries"]}


@behaviour
def a_release_that_is_not_built_in_is_known():
    equal(libraries("torch==9.9.0"), libraries("torch==2.15.0"))
    equal(sandbox.run(PROGRAM, "target", "--runtime", "torch==9.9.0").status, 4, "without the package")
