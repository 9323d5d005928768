# SPDX-License-Identifier: Apache-2.0
"""Updates the symbol tables of the libraries in a wheel.

    symbols.py DIST VERSION [--wheel FILE] [--data FOLDER] [--new SONAME]...
    symbols.py --aarch64 [DIST [VERSION]] [--wheel FILE] [--data FOLDER] [--index URL]

Reads the exports of every library in a wheel and writes them to data/symbols. A version that the data file
already has is replaced; a new one is inserted in order, and later indices are shifted. The contents of the
dynamic section go into versioned_symbols.json if the version is newer than those in it. The wheel is
downloaded from the index unless FILE is given. A library without a data file is reported and skipped, unless
--new names it. Toolkit releases of a version are taken from ctk_component_versions.json: add the release
there first. --aarch64: the wheel for that machine is compared with what was read for x86-64, and how they differ
goes into aarch64_exports.json; without VERSION, every version that was not compared, the newest first. Each is written
when it was read, so the command can be repeated. Of a library no more is downloaded than the beginning, where its names
mostly are. The end of the output lists what is unknown: the versions not compared, by library.
"""

import argparse
import base64
import csv
import io
import json
import re
import sys
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tests/support"))
import aarch64  # noqa: E402
import members  # noqa: E402
import refresh  # noqa: E402
import wheels  # noqa: E402
from dynamic import Runs, shape_of  # noqa: E402
from dynsym import ElfError, Library, Prefix  # noqa: E402
from elf import SymbolsError, exports_of, order, soname_of, stem_of  # noqa: E402

DATA = ROOT / "driver/tables/data"
INTERNAL = re.compile(r"_Z|sm\d+_")
BLOCK = 1 << 21


class SymbolFile:
    """One file of data/symbols. Unchanged parts are written back exactly as they were read."""

    def __init__(self, path, head=None):
        self.path = path
        if head is not None:
            self.head, self.versions, self.symbols = head, [], {}
            return
        data = json.loads(path.read_text())
        self.versions, self.symbols = data.pop("versions"), data.pop("symbols")
        self.head = data

    def text(self):
        def compact(value):
            return json.dumps(value, separators=(",", ":"))

        rows = ",\n".join(compact(row) for row in self.versions)
        names = ",\n".join(f"{compact(name)}:{compact(self.symbols[name])}"
                           for name in sorted(self.symbols))
        head = json.dumps(self.head, ensure_ascii=False)[:-1]
        return f'{head},\n"versions": [\n{rows}\n],\n"symbols": {{\n{names}\n}}\n}}\n'

    def dists(self):
        return {dist_of(row) for row in self.versions} | set(self.head["dist"].values())

    def find(self, dist, version, soname):
        for index, row in enumerate(self.versions):
            if (dist_of(row), row["dist_version"], row["soname"]) == (dist, version, soname):
                return index
        return None

    def _edit(self, index, step, exports):
        """Opens (step 1) or closes (step -1) a gap at an index, and returns the names whose range contains it."""
        edited = {}
        for name in {*self.symbols, *exports}:
            members = {i for first, last in self.symbols.get(name, [])
                       for i in range(first, last + 1)}
            if step < 0:
                members.discard(index)
            members = {i + step if i >= index else i for i in members}
            if name in exports:
                members.add(index)
            if members:
                edited[name] = runs(members)
        self.symbols = edited

    def remove(self, index):
        del self.versions[index]
        self._edit(index, -1, ())

    def insert(self, row, exports):
        key = (int(row["cuda"]), order(row["dist_version"]))
        index = sum(1 for other in self.versions
                    if (int(other["cuda"]), order(other["dist_version"])) < key)
        self.versions.insert(index, row)
        self._edit(index, 1, exports)
        return index


def runs(members):
    found = []
    for index in sorted(members):
        if found and found[-1][1] == index - 1:
            found[-1][1] = index
        else:
            found.append([index, index])
    return found


def dist_of(row):
    if not row["source"].endswith(".whl"):
        return None
    return re.sub(r"[-_.]+", "-", row["source"].split("-")[0]).lower()


