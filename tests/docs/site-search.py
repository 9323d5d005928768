# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S/../integration:%support %support/hide-cuda %python -B %s
"""The site, opened from a disk: pages have no errors, load nothing from the network, and search finds pages.
`./dev test --all docs` builds the site first."""
import time

import browser
from documented import ROOT
from sandbox import skip

SITE = ROOT / "build-docs/site"
if not browser.PROGRAM:
    skip("no chromium")
if not (SITE / "index.html").is_file():
    skip("no site: ./dev docs")
SEARCH = """
(() => {
  const input = document.querySelector('.md-search__input');
  input.focus();
  input.value = 'LD_LIBRARY_PATH';
  input.dispatchEvent(new Event('input', {bubbles: true}));
  input.dispatchEvent(new KeyboardEvent('keyup', {bubbles: true, key: 'H'}));
})()
"""
FOUND = "[...document.querySelectorAll('.md-search-result__link')].map(link => link.getAttribute('href'))"
TITLES = ("Start", "Tutorial", "How-to", "Reference", "Explanation", "Developing")

chromium = browser.Browser()
for page in ("index.html", "docs/codes/CC3001.html", "docs/checking.html"):
    said, _ = chromium.show(SITE / page, 1280, "light")
    assert not said, said
    tabs = chromium.value("[...document.querySelectorAll('.md-tabs__link')].map(tab => tab.innerText.trim())")
    assert tuple(tabs) == TITLES, tabs
    dead = chromium.value("[...document.images].filter(image => !image.naturalWidth).map(image => image.src)")
    assert not dead, dead
    chromium.value(SEARCH)
    until = time.monotonic() + 60
    while not (found := chromium.value(FOUND)) and time.monotonic() < until:
        time.sleep(0.1)
    assert any("docs/doctor.html" in link for link in found), found
    urls = [event["params"]["request"]["url"] for event in chromium.events
            if event["method"] == "Network.requestWillBeSent"]
    assert len(urls) > 5, urls
    foreign = [url for url in urls if not url.startswith((f"file://{SITE}/", "data:"))]
    assert not foreign, foreign
chromium.close()
