# SPDX-License-Identifier: Apache-2.0
"""Validates documents by the JSON schemas of docs/schema, and by that of SARIF.

    schema.py NAME < DOCUMENT         prints the document if it is valid
"""

import json
import sys
from pathlib import Path

SUPPORT = Path(__file__).resolve().parent
FOLDERS = (SUPPORT.parents[1] / "docs/schema", SUPPORT)
DIALECT = "https://json-schema.org/draft/2020-12/schema"
# The dialect's own schema, except that unknown keywords are errors at any depth: validators ignore
# them, so a misspelt keyword would check nothing.
STRICT_DIALECT = {"$schema": DIALECT, "$id": "urn:cuda-cc:strict", "$dynamicAnchor": "meta",
                  "$ref": DIALECT, "unevaluatedProperties": False}


def problems(value, schema):
    """The violations, as lines such as `$.files[0].verdict: ...`."""
    # Imported here, because most tests that import this module do not call this function.
    from jsonschema import Draft202012Validator
    return [f"{error.json_path}: {error.message}"
            for error in Draft202012Validator(schema).iter_errors(value)]


def read(name):
    path = next(folder / f"{name}.json" for folder in FOLDERS if (folder / f"{name}.json").exists())
    return json.loads(path.read_text(encoding="utf-8"))


def fit(value, name):
    """Returns the value after validating it by the schema of that name: `check`, `sarif`."""
    found = problems(value, read(name))
    assert not found, "\n".join(found[:20])
    return value


if __name__ == "__main__":
    TEXT = sys.stdin.read()
    fit(json.loads(TEXT), sys.argv[1])
    print(TEXT, end="")
