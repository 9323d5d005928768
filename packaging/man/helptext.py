# SPDX-License-Identifier: Apache-2.0
"""Reads a help page of cuda-cc: a title, examples, a description, and sections of entries.

    cuda-cc check: judge binaries against runtimes

      cuda-cc check ext.so --runtime torch==2.5.1

    Judge shared objects, ...

    options:
      --strict              reject what is unknown
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

# Two blanks end a term; what continues a meaning is indented further than any term.
ENTRY = re.compile(r"  (?! )(.*?\S)(?: {2,}(\S.*))?")
CONTINUED = re.compile(r" {5,}(\S.*)")
# Below the entries, and indented like them.
SENTENCE = re.compile(r"  (?:[A-Z][a-z]*|[a-z]+,) .*")


@dataclass
class Entry:
    term: str
    meaning: str = ""


@dataclass
class Section:
    title: str
    # Behind the colon of the title.
    text: str = ""
    entries: list[Entry] = field(default_factory=list)
    # Below the entries, or instead of them.
    paragraphs: list[str] = field(default_factory=list)


@dataclass
class Page:
    name: str
    what: str
    examples: list[str] = field(default_factory=list)
    description: list[str] = field(default_factory=list)
    sections: list[Section] = field(default_factory=list)

    def section(self, title: str) -> Section:
        """The section whose title begins like this."""
        for each in self.sections:
            if each.title.startswith(title):
                return each
        raise ValueError(f"{self.name}: no section '{title}'")


def blocks_of(text: str) -> list[list[str]]:
    """Lines without a blank line between them."""
    return [block.split("\n") for block in re.split(r"\n(?:[ ]*\n)+", text.strip("\n"))]


def joined(lines: list[str]) -> str:
    return " ".join(line.strip() for line in lines)


def read_entries(section: Section, lines: list[str]) -> None:
    """Entries, then at most one paragraph."""
    for number, line in enumerate(lines):
        if match := CONTINUED.fullmatch(line):
            last = section.entries[-1]
            last.meaning = f"{last.meaning} {match[1]}".strip()
        elif (match := ENTRY.fullmatch(line)) and (match[2] or not SENTENCE.fullmatch(line)):
            section.entries.append(Entry(match[1], match[2] or ""))
        else:
            section.paragraphs.append(joined(lines[number:]))
            return


def read(text: str) -> Page:
    """The page; ValueError where the text has another form."""
    (title, *rest), *blocks = blocks_of(text)
    name, colon, what = title.partition(": ")
    if not colon or rest:
        raise ValueError(f"not the title of a help page: {title}")
    page = Page(name, what)
    for first, *more in blocks:
        head = re.fullmatch(r"([a-z][^.:]*):(?: (.*))?", first)
        if head and (more or head[2]):
            section = Section(head[1])
            page.sections.append(section)
            if head[2]:
                section.text = joined([head[2], *more])
            else:
                read_entries(section, more)
        elif page.sections:
            page.sections[-1].paragraphs.append(joined([first, *more]))
        elif first.startswith("  "):
            page.examples += [line[2:] for line in (first, *more)]
        else:
            page.description.append(joined([first, *more]))
    return page
