# SPDX-License-Identifier: Apache-2.0
"""Reads from wheels which cuDNN a package refuses by a check of its own, and writes that into version_rules.json.

    version_checks.py DIST [VERSION...] [--wheel FILE] [--index URL] [--data FOLDER]

Without a version, of all that the index has. tensorflow: what CudnnSupport::Init compares, disassembled from its
library. transformer-engine-cu12 and -cu13: MIN_CUDNN_VERSION in their Python sources. Only these members of a wheel are
downloaded, unless FILE is given. A version that refuses something else than its row says gets a row, which ends the
one until then.

Exit status: 0 the rows say the same; 1 a wheel cannot be read, or its row is not the last; 2 usage; 3 a row was added.
"""

import argparse
import ast
import io
import json
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from packaging.version import Version

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tests/support"))
import elf  # noqa: E402
import members  # noqa: E402
import refresh  # noqa: E402
import wheels  # noqa: E402

BLOCK = 1 << 20
READ = re.compile(r" of (\d[\w.]*)(?: to (\d[\w.]*))?$")
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


def transformer_engine(archive):
    text = archive.read("transformer_engine/common/__init__.py").decode()
    least = re.search(r"^MIN_CUDNN_VERSION = (\(\d+, \d+, \d+\))$", text, re.MULTILINE)
    is_called = re.search(r"^ +check_cudnn_version\(", text, re.MULTILINE)
    return ast.literal_eval(least[1]) if least and is_called else None


class Check:
    """How a package's check is read, and the columns of its rows."""

    def __init__(self, read, packages, files, raises, source):
        self.read, self.packages = read, packages
        self.columns = {"cuda": None, "files": files}
        self.raises, self.source = raises, source

    def row(self, version, least):
        while least[-1] == 0 and len(least) > 2:
            least = least[:-1]
        return {"packages": self.packages, "from": version, "before": None, **self.columns,
                "library": LIBRARIES[least[0]], "least": ".".join(map(str, least)), "raises": self.raises,
                "source": f"{self.source} of {version}", "confidence": "verified"}


TENSORFLOW = Check(
    tensorflow, ["tensorflow"], ["tensorflow/libtensorflow_framework.so.2"],
    "Loaded runtime CuDNN library: ... but source was compiled with: ... CuDNN library needs to have matching major "
    "version and equal or higher minor version", "the numbers that the disassembled CudnnSupport::Init compares,")
TRANSFORMER_ENGINE = Check(
    transformer_engine, ["transformer-engine-cu12", "transformer-engine-cu13"],
    ["transformer_engine/wheel_lib/libtransformer_engine.so"],
    "RuntimeError: Transformer Engine requires cuDNN ... or later, but the cuDNN runtime is ...",
    "MIN_CUDNN_VERSION in transformer_engine/common/__init__.py, which load_framework_extension checks,")
CHECKS = {"tensorflow": TENSORFLOW, "transformer-engine-cu12": TRANSFORMER_ENGINE,
          "transformer-engine-cu13": TRANSFORMER_ENGINE}


def is_for(row, dist, version):
    since, before = row["from"], row["before"]
    return dist in row["packages"] and (not since or Version(since) <= Version(version)) and (
        not before or Version(version) < Version(before))


def enter(rows, dist, version, least):
    """Enters what was read; returns what was done."""
    mine = [row for row in rows if dist in row["packages"]]
    [*_, now] = [row for row in mine if is_for(row, dist, version)] or [None]
    if least is None:
        if now:
            raise refresh.FactsError(f"{dist} {version}: the check that a row has was not found")
        return "no check that is known"
    new = CHECKS[dist].row(version, least)
    if now and (now["library"], now["least"]) == (new["library"], new["least"]):
        # The row names the last release that was read.
        if (read := READ.search(now["source"])) and Version(read[2] or read[1]) < Version(version):
            now["source"] = f"{now['source'][:read.start()]} of {read[1]} to {version}"
        return "as in the row"
    if mine and now is not mine[-1]:
        raise refresh.FactsError(f"{dist} {version}: later releases have a row, enter it by hand: {json.dumps(new)}")
    if now:
        now["before"] = version
    rows.insert(rows.index(now) + 1 if now else len(rows), new)
    return "a row was added"


def opened(options, dist, version):
    file = options.wheel
    if not file:
        url = refresh.Index(options.index, None).wheel(dist, version, "x86_64")
        file = io.BufferedReader(members.Remote(url), BLOCK)
    return zipfile.ZipFile(file)


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dist", choices=sorted(CHECKS))
    parser.add_argument("versions", nargs="*")
    parser.add_argument("--wheel", type=Path)
    parser.add_argument("--index")
    parser.add_argument("--data", type=Path, default=ROOT / "driver/tables/data")
    options = parser.parse_args(arguments)
    path = options.data / "version_rules.json"
    table = json.loads(path.read_text())
    added = False
    try:
        versions = options.versions or refresh.Index(options.index, None).some_releases(options.dist)
        for version in sorted(versions, key=Version):
            with opened(options, options.dist, version) as archive:
                least = CHECKS[options.dist].read(archive)
            done = enter(table["rows"], options.dist, version, least)
            said = ".".join(map(str, least)) if least else "nothing"
            print(f"{options.dist} {version}: asks for cuDNN {said}: {done}", flush=True)
            added |= done == "a row was added"
    except (OSError, KeyError, zipfile.BadZipFile, elf.SymbolsError, refresh.FactsError, wheels.WheelError) as error:
        print(f"versions: {error}", file=sys.stderr)
        return 1
    head, _, _ = path.read_text().partition("\"rows\": [")
    lines = ",\n".join(json.dumps(row) for row in table["rows"])
    path.write_text(f"{head}\"rows\": [\n{lines}\n]}}\n")
    return 3 if added else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
