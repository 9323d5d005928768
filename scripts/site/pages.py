#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Collects the pages of the site, as they lie in the repository, so that links between them are the same
on both: pages.py FOLDER. It adds the index of codes."""

import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "RELEASING.md", "SECURITY.md", "examples/README.md")
CODES = """# Codes

Look up a diagnostic by the code at its end; `cuda-cc explain CC3001` prints the same page.

| code | |
| --- | --- |
"""


def title_of(page):
    """`CC3001: the toolkit is newer than the runtime` without its code."""
    return page.read_text().split("\n", 1)[0].split(": ", 1)[1]


def collect(target):
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(ROOT / "docs", target / "docs", ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    for name in PAGES:
        (target / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, target / name)
    (target / "assets").mkdir()
    shutil.copy(Path(__file__).with_name("iframe-worker.js"), target / "assets")
    codes = sorted((ROOT / "docs/codes").glob("CC*.md"))
    rows = [f"| [{page.stem}]({page.name}) | {title_of(page)} |\n" for page in codes]
    (target / "docs/codes/README.md").write_text(CODES + "".join(rows))


if __name__ == "__main__":
    collect(Path(sys.argv[1]))
