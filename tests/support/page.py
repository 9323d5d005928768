# SPDX-License-Identifier: Apache-2.0
"""Checks the elements of a --report page with an HTML parser that is not a browser's."""
from html.parser import HTMLParser

NEVER_CLOSED = {"meta"}
KNOWN = {"html", "head", "meta", "title", "style", "body", "main", "header", "footer", "section",
         "article", "h1", "h2", "h3", "p", "a", "b", "code", "span", "pre", "div", "dl", "dt", "dd",
         "ol", "li", "table", "caption", "thead", "tbody", "tr", "th", "td", "details", "summary"}
ATTRIBUTES = {"lang", "charset", "http-equiv", "content", "name", "class", "id", "href", "role",
              "tabindex", "aria-label", "scope", "open", "title"}


class Page(HTMLParser):
    """Fails on elements, attributes or nesting that no page of cuda-cc has."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.texts, self.links, self.ids, self.heading = [], [], [], [], ""
        self.csp = None
        self.feed(text)
        self.close()
        assert not self.open, f"left open: {self.open}"
        missing = [link for link in self.links if link[1:] not in self.ids]
        assert not missing, f"lead nowhere: {missing}"
        assert len(self.ids) == len(set(self.ids)), self.ids

    def handle_starttag(self, tag, attrs):
        assert tag in KNOWN, f"<{tag}>"
        for name, value in attrs:
            assert name in ATTRIBUTES, f"{tag} {name}={value}"
        attributes = dict(attrs)
        assert attributes.get("href", "#").startswith("#"), attributes
        if "href" in attributes:
            self.links.append(attributes["href"])
        if "id" in attributes:
            self.ids.append(attributes["id"])
        if attributes.get("http-equiv") == "Content-Security-Policy":
            self.csp = attributes["content"]
        if tag not in NEVER_CLOSED:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open and self.open.pop() == tag, f"</{tag}> in {self.open}"

    def handle_data(self, data):
        if "style" in self.open:
            assert "url(" not in data and "@import" not in data
            return
        if "h1" in self.open:
            self.heading += data
        self.texts.append(data)

    def handle_comment(self, data):
        raise AssertionError(f"a comment: {data}")

    def unknown_decl(self, data):
        raise AssertionError(f"a declaration: {data}")

    @property
    def text(self):
        return "".join(self.texts)
