# SPDX-License-Identifier: Apache-2.0
"""The wheel cuda-cc-facts: the data on releases that cuda-cc programs do not have built in.

    wheel.py [--output FOLDER] [--data FOLDER]

It has data alone, which pip puts into PREFIX/share/cuda-cc/facts: release.json, the number of the data;
tables.json, the rows that later releases of the data added, in the format of a user's facts file
(docs/facts.md); torch-names.bin. Every cuda-cc that looks for a package has the rows of the first
release, so those are left out. Equal data make equal bytes: times are SOURCE_DATE_EPOCH, or the date of
the data.
"""

import argparse
import base64
import datetime
import hashlib
import json
import os
import sys
import time
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TABLES = ("ctk_component_versions", "nvidia_wheel_versions", "torch_wheel_pins", "pytorch_cuda_lines",
          "torch_pypi_default", "framework_targets", "torch_platforms")
METADATA = """Metadata-Version: 2.4
Name: cuda-cc-facts
Version: {version}
Summary: Releases of CUDA, PyTorch and NVIDIA's wheels, for cuda-cc
License-Expression: Apache-2.0
License-File: LICENSE
Keywords: cuda,nvcc,pytorch
Classifier: Development Status :: 4 - Beta
Classifier: Environment :: GPU :: NVIDIA CUDA
Classifier: Operating System :: POSIX :: Linux
Classifier: Topic :: Software Development :: Build Tools
Requires-Python: >=3.8
Description-Content-Type: text/markdown

# cuda-cc-facts

Data for cuda-cc: releases of CUDA, of PyTorch and of NVIDIA's wheels
that are newer than the program. Installed in the environment that is active, or in the one that has
cuda-cc, it is used if it is newer than the data built in:

    pip install -U cuda-cc-facts
    cuda-cc version
"""
WHEEL = """Wheel-Version: 1.0
Generator: cuda-cc
Root-Is-Purelib: true
Tag: py3-none-any
"""


def rows_of(data, table):
    return json.loads((data / f"{table}.json").read_text())["rows"]


def newest(releases):
    return max(releases, key=lambda text: tuple(map(int, text.split("."))))


def added(data, table):
    """The rows with `since`; of a distribution the versions with one."""
    for row in rows_of(data, table):
        since = row.get("since")
        if isinstance(since, dict):
            versions = [entry for entry in row["versions"] if entry[0] in since]
            yield {**row, "versions": versions, "since": newest(since.values())}
        elif since:
            yield row


def tables_json(data, release):
    tables = {table: list(added(data, table)) for table in TABLES}
    return json.dumps({"schema": 1, "release": release["release"], "date": release["date"],
                       "description": "Rows that releases of cuda-cc's data added; docs/facts.md.",
                       "tables": {table: rows for table, rows in tables.items() if rows}},
                      ensure_ascii=False, separators=(",", ":")) + "\n"


def files_of(data):
    release, = rows_of(data, "release")
    version = release["release"]
    facts = f"cuda_cc_facts-{version}.data/data/share/cuda-cc/facts"
    info = f"cuda_cc_facts-{version}.dist-info"
    head = {"schema": 1, "release": version, "date": release["date"]}
    return version, info, {
        f"{facts}/release.json": (json.dumps(head) + "\n").encode(),
        f"{facts}/tables.json": tables_json(data, release).encode(),
        f"{facts}/torch-names.bin": (data / "torch-names.bin").read_bytes(),
        f"{info}/licenses/LICENSE": (ROOT / "LICENSE").read_bytes(),
        f"{info}/METADATA": METADATA.format(version=version).encode(),
        f"{info}/WHEEL": WHEEL.encode(),
    }


def digest(content):
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


def date_of(data):
    """Of the files in the archive, which knows no time before 1980."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    if epoch:
        return max(time.gmtime(int(epoch))[:6], (1980, 1, 1, 0, 0, 0))
    release, = rows_of(data, "release")
    date = datetime.date.fromisoformat(release["date"])
    return (date.year, date.month, date.day, 0, 0, 0)


def write(output, data):
    version, info, files = files_of(data)
    record = [f"{name},sha256={digest(content)},{len(content)}" for name, content in files.items()]
    files[f"{info}/RECORD"] = "\n".join([*record, f"{info}/RECORD,,", ""]).encode()
    output.mkdir(parents=True, exist_ok=True)
    path = output / f"cuda_cc_facts-{version}-py3-none-any.whl"
    partial = path.with_suffix(".part")
    with zipfile.ZipFile(partial, "w") as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, date_of(data))
            entry.external_attr, entry.create_system = 0o100644 << 16, 3
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content, compresslevel=9)
    partial.rename(path)
    return path


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", type=Path, default=ROOT / "dist")
    parser.add_argument("--data", type=Path, default=ROOT / "driver/tables/data")
    options = parser.parse_args()
    print(write(options.output, options.data))
    return 0


if __name__ == "__main__":
    sys.exit(main())
