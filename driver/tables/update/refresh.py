# SPDX-License-Identifier: Apache-2.0
"""Rows for the releases that the package index has and the data files do not.

    refresh.py [--dry-run] [--metadata-only] [--data FOLDER] [--index URL] [--metadata FOLDER]
               [--date YYYY-MM-DD]

Asks the index that pip asks for the releases of torch, of the cuda-toolkit metapackage and of every
distribution in nvidia_wheel_versions.json, and appends rows: torch_wheel_pins, pytorch_cuda_lines,
torch_pypi_default, torch_platforms, ctk_component_versions, nvidia_wheel_versions. Each new row says in
`since` which release of the data added it; release.json and the counts in README.md are raised. Then
the wheels of a new release are read, and the newest of each distribution: symbols/, aarch64_exports and
torch-names.bin (--metadata-only: not). --dry-run
lists what is new. --metadata: recorded pages NAME.json (the simple API's) and NAME-VERSION.METADATA
files are read from FOLDER, and no index is asked.

What the index cannot say of a new toolkit (PTX, drivers, architectures...) stays unknown; the end of the
output names those tables, and what tells it.

Exit status: 0 nothing is newer, or --dry-run; 1 the index or the data cannot be read; 2 usage; 3 rows were
added; 4 rows were added, and some are missing.
"""

import argparse
import concurrent.futures
import datetime
import json
import re
import struct
import subprocess
import sys
import urllib.parse
import urllib.request
from pathlib import Path

import contents
import torch as torch_rows
import torch_names
from rowfile import RowFile
from torch import FactsError, Version, normal, wheels

HERE = Path(__file__).resolve().parent
MACHINES = ("x86_64", "aarch64")
# What no index tells of a new CUDA line, or of a new major: the table, the column that names the line, and what does.
BY_HAND = [
    ("ctk_ptx", "ctk", "the highest `.version` that the line's ptxas takes"),
    ("ptx_isa", "min_cuda", "the lowest line whose ptxas takes it"),
    ("ctk_ltoir", "ctk", "the version of the LTO-IR that `nvcc -dlto` writes"),
    ("ctk_driver", "ctk", "\"CUDA Driver\" in the toolkit's release notes"),
    ("nvjitlink_matrix", "producer", "each nvJitLink with what NVRTC of the line makes, and the reverse"),
]
BY_HAND_OF_MAJOR = [
    ("driver_major_floor", "cuda_major", "\"CUDA Driver\" in the release notes of the major"),
]
FILE = re.compile(r"(?P<name>[^-]+)-(?P<version>[^-]+)(?:-\d[^-]*)?-[^-]+-[^-]+-(?P<platform>[^-]+)\.whl")


class Release:
    """A version of a distribution on the index."""

    def __init__(self):
        self.machines, self.tags, self.yanked, self.file = set(), {}, True, ""

    def add(self, file, platform, yanked):
        for machine in MACHINES:
            if platform == "any" or re.search(rf"manylinux\w*_{machine}(\.|$)", platform):
                self.machines.add(machine)
                self.tags.setdefault(machine, set()).add(platform)
                self.file = max(self.file, file)
        self.yanked &= yanked

    @property
    def state(self):
        return "yanked" if self.yanked else ""


class Index:
    def __init__(self, url, folder):
        self.folder = folder
        self.url = None if folder else (url or torch_names.default_index()).rstrip("/")

    def page(self, dist):
        if self.folder:
            path = self.folder / f"{dist}.json"
            return json.loads(path.read_text()) if path.exists() else {"files": []}
        request = urllib.request.Request(f"{self.url}/{dist}/", headers={"Accept": torch_names.FORMAT})
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.load(answer)
        except (OSError, ValueError) as error:
            # Some distributions were never on the index.
            if getattr(error, "code", None) == 404:
                return {"files": []}
            raise FactsError(f"{self.url}/{dist}/ gives no list of files as JSON: {error}") from error

    def some_releases(self, dist):
        """releases(), of what every index has: one without it is not the index that was meant."""
        if found := self.releases(dist):
            return found
        raise FactsError(f"{self.url or self.folder} has no wheel of {dist}")

    def releases(self, dist):
        """Releases with a wheel for Linux, by version, ascending."""
        found = {}
        for entry in self.page(dist)["files"]:
            match = FILE.fullmatch(entry["filename"])
            if match and normal(match["name"]) == dist:
                found.setdefault(match["version"], Release()).add(
                    entry["filename"], match["platform"], bool(entry.get("yanked")))
        return {version: found[version] for version in sorted(found, key=Version)
                if found[version].machines}

    def wheel(self, dist, version, machine):
        """The URL of a version's wheel for Linux on that machine."""
        fitting = [entry for entry in self.page(dist)["files"]
                   if (match := FILE.fullmatch(entry["filename"])) and match["version"] == version
                   and (match["platform"] == "any" or match["platform"].endswith(f"_{machine}"))
                   and not match["platform"].startswith(("macosx", "musllinux", "win"))]
        if not fitting:
            raise FactsError(f"{self.url} has no wheel of {dist} {version} for {machine}")
        return urllib.parse.urljoin(f"{self.url}/{dist}/", max(fitting, key=lambda entry: entry["filename"])["url"])


