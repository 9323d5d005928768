# SPDX-License-Identifier: Apache-2.0
"""worlds.py [--program FILE] [--folder FOLDER] [--results FOLDER] [--page] [NAME...]

Tries old and new compilers, linkers, build systems and Pythons, each in the root of the Debian release that has it
(worlds.json), with nvcc 13.5 for cuda==13.5: what is compiled without a declaration is the compiler's own; what is
linked has its manifest and search path, and `check` accepts it; CMake and Meson configure and build in a toolchain
directory; each Python imports a module from its environment; on random small worlds (loader-random.py) its glibc loads
what is simulated. Where nvcc refuses a compiler, cuda-cc ends alike.

Prints a line for each and writes a file for each root into the results; --page writes the table of
docs/compatibility.md from them. Exit status 1 if one fails. The roots are made by apt's private lists of the machine's
mirror and removed again, 3 GB at a time. Needs bubblewrap.
"""

import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
os.environ.setdefault("CUDACC_TEST_SUPPORT", str(ROOT / "tests/support"))
os.environ.setdefault("CUDACC_TEST_PROGRAM", str(ROOT / "build/bin/cuda-cc"))
sys.path.insert(0, str(ROOT / "tests/integration"))
import note
import tables
from sandbox import toolkits, wheels

LIST = HERE / "worlds.json"
PAGE = ROOT / "docs/compatibility.md"
LINK = ("-shared", "-fPIC", "x.cpp", "-I/opt/cuda/include", "-L/opt/cuda/lib", "-lcudart")
KINDS = ("Userland", "glibc", "GCC", "Clang", "binutils", "gold", "lld", "mold", "CMake", "Meson", "Python")
LINKERS = {"bfd": "binutils", "gold": "gold", "lld": "lld", "mold": "mold"}
FOLDER = "/nvidia/cu13/lib"
LIMIT = 7200
# What a package may bring to be used from scratch: programs and links that installation scripts would make.
SHELL = ["bash", "coreutils", "dash", "sed", "grep", "findutils", "libc-bin", "base-files"]
BOTH = """#include <cuda_runtime.h>
extern "C" int devices() { int n = 0; return cudaGetDeviceCount(&n) + n; }
"""
KERNEL = """__global__ void k() {}
extern "C" int run() { k<<<1, 1>>>(); return (int)cudaGetLastError(); }
"""
FILES = {
    "k.cu": KERNEL,
    "x.cpp": BOTH,
    "p/k.cu": KERNEL,
    "p/x.cpp": BOTH,
    "p/CMakeLists.txt": """cmake_minimum_required(VERSION 3.18)
project(p LANGUAGES CXX CUDA)
find_package(CUDAToolkit REQUIRED)
set(CMAKE_CUDA_RUNTIME_LIBRARY Shared)
add_library(k SHARED k.cu)
add_library(x SHARED x.cpp)
target_link_libraries(x PRIVATE CUDA::cudart)
""",
    "p/meson.build": """project('p', 'cpp', 'cuda')
shared_library('k', 'k.cu', link_args: ['-cudart', 'shared'])
shared_library('x', 'x.cpp', dependencies: dependency('cuda', modules: ['cudart']))
""",
    "m.c": """#include <Python.h>
#include <cuda_runtime.h>
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "m", "", -1};
PyMODINIT_FUNC PyInit_m(void) {
  int n = 0;
  (void)cudaGetDeviceCount(&n);
  PyObject *module = PyModule_Create(&definition);
#ifdef Py_GIL_DISABLED
  PyUnstable_Module_SetGIL(module, Py_MOD_GIL_NOT_USED);
#endif
  return module;
}
"""}


class Wrong(Exception):
    """Something is not as it has to be."""


def say(text):
    print(f"worlds: {text}", file=sys.stderr, flush=True)


def complain(condition, text):
    if not condition:
        raise Wrong(str(text))


