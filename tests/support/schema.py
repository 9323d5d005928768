"""Validates JSON against a JSON Schema of the words used in docs/schema; any other word is an error,
so that no part of a schema is passed over.

    schema.py SCHEMA FILE      exit 1 and the first contradictions when FILE does not fit
"""

import json
import re
import sys

TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "integer": int,
         "number": (int, float), "null": type(None)}
ANNOTATIONS = {"$schema", "$defs", "$id", "title", "description"}


def is_a(value, name):
    return isinstance(value, TYPES[name]) and not (
        isinstance(value, bool) and name in ("integer", "number"))


class Validator:
    def __init__(self, schema):
        self.schema = schema
        self.problems = []

    def check(self, value, schema=None, at="$"):
        schema = self.schema if schema is None else schema
        for word, operand in schema.items():
            if word in ANNOTATIONS:
                continue
            rule = getattr(self, "on_" + word.lstrip("$"), None)
            if not rule:
                raise ValueError(f"{word} is not understood here")
            rule(value, operand, schema, at)
        return self.problems

    def say(self, at, what):
        self.problems.append(f"{at}: {what}")

    def on_ref(self, value, operand, schema, at):
        part = self.schema
        for step in operand.removeprefix("#/").split("/"):
            part = part[step]
        self.check(value, part, at)

    def on_type(self, value, operand, schema, at):
        if not is_a(value, operand):
            self.say(at, f"{value!r} is no {operand}")

    def on_const(self, value, operand, schema, at):
        if value != operand or isinstance(value, bool) != isinstance(operand, bool):
            self.say(at, f"{value!r} is not {operand!r}")

    def on_enum(self, value, operand, schema, at):
        if value not in operand:
            self.say(at, f"{value!r} is none of {operand}")

    def on_pattern(self, value, operand, schema, at):
        if isinstance(value, str) and not re.search(operand, value):
            self.say(at, f"{value!r} does not match {operand}")

    def on_minimum(self, value, operand, schema, at):
        if is_a(value, "number") and value < operand:
            self.say(at, f"{value} is below {operand}")

    def on_minItems(self, value, operand, schema, at):
        if isinstance(value, list) and len(value) < operand:
            self.say(at, f"{len(value)} items, {operand} at least")

    def on_required(self, value, operand, schema, at):
        for key in operand:
            if isinstance(value, dict) and key not in value:
                self.say(at, f"has no {key}")

    def on_properties(self, value, operand, schema, at):
        for key, part in operand.items():
            if isinstance(value, dict) and key in value:
                self.check(value[key], part, f"{at}.{key}")

    def on_additionalProperties(self, value, operand, schema, at):
        if not isinstance(value, dict):
            return
        for key in value.keys() - schema.get("properties", {}).keys():
            if operand is False:
                self.say(at, f"{key} is not in the schema")
            elif operand is not True:
                self.check(value[key], operand, f"{at}.{key}")

    def on_items(self, value, operand, schema, at):
        if isinstance(value, list):
            for index, item in enumerate(value):
                self.check(item, operand, f"{at}[{index}]")


def problems(value, schema):
    return Validator(schema).check(value)


def main():
    schema, value = (json.load(open(path, encoding="utf-8")) for path in sys.argv[1:3])
    found = problems(value, schema)
    print("\n".join(found[:20]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
