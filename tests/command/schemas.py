# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%support %python -B %s
"""The schemas of docs/schema use only keywords of JSON Schema, and a document that does not satisfy one is rejected, so
the validation can fail."""
import schema

NAMES = sorted(path.stem for path in schema.FOLDERS[0].glob("*.json"))
assert len(NAMES) > 10, NAMES
for name in [*NAMES, "sarif"]:
    read = schema.read(name)
    found = schema.problems(read, schema.STRICT_DIALECT)
    assert read["$schema"] == schema.DIALECT and not found, (name, found)

# A misspelt keyword at the top, and in a nested schema.
for wrong in ({"requried": []}, {"type": "strng"}, {"properties": {"a": {"enmu": []}}}, {"items": {"minitems": 1}},
              {"$defs": {"a": {"addtionalProperties": False}}}, {"additionalProperties": {"tpye": "string"}}):
    assert schema.problems(wrong, schema.STRICT_DIALECT), wrong

good = {"schema": 1, "list": "/x", "paths": [{"path": "/y", "state": "trusted"}]}
assert schema.fit(good, "trust") is good
for key, value in (("schema", True), ("paths", [{"path": 1}]), ("more", 1)):
    try:
        schema.fit({**good, key: value}, "trust")
    except AssertionError as error:
        assert "$" in str(error), error
    else:
        raise AssertionError(f"{key} = {value} passed")
