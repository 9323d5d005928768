# SPDX-License-Identifier: Apache-2.0
# REQUIRES: nvcc
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""check and inspect of files that contain only device code, as nvcc writes them: fatbins, cubins, PTX and LTO-IR
against declared GPUs, driver and runtime; as text, JSON, SARIF; also in folders and wheels."""
import json
import zipfile

from behaviour import behaviour
from sandbox import Sandbox, equal

sandbox = Sandbox("13.0")
sandbox.write("k.cu", "__global__ void k(int *p) { *p = 1; }\n")
nvcc = sandbox.toolkit / "bin/nvcc"
BOTH = ("-gencode", "arch=compute_80,code=sm_80", "-gencode", "arch=compute_90,code=[sm_90,compute_90]")
for name, words in {
        "k.fatbin": ("-fatbin", *BOTH), "rdc.fatbin": ("-fatbin", "-rdc=true", "-arch=sm_90"),
        "lto.fatbin": ("-fatbin", "-rdc=true", "-gencode", "arch=compute_80,code=lto_80"),
        "sm_80.cubin": ("-cubin", "-arch=sm_80"), "sm_90.cubin": ("-cubin", "-arch=sm_90"),
        "sm_90a.cubin": ("-cubin", "-arch=sm_90a"), "sm_100f.cubin": ("-cubin", "-arch=sm_100f"),
        "rdc.cubin": ("-cubin", "-rdc=true", "-arch=sm_90"), "k.ptx": ("-ptx", "-arch=compute_90"),
        "k80.ltoir": ("-dlto", "-ltoir", "-arch=sm_80"), "k90.ltoir": ("-dlto", "-ltoir", "-arch=sm_90"),
}.items():
    made = sandbox.run(nvcc, *words, "k.cu", "-o", name)
    equal(made.status, 0, made)


def judged(name, *words):
    ended = sandbox.cc("check", name, "--format=json", *words)
    file, = json.loads(ended.out)["files"]
    return ended.status, [finding["code"] for finding in file["findings"] if finding["severity"] != "remark"]


OK, NEW = ("--runtime", "cuda==13.0"), ("--runtime", "cuda==12.4")


def judges(*rows):
    for name, words, expected in rows:
        equal(judged(name, *words), expected, f"{name} {words}")


@behaviour
def a_fatbin_has_to_cover_the_gpus():
    judges(("k.fatbin", (*OK, "--gpu", "80,86,90,100"), (0, [])),
           ("k.fatbin", (*OK, "--gpu", "sm_75"), (3, ["CC4005"])),
           ("k.fatbin", (*NEW, "--gpu", "sm_90"), (0, ["CC4104"])))


@behaviour
def a_cubin_runs_on_gpus_of_its_major():
    judges(("sm_80.cubin", (*OK, "--gpu", "sm_86"), (0, [])),
           ("sm_80.cubin", (*OK, "--gpu", "sm>=80"), (3, ["CC4005"])))


@behaviour
def the_suffix_of_a_cubin_is_read_from_the_note_of_ptxas():
    judges(("sm_90.cubin", (*OK, "--gpu", "sm_90"), (0, [])),
           ("sm_90a.cubin", (*OK, "--gpu", "sm_90"), (0, ["CC4105"])),
           ("sm_100f.cubin", (*OK, "--gpu", "sm_103"), (0, [])),
           ("sm_100f.cubin", (*OK, "--gpu", "sm_120"), (3, ["CC4005"])))


@behaviour
def ptx_needs_a_runtime_and_a_driver_of_its_isa():
    judges(("k.ptx", OK, (0, [])), ("k.ptx", NEW, (3, ["CC3012"])))
    # The rule about the driver's branch may be reported too.
    status, codes = judged("k.ptx", *OK, "--driver", "570.26")
    assert status == 3 and "CC3012" in codes, codes


@behaviour
def nvjitlink_links_relocatable_code_that_the_driver_does_not_load():
    judges(("rdc.cubin", (*OK, "--gpu", "sm_90"), (0, ["CC4114"])),
           ("rdc.fatbin", (*OK, "--gpu", "sm_90"), (0, ["CC4114"])),
           ("rdc.cubin", (*OK, "--gpu", "sm_80"), (3, ["CC4005"])))


@behaviour
def lto_ir_needs_a_linker_as_new_as_its_compiler():
    judges(("lto.fatbin", (*OK, "--gpu", "sm_90"), (0, ["CC4114"])),
           ("lto.fatbin", NEW, (3, ["CC4006"])),
           ("k80.ltoir", (*OK, "--gpu", "sm_90"), (0, ["CC4114"])),
           ("k80.ltoir", NEW, (3, ["CC4006"])))


@behaviour
def whether_lto_ir_is_of_an_architecture_with_suffix_is_not_recorded():
    judges(("k90.ltoir", (*OK, "--gpu", "sm_90"), (4, ["CC2102"])))


@behaviour
def files_without_device_code_or_cut_off_are_unknown():
    sandbox.write("text.ptx", "not PTX\n")
    (sandbox.work / "cut.fatbin").write_bytes((sandbox.work / "k.fatbin").read_bytes()[:-64])
    (sandbox.work / "cut.cubin").write_bytes((sandbox.work / "sm_80.cubin").read_bytes()[:-64])
    (sandbox.work / "x.bc").write_bytes(b"BC\xc0\xde" + bytes(64))
    for name in ("text.ptx", "cut.fatbin", "cut.cubin", "x.bc"):
        equal(sandbox.cc("check", name, *OK).status, 4, name)


@behaviour
def inspect_shows_device_code_without_manifest_and_search_path():
    shown = sandbox.cc("inspect", "k.fatbin").out
    assert shown.startswith("k.fatbin: device code\n") and "sm_80, sm_90, PTX ISA 9.0 for compute_90" in shown, shown
    assert "manifest" not in shown and "search path" not in shown, shown


@behaviour
def inspect_tells_the_architecture_of_a_cubin():
    file, = json.loads(sandbox.cc("inspect", "sm_90a.cubin", "--format=json").out)["files"]
    equal((file["kind"], [image["arch"] for image in file["device"]]), ("device code", ["sm_90a"]))


@behaviour
def sarif_has_the_finding():
    sarif = json.loads(sandbox.cc("check", "k.ptx", *NEW, "--format=sarif").out)
    assert "CC3012" in [result["ruleId"] for result in sarif["runs"][0]["results"]], sarif


@behaviour
def files_of_device_code_are_found_in_a_folder_and_a_wheel():
    (sandbox.work / "folder").mkdir()
    with zipfile.ZipFile(sandbox.work / "k-1-py3-none-any.whl", "w") as wheel:
        for name in ("k.fatbin", "sm_80.cubin", "k.ptx", "k.cu"):
            (sandbox.work / "folder" / name).write_bytes((sandbox.work / name).read_bytes())
            wheel.write(sandbox.work / name, f"k/{name}")
    for name in ("folder", "k-1-py3-none-any.whl"):
        ended = sandbox.cc("check", name, *NEW, "--format=json")
        equal((ended.status, sorted((file["path"].rsplit("/", 1)[1], file["verdict"])
                                    for file in json.loads(ended.out)["files"])),
              (3, [("k.fatbin", "accept"), ("k.ptx", "reject"), ("sm_80.cubin", "accept")]), name)
