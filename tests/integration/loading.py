# SPDX-License-Identifier: Apache-2.0
"""Helpers for the loader tests: small libraries, the result of the real loader, and that of the simulation.

A Tree is a Sandbox with libraries in it. `same` runs the real loader (LD_DEBUG=libs, dlopen, the link map) and
`loadsim` in one situation and compares their results: the files tried, in order; the files mapped, in order; the
error message.
"""

import os
import re
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from sandbox import Sandbox, equal, skip

SIMULATION = Path(os.environ["CUDACC_TEST_BUILD"]) / "tests/bin/loadsim"
INTERPRETER = "/lib64/ld-linux-x86-64.so.2"
CACHE = "/etc/ld.so.cache"

# Opens its arguments one after another; `@N=FILE` is opened by the object of the Nth argument.
OPENER = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static void maps(void) {
  static struct link_map *last;
  for (struct link_map *map = last ? last->l_next : _r_debug.r_map; map; map = map->l_next) {
    printf("mapped %s\n", map->l_name);
    last = map;
  }
}
int main(int argc, char **argv) {
  void *handles[99] = {0};
  setvbuf(stdout, NULL, _IONBF, 0);
  maps();
  for (int i = 1; i < argc; ++i) {
    const char *file = argv[i];
    printf("open %s\n", file);
    if (*file == '@') {
      char *end;
      void *(*opens)(const char *, int) =
          (void *(*)(const char *, int))dlsym(handles[strtol(file + 1, &end, 10)], "opens");
      handles[i] = opens(end + 1, RTLD_LAZY);
    } else {
      handles[i] = dlopen(file, RTLD_LAZY);
    }
    if (!handles[i]) {
      printf("failure %s\n", dlerror());
      return 1;
    }
    maps();
  }
  return 0;
}
"""


def supported():
    """The glibc version that these tests are for; otherwise the test is skipped."""
    if not os.access(INTERPRETER, os.X_OK):
        skip("no x86-64 glibc")
    return tuple(map(int, os.confstr("CS_GNU_LIBC_VERSION").removeprefix("glibc ").split(".")))


def hwcaps():
    """Subdirectories that this machine's loader searches, best first, with repetitions."""
    done = subprocess.run(["/bin/true"], env={"LD_DEBUG": "libs", "LD_LIBRARY_PATH": "/where"},
                          text=True, stderr=subprocess.PIPE)
    path = re.search(r"search path=(\S*)\s+\(LD_LIBRARY_PATH\)", done.stderr)[1]
    return [part.removeprefix("/where/") for part in path.split(":") if part != "/where"]


def platform():
    done = subprocess.run([INTERPRETER, "--list-diagnostics"], text=True, stdout=subprocess.PIPE)
    found = re.search(r'^dl_platform="(.*)"$', done.stdout, re.M)
    return found[1] if found else "x86_64"


@dataclass
class Answer:
    status: int
    opened: list = field(default_factory=list)
    tried: list = field(default_factory=list)
    mapped: list = field(default_factory=list)
    failure: str = ""
    unknown: list = field(default_factory=list)

    def take(self, text):
        for line in text.splitlines():
            kind, _, rest = line.partition(" ")
            if kind == "failure":
                self.failure = rest
            elif kind in ("mapped", "tried", "unknown"):
                getattr(self, kind).append(rest)
            elif kind == "open":
                self.opened.append(rest)


