# SPDX-License-Identifier: Apache-2.0
"""projects.py [--program FILE] [--folder FOLDER] [--results FOLDER] [--page] [--candidate] [NAME...]

Builds projects of others, the sdists of projects.json, with nvcc 13.0 and torch 2.11.0, and each of them five times:

    plain       without cuda-cc; a project whose plain build fails is no project of this list
    undeclared  by cuda-cc without a runtime: the same objects and libraries
    declared    for torch 2.11.0 in a toolchain directory: `check` accepts the wheel, every linked file has its
                manifest and a search path to the libraries that it needs, and loads where the plain one does
    older       for torch 2.5.1: refused at the first compile, no object and no library is left
    ninja       as `declared`, with `backend = "ninja"`: the same objects

Prints a line for each build and writes a file for each project into the results; --page writes the table of
docs/projects.md from them. Exit status 1 if one differs. Needs gcc and disk space of 10 GB; no GPU.
"""

import argparse
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import time
import urllib.parse
import urllib.request
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
os.environ.setdefault("CUDACC_TEST_SUPPORT", str(ROOT / "tests/support"))
os.environ.setdefault("CUDACC_TEST_PROGRAM", str(ROOT / "build/bin/cuda-cc"))
for folder in ("tests/integration", "driver/tables/update"):
    sys.path.insert(0, str(ROOT / folder))
import installed
import namespaces
import note
import tables
import torch_names
from ninja_builds import comparable, stable
from python_project import BUILDERS, NVIDIA, TORCH_NEEDS, activated
from sandbox import SYSTEM, wheels

LIST = HERE / "projects.json"
PAGE = ROOT / "docs/projects.md"
RUNTIME, OLDER = "torch==2.11.0", "torch==2.5.1"
COMMON = ("numpy==2.2.6", "pybind11==3.0.1", "scikit-build-core==0.11.6", "pathspec==0.12.1")
MODES = ("plain", "undeclared", "declared", "older", "ninja")
COMPILERS = ("nvcc", "gcc", "g++", "cc", "c++")
LIMIT = 3000
# Parts that a toolkit does not have.
LARGE = re.compile("nvidia-(cudnn|nccl|cusparselt|nvshmem|cufile)")
# What a project brings into its search path is its own; these folders are the runtime's.
FOLDERS = {"torch/lib": r"lib(torch|c10)", "nvidia/cu13/lib": r"lib(cudart|cublas|cusolver|cusparse|curand|cufft|nv)"}
DRIVER = "libcuda.so.1"
# What links may differ in: the number that ld makes of all other bytes.
BUILD_ID = ".note.gnu.build-id"
LOADS = """import ctypes, sys
if sys.argv[1] == "torch":
    import torch
for path in sys.argv[2:]:
    try:
        ctypes.CDLL(path, 2)
        print("loads")
    except OSError as error:
        print(error)
"""


class Wrong(Exception):
    """A build is not as it has to be."""


def say(text):
    print(f"projects: {text}", file=sys.stderr, flush=True)


def sdist(row, folder):
    """The file of a row, from the index that pip uses, compared with its hash."""
    file = folder / row["file"]
    if file.exists() and wheels.sha256(file) == row["sha256"]:
        return file
    page = f"{torch_names.default_index().rstrip('/')}/{wheels.name_of(row['name'])}/"
    request = urllib.request.Request(page, headers={"Accept": torch_names.FORMAT})
    with urllib.request.urlopen(request, timeout=60) as answer:
        entries = {entry["filename"]: entry["url"] for entry in json.load(answer)["files"]}
    if row["file"] not in entries:
        raise Wrong(f"the index has no {row['file']}")
    folder.mkdir(parents=True, exist_ok=True)
    with urllib.request.urlopen(urllib.parse.urljoin(page, entries[row["file"]]), timeout=120) as answer:
        file.write_bytes(answer.read())
    if wheels.sha256(file) != row["sha256"]:
        raise Wrong(f"{row['file']} is another file than that of projects.json")
    return file


def linked(path):
    """The bytes of a linked file without what two links of the same objects differ in."""
    with tempfile.TemporaryDirectory() as folder:
        words = ["objcopy", "-D", "--strip-all", f"--remove-section={BUILD_ID}", path, f"{folder}/x"]
        subprocess.run(words, check=True)
        return stable(Path(folder, "x").read_bytes())


