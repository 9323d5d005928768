# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S/../integration:%support %python -B %s
"""Every command of README.md and docs/*.md is in a section that a test follows, or is marked in the page as not run,
with the reason. What a test follows it has to run: documented.py compares at its end."""
import ast
from pathlib import Path

from documented import INDENT, MARK, ROOT, pages, parse, text_of


def claims(source, name="test.py"):
    """The pages and titles that a test follows: constants, so that they can be read here."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "follows":
            words = [each.value if isinstance(each, ast.Constant) else None for each in node.args]
            assert words and all(words), f"{name}:{node.lineno}: follows() needs names"
            yield words[0], words[1:]


def marked(text):
    """Yields a message for each comment of a page that marks no block."""
    lines = [line for line in [*text.splitlines(), ""] if line]
    for line, following in zip(lines, [*lines[1:], ""]):
        if line.startswith("<!--"):
            match = MARK.match(line)
            if not match:
                yield f"neither `shown` nor `not run: REASON`: {line}"
            elif not following.startswith(INDENT):
                yield f"no block follows: {line}"


def unfollowed(texts, taken):
    """Yields a message for each command that no test follows, for files that look like commands, and for claims of
    sections without commands. `taken`: pairs of page and titles, all of them without titles."""
    read = {page: parse(text) for page, text in texts.items()}
    left = {page: {title for title, section in found.items() if section.commands}
            for page, found in read.items()}
    free = {page: set(titles) for page, titles in left.items()}
    for page, titles in taken:
        for title in titles or [None]:
            if page not in left or (title not in left[page] if title else not any(read[page])):
                yield f"{page}, {title}: a test follows it, and it has no commands"
        free.get(page, set()).difference_update(titles or left.get(page, ()))
    for page, titles in free.items():
        yield from (f"{page}, {title}: no test follows: {command}" for title in titles
                    for command in read[page][title].commands)
    for page, found in read.items():
        for section in found.values():
            yield from (f"{page}, {section.title}: commands are no file: {name}" for name, text in section.files.items()
                        if text.startswith(("cuda-cc ", "./dev ", "pip ", "$ ")))


texts = {page: text_of(page) for page in pages()}
taken = [claim for path in sorted((ROOT / "tests").rglob("*.py")) if path != Path(__file__).resolve()
         for claim in claims(path.read_text(), path.name)]
wrong = [f"{page}: {each}" for page, text in texts.items() for each in marked(text)]
wrong += unfollowed(texts, taken)
assert not wrong, "\n".join(wrong)
every = [section for text in texts.values() for section in parse(text).values()]
run, not_run = (sum(len(each) for each in lists) for lists in (
    [section.commands for section in every], [section.exempt for section in every]))
assert run > 200, run
print(f"{run + not_run} commands in {len(texts)} pages: {run} run, {not_run} marked as not run")

# Wrong pages and claims are found.
PAGE = "# T\n\n    cuda-cc a \\\n      b\n\n## U\n\n<!-- not run: because -->\n\n    cuda-cc c\n"
SHOWN = "# T\n\n<!-- shown -->\n\n    cuda-cc a\n"
for text, claimed, count in ((PAGE, [("p", [])], 0), (PAGE, [("p", ["T"])], 0), (PAGE, [], 1),
                             (PAGE, [("p", ["U"])], 2), (PAGE + "\ntext\n\n    x\n", [("p", ["T"])], 1),
                             (PAGE, [("q", []), ("p", [])], 1),
                             (PAGE + "\nwrites `f`:\n\n    pip x\n", [("p", [])], 1), (SHOWN, [], 0),
                             ("# T\n\n    $ cuda-cc a\n    printed\n", [], 1)):
    found = list(unfollowed({"p": text}, claimed))
    assert len(found) == count, (text, claimed, found)
for text, count in ((PAGE, 0), (SHOWN, 0), ("<!-- shown -->\n\ntext\n", 1), ("<!-- not run: -->\n\n    x\n", 1),
                    ("<!-- not run -->\n\n    x\n", 1), ("<!-- shown -->\n", 1)):
    assert len(list(marked(text))) == count, text
try:
    list(claims("follows(page)"))
except AssertionError:
    pass
else:
    raise AssertionError("a claim of no name")
