# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%S/../command:%support %support/hide-cuda %python -B %s
"""The page of --report in a browser: it renders, logs nothing on the console, fetches nothing, is readable at 400
pixels and has the contrast of WCAG AA, light and dark. CUDACC_TEST_PICTURES names a folder for screenshots.
The pictures in docs/images are the upper parts of two of these pages; `lit --param update=1` takes them anew."""
import os
import sys

import browser
from binaries import CUDART, JITLINK, PROGRAM, SOURCE, Binaries, equal, run

if not browser.PROGRAM:
    print("SKIPPED: no chromium")
    sys.exit(77)

place = Binaries()
pictures = os.environ.get("CUDACC_TEST_PICTURES")
place.extension("ext.so", {JITLINK: ["__nvJitLinkCreate_12_5"], CUDART: ["cudaMalloc"]})
long = "a" * 120
for name in ("fine.so", f"{long}.so", "<b onclick=alert(1)>&.so"):
    place.extension(f"dist/{name}", {JITLINK: ["__nvJitLinkCreate_12_5"], CUDART: ["cudaMalloc"]})
place.extension("dist/accepted.so", {CUDART: ["cudaMalloc"]})
place.extension("unfound.so", {JITLINK: ["__nvJitLinkCreate_12_4"]}, ("/nowhere",))
site = place.site("env", {"nvidia-nvjitlink-cu12": ("12.4.127", {})})
place.extension(site / "pkg/ext.so", {JITLINK: ["__nvJitLinkCreate_12_5"]})

pages = {}
for name, tool, *words in (
        ("reject", "check", "ext.so", "--runtime", "torch==2.5.1"),
        ("accept", "check", "ext.so", "--runtime", "torch==2.7.1"),
        ("unfound", "check", "unfound.so", "--runtime", "torch==2.5.1"),
        ("matrix", "check", "ext.so", "--against", "all"),
        ("files", "check", "dist", "--runtime", "torch==2.5.1", "--runtime", "torch==2.7.1"),
        ("doctor", "doctor", "--env", "env", site / "pkg/ext.so"),
        ("environment", "doctor", "--env", "env")):
    pages[name] = place.work / f"{name}.html"
    done = run(PROGRAM, tool, *words, "--report", pages[name], cwd=place.work)
    assert done.returncode in (0, 3, 4) and pages[name].exists(), done

chromium = browser.Browser()
for name, path in pages.items():
    backs = {}
    for scheme in ("light", "dark"):
        for width in (1280, 400):
            said, fetched = chromium.show(path, width, scheme)
            equal((said, fetched), ([], [f"file://{path}"]), f"{name} {scheme} {width}")
            # Collapsed sections are expanded, so that they are tested too.
            chromium.value("document.querySelectorAll('details').forEach(d => d.open = true)")
            wide = chromium.value("document.documentElement.scrollWidth")
            assert wide <= width, f"{name}: {wide} pixels at {width}"
            shown = chromium.value(browser.FAINT)
            assert shown["seen"] > 10 and not shown["faint"], f"{name} {scheme}: {shown}"
            equal(chromium.value("document.querySelectorAll('script,[onclick]').length"), 0, name)
            backs[scheme] = chromium.value("getComputedStyle(document.body).backgroundColor")
            if pictures:
                chromium.show(path, width, scheme)
                chromium.picture(f"{pictures}/{name}-{scheme}-{width}.png")
    assert backs["light"] != backs["dark"], backs
    if name in ("accept", "reject"):
        heading = chromium.value("document.querySelector('h1').innerText")
        assert f": {name} on " in heading, heading
# Fonts differ between machines, so a picture is compared by its size.
for name, page, height in (("report-check", "matrix", 720), ("report-doctor", "doctor", 900)):
    shown = place.work / "shown.html"
    shown.write_text(pages[page].read_text().replace(str(place.work), "/home/me"))
    chromium.show(shown, 900, "light")
    taken = place.work / f"{name}.png"
    chromium.picture(taken, height)
    kept = SOURCE / "docs/images" / taken.name
    if os.environ["CUDACC_TEST_UPDATE"]:
        kept.write_bytes(taken.read_bytes())
    # Width and height are in the first chunk.
    equal(kept.read_bytes()[16:24], taken.read_bytes()[16:24], f"{kept} is not what is taken today")
    assert kept.stat().st_size < 150_000, kept

# The browser does detect errors.
bad = place.work / "bad.html"
bad.write_text("<!doctype html><style>p{color:#999;width:900px}</style>"
               "<p>faint<img src=x.png><script>console.error('x')</script>")
said, fetched = chromium.show(bad, 400, "light")
assert said and len(fetched) == 2, (said, fetched)
assert chromium.value("document.documentElement.scrollWidth") > 400
equal(len(chromium.value(browser.FAINT)["faint"]), 1)
chromium.close()
