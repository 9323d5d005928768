# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %python -B %s
"""A facts package of torch 9.9.0 with CUDA 14.1, neither of which is built in: in an active environment,
beside the program, named by CUDA_CC_FACTS. The newest is used, `version` and `target` say which; what
cannot be used is one line, and the built-in data are used; what was named is an error. Nothing is looked
at twice on the way to a compile."""
import json
import os
import re
import shutil

from recording import PROGRAM, Place, equal

COMMON = {"since": "2099.1.0", "source": "made up for a test", "confidence": "verified"}
HEAD = {"torch": "9.9", "cuda": "14.1", "local_tag": "cu141"}
TABLES = {
    "ctk_component_versions": [
        {"ctk": "14.1.0", "components": {"nvidia-cuda-runtime": "14.1.20", "nvidia-cublas": "14.2.0.9"},
         "wheel_overrides": {}, **COMMON}],
    "torch_wheel_pins": [
        {**HEAD, "torch_versions": ["9.9.0"], "pypi_default": True, "ctk": "14.1.0", "complete": True,
         **COMMON, "pins": [{"dist": "nvidia-cublas", "spec": "==14.2.0.9.*", "kind": "extra",
                             "floor": "14.2.0.9", "confidence": None}]}],
    "pytorch_cuda_lines": [{**HEAD, "pypi_default": True, "ctk": "14.1.0", **COMMON}],
    "torch_pypi_default": [{**HEAD, **COMMON}],
}
RUNTIME = "--cudacc-runtime=torch==9.9.0"
place = Place("14.1")
place.write("k.cu")


def install(prefix, release="2099.1.0", tables=TABLES, schema=1, of=None):
    folder = prefix / "share/cuda-cc/facts"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "release.json").write_text(json.dumps({"schema": schema, "release": release}))
    (folder / "tables.json").write_text(json.dumps(
        {"schema": 1, "release": of or release, "description": "made up", "tables": tables}))
    return folder


def one_line(err):
    """Without codes and what is added where a line is wrapped."""
    return " ".join(re.sub(r"(\.\.\.)? \[CC\d+\]", "", err).split())


def compiles(status=0, err="", runtime=RUNTIME, **environment):
    ended = place.call("-c", "k.cu", runtime, **environment)
    equal((ended.status, len(ended.started)), (status, 0 if status else 1), ended)
    for word in [err] if isinstance(err, str) else err:
        assert word in ended.err or word in one_line(ended.err), (word, ended.err)
    if not err:
        equal(ended.err, "", "nothing to say")
    return ended


def version(**environment):
    ended = place.call("version", "--format=json", **environment)
    equal(ended.status, 0, ended)
    return json.loads(ended.out)["facts"], ended.err


builtin = version()[0]["built_in"]
equal(version(), ({"release": builtin, "built_in": builtin}, ""), "built in")
text = place.call("version").out.splitlines()
equal((text[0].split()[0], text[1:]), ("cuda-cc", [f"facts {builtin} (built in)"]), "as text")
compiles(4, "[CC2007]")

# In the active environment, whichever kind it is.
venv, conda = place.root / "venv", place.root / "conda"
folder = install(venv)
for variable in ("VIRTUAL_ENV", "CONDA_PREFIX"):
    compiles(**{variable: venv})
    equal(version(**{variable: venv})[0],
          {"release": "2099.1.0", "built_in": builtin, "package": str(folder)}, variable)
compiles(4, "[CC2007]", VIRTUAL_ENV=conda)
compiles(4, "[CC2007]", VIRTUAL_ENV="venv")
text = place.call("version", VIRTUAL_ENV=venv).out.splitlines()
equal(text[1], f"facts 2099.1.0 ({folder}; built in: {builtin})", "version")
shown = place.call("target", RUNTIME, VIRTUAL_ENV=venv)
assert f"facts: 2099.1.0, {folder}" in " ".join(shown.out.split()), shown.out
shown = json.loads(place.call("target", RUNTIME, "--format=json", VIRTUAL_ENV=venv).out)
equal((shown["line"], shown["facts"]), ("14.1", {"release": "2099.1.0", "package": str(folder)}), "target")
shown = json.loads(place.call("target", "--runtime", "torch==2.5.1", "--format=json").out)
equal(shown["facts"], {"release": builtin}, "target without a package")
# A release that is built in is what it was.
for arguments in (["torch==2.5.1"], ["cuda==13.0"]):
    equal(place.call("target", "--runtime", *arguments, VIRTUAL_ENV=venv).out.split("  facts:")[0],
          place.call("target", "--runtime", *arguments).out, arguments)

# The newest of several, by its number, wherever it is; the target is not kept beyond that.
second = install(conda, "2099.10.0", {**TABLES, "torch_wheel_pins": [
    {**TABLES["torch_wheel_pins"][0], "torch_versions": ["9.9.0", "9.9.1"]}]})
equal(version(VIRTUAL_ENV=venv, CONDA_PREFIX=conda)[0]["package"], str(second), "both")
compiles(runtime="--cudacc-runtime=torch==9.9.1", VIRTUAL_ENV=venv, CONDA_PREFIX=conda)
compiles(4, "[CC2007]", runtime="--cudacc-runtime=torch==9.9.1", VIRTUAL_ENV=venv)
# Updated in place.
install(venv, "2099.11.0", {**TABLES, "torch_wheel_pins": [
    {**TABLES["torch_wheel_pins"][0], "torch_versions": ["9.9.1"]}]})
