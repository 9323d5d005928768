# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %python -B %s %build
"""The table of torch's exported names: it has every release of the other tables, with the values of its rows; for torch
2.11.0 exactly the names that nm finds in the wheel, here one for a Python that was not read."""
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import wheels
from behaviour import behaviour

BUILD = Path(sys.argv[1])
SOURCE = Path(wheels.__file__).resolve().parents[2]
DATA = SOURCE / "driver/tables/data"
WRITER = BUILD / "bin/cudacc-torch-names"
TABLE = BUILD / "bin/torch-names.bin"
sys.path.insert(0, str(SOURCE / "driver/tables/update"))
from torch_names import LEFT_OUT, LIBRARIES, MACHINES, known_releases, number_of

scratch = tempfile.TemporaryDirectory()

rows = {(row["torch"], row["machine"]): row for row in json.loads((DATA / "torch_names.json").read_text())["rows"]}


def ask(release, names, machine="x86_64"):
    file = Path(scratch.name) / "names"
    file.write_text("\n".join(names) + "\n")
    done = subprocess.run([WRITER, TABLE, "ask", release, str(MACHINES[machine]), file], text=True,
                          capture_output=True, check=True)
    return {name: (answer, library) for answer, library, name in
            (line.split(" ") for line in done.stdout.splitlines())}


@behaviour
def the_file_beside_the_program_is_the_committed_one():
    assert TABLE.read_bytes() == (DATA / "torch-names.bin").read_bytes()
    assert TABLE.stat().st_size <= 4_000_000, TABLE.stat().st_size


@behaviour
def the_builds_in_it_are_those_of_its_rows():
    builds = [line.split(" ") for line in
              subprocess.run([WRITER, TABLE], text=True, capture_output=True, check=True).stdout.splitlines()]
    assert len(builds) == len(rows)
    for release, machine, strings, names, *pythons in builds:
        row = rows[release, {str(number): name for name, number in MACHINES.items()}[machine]]
        assert row["names"] == int(names) and row["cxx11_abi"] == (strings == "new"), row
        assert row["python_dependent"] < 50 and row["confidence"] == "verified", row
        assert [wheel["file"].split("-")[-2].removesuffix("t") for wheel in row["wheels"]] == pythons, row


@behaviour
def it_has_every_release_of_the_other_tables():
    releases = known_releases(DATA)
    assert {release for release, _ in rows} == set(releases), set(releases) ^ {release for release, _ in rows}
    for release in releases:
        assert {machine for each, machine in rows if each == release} == set(MACHINES), release
        # PyPI's wheels: the release in which the new std::string ABI came.
        assert rows[release, "x86_64"]["cxx11_abi"] == (number_of(release) >= (2, 7, 0)), release
        assert rows[release, "aarch64"]["cxx11_abi"] == (number_of(release) >= (2, 6, 0)), release


@behaviour
def names_from_users_reports_are_answered():
    DECREF = "_ZNK3c1010TensorImpl15decref_pyobjectEv"
    for release, expected in (("2.5.1", "no"), ("2.9.1", "no"), ("2.10.0", "yes"), ("2.11.0", "yes"),
                              ("2.16.0", "unknown"), ("1.13.1", "unknown"), ("2.11.0+cu126", "unknown")):
        assert ask(release, [DECREF])[DECREF][0] == expected, release


@behaviour
def the_string_abi_changed_with_a_release():
    FAIL = "_ZN3c106detail14torchCheckFailEPKcS2_jRK"
    OLD, NEW = FAIL + "Ss", FAIL + "NSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE"
    for machine, release, old in (("x86_64", "2.6.0", True), ("x86_64", "2.7.0", False), ("aarch64", "2.5.1", True),
                                  ("aarch64", "2.6.0", False)):
        found = ask(release, [OLD, NEW], machine)
        assert (found[OLD][0], found[NEW][0]) == (("yes", "no") if old else ("no", "yes")), (release, found)


def names_in(library):
    """All names that the files of torch export, each with the first of them."""
    there = {}
    for name in LIBRARIES:
        done = subprocess.run(["nm", "-D", "--defined-only", library / name], text=True, capture_output=True,
                              check=True)
        for line in done.stdout.splitlines():
            symbol = line.split(" ")[-1].partition("@")[0]
            there.setdefault(symbol, name)
    for each in ("_init", "_fini", "_edata", "_end", "__bss_start"):
        there.pop(each, None)
    return there


there = names_in(Path(wheels.get("torch==2.11.0")) / "torch/lib")
found = ask("2.11.0", there)
left_out = {name for name in there if LEFT_OUT.search(name)}
# libstdc++ may define names that mention only std.
runtime = {name for name in there if re.match(r"_Z(T.|GV)?N?[rVKRO]*(S[tabsiod]|9__gnu_cxx|10__cxxabiv1)", name)
           and not re.search(r"N[rVKRO]*(?!9__gnu_cxx|10__cxxabiv1)[1-9]", name.removeprefix("_ZN"))}
known = set(there) - left_out - runtime
others = {name: found[name] for name in known if found[name] != ("yes", there[name])}
print(len(there), "names,", len(left_out), "left out,", len(runtime), "of the C++ runtime,", len(others), "unknown")


@behaviour
def names_that_are_left_out_are_unknown():
    assert {found[name][0] for name in left_out} <= {"unknown"}


@behaviour
def names_of_the_cpp_runtime_are_unknown():
    assert {found[name] for name in runtime} == {("unknown", "-")} and len(runtime) < 3000, len(runtime)
    assert "_ZNSt20bad_array_new_lengthD1Ev" not in {name for name in found if found[name][0] != "unknown"}


@behaviour
def names_that_depend_on_the_python_are_unknown_and_all_others_are_found():
    row = rows["2.11.0", "x86_64"]
    assert len(others) <= row["python_dependent"] and {each[0] for each in others.values()} <= {"unknown"}, others
    assert len(there) - len(left_out) - len(others) == row["names"] - row["python_dependent"], (len(there), row)


@behaviour
def a_neighbouring_release_has_other_names():
    assert sum(answer == "no" for answer, _ in ask("2.10.0", there).values()) > 1000


@behaviour
def names_that_the_wheel_does_not_have_are_not_found():
    unlike = {name + "_" for name in there} - set(there)
    assert {answer for name, (answer, _) in ask("2.11.0", unlike).items() if name[:-1] in known} == {"no"}
