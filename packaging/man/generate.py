# SPDX-License-Identifier: Apache-2.0
"""generate.py PROGRAM DIR: writes the manual pages of cuda-cc to DIR/man1 and DIR/man5.

The help pages that PROGRAM prints are the source, the rows of settings.def that of the keys, the titles of
docs/codes that of the codes. A help page that cannot be read is an error. The date is that of SOURCE_DATE_EPOCH,
else of the release in CHANGELOG.md, else none."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from datetime import datetime, timezone
from pathlib import Path

import helptext
from roff import Manual, bold, italic, literal, term

ROOT = Path(__file__).resolve().parents[2]
OPTION = r"[\fIoption\fR]..."


def date_of_release() -> str:
    if epoch := os.environ.get("SOURCE_DATE_EPOCH"):
        return datetime.fromtimestamp(int(epoch), timezone.utc).strftime("%Y-%m-%d")
    head = re.search(r"^## .*", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.M)
    date = re.search(r"\d{4}-\d\d-\d\d", head[0]) if head else None
    return date[0] if date else ""


class Pages:
    def __init__(self, program: str, folder: Path):
        self.program, self.folder, self.date = program, folder, date_of_release()
        self.version = self.run("version").split()[-1]
        self.overview = helptext.read(self.run("help"))
        # {subcommand: what may stand behind it}; what follows the entries is a sentence.
        self.forms: dict[str, list[str]] = {}
        for entry in self.overview.section("subcommands").entries:
            name, _, form = entry.term.partition(" ")
            self.forms.setdefault(name, []).append(form)
        self.pages = {name: helptext.read(self.run("help", name)) for name in self.forms}

    def run(self, *words: str) -> str:
        return subprocess.run([self.program, *words], check=True, stdout=subprocess.PIPE, encoding="utf-8",
                              env={"PATH": os.environ.get("PATH", ""), "LC_ALL": "C"}).stdout

    def manual(self, name: str, section: int, what: str) -> Manual:
        return Manual(name, section, self.date, self.version, what)

    def write(self, name: str, section: int, manual: Manual) -> None:
        file = self.folder / f"man{section}/{name}.{section}"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(manual.page(), encoding="utf-8")

    def see_also(self, manual: Manual, own: str = "") -> None:
        names = [("cuda-cc", 1), *((f"cuda-cc-{name}", 1) for name in sorted(self.forms)), ("cuda-cc.toml", 5)]
        manual.heading("SEE ALSO")
        pages = [(name, section) for name, section in names if name != own]
        for name, section in pages:
            comma = "" if (name, section) == pages[-1] else ","
            manual.lines.append(rf".BR \%{literal(name)} ({section}){comma}")
        manual.paragraphs(["The guide is installed as share/doc/cuda-cc/docs."])


def put_entries(manual: Manual, section: helptext.Section) -> None:
    for entry in section.entries:
        manual.entry(term(entry.term), entry.meaning)
    if section.text:
        manual.paragraphs([section.text])
    manual.paragraphs(section.paragraphs)


def put_statuses(manual: Manual, section: helptext.Section) -> None:
    """`3 rejected; 4 unknown` are two of them."""
    manual.heading("EXIT STATUS")
    if not section.entries:
        put_entries(manual, section)
        return
    for entry in section.entries:
        first, *others = re.split(r";\s+(?=\d+ )", entry.meaning)
        manual.entry(bold(entry.term), first)
        for other in others:
            status, _, meaning = other.partition(" ")
            manual.entry(bold(status), meaning)
    manual.paragraphs(section.paragraphs)


def synopsis(manual: Manual, name: str, forms: list[str]) -> None:
    manual.heading("SYNOPSIS")
    for number, form in enumerate(forms):
        if number:
            manual.lines.append(".br")
        # Options end at the command that `trace` runs; those in the short form are below OPTIONS.
        dashes, words = ("-- ", form[3:]) if form.startswith("-- ") else ("", form)
        words = "" if words.startswith("[-") else f" {literal(dashes)}{term(words)}" if words else ""
        manual.text(f"{bold(f'cuda-cc {name}')} {OPTION}{words}")


def codes() -> list[tuple[str, str]]:
    """Each code with the title of its page."""
    found = []
    for page in sorted((ROOT / "docs/codes").glob("CC*.md")):
        code, _, title = page.read_text(encoding="utf-8").split("\n", 1)[0].lstrip("# ").partition(": ")
        found.append((code, title))
    return found


def subcommand(pages: Pages, name: str) -> None:
    page = pages.pages[name]
    manual = pages.manual(f"cuda-cc-{name}", 1, page.what)
    synopsis(manual, name, pages.forms[name])
    if page.description:
        manual.heading("DESCRIPTION")
        manual.paragraphs(page.description)
    for section in page.sections:
        if section.title == "exit status":
            put_statuses(manual, section)
        else:
            manual.heading("OPTIONS" if section.title.startswith("options") else section.title.upper())
            put_entries(manual, section)
    manual.heading("EXAMPLES")
    manual.example(page.examples)
    if name == "explain":
        manual.heading("CODES")
        for code, title in codes():
            manual.entry(bold(code), title)
    pages.see_also(manual, f"cuda-cc-{name}")
    pages.write(f"cuda-cc-{name}", 1, manual)


def program(pages: Pages) -> None:
    page = pages.overview
    manual = pages.manual("cuda-cc", 1, page.what)
    usage = page.section("usage")
    manual.heading("SYNOPSIS")
    for number, entry in enumerate(usage.entries):
        manual.lines += [".br"] if number else []
        first, _, rest = entry.term.partition(" ")
        manual.text(f"{bold(first)} {term(rest)}")
    manual.heading("DESCRIPTION")
    for entry in filter(lambda each: each.meaning, usage.entries):
        manual.entry(term(entry.term), entry.meaning)
    manual.paragraphs(usage.paragraphs)
    manual.heading("SUBCOMMANDS")
    for name in pages.forms:
        manual.entry(f"{bold(f'cuda-cc-{name}')}(1)", pages.pages[name].what)
    manual.paragraphs(page.section("subcommands").paragraphs)
    manual.heading("OPTIONS")
    put_entries(manual, page.section("options"))
    manual.heading("ENVIRONMENT")
    put_entries(manual, page.section("environment"))
    put_statuses(manual, page.section("exit status"))
    manual.heading("EXAMPLES")
    manual.example(page.examples)
    pages.see_also(manual, "cuda-cc")
    pages.write("cuda-cc", 1, manual)


def strings(text: str) -> list[str]:
    """The arguments of a row; literals next to each other are one."""
    found = [""]
    for literal_text, comma, word in re.findall(r'"((?:[^"\\]|\\.)*)"|(,)|([\w:]+)', text):
        if comma:
            found.append("")
        else:
            found[-1] += re.sub(r"\\(.)", r"\1", literal_text) or word
    return found


def settings() -> list[dict[str, str]]:
    names = ("id", "field", "key", "type", "option", "variable", "placeholder", "allowed", "default", "offers",
             "scope", "shown", "restricting", "help", "values")
    text = (ROOT / "driver/config/settings.def").read_text(encoding="utf-8")
    rows = re.findall(r'^SETTING\(((?:[^"()]|"(?:[^"\\]|\\.)*")*)\)', text, re.M)
    return [dict(zip(names, strings(row), strict=True)) for row in rows]


def setting(manual: Manual, row: dict[str, str]) -> None:
    manual.entry(bold(row["key"]), row["values"])
    option = f"--cudacc-{row['key']}"
    value = f"={row['placeholder']}" if row["option"] == "Joined" else ""
    manual.lines += [".RS", ".PP"]
    manual.text(f"Option: {bold(option + value[:1])}{italic(value[1:]) if value else ''}")
    if row["variable"]:
        manual.lines.append(".br")
        manual.text(f"Variable: {bold(row['variable'])}")
    manual.lines.append(".RE")


def file_format(pages: Pages) -> None:
    """cuda-cc.toml.txt has the form of a help page; the keys are added."""
    page = helptext.read((Path(__file__).with_name("cuda-cc.toml.txt")).read_text(encoding="utf-8"))
    manual = pages.manual(page.name, 5, page.what)
    manual.heading("DESCRIPTION")
    manual.paragraphs(page.description)
    for section in page.sections:
        manual.heading(section.title.upper())
        put_entries(manual, section)
        if section.title == "keys":
            for row in settings():
                setting(manual, row)
    manual.heading("EXAMPLES")
    manual.example(page.examples)
    pages.see_also(manual, page.name)
    pages.write(page.name, 5, manual)


def main(program_path: str, folder: str) -> None:
    pages = Pages(program_path, Path(folder))
    program(pages)
    for name in pages.forms:
        subcommand(pages, name)
    file_format(pages)


if __name__ == "__main__":
    main(*sys.argv[1:])
