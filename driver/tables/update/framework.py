# SPDX-License-Identifier: Apache-2.0
"""Writes a facts file for releases of other frameworks from the metadata of their wheels.

    framework.py REQUIREMENT... [--output FILE] [--metadata FOLDER] [--all]

REQUIREMENT is for example `jax[cuda12]==0.12.1` or `vllm==0.40.0`, with names and extras as in
framework_names.json. The script downloads METADATA only, no wheels: the requirements of the release and of
the distributions that its extras name. It writes the rows of framework_targets that the data file lacks;
--all also writes those that it has.
--metadata: read METADATA from files NAME-VERSION.METADATA in FOLDER instead of from the index.
"""

import argparse
import sys
from pathlib import Path

import torch as common
from torch import FactsError, Requirement, applying, floor_of, normal, rows_of, spec_of


def is_exact(requirement):
    return any(clause.operator == "==" and not clause.version.endswith(".*")
               for clause in requirement.specifier)


class Release:
    """One release, as a row of framework_targets."""

    def __init__(self, text, facts, source):
        self.facts, self.source = facts, source
        self.requirement = Requirement(text)
        self.version = floor_of(self.requirement, None) if is_exact(self.requirement) else None
        if not self.version:
            raise FactsError(f"{text} names no release: write NAME==VERSION")
        self.name = self.name_of(text)
        self.pins, self.sources, self.toolkit = {}, [], None

    def name_of(self, text):
        called = [row for row in rows_of("framework_names")
                  if row["name"] == normal(self.requirement.name)]
        fits = [row for row in called if set(row["extras"]) <= self.requirement.extras]
        if not fits:
            known = sorted({row["name"] + (f"[{','.join(row['extras'])}]" if row["extras"] else "")
                            for row in called})
            raise FactsError(f"framework_names.json has no {text}"
                             + (f"; it has {', '.join(known)}" if known else ""))
        return max(fits, key=lambda row: len(row["extras"]))

    def is_known(self):
        return any(row["framework"] == self.name["framework"] and self.version in row["versions"]
                   and self.name["cuda_major"] in (None, row["cuda_major"])
                   for row in rows_of("framework_targets"))

    def read(self):
        self.walk(self.requirement.name, self.version, self.requirement.extras, set())
        exact = {name: floor_of(r, None) for name, r in self.pins.items() if is_exact(r)}
        meta = self.pins.get("cuda-toolkit")
        if meta and is_exact(meta):
            self.toolkit = common.release_of(floor_of(meta, None))
        else:
            self.toolkit = self.facts.toolkit_of(exact)

    def walk(self, name, version, extras, seen):
        """Parts of the framework: they are required with an extra and have the framework's version."""
        found = self.source.get(normal(name), version)
        if not found:
            raise FactsError(f"no METADATA of {name} {version}")
        self.sources.append(f"METADATA of {found[0]}")
        required = [*applying(found[1])]
        if extras:
            required += applying(found[1], tuple(sorted(extras)))
        for each in required:
            part = normal(each.name)
            if part in ("torch", "cuda-toolkit") or self.facts.concerns(part):
                self.pins.setdefault(part, each)
            elif each.extras and each.specifier.contains(version) and part not in seen:
                seen.add(part)
                self.walk(part, version, each.extras, seen)

    def runtime(self):
        for name, requirement in self.pins.items():
            if name.startswith("nvidia-cuda-runtime"):
                return ".".join((floor_of(requirement, None) or "").split(".")[:2])
        return ""

    def major(self):
        """The CUDA major, from the names of the required distributions or from the torch that it was built with."""
        majors = {name.rsplit("-cu", 1)[1] for name in self.pins if "-cu1" in name}
        if meta := self.pins.get("cuda-toolkit"):
            majors.add(floor_of(meta, "").split(".")[0])
        if torch := self.pins.get("torch"):
            minor = ".".join((floor_of(torch, None) or "").split(".")[:2])
            majors |= {row["cuda"].split(".")[0] for row in rows_of("torch_pypi_default")
                       if row["torch"] == minor}
        if len(majors) != 1:
            raise FactsError(f"{self.requirement}: its metadata does not say for which CUDA major "
                             "it is")
        return majors.pop()

    def kind(self):
        if not any(is_exact(r) or r.specifier for r in self.pins.values()):
            return "none"
        if set(self.pins) == {"torch"}:
            return "built_with"
        own = [r for name, r in self.pins.items() if name != "torch"]
        return "exact" if all(is_exact(r) for r in own) else "floor"

    def row(self):
        line = ".".join(self.toolkit.split(".")[:2]) if self.toolkit else ""
        least = line or self.runtime() or None
        major = self.name["cuda_major"] or (least or "").split(".")[0] or self.major()
        pins = [{"dist": name, "spec": spec_of(r), "kind": "direct", "floor": floor_of(r, None),
                 "seen": [], "confidence": None} for name, r in sorted(self.pins.items())]
        return {"framework": self.name["framework"], "version": self.version,
                "versions": [self.version], "cuda_major": major, "cuda_min": least,
                "cuda_max": line or None, "cuda_versions": [], "ctk": self.toolkit,
                "pin_kind": self.kind(), "pins": pins, "min_driver_branch": None, "note": None,
                "source": "; ".join(self.sources), "confidence": "verified"}


def collect(arguments):
    facts, source = common.Facts(), common.Source(arguments.metadata)
    rows = []
    for text in arguments.requirement:
        release = Release(text, facts, source)
        if release.is_known() and not arguments.all:
            print(f"framework.py: {text} is known already", file=sys.stderr)
            continue
        release.read()
        rows.append(release.row())
    return {"framework_targets": rows} if rows else {}


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("requirement", nargs="+")
    parser.add_argument("--output", type=Path)
    parser.add_argument("--metadata", type=Path)
    parser.add_argument("--all", action="store_true")
    arguments = parser.parse_args()
    try:
        common.write(collect(arguments), arguments.output)
    except (FactsError, ValueError, common.wheels.WheelError) as error:
        print(f"framework.py: error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