class Release:
    """The root of a Debian release, in which commands run."""

    def __init__(self, row, options):
        self.row, self.runtime = row, json.loads(LIST.read_text())["runtime"]
        self.program = options.program.resolve()
        self.root, self.state = options.folder / "root", options.folder / "apt"
        self.work = self.root / "work"
        self.toolkit = toolkits.get(self.runtime.removeprefix("cuda=="))
        self.runtime_wheel = wheels.get("nvidia-cuda-runtime==13.5.37")
        self.kinds, self.scenarios, self.results = options.kinds, options.scenarios, []

    def make(self):
        """Unpacks the packages and all that they depend on; no script of theirs runs."""
        for folder in (self.root, self.state):
            shutil.rmtree(folder, ignore_errors=True)
        apt = toolkits.private_apt(self.row["suite"], "main", self.state)
        done = apt("apt-get", "update", "--error-on=any")
        complain(done.returncode == 0, f"apt-get update: {done.stdout[-300:]}")
        names = [*self.row["packages"], *(f"g++-{each}" for each in self.row.get("gcc", [])),
                 *(f"clang-{each}" for each in self.row.get("clang", []))]
        lines = apt("apt-cache", "madison", *names).stdout.splitlines()
        present = sorted({line.split("|")[0].strip() for line in lines} & set(names))
        self.missing = sorted(set(names) - set(present))
        done = apt("apt-get", "install", "-y", "--download-only", "--no-install-recommends", *SHELL, *present)
        complain(done.returncode == 0, f"apt-get install: {done.stdout[-600:]}")
        self.root.mkdir()
        for name in ("bin", "lib", "lib64", "sbin"):
            (self.root / "usr" / name).mkdir(parents=True)
            (self.root / name).symlink_to(f"usr/{name}")
        for file in sorted((self.state / "cache/archives").glob("*.deb")):
            subprocess.run(["dpkg-deb", "-x", file, self.root], check=True)
            file.unlink()
        for name in ("opt/cuda", "opt/cuda-cc", "opt/wheels", "work", "tmp"):
            (self.root / name).mkdir(parents=True, exist_ok=True)
        (self.root / "etc/ld.so.cache").touch()
        if not (self.root / "usr/bin/sh").exists():
            (self.root / "usr/bin/sh").symlink_to("dash")
        self.fresh()

    def fresh(self):
        shutil.rmtree(self.work, ignore_errors=True)
        for name, text in FILES.items():
            (self.work / name).parent.mkdir(parents=True, exist_ok=True)
            (self.work / name).write_text(text)

    def run(self, *words, cwd="/work", binds=(), declared=True, **environment):
        """A command in the root."""
        path = "/opt/cuda-cc:/opt/cuda/bin:/usr/bin:/bin"
        variables = {"PATH": path, "HOME": "/work", "TMPDIR": "/tmp", "LC_ALL": "C.UTF-8", "CUDAARCHS": "80",
                     **({"CUDA_CC_RUNTIME": self.runtime} if declared else {}), **environment}
        options = ["--bind", self.root, "/", "--dev", "/dev", "--proc", "/proc", "--ro-bind", self.toolkit, "/opt/cuda",
                   "--ro-bind", self.program.parent, "/opt/cuda-cc", "--cap-add", "CAP_SYS_ADMIN", "--clearenv",
                   "--chdir", cwd]
        for source, target in binds:
            options += ["--ro-bind", source, target]
        for name, value in variables.items():
            options += ["--setenv", name, value]
        return subprocess.run([str(word) for word in ("bwrap", *options, *words)], stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, errors="replace", timeout=LIMIT)

    def good(self, *words, **more):
        done = self.run(*words, **more)
        complain(done.returncode == 0, f"{' '.join(map(str, words[:6]))} ends with {done.returncode}: "
                 f"{(done.stderr + done.stdout).strip()[-2000:]}")
        return done.stdout

    def cc(self, *words, **more):
        return self.good("cuda-cc", *words, **more)

    def version(self, *words):
        """The first number that a program prints about itself."""
        text = self.good(*words, "--version")
        return re.search(r"\d+\.\d[\w.]*", re.sub(r"\([^)]*\)", "", text.replace("-", " ")))[0].rstrip(".")

    def sealed(self, name):
        """A linked file has its manifest and search path, and `check` accepts it."""
        path = self.work / name
        complain(note.manifest(path), f"{name} has no manifest")
        rpath = note.elf(path).rpath
        complain(any(each.endswith(FOLDER) for each in rpath), f"{name} has the search path {rpath}")
        self.cc("check", name)

    def tried(self, kind, what, trial, *arguments):
        """Records what a trial says; `what` is a version, or the program that prints it."""
        if kind not in self.kinds:
            return
        row = {"kind": kind, "what": str(what), "release": self.row["name"], "said": "", "wrong": ""}
        try:
            row["what"] = what if isinstance(what, str) else self.version(*what)
            row["said"] = trial(*arguments) or ""
        except (Wrong, wheels.WheelError, OSError, ValueError, subprocess.SubprocessError, AssertionError) as error:
            row["wrong"] = str(error)
        self.results.append(row)
        say(f"{row['release']}: {kind} {row['what']}: {row['wrong'] or row['said'] or 'right'}")


