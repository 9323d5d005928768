# SPDX-License-Identifier: Apache-2.0
# RUN: %python -B %s %support
"""./dev facts symbols: a wheel that is removed from the tables and read again gives the same bytes; a library without
a table is reported, and gets a file if requested."""
import io
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCE = Path(sys.argv[1]).resolve().parents[1]
TOOL = SOURCE / "driver/tables/update/symbols.py"
sys.path.insert(0, str(TOOL.parent))
import aarch64
import dynsym
import symbols
import wheels

scratch = tempfile.TemporaryDirectory()
data = Path(scratch.name) / "data"
shutil.copytree(SOURCE / "driver/tables/data", data)
tables = data / "symbols"

def read(dist, version, *options):
    done = subprocess.run([sys.executable, "-B", TOOL, dist, version, "--data", data, *options],
                          text=True, capture_output=True)
    assert done.returncode == 0, done.stderr
    return done.stdout

for dist, version, name in (("nvidia-nvjitlink-cu12", "12.0.140", "nvjitlink"),
                            ("nvidia-nvjitlink-cu12", "12.4.127", "nvjitlink"),
                            ("nvidia-nvjitlink", "13.0.88", "nvjitlink"),
                            ("nvidia-cuda-runtime-cu12", "12.4.127", "cudart"),
                            ("nvidia-cufile", "1.15.1.6", "cufile"),
                            ("nvidia-nvvm", "13.2.86", "nvvm")):
    path = tables / f"{name}.json"
    whole = path.read_text()
    assert "as it was" in read(dist, version)
    assert path.read_text() == whole
    file = symbols.SymbolFile(path)
    index = next(i for i, row in enumerate(file.versions)
                 if (symbols.dist_of(row), row["dist_version"]) == (dist, version))
    file.remove(index)
    without = file.text()
    assert without != whole and len(json.loads(without)["versions"]) == len(file.versions)
    path.write_text(without)
    assert "changed" in read(dist, version)
    assert path.read_text() == whole, f"{dist} {version}"

for path in tables.glob("*.json"):
    assert symbols.SymbolFile(path).text() == path.read_text(), path

# --aarch64: a wheel that is equal, and the same with other names.
path = data / "aarch64_exports.json"
whole = path.read_text()
def compare(dist, version):
    file = wheels.file_of(f"{dist}=={version}", scratch.name, "aarch64")
    return read(dist, version, "--aarch64", "--wheel", file)

said = compare("nvidia-nvjitlink", "13.0.88")
assert "libnvJitLink.so.13: lacks 0, more 0" in said and "not compared" not in said, said
assert path.read_text() == whole
# What is unknown then: a version that is in no run, and one that was not read for x86-64.
path.write_text("\n".join(line for line in whole.splitlines() if '"dist": "nvidia-nvjitlink"' not in line))
versions = data / "nvidia_wheel_versions.json"
text = versions.read_text()
versions.write_text(re.sub(r'("dist": "nvidia-nvjitlink",.*?)\[\["',
                           r'\1[["12.9.9", null, null, true, true, ""], ["', text))
said = compare("nvidia-nvjitlink", "13.0.88")
assert "not compared: nvidia-nvjitlink not read for x86-64: 12.9.9\n" in said, said
listed, = re.findall(r"not compared: nvidia-nvjitlink libnvJitLink.so.13: (.*)", said)
assert "13.0.39" in listed.split(", ") and "13.0.88" not in listed.split(", "), said
path.write_text(whole)
versions.write_text(text)
file = symbols.SymbolFile(tables / "nvjitlink.json")
index = file.find("nvidia-nvjitlink", "13.0.88", "libnvJitLink.so.13")
names = {name for name, pairs in file.symbols.items() if any(first <= index <= last for first, last in pairs)}
name = min(name for name in names if name.startswith("nvJitLink"))
file.symbols["nvJitLinkMadeForATest@libnvJitLink.so.13"] = [[index, index]]
file.symbols[name] = []
(tables / "nvjitlink.json").write_text(file.text())
said = compare("nvidia-nvjitlink", "13.0.88")
assert "libnvJitLink.so.13: lacks 1, more 1, left out 0" in said, said
rows = {(row["from_version"], row["to_version"]): row for row in json.loads(path.read_text())["rows"]
        if row["dist"] == "nvidia-nvjitlink"}
row = rows["13.0.88", "13.0.88"]
assert (row["lacks"], row["more"]) == (["nvJitLinkMadeForATest"], [name.split("@")[0]]), row
assert sum(each["wheels"] for each in rows.values()) == sum(
    row["wheels"] for row in json.loads(whole)["rows"] if row["dist"] == "nvidia-nvjitlink") and len(rows) > 1, rows
