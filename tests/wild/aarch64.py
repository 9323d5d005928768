# SPDX-License-Identifier: Apache-2.0
"""aarch64.py [--program FILE] [--scratch FOLDER] [NAME...]

Compares the tables with the loader of aarch64, on x86-64 under qemu: published wheels for aarch64 are checked with
`cuda-cc check WHEEL --runtime RUNTIME`, and each of their shared objects is opened beside NVIDIA's wheels for
aarch64 of exactly the versions that this runtime has, or after them, where the package or its framework opens them
first. Prints a table; exit status 1 if a file loads but is rejected, or is accepted but does not load.

Needs qemu-aarch64, a cross compiler and 6 GB of disk space; no GPU. The driver's libraries and what Python exports are
stand-ins: each defines all names. Not counted is a file that the report leaves out, or that lacks a library which is
neither NVIDIA's nor its own. NVIDIA's wheels stay in FOLDER.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
for folder in ("tests/support", "driver/tables/update"):
    sys.path.insert(0, str(ROOT / folder))
import elf
import wheels

RUNTIMES = ("cuda==13.0.2", "cuda==12.4.1")
PACKAGES = ("bitsandbytes==0.50.2", "cuda-bindings==13.0.3", "cupy-cuda12x==14.2.0", "cupy-cuda13x==14.2.0",
            "custatevec-cu13==1.15.0", "cutensornet-cu13==2.14.0", "jax-cuda12-plugin==0.12.0",
            "jax-cuda13-plugin==0.12.0", "nvidia-cudnn-frontend==1.32.0", "nvmath-python==1.0.0", "warp-lang==1.6.2")
PYTHON = "3.12"
GCC = "aarch64-linux-gnu-gcc"
QEMU = ("qemu-aarch64", "-L", "/usr/aarch64-linux-gnu")
EM_AARCH64 = 183
# Opens the first N files, then each of the others in a process of its own; a line for each of these.
OPENER = """#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int count, char **words) {
  int first = atoi(words[1]) + 2;
  for (int i = 2; i != first; ++i)
    dlopen(words[i], RTLD_NOW);
  for (int i = first; i != count; ++i) {
    if (!fork()) {
      puts(dlopen(words[i], RTLD_NOW) ? "" : dlerror());
      fflush(stdout);
      _exit(0);
    }
    int status;
    wait(&status);
    if (status) {
      puts("ended in a constructor");
      fflush(stdout);
    }
  }
  return 0;
}
"""
COLUMNS = ("right", "accepted, never loads", "rejected, loads", "unknown", "not counted")


def run(words, **more):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False, **more)
    if done.returncode:
        raise RuntimeError(f"{' '.join(map(str, words[:6]))} ended with {done.returncode}:\n{done.stderr[-2000:]}")
    return done.stdout


def download(requirement, folder):
    run([sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--only-binary=:all:", "-d", folder,
         "--python-version", PYTHON, *wheels.selection("aarch64"), requirement])
    [wheel] = folder.glob("*.whl")
    return wheel


def is_aarch64(path):
    with open(path, "rb") as file:
        head = file.read(20)
    return head[:4] == b"\x7fELF" and head[16:20] == bytes([3, 0, EM_AARCH64, 0])


def objects_of(folder):
    return [path for path in sorted(folder.rglob("*.so*")) if path.is_file() and not path.is_symlink()
            and is_aarch64(path)]


def needed_by(path):
    return re.findall(r"\(NEEDED\)\s+Shared library: \[(.*)\]", "\n".join(elf.readelf("-d", path)))


class Installation:
    """A site-packages directory for aarch64, and what its files need beside it."""

    def __init__(self, scratch, program, runtime, cache):
        self.scratch, self.site, self.cache = scratch, scratch / "site-packages", cache
        target = json.loads(run([program, "target", "--runtime", runtime, "--format=json"]))
        self.owner = {row["soname"]: (row["dist"], row["version"]) for row in target["libraries"]}
        self.installed, self.python = set(), set()
        for name in ("opener", "python"):
            (scratch / name).mkdir()
        self.opener = scratch / "opener/opener"
        run([GCC, "-x", "c", "-", "-o", self.opener], input=OPENER)
        for library in ("cuda", "nvidia-ml"):
            table = json.loads((ROOT / f"driver/tables/data/symbols/{library}.json").read_text())
            self.stand_in(f"lib{library}.so.1", table["symbols"])

    def stand_in(self, soname, names):
        source = "".join(f"void {name}(void) {{}}\n" for name in sorted(names))
        run([GCC, "-w", "-shared", "-fPIC", "-fno-builtin", "-x", "c", "-", f"-Wl,-soname,{soname}", "-o",
             self.scratch / "opener" / soname], input=source)

    def add(self, folder):
        """Adds what the files in a folder need of NVIDIA's wheels, and of Python."""
        for path in objects_of(folder):
            for line in elf.readelf("--dyn-syms", path):
                if match := re.search(r"\bUND (_?Py\w+)", line):
                    self.python.add(match[1])
            for soname in needed_by(path):
                dist = self.owner.get(soname)
                if dist and dist not in self.installed:
                    self.installed.add(dist)
                    wheel = self.cache / "-".join(dist)
                    wheel.mkdir(exist_ok=True)
                    [file] = list(wheel.glob("*.whl")) or [download("==".join(dist), wheel)]
                    before = set(objects_of(self.site))
                    wheels.unpack(file, self.site)
                    for added in {path.parent for path in set(objects_of(self.site)) - before}:
                        self.add(added)

    def opened(self, files, before):
        """The loader's message for each file; empty if it loads after the others."""
        words = [*QEMU, "-E", f"LD_LIBRARY_PATH={self.scratch / 'opener'}", "-E",
                 f"LD_PRELOAD={self.scratch / 'opener/libpython.so'}", self.opener, len(before), *before, *files]
        return run(words).split("\n")[:len(files)]


