# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %python -B %s
"""check --format=json and sarif, inspect --format=json: the documents satisfy their schemas, and names from files
cannot break them (FB-30)."""
import json
import os
import pty
import subprocess

from binaries import CUDART, JITLINK, PROGRAM, Binaries, equal, run, schema

place = Binaries()
place.extension("ext.so", {JITLINK: ["__nvJitLinkCreate_12_5"], CUDART: ["cudaMalloc"]})
strange = "a\x1b[2J\n\udcff %.so"
os.link(place.work / "ext.so", os.path.join(place.work, strange))
place.wheel("w.whl", {"p/e.so": place.work / "ext.so"})


def fits(name, text):
    return schema.fit(json.loads(text), name)


for words in (["ext.so", "w.whl"], [strange], ["missing.so", "w.whl"]):
    done = run(PROGRAM, "check", *words, "--runtime", "torch==2.5.1", "--format=json",
               cwd=place.work)
    fits("check", done.stdout)
    assert "\x1b" not in done.stdout
    done = run(PROGRAM, "check", *words, "--runtime", "torch==2.5.1", "--format=sarif",
               cwd=place.work)
    sarif = fits("sarif", done.stdout)
    equal(done.returncode, sarif["runs"][0]["invocations"][0]["exitCode"])
    assert "\x1b" not in done.stdout
    rules = sarif["runs"][0]["tool"]["driver"]["rules"]
    for result in sarif["runs"][0]["results"]:
        equal(rules[result["ruleIndex"]]["id"], result["ruleId"])
    assert {"CC4002", "CC2005"} & {rule["id"] for rule in rules}, rules
    text = run(PROGRAM, "check", *words, "--runtime", "torch==2.5.1", cwd=place.work).stdout
    assert "\x1b" not in text and all(len(line) <= 100 for line in text.splitlines()), text

wheel = run(PROGRAM, "check", "w.whl", "--runtime", "torch==2.5.1", "--format=sarif",
            cwd=place.work)
location = json.loads(wheel.stdout)["runs"][0]["results"][0]["locations"][0]
equal(location["physicalLocation"]["artifactLocation"]["uri"], "w.whl")
equal(location["logicalLocations"][0]["fullyQualifiedName"], "p/e.so")

shown = run(PROGRAM, "inspect", "ext.so", "w.whl", "--format=json", cwd=place.work)
files = fits("inspect", shown.stdout)["files"]
equal([file["path"] for file in files], ["ext.so", "w.whl!p/e.so"])
equal(files[0]["imports"], {JITLINK: ["__nvJitLinkCreate_12_5"], CUDART: ["cudaMalloc"]})
equal((files[0]["device"], files[0]["export_count"]), ([], 1))
assert files[0]["floor"][JITLINK].startswith("12.5."), files[0]
assert "exports" not in files[0]
listed = run(PROGRAM, "inspect", "--exports", "ext.so", "--format=json", cwd=place.work)
equal([each["symbol"] for each in fits("inspect", listed.stdout)["files"][0]["exports"]], ["init"])
text = run(PROGRAM, "inspect", "ext.so", cwd=place.work).stdout
for part in ("needs        libnvJitLink.so.12", "RPATH", "at least     libcudart.so.12",
             "  imports __nvJitLinkCreate_12_5\n", "exports      1 name\n"):
    assert part in text, (part, text)


def on_terminal(**environment):
    """stdout of a run whose standard output is a terminal."""
    read, write = pty.openpty()
    done = subprocess.Popen([PROGRAM, "check", "ext.so", "--runtime", "torch==2.5.1"],
                            cwd=place.work, stdout=write, stdin=subprocess.DEVNULL,
                            env={**os.environ, **environment})
    os.close(write)
    out = b""
    while True:
        try:
            part = os.read(read, 65536)
        except OSError:
            break
        if not part:
            break
        out += part
    done.wait()
    os.close(read)
    return out.decode()


assert "\x1b[1;31mreject\x1b[0m" in on_terminal(), on_terminal()
assert "\x1b" not in on_terminal(NO_COLOR="1")
