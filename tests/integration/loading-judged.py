# SPDX-License-Identifier: Apache-2.0
# REQUIRES: root
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""What decides whether a file loads at its users': parts that a library opens at its first call, names without versions
that torch's own libraries import, libraries of another CUDA major, what only this machine's loader cache has, and
libraries behind one that is missing. The loader says the same."""
import json
import shutil
import struct
from pathlib import Path

import installed
from behaviour import behaviour
from doctoring import Sick
from sandbox import PROGRAM, SYSTEM, equal

TABLES = Path(__file__).resolve().parents[2] / "driver/tables/data"
CUDNN = ("libcudnn.so.9", "libcudnn_ops.so.9", "libcudnn_graph.so.9", "libcudnn_cnn.so.9", "libcudnn_adv.so.9")
CUDART = "int cudaGetDeviceCount(int *n) { return 0; }\n"


def cudart(sick, major="12", folder="nvidia/cuda_runtime/lib", dist="nvidia_cuda_runtime_cu12", version="12.8.90"):
    sick.write("cudart.map", f"libcudart.so.{major} {{ global: *; }};\n")
    path = sick.library(f"{folder}/libcudart.so.{major}", CUDART, "-Wl,--version-script=cudart.map",
                        soname=f"libcudart.so.{major}")
    own(sick, dist, version, path)
    return path


def own(sick, dist, version, *paths):
    return installed.distribution(sick.site, dist, version,
                                  [(path.relative_to(sick.site), path.stat().st_size) for path in paths])


def judged(sick, path, *codes, loads=None):
    """`doctor` and `check` say the same, and the loader agrees."""
    file = sick.doctor(path)
    equal(sick.codes(file), list(codes), sick.text)
    real = sick.python(path)
    equal(real.status == 0, not codes if loads is None else loads, (real, sick.text))
    return file


@behaviour
def torchs_own_libraries_import_names_of_nccl_without_versions():
    for exported in ("ncclGroupSimulateEnd", "ncclCommInitRank"):
        sick = Sick()
        cudart(sick)
        installed.torch(sick.site, "2.8.0+cu128", "12.8")
        nccl = sick.library("nvidia/nccl/lib/libnccl.so.2", f"int {exported}(void *a) {{ return 0; }}\n",
                            soname="libnccl.so.2")
        own(sick, "nvidia_nccl_cu12", "2.27.3" if exported == "ncclGroupSimulateEnd" else "2.21.5", nccl)
        importer = "int ncclGroupSimulateEnd(void *); int works(void) { return !ncclGroupSimulateEnd(0); }\n"
        codes = [] if exported == "ncclGroupSimulateEnd" else ["CC4001"]
        for name in ("torch/lib/libtorch_cuda.so", "other/libother.so"):
            up = "../.." if name.startswith("torch") else ".."
            path = sick.library(name, importer, "-Wl,-z,now", needs=[nccl], rpath=f"$ORIGIN/{up}/nvidia/nccl/lib",
                                soname=name.rpartition("/")[2])
            judged(sick, path, *codes)


# cuDNN 9 opens its parts at the first call, under one of four names.
FRONT = r"""
#include <dlfcn.h>
#include <stddef.h>
static const char *const names[] = {"libcudnn_%s.so.9.1.0", "libcudnn_%s.so.9.1", "libcudnn_%s.so.9", "libcudnn_%s.so"};
int snprintf(char *, size_t, const char *, ...);
static int part(const char *name) {
  for (int i = 0; i < 4; ++i) {
    char file[64];
    snprintf(file, sizeof file, names[i], name);
    if (dlopen(file, RTLD_NOW)) return 1;
  }
  return 0;
}
int cudnnCreateTensorDescriptor(void **p) { return !(part("ops") && part("graph") && part("cnn") && part("adv")); }
"""
LOOKS_UP = FRONT.replace("return !(", """void *graph = dlopen("libcudnn_graph.so.9", RTLD_NOW);
  return !(graph && dlsym(graph, "cudnnGetLibConfig") && """).replace(r".so.9.1.0", ".so.9.10.2").replace(
      r'".so.9.1"', '".so.9.10"')
USER = """int cudnnCreateTensorDescriptor(void **);
int works(void) { void *p; return !cudnnCreateTensorDescriptor(&p); }
"""


@behaviour
def cudnn_opens_its_parts_under_one_of_four_names():
    for suffix in (None, ".9.1.0", ".9.1", ".9", ""):
        sick = Sick()
        cudart(sick, version="12.4.127")
        sick.write("cudnn.map", "libcudnn.so.9 { global: *; };\n")
        front = sick.library("nvidia/cudnn/lib/libcudnn.so.9", FRONT, "-Wl,--version-script=cudnn.map",
                             soname="libcudnn.so.9", runpath="$ORIGIN")
        grafted = sick.library("app.libs/libcudnn-0badf00d.so.9.1.0", FRONT, "-Wl,--version-script=cudnn.map",
                               soname="libcudnn-0badf00d.so.9.1.0", runpath="$ORIGIN")
        parts = []
        if suffix is not None:
            for part in ("ops", "graph", "cnn", "adv"):
                parts.append(sick.library(f"nvidia/cudnn/lib/libcudnn_{part}.so{suffix}", "int x;\n",
                                          soname=f"libcudnn_{part}.so.9"))
                shutil.copy(parts[-1], grafted.parent)
        own(sick, "nvidia_cudnn_cu12", "9.1.0.70", front, *parts)
        plain = sick.library("app/plain.so", USER, needs=[front], runpath="$ORIGIN/../nvidia/cudnn/lib")
        bundled = sick.library("app/bundled.so", USER, needs=[grafted], runpath="$ORIGIN/../app.libs")
        for path in (plain, bundled):
            codes = ["CC4022"] * 4 if suffix is None else []
            judged(sick, path, *codes)


@behaviour
def parts_of_an_older_cudnn_on_the_library_path_lack_names():
    for lacking, codes in (("", []), ("cudnnGetLibConfig", ["CC3005"])):
        sick = Sick()
        cudart(sick)
        sick.write("cudnn.map", "libcudnn.so.9 { global: *; };\n")
        front = sick.library("nvidia/cudnn/lib/libcudnn.so.9", LOOKS_UP, "-Wl,--version-script=cudnn.map",
                             soname="libcudnn.so.9", runpath="$ORIGIN")
        names = json.loads((TABLES / "symbols/cudnn_graph.json").read_text())
        index = next(place for place, row in enumerate(names["versions"])
                     if row["dist_version"] == "9.10.2.21" and row["cuda"] == "12")
        functions = sorted({name.partition("@")[0] for name, runs in names["symbols"].items()
                            if name.startswith("cudnn") and any(first <= index <= last for first, last in runs)})
        parts = [sick.library(f"nvidia/cudnn/lib/libcudnn_{part}.so.9",
                              "".join(f"int {name}(void) {{ return 0; }}\n" for name in functions),
                              soname=f"libcudnn_{part}.so.9") for part in ("ops", "graph", "cnn", "adv")]
        own(sick, "nvidia_cudnn_cu12", "9.10.2.21", front, *parts)
        older = sick.library(sick.work / "older/libcudnn_graph.so.9",
                             "".join(f"int {name}(void) {{ return 0; }}\n" for name in functions if name != lacking),
                             soname="libcudnn_graph.so.9")
        sick.library_path = str(older.parent)
        path = sick.library("app/plain.so", USER, needs=[front], runpath="$ORIGIN/../nvidia/cudnn/lib")
        judged(sick, path, *codes)


@behaviour
def a_framework_checks_the_version_of_cudnn_itself():
    for version, codes in (("9.10.2.21", []), ("9.8.0.87", []), ("9.7.1.26", ["CC3005"])):
        sick = Sick()
        cudart(sick, version="12.8.90")
        installed.torch(sick.site, "2.8.0+cu128", "12.8")
        parts = [sick.library(f"nvidia/cudnn/lib/{name}", "int x;\n", soname=name, runpath="$ORIGIN") for name in CUDNN]
        own(sick, "nvidia_cudnn_cu12", version, *parts)
        path = sick.library("torch/lib/libtorch_cuda.so", "int works(void) { return 1; }\n", needs=[parts[0]],
                            soname="libtorch_cuda.so", rpath="$ORIGIN/../../nvidia/cudnn/lib")
        judged(sick, path, *codes, loads=True)


@behaviour
def jaxs_plugin_does_not_start_without_its_libraries():
    for absent, cudnn, codes in ((None, "9.10.2.21", []), ("libcusparse.so.12", "9.10.2.21", ["CC4022"]),
                                 (None, "9.7.1.26", ["CC3005"])):
        sick = Sick()
        for folder, names, version in (("cuda_runtime", ["libcudart.so.12"], "12.9.79"),
                                       ("cudnn", CUDNN, cudnn),
                                       ("cufft", ["libcufft.so.11"], "11.4.1.4"),
                                       ("cuda_cupti", ["libcupti.so.12"], "12.9.79"),
                                       ("cublas", ["libcublas.so.12"], "12.9.1.4"),
                                       ("cusparse", ["libcusparse.so.12"], "12.5.10.65")):
            if absent not in names:
                own(sick, f"nvidia_{folder}_cu12", version,
                    *(sick.library(f"nvidia/{folder}/lib/{name}", "int x;\n", soname=name, runpath="$ORIGIN")
                      for name in names))
        path = sick.library("jax_cuda12_plugin/_versions.so", "int works(void) { return 1; }\n")
        installed.published(own(sick, "jax_cuda12_plugin", "0.10.2", path))
        judged(sick, path, *codes, loads=True)
        assert not absent or "Unable to load cuSPARSE" in sick.text, sick.text


@behaviour
def what_import_torch_opens_first_is_there_for_the_file():
    """libnvrtc since 2.6."""
    for release, codes in (("2.8.0", []), ("2.5.1", ["CC4003"])):
        sick = Sick()
        runtime = cudart(sick)
        installed.torch(sick.site, f"{release}+cu128", "12.8")
        nvrtc = sick.library("nvidia/cuda_nvrtc/lib/libnvrtc.so.12", "int nvrtcVersion(int *a, int *b) { return 0; }\n",
                             soname="libnvrtc.so.12", runpath="$ORIGIN")
        builtins = sick.library("nvidia/cuda_nvrtc/lib/libnvrtc-builtins.so.12.8", "int x;\n",
                                soname="libnvrtc-builtins.so.12.8")
        own(sick, "nvidia_cuda_nvrtc_cu12", "12.8.93", nvrtc, builtins)
        deps = sick.library("torch/lib/libtorch_global_deps.so", "int x;\n", needs=[runtime],
                            rpath="$ORIGIN/../../nvidia/cuda_runtime/lib")
        python = sick.library("torch/lib/libtorch_python.so", "int y;\n", needs=[deps], rpath="$ORIGIN")
        shutil.rmtree(next(sick.site.glob("torch-*.dist-info")))
        own(sick, "torch", release, deps, python)
        sick.extension("int nvrtcVersion(int *, int *); int works(void) { int a, b; return !nvrtcVersion(&a, &b); }\n",
                       needs=[nvrtc])
        sick.before = ["torch"]
        equal(sick.codes(sick.doctor()), codes, sick.text)
        preloaded = [nvrtc] if not codes else []
        equal(sick.python(f"={deps}", *preloaded, python, sick.file).status == 0, not codes, "the loader")


@behaviour
def a_library_whose_dynamic_section_is_zeroed_is_damaged_and_lacks_nothing():
    sick = Sick()
    library = cudart(sick)
    sick.extension("int cudaGetDeviceCount(int *); int works(void) { int n; return !cudaGetDeviceCount(&n); }\n",
                   needs=[library], runpath="$ORIGIN/../nvidia/cuda_runtime/lib")
    judged(sick, sick.file)
    content = bytearray(library.read_bytes())
    headers, = struct.unpack_from("<Q", content, 32)
    [section] = [header for header in range(headers, headers + 56 * content[56], 56)
                 if struct.unpack_from("<I", content, header) == (2,)]
    offset, = struct.unpack_from("<Q", content, section + 8)
    size, = struct.unpack_from("<Q", content, section + 32)
    content[offset:offset + size] = bytes(size)
    library.write_bytes(content)
    judged(sick, sick.file, "CC4123")
    assert "lacks" not in sick.text and "its dynamic section names no symbols" in sick.text, sick.text


@behaviour
def a_library_of_cuda_13_loads_its_own_beside_cuda_12():
    sick = Sick()
    cudart(sick)
    light = sick.library("nvidia/cu13/lib/libcublasLt.so.13", "int light(void) { return 1; }\n",
                         soname="libcublasLt.so.13")
    heavy = sick.library("nvidia/cu13/lib/libcublas.so.13", "int light(void); int works(void) { return light(); }\n",
                         needs=[light], soname="libcublas.so.13", runpath="$ORIGIN")
    own(sick, "nvidia_cublas", "13.0.2.14", light, heavy)
    installed.torch(sick.site, "2.6.0+cu124", "12.4")
    ended = sick.run(PROGRAM, "check", "--format=json", f"--runtime=env:{sick.prefix}", heavy)
    assert "of another CUDA major" not in ended.out, ended
    equal(sick.python(heavy).status, 0, "it loads")


@behaviour
def a_name_of_a_sibling_is_there_if_another_one_needs_both():
    """A library imports it without a NEEDED entry. The package opens the other sibling first."""
    for needs, codes in ((True, []), (False, ["CC4024"])):
        sick = Sick()
        cudart(sick)
        config = sick.library("fb/config.so", "int is_enabled(void) { return 1; }\n", soname="config.so")
        common = sick.library("fb/common.so", "int is_enabled(void); int works(void) { return is_enabled(); }\n",
                              "-Wl,-z,now", soname="common.so")
        forward = sick.library("fb/forward.so", "int forward(void) { return 1; }\n",
                               needs=[common, config] if needs else [common], runpath="$ORIGIN")
        own(sick, "fb", "1.1.0", config, common, forward)
        judged(sick, common, *codes, loads=False)
        equal(sick.python(forward, common).status == 0, needs, "as the package opens them")


OWN_CACHE = "ldconfig -f ld.so.conf -C cache 2> /dev/null && mount --bind cache /etc/ld.so.cache && exec \"$@\""


def with_cache(sick, *words):
    return sick.run("unshare", "-m", "sh", "-c", OWN_CACHE, "sh", *words, PATH=f"{SYSTEM}:/sbin:/usr/sbin")


def counting():
    """An extension that NEEDs the environment's libcudart and has no search path."""
    sick = Sick()
    library = cudart(sick)
    sick.extension("int cudaGetDeviceCount(int *); int works(void) { int n; return !cudaGetDeviceCount(&n); }\n",
                   needs=[library])
    return sick, library


@behaviour
def what_only_the_loader_cache_of_this_machine_has_is_no_part_of_an_environment():
    sick, library = counting()
    elsewhere = sick.work / "system"
    shutil.copytree(library.parent, elsewhere)
    sick.write("ld.so.conf", f"{elsewhere}\n")
    opens = "import ctypes, sys; ctypes.CDLL(sys.argv[1])"
    real = with_cache(sick, f"{sick.prefix}/bin/python", "-c", opens, sick.file)
    equal(real.status, 0, real)
    for command in (("check", f"--runtime=env:{sick.prefix}"), ("doctor", "--env", sick.prefix)):
        ended = with_cache(sick, PROGRAM, *command, sick.file)
        equal((ended.status, "[CC4003]" in ended.out, f"{elsewhere}/libcudart.so.12" in "".join(ended.out.split())),
              (3, True, True), ended)
        ended = with_cache(sick, PROGRAM, *command, "--as-here", sick.file)
        equal(ended.status, 0, ended)


@behaviour
def the_declaration_of_an_environment_without_cuda_is_an_error():
    """Nothing there has what the file needs."""
    sick, _ = counting()
    shutil.rmtree(sick.site / "nvidia")
    for info in sick.site.glob("nvidia*"):
        shutil.rmtree(info)
    ended = sick.run(PROGRAM, "check", f"--runtime=env:{sick.prefix}", sick.file)
    equal((ended.status, "[CC2007]" in ended.out + ended.err), (3, True), ended)


SOURCE = """int mine(void); int cudaGetDeviceCount(int *);
int works(void) { int n; return mine() + cudaGetDeviceCount(&n); }
"""


@behaviour
def a_missing_library_of_the_package_hides_those_behind_it():
    sick = Sick()
    library = cudart(sick, "13", "nvidia/cu13/lib", "nvidia_cuda_runtime", "13.0.96")
    mine = sick.library("pk.libs/libmine.so", "int mine(void) { return 1; }\n", soname="libmine.so")
    for rpath, expected in ((None, ["libmine.so", "libcudart.so.13"]), ("$ORIGIN/../pk.libs", ["libcudart.so.13"]),
                            ("$ORIGIN/../nvidia/cu13/lib", ["libmine.so"]),
                            ("$ORIGIN/../pk.libs:$ORIGIN/../nvidia/cu13/lib", [])):
        path = sick.library("pk/ext.so", SOURCE, needs=[mine, library], rpath=rpath)
        made = sick.work / "pk-1.0-cp311-cp311-linux_x86_64.whl"
        shutil.rmtree(sick.work / "tree", ignore_errors=True)
        for folder in ("pk", "pk.libs"):
            shutil.copytree(sick.site / folder, sick.work / "tree" / folder)
        info = sick.work / "tree/pk-1.0.dist-info"
        info.mkdir()
        (info / "WHEEL").write_text("Wheel-Version: 1.0\nRoot-Is-Purelib: false\nTag: cp311-cp311-linux_x86_64\n")
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: pk\nVersion: 1.0\n")
        (info / "RECORD").write_text("")
        made = shutil.make_archive(str(sick.work / "pk-1.0-cp311-cp311-linux_x86_64"), "zip", sick.work / "tree")
        made = shutil.move(made, made.removesuffix(".zip") + ".whl")
        ended = sick.run(PROGRAM, "check", "--format=json", "--runtime=cuda==13.0", made)
        file = next(each for each in json.loads(ended.out)["files"] if each["path"].endswith("ext.so"))
        missing = [each["library"] for each in file["findings"] if each["code"] == "CC4003"]
        equal((file["verdict"], missing), ("reject" if expected else "accept", expected), ended)
        equal(sick.python(path).status == 0, not expected, "the loader")
    sick.clean()