def userland(release):
    """The program itself: started, `check`, and compiles without a declaration."""
    complain(release.cc("version").startswith("cuda-cc "), "version")
    complain(release.cc("--version", declared=False).strip(), "--version")
    release.good("g++", "-O2", "-c", "x.cpp", "-I/opt/cuda/include", "-o", "plain.o", declared=False)
    release.cc("g++", "-O2", "-c", "x.cpp", "-I/opt/cuda/include", "-o", "own.o", declared=False)
    complain((release.work / "plain.o").read_bytes() == (release.work / "own.o").read_bytes(), "objects differ")
    release.good("g++", *LINK, "-o", "plain.so", declared=False)
    release.cc("g++", *LINK, "-o", "own.so")
    release.sealed("own.so")
    for words in (["plain.so"], ["own.so", "--runtime", "cuda==12.4"]):
        refused = release.run("cuda-cc", "check", *words)
        complain(refused.returncode == 3, f"check {words} ends with {refused.returncode}")
    refused = release.run("cuda-cc", "-arch=sm_80", "-c", "k.cu", "-o", "refused.o", CUDA_CC_RUNTIME="cuda==12.4")
    complain(refused.returncode == 3 and not (release.work / "refused.o").exists(), refused.stderr)


def loader(release):
    """The simulated loader against that of the release, on random worlds."""
    build = release.program.parents[1]
    seed = {name: os.environ[name] for name in ("CUDACC_TEST_SEED",) if name in os.environ}
    text = release.good("python3", "-B", "/opt/tests/integration/loader-random.py", CUDACC_TEST_BUILD="/opt/build",
                        CUDACC_TEST_LINES=str(release.scenarios), CUDACC_TEST_SUPPORT="/opt/tests/support",
                        CUDACC_TEST_PROGRAM="/opt/cuda-cc/cuda-cc", **seed,
                        binds=[(ROOT / "tests", "/opt/tests"), (build / "tests/bin", "/opt/build/tests/bin")])
    say(text.splitlines()[0])
    complain(" with a cache, 0 differ" in text, text[-2000:])


def compiler(release, name):
    """A host compiler: called by nvcc and by itself."""
    options = ["-ccbin", name, "-arch=sm_80", "-Xcompiler", "-fPIC", "-c", "k.cu"]
    own = release.run("cuda-cc", *options, "-o", "k.o")
    if own.returncode:
        plain = release.run("/opt/cuda/bin/nvcc", *options, "-o", "plain.o", declared=False)
        complain(own.returncode == plain.returncode,
                 f"nvcc ends with {plain.returncode}, cuda-cc with {own.returncode}: {own.stderr[-400:]}")
        return "refused by nvcc" if "unsupported" in plain.stderr else f"not with nvcc: {last_error(plain.stderr)}"
    release.cc("-ccbin", name, "-cudart", "shared", "-shared", "k.o", "-o", "k.so")
    release.sealed("k.so")
    return ""


def last_error(text):
    found = [line for line in text.splitlines() if "error" in line]
    return (found or text.splitlines() or ["?"])[0][:100]


def linker(release, name):
    flags = [] if name == "bfd" else [f"-fuse-ld={name}"]
    release.good("g++", *flags, *LINK, "-o", f"plain-{name}.so", declared=False)
    release.cc("g++", *flags, *LINK, "-o", f"x-{name}.so")
    release.sealed(f"x-{name}.so")
    if not (release.work / "linked.o").exists():
        release.cc("-arch=sm_80", "-Xcompiler", "-fPIC", "-c", "k.cu", "-o", "linked.o")
    passed = [word for flag in flags for word in ("-Xcompiler", flag)]
    release.cc(*passed, "-shared", "-cudart", "shared", "linked.o", "-o", f"k-{name}.so")
    release.sealed(f"k-{name}.so")


