# SPDX-License-Identifier: Apache-2.0
"""Reads from wheels which cuDNN a package refuses by a check of its own, and writes that into version_rules.json.

    version_checks.py DIST [VERSION... | VERSION --wheel FILE] [--index URL] [--data FOLDER]

Without a version, of all releases that the index has. tensorflow: what CudnnSupport::Init compares, disassembled from
its library, which alone is downloaded of a wheel unless FILE is given. A release behind the last row extends it, or
gets a row if it refuses something else.

Exit status: 0 the rows say the same; 1 a wheel cannot be read, or a row says something else; 2 usage; 3 a row was added
or extended.
"""

import argparse
import io
import json
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from packaging.version import InvalidVersion, Version

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tests/support"))
import elf  # noqa: E402
import members  # noqa: E402
import refresh  # noqa: E402
import wheels  # noqa: E402
from rowfile import RowFile  # noqa: E402

BLOCK = 1 << 20
INIT = "_ZN15stream_executor3gpu12CudnnSupport4InitEv"
# The library whose version cudnnGetVersion tells, per major.
LIBRARIES = {8: "libcudnn.so.8", 9: "libcudnn_graph.so.9"}
# Up to which the branch is taken that refuses, from the number that is compared.
REFUSES = {"jle": 1, "jbe": 1, "jl": 0, "jb": 0}


def compared(instructions):
    """(major, minor) that a disassembled Init compares the version of cuDNN with; None if none is found."""
    found = set()
    for at, line in enumerate(instructions):
        # Handed to IsSourceCompatibleWithCudnnLibrary, as a structure of major and minor.
        if packed := re.search(r"movabs +\$0x([0-9a-f]{1,2})0{6}([0-9a-f]{2}),%rdi", line):
            if any("IsSourceCompatibleWithCudnnLibrary" in each for each in instructions[at:at + 6]):
                found.add((int(packed[2], 16), int(packed[1], 16)))
        major = re.search(r"\tcmpl? +\$0x([0-9a-f]+),", line)
        if not major or len(instructions) < at + 4 or "\tjne " not in instructions[at + 1]:
            continue
        minor = re.search(r"\tcmpl? +\$0x([0-9a-f]+),", instructions[at + 2])
        branch = re.search(r"\t(j\w+) ", instructions[at + 3])
        is_version = int(major[1], 16) in LIBRARIES and minor and branch and branch[1] in REFUSES
        # Both leave for the code that says so.
        if is_version and instructions[at + 1].split("\tjne ")[1].split() == \
                instructions[at + 3].split(branch[0])[1].split():
            found.add((int(major[1], 16), int(minor[1], 16) + REFUSES[branch[1]]))
    return found.pop() if len(found) == 1 else None


def init_of(path):
    """The instructions of CudnnSupport::Init, if the library defines it."""
    for line in elf.readelf("--dyn-syms", path):
        columns = line.split()
        if len(columns) >= 8 and columns[7].partition("@")[0] == INIT and columns[6] != "UND":
            start, size = int(columns[1], 16), int(columns[2], 0)
            done = subprocess.run(
                ["objdump", "-d", "--no-show-raw-insn", f"--start-address={start}", f"--stop-address={start + size}",
                 str(path)], capture_output=True, text=True, check=False)
            if done.returncode:
                raise elf.SymbolsError(f"objdump {path}: {done.stderr.strip()}")
            return done.stdout.splitlines()
    return []


def tensorflow(archive):
    for member in ("tensorflow/libtensorflow_framework.so.2", "tensorflow/libtensorflow_cc.so.2"):
        with tempfile.NamedTemporaryFile(prefix="cuda-cc-checks-") as file:
            with archive.open(member) as source:
                shutil.copyfileobj(source, file, BLOCK)
            file.flush()
            if lines := init_of(file.name):
                return compared(lines)
    return None


class Check:
    """How a package's check is read, and the columns of its rows."""

    def __init__(self, read, packages, files, raises, source):
        self.read, self.packages, self.files = read, packages, files
        self.raises, self.source = raises, source

    def row(self, version, least):
        return {"packages": self.packages, "from": version, "to": version, "cuda": None, "files": self.files,
                "library": LIBRARIES[least[0]], "least": ".".join(map(str, least)), "raises": self.raises,
                "source": self.source, "confidence": "verified"}


CHECKS = {"tensorflow": Check(
    tensorflow, ["tensorflow"], ["tensorflow/libtensorflow_framework.so.2"],
    "Loaded runtime CuDNN library: ... but source was compiled with: ... CuDNN library needs to have matching major "
    "version and equal or higher minor version", "the numbers that the disassembled CudnnSupport::Init compares")}


def enter(rows, dist, version, least):
    """Enters what was read; returns whether that changed the rows."""
    mine = [row for row in rows if dist in row["packages"]]
    new = CHECKS[dist].row(version, least) if least else {"library": None, "least": None}
    [*_, last] = [row for row in mine if Version(row["from"]) <= Version(version)] or [None]
    is_same = last and (last["library"], last["least"]) == (new["library"], new["least"])
    if last and Version(version) <= Version(last["to"]):
        if not is_same:
            raise refresh.FactsError(f"{dist} {version}: its row says {last['library']} {last['least']}")
        return False
    if not least:
        return False
    if mine and last is not mine[-1]:
        raise refresh.FactsError(f"{dist} {version}: later releases have a row, enter it by hand: {json.dumps(new)}")
    if is_same:
        last["to"] = version
    else:
        rows.insert(rows.index(last) + 1 if last else len(rows), new)
    return True


def opened(options, version):
    file = options.wheel
    if not file:
        url = refresh.Index(options.index, None).wheel(options.dist, version, "x86_64")
        file = io.BufferedReader(members.Remote(url), BLOCK)
    return zipfile.ZipFile(file)


def releases(options):
    """The rows are for no pre-releases."""
    found = refresh.Index(options.index, None).some_releases(options.dist)
    return [version for version in found if not Version(version).is_prerelease]


def read(options):
    """Whether a row was added or extended."""
    file = RowFile(options.data / "version_rules.json")
    for version in sorted(options.versions or releases(options), key=Version):
        with opened(options, version) as archive:
            least = CHECKS[options.dist].read(archive)
        added = enter(file.rows, options.dist, version, least)
        said = f"asks for cuDNN {'.'.join(map(str, least))}" if least else "no check that is known"
        print(f"{options.dist} {version}: {said}: {'entered' if added else 'as the rows say'}", flush=True)
    return file.save()


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dist", choices=sorted(CHECKS))
    parser.add_argument("versions", nargs="*")
    parser.add_argument("--wheel", type=Path)
    parser.add_argument("--index")
    parser.add_argument("--data", type=Path, default=ROOT / "driver/tables/data")
    options = parser.parse_args(arguments)
    if options.wheel and len(options.versions) != 1:
        parser.error("--wheel is of one version, which has to be named")
    try:
        return 3 if read(options) else 0
    except (OSError, KeyError, ValueError, InvalidVersion, zipfile.BadZipFile, elf.SymbolsError, refresh.FactsError,
            wheels.WheelError) as error:
        print(f"versions: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