class Place:
    """The environment with torch, the toolkit, and the folders in which all projects are built."""

    def __init__(self, options):
        self.program, self.folder = options.program.resolve(), options.folder
        self.source, self.cuda, self.home = (self.folder / name for name in ("source", "cuda", "home"))
        self.prefix, self.directory = self.folder / "venv", self.folder / "td"
        self.home.mkdir(parents=True, exist_ok=True)
        torch = wheels.read_wanted("environments")["torch==2.11.0"]
        self.toolkit = self.make_toolkit([each for each in (*torch, *NVIDIA) if not LARGE.match(each)])
        self.site = self.make_site([*torch, *NVIDIA, "torch==2.11.0", *TORCH_NEEDS, *BUILDERS, *COMMON])
        self.make_cuda()

    def make_toolkit(self, requirements):
        """The wheels in the form of a toolkit, with the names and the stub that they lack."""
        tree = self.folder / "toolkit"
        shutil.rmtree(tree, ignore_errors=True)
        toolkit = wheels.merge(requirements, tree) / "nvidia/cu13"
        (toolkit / "lib64").symlink_to("lib")
        (toolkit / "nvvm/lib64").mkdir()
        (toolkit / "nvvm/lib64/libnvvm.so").symlink_to("../../lib/libnvvm.so.4")
        for path in sorted(toolkit.glob("lib/*.so.*")):
            name = path.with_name(path.name.split(".so.")[0] + ".so")
            if not name.exists():
                name.symlink_to(path.name)
        namespaces.make_library(toolkit / "lib/stubs", "libcuda", namespaces.names_of_driver())
        (toolkit / "lib/stubs/libcuda.so").symlink_to(DRIVER)
        return toolkit

    def make_site(self, requirements):
        shutil.rmtree(self.prefix, ignore_errors=True)
        site = installed.venv(self.prefix)
        installed.put(site, *requirements)
        return site

    def need(self, requirements):
        """Adds what one project needs for its build."""
        for requirement in requirements:
            for entry in wheels.get(requirement).iterdir():
                if not (self.site / entry.name).exists():
                    (self.site / entry.name).symlink_to(entry)

    def make_cuda(self):
        """The toolkit by links, so that its compilers may be put in place of."""
        shutil.rmtree(self.cuda, ignore_errors=True)
        (self.cuda / "bin").mkdir(parents=True)
        for name in ("include", "lib64", "lib", "nvvm"):
            (self.cuda / name).symlink_to(self.toolkit / name)
        for path in (self.toolkit / "bin").iterdir():
            if path.name not in COMPILERS:
                (self.cuda / "bin" / path.name).symlink_to(path)

    def put_compilers(self, own):
        """Puts cuda-cc, or what starts the compilers themselves, under their names."""
        for name in COMPILERS:
            path = self.cuda / "bin" / name
            path.unlink(missing_ok=True)
            if own:
                shutil.copy(self.program, path)
            else:
                real = self.toolkit / "bin/nvcc" if name == "nvcc" else shutil.which(name, path=SYSTEM)
                path.write_text(f'#!/bin/sh\nexec {shlex.quote(str(real))} "$@"\n')
                path.chmod(0o755)

    def toolchain(self):
        done = subprocess.run([self.program, "toolchain", self.directory, "--runtime", RUNTIME, "--toolkit",
                               self.toolkit], env=self.environment(), cwd=self.folder, capture_output=True, text=True)
        if done.returncode:
            raise Wrong(f"the toolchain directory: {done.stderr}")

    def environment(self, **more):
        cuda = self.cuda
        base = {"PATH": f"{cuda}/bin:{self.toolkit}/bin:{SYSTEM}", "HOME": self.home, "TMPDIR": self.home, "USER": "u",
                "LC_ALL": "C.UTF-8", "CC": cuda / "bin/gcc", "CXX": cuda / "bin/g++", "CUDACXX": cuda / "bin/nvcc",
                "PYTORCH_NVCC": cuda / "bin/nvcc", "CUDA_HOME": cuda, "CUDA_PATH": cuda, "CUDAToolkit_ROOT": cuda,
                "TORCH_CUDA_ARCH_LIST": "8.0", "CUDAARCHS": "80", "MAX_JOBS": "1", "CMAKE_BUILD_PARALLEL_LEVEL": "1",
                "FORCE_CUDA": "1", "CMAKE_ARGS": "-DCMAKE_CUDA_ARCHITECTURES=80",
                "pybind11_DIR": self.site / "pybind11/share/cmake/pybind11", "SKBUILD_BUILD_DIR": "build/skbuild",
                **wheels.QUIET_PIP, **more}
        return {name: str(value) for name, value in base.items()}

    def variables(self, mode):
        """What a mode sets."""
        if mode in ("plain", "undeclared"):
            return {}
        if mode == "older":
            return {"CUDA_CC_RUNTIME": OLDER}
        own = activated(self.directory, SYSTEM)
        return {**own, "CUDA_CC_BACKEND": "ninja", "CUDA_CC_LOG": self.folder / "log"} if mode == "ninja" else own


