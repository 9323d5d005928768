# SPDX-License-Identifier: Apache-2.0
"""Holds documents against the JSON schemas of docs/schema, and against that of SARIF.

    schema.py NAME < DOCUMENT         prints the document if it fits
"""

import json
import sys
from pathlib import Path

SUPPORT = Path(__file__).resolve().parent
FOLDERS = (SUPPORT.parents[1] / "docs/schema", SUPPORT)
DIALECT = "https://json-schema.org/draft/2020-12/schema"
# The dialect's own schema, but a word that it does not have is an error at any depth: validators
# pass over such words, and then a misspelt one would demand nothing.
STRICT_DIALECT = {"$schema": DIALECT, "$id": "urn:cuda-cc:strict", "$dynamicAnchor": "meta",
                  "$ref": DIALECT, "unevaluatedProperties": False}


def problems(value, schema):
    """What does not fit, `$.files[0].verdict: ...`, a line each."""
    # Only here: most tests that import this file do not get so far.
    from jsonschema import Draft202012Validator
    return [f"{error.json_path}: {error.message}"
            for error in Draft202012Validator(schema).iter_errors(value)]


def read(name):
    path = next(folder / f"{name}.json" for folder in FOLDERS if (folder / f"{name}.json").exists())
    return json.loads(path.read_text(encoding="utf-8"))


def fit(value, name):
    """The value, which has the form of the schema of that name: `check`, `sarif`."""
    found = problems(value, read(name))
    assert not found, "\n".join(found[:20])
    return value


if __name__ == "__main__":
    TEXT = sys.stdin.read()
    fit(json.loads(TEXT), sys.argv[1])
    print(TEXT, end="")