path.write_text(whole)
shutil.copy(SOURCE / "driver/tables/data/symbols/nvjitlink.json", tables)
assert "libnvJitLink.so.12: lacks 0" in compare("nvidia-nvjitlink-cu12", "12.4.127")

# Versions that differ in the same names are one run, whatever number of others is left out.
same = {"soname": "libnvJitLink.so.13", "dist": "nvidia-nvjitlink", "wheels": 1, "lacks": [], "more": [],
        "source": "", "confidence": "verified"}
runs = [{**same, "from_version": version, "to_version": version, "left_out": number}
        for version, number in (("13.0.39", 3), ("13.0.88", 5), ("13.1.80", 0))]
path.write_text(json.dumps({"description": "", "rows": runs}))
comparisons = aarch64.Comparisons(path, [symbols.SymbolFile(tables / "nvjitlink.json")])
found = [(row["from_version"], row["to_version"], row["left_out"]) for row in comparisons.runs()]
assert found == [("13.0.39", "13.0.88", 5), ("13.1.80", "13.1.80", 0)], found
path.write_text(whole)

# The beginning of a library is enough; but not if its hash table is not that of its names, or if it is cut off.
content = bytearray((wheels.get("nvidia-nvjitlink==13.0.88") / "nvidia/cu13/lib/libnvJitLink.so.13").read_bytes())

size = len(content)

def beginning(content):
    prefix = dynsym.Prefix(io.BytesIO(content), size)
    return dynsym.Library(prefix).exports(), len(prefix.data)

names, count = beginning(content)
assert names == dynsym.Library(bytes(content)).exports() and "__nvJitLinkCreate_13_0" in names
assert count < len(content) / 20, (count, len(content))
place = content.index(b"\0__nvJitLinkCreate_13_0\0")
content[place + 1:place + 3] = b"xx"
names, count = beginning(content)
assert names == dynsym.Library(bytes(content)).exports() and "xxnvJitLinkCreate_13_0" in names
assert count > len(content) / 2, (count, len(content))
try:
    beginning(content[:count // 2])
except dynsym.ElfError as error:
    assert "cannot be read" in str(error), error
else:
    raise AssertionError("a library that is cut off was read")

path = tables / "nvjitlink.json"
before = json.loads(path.read_text())
path.unlink()
assert "no data file has it (--new libnvJitLink.so.12" in read("nvidia-nvjitlink-cu12", "12.4.127")
assert not path.exists()
read("nvidia-nvjitlink-cu12", "12.4.127", "--new", "libnvJitLink.so.12")
after = json.loads(path.read_text())
assert [row["dist_version"] for row in after["versions"]] == ["12.4.127"]
assert after["versions"][0]["toolkit"] == "12.4" and after["versions"][0]["ctk"] == ["12.4.1"]
place = next(i for i, row in enumerate(before["versions"]) if row["dist_version"] == "12.4.127")
assert set(after["symbols"]) == {
    name for name, pairs in before["symbols"].items()
    if any(first <= place <= last for first, last in pairs)}

# versioned_symbols: a newer version extends the last run, or starts a run if it differs or is the first one; a
# version that is already there changes nothing.
path = data / "versioned_symbols.json"
whole = json.loads(path.read_text())
soname, dist, version = "libnvJitLink.so.12", "nvidia-nvjitlink-cu12", "12.4.127"
others = [row for row in whole["rows"] if (row["soname"], row["dist"]) != (soname, dist)]
run = next(row for row in whole["rows"] if (row["soname"], row["dist"]) == (soname, dist))

def after(*rows):
    path.write_text(json.dumps({**whole, "rows": [*others, *rows]}))
    said = read(dist, version)
    rows = json.loads(path.read_text())["rows"]
    return said, [row for row in rows if (row["soname"], row["dist"]) == (soname, dist)]

said, rows = after(run)
assert "versioned_symbols: known" in said and rows == [run], said
said, rows = after({**run, "to_version": "12.4.99", "to_toolkit": "12.4", "wheels": 9})
assert "the last run is longer" in said, said
assert rows == [{**run, "to_version": version, "to_toolkit": "12.4", "wheels": 10,
                 "exported_symbols": 80,
                 "source": f"wheels {dist} 12.0.76 to {version} (10 opened)"}], rows
other = {**run, "to_version": "12.4.99", "runpath": "$ORIGIN"}
said, rows = after(other)
assert "a run begins" in said and rows[0] == other and len(rows) == 2, said
alone = {**run, "from_version": version, "to_version": version, "from_toolkit": "12.4",
         "to_toolkit": "12.4", "wheels": 1, "exported_symbols": 80,
         "source": f"wheels {dist} {version}"}
assert rows[1] == alone, rows[1]
assert after()[1] == [alone]
said, rows = after({**run, "to_version": "12.3.1"}, {**run, "from_version": "12.5.40"})
assert "by hand" in said and len(rows) == 2, said