class Build:
    """One build of a project, and what it left."""

    def __init__(self, place, row, file, mode):
        self.place, self.row, self.mode = place, row, mode
        source, home = place.source, place.home
        for folder in (source, home):
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
        with tarfile.open(file) as archive:
            archive.extractall(home, filter="data")
        [top] = home.iterdir()
        source.rmdir()
        top.rename(source)
        self.brought = self.made()
        (place.folder / "log").unlink(missing_ok=True)
        place.put_compilers(mode in ("undeclared", "older"))
        variables = {"SETUPTOOLS_SCM_PRETEND_VERSION": row["version"], **row.get("environment", {}),
                     **place.variables(mode)}
        words = [*wheels.pip_command(), "--python", place.prefix / "bin/python", "-v", "wheel", "--no-index",
                 "--no-deps", "--no-build-isolation", "-w", source / "dist-of-test", source / row.get("folder", ".")]
        before = time.monotonic()
        with open(place.folder / f"{row['name']}-{mode}.log", "w+") as log:
            with subprocess.Popen(["nice", "-n", "19", *map(str, words)], cwd=place.folder, stdout=log,
                                  stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, start_new_session=True,
                                  env=place.environment(**variables)) as call:
                try:
                    self.status = call.wait(LIMIT)
                except BaseException:
                    os.killpg(call.pid, signal.SIGKILL)
                    raise
            log.seek(0)
            self.text = log.read()
        self.seconds = round(time.monotonic() - before)
        self.left = self.made() - self.brought
        self.objects = {name: comparable(source / name) for name in self.left if name.endswith(".o")}
        # gcc gives names at random to sections of objects for link-time optimisation.
        self.objects.update((name, "") for name in self.objects if b".gnu.lto_" in (source / name).read_bytes())
        self.wheel = next(source.glob("dist-of-test/*.whl"), None)
        self.unpacked = place.folder / "unpacked"
        shutil.rmtree(self.unpacked, ignore_errors=True)
        self.libraries = self.unpack() if self.wheel else []

    def made(self):
        """Objects and libraries of the tree, without those of CMake's probes."""
        source = self.place.source
        return {str(path.relative_to(source)) for path in source.rglob("*")
                if re.search(r"\.(o|a|so(\.[\d.]+)?)$", path.name) and path.is_file()
                and not re.search(r"/(CompilerId|CMakeScratch|CMakeTmp)", str(path))}

    def unpack(self):
        """The libraries of the wheel that this build linked."""
        brought = {wheels.sha256(self.place.source / name) for name in self.brought}
        with zipfile.ZipFile(self.wheel) as archive:
            archive.extractall(self.unpacked)
        return sorted(str(path.relative_to(self.unpacked)) for path in self.unpacked.rglob("*.so*")
                      if wheels.sha256(path) not in brought)

    def contents(self):
        return {name: linked(self.unpacked / name) for name in self.libraries}

    def loaded(self):
        """What the loader says of each library in site-packages, beside torch if it needs that."""
        site, said = self.place.site, {}
        added = [site / path.name for path in self.unpacked.iterdir() if not (site / path.name).exists()]
        for path in added:
            shutil.copytree(self.unpacked / path.name, path) if (self.unpacked / path.name).is_dir() else \
                shutil.copy(self.unpacked / path.name, path)
        try:
            for name in self.libraries:
                torch = any(re.match("lib(torch|c10)", each) for each in note.elf(self.unpacked / name).needed)
                done = subprocess.run([self.place.prefix / "bin/python", "-I", "-B", "-W", "ignore", "-c", LOADS,
                                       "torch" if torch else "", site / name], capture_output=True, text=True,
                                      env=self.place.environment(), cwd="/", timeout=LIMIT)
                said[name] = done.stdout.strip().split("\n")[-1] or f"ended with {done.returncode}"
        finally:
            for path in added:
                shutil.rmtree(path) if path.is_dir() else path.unlink()
        return said

    def last_words(self):
        lines = [line for line in self.text.splitlines() if re.search(r"\berror\b|Error", line)]
        return (lines or self.text.splitlines() or ["nothing"])[0].strip()[:160]


