# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %python -B %s
"""Libraries that Python code opens before a file of its package is loaded: unknown if the package's sources open
them or cannot be read, rejected if no source does, for installed packages and wheels (CC2022)."""
import json
import os
import zipfile

import installed
from behaviour import behaviour
from doctoring import Sick
from sandbox import PROGRAM, equal

# libhidden.so.1 is in a folder in which only the package's own code finds it.
OPENS = b"import ctypes\nctypes.CDLL(here + '/hidden/libhidden.so.1')\n"
sick = Sick("nvidia-cuda-runtime-cu12==12.4.127")
sick.library(sick.site / "own/hidden/libhidden.so.1", "int hidden(void) { return 1; }", soname="libhidden.so.1")
sick.file = sick.library(sick.site / "own/x.abi3.so", "int hidden(void); int PyInit_x(void) { return hidden(); }",
                         needs=[sick.site / "own/hidden/libhidden.so.1"])
FILES = [("own/x.abi3.so", ""), ("own/load.py", ""), ("own/hidden/libhidden.so.1", "")]
metadata = installed.distribution(sick.site, "own", "1", FILES)
load = sick.site / "own/load.py"


def pair(fact):
    return fact["label"], fact["text"]


def said(file=sick.file, before=(), **environment):
    """The result of `check` and `doctor`, which must agree: verdict, codes of errors, facts of the first, exit
    status."""
    results = []
    for words in (["doctor", "--env", sick.prefix], ["check", "--runtime", f"env:{sick.prefix}"]):
        for name in before:
            words += ["--before", name]
        ended = sick.run(PROGRAM, words[0], "--format=json", *words[1:], file, **environment)
        row = json.loads(ended.out)["files"][0]
        errors = [each for each in row["findings"] if each["severity"] in ("error", "unknown")]
        facts = {label: text for each in errors[:1] for label, text in map(pair, each.get("facts", []))}
        results.append((row["verdict"], [each["code"] for each in errors], ended.status, facts))
    equal(results[0][:3], results[1][:3], f"{words}: {results}")
    return results[0]


def source_says(file, text):
    verdict, codes, status, facts = said(file)
    equal((verdict, codes, status), ("unknown", ["CC2022"], 4), facts)
    assert text in facts["source"], facts


def put(content):
    """Gives the package's source this content, whatever it was."""
    if load.is_dir():
        load.rmdir()
    load.write_bytes(content)


record = metadata / "RECORD"
lines = record.read_text()


@behaviour
def a_library_that_no_source_opens_is_missing():
    put(b"x = 1\n")
    verdict, codes, status, _ = said()
    equal((verdict, status), ("reject", 3))
    assert "CC2022" not in codes, codes
    # What the source opens can be given.
    equal(said(before=[sick.site / "own/hidden/libhidden.so.1"])[:3], ("accept", [], 0))


@behaviour
def a_library_that_a_source_opens_may_be_there():
    put(OPENS)
    source_says(sick.file, "load.py:2: ctypes.CDLL(")


@behaviour
def opened_by_a_name_without_path_it_is_not_found_for_python_either():
    put(b"import ctypes\nctypes.CDLL('libhidden.so.1')\n")
    equal(said()[0], "reject")


@behaviour
def a_source_in_an_unknown_encoding_may_open_it():
    put(b"import ctypes\nctypes.CDLL(name)  # \xe9\n")
    source_says(sick.file, "load.py: it is not UTF-8")
    put(b"# coding: latin-1\nimport ctypes\nctypes.CDLL(name)  # \xe9\n")
    equal(said()[0], "reject")


@behaviour
def a_directory_in_place_of_a_source_may_open_it():
    load.unlink(missing_ok=True)
    load.mkdir()
    source_says(sick.file, "load.py: it is a directory")
    load.rmdir()


@behaviour
def a_source_that_is_too_large_may_open_it():
    put(b"")
    with open(load, "wb") as file:
        file.truncate((32 << 20) + 1)
    source_says(sick.file, "load.py: larger than 32768 KiB")


@behaviour
def a_source_that_was_removed_opens_nothing():
    load.unlink(missing_ok=True)
    equal(said()[0], "reject")


@behaviour
def missing_metadata_does_not_hide_sources_and_what_cannot_be_read_may():
    put(b"x = 1\n")
    record.unlink()
    equal(said()[0], "reject")
    record.mkdir()
    source_says(sick.file, "RECORD: it is a directory")
    record.rmdir()
    record.write_text(lines)


@behaviour
def a_source_that_may_not_be_read_may_open_it():
    if os.getuid():
        put(b"x = 1\n")
        load.chmod(0)
        source_says(sick.file, "load.py: Permission denied")


def wheel(name, source, requires=""):
    path = sick.work / f"{name}-1-py3-none-linux_x86_64.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        file.write(sick.file, f"{name}/x.abi3.so")
        file.writestr(f"{name}/load.py", source)
        file.writestr(f"{name}-1.dist-info/METADATA",
                      f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n{requires}\n")
        file.writestr(f"{name}-1.dist-info/RECORD", "")
    return path


def checked(path):
    ended = sick.run(PROGRAM, "check", "--format=json", "--runtime", f"env:{sick.prefix}", path)
    row, = json.loads(ended.out)["files"]
    return row["verdict"], [each["code"] for each in row["findings"] if each["severity"] in ("error", "unknown")]


@behaviour
def a_wheel_s_own_sources_are_used_before_it_is_installed():
    equal(checked(wheel("other", b"x = 1\n"))[0], "reject")
    equal(checked(wheel("other", OPENS)), ("unknown", ["CC2022"]))
    equal(checked(wheel("other", b"ctypes.CDLL(n) # \xe9\n")), ("unknown", ["CC2022"]))


@behaviour
def a_wheel_s_own_requirements_are_used_before_it_is_installed():
    logger = sick.library(sick.site / "rapids_logger/lib64/librapids_logger.so", "int logger(void) { return 1; }",
                          soname="librapids_logger.so")
    sick.file = sick.library(sick.work / "x.abi3.so", "int logger(void); int PyInit_x(void) { return logger(); }",
                             needs=[logger])
    installed.distribution(sick.site, "rapids_logger", "0.3", [("rapids_logger/lib64/librapids_logger.so", "")])
    equal(checked(wheel("third", b""))[0], "reject")
    equal(checked(wheel("third", b"", "Requires-Dist: rapids-logger\n")), ("accept", []))
