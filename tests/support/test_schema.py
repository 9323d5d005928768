"""The validator says no where it should: a check that cannot fail proves nothing."""
import unittest

from schema import problems


class Schema(unittest.TestCase):
    def refused(self, value, schema):
        self.assertTrue(problems(value, schema), f"{value} passed {schema}")

    def test_each_word(self):
        accepted = [(1, {"type": "integer"}), ("a", {"enum": ["a"]}), ([1], {"minItems": 1}),
                    ({"a": 1}, {"required": ["a"]}), ("12.4", {"pattern": "^[0-9.]+$"}),
                    ({"a": 1}, {"properties": {"a": {"const": 1}}, "additionalProperties": False}),
                    ({"b": "x"}, {"additionalProperties": {"type": "string"}}),
                    ([{"$": 1}], {"items": {"type": "object"}}), (0, {"minimum": 0})]
        refused = [(True, {"type": "integer"}), (1.5, {"type": "integer"}), ("b", {"enum": ["a"]}),
                   ([], {"minItems": 1}), ({}, {"required": ["a"]}), ("x", {"pattern": "^[0-9.]+$"}),
                   ({"a": 2}, {"properties": {"a": {"const": 1}}}), (-1, {"minimum": 0}),
                   ({"b": 1}, {"properties": {}, "additionalProperties": False}), (1, {"const": True}),
                   ({"b": 1}, {"additionalProperties": {"type": "string"}}),
                   ([1], {"items": {"type": "object"}}), (None, {"type": "string"})]
        for value, schema in accepted:
            self.assertEqual(problems(value, schema), [])
        for value, schema in refused:
            self.refused(value, schema)

    def test_references(self):
        schema = {"items": {"$ref": "#/$defs/a"}, "$defs": {"a": {"type": "string"}}}
        self.assertEqual(problems(["x"], schema), [])
        self.refused(["x", 1], schema)

    def test_unknown_words_are_errors(self):
        with self.assertRaises(ValueError):
            problems(1, {"oneOf": []})