def complain(condition, text):
    if not condition:
        raise Wrong(text)


def differing(got, expected):
    return sorted(name for name in {*got, *expected} if got.get(name) != expected.get(name))


def judge_plain(build, kept):
    complain(build.status == 0, f"the build fails: {build.last_words()}")
    complain(build.libraries, "nothing is linked")
    compiled = any(b".nv_fatbin" in (build.unpacked / name).read_bytes() for name in build.libraries)
    complain(compiled or kept["row"].get("host"), "no file has device code")
    kept.update(plain=build.objects, contents=build.contents(), loads=build.loaded())


def judge_undeclared(build, kept):
    complain(build.status == 0, f"the build fails: {build.last_words()}")
    wrong = differing(build.objects, kept["plain"])
    complain(not wrong, f"objects differ: {wrong}")
    wrong = differing(build.contents(), kept["contents"])
    complain(not wrong, f"libraries differ: {wrong}")


def judge_declared(build, kept):
    complain(build.status == 0, f"the build fails: {build.last_words()}")
    complain(sorted(build.objects) == sorted(kept["plain"]), f"objects {sorted(build.objects)}")
    for name in build.libraries:
        path = build.unpacked / name
        complain(note.manifest(path), f"{name} has no manifest")
        elf = note.elf(path)
        for folder, pattern in FOLDERS.items():
            if any(re.match(pattern, each) for each in elf.needed):
                searched = elf.rpath + elf.runpath
                complain(any(f"/{folder}" in each for each in searched), f"{name} has the search path {searched}")
    done = subprocess.run([build.place.program, "check", build.wheel, "--runtime", RUNTIME], capture_output=True,
                          text=True, env=build.place.environment(), cwd="/")
    complain(done.returncode == 0, f"check ends with {done.returncode}: {done.stdout}{done.stderr}")
    kept["declared"] = build.objects
    kept["said"] = build.loaded()
    for name, said in kept["said"].items():
        complain(said == "loads" or DRIVER in said or said == kept["loads"].get(name), f"{name}: {said}")


def judge_older(build, kept):
    found = re.search(r"cuda-cc: error:.*(?:\n.*?)*?\[(CC\d+)\]", build.text)
    # Some go on without CUDA, as where there is no nvcc.
    complain(found and (build.status or not build.libraries), f"ended with {build.status}: {build.last_words()}")
    complain(not build.left, f"left behind: {sorted(build.left)}")
    kept["code"] = found[1]


