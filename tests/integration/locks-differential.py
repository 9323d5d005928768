# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""Random requirement sets, resolved by uv and by pip from wheels that have the names, versions and requirements of
NVIDIA's: `cuda-cc target lock:...` has the versions that installing the lock brings.

Set N of a run is made from CUDACC_TEST_SEED + N; CUDACC_TEST_LINES sets the number of sets."""
import json
import os
import random
import re
import shutil
import sys
from email.parser import HeaderParser

from packaging.utils import canonicalize_name

import madewheel
import wheels
from sandbox import Sandbox, skip

SEED = int(os.environ.get("CUDACC_TEST_SEED") or random.randrange(1 << 32))
LINES = int(os.environ.get("CUDACC_TEST_LINES") or (300 if os.environ.get("CUDACC_TEST_ALL") else 3))
print(f"CUDACC_TEST_SEED={SEED} CUDACC_TEST_LINES={LINES}")
sandbox = Sandbox()
UV = wheels.cache_root() / "wheels/uv-0.13.9-x86_64/uv-0.13.9.data/scripts/uv"
if not os.access(UV, os.X_OK):
    skip("uv is not in the cache")
OWN = ["alpha", "beta", "gamma", "delta"]
# Those that hold here, and those that do not: both readers see the same machine.
MARKERS = ["", "", "", "sys_platform == 'linux'", "platform_machine == 'x86_64'", "sys_platform == 'win32'",
           "platform_machine == 'aarch64' and sys_platform == 'linux'", "python_version >= '3.8'",
           "python_full_version < '3.8'", "sys_platform != 'darwin' or platform_machine == 'arm64'"]


def nvidias():
    """Name to versions, each with its requirements, of those in the cache."""
    found = {}
    for path in sorted(wheels.cache_root().glob("wheels/nvidia-*-x86_64/*.dist-info/METADATA")):
        headers = HeaderParser().parsestr(path.read_text(encoding="utf-8"))
        found.setdefault(canonicalize_name(headers["Name"]),
                         {})[headers["Version"]] = headers.get_all("Requires-Dist", [])
    return found


class Set:
    def __init__(self, seed, known):
        self.choice = random.Random(seed)
        self.known = known
        self.folder = sandbox.work / "set"
        shutil.rmtree(self.folder, ignore_errors=True)
        self.index = self.folder / "index"
        self.line = self.choice.choice(["cu12", "cu13"])
        self.names = [name for name in known if name.endswith("-cu12") == (self.line == "cu12") and "cu11" not in name]
        for name in self.names:
            for version, requires in known[name].items():
                self.wheel(name, version, requires)
        self.told = []
        for name in OWN:
            for version in ("1.0", "1.5", "2.0"):
                requires = self.requirements(OWN[OWN.index(name) + 1:], self.choice.randint(0, 2))
                extra = [f"{each.partition(';')[0]}; extra == 'gpu'" for each in self.requirements([], 1)]
                self.wheel(name, version, [*requires, "Provides-Extra: gpu", *extra])
                self.told.append(f"{name} {version}: {requires} {extra}")
        self.requires = self.requirements(OWN, self.choice.randint(1, 4))
        self.told.append(f"requires {self.requires}")

    def often(self, probability):
        return self.choice.random() < probability

    def wheel(self, name, version, requires):
        lines = [each for each in requires if not each.startswith("Provides")]
        path = self.index / f"{name.replace('-', '_')}-{version}-py3-none-any.whl"
        provides = [each for each in requires if each.startswith("Provides")]
        madewheel.write(path, {f"{name.replace('-', '_')}.py": b""}, *lines)
        if provides:
            self.provide(path, provides)

    @staticmethod
    def provide(path, lines):
        """Adds headers to the METADATA."""
        members = madewheel.zipfile.ZipFile(path)
        files = {name: members.read(name) for name in members.namelist() if not name.endswith("/RECORD")}
        info = next(name for name in files if name.endswith("/METADATA"))
        files[info] += "".join(f"{each}\n" for each in lines).encode()
        madewheel.pack(path, files, info.partition("/")[0])

    def requirements(self, others, number):
        """Of NVIDIA's names and of our own."""
        result = []
        for _ in range(number):
            marker = self.choice.choice(MARKERS)
            if others and self.often(0.5):
                name = self.choice.choice(others) + self.choice.choice(["", "[gpu]", ""])
                clause = self.choice.choice(["", ">=1.0", "<2", "~=1.0", "==1.*", "!=2.0"])
            else:
                name = self.choice.choice(self.names)
                version = self.choice.choice(sorted(self.known[name]))
                short = ".".join(version.split(".")[:2])
                clause = self.choice.choice(["", "", f"=={version}", f">={short}", f"<={version}", f"~={short}",
                                             f"=={short}.*", f"!={version}"])
            result.append(f"{name}{clause}" + (f"; {marker}" if marker else ""))
        return result

    def run(self, *words):
        return sandbox.run(*words, cwd=self.folder, UV_CACHE_DIR=sandbox.root / "uv", UV_OFFLINE="1",
                           UV_PYTHON=sys.executable, UV_PYTHON_DOWNLOADS="never", PIP_NO_INDEX="1",
                           PIP_FIND_LINKS=self.index)

    def by_uv(self):
        """The locks that uv writes."""
        (self.folder / "pyproject.toml").write_text(
            "[project]\nname = \"root\"\nversion = \"1\"\nrequires-python = \">=3.9\"\n"
            f"dependencies = {json.dumps(self.requires)}\n[tool.uv]\nno-index = true\nfind-links = [\"index\"]\n")
        if self.run(UV, "lock").status != 0:
            return []
        locks = [self.folder / "uv.lock"]
        for name, form in (("requirements.txt", "requirements.txt"), ("pylock.toml", "pylock.toml")):
            done = self.run(UV, "export", "--frozen", "--no-emit-project", "--format", form, "-o", name)
            assert done.status == 0, done
            locks.append(self.folder / name)
        return locks

    def by_pip(self):
        done = self.run(*wheels.pip_command(), "lock", "-o", "pylock.pip.toml", *self.requires)
        return [self.folder / "pylock.pip.toml"] if done.status == 0 else []

    def installed(self, lock):
        """Name to version of what installing the lock brings."""
        site = self.folder / f"site-{lock.name}"
        source = {"uv.lock": "requirements.txt"}.get(lock.name, lock.name)
        done = self.run(UV, "pip", "install", "--no-index", "--find-links", self.index, "--target", site, "-r", source)
        assert done.status == 0, done
        parts = [path.name.removesuffix(".dist-info").rpartition("-") for path in site.glob("*.dist-info")]
        return {canonicalize_name(name): version for name, _, version in parts}


