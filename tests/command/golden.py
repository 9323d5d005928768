# SPDX-License-Identifier: Apache-2.0
"""Golden files: what must not change from one version to the next, as text that is readable in a diff.

A test golden-NAME.py computes a text and compares it with golden/NAME.txt. If a difference is intended, rewrite the
files and read `git diff` before you commit them:

    lit --param update=1 --filter golden- build/tests
"""

import atexit
import difflib
import json
import os
import re
import sys
from collections import defaultdict
from pathlib import Path

FOLDER = Path(__file__).resolve().parent / "golden"
# Keys with few values, which other programs compare: the values are shown.
VALUES = {"after", "by", "code", "dialect", "did", "ends", "enforce", "equal", "exit", "family", "from", "home", "id",
          "kind", "level", "outcome", "role", "schema", "severity", "state", "status", "step", "system", "verdict"}
LISTS = {"flags", "switches"}


differing = []


def end():
    """Registered first, so it runs last: after all folders are removed and all differences printed."""
    if differing:
        print(f"differs: {' '.join(differing)}; if that is wanted, run lit with --param update=1", flush=True)
        os._exit(1)


atexit.register(end)


class Golden:
    """The lines of golden/NAME.txt."""

    def __init__(self, name, *intro):
        self.path = FOLDER / f"{name}.txt"
        self.lines = [f"# {line}" for line in intro]

    def section(self, title):
        self.lines += ["", f"== {title}"]

    def add(self, *lines):
        self.lines += lines

    def table(self, rows):
        """Columns as wide as their widest cell."""
        rows = [[str(cell) for cell in row] for row in rows]
        widths = [max(map(len, column)) for column in zip(*rows)]
        for row in rows:
            self.add("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())

    def finish(self):
        """Compares the file, or rewrites it."""
        text = "\n".join(self.lines) + "\n"
        if os.environ.get("CUDACC_TEST_UPDATE"):
            self.path.write_text(text)
            return
        golden = self.path.read_text() if self.path.exists() else ""
        if golden != text:
            differing.append(self.path.name)
            sys.stdout.writelines(difflib.unified_diff(
                golden.splitlines(True), text.splitlines(True), f"golden/{self.path.name}", "this program"))


def codes(text):
    """The codes of diagnostics, each once, sorted."""
    return " ".join(sorted(set(re.findall(r"\[(CC\d{4})\]", text)))) or "-"


def typed(value):
    names = {bool: "boolean", int: "integer", float: "number", str: "string", type(None): "null",
             list: "array", dict: "object"}
    return names[type(value)]


def shape(value, masked=()):
    """[key path, type, values] for a JSON value; values only for the keys in VALUES. `?` after a key: not every
    object at this place has it. `[]`: each element. In keys, each (text, stand-in) of `masked` is replaced."""
    types, values = defaultdict(set), defaultdict(set)
    seen, parents = defaultdict(int), defaultdict(int)

    def walk(value, path):
        types[path].add(typed(value))
        seen[path] += 1
        if isinstance(value, list):
            for item in value:
                walk(item, path + "[]")
        elif isinstance(value, dict):
            parents[path] += 1
            for key, each in value.items():
                for text, other in masked:
                    key = key.replace(str(text), other)
                if key in LISTS:
                    values[f"{path}.{key}[]"].update(each)
                if key in VALUES and not isinstance(each, (list, dict)) and "/" not in str(each):
                    values[f"{path}.{key}"].add(json.dumps(each).strip('"'))
                walk(each, f"{path}.{key}")

    walk(value, "")
    rows = []
    for path in sorted(types):
        optional = not path.endswith("[]") and seen[path] < parents[path.rpartition(".")[0]]
        inner = any(other.startswith((path + ".", path + "[]")) for other in types)
        # Paths of elements inside show that the array exists.
        if path and not (inner and not optional and types[path] <= {"object", "array"}):
            rows.append(["  " + path[1:] + "?" * optional, " or ".join(sorted(types[path])),
                         " ".join(sorted(values[path]))])
    return rows
