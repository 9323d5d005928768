# SPDX-License-Identifier: Apache-2.0
"""Helpers for the tests of `cuda-cc audit`: real CMake versions, and findings as short texts."""
import json
from pathlib import Path

import schema
import wheels
from sandbox import equal, skip, tools


def cmakes():
    """The machine's CMake and a new one."""
    if set(tools("cmake", "ninja", "make")) < {"cmake", "ninja", "make"}:
        skip("no cmake, no ninja or no make")
    newest = Path(wheels.get("cmake==4.4.4")) / "cmake/data/bin/cmake"
    return {"system": "cmake", "newest": newest}


def audit(sandbox, build, status=None, **environment):
    """(findings as `code target step file:line`, the report); checks that text, JSON and SARIF agree."""
    done = sandbox.cc("audit", build, "--format=json", **environment)
    report = json.loads(done.out)
    schema.fit(report, "audit")
    schema.fit(json.loads(sandbox.cc("audit", build, "--format=sarif", **environment).out), "sarif")
    rows = []
    for row in report["findings"]:
        where = f" {Path(row['file']).name}:{row.get('line', '')}" if "file" in row else ""
        rows.append(f"{row['code']} {row.get('target', '-')} {row['step']}{where}")
    shown = sandbox.cc("audit", build, **environment)
    equal(shown.status, done.status, shown)
    for row in report["findings"]:
        assert f"[{row['code']}]" in shown.out, (row, shown.out)
    assert all(len(line) <= 100 or "/" in line for line in shown.out.splitlines()), shown.out
    if status is not None:
        equal(done.status, status, shown)
    return sorted(rows), report


def fact(report, code, label):
    """The first fact with that label in the finding with that code."""
    for row in report["findings"]:
        if row["code"] == code:
            for each in row["facts"]:
                if each["label"] == label:
                    return each["text"]
    raise AssertionError(f"no {label} of {code} in {report}")
