# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %python -B %s
"""Overrides at a link: the manifest records the waived findings, sorted and without folders; two links with different
overrides have different build-ids (MD-3, IP-6; F18)."""
import json
import re

from binaries import CUDART, JITLINK, PROGRAM, Binaries, equal, run

place = Binaries()
work = place.work
library = place.library("lib/" + JITLINK, JITLINK, ["__nvJitLinkCreate_12_4", "__nvJitLinkCreate_12_5"])
place.library("lib/" + CUDART, CUDART, ["cudaMalloc"])
place.object("ext.o", ["__nvJitLinkCreate_12_5"])


def link(*words, output="ext.so", shared=True, inputs=("ext.o", library), **environment):
    (work / output).unlink(missing_ok=True)
    kind = ["-shared"] if shared else ["-nostartfiles", "-Wl,--entry=init"]
    done = run(PROGRAM, "gcc", *words, "-nostdlib", *kind, *inputs, "-o", output, cwd=work,
               **environment)
    equal((work / output).exists(), done.returncode == 0, done)
    return done


def manifest(output="ext.so"):
    done = run(PROGRAM, "inspect", "--format=json", output, cwd=work)
    return json.loads(done.stdout)["files"][0]["manifest"]["link"]


def accepted(*words, **more):
    done = link(*words, **more)
    equal((done.returncode, done.stdout), (0, ""), done)
    return done.stderr


def build_id(output="ext.so"):
    return re.search(r"Build ID: (\w+)", run("readelf", "-n", output, cwd=work).stdout)[1]


runtime = ("--cudacc-runtime=torch==2.5.1", "--cudacc-enforce=symbols")
refused = link(*runtime)
equal(refused.returncode, 3, refused)
assert "[CC4002]" in refused.stderr, refused

said = accepted(*runtime, "--cudacc-severity=CC4002=warning")
assert "warning: " in said and "[CC4002]" in said, said
equal(manifest()["waivers"], ["CC4002=warning"])
lowered = build_id()

waiver = f"--cudacc-waive=CC4002 {JITLINK}: the application loads a newer one"
equal(accepted(*runtime, waiver), "")
equal(manifest()["waivers"], [f"CC4002 {JITLINK}: the application loads a newer one"])
assert build_id() != lowered
shown = run(PROGRAM, "inspect", "ext.so", cwd=work).stdout
assert f"waived: CC4002 {JITLINK}: the application loads a newer one" in shown, shown
table = run(PROGRAM, "target", *runtime, waiver, cwd=work).stdout
assert f"waived: CC4002 {JITLINK}: " in table, table

# Sorted by text, whatever the order of the declaration; a file by its name only.
several = ["--cudacc-severity=CC4102=error", "--cudacc-severity=E_FLOOR=remark", waiver,
           f"--cudacc-waive=CC4106 {work}/ext.so: in-house", "--cudacc-assume-forward-compatibility"]
for words in (several, several[::-1]):
    equal(accepted(*runtime, *words), "")
    equal(manifest()["waivers"], [f"CC4002 {JITLINK}: the application loads a newer one",
                                  "CC4106 ext.so: in-house", "E_FLOOR=remark",
                                  "assume-forward-compatibility"])
equal(accepted(*runtime, "--cudacc-waive=CC4002 ext.so: x"), "", )
equal(link(*runtime, "--cudacc-waive=CC4002 other.so: x").returncode, 3)

# A long reason is recorded completely.
long = "because " * 300 + "é" * 200
equal(accepted(*runtime, f"--cudacc-waive=CC4002: {long}"), "")
equal(manifest()["waivers"], ["CC4002: " + long.replace("é", "%C3%A9")], "MJ-2")
equal(place.check("ext.so", "--runtime", "torch==2.7.1").status, 0, "sealed")

# A finding that is not printed at the link can be raised to an error.
place.object("old.o", ["__nvJitLinkCreate_12_4"])
old = {"inputs": ("old.o", place.library(f"old/{JITLINK}", JITLINK, ["__nvJitLinkCreate_12_4"]))}
bare = ("--cudacc-runtime=cuda==12.4",)
equal(accepted(*bare, "-Wl,-rpath,relative", **old).count("CC4107"), 1)
equal(manifest()["waivers"], [])
equal(link(*bare, "-Wl,-rpath,relative", "--cudacc-severity=CC4107=error", **old).returncode, 3)
equal(accepted(*bare, "-Wl,-rpath,relative", "--cudacc-waive=CC4107: ours", **old), "")

# F18: an environment's own directories follow the relative ones.
place.site("venv", {
    "nvidia-nvjitlink-cu12": ("12.5.82", {f"nvidia/nvjitlink/lib/{JITLINK}": f"lib/{JITLINK}"}),
    "nvidia-cuda-runtime-cu12": ("12.5.82", {f"nvidia/cuda_runtime/lib/{CUDART}": f"lib/{CUDART}"})})
site = work / "venv/lib/python3.11/site-packages"
inside = site / "nvidia/nvjitlink/lib" / JITLINK
environment = ("--cudacc-runtime=env:venv",)


def path(output):
    dynamic = run("readelf", "-d", output, cwd=work).stdout
    return re.search(r"rpath: \[(.*)\]", dynamic)[1].split(":")


own = str(site / "nvidia/nvjitlink/lib")
for words, shared, develops in (([], True, False), ([], False, True),
                                (["--cudacc-develop"], True, True),
                                (["--cudacc-develop=false"], False, False)):
    output = "built.so" if shared else "built"
    accepted(*environment, *words, output=output, shared=shared, inputs=("ext.o", inside))
    entries = path(output)
    equal((own in entries, "develop" in manifest(output)), (develops, develops), words)
    assert entries[0].startswith("$ORIGIN"), entries
    if develops:
        assert entries.index(own) > max(i for i, each in enumerate(entries) if "$ORIGIN" in each)
        assert "develop: " in run(PROGRAM, "inspect", output, cwd=work).stdout
accepted(*environment, output="built.so", inputs=("ext.o", inside), CUDA_CC_DEVELOP="1")
assert own in path("built.so")
place.wheel("p.whl", {"pkg/built.so": work / "built.so"})
assert "CC4012" in place.check("p.whl", "--runtime", "cuda==12.5", "--format=json").codes()
equal(place.check("built.so", "--runtime", "env:venv").status, 0)
stopped = link("--cudacc-runtime=cuda==12.5", "--cudacc-develop")
equal(stopped.returncode, 2, stopped)
assert "--cudacc-develop" in stopped.stderr and "environment" in stopped.stderr, stopped
