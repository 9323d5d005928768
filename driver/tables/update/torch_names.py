# SPDX-License-Identifier: Apache-2.0
"""Writes the names that torch's own libraries export, read from PyPI's wheels.

    torch_names.py RELEASE... | --all  [--index URL] [--data FOLDER] [--scratch FOLDER] [--writer FILE]

Reads the wheels of a release (2.15.0) for its oldest and its newest Python, for x86-64 and for aarch64, one
after the other: each wheel is downloaded, compared with the index's sha256, read and removed. Writes
data/torch-names.bin, keeping the names of other releases, and the list of the wheels that were read,
data/torch_names.json. Both files are rewritten after each machine, so an interrupted call keeps what it had
finished. --all reads every release of torch_wheel_pins.json from 2.0 on that the files lack; run again, it
continues where it was interrupted. A release given by name is read even if the files have it.
"""

import argparse
import datetime
import http.client
import json
import mmap
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request
import zipfile
import zlib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tests/support"))
import wheels  # noqa: E402
from dynsym import ElfError, Library  # noqa: E402
from rowfile import RowFile  # noqa: E402

DATA = ROOT / "driver/tables/data"
# The order of tables::torchNameLibraries, which defines the bits written.
LIBRARIES = ("libc10.so", "libc10_cuda.so", "libtorch_cpu.so", "libtorch_cuda.so",
             "libtorch_cuda_linalg.so", "libtorch.so", "libtorch_python.so", "libshm.so")
# Every build has these; a wheel without CUDA lacks the others.
ALWAYS = {"libc10.so", "libtorch_cpu.so", "libtorch.so", "libtorch_python.so", "libshm.so"}
# Libraries that are not read: the first exports nothing, and no extension is built against the others.
OTHERS = {"libtorch_global_deps.so", "libtorch_nvshmem.so", "libtorchbind_test.so"}
MACHINES = {"x86_64": 62, "aarch64": 183}
FIRST = (2, 0, 0)
# A name with a std::string as its last parameter that every release has.
ANCHOR = "_ZN3c106detail14torchCheckFailE"
# Names that nvcc makes for a single object file, as in lookup/TorchNamesFormat.h; none can be
# imported.
LEFT_OUT = re.compile("_GLOBAL__N__|__fatbinwrap_|__cudaRegisterLinkedBinary_")
FORMAT = "application/vnd.pypi.simple.v1+json"
TRIES = 5


class NamesError(Exception):
    pass


def say(text):
    print(f"torch_names.py: {text}", file=sys.stderr, flush=True)


def number_of(release):
    if not re.fullmatch(r"\d+\.\d+\.\d+", release):
        raise NamesError(f"'{release}' is not a release of torch: write 2.15.0")
    return tuple(map(int, release.split(".")))


def default_index():
    """The URL of the index that pip would use."""
    text = " ".join(wheels.pip("download", "--help").split())
    match = re.search(r"--index-url <url> .*?\(default (\S+?)\)", text)
    if not match:
        raise NamesError("pip does not say which index it asks: name one with --index")
    return match[1]


class Wheel:
    """A file of the index."""

    NAME = re.compile(r"torch-(?P<release>[^-]+)(?:-(?P<build>\d\w*))?-(?P<python>cp3\d+)-(?P<abi>\w+)"
                      r"-(?P<platform>[\w.]+)\.whl")

    def __init__(self, index, entry):
        match = self.NAME.fullmatch(entry["filename"])
        if not match:
            raise ValueError
        self.file, self.url = entry["filename"], urllib.parse.urljoin(index, entry["url"])
        self.sha256, self.size = entry["hashes"].get("sha256"), entry.get("size")
        self.release, self.python, self.abi = match["release"], match["python"], match["abi"]
        self.build = int(re.match(r"\d*", match["build"] or "")[0] or 0)
        self.machine = next((name for name in MACHINES if re.search(
            rf"manylinux\w*_{name}(\.|$)", match["platform"])), None)
        self.yanked = bool(entry.get("yanked"))

    def minor(self):
        return int(self.python.removeprefix("cp3"))


