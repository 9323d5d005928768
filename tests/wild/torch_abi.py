# SPDX-License-Identifier: Apache-2.0
"""torch_abi.py [--program FILE] [--scratch FOLDER] [RELEASE...]

Compares the table of torch's names with the loader: extensions of torch, our own and real ones from PyPI, are opened
after `import torch` in each of six releases, and the result is compared with `cuda-cc check --runtime torch==RELEASE`.
Prints a table; exit status 1 if a file loads but is rejected, or is accepted but does not load.

Each release is downloaded (0.5 to 0.9 GB, compared with the index's sha256), unpacked, and removed before the next, so
3 GB of disk space suffice. Torch's libraries are the real ones; those of NVIDIA are stand-ins (standins.py), because
only torch's names are tested. No GPU and no driver are needed.
"""

import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
for folder in ("tests/support", "driver/tables/update"):
    sys.path.insert(0, str(ROOT / folder))
import standins
import torch_names
import wheels

# The last release with the old strings, the first without; names were added in 2.10 and 2.11 and later removed.
RELEASES = ("2.5.1", "2.6.0", "2.7.1", "2.9.1", "2.11.0", "2.15.0")
# Real extensions, each built against one of these releases or a neighbour; the last two use torch's stable interface.
PACKAGES = ("torchvision==0.20.1", "torchvision==0.24.1", "torchaudio==2.5.1", "torchaudio==2.8.0",
            "xformers==0.0.28.post3", "tensordict==0.6.2", "torchrl==0.9.2", "torchtext==0.18.0",
            "torchao==0.9.0", "torchaudio==2.9.1")
REQUIRED = ("filelock==3.16.1", "typing-extensions==4.12.2", "sympy==1.13.3", "mpmath==1.3.0", "networkx==3.4.2",
            "jinja2==3.1.4", "markupsafe==3.0.2", "fsspec==2024.10.0")
# Precedes REQUIRED for the newest of the releases.
NEWER = "typing-extensions==4.15.0"
BUILT_WITH = "2.11.0"
DECREF = """#include <c10/core/TensorImpl.h>
struct Freed : c10::TensorImpl { using TensorImpl::TensorImpl; void free() const { TensorImpl::decref_pyobject(); } };
void freed(const Freed &tensor) { tensor.free(); }
"""
STRINGS = """#include <c10/util/Exception.h>
void refuse(bool wrong, const std::string &why) { TORCH_CHECK(!wrong, "it is wrong: ", why); }
"""
STABLE = """#include <torch/csrc/inductor/aoti_torch/c/shim.h>
bool grads() { return aoti_torch_grad_mode_is_enabled(); }
"""
# Name, source, definition.
OURS = (("decref", DECREF, 1), ("strings-new", STRINGS, 1), ("strings-old", STRINGS, 0), ("stable", STABLE, 1))
LIMIT = 300
TORCH_CODES = ("CC4129", "CC4130")
UNKNOWN = "CC2104"


def say(text):
    print(f"torch_abi: {text}", file=sys.stderr, flush=True)


def extract(wheel, folder, wanted):
    with zipfile.ZipFile(wheel) as archive:
        for item in archive.infolist():
            if wanted(item.filename):
                archive.extract(item, folder)


def fetch_release(index, release, python, scratch, headers=False):
    """The folder of an unpacked torch."""
    found = [wheel for wheel in index.wheels
             if (wheel.release, wheel.machine, wheel.python, wheel.abi) == (release, "x86_64", python, python)]
    if not found:
        raise torch_names.NamesError(f"no torch {release} for {python}")
    wheel = max(found, key=lambda each: each.build)
    file, folder = scratch / wheel.file, scratch / "torch"
    try:
        torch_names.fetch(wheel, file)
        extract(file, folder, lambda name: re.match(r"(torch|torchgen|functorch|torch-[^/]*\.dist-info)/", name)
                and not re.match(r"torch/((test|share)/|bin/(?!torch_shm_manager))", name)
                and (headers or not name.startswith("torch/include/")))
    finally:
        file.unlink(missing_ok=True)
    return folder


