# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""Random environments of NVIDIA's real wheels, in random versions, with extensions whose search paths and imports fit
or not: what `doctor` predicts is what `trace` sees. The end, the loader's message, and the libraries that are loaded
are equal, and the simulation of `trace` itself differs nowhere.

Environment N of a run is made from CUDACC_TEST_SEED + N; CUDACC_TEST_LINES sets their number."""
import functools
import json
import os
import random
import re
import shutil
import subprocess
from collections import defaultdict

import installed
import tinyelf
import wheels
from sandbox import Sandbox, skip

SEED = int(os.environ.get("CUDACC_TEST_SEED") or random.randrange(1 << 32))
LINES = int(os.environ.get("CUDACC_TEST_LINES") or (200 if os.environ.get("CUDACC_TEST_ALL") else 4))
print(f"CUDACC_TEST_SEED={SEED} CUDACC_TEST_LINES={LINES}")
sandbox = Sandbox()

# Opens its arguments as Python opens extension modules.
OPENER = """import ctypes, sys
for path in sys.argv[1:]:
    try:
        ctypes.CDLL(path)
    except OSError as error:
        print(error)
        sys.exit(1)
"""


def families(pattern):
    """The versions in the cache by name."""
    found = defaultdict(list)
    for wheel in sorted(wheels.cache_root().glob("wheels/nvidia-*-x86_64")):
        name, _, version = wheel.name.removesuffix("-x86_64").rpartition("-")
        libraries = sorted(wheel.glob("nvidia/*/lib/lib*.so.*"))
        if re.fullmatch(pattern, name) and libraries:
            found[name].append((version, wheel, libraries))
    return found


# Of CUDA 13 most have no number of the line in their names.
LINES_OF_CUDA = [families(r"nvidia-(\w+-)*cu12"), families(r"nvidia-(\w+-)*(cu13|\w+(?<!cu11)(?<!cu12))")]
if min(map(len, LINES_OF_CUDA)) < 4:
    skip("the wheels are not in the cache")


@functools.cache
def exports(path):
    text = subprocess.run(["nm", "-D", "--defined-only", path], text=True, stdout=subprocess.PIPE).stdout
    return re.findall(r"^\S* [TW] (\w+)(?:@@(\S+))?$", text, re.M)


class Environment:
    def __init__(self, seed):
        self.choice = random.Random(seed)
        self.told = []
        self.prefix = sandbox.work / "env"
        shutil.rmtree(self.prefix, ignore_errors=True)
        self.site = installed.venv(self.prefix)
        wanted = self.choice.choice(LINES_OF_CUDA)
        self.libraries = []
        for name in self.choice.sample(sorted(wanted), self.choice.randint(2, min(7, len(wanted)))):
            version, wheel, libraries = self.choice.choice(wanted[name])
            wheels.link_tree(wheel, self.site)
            self.libraries += [self.site / path.relative_to(wheel) for path in libraries]
            self.told.append(f"{name}=={version}")
        # The same names in another version, for LD_LIBRARY_PATH and imports.
        self.others = [path for name in wanted for _, _, libraries in wanted[name] for path in libraries]
        self.library_path = None
        if self.often(0.3):
            self.library_path = str(self.choice.choice(self.others).parent)
            self.told.append(f"LD_LIBRARY_PATH={self.library_path}")
        (self.site / "pkg").mkdir()
        self.files = [self.extension(f"e{number}.so") for number in range(self.choice.choice([1, 1, 2]))]

    def often(self, probability):
        return self.choice.random() < probability

    def imports(self, needed):
        """Some of what the library of that name exports, in this version or another."""
        result = []
        for path in needed:
            copies = [other for other in self.others if other.name == path.name]
            known = exports(self.choice.choice(copies) if copies and self.often(0.4) else path)
            for symbol, node in self.choice.sample(known, min(len(known), self.choice.choice([0, 1, 4]))):
                node = node if self.often(0.7) else ""
                if symbol not in [each.name for each in result]:
                    result.append(tinyelf.Import(symbol, node, path.name if node else "", lazy=self.often(0.5)))
        return result

    def extension(self, name):
        needed = self.choice.sample(self.libraries, min(len(self.libraries), self.choice.choice([1, 1, 2, 3])))
        folders = [f"$ORIGIN/{os.path.relpath(path.parent, self.site / 'pkg')}" for path in needed if self.often(0.9)]
        more = [f"$ORIGIN/{os.path.relpath(path.parent, self.site / 'pkg')}" for path in self.libraries]
        folders += more if self.often(0.5) else []
        tag = self.choice.choice(["rpath", "rpath", "runpath"])
        words = {"needs": list(dict.fromkeys(path.name for path in needed)), "imports": self.imports(needed),
                 tag: ":".join(dict.fromkeys(folders))}
        if self.often(0.1):
            words["needs"].append(self.choice.choice(["libcudart.so.12", "libcublas.so.12", "libnvJitLink.so.13",
                                                      "libz.so.1"]))
        path = self.site / "pkg" / name
        path.write_bytes(tinyelf.library(soname=name, **words))
        self.told.append(f"{name} {words}")
        return path


def doctor(environment):
    ended = sandbox.cc("doctor", "--format=json", *environment.files, LD_LIBRARY_PATH=environment.library_path)
    assert ended.status in (0, 3, 4) and ended.out, ended
    return json.loads(ended.out)["files"]


def traced(environment, path):
    output = sandbox.root / "trace.json"
    ended = sandbox.cc("trace", "--format=json", "--output", output, "--", environment.prefix / "bin/python", "-c",
                       OPENER, path,
                       LD_LIBRARY_PATH=environment.library_path)
    assert output.is_file(), ended
    return ended, json.loads(output.read_text())["processes"][0]


def of_cuda(paths):
    return sorted({os.path.realpath(path) for path in paths if "/nvidia/" in path})


def differences(environment):
    for path, file in zip(environment.files, doctor(environment), strict=True):
        ended, process = traced(environment, path)
        counts["files"] += 1
        counts["fails"] += ended.status != 0
        ends = "loads" if ended.status == 0 else "fails" if ended.status == 1 else "aborts"
        if file["ends"] != ends:
            yield f"{path.name}: ends: doctor {file['ends']}, really {ends}: {ended.out}{ended.err}"
        elif ends == "fails" and file["predicted"] != ended.out.strip():
            yield f"{path.name}: message: doctor {file['predicted']!r}, really {ended.out.strip()!r}"
        elif ends == "loads" and (file["verdict"] == "reject" and not file["findings"]):
            yield f"{path.name}: rejected without a finding"
        if ends == "loads":
            mine = of_cuda(each["path"] for each in file["loaded"])
            seen = of_cuda(each["path"] for library in process["libraries"] for each in library["copies"]
                           if each["loaded"])
            if mine != seen:
                yield f"{path.name}: loaded:\n    doctor {mine}\n    trace  {seen}"
        if process["simulation"]["differences"]:
            yield f"{path.name}: trace simulates otherwise: {process['simulation']['differences']}"


counts = {"files": 0, "fails": 0}
wrong = 0
for number in range(LINES):
    environment = Environment(SEED + number)
    found = list(differences(environment))
    if found:
        wrong += 1
        print("\n  ".join([f"CUDACC_TEST_SEED={SEED + number} CUDACC_TEST_LINES=1", *environment.told, *found]),
              flush=True)
print(f"{LINES} environments, {counts}, {wrong} differ")
assert not wrong
