# SPDX-License-Identifier: Apache-2.0
"""Finds comparisons, && and || and conditions in a C++ source, and puts all their mutants into it (mutant.h)."""
import re

NAMES = {"==": "equal", "!=": "unequal", "<": "less", "<=": "lessEqual", ">": "greater", ">=": "greaterEqual"}
OTHERS = {"==": ["!="], "!=": ["=="], "<": ["<=", ">="], "<=": ["<", ">"], ">": [">=", "<="], ">=": [">", "<"]}
HIDDEN = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\])\'|^#[^\n]*', re.S | re.M)
# Where an expression begins or ends: clang-format puts blanks around binary operators, and none into templates.
STOP = r"[;,?]|(?<!:):(?!:)|(?<=\s)[-+|&*/%]?=(?=\s)|\breturn\b|\bcase\b"
COMPARISON = r"(?<=\s)(?:==|!=|<=|>=|<|>)(?=\s)"
JOINT = r"(?<=\s)(?:&&|\|\|)(?=\s)"


class Source:
    """A source and its mutants. They are numbered from `first` on."""

    def __init__(self, text, first):
        self.text, self.first = text, first
        self.code = HIDDEN.sub(lambda hidden: re.sub(r"[^\n]", "_", hidden[0]), text)
        self.mutants, self.spans, self.swapped = [], [], {}
        self.depth, depth = [], 0
        for c in self.code:
            depth -= c in ")]}"
            self.depth.append(depth)
            depth += c in "([{"
        self.conditions()
        self.joints()
        self.comparisons()

    def level(self, start, end):
        """The code with the contents of brackets hidden."""
        return "".join(c if self.depth[start + i] == self.depth[start] else "_"
                       for i, c in enumerate(self.code[start:end]))

    def around(self, at, stop):
        """The expression around the operator at a place: up to brackets, and to what matches `stop`."""
        start = end = at
        while start and self.depth[start - 1] >= self.depth[at]:
            start -= 1
        while self.depth[end] >= self.depth[at]:
            end += 1
        found = list(re.finditer(stop, self.level(start, end)))
        before = [start + each.end() for each in found if start + each.end() <= at]
        behind = [start + each.start() for each in found if start + each.start() > at + 1]
        return self.trim(before[-1] if before else start, behind[0] if behind else end)

    def trim(self, start, end):
        code = self.code[start:end]
        return start + len(code) - len(code.lstrip()), start + len(code.rstrip())

    def add(self, start, end, becomes):
        line = self.text.count("\n", 0, start) + 1
        self.mutants.append({"line": line, "code": " ".join(self.text[start:end].split()), "becomes": becomes})
        return self.first + len(self.mutants) - 1

    def conditions(self):
        for found in re.finditer(r"\bif \(|\breturn (?=[^;{])", self.code):
            start = end = found.end()
            while end < len(self.code) and self.depth[end] >= self.depth[start]:
                end += 1
            level = self.level(start, end)
            if found[0] == "if (":
                start += level.rfind(";") + 1
                if re.search(r"\s=\s", level[level.rfind(";") + 1:]):
                    continue  # a declaration
            else:
                end = start + level.index(";")
                level = level[:level.index(";")]
                if "?" in level or not re.search(f"^!|{COMPARISON}|{JOINT}", level):
                    continue  # not known to be a bool
            start, end = self.trim(start, end)
            number = self.add(start, end, "true")
            self.add(start, end, "false")
            self.spans.append((start, end, f"mutant::condition({number}, ", ")"))

    def joints(self):
        seen = set()
        for found in re.finditer(JOINT, self.code):
            start, end = self.around(found.start(), STOP)
            if (start, end) in seen:
                continue
            seen.add((start, end))
            places = [start + each.start() for each in re.finditer(JOINT, self.level(start, end))]
            numbers = [self.add(start, end, f"operator {i + 1} flipped") for i in range(len(places))]
            head = f"mutant::chain({numbers[0]}, {'true' if found[0] == '&&' else 'false'}, "
            value = "[&] { return static_cast<bool>("
            self.spans.append((start, end, head + value, "); })"))
            self.swapped.update((at, (2, f"); }}, {value}")) for at in places)

    def comparisons(self):
        for found in re.finditer(COMPARISON, self.code):
            start, end = self.around(found.start(), f"{STOP}|{JOINT}")
            numbers = [self.add(start, end, found[0] + " " + other) for other in OTHERS[found[0]]]
            self.spans.append((start, end, f"mutant::{NAMES[found[0]]}({numbers[0]}, ", ")"))
            self.swapped[found.start()] = len(found[0]), ","

    def mutated(self):
        """The source with all mutants; those of an outer expression begin first and end last."""
        begins, ends = {}, {}
        for span in sorted(self.spans, key=lambda span: -span[1]):
            begins.setdefault(span[0], []).append(span[2])
        for span in reversed(sorted(self.spans, key=lambda span: span[0])):
            ends.setdefault(span[1], []).append(span[3])
        out, at = [], 0
        for place in sorted({*begins, *ends, *self.swapped}):
            out += [self.text[at:place], *ends.get(place, ()), *begins.get(place, ())]
            length, text = self.swapped.get(place, (0, ""))
            out.append(text)
            at = place + length
        return "".join(out) + self.text[at:]
