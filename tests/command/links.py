# SPDX-License-Identifier: Apache-2.0
# RUN: %python -B %s %S/../..
"""Relative links in Markdown pages lead to files, and to titles or anchors in them; mkdocs.yml lists every page.
`./dev docs` checks the same with mkdocs, which ./dev test does not install."""
import re
import sys
from pathlib import Path

ROOT = Path(sys.argv[1]).resolve()
LINK = re.compile(r"\]\(\s*([^)\s]+?)\s*\)")
EXTERNAL = re.compile(r"[a-z]+:")


def pages():
    return sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("examples/**/*.md")])


def prose(text):
    """The text without code blocks."""
    text = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
    return re.sub(r"^    .*$", "", text, flags=re.M)


def slug(title):
    """The anchor of a title, as GitHub and mkdocs derive it."""
    title = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title).replace("`", "").lower()
    return re.sub(r"[\s]+", "-", re.sub(r"[^\w\s-]", "", title).strip())


def anchors(text):
    titles = re.findall(r"^#+ (.*?)\s*$", prose(text), re.M)
    return {slug(title) for title in titles} | set(re.findall(r'<a id="([^"]+)"', text))


def dead(page, text, there=anchors):
    """Yields a message for each link that leads nowhere."""
    for link in LINK.findall(re.sub(r"`[^`\n]*`", "", prose(text))):
        if EXTERNAL.match(link):
            continue
        path, _, place = link.partition("#")
        target = page.parent / path if path else page
        if not target.is_file():
            yield f"{page.relative_to(ROOT)}: {link}: no such file"
        elif place and place not in there(target.read_text() if path else text):
            yield f"{page.relative_to(ROOT)}: {link}: no such title"


found = [each for page in pages() for each in dead(page, page.read_text())]
assert not found, "\n".join(found)
count = sum(len(LINK.findall(page.read_text())) for page in pages())
assert count > 300, count

# Wrong links are found.
readme = ROOT / "README.md"
for wrong in ("[a](docs/none.md)", "[a](docs/limits.md#none)", "[a](#none)", "[a](docs)"):
    assert len(list(dead(readme, wrong))) == 1, wrong
for right in ("[a](docs/limits.md#not-checked)", "[a](docs/spec/rules.md#CC3001)", "[a](https://x.org)", "`[a](b)`"):
    assert not list(dead(readme, right)), right

listed = set(re.findall(r"^ +- (?:[^:\n]+: )?(\S+\.md)$", (ROOT / "mkdocs.yml").read_text(), re.M))
hidden = {"docs/codes", "docs/adr"}
every = {str(page.relative_to(ROOT)) for page in pages()}
assert listed - {"docs/codes/README.md"} == {
    name for name in every if str(Path(name).parent) not in hidden or name == "docs/adr/README.md"}, listed ^ every
