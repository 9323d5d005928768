# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%support %python -B %s %support
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
from behaviour import behaviour

scratch = tempfile.TemporaryDirectory()
data = Path(scratch.name) / "data"
shutil.copytree(SOURCE / "driver/tables/data", data)
tables = data / "symbols"


def fresh():
    """The data as they are."""
    shutil.rmtree(data, ignore_errors=True)
    shutil.copytree(SOURCE / "driver/tables/data", data)


def read(dist, version, *options):
    done = subprocess.run([sys.executable, "-B", TOOL, dist, version, "--data", data, *options],
                          text=True, capture_output=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


fresh()


@behaviour
def each_file_is_written_as_it_is():
    for path in tables.glob("*.json"):
        assert symbols.SymbolFile(path).text() == path.read_text(), path


@behaviour
def a_version_that_was_removed_is_read_again():
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


comparisons = data / "aarch64_exports.json"
whole = (SOURCE / "driver/tables/data/aarch64_exports.json").read_text()


def compare(dist, version):
    """A wheel for aarch64 with what is known of the one for x86-64."""
    file = wheels.file_of(f"{dist}=={version}", scratch.name, "aarch64")
    return read(dist, version, "--aarch64", "--wheel", file)


@behaviour
def an_equal_wheel_for_aarch64_lacks_nothing():
    fresh()
    said = compare("nvidia-nvjitlink", "13.0.88")
    assert "libnvJitLink.so.13: lacks 0, more 0" in said and "not compared" not in said, said
    assert comparisons.read_text() == whole
    assert "libnvJitLink.so.12: lacks 0" in compare("nvidia-nvjitlink-cu12", "12.4.127")


@behaviour
def versions_that_were_not_compared_are_listed():
    """One that is in no run, and one that was not read for x86-64."""
    fresh()
    comparisons.write_text("\n".join(line for line in whole.splitlines() if '"dist": "nvidia-nvjitlink"' not in line))
    versions = data / "nvidia_wheel_versions.json"
    versions.write_text(re.sub(r'("dist": "nvidia-nvjitlink",.*?)\[\["',
                               r'\1[["12.9.9", null, null, true, true, ""], ["', versions.read_text()))
    said = compare("nvidia-nvjitlink", "13.0.88")
    assert "not compared: nvidia-nvjitlink not read for x86-64: 12.9.9\n" in said, said
    listed, = re.findall(r"not compared: nvidia-nvjitlink libnvJitLink.so.13: (.*)", said)
    assert "13.0.39" in listed.split(", ") and "13.0.88" not in listed.split(", "), said


@behaviour
def a_wheel_for_aarch64_with_other_names_is_a_row():
    fresh()
    file = symbols.SymbolFile(tables / "nvjitlink.json")
    index = file.find("nvidia-nvjitlink", "13.0.88", "libnvJitLink.so.13")
    names = {name for name, pairs in file.symbols.items() if any(first <= index <= last for first, last in pairs)}
    name = min(name for name in names if name.startswith("nvJitLink"))
    file.symbols["nvJitLinkMadeForATest@libnvJitLink.so.13"] = [[index, index]]
    file.symbols[name] = []
    (tables / "nvjitlink.json").write_text(file.text())
    said = compare("nvidia-nvjitlink", "13.0.88")
    assert "libnvJitLink.so.13: lacks 1, more 1, left out 0" in said, said
    rows = {(row["from_version"], row["to_version"]): row for row in json.loads(comparisons.read_text())["rows"]
            if row["dist"] == "nvidia-nvjitlink"}
    row = rows["13.0.88", "13.0.88"]
    assert (row["lacks"], row["more"]) == (["nvJitLinkMadeForATest"], [name.split("@")[0]]), row
    assert sum(each["wheels"] for each in rows.values()) == sum(
        row["wheels"] for row in json.loads(whole)["rows"] if row["dist"] == "nvidia-nvjitlink") and len(rows) > 1, rows


@behaviour
def versions_that_differ_in_the_same_names_are_one_run():
    """Whatever number of others is left out."""
    fresh()
    same = {"soname": "libnvJitLink.so.13", "dist": "nvidia-nvjitlink", "wheels": 1, "lacks": [], "more": [],
            "source": "", "confidence": "verified"}
    runs = [{**same, "from_version": version, "to_version": version, "left_out": number}
            for version, number in (("13.0.39", 3), ("13.0.88", 5), ("13.1.80", 0))]
    comparisons.write_text(json.dumps({"description": "", "rows": runs}))
    known = aarch64.Comparisons(comparisons, [symbols.SymbolFile(tables / "nvjitlink.json")])
    found = [(row["from_version"], row["to_version"], row["left_out"]) for row in known.runs()]
    assert found == [("13.0.39", "13.0.88", 5), ("13.1.80", "13.1.80", 0)], found


content = (wheels.get("nvidia-nvjitlink==13.0.88") / "nvidia/cu13/lib/libnvJitLink.so.13").read_bytes()
place = content.index(b"\0__nvJitLinkCreate_13_0\0")
# Its hash table is not that of its names.
renamed = content[:place + 1] + b"xx" + content[place + 3:]


def beginning(data):
    """The names of the library, of which this much is there, and how much of it was read."""
    prefix = dynsym.Prefix(io.BytesIO(data), len(content))
    return dynsym.Library(prefix).exports(), len(prefix.data)


@behaviour
def the_beginning_of_a_library_is_enough():
    names, count = beginning(content)
    assert names == dynsym.Library(content).exports() and "__nvJitLinkCreate_13_0" in names
    assert count < len(content) / 20, (count, len(content))


@behaviour
def a_library_whose_hash_table_is_not_that_of_its_names_is_read_further():
    names, count = beginning(renamed)
    assert names == dynsym.Library(renamed).exports() and "xxnvJitLinkCreate_13_0" in names
    assert count > len(content) / 2, (count, len(content))


@behaviour
def a_library_that_is_cut_off_is_not_read():
    _, count = beginning(renamed)
    try:
        beginning(renamed[:count // 2])
    except dynsym.ElfError as error:
        assert "cannot be read" in str(error), error
    else:
        raise AssertionError("a library that is cut off was read")


@behaviour
def a_new_file_is_made_when_it_is_asked_for():
    fresh()
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


# versioned_symbols.
fresh()
runs = data / "versioned_symbols.json"
table = json.loads(runs.read_text())
soname, dist, version = "libnvJitLink.so.12", "nvidia-nvjitlink-cu12", "12.4.127"
others = [row for row in table["rows"] if (row["soname"], row["dist"]) != (soname, dist)]
run = next(row for row in table["rows"] if (row["soname"], row["dist"]) == (soname, dist))
alone = {**run, "from_version": version, "to_version": version, "from_toolkit": "12.4",
         "to_toolkit": "12.4", "wheels": 1, "exported_symbols": 80,
         "source": f"wheels {dist} {version}"}


def after(*rows):
    """What is said, and the rows of the library, if these were its rows before."""
    runs.write_text(json.dumps({**table, "rows": [*others, *rows]}))
    said = read(dist, version)
    rows = json.loads(runs.read_text())["rows"]
    return said, [row for row in rows if (row["soname"], row["dist"]) == (soname, dist)]


@behaviour
def a_version_that_is_in_a_run_changes_nothing():
    said, rows = after(run)
    assert "versioned_symbols: known" in said and rows == [run], said


@behaviour
def a_newer_version_extends_the_last_run():
    said, rows = after({**run, "to_version": "12.4.99", "to_toolkit": "12.4", "wheels": 9})
    assert "the last run is longer" in said, said
    assert rows == [{**run, "to_version": version, "to_toolkit": "12.4", "wheels": 10,
                     "exported_symbols": 80,
                     "source": f"wheels {dist} 12.0.76 to {version} (10 opened)"}], rows


@behaviour
def a_version_that_differs_or_is_the_first_begins_a_run():
    other = {**run, "to_version": "12.4.99", "runpath": "$ORIGIN"}
    said, rows = after(other)
    assert "a run begins" in said and rows[0] == other and len(rows) == 2, said
    assert rows[1] == alone, rows[1]
    assert after()[1] == [alone]


@behaviour
def a_version_between_two_runs_is_entered_by_hand():
    said, rows = after({**run, "to_version": "12.3.1"}, {**run, "from_version": "12.5.40"})
    assert "by hand" in said and len(rows) == 2, said
