# SPDX-License-Identifier: Apache-2.0
"""CMake projects with every CMake version, generator and linker that the tests use."""

import itertools
import re
import shutil
from dataclasses import dataclass
from pathlib import Path

from sandbox import ALL, skip, tools, wheel

GENERATORS = {"Ninja": "ninja", "Unix Makefiles": "make", "Ninja Multi-Config": "ninja"}
LINKERS = {"bfd": "ld.bfd", "gold": "ld.gold", "lld": "ld.lld", "mold": "mold"}
NEWEST = "4.4.4"
# The machine's own (Debian 12 has 3.25), and wheels: the newest, some others, the oldest supported version.
VERSIONS = ["machine", NEWEST, "4.3.4", "4.2.3", "3.31.10", "3.21.4"]


@dataclass(frozen=True)
class Way:
    """One combination of the tools that build a project."""
    cmake: str
    generator: str
    linker: str

    @property
    def program(self):
        if self.cmake == "machine":
            return shutil.which("cmake")
        return wheel(f"cmake=={self.cmake}") / "cmake/data/bin/cmake"

    @property
    def multi(self):
        return "Multi" in self.generator

    def __str__(self):
        return f"CMake {self.cmake}, {self.generator}, {self.linker}"


def available():
    generators = [name for name, tool in GENERATORS.items() if tools(tool)]
    linkers = [name for name, tool in LINKERS.items() if tools(tool)]
    if not tools("cmake") or not generators:
        skip("no cmake, or neither ninja nor make")
    return generators, linkers


def rows(*axes):
    """Rows that contain every value of each axis; all combinations in `./dev test --all`."""
    if ALL:
        return list(itertools.product(*axes))
    return [tuple(axis[at % len(axis)] for axis in axes) for at in range(max(map(len, axes)))]


def combinations(versions=("machine", NEWEST)):
    return [Way(*row) for row in rows(VERSIONS if ALL else versions, *available())]


class Project:
    """A source folder and its build directory."""

    def __init__(self, sandbox, way, source, build, *settings, **environment):
        self.sandbox, self.way, self.environment = sandbox, way, environment
        self.source, self.build = sandbox.work / source, sandbox.work / build
        self.settings = list(settings)

    def cmake(self, *words, **more):
        return self.sandbox.run(self.way.program, *words, **{**self.environment, **more})

    def configure(self, *more):
        words = [*self.settings, *more]
        if not self.way.multi:
            words.append("-DCMAKE_BUILD_TYPE=Release")
        return self.cmake("-S", self.source, "-B", self.build, "-G", self.way.generator, *words)

    def make(self, *words):
        return self.cmake("--build", self.build, "--parallel", "2", *self.config, *words)

    def install(self, *words, **environment):
        return self.cmake("--install", self.build, *self.config, *words, **environment)

    @property
    def config(self):
        return ["--config", "Release"] if self.way.multi else []

    @property
    def binaries(self):
        """The folder of the linked files."""
        return self.build / "Release" if self.way.multi else self.build

    def all(self):
        """Configures and builds."""
        good(self.configure(), self.way)
        return good(self.make(), self.way)


def good(ended, what=""):
    assert ended.status == 0 and "cuda-cc:" not in ended.out + ended.err, f"{what}: {ended}"
    return ended


def copied(ended):
    """Names of the files that an installation copied."""
    return {Path(path).name for path in re.findall(r"^-- Installing: (.+)$", ended.out, re.M)}


def forget(*paths):
    for path in paths:
        shutil.rmtree(path, ignore_errors=True)