class Tree(Sandbox):
    def __init__(self):
        super().__init__()
        self.version = supported()
        self.compared = 0
        self.hwcaps = hwcaps()
        self.platform = platform()
        self.stubs = self.root / "stubs"
        self.stubs.mkdir()
        self.opener = self.program("opener")

    def gcc(self, *words):
        done = self.run("gcc", *words)
        assert done.status == 0, done

    def _path_words(self, rpath, runpath):
        assert rpath is None or runpath is None
        tag = "--disable-new-dtags" if rpath is not None else "--enable-new-dtags"
        path = rpath if rpath is not None else runpath
        return [] if path is None else [f"-Wl,{tag}", f"-Wl,-rpath,{path}"]

    def _needs_words(self, needs):
        words = ["-Wl,--no-as-needed"]
        for name in needs:
            stub = self.stubs / name.replace("/", "%").replace("$", "_")
            if not stub.exists():
                self.gcc("-shared", "-nostdlib", "-x", "c", "/dev/null", f"-Wl,-soname,{name}",
                         "-o", stub)
            words.append(stub)
        return words

    def library(self, path, *more, soname=None, needs=(), rpath=None, runpath=None, opens=False):
        """SONAME is the file's name by default; empty: none. `opens`: the library can call dlopen."""
        target = self.work / path
        target.parent.mkdir(parents=True, exist_ok=True)
        name = target.name if soname is None else soname
        text = "extern void *dlopen(const char *, int);\n" \
               "void *opens(const char *file, int mode) { return dlopen(file, mode); }\n"
        source = self.root / ("opens.c" if opens else "empty.c")
        source.write_text(text if opens else "")
        self.gcc("-shared", "-fPIC", "-O1", "-nostdlib", *self._needs_words(needs), source,
                 *([f"-Wl,-soname,{name}"] if name else []), *self._path_words(rpath, runpath),
                 *more, "-o", target)
        return target

    def program(self, path, *more, needs=(), rpath=None, runpath=None):
        target = self.work / path
        target.parent.mkdir(parents=True, exist_ok=True)
        source = self.root / "opener.c"
        source.write_text(OPENER)
        self.gcc(source, *self._needs_words(needs), "-ldl", "-Wl,--allow-shlib-undefined", *more,
                 *self._path_words(rpath, runpath), "-o", target)
        return target

    def real(self, *files, program, library_path, cwd):
        with tempfile.TemporaryDirectory(dir=self.tmp) as folder:
            environment = {"LD_DEBUG": "libs", "LD_DEBUG_OUTPUT": f"{folder}/log", "LC_ALL": "C"}
            if library_path is not None:
                environment["LD_LIBRARY_PATH"] = library_path
            done = subprocess.run([str(program), *map(str, files)], cwd=cwd, env=environment,
                                  text=True, stdin=subprocess.DEVNULL, capture_output=True,
                                  timeout=300)
            answer = Answer(done.returncode)
            answer.take(done.stdout)
            answer.mapped = [name for name in answer.mapped
                             if name not in ("", INTERPRETER) and "linux-vdso" not in name]
            early = re.search(r"error while loading shared libraries: (.*)", done.stderr)
            if early:
                answer.failure = early[1]
            log = "".join(path.read_text() for path in Path(folder).iterdir())
        answer.tried = re.findall(r"^\s*\d+:\s+trying file=(.*)$", log, re.M)
        return answer

    def simulated(self, *files, program, library_path, cwd, secure=False):
        words = [SIMULATION, "--program", Path(program).resolve(), "--cwd", cwd, "--cache", CACHE,
                 "--hwcaps", ":".join(self.hwcaps), "--platform", self.platform]
        if library_path is not None:
            words += ["--library-path", library_path]
        if secure:
            words.append("--secure")
        for file in files:
            if str(file).startswith("@"):
                number, _, file = str(file)[1:].partition("=")
                words += ["--caller", files[int(number) - 1]]
            words.append(file)
        done = self.run(*words, cwd=cwd)
        assert done.status in (0, 1) and not done.err, done
        answer = Answer(done.status)
        answer.take(done.out)
        answer.mapped = answer.mapped[1:]  # the program
        return answer

    def same(self, *files, program=None, library_path=None, cwd=None, what="", later=False,
             wheels=False, slashes=(), unopened=()):
        """The simulation's result, after comparing it with the real loader's. `later`: the real loader fails after the
        search, because of versions or symbols; `wheels`: it may fail so, and initialisers may open other files.
        `slashes`: NEEDED names with a slash, which the real loader opens without a line in its log; `unopened`:
        files that it logs but does not open."""
        cwd = Path(cwd or self.work)
        situation = {"program": program or self.opener, "library_path": library_path, "cwd": cwd}
        real = self.real(*files, **situation)
        ours = self.simulated(*files, **situation)
        case = f"{what} {[str(file) for file in files]} {situation}"
        asked = [str(file).rpartition("=")[2] for file in files] + list(slashes)
        slashes = {str(cwd / name) for name in asked if "/" in str(name)}

        def searched(paths):
            paths = [str(cwd / path) for path in paths]
            return [path for path in paths
                    if os.path.isdir(os.path.dirname(path)) and path not in slashes]

        tried = searched(ours.tried)
        really = [path for path in searched(real.tried) if path not in unopened]
        if wheels:
            really = really[:len(tried)]
            real.mapped = real.mapped[:len(ours.mapped)]
        equal(tried, really, f"tried: {case}")
        if real.opened or not real.failure:
            equal(ours.mapped[:len(real.mapped)], real.mapped, f"mapped: {case}")
        if wheels and "undefined symbol" in real.failure:
            equal(ours.failure, "", f"failure: {case}")
        elif later:
            assert real.status != 0, f"nothing failed: {case}"
            equal(ours.failure, "", f"failure: {case}")
        else:
            equal(ours.failure, real.failure, f"failure: {case}")
            equal(real.status, 1 if real.failure and real.opened else real.status, case)
        equal(ours.unknown, [], f"unknown: {case}")
        self.compared += 1
        return ours

    def chosen(self, name, *files, **situation):
        """Folder of the object that satisfies `name`, or None if the load fails."""
        answer = self.same(*files, **situation)
        if answer.failure:
            return None
        found = [path for path in answer.mapped if os.path.basename(path) == name]
        return Path(found[0]).parent.name if found else None
