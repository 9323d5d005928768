# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""Imports that fail because of a symbol: `doctor` names the cause and predicts the loader's message, and its first
fix works (SY-3, SY-11, LS-1, KC-1). Real wheels, a new process for each."""
from behaviour import behaviour
from doctoring import Sick
from sandbox import equal, wheel

CREATE = "extern int __nvJitLinkCreate_{0}(void);\nint use(void) {{ return __nvJitLinkCreate_{0}(); }}\n"
SPARSE = "extern int cusparseGetVersion(void);\nint use(void) { return cusparseGetVersion(); }\n"
JIT, NEWER, OLDER = (f"nvidia-nvjitlink-cu12=={each}" for each in ("12.4.127", "12.5.82", "12.0.140"))
LIB = "nvidia/nvjitlink/lib"
newer = wheel(NEWER) / LIB / "libnvJitLink.so.12"


@behaviour
def an_older_nvjitlink_on_the_library_path_is_the_cause():
    """It is searched before cuSPARSE's RUNPATH."""
    sick = Sick("nvidia-cusparse-cu12==12.3.1.170", JIT)
    sick.extension(SPARSE, needs=[sick.lib("cusparse", "libcusparse.so.12")],
                   runpath="$ORIGIN/../nvidia/cusparse/lib")
    equal(sick.doctor()["verdict"], "accept", "alone")
    sick.library_path = wheel(OLDER) / LIB
    file = sick.doctor()
    equal((file["verdict"], sick.codes(file)), ("reject", ["CC4002"]), sick.text)
    assert "__nvJitLinkComplete_12_4, version libnvJitLink.so.12" in file["predicted"], file["predicted"]
    sick.predicts(file)
    sick.helps(file, "undo")
    kinds = [remedy["kind"] for remedy in file["remedies"]]
    sick.helps(file, "relink", kinds.index("relink"))


@behaviour
def an_extension_built_with_a_newer_nvjitlink_lacks_its_symbol():
    sick = Sick(JIT)
    sick.extension(CREATE.format("12_5"), needs=[newer], runpath=f"$ORIGIN/../{LIB}")
    file = sick.doctor()
    equal(sick.codes(file), ["CC4002"], sick.text)
    equal(file["predicted"], f"{sick.file}: undefined symbol: __nvJitLinkCreate_12_5, "
                             "version libnvJitLink.so.12")
    sick.predicts(file)
    (sick.work / "link").symlink_to(sick.prefix)
    linked = sick.doctor(sick.work / "link" / sick.file.relative_to(sick.prefix))
    equal(linked["remedies"][0]["kind"], "wheel", f"an environment behind a link: {sick.text}")
    remedy = sick.helps(file, "wheel")
    assert "nvidia-nvjitlink-cu12>=12.5,<13" in remedy["commands"][0], remedy


@behaviour
def rebuilt_with_a_toolkit_of_the_runtimes_line_it_loads():
    sick = Sick(JIT)
    sick.extension(CREATE.format("12_5"), needs=[newer], runpath=f"$ORIGIN/../{LIB}")
    sick.use("12.4")
    file = sick.doctor()
    kinds = [remedy["kind"] for remedy in file["remedies"]]
    remedy = file["remedies"][kinds.index("rebuild")]
    done = sick.run("sh", "-e", "-c", "\n".join([*remedy["commands"], "command -v nvcc; command -v g++"]),
                    PATH=f"{sick.bin}:{sick.path}")
    equal((done.status, [line.startswith(f"{sick.work}/cuda-12.4/bin/") for line in done.out.splitlines()[-2:]]),
          (0, [True, True]), done)
    sick.extension(CREATE.format("12_4"), needs=[sick.lib("nvjitlink", "libnvJitLink.so.12")],
                   runpath=f"$ORIGIN/../{LIB}")
    equal(sick.doctor()["verdict"], "accept", sick.text)


@behaviour
def the_first_fix_upgrades_torch_which_pins_nvjitlink():
    """To the release that has the symbol."""
    sick = Sick(JIT, torch="2.5.1+cu124")
    sick.extension(CREATE.format("12_5"), needs=[newer], runpath=f"$ORIGIN/../{LIB}")
    file = sick.doctor()
    sick.predicts(file)
    wheels = [remedy for remedy in file["remedies"] if remedy["kind"] == "wheel"]
    assert "torch 2.5.1" in wheels[0]["price"] and "12.4.127" in wheels[0]["price"], wheels
    remedy = sick.helps(file, "framework")
    assert remedy["commands"][0].endswith("install torch==2.7.0"), remedy


@behaviour
def a_copy_that_torch_loaded_serves_an_extension_with_its_own():
    sick = Sick(JIT, torch="2.5.1+cu124")
    sick.library("torch/lib/libtorch_global_deps.so", "", needs=[sick.lib("nvjitlink", "libnvJitLink.so.12")],
                 rpath=f"$ORIGIN/../../{LIB}")
    own = sick.site / "ext/lib/libnvJitLink.so.12"
    own.parent.mkdir()
    own.symlink_to(newer)
    sick.extension(CREATE.format("12_5"), needs=[newer], rpath="$ORIGIN/lib")
    equal(sick.doctor()["verdict"], "accept", "alone")
    sick.before = ["torch"]
    file = sick.doctor()
    equal(sick.codes(file), ["CC4002"], sick.text)
    sick.predicts(file)
    kinds = [remedy["kind"] for remedy in file["remedies"]]
    assert "order" in kinds, kinds
    sick.helps(file, "framework")


@behaviour
def a_symbol_whose_library_is_not_needed_and_not_loaded_is_missing():
    sick = Sick(JIT)
    sick.extension(CREATE.format("12_4"), runpath=f"$ORIGIN/../{LIB}")
    file = sick.doctor()
    equal(sick.codes(file), ["CC4021"], sick.text)
    sick.predicts(file)
    sick.helps(file, "relink")


@behaviour
def an_older_cublaslt_on_the_library_path_is_the_cause():
    """SY-18."""
    sick = Sick("nvidia-cublas-cu12==12.9.1.4")
    sick.extension("extern int cublasGetVersion_v2(void);\nint use(void) { return cublasGetVersion_v2(); }\n",
                   needs=[sick.lib("cublas", "libcublas.so.12")], rpath="$ORIGIN/../nvidia/cublas/lib")
    lt = sick.root / "lt"
    lt.mkdir()
    (lt / "libcublasLt.so.12").symlink_to(
        wheel("nvidia-cublas-cu12==12.4.5.8") / "nvidia/cublas/lib/libcublasLt.so.12")
    sick.library_path = lt
    file = sick.doctor()
    equal(sick.codes(file), ["CC4001"], sick.text)
    sick.predicts(file)
    sick.helps(file, "undo")


@behaviour
def torchs_interface_of_another_release_is_named_without_a_fix():
    sick = Sick(JIT)
    sick.extension("extern int _ZN3c105Error4whatEv(void);\nint use(void) { return _ZN3c105Error4whatEv(); }\n")
    file = sick.doctor()
    equal((sick.codes(file), file["remedies"]), (["CC4024"], []), sick.text)
    sick.predicts(file)
    assert "C++ interface" in sick.text, sick.text