def toolchain(release):
    if not (release.work / "td").exists():
        release.cc("toolchain", "/work/td", "--runtime", release.runtime, "--toolkit", "/opt/cuda", declared=False)


def cmake(release, program, binds=()):
    toolchain(release)
    folder = "built-by-cmake"
    shutil.rmtree(release.work / folder, ignore_errors=True)
    words = [program, "-S", "p", "-B", folder, "-G", "Ninja", "-DCMAKE_TOOLCHAIN_FILE=/work/td/toolchain.cmake"]
    if "toolchain.cmake needs 3.21" in release.run(*words, binds=binds, declared=False).stderr:
        return "refused"
    release.good(*words, binds=binds, declared=False)
    release.good(program, "--build", folder, binds=binds, declared=False)
    for name in ("libk.so", "libx.so"):
        release.sealed(f"{folder}/{name}")
    return ""


def meson(release, words, binds=()):
    toolchain(release)
    folder = "built-by-meson"
    shutil.rmtree(release.work / folder, ignore_errors=True)
    release.good(*words, "setup", f"/work/{folder}", "/work/p", "--native-file", "/work/td/native.ini", binds=binds,
                 declared=False, CUDA_PATH="/work/td", PATH="/work/td/bin:/usr/bin:/bin")
    release.good("ninja", "-C", folder, binds=binds, declared=False)
    for name in ("libk.so", "libx.so"):
        release.sealed(f"{folder}/{name}")


def of_wheel(trial, requirement, release, program):
    """The same with a program of the package index."""
    return trial(release, program, [(wheels.get(requirement), "/opt/wheels")])


def python(release, program, binds=()):
    """An environment of this Python with NVIDIA's runtime; a module in it."""
    shutil.rmtree(release.work / "venv", ignore_errors=True)
    release.good(program, "-m", "venv", "--without-pip", "/work/venv", binds=binds, declared=False)
    [site] = (release.work / "venv/lib").glob("python3*/site-packages")
    for entry in release.runtime_wheel.iterdir():
        (site / entry.name).symlink_to(f"/opt/wheels/runtime/{entry.name}")
    # What bubblewrap mounts it creates.
    binds = [*binds, (release.runtime_wheel, "/opt/wheels/runtime")]
    inside = {"CUDA_CC_RUNTIME": "env:/work/venv", "binds": binds}
    text = release.cc("target", **inside)
    complain("13.5" in text and "libcudart" in text, f"target prints {text[:300]}")
    includes = release.good("venv/bin/python", "-c", "import sysconfig; print(sysconfig.get_path('include'),"
                          "sysconfig.get_config_var('EXT_SUFFIX'))", binds=binds).split()
    module = f"m{includes[1]}"
    release.cc("gcc", "-shared", "-fPIC", "m.c", f"-I{includes[0]}", "-I/opt/cuda/include", "-L/opt/cuda/lib",
             "-lcudart", "-o", module, **inside)
    path = release.work / module
    complain(note.manifest(path), f"{module} has no manifest")
    shutil.move(path, site / module)
    inner = f"/{(site / module).relative_to(release.root)}"
    release.cc("check", inner, **inside)
    said = release.cc("doctor", "m", "--env", "/work/venv", binds=binds)
    complain("loads" in said or "accept" in said, f"doctor: {said[-300:]}")
    release.good("/work/venv/bin/python", "-c", "import m", cwd="/", binds=binds)


def machine_python(version):
    """A Python of the machine, and the folder that it needs."""
    root = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    found = sorted(root.glob(f"versions/{version}.*/bin/python{version}"))
    return (found[-1], found[-1].parents[1]) if found else None


