# SPDX-License-Identifier: Apache-2.0
"""Runs pages of the guide, README.md and docs/*.md, as tests.

An indented block is the content of a file if the line before it ends with the file's name in backquotes and a colon. It
is shown text under `<!-- shown -->`. Every other block is commands: its lines, or those that begin with `$ `, and the
others are what they print. `<!-- not run: REASON -->` above it says why no test runs them.

`follows(page, titles)` says that this test runs every command of these sections; the test fails at its end if one did
not run. tests/command/pages.py holds the whole guide against what tests follow.
"""

import atexit
import os
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path

import sandbox
from sandbox import PROGRAM

ROOT = Path(__file__).resolve().parents[2]
INDENT = "    "
PROMPT = "$ "
NAMED = re.compile(r"`([^`]+)`:$")
MARK = re.compile(r"<!-- (?:shown|not run: (.+)) -->$")


@dataclass
class Section:
    title: str
    files: dict = field(default_factory=dict)
    commands: list = field(default_factory=list)
    # Shown text, and what is printed after commands with a prompt.
    shown: list = field(default_factory=list)
    # {command that no test runs: why}
    exempt: dict = field(default_factory=dict)

    def put(self, where, folder="."):
        """Writes the files of this section."""
        for name, text in self.files.items():
            where.write(f"{folder}/{name}", text)

    def follow(self, where, folder=".", **environment):
        """Runs the whole section in one shell, with cuda-cc on PATH; every command has to succeed."""
        self.put(where, folder)
        environment.setdefault("PATH", f"{Path(PROGRAM).parent}:{where.path}")
        done = where.run("sh", "-eux", "-c", "\n".join(self.commands), cwd=where.work / folder, **environment)
        assert done.status == 0, f"{self.title}: {done}"
        return done

    def take(self, before, block):
        """Adds an indented block; `before` is the last line before it."""
        named, mark = NAMED.search(before), MARK.match(before)
        if named:
            self.files[named[1]] = "\n".join(block) + "\n"
            return
        if mark and not mark[1]:
            self.shown += filter(None, block)
            return
        commands = [line.removeprefix(PROMPT) for line in block if line.startswith(PROMPT)]
        if commands:
            self.shown += [line for line in block if line and not line.startswith(PROMPT)]
        else:
            commands = re.findall(r"(?m)^(?:.*\\\n)*.+$", "\n".join(block))
        if mark:
            self.exempt.update(dict.fromkeys(commands, mark[1]))
        else:
            self.commands += commands


def pages():
    """The names of all pages."""
    return ["README", *sorted(path.stem for path in (ROOT / "docs").glob("*.md"))]


def text_of(page):
    return (ROOT / ("README.md" if page == "README" else f"docs/{page}.md")).read_text()


def parse(text):
    """{title: Section} of a page, in order. Text before the first second-level title is stored under the title of the
    page."""
    found, before, block, section = {}, "", [], None
    for line in [*text.splitlines(), "#"]:
        if line.startswith(INDENT) or (block and not line):
            block.append(line[len(INDENT):])
            continue
        if block:
            section.take(before, "\n".join(block).rstrip().split("\n"))
            block = []
        if line.startswith("#"):
            title = line.lstrip("# ")
            section = found.setdefault(title, Section(title))
        if line:
            before = line
    found.pop("")
    return found


def sections(page):
    return parse(text_of(page))


def commands_of(page):
    """The commands of all sections of a page, in order."""
    return [command for section in page.values() for command in section.commands]


def shows(page, printed):
    """Compares what a page shows with what was printed; `...` stands for omitted text."""
    said = " ".join(printed.split())
    for section in sections(page).values():
        for line in section.shown:
            for piece in re.split(r"\.\.\.|  +", line.strip()):
                assert " ".join(piece.split()) in said, f"{page} shows {piece!r}, which was not printed: {printed}"


_followed = []
_instead = set()


def follows(page, *titles):
    """{title: Section} of a page whose commands this test runs: those of these sections, or of all."""
    read = sections(page)
    for title in titles or read:
        section = read[title]
        _followed.append((f"{page}, {title}", list(section.commands), list(section.exempt)))
    return read


def instead(command):
    """Says that this test runs a command in another form: with other paths, or part by part."""
    _instead.add(command)


def _verify():
    if getattr(sys, "last_type", None) or sandbox.skipped:
        return
    ran = {line for word in sandbox.ran for line in word.splitlines()}

    def done(command):
        return command in _instead or ran.issuperset(command.splitlines())

    wrong = [f"{where}: not run: {command}" for where, commands, _ in _followed for command in commands
             if not done(command)]
    wrong += [f"{where}: marked as not run, but run: {command}" for where, _, exempt in _followed for command in exempt
              if done(command)]
    wrong += [f"not of a section that is followed: {command}" for command in _instead.difference(
        *(commands for _, commands, _ in _followed))]
    if wrong:
        print("\n".join(wrong), file=sys.stderr, flush=True)
        os._exit(1)


# Registered before any sandbox is made, so it runs after they are removed.
atexit.register(_verify)
