# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""`trace` for the loader's test cases (LS-1, LS-2, LS-13 to LS-25): the copy that the process loaded and the reason,
which equal the simulation's."""
import os

from behaviour import behaviour
from sandbox import equal
from tracing import Tracing, agrees, library, loaded, only

tree = Tracing()
work = tree.work
P = "libnvJitLink.so.12"
MID = "libcusparse.so.12"
for copy in ("right", "own", "env", "pre"):
    tree.library(f"{copy}/{P}")

tree.library("ext.so", needs=[P], runpath="$ORIGIN/right")
# LS-1, LS-2: ext needs mid, mid needs p; the cells of the table.
TABLE = [("RUNPATH", None, False, None, "env", "pre"), ("RUNPATH", None, True, "right", "env", "pre"),
         ("RPATH", None, False, "right", "right", "pre"), ("RPATH", None, True, "right", "right", "pre"),
         ("RUNPATH", "RUNPATH", False, "own", "env", "pre"),
         ("RUNPATH", "RUNPATH", True, "right", "env", "pre"),
         ("RPATH", "RUNPATH", False, "own", "env", "pre"),
         ("RPATH", "RUNPATH", True, "right", "right", "pre"),
         ("RUNPATH", "RPATH", False, "own", "own", "pre"), ("RUNPATH", "RPATH", True, "right", "env", "pre"),
         ("RPATH", "RPATH", False, "own", "own", "pre"), ("RPATH", "RPATH", True, "right", "right", "pre")]
WORDS = {"right": {"rpath", "runpath"}, "own": {"rpath", "runpath"}, "env": {"library-path"}}

def traced(*files, program=None, **environment):
    """Files that `ldd` cannot show: the program opens them one after another."""
    return tree.traced(program or tree.opener, *files, **environment)


def folder(value):
    return os.path.basename(os.path.dirname(only(loaded(value, "nvJitLink"))))


@behaviour
def the_cells_of_the_table_are_as_the_loader_fills_them():
    for number, (tag, mids, direct, *expected) in enumerate(TABLE):
        where = f"row{number}"
        tree.library(f"{where}/{MID}", needs=[P], **({mids.lower(): "$ORIGIN/../own"} if mids else {}))
        ext = tree.library(f"{where}/ext.so", needs=[MID, P] if direct else [MID],
                           **{tag.lower(): "$ORIGIN:$ORIGIN/../right"})
        for wanted, files, environment in zip(
                expected, ([ext], [ext], [work / "pre" / P, ext]),
                ({}, {"LD_LIBRARY_PATH": work / "env"}, {})):
            value = agrees(traced(*files, **environment))
            told = f"row {number + 1} {wanted}"
            if wanted is None:
                request = only(library(value, "nvJitLink")["not_found"])
                equal((request["asked_by"], "by" in request), (str(work / where / MID), False), told)
                continue
            equal(folder(value), wanted, told)
            first = library(value, "nvJitLink")["copies"][0]["requests"][0]
            assert first["by"] in WORDS.get(wanted, {"path"}), (told, first)
            if wanted == "pre":
                later = library(value, "nvJitLink")["copies"][0]["requests"][1:]
                assert later and all(each["by"] == "already-loaded" and not each["seen"]
                                     for each in later), later


@behaviour
def the_skipped_file_is_named_and_what_searched_it():
    value = agrees(traced(work / "pre" / P, work / "ext.so"))
    won, passed = library(value, "nvJitLink")["copies"]
    equal((won["path"], passed["path"], passed["loaded"]),
          (str(work / "pre" / P), str(work / "right" / P), False))
    equal(won["requests"][1]["passed"], passed["path"])


@behaviour
def the_same_inode_by_another_path_is_the_same_copy():
    os.symlink("right", work / "alias")
    value = agrees(traced(work / "right" / P, work / "alias" / P))
    equal([each["by"] for each in only(library(value, "nvJitLink")["copies"])["requests"]],
          ["path", "same-file"])


@behaviour
def another_soname_is_another_copy():
    tree.library("grafted/libnvJitLink-1a2b3c4d.so.12")
    value = agrees(traced(work / "right" / P, work / "grafted/libnvJitLink-1a2b3c4d.so.12"))
    equal(len(loaded(value, "nvJitLink")), 2)


@behaviour
def folders_for_kinds_of_processors_come_first():
    tree.library(f"kinds/glibc-hwcaps/x86-64-v2/{P}")
    tree.library(f"kinds/{P}")
    tree.library("kinds.so", needs=[P], rpath="$ORIGIN/kinds")
    value = agrees(traced(work / "kinds.so"))
    equal(folder(value), "x86-64-v2" if "glibc-hwcaps/x86-64-v2" in tree.hwcaps else "kinds")


@behaviour
def a_path_in_needed_begins_at_the_working_directory():
    tree.library("slash.so", needs=[f"right/{P}"])
    equal(folder(agrees(traced(work / "slash.so"))), "right")


@behaviour
def an_empty_element_is_the_working_directory():
    tree.library("empty.so", needs=[P], runpath="/nowhere:")
    value = agrees(traced(work / "empty.so", cwd=work / "own"))
    equal(loaded(value, "nvJitLink"), [str(work / "own" / P)])


@behaviour
def a_library_that_calls_dlopen_is_who_asked():
    caller = tree.library("caller/caller.so", rpath="$ORIGIN/../right", opens=True)
    value = agrees(traced(caller, f"@1={P}"))
    equal(folder(value), "right")
    request = only(only(library(value, "nvJitLink")["copies"])["requests"])
    equal((request["kind"], request["asked_by"]), ("dlopen", str(caller)))


@behaviour
def what_the_program_needs_is_asked_for_by_nobody():
    tree.library(f"plain/{MID}", needs=[P])
    program = tree.program("linked", needs=[MID], rpath="$ORIGIN/plain:$ORIGIN/right")
    value = agrees(traced(program=program))
    equal((folder(value), value["processes"][0]["started"]), ("right", True))
    assert "asked_by" not in only(only(library(value, "cusparse")["copies"])["requests"])


@behaviour
def a_program_that_cannot_start_is_reported():
    tree.library(f"bare/{MID}", needs=[P])
    broken = tree.program("broken", needs=[MID], runpath="$ORIGIN/bare")
    value = agrees(traced(program=broken))
    equal((value["status"], value["processes"][0]["started"]), (127, False))
    equal(only(library(value, "nvJitLink")["not_found"])["kind"], "needed")


@behaviour
def a_name_that_was_tried_and_does_not_exist_is_reported_last():
    text = tree.said(tree.opener, "libcuda.so.77", status=1)
    assert text.startswith("opener: libcuda.so.77 was tried and not found\n"), text


@behaviour
def a_preloaded_library_is_shown_and_the_start_is_not_simulated():
    value = traced(work / "ext.so", LD_PRELOAD=work / "env" / P)
    equal(folder(value), "env")
    equal(value["processes"][0]["unknown"], ["the start was not simulated: LD_PRELOAD is set"])
