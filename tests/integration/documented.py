# SPDX-License-Identifier: Apache-2.0
"""Runs pages of docs/ as tests: indented blocks are used as they are.

A block after a line that ends with a name in backquotes and a colon is the content of that file; the lines
of every other block are shell commands.
"""

import re
from dataclasses import dataclass, field
from pathlib import Path

from sandbox import PROGRAM

ROOT = Path(__file__).resolve().parents[2]
INDENT = "    "
NAMED = re.compile(r"`([^`]+)`:$")
# A line of a block with commands; others show what is printed.
COMMAND = re.compile(r"(?:[A-Z_]+=\S+ )?(cuda-cc|g\+\+|make|mkdir|cp|nvcc|python|readelf|cmake|pip) ")


@dataclass
class Section:
    title: str
    files: dict = field(default_factory=dict)
    commands: list = field(default_factory=list)

    def put(self, sandbox, folder="."):
        """Writes the files of this section."""
        for name, text in self.files.items():
            sandbox.write(f"{folder}/{name}", text)

    def follow(self, sandbox, folder=".", **environment):
        """Runs the whole section in one shell, with cuda-cc on PATH; every command has to succeed."""
        self.put(sandbox, folder)
        environment.setdefault("PATH", f"{Path(PROGRAM).parent}:{sandbox.path}")
        done = sandbox.run("sh", "-eux", "-c", "\n".join(self.commands), cwd=sandbox.work / folder,
                           **environment)
        assert done.status == 0, f"{self.title}: {done}"
        return done


def _ends(section, before, block):
    while block and not block[-1]:
        block.pop()
    if not block:
        return
    named = NAMED.search(before)
    if named:
        section.files[named[1]] = "\n".join(block) + "\n"
    else:
        section.commands += [line for line in block if line]


def sections(page):
    """{title: Section} of docs/PAGE.md, in order. Text before the first second-level title is stored under the title of
    the page."""
    found, before, block = {}, "", []
    section = None
    for line in [*(ROOT / f"docs/{page}.md").read_text().splitlines(), "#"]:
        if line.startswith(INDENT) or (block and not line):
            block.append(line[len(INDENT):])
            continue
        _ends(section, before, block)
        block = []
        if line.startswith("#"):
            title = line.lstrip("# ")
            section = found.setdefault(title, Section(title))
        if line:
            before = line
    found.pop("")
    return found


def commands_of(page):
    """The commands of docs/PAGE.md, in order."""
    return [line for section in sections(page).values() for line in section.commands if COMMAND.match(line)]


def shows(page, printed):
    """Compares the output lines on a page with what was printed; `...` stands for omitted text."""
    said = " ".join(printed.split())
    for section in sections(page).values():
        for line in section.commands:
            if COMMAND.match(line.removeprefix("$ ")):
                continue
            for piece in re.split(r"\.\.\.|  +", line.strip()):
                assert " ".join(piece.split()) in said, f"{page} shows {piece!r}, which was not printed: {printed}"