def column(verdict, said, own, owner):
    missing = re.match(r"(\S+): cannot open shared object file", said)
    if missing and missing[1] not in owner and missing[1] not in own and verdict != "reject":
        # CUDA's libraries of another major are missing for the tables, too.
        return "not counted"
    if verdict == "unknown":
        return "unknown"
    if verdict == "accept":
        return "accepted, never loads" if said else "right"
    return "right" if said else "rejected, loads"


def is_opened_after(name, site):
    """Whether these libraries are loaded before a package's files: by its own code (opens) or by a framework."""
    rows = json.loads((ROOT / "driver/tables/data/opens.json").read_text())["rows"]
    [text] = [path.read_text() for path in site.glob("*.dist-info/METADATA")]
    return any(name in row["packages"] and row["when"] != "first call" for row in rows) or bool(
        re.search(r"^Requires-Dist: (torch|jax)\b(?!.*\bextra\b)", text, re.M))


def judged(program, requirement, runtime, scratch, cache):
    with tempfile.TemporaryDirectory(dir=scratch) as aside:
        wheel = download(requirement, Path(aside))
        work = Path(aside) / "work"
        work.mkdir()
        place = Installation(work, program, runtime, cache)
        wheels.unpack(wheel, place.site)
        files = objects_of(place.site)
        is_after = is_opened_after(wheels.parse(requirement)[0], place.site)
        place.add(place.site)
        before = sorted(set(objects_of(place.site)) - set(files)) if is_after else []
        place.stand_in("libpython.so", place.python)
        done = subprocess.run([program, "check", wheel, "--runtime", runtime, "--format=json"], capture_output=True,
                              text=True, check=False)
        verdicts = {row["path"].partition("!")[2]: row for row in json.loads(done.stdout)["files"]}
        own = {path.name for path in files}
        for path, said in zip(files, place.opened(files, before), strict=True):
            name = path.relative_to(place.site).as_posix()
            row = verdicts.get(name)
            where = column(row["verdict"], said, own, place.owner) if row else "not counted"
            yield name, said, where, row


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--program", type=Path, default=ROOT / "build/bin/cuda-cc")
    parser.add_argument("--scratch", type=Path)
    options = parser.parse_args()
    wrong = 0
    print(f"{'':46}" + "  ".join(COLUMNS))
    with tempfile.TemporaryDirectory() as folder:
        options.scratch = options.scratch or Path(folder)
        cache = options.scratch / "nvidia"
        cache.mkdir(exist_ok=True)
        for runtime in RUNTIMES:
            for requirement in PACKAGES:
                if options.names and wheels.parse(requirement)[0] not in options.names:
                    continue
                counts, told = dict.fromkeys(COLUMNS, 0), []
                for name, said, where, row in judged(options.program.resolve(), requirement, runtime, options.scratch,
                                                     cache):
                    counts[where] += 1
                    if where not in ("right", "not counted"):
                        messages = "; ".join(each["message"] for each in row["findings"])
                        told.append(f"  {name}: {where}: {said or 'loads'}; {row['verdict']}: {messages}")
                wrong += counts["accepted, never loads"] + counts["rejected, loads"]
                print(f"{requirement:30}  {runtime:14}" + "  ".join(f"{counts[each]:{len(each)}}" for each in COLUMNS),
                      *told, sep="\n", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