class Index:
    def __init__(self, url):
        self.url = url.rstrip("/") + "/torch/"
        request = urllib.request.Request(self.url, headers={"Accept": FORMAT})
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                files = json.load(answer)["files"]
        except (OSError, ValueError, KeyError) as error:
            raise NamesError(f"{self.url} gives no list of files as JSON: {error}") from error
        self.wheels = []
        for entry in files:
            try:
                self.wheels.append(Wheel(self.url, entry))
            except ValueError:
                pass  # For another system.

    def find(self, release, machine):
        """The wheels for the oldest and the newest Python, chosen as pip does."""
        best = {}
        for wheel in self.wheels:
            # Free-threaded Python has an ABI of its own (cp314t), but the names are those of cp314.
            if (wheel.release, wheel.machine, wheel.abi) == (release, machine, wheel.python) and \
                    not wheel.yanked:
                known = best.get(wheel.minor())
                if not known or known.build < wheel.build:
                    best[wheel.minor()] = wheel
        return [best[minor] for minor in sorted({min(best), max(best)})] if best else []


def fetch(wheel, path):
    """Downloads the file and checks it against the size and hash of the index. A broken connection is
    resumed."""
    if not wheel.sha256:
        raise NamesError(f"{wheel.file}: the index gives no sha256")
    problem = None
    path.write_bytes(b"")
    for attempt in range(TRIES):
        done = path.stat().st_size
        if wheel.size and done >= wheel.size:
            break
        headers = {"Range": f"bytes={done}-"} if done else {}
        try:
            with urllib.request.urlopen(urllib.request.Request(wheel.url, headers=headers),
                                        timeout=60) as answer, \
                    open(path, "ab" if answer.status == 206 else "wb") as file:
                shutil.copyfileobj(answer, file, 1 << 20)
            problem = None
            if not wheel.size:
                break
        except (OSError, http.client.HTTPException) as error:
            problem = error
            time.sleep(min(attempt, 5))
    if problem:
        raise NamesError(f"{wheel.file}: {problem}")
    found = wheels.sha256(path)
    if found != wheel.sha256:
        raise NamesError(f"{wheel.file}: sha256 is {found}, the index says {wheel.sha256}")


def text_in(archive, name):
    try:
        return archive.read(name).decode()
    except KeyError:
        return ""


