# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %python -B %s
"""A release that does not exist, torch 9.9.0 with CUDA 14.1, declared by a file beside cuda-cc.toml: compiles are
checked against its line as usual. Without the file it is unknown; a file that is broken or contradicts the tables is
one error, and no program is started (F16)."""
import json

from recording import Place, equal

COMMON = {"note": None, "source": "made up for a test", "confidence": "verified"}
HEAD = {"torch": "9.9", "cuda": "14.1", "local_tag": "cu141"}
TABLES = {
    "ctk_component_versions": [
        {"ctk": "14.1.0", "components": {"nvidia-cuda-runtime": "14.1.20",
                                         "nvidia-cublas": "14.2.0.9"},
         "wheel_overrides": {}, **COMMON}],
    "torch_wheel_pins": [
        {**HEAD, "torch_versions": ["9.9.0"], "pypi_default": True, "ctk": "14.1.0",
         "complete": True, **COMMON,
         "pins": [{"dist": "nvidia-cublas", "spec": "==14.2.0.9.*", "kind": "extra",
                   "floor": "14.2.0.9", "seen": [], "confidence": None}]}],
    "pytorch_cuda_lines": [{**HEAD, "pypi_default": True, "ctk": "14.1.0", **COMMON}],
    "torch_pypi_default": [{**HEAD, **COMMON}],
}


def file_of(tables):
    return json.dumps({"schema": 1, "description": "made up", "tables": tables})


def place_with(version):
    place = Place(version)
    place.write("k.cu")
    place.write("project/more.json", file_of(TABLES))
    place.write("project/cuda-cc.toml", 'runtime = "torch==9.9.0"\nfacts = "more.json"\n')
    place.work /= "project"
    return place


for version, status, code in (("14.0", 0, None), ("14.1", 0, None), ("14.2", 3, "CC3001"),
                              ("13.5", 3, "CC3002"), ("15.0", 3, "CC3002")):
    place = place_with(version)
    ended = place.call("-c", "../k.cu")
    equal(ended.status, status, f"nvcc {version}: {ended.err}")
    equal(len(ended.started), 0 if code else 1, f"nvcc {version}")
    if code:
        assert f"[{code}]" in ended.err and "torch==9.9.0 in cuda-cc.toml:1" in ended.err, ended.err

place = place_with("14.1")
shown = json.loads(place.call("target", "--format=json").out)
equal((shown["line"], shown["release"], shown["torch"]), ("14.1", "14.1.0", "9.9.0"), "target")
table = place.call("target", "--runtime", "cuda==14.1")
equal(table.status, 0, table.err)

# Without the file, with another option, and with the variable.
unknown = place.call("-c", "../k.cu", "--cudacc-runtime=torch==9.9.1")
equal((unknown.status, unknown.started), (4, []), unknown.err)
assert "[CC2007]" in unknown.err and "9.9.0" in unknown.err, unknown.err
bare = place_with("14.1")
(bare.work / "cuda-cc.toml").write_text('runtime = "torch==9.9.0"\n')
without = bare.call("-c", "../k.cu")
equal((without.status, without.started), (4, []), without.err)
for wanted in ("[CC2007]", "env:PATH", "cuda==", "facts"):
    assert wanted in without.err, without.err
equal(bare.call("-c", "../k.cu", CUDA_CC_FACTS="more.json").status, 0, "variable")
equal(bare.call("--cudacc-facts=more.json", "-c", "../k.cu").status, 0, "option")

# One clear error, and no program is started.
gone = bare.call("--cudacc-facts=gone.json", "-c", "../k.cu")
equal((gone.status, gone.started), (4, []), gone.err)
assert "[CC2016]" in gone.err and "gone.json" in gone.err and "--cudacc-facts" in gone.err, gone.err
pins = [{**TABLES["torch_wheel_pins"][0], "complete": "yes"}]
(bare.work / "more.json").write_text(file_of({**TABLES, "torch_wheel_pins": pins}))
broken = bare.call("--cudacc-facts=more.json", "-c", "../k.cu")
equal((broken.status, broken.started), (4, []), broken.err)
for wanted in ("[CC2016]", "more.json: torch_wheel_pins, row 1", '"complete" is neither'):
    assert wanted in broken.err, broken.err
kit = [{**TABLES["ctk_component_versions"][0], "ctk": "13.0.2"}]
(bare.work / "more.json").write_text(file_of({"ctk_component_versions": kit}))
other = bare.call("--cudacc-facts=more.json", "-c", "../k.cu")
equal((other.status, other.started), (4, []), other.err)
for wanted in ("[CC2017]", "CUDA 13.0.2", "built in:"):
    assert wanted in other.err, other.err