def next_release(last, date):
    """2026.12.0, or the next number in the same month."""
    year, month, number = map(int, last.split("."))
    today = datetime.date.fromisoformat(date)
    if (today.year, today.month) > (year, month):
        return f"{today.year}.{today.month}.0"
    return f"{year}.{month}.{number + 1}"


class Refresh:
    def __init__(self, options):
        self.options = options
        self.index = Index(options.index, options.metadata)
        self.source = torch_rows.Source(options.metadata)
        names = (*torch_rows.TABLES, "torch_platforms", "release")
        self.tables = {name: RowFile(options.data / f"{name}.json") for name in names}
        self.torch, self.toolkits, self.wheels, self.added = [], [], {}, []
        self.platforms, self.components = {}, {}
        last = self.tables["release"].rows[0]["release"]
        self.release = next_release(last, options.date)

    def rows(self, name):
        return self.tables[name].rows

    def look(self):
        """What is new. Releases older than those of the data were left out on purpose."""
        known = {Version(each) for row in self.rows("torch_wheel_pins")
                 for each in row["torch_versions"] if row["pypi_default"]}
        pages = self.index.some_releases("torch")
        for version, release in pages.items():
            number = Version(version)
            if number not in known and number > min(known) and not release.yanked \
                    and not number.is_prerelease:
                self.torch.append(version)
                self.platforms[version] = release
        kits = {Version(row["ctk"]) for row in self.rows("ctk_component_versions")}
        for version, release in self.index.some_releases("cuda-toolkit").items():
            number = torch_rows.release_of(version)
            if not Version(version).is_prerelease and Version(number) not in kits and \
                    Version(number) > min(kits) and not release.yanked:
                self.toolkits.append((number, version))
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            todo = self.rows("nvidia_wheel_versions")
            for row, found in zip(todo, pool.map(lambda row: self.index.releases(row["dist"]), todo)):
                there = {Version(entry[0]) for entry in row["versions"]}
                fresh = {version: each for version, each in found.items()
                         if Version(version) not in there and Version(version) > min(there)}
                if fresh:
                    self.wheels[row["dist"]] = fresh

    def describe(self):
        return [*(f"torch {version}" for version in self.torch),
                *(f"CUDA {number}" for number, _ in self.toolkits),
                *(f"{dist} {version}" for dist, found in self.wheels.items() for version in found)]

    def append(self, name, rows):
        for row in rows:
            self.rows(name).append({**row, "since": self.release})

    def add_toolkits(self, facts):
        for number, version in self.toolkits:
            found = self.source.get("cuda-toolkit", version)
            if not found:
                raise FactsError(f"no METADATA of cuda-toolkit {version}")
            facts.add_toolkit(number, found)
            # Components for aarch64 alone are in no row of ctk_component_versions.
            for requirement in torch_rows.applying(found[1], ("all",), machine="aarch64"):
                self.components[number, normal(requirement.name)] = \
                    torch_rows.floor_of(requirement, None)
            self.added.append(f"CUDA {number}: {len(facts.new_toolkits[number]['components'])} "
                              "components")

    def add_torch(self, facts):
        tables = torch_rows.collect(self.torch, self.source, facts)
        for name in ("torch_wheel_pins", "pytorch_cuda_lines", "torch_pypi_default"):
            self.append(name, tables.get(name, []))
        self.append("ctk_component_versions", facts.new_toolkits.values())
        for row in tables.get("nvidia_wheel_versions", []):
            self.add_distribution(row)
        for row in tables.get("torch_wheel_pins", []):
            version = row["torch_versions"][0]
            self.added.append(f"torch {version}: CUDA {row['cuda']}, toolkit {row['ctk']}")
            self.added += ["  " + line for line in self.changed_pins(row)]
            self.add_platforms(version, row)

    def changed_pins(self, row):
        """How the pins differ from those of the newest release before it."""
        def pins_of(row):
            return {pin["dist"]: pin["spec"] or "any" for pin in row["pins"]}
        older = [each for each in self.rows("torch_wheel_pins") if each["pypi_default"] and
                 Version(each["torch_versions"][-1]) < Version(row["torch_versions"][0])]
        before = pins_of(max(older, key=lambda each: Version(each["torch_versions"][-1])))
        now = pins_of(row)
        for dist in sorted({*before, *now}):
            if before.get(dist) != now.get(dist):
                yield f"{dist}: {before.get(dist, 'absent')} -> {now.get(dist, 'absent')}"

    def add_platforms(self, version, row):
        for machine in MACHINES:
            tags = self.platforms[version].tags.get(machine)
            if not tags:
                continue
            file, texts = self.source.get("torch", version, machine)
            requires = any(normal(each.name).startswith(("nvidia-", "cuda-")) for each in
                           torch_rows.applying(texts, machine=machine))
            self.append("torch_platforms", [{
                "torch": row["torch"], "torch_version": version, "platform": f"linux_{machine}",
                "version_string": None, "cuda": row["cuda"] if requires else None,
                "requires_cuda_wheels": requires, "bundled": None,
                "platform_tags": sorted(tags), "python_tags": None, "cxx11_abi": None,
                "cxx_standard": None, "note": None, "source": f"METADATA of {file}",
                "confidence": "verified"}])

    def add_wheels(self, facts):
        for number, kit in {**facts.toolkits, **facts.new_toolkits}.items():
            for dist, version in kit["components"].items():
                self.components[number, dist] = version
        for row in self.rows("nvidia_wheel_versions"):
            for version, found in self.wheels.get(row["dist"], {}).items():
                number = Version(version)
                having = [ctk for (ctk, dist), component in self.components.items()
                          if dist == row["dist"] and Version(component) == number]
                if row["dist"] == "cuda-toolkit":
                    having = [torch_rows.release_of(version)]
                state = found.state or ("prerelease" if number.is_prerelease else "")
                row["versions"].append([
                    version, sorted(having, key=Version) or None, "metapackage" if having else None,
                    *(machine in found.machines for machine in MACHINES), state])
                row["versions"].sort(key=lambda entry: Version(entry[0]))
                row.setdefault("since", {})[version] = self.release
                if not state and number > Version(row["latest"]):
                    row["latest"] = version
                    row["source"] = re.sub(r"newest \S+\.whl", f"newest {found.file}", row["source"])
                self.added.append(f"{row['dist']} {version}" +
                                  (f" of CUDA {', '.join(having)}" if having else ""))

    def add_distributions(self, facts):
        """Rows without versions for components that no toolkit before had; the index fills them."""
        known = {row["dist"] for row in self.rows("nvidia_wheel_versions")}
        for number, kit in facts.new_toolkits.items():
            for dist in sorted(set(kit["components"]) - known):
                known.add(dist)
                newest = kit["components"][dist]
                self.add_distribution({
                    "dist": dist, "component": dist, "cuda_major": number.split(".")[0],
                    "in_toolkit": True, "latest": newest, "note": None,
                    "source": kit["source"], "confidence": "verified"})

    def add_distribution(self, row):
        """A row without versions; add_wheels() fills it from the index."""
        self.wheels[row["dist"]] = self.index.releases(row["dist"])
        self.rows("nvidia_wheel_versions").append({**row, "versions": []})

    def write(self):
        facts = torch_rows.Facts(self.options.data)
        self.add_toolkits(facts)
        self.add_torch(facts)
        self.add_distributions(facts)
        self.add_wheels(facts)
        row = self.rows("release")[0]
        row.update(release=self.release, date=self.options.date)
        for table in self.tables.values():
            table.save()

    def missing(self):
        """Lines for what new toolkits lack in tables that are made by hand or by measuring."""
        lines = sorted({Version(".".join(number.split(".")[:2])) for number, _ in self.toolkits})
        majors = sorted({str(line.major) for line in lines}, key=int)
        found = []
        for keys, tables in ((list(map(str, lines)), BY_HAND), (majors, BY_HAND_OF_MAJOR)):
            for name, column, source in tables:
                rows = json.loads((self.options.data / f"{name}.json").read_text())["rows"]
                have = {str(row[column]) for row in rows} | {
                    ".".join(str(row[column]).split(".")[:2]) for row in rows}
                found += [f"{name}: CUDA {key} ({source})" for key in keys if key not in have]
        layout = json.loads((self.options.data / "wheel_layout.json").read_text())["rows"]
        laid = {row[key] for row in layout for key in row if key.startswith("dist_cu")}
        kits = {row["ctk"]: row["components"] for row in self.rows("ctk_component_versions")}
        new = {number for number, _ in self.toolkits}
        older = {dist for number, components in kits.items() if number not in new for dist in components}
        libraries = json.loads((self.options.data / "libraries.json").read_text())["libraries"]
        ruled = {dist for row in libraries if row.get("wheel_version_starts_with_ctk_minor")
                 for dist in row["wheel_dist"].values()}
        for number in sorted(new, key=Version):
            major = number.split(".")[0]
            minor = tuple(map(int, number.split(".")[:2]))
            found += [f"libraries: {dist} {version} does not begin with the minor of CUDA {number}: until "
                      "wheel_version_starts_with_ctk_minor is false there, the tables are not made"
                      for dist, version in kits[number].items()
                      if dist in ruled and Version(version).release[:2] != minor]
            have = {row.get(f"dist_cu{major}") for row in layout}
            # Wheels without libraries have no row.
            found += [f"wheel_layout: {dist} {version} of CUDA {major} (`./dev facts symbols` reads it)"
                      for dist, version in kits[number].items()
                      if dist not in have and (dist in laid or dist not in older)]
        return found

    def read_wheels(self):
        """The exports of what new toolkits and torch pin and of the newest wheel of each distribution, and torch's own
        names."""
        files = [json.loads(path.read_text()) for path in (self.options.data / "symbols").glob("*.json")]
        have = {(normal(entry["source"].split("-")[0]), entry["dist_version"])
                for file in files if file["dist"] for entry in file["versions"]}
        dists = {dist for file in files if file["dist"] for dist in file["dist"].values()}
        wanted = {(dist, version) for row in self.rows("ctk_component_versions")
                  if row.get("since") == self.release for dist, version in row["components"].items()}
        wanted |= {(pin["dist"], pin["floor"]) for row in self.rows("torch_wheel_pins")
                   if row.get("since") == self.release for pin in row["pins"]}
        wanted |= {(row["dist"], row["latest"]) for row in self.rows("nvidia_wheel_versions")
                   if row["dist"] in self.wheels}
        both = {(row["dist"], entry[0]) for row in self.rows("nvidia_wheel_versions") for entry in row["versions"]
                if entry[4]}
        for dist, version in sorted(wanted):
            if dist in dists and (dist, version) not in have:
                run("symbols.py", dist, version, "--data", self.options.data)
                if (dist, version) in both:
                    run("symbols.py", dist, version, "--aarch64", "--data", self.options.data)
        if self.torch:
            run("torch_names.py", *self.torch, "--data", self.options.data)


