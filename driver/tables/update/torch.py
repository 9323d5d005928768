# SPDX-License-Identifier: Apache-2.0
"""Writes a facts file for torch releases from the metadata of their wheels.

    torch.py VERSION... [--output FILE] [--toolkit X.Y.Z] [--metadata FOLDER] [--all]

Downloads METADATA only, no wheels: the requirements of torch, of the cuda-toolkit metapackage that newer
releases require instead of single wheels, and of the pinned wheels. Writes rows in the format of data/*.json,
but only those that the data files lack; --all also writes the known ones. The CUDA line of a release is that
of its toolkit, or of the CUDA runtime it pins. 9.9.0 is PyPI's build; 9.9.0+cu126 has a local label and is
not on PyPI, so pip's own variables must name another index. --toolkit: the toolkit release of the build, if
no metadata names it. --metadata: read METADATA from files NAME-VERSION.METADATA in FOLDER instead of from
the index.
"""

import argparse
import email
import json
import re
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tests/support"))
import wheels  # noqa: E402

try:
    from packaging.requirements import Requirement
    from packaging.version import Version
except ImportError:
    from pip._vendor.packaging.requirements import Requirement
    from pip._vendor.packaging.version import Version

DATA = ROOT / "driver/tables/data"
MACHINE = {
    "implementation_name": "cpython", "implementation_version": "3.12.0", "os_name": "posix",
    "platform_machine": "x86_64", "platform_python_implementation": "CPython",
    "platform_release": "", "platform_system": "Linux", "platform_version": "",
    "python_full_version": "3.12.0", "python_version": "3.12", "sys_platform": "linux",
}


TABLES = ("ctk_component_versions", "nvidia_wheel_versions", "torch_wheel_pins",
          "pytorch_cuda_lines", "torch_pypi_default")


class FactsError(Exception):
    pass


def rows_of(table, data=DATA):
    return json.loads((data / f"{table}.json").read_text())["rows"]


def normal(name):
    return re.sub(r"[-_.]+", "-", name).lower()


class Source:
    """METADATA by name and version, each read once."""

    def __init__(self, folder):
        self.folder, self.known = folder, {}

    def prefetch(self, wanted):
        """Downloads all with one pip call; if that fails, each one separately."""
        wanted = [pair for pair in wanted if pair not in self.known]
        if self.folder or not wanted:
            return
        with tempfile.TemporaryDirectory() as folder:
            target = Path(folder) / "report.json"
            try:
                wheels.pip("install", "--quiet", "--dry-run", "--ignore-installed", "--target",
                           folder, *wheels.selection("x86_64"), "--report", target,
                           *(f"{name}=={version}" for name, version in wanted))
            except wheels.WheelError:
                return
            for entry in json.loads(target.read_text())["install"]:
                self.take(entry)

    def take(self, entry):
        data = entry["metadata"]
        file = entry["download_info"]["url"].rsplit("/", 1)[1].replace("%2B", "+")
        self.known[normal(data["name"]), data["version"]] = (file, data.get("requires_dist") or [])

    def get(self, name, version, machine="x86_64"):
        """The wheel's file name and its requirements, or None."""
        if self.folder:
            paths = [self.folder / f"{name}-{version}{tail}.METADATA" for tail in (f"-{machine}", "")]
            path = next((path for path in paths if path.exists()), None)
            if not path:
                return None
            headers = email.message_from_string(path.read_text())
            return path.name, headers.get_all("Requires-Dist") or []
        if machine != "x86_64":
            other = Source(None)
            other.take(wheels.report(name, version, machine))
            return next(iter(other.known.values()))
        if (name, version) not in self.known:
            try:
                self.take(wheels.report(name, version))
            except wheels.WheelError:
                return None
        found = [value for (known, number), value in self.known.items()
                 if known == name and Version(number) == Version(version)]
        return found[0] if found else None


def applying(texts, extras=("",), machine="x86_64"):
    """The requirements that apply on Linux; with an extra, only those that the extra adds."""
    system = {**MACHINE, "platform_machine": machine}
    for text in texts:
        requirement = Requirement(text)
        marker = requirement.marker
        if marker is None:
            if "" in extras:
                yield requirement
        elif any(marker.evaluate({**system, "extra": extra}) for extra in extras):
            # Requirements that hold without the extra were yielded before.
            if extras == ("",) or not marker.evaluate({**system, "extra": ""}):
                yield requirement


def spec_of(requirement):
    order = {"==": 0, "~=": 0, ">": 0, ">=": 0}
    clauses = sorted(requirement.specifier, key=lambda c: (order.get(c.operator, 1), str(c)))
    return ",".join(str(clause) for clause in clauses)


def floor_of(requirement, component):
    """The version that a requirement enforces: the one it names, or the oldest that it allows."""
    bounds = [clause.version.removesuffix(".*") for clause in requirement.specifier
              if clause.operator in ("==", ">=", "~=", "===")]
    return max(bounds, key=Version) if bounds else component


