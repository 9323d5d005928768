# SPDX-License-Identifier: Apache-2.0
"""Helpers for the tests of `trace`: a command is run directly and under `trace`, which must change neither its output
nor its exit status; returns the JSON document about it."""
import json

import schema
from loading import Tree
from sandbox import PROGRAM, equal


class Tracing(Tree):
    def traced(self, *words, options=(), cwd=None, **environment):
        """The document about a command, whose output and status equal those of a direct run."""
        plain = self.run(*words, cwd=cwd, **environment)
        output = self.root / "trace.json"
        output.unlink(missing_ok=True)
        ended = self.run(PROGRAM, "trace", "--format=json", "--output", output, *options, "--",
                         *words, cwd=cwd, **environment)
        equal((ended.status, ended.out, ended.err), (plain.status, plain.out, plain.err), words)
        self.nothing_left_behind()
        value = schema.fit(json.loads(output.read_text()), "trace")
        key, code = ("signal", -plain.status) if plain.status < 0 else ("status", plain.status)
        equal(value[key], code, words)
        return value

    def said(self, *words, options=(), status=0, **environment):
        """The text report, which follows the command's own output on stderr."""
        plain = self.run(*words, **environment)
        ended = self.run(PROGRAM, "trace", *options, "--", *words, **environment)
        equal((ended.status, ended.out), (status, plain.out), ended)
        assert ended.err.startswith(plain.err), ended
        self.nothing_left_behind()
        return ended.err[len(plain.err):]

    def nothing_left_behind(self):
        left = [path.name for path in self.tmp.iterdir() if path.name.startswith(".cuda-cc-")]
        assert not left, left


def only(items):
    equal(len(items), 1, str(items)[:2000])
    return items[0]


def library(value, name):
    return only([each for process in value["processes"] for each in process["libraries"]
                 if each["name"] == name])


def agrees(value):
    for process in value["processes"]:
        equal(process["simulation"]["differences"], [], process["program"])
        assert process["simulation"]["compared"] > 0, process
        equal(process["unknown"], [])
    return value


def loaded(value, name):
    return [each["path"] for each in library(value, name)["copies"] if each["loaded"]]
