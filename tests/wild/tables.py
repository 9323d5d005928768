# SPDX-License-Identifier: Apache-2.0
"""Tables of docs/*.md that a script writes."""


def replace(page, heading, rows):
    """Puts these lines in the place of the first table below a heading of a page."""
    lines = page.read_text().split("\n")
    first = next(at for at in range(lines.index(heading), len(lines)) if lines[at].startswith("|"))
    last = next(at for at in range(first, len(lines)) if not lines[at].startswith("|"))
    page.write_text("\n".join([*lines[:first], *rows, *lines[last:]]))
