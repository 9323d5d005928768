# SPDX-License-Identifier: Apache-2.0
"""Writes a manual page with the macros of man(7)."""

from __future__ import annotations

import re
import textwrap

SPECIAL = {"\\": r"\(rs", "~": r"\(ti", "^": r"\(ha", "'": r"\(aq", "`": r"\(ga", '"': r"\(dq", "-": r"\-"}
# What is typed as it stands: options, codes, variables, programs and files of this project; what is between
# backquotes in the guide.
LITERAL = re.compile(r"`([^`]+)`|(?<![\w-])(--[a-z][a-z-]*|CC\d{4}|CUDA_CC_[A-Z_]+|cuda-cc(?:\.toml)?|pyproject\.toml"
                     r"|docs/[\w./-]+\w)(?![\w-])")
LINK = re.compile(r"\[([^]]*)\]\([^)]*\)")


def literal(text: str) -> str:
    """The characters as they are, to be copied from the page."""
    return "".join(SPECIAL.get(letter, letter) for letter in text)


def bold(text: str) -> str:
    """A word that is never split at the end of a line."""
    return rf"\fB\%{literal(text)}\fR"


def italic(text: str) -> str:
    return rf"\fI{literal(text)}\fR"


def term(text: str) -> str:
    """Names of options and variables are bold, what stands for a value is italic."""
    out = ""
    for piece in re.split(r"((?<![A-Z_\d-])[A-Z]+(?![A-Z_=\d])|[|\[\], ]+|\.\.\.)", text):
        if re.fullmatch(r"[A-Z]+", piece):
            out += italic(piece)
        elif re.fullmatch(r"[|\[\], ]+|\.\.\.", piece):
            out += literal(piece)
        elif piece:
            out += bold(piece)
    return out


def prose(text: str) -> str:
    """Running text; links of the guide become their text."""
    out, at = "", 0
    text = LINK.sub(lambda match: match[1], text)
    for match in LITERAL.finditer(text):
        out += plain(text[at:match.start()]) + bold(match[1] or match[2])
        at = match.end()
    return out + plain(text[at:])


def plain(text: str) -> str:
    """A hyphen between letters stays one."""
    return re.sub(r"(?<=[A-Za-z])\\-(?=[a-z])", "-", literal(text))


class Manual:
    def __init__(self, name: str, section: int, date: str, version: str, what: str):
        self.lines = [r'.\" SPDX-License-Identifier: Apache-2.0', r'.\" Written by packaging/man/generate.py.',
                      f'.TH {literal(name.upper())} {section} "{date}" "cuda\\-cc {version}" "cuda\\-cc manual"']
        self.heading("NAME")
        self.text(rf"{literal(name)} \- {plain(what)}")

    def line(self, text: str) -> None:
        """A line of text never begins like a request."""
        self.lines.append(rf"\&{text}" if text[:1] in ("", ".") else text)

    def text(self, text: str) -> None:
        for line in textwrap.wrap(text, 78, break_long_words=False, break_on_hyphens=False):
            self.line(line)

    def heading(self, title: str) -> None:
        self.lines.append(f".SH {title}" if " " not in title else f'.SH "{title}"')

    def paragraphs(self, texts: list[str]) -> None:
        for number, each in enumerate(texts):
            if number or not self.lines[-1].startswith(".SH "):
                self.lines.append(".PP")
            self.text(prose(each))

    def entry(self, name: str, meaning: str) -> None:
        """The name is roff already, and one line."""
        self.lines.append(".TP")
        self.line(name)
        self.text(prose(meaning))

    def example(self, lines: list[str]) -> None:
        if not self.lines[-1].startswith(".SH "):
            self.lines.append(".PP")
        self.lines += [".RS 4", ".EX"]
        for line in lines:
            self.line(literal(line))
        self.lines += [".EE", ".RE"]

    def page(self) -> str:
        return "\n".join(self.lines) + "\n"