def pinned(lock):
    """Name to version of the rows of a target, or None if the lock pins no CUDA library."""
    ended = sandbox.cc("target", "--format=json", "--runtime", f"lock:{lock}")
    if ended.status != 0:
        return ended.codes
    value = json.loads(ended.out)
    return {row["dist"]: row["version"] for row in value["libraries"] if row.get("dist")}


def differences(case):
    for lock in [*case.by_uv(), *case.by_pip()]:
        counts["locks"] += 1
        installed = case.installed(lock)
        expected = libraries & set(installed)
        got = pinned(lock)
        if isinstance(got, list):
            counts["refused"] += 1
            # Nothing of CUDA, or of more than one release.
            if got not in (["CC2007"], ["CC3003"], ["CC3004"]) or (got == ["CC2007"] and expected):
                yield f"{lock.name}: {got}, installed {installed}"
            continue
        got = {name: version for name, version in got.items() if name in case.names}
        counts["rows"] += len(got)
        if expected - set(got) or any(installed.get(name) != version for name, version in got.items()):
            yield f"{lock.name}: target {got}, installed {installed}"


known = nvidias()
# Distributions that bring libraries which cuda-cc has tables of.
libraries = {name for name in known
             if re.match(r"nvidia-(cublas|cuda-runtime|cusparse|nvjitlink|cusolver|cufft|curand)\b", name)
             and "cublasmp" not in name and "cusparselt" not in name}
counts = {"locks": 0, "rows": 0, "refused": 0}
wrong = 0
for number in range(LINES):
    case = Set(SEED + number, known)
    found = list(differences(case))
    if found:
        wrong += 1
        print("\n  ".join([f"CUDACC_TEST_SEED={SEED + number} CUDACC_TEST_LINES=1", *case.told, *found]), flush=True)
print(f"{LINES} sets, {counts}, {wrong} differ")
assert not wrong