class Wheel:
    def __init__(self, dist, version, folder, file):
        self.dist, self.version, self.folder, self.file = dist, version, folder, file
        record = list(folder.glob("*.dist-info/RECORD"))
        if len(record) != 1:
            raise SymbolsError(f"{folder}: {len(record)} RECORD files instead of one")
        self.hashes = {}
        for row in csv.reader(record[0].read_text().splitlines()):
            if len(row) > 1 and row[1].startswith("sha256="):
                digest = base64.urlsafe_b64decode(row[1].removeprefix("sha256=") + "=")
                self.hashes[row[0]] = digest.hex()

    def libraries(self):
        """soname -> path."""
        found = {}
        for path in sorted(self.folder.rglob("*.so*")):
            with open(path, "rb") as file:
                if file.read(4) != b"\x7fELF":
                    continue
            if not (soname := soname_of(path)):
                continue
            if soname in found and found[soname].read_bytes() != path.read_bytes():
                raise SymbolsError(f"two libraries {soname}: {found[soname]}, {path}")
            found.setdefault(soname, path)
        return found


def fetch(dist, version, wheel, scratch):
    if wheel:
        wheels.unpack(wheel, scratch)
        return Wheel(dist, version, scratch, wheel.name)
    folder = wheels.get(f"{dist}=={version}")
    stored = json.loads(folder.with_name(folder.name + ".json").read_text())
    return Wheel(dist, version, folder, stored["file"])


def releases_of(data, dist, version):
    """Toolkit releases that contain this version, according to NVIDIA's manifests or the metapackage."""
    table = json.loads((data / "ctk_component_versions.json").read_text())
    return [row["ctk"] for row in table["rows"]
            if version in (row["components"].get(dist), row["wheel_overrides"].get(dist))]


def major_of(data, dist, releases):
    if releases:
        return releases[0].split(".")[0]
    table = json.loads((data / "nvidia_wheel_versions.json").read_text())
    for row in table["rows"]:
        if row["dist"] == dist and row["cuda_major"]:
            return row["cuda_major"]
    raise SymbolsError(f"nvidia_wheel_versions.json does not say for which CUDA major {dist} is")


def choose(files, dist, soname):
    """The data file of a library. cuFFTMp's wheel has its own libcufftw, which has its own data file."""
    stem = stem_of(soname)
    alike = [file for file in files if file.head["dist"]
             and (file.head["library"] == stem or file.head["library"].startswith(stem + "."))]
    same = [file for file in alike if dist in file.dists()]
    exact = [file for file in same or alike if file.head["library"] == stem]
    return next(iter(exact or same), None)


def new_file(folder, files, soname):
    description = next(file.head["description"] for file in files if file.head["dist"])
    head = {"schema": 1, "library": stem_of(soname), "description": description, "dist": {},
            "soname": {}, "not_opened": {}, "internal_names_left_out": 0,
            "confidence": "verified", "data_objects": {}}
    return SymbolFile(folder / f"{stem_of(soname)}.json", head)


def update(file, wheel, soname, path, found, major, releases):
    head = file.head
    exports = set(found)
    if head["internal_names_left_out"]:
        exports = {name for name in found
                   if name in file.symbols or not INTERNAL.match(name)}
        left_out = len(found) - len(exports)
        head["internal_names_left_out"] = max(head["internal_names_left_out"], left_out)
    index = file.find(wheel.dist, wheel.version, soname)
    if index is not None:
        file.remove(index)
    row = {"dist_version": wheel.version, "cuda": major,
           "toolkit": toolkit_of(releases), "ctk": releases,
           "soname": soname,
           "sha256_of_so": wheel.hashes.get(path.relative_to(wheel.folder).as_posix()),
           "source": wheel.file}
    index = file.insert(row, exports)
    for name in sorted(exports):
        if found[name] is not None:
            head["data_objects"].setdefault(name.split("@")[0], found[name])
    sonames = head["soname"].setdefault(major, [])
    if soname not in sonames:
        sonames.append(soname)
    if index + 1 == len(file.versions) or file.versions[index + 1]["cuda"] != major:
        head["dist"][major] = wheel.dist
    skipped = head["not_opened"].get(major, [])
    if wheel.version in skipped:
        skipped.remove(wheel.version)
    if major in head["not_opened"] and not skipped:
        del head["not_opened"][major]
    for key in ("dist", "soname"):
        head[key] = {m: head[key][m] for m in sorted(head[key], key=int)}