def run(script, *words):
    if subprocess.run([sys.executable, "-B", HERE / script, *words]).returncode:
        raise FactsError(f"{script} {' '.join(map(str, words))} failed")


def count(data):
    """Corrects the row counts in the README of the data."""
    path = data / "README.md"
    text = path.read_text()
    for name, rows in contents.tables_of(data).items():
        text = re.sub(rf"^(\| `{name}` \| )\d+", rf"\g<1>{len(rows)}", text, flags=re.M)
    builds = json.loads((data / "torch_names.json").read_text())["rows"]
    names, = struct.unpack_from("<I", (data / "torch-names.bin").read_bytes(), 40)
    newest = max((row["torch"] for row in builds), key=Version)
    text = re.sub(r"^(\| `torch-names.bin` \| )\d+ builds, [\d,]+ names(.*releases 2\.0\.0 to )[\d.]+",
                  rf"\g<1>{len(builds)} builds, {names:,} names\g<2>{newest}", text, flags=re.M)
    path.write_text(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dry-run", action="store_true")
    parser.add_argument("--metadata-only", action="store_true")
    parser.add_argument("--data", type=Path, default=torch_rows.DATA)
    parser.add_argument("--index")
    parser.add_argument("--metadata", type=Path)
    parser.add_argument("--date", default=datetime.date.today().isoformat())
    options = parser.parse_args()
    try:
        refresh = Refresh(options)
        refresh.look()
        for line in refresh.describe() or ["nothing is newer than the data"]:
            print(line)
        if options.dry_run or not refresh.describe():
            return 0
        refresh.write()
        if not (options.metadata_only or options.metadata):
            refresh.read_wheels()
        count(options.data)
    except (FactsError, torch_names.NamesError, wheels.WheelError, OSError) as error:
        print(f"refresh.py: error: {error}", file=sys.stderr)
        return 1
    print(f"\nfacts {refresh.release}:")
    print("\n".join(refresh.added))
    missing = refresh.missing()
    if missing:
        print("\nunknown until a row says it (driver/tables/data/README.md):")
        print("\n".join(missing))
    return 4 if missing else 3


if __name__ == "__main__":
    sys.exit(main())
