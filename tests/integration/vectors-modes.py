# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %support/hide-cuda %python -B %s
"""Levels of enforcement (V-MD-01, V-MD-02, V-MD-05, MD-3): unset, empty and invalid values, and the record of an
override in the manifest."""
import note
from sandbox import MAIN, Sandbox, equal, wheel

sandbox = Sandbox()
sandbox.write("main.cpp", MAIN)
root = wheel("nvidia-nvjitlink-cu12==12.5.82") / "nvidia/nvjitlink"
link = ("g++", "-Wl,--no-as-needed", "main.cpp", "-o", "main",
        f"{root}/lib/libnvJitLink.so.12")
torch = "--cudacc-runtime=torch==2.5.1"

sandbox.refused(torch, *link, code="CC3015", output="main")  # V-MD-01: unset is toolkit
with sandbox.file("cuda-cc.toml", 'runtime = "torch==2.5.1"\nenforce = "toolkit"\n'):
    sandbox.refused(*link, code="CC3015", output="main")

with sandbox.file("cuda-cc.toml", 'runtime = "torch==2.5.1"\nenforce = "tolkit"\n'):  # V-MD-02
    ended = sandbox.refused(*link, code="CC1003", status=2, output="main")
    for fact in ("cuda-cc.toml:2", "enforce", "toolkit", "warn", "off"):
        assert fact in ended.err, ended
ended = sandbox.refused(torch, "--cudacc-enforce=of", *link, code="CC1003", status=2, output="main")
assert "off" in ended.err and "--cudacc-enforce" in ended.err, ended
sandbox.refused(torch, "--cudacc-enforce=", *link, code="CC1003", status=2, output="main")

ended = sandbox.cc(torch, "--cudacc-enforce=warn", *link)
equal(ended.status, 0, ended)
assert "CC3015" in ended.err and not ended.codes, ended
record = note.manifest(sandbox.work / "main").link
equal((record["enforce"], record["target"]["cuda"]), ("warn", "12.4"), "override in the manifest")

sandbox.good(torch, "--cudacc-enforce=off", *link)  # V-MD-05
record = note.manifest(sandbox.work / "main").link
equal(record["enforce"], "off", "override in the manifest")