def pin(requirement, kind, component):
    floor = floor_of(requirement, component)
    if floor is None:
        raise FactsError(f"{requirement.name} has no bound, and no toolkit release is known "
                         "whose version could stand in: --toolkit")
    return {"dist": normal(requirement.name), "spec": spec_of(requirement), "kind": kind,
            "floor": floor, "seen": [], "confidence": None}


class Facts:
    def __init__(self, data=DATA):
        self.data = data
        self.toolkits = {row["ctk"]: row for row in self.rows_of("ctk_component_versions")}
        self.dists = {row["dist"] for row in self.rows_of("nvidia_wheel_versions")}
        self.known = {}
        for row in self.rows_of("torch_wheel_pins"):
            for version in row["torch_versions"]:
                self.known[version, row["cuda"]] = row
        self.new_toolkits = {}

    def rows_of(self, table):
        return rows_of(table, self.data)

    def concerns(self, name):
        return normal(name) in self.dists or normal(name).startswith("nvidia-")

    def components(self, release):
        row = self.toolkits.get(release) or self.new_toolkits.get(release)
        return row["components"] if row else {}

    def add_toolkit(self, release, found):
        """A toolkit release consists of what the metapackage's extra `all` requires."""
        file, texts = found
        components, overrides = {}, {}
        for requirement in applying(texts, ("all",)):
            name, floor = normal(requirement.name), floor_of(requirement, None)
            if floor is None:
                raise FactsError(f"{file}: {requirement} has no bound")
            components[name] = floor
            if not any(clause.operator == "==" for clause in requirement.specifier):
                overrides[name] = spec_of(requirement)
        if not components:
            raise FactsError(f"{file}: no extra 'all'")
        self.new_toolkits[release] = {
            "ctk": release, "date": None, "complete": True,
            "components": dict(sorted(components.items())), "wheel_overrides": overrides,
            "note": None, "source": f"METADATA of {file}", "confidence": "verified"}

    def toolkit_of(self, exact):
        """The toolkit release that has every one of these exact versions, if exactly one has."""
        fits = []
        for release, row in {**self.toolkits, **self.new_toolkits}.items():
            shared = [dist for dist in exact if dist in row["components"]]
            if shared and all(row["components"][dist] == exact[dist] for dist in shared):
                fits.append(release)
        return fits[0] if len(fits) == 1 else None


def release_of(version):
    """Returns 13.0.2 for the metapackage versions 13.0.2, 13.0.2.0 and 13.0.2.*"""
    return ".".join(version.removesuffix(".*").split(".")[:3])


class Torch:
    """One build, as a row of torch_wheel_pins."""

    def __init__(self, version, facts, source, toolkit):
        self.version, self.facts, self.source, self.toolkit = version, facts, source, toolkit
        found = source.get("torch", version)
        if not found:
            raise FactsError(f"no METADATA of torch {version}")
        self.file, texts = found
        self.sources = [f"METADATA of {self.file}"]
        self.required = [r for r in applying(texts) if facts.concerns(r.name)]
        self.pins = {}

    def read(self):
        meta = next((r for r in self.required if normal(r.name) == "cuda-toolkit"), None)
        if meta:
            self.read_metapackage(meta)
        exact = {normal(r.name): floor_of(r, None) for r in self.required
                 if any(clause.operator == "==" for clause in r.specifier)}
        self.toolkit = self.toolkit or self.facts.toolkit_of(exact)
        if self.toolkit and not self.facts.components(self.toolkit):
            self.read_toolkit(self.toolkit)
        for requirement in self.required:
            self.add(requirement, "direct")
        self.read_transitive()
        if not self.pins:
            raise FactsError(f"{self.file} requires no CUDA library")

    def read_toolkit(self, release):
        found = self.source.get("cuda-toolkit", release)
        if not found:
            raise FactsError(f"no METADATA of cuda-toolkit {release}")
        if release not in self.facts.toolkits and release not in self.facts.new_toolkits:
            self.facts.add_toolkit(release, found)
        return found

    def read_metapackage(self, requirement):
        release = release_of(floor_of(requirement, None) or "")
        if self.toolkit not in (None, release):
            raise FactsError(f"torch {self.version} requires cuda-toolkit {release}")
        self.toolkit = release
        found = self.read_toolkit(release)
        self.sources.append(f"extras: METADATA of {found[0]}")
        for extra in sorted(requirement.extras):
            for each in applying(found[1], (extra,)):
                self.add(each, "extra")

    def add(self, requirement, kind):
        name = normal(requirement.name)
        if name not in self.pins or kind == "direct":
            component = self.facts.components(self.toolkit).get(name)
            self.pins[name] = pin(requirement, kind, component)

    def read_transitive(self):
        """Distributions that only other wheels require."""
        todo = [(name, row["floor"]) for name, row in self.pins.items()
                if name.startswith("nvidia-") and row["spec"].startswith("==")]
        self.source.prefetch(todo)
        for name, version in todo:
            found = self.source.get(name, version)
            for requirement in applying(found[1]) if found else ():
                if self.facts.concerns(requirement.name) and \
                        normal(requirement.name) not in self.pins:
                    self.add(requirement, "transitive")
                    self.sources.append(f"transitive: METADATA of {found[0]}")

    def line(self):
        if self.toolkit:
            return ".".join(self.toolkit.split(".")[:2])
        for name, row in self.pins.items():
            if name.startswith("nvidia-cuda-runtime"):
                return ".".join(row["floor"].split(".")[:2])
        raise FactsError(f"nothing in {self.file} says which CUDA line it is of: --toolkit")

    def row(self, default):
        line = self.line()
        return {"torch": ".".join(self.version.split(".")[:2]),
                "torch_versions": [self.version.split("+")[0]], "cuda": line,
                "local_tag": "cu" + line.replace(".", ""), "pypi_default": default,
                "ctk": self.toolkit, "complete": True,
                "pins": [self.pins[name] for name in sorted(self.pins)], "note": None,
                "source": "; ".join(dict.fromkeys(self.sources)), "confidence": "verified"}