class Read:
    """What was read from one wheel."""

    def __init__(self, wheel, path, scratch):
        self.file = wheel.file
        with zipfile.ZipFile(path) as archive:
            self.check_release(wheel, archive)
            self.exports = self.read_libraries(archive, MACHINES[wheel.machine], scratch)
            self.old_strings, self.evidence = self.read_strings(archive)

    def check_release(self, wheel, archive):
        said = re.search(r"^__version__ = '([^'+]*)", text_in(archive, "torch/version.py"), re.M)
        if not said or said[1] != wheel.release:
            raise NamesError(f"{wheel.file}: torch/version.py says "
                             f"{said[1] if said else 'no release'}")

    def read_libraries(self, archive, machine, scratch):
        exports = {}
        for item in archive.infolist():
            match = re.fullmatch(r"torch/lib/(lib(?:c10|torch|shm)\w*\.so)", item.filename)
            if not match or match[1] in OTHERS:
                continue
            if match[1] not in LIBRARIES:
                say(f"{self.file}: {item.filename} is not read; LIBRARIES does not have it")
                continue
            exports[match[1]] = self.read_library(archive, item, machine, scratch)
        if missing := ALWAYS - set(exports):
            raise NamesError(f"{self.file}: no {', '.join(sorted(missing))}")
        return exports

    def read_library(self, archive, item, machine, scratch):
        with tempfile.TemporaryFile(dir=scratch) as file:
            with archive.open(item) as member:  # Closing it checks the CRC.
                shutil.copyfileobj(member, file, 1 << 20)
            file.flush()
            with mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ) as data:
                try:
                    library = Library(data)
                    names = library.exports()
                except ElfError as error:
                    raise NamesError(f"{self.file}: {item.filename}: {error}") from error
        if library.machine != machine:
            raise NamesError(f"{self.file}: {item.filename} is for machine {library.machine}")
        return names

    def read_strings(self, archive):
        """Whether the wheel was built with _GLIBCXX_USE_CXX11_ABI=0, and the evidence for that."""
        names = [name for name in self.exports["libc10.so"] if name.startswith(ANCHOR)]
        new = {"__cxx11" in name for name in names if "__cxx11" in name or "Ss" in name}
        if len(new) != 1:
            raise NamesError(f"{self.file}: libc10.so does not say which std::string it was built with")
        config = "torch/share/cmake/Torch/TorchConfig.cmake"
        said = re.search(r"-D_GLIBCXX_USE_CXX11_ABI=(\d)", text_in(archive, config))
        if said and (said[1] == "1") not in new:
            raise NamesError(f"{self.file}: TorchConfig.cmake and libc10.so contradict each other about "
                             "_GLIBCXX_USE_CXX11_ABI")
        return new == {False}, ["torchCheckFail in libc10.so"] + (["TorchConfig.cmake"] if said else [])


def merge(reads):
    """{name: (bits of the libraries, whether it is a variable, whether every wheel has it)}"""
    merged = {}
    for name in set().union(*(names for read in reads for names in read.exports.values())):
        if LEFT_OUT.search(name):
            continue
        bits, variable = [], None
        for read in reads:
            mine = 0
            for bit, library in enumerate(LIBRARIES):
                kind = read.exports.get(library, {}).get(name)
                if kind is not None:
                    mine |= 1 << bit
                    variable = kind if variable is None else variable
            bits.append(mine)
        common, either = bits[0], 0
        for each in bits:
            common, either = common & each, either | each
        # A name in different libraries for different Pythons still exists for all of them.
        every = all(bits)
        merged[name] = (common if common else either, variable, every)
    return merged


def listing(release, machine, reads, names):
    pythons = " ".join(re.search(r"-(cp3\d+)-", read.file)[1] for read in reads)
    strings = "old" if reads[0].old_strings else "new"
    lines = [f"build {release} {MACHINES[machine]} {strings} {pythons}"]
    for name in sorted(names):
        bits, variable, every = names[name]
        flags = ("v" if variable else "") + ("" if every else "p")
        lines.append(f"{bits:x} {flags or '-'} {name}")
    return "\n".join(lines) + "\n"


class Table:
    """torch-names.bin, and torch_names.json with the wheels it was read from."""

    def __init__(self, data, writer):
        self.binary, self.writer = data / "torch-names.bin", writer
        self.file = RowFile(data / "torch_names.json", new='{"schema": 1, "description": "Which wheels '
                            'torch-names.bin was read from; update/torch_names.py writes both.", "rows": []}\n')

    def run(self, *arguments):
        done = subprocess.run([self.writer, self.binary, *arguments], text=True, check=False,
                              capture_output=True)
        if done.returncode:
            raise NamesError(done.stderr.strip())
        return done.stdout

    def builds(self):
        """{(release, machine): names} for the builds that both files contain."""
        names = {number: name for name, number in MACHINES.items()}
        there = {}
        for line in self.run().splitlines():
            release, machine, _, count, *_ = line.split(" ")
            there[release, names[int(machine)]] = int(count)
        rows = {(row["torch"], row["machine"]): row["names"] for row in self.file.rows}
        return {key: count for key, count in there.items() if rows.get(key) == count}

    def add(self, release, machine, found, reads, scratch):
        names = merge(reads)
        path = Path(scratch) / "listing"
        path.write_text(listing(release, machine, reads, names))
        self.run(path)
        path.unlink()
        row = {"torch": release, "machine": machine, "names": len(names),
               "variables": sum(variable for _, variable, _ in names.values()),
               "python_dependent": sum(not every for _, _, every in names.values()),
               "cxx11_abi": not reads[0].old_strings, "cxx11_abi_evidence": reads[0].evidence,
               "libraries": [name for name in LIBRARIES if name in reads[0].exports],
               "wheels": [{"file": wheel.file, "sha256": wheel.sha256} for wheel in found],
               "read": datetime.date.today().isoformat(),
               "source": "dynamic symbols of the libraries in these wheels", "confidence": "verified"}
        rows = [each for each in self.file.rows
                if (each["torch"], each["machine"]) != (release, machine)] + [row]
        rows.sort(key=lambda each: (list(MACHINES).index(each["machine"]), number_of(each["torch"])))
        self.file.rows = rows
        self.file.save()
        return row