def build(scratch):
    """{name: file} of our own extensions, built with the headers and libraries of one release."""
    torch = Path(wheels.get(f"torch=={BUILT_WITH}")) / "torch"
    folder = scratch / "ours"
    folder.mkdir()
    made = {}
    for name, text, strings in OURS:
        source = folder / f"{name}.cpp"
        source.write_text(text)
        made[name] = [folder / f"{name}.so"]
        standins.run("g++", "-std=c++17", "-O2", "-w", "-shared", "-fPIC", f"-D_GLIBCXX_USE_CXX11_ABI={strings}",
                     f"-I{torch}/include", f"-I{torch}/include/torch/csrc/api/include", source, f"-L{torch}/lib",
                     "-Wl,--no-as-needed", "-lc10", "-ltorch_cpu", "-Wl,--allow-shlib-undefined", "-o", made[name][0])
    return made


def extract_package(requirement, folder, scratch):
    with tempfile.TemporaryDirectory(dir=scratch) as temporary:
        wheel, _ = wheels.download(*wheels.parse(requirement), "x86_64", temporary)
        extract(wheel, folder, lambda _: True)


def unpack(scratch):
    """{requirement: its files that need a library of torch's}"""
    found = {}
    for requirement in PACKAGES:
        folder = scratch / "packages" / requirement
        extract_package(requirement, folder, scratch)
        files = [path for path in sorted(folder.rglob("*.so*"))
                 if path.is_file() and path.read_bytes()[:4] == b"\x7fELF"]
        found[requirement] = [path for path in files if any(re.match(r"lib(c10|torch)(_\w+)?\.so", each)
                                                            for each in standins.dynamic(path)[1])]
        if not found[requirement]:
            raise torch_names.NamesError(f"{requirement}: nothing of it needs torch")
    return found


# Reads [[FILE, [libraries of its own package that it NEEDs, in order]], ...]: packages open those first, by path.
LOADER = """import ctypes, json, os, sys
import torch
for path, before in json.load(sys.stdin):
    reader, writer = os.pipe()
    if os.fork() == 0:
        try:
            for each in [*before, path]:
                ctypes.CDLL(each, os.RTLD_NOW)
            said = "loads"
        except OSError as error:
            said = str(error)
        os.write(writer, said.encode())
        os._exit(0)
    os.close(writer)
    said = os.fdopen(reader).read()
    os.wait()
    print(json.dumps([path, said or "crashed"]), flush=True)
os._exit(0)
"""


def siblings(files):
    """{file: the files of this package that it NEEDs, after those that they NEED}"""
    by_name = {path.name: path for path in files}
    needs = {path: [by_name[name] for name in standins.dynamic(path)[1] if name in by_name] for path in files}

    def collect(path, found):
        for each in needs[path]:
            if each not in found:
                collect(each, found)
        found.append(path)
        return found
    return {path: collect(path, [])[:-1] for path in files}


def load(torch, named, scratch):
    """{file: "loads" or dlerror's message}"""
    files = [path for each in named.values() for path in each]
    own = [path for path in (torch / "torch/lib").glob("*.so*") if path.is_file()]
    folder = scratch / "standins"
    shutil.rmtree(folder, ignore_errors=True)
    standins.make(folder, [*own, *(torch / "torch").glob("_C*.so"), *files], {path.name for path in own})
    environment = {"PATH": os.environ["PATH"], "HOME": str(scratch), "PYTHONDONTWRITEBYTECODE": "1",
                   "LD_LIBRARY_PATH": str(folder),
                   "PYTHONPATH": ":".join([str(torch), str(scratch / "newer"),
                                           *(str(wheels.get(each)) for each in REQUIRED)])}
    asked = [[str(path), [str(each) for each in before]]
             for each in named.values() for path, before in siblings(each).items()]
    done = subprocess.run([sys.executable, "-c", LOADER], input=json.dumps(asked), text=True,
                          capture_output=True, env=environment, cwd=scratch, timeout=LIMIT)
    if done.returncode:
        raise torch_names.NamesError(f"import torch: {done.stderr[-2000:]}")
    return {Path(path): said for path, said in map(json.loads, done.stdout.splitlines())}