def examine(release):
    row = release.row
    release.tried("Userland", row["name"], userland, release)
    release.tried("glibc", ["ldd"], loader, release)
    for name in row["linkers"]:
        release.tried(LINKERS[name], ["mold" if name == "mold" else f"ld.{name}"], linker, release, name)
    for kind, program, package in (("GCC", "g++", "g++"), ("Clang", "clang++", "clang")):
        for each in row.get(kind.lower(), []):
            if f"{package}-{each}" not in release.missing:
                release.tried(kind, [f"{program}-{each}"], compiler, release, f"{program}-{each}")
    release.tried("CMake", ["cmake"], cmake, release, "cmake")
    for each in row.get("cmake", []):
        release.tried("CMake", each, of_wheel, cmake, f"cmake=={each}", release, "/opt/wheels/cmake/data/bin/cmake")
    if "meson" in row["packages"]:
        release.tried("Meson", ["meson"], meson, release, ["meson"])
    for each in row.get("meson", []):
        words = ["env", "PYTHONPATH=/opt/wheels", "python3", "-B", "-m", "mesonbuild.mesonmain"]
        release.tried("Meson", each, of_wheel, meson, f"meson=={each}", release, words)
    for each in row.get("python", []):
        if not (release.root / f"usr/bin/python{each}").exists():
            say(f"{row['name']} has no Python {each}")
            continue
        release.tried("Python", each, python, release, f"python{each}")
    for each in row.get("machine_python", []):
        found = machine_python(each)
        if found:
            release.tried("Python", each, python, release, found[0], [(found[1], found[1])])


def order(text):
    return [int(part) for part in re.findall(r"\d+", text)]


def write_page(results, rows):
    files = [results / f"{row['suite']}.json" for row in rows]
    found = [each for file in files if file.exists() for each in json.loads(file.read_text())]
    wrong = [f"{each['kind']} {each['what']}: {each['wrong']}" for each in found if each["wrong"]]
    complain(not wrong, f"the page is not written: {wrong}")
    lines = ["| | tried |", "| --- | --- |"]
    for kind in KINDS:
        mine = {each["what"]: each["said"] for each in found if each["kind"] == kind}
        if not mine:
            say(f"{kind} is not in the table: no result")
            continue
        texts = [f"{what} ({mine[what]})" if mine[what] else what for what in sorted(mine, key=lambda what: (
            order(what), what))]
        lines.append(f"| {kind} | {', '.join(texts)} |")
    tables.replace(PAGE, "## What it was tried with", lines)


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="suites; without one all")
    parser.add_argument("--program", default=ROOT / "build/bin/cuda-cc", type=Path)
    parser.add_argument("--folder", default=wheels.cache_root() / "worlds", type=Path, help="where it works")
    parser.add_argument("--results", default=ROOT / "build/worlds", type=Path, help="a folder for SUITE.json")
    parser.add_argument("--page", action="store_true", help="write the table of docs/compatibility.md")
    parser.add_argument("--kinds", nargs="+", default=KINDS, metavar="KIND", help="these rows of the table alone")
    parser.add_argument("--scenarios", default=20000, type=int, metavar="N", help="random worlds for each glibc")
    parser.add_argument("--keep", action="store_true", help="keep the root, and use one that is there")
    options = parser.parse_args(arguments)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    rows = json.loads(LIST.read_text())["worlds"]
    failed = 0
    options.results.mkdir(parents=True, exist_ok=True)
    for row in rows:
        if options.names and row["suite"] not in options.names:
            continue
        own = argparse.Namespace(**{**vars(options), "folder": options.folder / row["suite"]})
        own.folder.mkdir(parents=True, exist_ok=True)
        release = Release(row, own)
        try:
            if options.keep and release.root.exists():
                release.missing = []
                release.fresh()
            else:
                release.make()
            examine(release)
        except (Wrong, toolkits.Skipped, wheels.WheelError, OSError, subprocess.SubprocessError) as error:
            say(f"{row['name']}: {error}")
            failed += 1
        finally:
            if not options.keep:
                shutil.rmtree(own.folder, ignore_errors=True)
        failed += sum(bool(each["wrong"]) for each in release.results)
        file = options.results / f"{row['suite']}.json"
        others = [each for each in (json.loads(file.read_text()) if file.exists() else [])
                  if each["kind"] not in options.kinds]
        file.write_text(json.dumps(others + release.results, indent=1) + "\n")
    if options.page:
        try:
            write_page(options.results, rows)
        except (Wrong, OSError) as error:
            say(str(error))
            failed += 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