def judge_ninja(build, kept):
    complain(build.status == 0, f"the build fails: {build.last_words()}")
    wrong = differing(build.objects, kept.get("declared", {}))
    complain(not wrong, f"objects differ: {wrong}")
    log = build.place.folder / "log"
    lines = [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []
    kept["ran"] = sum(line["did"] == "ninja" for line in lines)


JUDGES = {"plain": judge_plain, "undeclared": judge_undeclared, "declared": judge_declared, "older": judge_older,
          "ninja": judge_ninja}


def examine(place, row, file):
    """Builds a project in each mode; what is written about it."""
    kept, result = {"row": row}, {"name": row["name"], "version": row["version"], "sha256": row["sha256"], "modes": {}}
    for mode in MODES:
        try:
            build = Build(place, row, file, mode)
            wrong = ""
            try:
                JUDGES[mode](build, kept)
            except Wrong as error:
                wrong = str(error)
            left = [str(path) for path in place.home.rglob("cuda-cc*") if path.is_file() and ".local" not in str(path)
                    and ".cache" not in str(path)]
            wrong = wrong or (f"left in TMPDIR: {left}" if left else "")
            seconds = build.seconds
        except (subprocess.TimeoutExpired, OSError, subprocess.CalledProcessError) as error:
            wrong, seconds = str(error), LIMIT
        result["modes"][mode] = {"seconds": seconds, "wrong": wrong}
        counts = f"{len(build.objects)} objects, {len(build.libraries)} libraries, " if not wrong else ""
        say(f"{row['name']} {row['version']}: {mode}: {wrong or 'right'}, {counts}{seconds} s")
        if mode == "plain" and wrong:
            break
    result.update(objects=len(kept.get("plain", {})), libraries=len(kept.get("said", {})),
                  code=kept.get("code", ""), loads=kept.get("said", {}), ran=kept.get("ran", 0))
    return result


def write_page(results, rows):
    """The table of the page, from the results of the list's projects."""
    built = {}
    for row in rows:
        file = results / f"{row['name']}.json"
        if not file.exists():
            say(f"{row['name']} is not in the table: no result")
            continue
        result = json.loads(file.read_text())
        wrong = [f"{mode}: {each['wrong']}" for mode, each in result["modes"].items() if each["wrong"]]
        if wrong or (result["version"], result["sha256"]) != (row["version"], row["sha256"]):
            raise Wrong(f"{row['name']}: {wrong or 'the result is that of another version'}")
        wrong = [said for said in result["loads"].values() if said != "loads" and DRIVER not in said]
        if wrong:
            raise Wrong(f"{row['name']} does not load: {wrong}")
        driver = ", needs a driver" if any(DRIVER in said for said in result["loads"].values()) else ""
        built.setdefault(row["system"], []).append(f"{row['name']} {row['version']} ({result['objects']}{driver})")
    lines = [f"| {system} | {', '.join(sorted(texts, key=str.lower))} |" for system, texts in sorted(built.items())]
    tables.replace(PAGE, "## Results", ["| built by | projects |", "| --- | --- |", *lines])


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="projects; without one all")
    parser.add_argument("--program", default=ROOT / "build/bin/cuda-cc", type=Path)
    parser.add_argument("--folder", default=wheels.cache_root() / "projects", type=Path, help="where it works")
    parser.add_argument("--results", default=ROOT / "build/projects", type=Path, help="a folder for NAME.json")
    parser.add_argument("--page", action="store_true", help="write the table of docs/projects.md")
    parser.add_argument("--candidate", type=Path, help="a file with rows to try instead of those of projects.json")
    options = parser.parse_args(arguments)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    rows = json.loads((options.candidate or LIST).read_text())["projects"]
    chosen = [row for row in rows if row["name"] in (options.names or [row["name"]])]
    options.folder.mkdir(parents=True, exist_ok=True)
    options.results.mkdir(parents=True, exist_ok=True)
    options.folder = options.folder.resolve()
    failed = []
    made = () if options.page and options.names == ["none"] else ("source", "cuda", "home", "venv", "td", "toolkit",
                                                                 "unpacked")
    try:
        if made:
            place = Place(options)
            place.toolchain()
        for row in chosen:
            place.need(row.get("needs", []))
            result = examine(place, row, sdist(row, wheels.cache_root() / "sdists"))
            (options.results / f"{row['name']}.json").write_text(json.dumps(result, indent=1) + "\n")
            failed += [row["name"]] if any(each["wrong"] for each in result["modes"].values()) else []
        if options.page:
            write_page(options.results, rows)
    except (Wrong, wheels.WheelError, torch_names.NamesError, OSError, subprocess.SubprocessError) as error:
        say(str(error))
        return 1
    finally:
        for name in made:
            shutil.rmtree(options.folder / name, ignore_errors=True)
    say(f"{len(chosen) - len(failed)} of {len(chosen)} as they have to be; {options.results}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