compiles(4, "[CC2007]", VIRTUAL_ENV=venv)
compiles(runtime="--cudacc-runtime=torch==9.9.1", VIRTUAL_ENV=venv)
install(venv)
compiles(VIRTUAL_ENV=venv)

# Beside the program, as a wheel installs both.
prefix = place.root / "prefix"
(prefix / "bin").mkdir(parents=True)
shutil.copy(PROGRAM, prefix / "bin/cuda-cc")
beside = install(prefix, "2099.5.0")
ended = place.call("version", "--format=json", program=prefix / "bin/cuda-cc")
equal(json.loads(ended.out)["facts"]["package"], str(beside), "beside the program")
equal(place.call("-c", "k.cu", RUNTIME, program=prefix / "bin/cuda-cc").status, 0, "beside")
# A toolchain directory has a copy of the program and finds it too, even if it is installed later.
shutil.rmtree(prefix / "share")
kit = Place("13.0")
made = kit.call("toolchain", "--runtime", "cuda==13.0", "tc", "--toolkit", kit.toolkit,
                program=prefix / "bin/cuda-cc")
equal(made.status, 0, made)
copy = kit.work / "tc/bin/cuda-cc"
equal(json.loads(kit.call("version", "--format=json", program=copy).out)["facts"],
      {"release": builtin, "built_in": builtin}, "the directory's program")
install(prefix, "2099.5.0")
equal(json.loads(kit.call("version", "--format=json", program=copy).out)["facts"]["release"],
      "2099.5.0", "the directory's program")

# Named: a package's directory, or its tables as a facts file.
compiles(CUDA_CC_FACTS=folder)
compiles(CUDA_CC_FACTS=os.path.relpath(folder, place.work))
compiles(CUDA_CC_FACTS=folder / "tables.json")
equal(version(CUDA_CC_FACTS=folder)[0]["package"], str(folder), "named")
equal(version(CUDA_CC_FACTS=folder, VIRTUAL_ENV=conda)[0]["package"], str(second), "newer than named")
old = install(place.root / "old", "2020.1.0")
equal(version(CUDA_CC_FACTS=old)[0]["release"], builtin, "older than built in")
compiles(4, "[CC2007]", CUDA_CC_FACTS=old)
empty = place.root / "empty"
empty.mkdir()
compiles(4, ("[CC2016]", "has no release.json", "facts in CUDA_CC_FACTS"), CUDA_CC_FACTS=empty)

# One that cannot be used: an error where it was named; else one line, and what is built in.
broken = place.root / "broken"
for problem, spoil in (
        ("its schema is 2, not 1", lambda: install(broken, schema=2)),
        ("its schema is 0, not 1", lambda: install(broken, schema=0)),
        ("it is not of release 2099.1.0", lambda: install(broken, of="2099.0.9")),
        ("no \"ctk\"", lambda: install(broken, tables={"ctk_component_versions": [COMMON]})),
        ("has no tables.json", lambda: (install(broken) / "tables.json").unlink()),
        ("no valid JSON", lambda: (install(broken) / "release.json").write_text("{")),
        ("is larger than 1 MiB", lambda: (install(broken) / "tables.json").write_text(" " * (1 << 20 | 1)))):
    spoil()
    where = broken / "share/cuda-cc/facts"
    line = f"cuda-cc: warning: facts package not used: {problem}"
    kit.write("k.cu")
    ended = kit.call("-c", "k.cu", "--cudacc-runtime=cuda>=13.0,<14", VIRTUAL_ENV=broken)
    equal((ended.status, len(ended.started)), (0, 1), ended)
    said = one_line(ended.err)
    assert said.startswith(line) and said.endswith(f"where: {where}"), ended.err
    ended = place.call("target", "--runtime", "torch==2.5.1", VIRTUAL_ENV=broken)
    equal((ended.status, one_line(ended.err)), (0, said), ended)
    facts, err = version(VIRTUAL_ENV=broken)
    equal((facts, err), ({"release": builtin, "built_in": builtin}, ended.err), problem)
    compiles(4, ("[CC2007]", str(where)), VIRTUAL_ENV=broken)
    compiles(4, ("[CC2016]", problem), CUDA_CC_FACTS=where)

# One that somebody else could have written: it may weaken checks, so it is not used unless trusted.
for mode, why in ((0o777, "everybody can write to its directory"), (0o755, "")):
    folder.chmod(mode)
    if why:
        compiles(4, ("[CC2007]", why), VIRTUAL_ENV=venv)
        ended = place.call("target", "--runtime", "torch==2.5.1", VIRTUAL_ENV=venv)
        assert f"facts package not used: release.json: {why}" in one_line(ended.err), ended.err
        compiles(VIRTUAL_ENV=venv, CUDA_CC_TRUST=venv)
        # It was the user who named it.
        compiles(CUDA_CC_FACTS=folder)
    else:
        compiles(VIRTUAL_ENV=venv)

# A user's file stays what it is, and goes before a package.
rows = json.loads(json.dumps(TABLES).replace("14.1", "13.9").replace("cu141", "cu139"))
place.write("more.json", json.dumps({"schema": 1, "tables": rows}))
shown = json.loads(place.call("target", RUNTIME, "--format=json", VIRTUAL_ENV=venv,
                              CUDA_CC_FACTS="more.json").out)
equal((shown["line"], shown["facts"]["release"]), ("13.9", "2099.1.0"), "user's file")
shown = json.loads(place.call("target", "--runtime", "cuda==14.1", "--format=json", VIRTUAL_ENV=venv,
                              CUDA_CC_FACTS="more.json").out)
equal(shown["line"], "14.1", "a package beside a user's file")