def toolkit_of(releases):
    return ".".join(releases[0].split(".")[:2]) if releases else None


def save(file):
    """Updates the data file of one library, and returns a description of what was done."""
    before = file.path.read_text() if file.path.exists() else ""
    if file.text() == before:
        return "as it was"
    aside = file.path.with_suffix(".part")
    aside.write_text(file.text())
    aside.rename(file.path)
    return "changed" if before else "new"


def compare(options, files):
    """Compares wheels for aarch64 with the versions that were read for x86-64."""
    comparisons = aarch64.Comparisons(options.data / "aarch64_exports.json", files)
    index = None if options.wheel else refresh.Index(options.index, None)
    todo = [(options.dist, options.version)] if options.version else comparisons.missing(options.data, options.dist)
    for dist, version in todo:
        source = options.wheel or io.BufferedReader(members.Remote(index.wheel(dist, version, "aarch64")), BLOCK)
        with zipfile.ZipFile(source) as archive:
            for item in archive.infolist():
                compare_library(comparisons, files, dist, version, archive, item)
        comparisons.save()
    for (dist, why), versions in comparisons.unknown(options.data, options.dist).items():
        print(f"not compared: {dist} {why}: {', '.join(versions)}")


def compare_library(comparisons, files, dist, version, archive, item):
    name = item.filename.rpartition("/")[2]
    file = choose(files, dist, name)
    # Some are called libnvvm.so, without the number of the soname.
    index = next((index for index, row in enumerate(file.versions if file else ())
                  if (dist_of(row), row["dist_version"]) == (dist, version)
                  and f"{row['soname']}.".startswith(f"{name}.")), None)
    if index is None:
        if ".so" in name:
            print(f"{dist} {version}: {name}: {aarch64.NOT_READ}")
        return
    soname = file.versions[index]["soname"]
    with archive.open(item) as stream:
        try:
            exports = Library(Prefix(stream, item.file_size)).exports()
        except ElfError as error:
            raise SymbolsError(f"{dist} {version}: {soname}: {error}") from error
    found = aarch64.difference(file, index, exports)
    comparisons.add(soname, dist, version, found)
    print(f"{dist} {version}: {soname}: lacks {len(found['lacks'])}, more {len(found['more'])}, "
          f"left out {found['left_out']}", flush=True)


def run(options):
    folder = options.data / "symbols"
    files = [SymbolFile(path) for path in sorted(folder.glob("*.json"))]
    if options.aarch64:
        compare(options, files)
        return
    shapes = Runs(options.data / "versioned_symbols.json")
    releases = releases_of(options.data, options.dist, options.version)
    major = major_of(options.data, options.dist, releases)
    with tempfile.TemporaryDirectory() as scratch:
        wheel = fetch(options.dist, options.version, options.wheel, Path(scratch))
        for soname, path in wheel.libraries().items():
            file = choose(files, wheel.dist, soname)
            if file is None and soname in options.new:
                files.append(file := new_file(folder, files, soname))
            if file is None:
                print(f"{soname}: no data file has it (--new {soname} makes one)")
                continue
            found = exports_of(path)
            update(file, wheel, soname, path, found, major, releases)
            stems = {stem_of(name) for each in files if each.head["dist"]
                     for names in each.head["soname"].values() for name in names}
            run_of = shapes.add(wheel.dist, wheel.version, toolkit_of(releases),
                                shape_of(path, found, stems))
            print(f"{soname}: {file.path.name}: {save(file)}; versioned_symbols: {run_of}")
    shapes.save()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("dist", nargs="?")
    parser.add_argument("version", nargs="?")
    parser.add_argument("--aarch64", action="store_true")
    parser.add_argument("--wheel", type=Path)
    parser.add_argument("--index")
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--new", action="append", default=[], metavar="SONAME")
    options = parser.parse_args()
    if not options.version and (options.wheel or not options.aarch64):
        parser.error("DIST and VERSION are needed")
    options.dist = options.dist and wheels.name_of(options.dist)
    try:
        run(options)
    except (SymbolsError, refresh.FactsError, wheels.WheelError, zipfile.BadZipFile, OSError) as error:
        print(f"symbols.py: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