def same(row, known):
    """Whether both rows describe the same build; the columns `seen` and `note` may differ."""
    def core(pins):
        return [(p["dist"], p["spec"], p["kind"], p["floor"]) for p in pins]
    return core(row["pins"]) == core(known["pins"]) and row["ctk"] == known["ctk"]


def head(row):
    return {key: row[key] for key in ("torch", "cuda", "local_tag")}


def tail(row):
    return {"note": None, "source": row["source"], "confidence": row["confidence"]}


def unknown_wheels(row, facts):
    """Distributions that no data file has yet, each with the version that was found."""
    for each in row["pins"]:
        named = any(each["dist"] in kit["components"] for kit in facts.new_toolkits.values())
        if each["dist"] not in facts.dists and not named:
            yield {"dist": each["dist"], "component": each["dist"], "cuda_major": None,
                   "in_toolkit": False, "latest": each["floor"],
                   "versions": [[each["floor"], None, None, True, False, ""]], **tail(row)}


def collect(wanted, source, facts, toolkit=None, known_too=False):
    tables = {name: [] for name in TABLES}
    minors = {row["torch"] for row in facts.rows_of("torch_pypi_default")}
    for text in wanted:
        version, _, label = text.partition("+")
        torch = Torch(text, facts, source, toolkit)
        torch.read()
        row = torch.row(default=not label)
        if label and label != row["local_tag"]:
            raise FactsError(f"torch {text} has the libraries of {row['local_tag']}")
        known = facts.known.get((version, row["cuda"]))
        if known and not same(row, known):
            print(f"torch.py: torch {version} with CUDA {row['cuda']} is in "
                  "torch_wheel_pins.json with other pins", file=sys.stderr)
        if known and not known_too:
            print(f"torch.py: torch {version} is known already", file=sys.stderr)
            continue
        tables["torch_wheel_pins"].append(row)
        tables["nvidia_wheel_versions"] += unknown_wheels(row, facts)
        lines = tables["pytorch_cuda_lines"]
        if all(head(line) != head(row) for line in [*lines, *facts.rows_of("pytorch_cuda_lines")]):
            lines.append({**head(row), "release_md_status": "not_listed",
                          "pypi_default": row["pypi_default"], "index_listed": None,
                          "ctk": row["ctk"], "cudnn_release_md": None, "nccl_release_md": None,
                          **tail(row)})
        if row["pypi_default"] and row["torch"] not in minors:
            minors.add(row["torch"])
            tables["torch_pypi_default"].append(
                {**head(row), "released": None, "release_date_is_plan": False,
                 "cxx_standard": None, **tail(row)})
    tables["ctk_component_versions"] = list(facts.new_toolkits.values())
    return {name: rows for name, rows in tables.items() if rows}


def write(tables, output):
    """One row per CUDA line, as in the data files."""
    parts = []
    for name, rows in tables.items():
        lines = ",\n   ".join(json.dumps(row, ensure_ascii=False) for row in rows)
        parts.append(f'  "{name}": [\n   {lines}\n  ]')
    text = ('{\n "schema": 1,\n "description": "Rows beside cuda-cc\'s own; docs/facts.md.",\n'
            ' "tables": {\n' + ",\n".join(parts) + "\n }\n}\n")
    if output:
        output.write_text(text)
    else:
        sys.stdout.write(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("version", nargs="+")
    parser.add_argument("--output", type=Path)
    parser.add_argument("--toolkit")
    parser.add_argument("--metadata", type=Path)
    parser.add_argument("--all", action="store_true")
    arguments = parser.parse_args()
    try:
        tables = collect(arguments.version, Source(arguments.metadata), Facts(), arguments.toolkit,
                         arguments.all)
        write(tables, arguments.output)
    except (FactsError, wheels.WheelError) as error:
        print(f"torch.py: error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
