# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %python -B %s
"""check and doctor --report: writes an HTML page in addition to the usual output, which is unchanged."""
import os

from binaries import CUDART, JITLINK, PROGRAM, Binaries, equal, run
from page import Page

place = Binaries()
place.extension("ext.so", {JITLINK: ["__nvJitLinkCreate_12_5"], CUDART: ["cudaMalloc"]})
report = place.work / "out/report.html"


def page(path=report):
    text = path.read_text(encoding="utf-8")
    assert text.startswith("<!doctype html>\n"), text[:80]
    found = Page(text)
    assert found.csp.startswith("default-src 'none'; style-src 'unsafe-inline'"), found.csp
    assert str(place.root) not in text, "the machine's own paths, which nobody asked for"
    return found


# Output and status are those of a call without the option; the page is written in addition.
for words in (["--runtime", "torch==2.5.1"], ["--runtime", "torch==2.7.1"], ["--against", "all"],
              ["--runtime", "torch==2.5.1", "--format=json"],
              ["--runtime", "torch==2.5.1", "--format=sarif"]):
    plain = place.check("ext.so", *words)
    ended = place.check("ext.so", *words, "--report", report)
    equal((ended.status, ended.out, ended.err), (plain.status, plain.out, plain.err), words)
    page()
    equal(sorted(os.listdir(report.parent)), ["report.html"], "nothing else is left")
    first = report.read_bytes()
    place.check("ext.so", *words, f"--report={report}")
    equal(report.read_bytes(), first, f"the same bytes: {words}")

place.check("ext.so", "--runtime", "torch==2.5.1", "--report", report)
rejected = page()
equal(rejected.heading, "ext.so: reject on torch==2.5.1 (CUDA 12.4)")
for part in ("What to do first", "Versions", "Why", "Search path", "Symbols", "Manifest",
             "__nvJitLinkCreate_12_5", "12.4.127", "site-packages/package/../nvidia/nvjitlink/lib",
             "RPATH $ORIGIN/../nvidia/nvjitlink/lib of ext.so"):
    assert part in rejected.text, part
place.check("ext.so", "--against", "all", "--report", report)
everything = page()
assert everything.heading.startswith("ext.so on "), everything.heading
for part in ("torch 2.5.0 to 2.6.0", "torch 2.7.0", "reject 12.4.127", "cuda 13.0"):
    assert part in everything.text, part

# Many files, one of them not an ELF file; a name that contains markup.
(place.work / "dist").mkdir()
for name in ("a.so", "b.so", "c.so"):
    place.extension(f"dist/{name}", {CUDART: ["cudaMalloc"]})
evil = "<script>alert(1)<!--"
place.extension(f"dist/{evil}.so", {JITLINK: ["__nvJitLinkCreate_12_5"]})
(place.work / "dist/broken.so").write_bytes(b"\x7fELF\x02\x01\x01" + b"\xff" * 80)
for words, count in ((["--runtime", "torch==2.5.1"], 2), (["--against", "all"], 5)):
    many = place.check("dist", *words, "--report", report)
    equal(many.status, 3, many)
    listed = page()
    assert listed.heading.startswith("5 files "), listed.heading
    assert f"dist/{evil}.so" in listed.text and "dist/c.so" in listed.text, listed.text
    equal(listed.links, [f"#file-{number}" for number in range(1, count + 1)], listed.text)

# An empty folder, and doctor.
(place.work / "none").mkdir()
place.check("none", "--runtime", "torch==2.5.1", "--report", report)
equal(page().heading, "nothing to check")
site = place.site("env", {"nvidia-nvjitlink-cu12": ("12.4.127", {})})
for words in ([], [site / "ext.so"]):
    place.extension(site / "ext.so", {CUDART: ["cudaMalloc"]})
    plain = run(PROGRAM, "doctor", "--env", "env", *words, cwd=place.work)
    ended = run(PROGRAM, "doctor", "--env", "env", *words, "--report", report, cwd=place.work)
    equal((ended.returncode, ended.stdout), (plain.returncode, plain.stdout), ended)
    listed = Page(report.read_text(encoding="utf-8"))
    assert "Environment" in listed.text and "LD_LIBRARY_PATH" in listed.text, listed.text
    assert ": reject on " in listed.heading if words else "env" in listed.heading, listed.heading

# A file that is not such a page is never replaced; this is reported before anything is read or checked.
before = (place.work / "ext.so").read_bytes()
for words, status, says in (
        (["ext.so", "--report"], 2, "--report needs a value"),
        (["ext.so", "--report="], 2, "--report needs the name of a file"),
        (["dist", "--report", "ext.so"], 2, "ext.so exists and is not a page"),
        (["ext.so", "--report", "dist"], 4, "cannot write dist: not a regular file"),
        (["ext.so", "--report", "/dev/null"], 4, "cannot write /dev/null: not a regular file"),
        (["ext.so", "--report", "ext.so/page.html"], 4, "cannot "),
        (["ext.so", "--report", "/proc/page.html"], 4, "cannot write /proc/page.html")):
    refused = place.check("--runtime", "torch==2.7.1", *words)
    equal((refused.status, refused.err.count("cuda-cc: error: ")), (status, 1), refused)
    assert f"cuda-cc: error: {says}" in refused.err, refused
assert (place.work / "ext.so").read_bytes() == before, "it lives"
refused = run(PROGRAM, "inspect", "ext.so", "--report", "x.html", cwd=place.work)
equal(refused.returncode, 2, refused)
# An empty file (mktemp) and an old page are replaced; a symbolic link stays one.
(place.work / "empty.html").write_bytes(b"")
(place.work / "link.html").symlink_to("empty.html")
for _ in range(2):
    equal(place.check("ext.so", "--runtime", "torch==2.7.1", "--report", "link.html").status, 0)
    page(place.work / "empty.html")
assert (place.work / "link.html").is_symlink()
# A read-only page is not replaced, for root too.
(place.work / "empty.html").chmod(0o444)
before = (place.work / "empty.html").read_bytes()
refused = place.check("ext.so", "--runtime", "torch==2.7.1", "--report", "link.html")
equal((refused.status, "it is read-only" in refused.err, refused.out), (4, True, ""), refused)
equal((place.work / "empty.html").read_bytes(), before, "read-only")
