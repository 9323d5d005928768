# SPDX-License-Identifier: Apache-2.0
"""Writes data/python_limited_api.json: the CPython version that added each name to the stable ABI.

    python_abi.py FILE | abi3info==VERSION [OUTPUT]

FILE is Misc/stable_abi.toml of a CPython source tree. abi3info is a package on PyPI whose tables are
generated from that file of CPython's main branch; it is downloaded and parsed as text, not imported. Only
names that a file on Linux can import are kept: functions and variables, except those of Windows.
"""

import ast
import json
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

import tomllib

OUTPUT = Path(__file__).resolve().parents[1] / "data/python_limited_api.json"
DESCRIPTION = ("Functions and variables of CPython's stable ABI on Linux, by the version that first "
               "has them in it. Made by driver/tables/update/python_abi.py.")


def from_toml(path):
    text = tomllib.loads(Path(path).read_text())
    for kind in ("function", "data"):
        for name, item in text[kind].items():
            yield name, item["added"], item.get("ifdef", [])


def words_of(call):
    return {word.arg: word.value for word in call.keywords}


def from_abi3info(requirement):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary",
                        ":all:", "-d", folder, requirement], check=True)
        (archive,) = Path(folder).glob("*.tar.gz")
        with tarfile.open(archive) as tar:
            (member,) = [each for each in tar if each.name.endswith("/abi3info/_internal.py")]
            tree = ast.parse(tar.extractfile(member).read())
    for statement in tree.body:
        target = getattr(getattr(statement, "target", None), "id", "")
        if target not in ("_FUNCTIONS", "_DATAS"):
            continue
        for call in statement.value.values:
            words = words_of(call)
            version = words_of(words["added"])
            yield (ast.literal_eval(words_of(words["symbol"])["name"]),
                   ".".join(str(ast.literal_eval(version[key])) for key in ("major", "minor")),
                   ast.unparse(words["ifdef"]))


def main(words):
    if len(words) not in (1, 2):
        sys.exit(__doc__)
    output = Path(words[1]) if len(words) == 2 else OUTPUT
    local = Path(words[0]).is_file()
    by_version = {}
    for name, added, condition in from_toml(words[0]) if local else from_abi3info(words[0]):
        if "MS_WINDOWS" not in condition:
            by_version.setdefault(tuple(map(int, added.split("."))), []).append(name)
    source = "Misc/stable_abi.toml of CPython" + ("" if local else f", as {words[0]} has it")
    lines = [json.dumps({"since": ".".join(map(str, version)), "names": sorted(names),
                         "source": source, "confidence": "sourced"})
             for version, names in sorted(by_version.items())]
    output.write_text('{\n"schema": 1,\n"description": ' + json.dumps(DESCRIPTION) +
                      ',\n"rows": [\n' + ",\n".join(lines) + "\n]\n}\n")
    print(f"{output}: {sum(map(len, by_version.values()))} names of {len(by_version)} versions")


if __name__ == "__main__":
    main(sys.argv[1:])
