# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S/../command:%support %python -B %s
"""The manual pages have every option, subcommand, variable, setting and code, are the same from two runs, and what
formats them has nothing to say; a help page in another form is an error."""
import gzip
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from behaviour import behaviour
from binaries import PROGRAM, SOURCE, equal, run

sys.path.insert(0, str(SOURCE / "packaging/man"))
import helptext

root = Path(tempfile.mkdtemp())
GENERATE = [sys.executable, "-B", str(SOURCE / "packaging/man/generate.py")]


def made(folder, program=PROGRAM, **environment):
    done = run(*GENERATE, program, root / folder, **environment)
    assert done.returncode == 0, done.stderr
    return {str(path.relative_to(root / folder)): path.read_text() for path in (root / folder).glob("*/*")}


def typed(page):
    """The page as a reader sees it, without fonts and line ends."""
    text = re.sub(r"\\f[BIR]|\\%|\\&", "", page)
    for name, letter in {"-": "-", "(aq": "'", "(ti": "~", "(rs": "\\", "(dq": '"', "(ha": "^", "(ga": "`"}.items():
        text = text.replace(f"\\{name}", letter)
    return " ".join(text.split())


pages = made("pages", SOURCE_DATE_EPOCH="1790000000")
whole = run(PROGRAM, "help").stdout
names = {name.split("-", 2)[2][:-2] for name in pages if name.startswith("man1/cuda-cc-")}


@behaviour
def two_runs_write_the_same():
    equal(made("again", SOURCE_DATE_EPOCH="1790000000"), pages)


@behaviour
def pages_have_the_date_of_the_build():
    dated = [page for page in pages.values() if '"2026-09-21"' in page]
    equal(len(dated), len(pages))


@behaviour
def without_one_they_have_the_date_of_the_release():
    released = re.search(r"^## [\d.]+, (\S+)", (SOURCE / "CHANGELOG.md").read_text(), re.M)[1]
    equal({re.search(r'^\.TH \S+ \d "(.*?)"', page, re.M)[1] for page in made("undated").values()},
          {"" if released == "unreleased" else released})


@behaviour
def each_subcommand_has_a_page():
    assert len(names) > 12 and {"check", "version"} < names, names
    equal(set(pages), {"man1/cuda-cc.1", "man5/cuda-cc.toml.5", *(f"man1/cuda-cc-{name}.1" for name in names)})


@behaviour
def a_page_has_the_options_the_examples_and_the_sections_of_its_help():
    for name in names:
        text = typed(pages[f"man1/cuda-cc-{name}.1"])
        own = run(PROGRAM, "help", name).stdout
        options = set(re.findall(r"^  (?:-h, )?(--[a-z-]+)", own, re.M)) - {"--"}
        assert options, own
        assert all(f".TP {option}" in text or f".TP -h, {option}" in text for option in options), (name, options, text)
        for example in re.findall(r"^  (cuda-cc .*[^\\])$", own.split("\n\n")[1], re.M):
            assert " ".join(example.split()) in text, (name, example)
        for words in ("NAME", "SYNOPSIS", "OPTIONS", '"EXIT STATUS"', "EXAMPLES", '"SEE ALSO"'):
            assert f".SH {words}" in text, (name, words)


@behaviour
def the_first_page_has_options_variables_and_subcommands():
    main = typed(pages["man1/cuda-cc.1"])
    for word in [*re.findall(r"^  (--cudacc-[a-z-]+|CUDA_CC_[A-Z_]+|NO_COLOR)", whole, re.M),
                 *(f"cuda-cc-{name}(1)" for name in names)]:
        assert f".TP {word}" in main, word


@behaviour
def the_page_of_the_configuration_has_every_setting():
    settings = (SOURCE / "driver/config/settings.def").read_text()
    keys = re.findall(r'^SETTING\(\w+, \w+, "([a-z-]+)"', settings, re.M)
    assert len(keys) > 14
    toml = typed(pages["man5/cuda-cc.toml.5"])
    assert all(f".TP {key} " in toml for key in keys), toml


@behaviour
def the_page_of_explain_has_every_code():
    explain = typed(pages["man1/cuda-cc-explain.1"])
    codes = [path.stem for path in (SOURCE / "docs/codes").glob("CC*.md")]
    assert len(codes) > 90 and all(f".TP {code} " in explain for code in codes), explain


@behaviour
def statuses_are_an_entry_each():
    check = typed(pages["man1/cuda-cc-check.1"])
    assert ".TP 0 accept .TP 3 reject, which beats unknown .TP 4 unknown .TP 2 usage .PP With" in check, check


@behaviour
def help_in_an_unknown_form_is_an_error():
    stub = root / "stub"
    stub.write_text(f'#!/bin/sh\n[ "$1 $2" != "help check" ] || {{ echo no title; exit 0; }}\nexec {PROGRAM} "$@"\n')
    stub.chmod(0o755)
    done = run(*GENERATE, stub, root / "broken")
    assert done.returncode and "not the title of a help page" in done.stderr, done.stderr


@behaviour
def help_is_read_into_sections_of_entries_and_paragraphs():
    page = helptext.read("p: what\n\noptions:\n  --one A    first,\n                   continued; ; more\n  --two\n"
                         "                   below\n  A sentence about\n  both.\n\nexit status: 0; 2 usage\n")
    equal([(each.term, each.meaning) for each in page.section("options").entries],
          [("--one A", "first, continued; ; more"), ("--two", "below")])
    equal(page.section("options").paragraphs, ["A sentence about both."])
    equal(page.section("exit status").text, "0; 2 usage")


linters = {"mandoc": ["-T", "lint", "-W", "style"], "groff": ["-ww", "-man", "-Tutf8", "-z"],
           "man": ["--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z"]}
found = [name for name in linters if shutil.which(name)]


@behaviour
def what_formats_the_pages_has_nothing_to_say():
    for name in found:
        for file in sorted((root / "pages").glob("*/*")):
            done = subprocess.run([name, *linters[name], file], capture_output=True, text=True,
                                  env={**os.environ, "LC_ALL": "C.UTF-8", "MANWIDTH": "80"})
            assert done.returncode == 0 and not done.stderr and (name == "man" or not done.stdout), (name, file, done)


@behaviour
def man_shows_a_packed_page():
    if "man" in found:
        packed = root / "cuda-cc-check.1.gz"
        packed.write_bytes(gzip.compress((root / "pages/man1/cuda-cc-check.1").read_bytes()))
        shown = subprocess.run(["man", "-l", packed], capture_output=True, text=True, check=True,
                               env={**os.environ, "LC_ALL": "C.UTF-8", "MANWIDTH": "80", "MANPAGER": "cat"}).stdout
        assert "--against" in re.sub(".\b", "", shown), shown


shutil.rmtree(root)
if len(found) < len(linters):
    print(f"SKIPPED: not checked by {' '.join(set(linters) - set(found))}")
    sys.exit(77)