def check(program, release, named):
    """{file: its findings about torch's names}, from the table alone. A package is checked as a whole, so that its
    files can find each other."""
    found = {}
    for name, files in named.items():
        whole = files[:1] if files[0].parent.name == "ours" else [package_of(files[0])]
        done = subprocess.run([program, "check", "--format=json", "--runtime", f"torch=={release}", *whole], text=True,
                              capture_output=True, timeout=LIMIT)
        if done.returncode not in (0, 3, 4):
            raise torch_names.NamesError(f"{program} ended with {done.returncode}:\n{done.stderr[-2000:]}")
        for each in json.loads(done.stdout)["files"]:
            found[Path(each["path"]).resolve()] = [finding for finding in each["findings"]
                                                   if finding["code"] in (*TORCH_CODES, UNKNOWN)]
        if missing := [path.name for path in files if path not in found]:
            raise torch_names.NamesError(f"{name}: nothing is said of {', '.join(missing)}")
        spread(files, found)
    return found


def package_of(path):
    return next(each for each in path.parents if each.parent.name == "packages")


def spread(files, found):
    """A file fails too if a library of its package fails: the loader reports the first one."""
    own = dict(found)
    for path, before in siblings(files).items():
        found[path] = [finding for each in (path, *before) for finding in own[each]]


def verdict_of(findings):
    codes = {finding["code"] for finding in findings}
    return next((code for code in TORCH_CODES if code in codes), UNKNOWN if UNKNOWN in codes else "accepted")


def agrees(verdict, said):
    """Whether the verdict is right; None if the loader failed for a reason other than a name."""
    if said == "loads":
        return verdict == "accepted"
    if "undefined symbol" in said or "symbol lookup error" in said:
        return verdict in TORCH_CODES
    return None


def compare(arguments, scratch):
    python = f"cp3{sys.version_info.minor}"
    index = torch_names.Index(arguments.index or torch_names.default_index())
    named = {**build(scratch), **unpack(scratch)}
    extract_package(NEWER, scratch / "newer", scratch)
    wrong, counts = [], {}
    for release in arguments.release or RELEASES:
        begin = time.monotonic()
        torch = fetch_release(index, release, python, scratch)
        try:
            said = load(torch, named, scratch)
        finally:
            shutil.rmtree(torch, ignore_errors=True)
        found = check(arguments.program, release, named)
        for name, each in named.items():
            for path in each:
                verdict = verdict_of(found[path])
                fits = agrees(verdict, said[path])
                key = {True: "agree", False: "differ", None: "other"}[fits]
                counts[release, key] = counts.get((release, key), 0) + 1
                line = f"{release:8} {name:24} {path.name:32.32} {verdict:9} {said[path].split(': ', 1)[-1][:90]}"
                print(line, flush=True)
                if fits is False:
                    wrong.append(line)
        say(f"torch {release}: {counts.get((release, 'agree'), 0)} agree, {counts.get((release, 'differ'), 0)} differ, "
            f"{counts.get((release, 'other'), 0)} stop at something else; {time.monotonic() - begin:.0f} s")
    for line in wrong:
        say(f"differs: {line}")
    return 1 if wrong else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("release", nargs="*")
    parser.add_argument("--program", default=str(ROOT / "build/bin/cuda-cc"))
    parser.add_argument("--scratch", type=Path)
    parser.add_argument("--index")
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    with tempfile.TemporaryDirectory(prefix="cuda-cc-torchabi-", dir=arguments.scratch) as folder:
        try:
            return compare(arguments, Path(folder).resolve())
        except (torch_names.NamesError, wheels.WheelError, OSError, subprocess.SubprocessError) as error:
            say(f"error: {error}" + (f"\n{error.stderr}" if getattr(error, "stderr", None) else ""))
            return 1


if __name__ == "__main__":
    sys.exit(main())