def read_build(release, machine, found, table, scratch):
    begin = time.monotonic()
    reads = []
    for wheel in found:
        free = shutil.disk_usage(scratch).free
        # Space for the wheel and for its largest library, unpacked.
        if wheel.size and free < 3 * wheel.size:
            raise NamesError(f"{scratch} has {free >> 20} MB free, and {3 * wheel.size >> 20} are needed: "
                             "name another place with --scratch")
        path = Path(scratch) / wheel.file
        try:
            fetch(wheel, path)
            reads.append(Read(wheel, path, scratch))
        finally:
            path.unlink(missing_ok=True)
    if len({read.old_strings for read in reads}) != 1:
        raise NamesError(f"torch {release} for {machine}: its wheels are built with different std::strings")
    row = table.add(release, machine, found, reads, scratch)
    say(f"{release} {machine}: {row['names']} names, {row['python_dependent']} depend on the Python, "
        f"std::string of _GLIBCXX_USE_CXX11_ABI={int(row['cxx11_abi'])}; "
        f"{', '.join(wheel.python for wheel in found)}; {time.monotonic() - begin:.0f} s")


def known_releases(data):
    rows = json.loads((data / "torch_wheel_pins.json").read_text())["rows"]
    found = {release for row in rows if row["pypi_default"] for release in row["torch_versions"]}
    return sorted((each for each in found if number_of(each) >= FIRST), key=number_of)


def update(arguments):
    table = Table(arguments.data, arguments.writer)
    there = table.builds()
    releases = known_releases(arguments.data) if arguments.all else arguments.release
    for release in releases:
        if number_of(release) < FIRST:
            raise NamesError(f"torch {release}: tables of names begin with 2.0.0")
    index = Index(arguments.index or default_index())
    with tempfile.TemporaryDirectory(prefix="cuda-cc-torchnames-", dir=arguments.scratch) as scratch:
        for release in releases:
            found = {machine: index.find(release, machine) for machine in MACHINES}
            if not found["x86_64"]:
                raise NamesError(f"{index.url} has no torch {release} for x86_64")
            for machine, each in found.items():
                if arguments.all and (release, machine) in there:
                    continue
                if each:
                    read_build(release, machine, each, table, scratch)
                else:
                    say(f"{release}: no wheel for {machine}")
    say(f"{table.binary}: {len(table.builds())} builds, {table.binary.stat().st_size} bytes")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("release", nargs="*")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--index")
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--scratch", type=Path)
    parser.add_argument("--writer", type=Path, default=ROOT / "build/bin/cudacc-torch-names")
    arguments = parser.parse_args()
    if bool(arguments.release) == arguments.all:
        parser.error("name releases, or --all")
    # Makes SIGTERM raise SystemExit, so that temporary files are removed.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        update(arguments)
    except (NamesError, wheels.WheelError, OSError, zipfile.BadZipFile, zlib.error) as error:
        say(f"error: {error}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
