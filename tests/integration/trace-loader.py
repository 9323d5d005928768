# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""`trace` for the loader's test cases (LS-1, LS-2, LS-13 to LS-25): the copy that the process loaded and the reason,
which equal the simulation's."""
import os

from sandbox import equal
from tracing import Tracing, agrees, library, loaded, only

tree = Tracing()
work = tree.work
P = "libnvJitLink.so.12"
MID = "libcusparse.so.12"
for copy in ("right", "own", "env", "pre"):
    tree.library(f"{copy}/{P}")


def traced(*files, program=None, **environment):
    """Files that `ldd` cannot show: the program opens them one after another."""
    return tree.traced(program or tree.opener, *files, **environment)


def folder(value):
    return os.path.basename(os.path.dirname(only(loaded(value, "nvJitLink"))))


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

# The skipped file, and the object that searched it: LS-20.
tree.library("ext.so", needs=[P], runpath="$ORIGIN/right")
value = agrees(traced(work / "pre" / P, work / "ext.so"))
won, passed = library(value, "nvJitLink")["copies"]
equal((won["path"], passed["path"], passed["loaded"]),
      (str(work / "pre" / P), str(work / "right" / P), False))
equal(won["requests"][1]["passed"], passed["path"])

# LS-22: the same inode by another path is the same copy. LS-21: another SONAME is another copy.
os.symlink("right", work / "alias")
value = agrees(traced(work / "right" / P, work / "alias" / P))
equal([each["by"] for each in only(library(value, "nvJitLink")["copies"])["requests"]],
      ["path", "same-file"])
tree.library("grafted/libnvJitLink-1a2b3c4d.so.12")
value = agrees(traced(work / "right" / P, work / "grafted/libnvJitLink-1a2b3c4d.so.12"))
equal(len(loaded(value, "nvJitLink")), 2)

# LS-16, LS-13, LS-15: folders for kinds of processors, a path in NEEDED, the working directory.
tree.library(f"kinds/glibc-hwcaps/x86-64-v2/{P}")
tree.library(f"kinds/{P}")
tree.library("kinds.so", needs=[P], rpath="$ORIGIN/kinds")
value = agrees(traced(work / "kinds.so"))
equal(folder(value), "x86-64-v2" if "glibc-hwcaps/x86-64-v2" in tree.hwcaps else "kinds")
tree.library("slash.so", needs=[f"right/{P}"])
equal(folder(agrees(traced(work / "slash.so"))), "right")
tree.library("empty.so", needs=[P], runpath="/nowhere:")
value = agrees(traced(work / "empty.so", cwd=work / "own"))
equal(loaded(value, "nvJitLink"), [str(work / "own" / P)])

# LS-24, LS-25: a library that calls dlopen, by bare name.
caller = tree.library("caller/caller.so", rpath="$ORIGIN/../right", opens=True)
value = agrees(traced(caller, f"@1={P}"))
equal(folder(value), "right")
request = only(only(library(value, "nvJitLink")["copies"])["requests"])
equal((request["kind"], request["asked_by"]), ("dlopen", str(caller)))

# The NEEDED entries of the program, and a program that cannot start.
program = tree.program("linked", needs=[MID], rpath="$ORIGIN/row0:$ORIGIN/right")
value = agrees(traced(program=program))
equal((folder(value), value["processes"][0]["started"]), ("right", True))
assert "asked_by" not in only(only(library(value, "cusparse")["copies"])["requests"])
broken = tree.program("broken", needs=[MID], runpath="$ORIGIN/row0")
value = agrees(traced(program=broken))
equal((value["status"], value["processes"][0]["started"]), (127, False))
equal(only(library(value, "nvJitLink")["not_found"])["kind"], "needed")

# A name that was tried and does not exist is reported last, as not found.
text = tree.said(tree.opener, "libcuda.so.77", status=1)
assert text.startswith("opener: libcuda.so.77 was tried and not found\n"), text

# LD_PRELOAD: the preloaded library is shown; the start is not simulated, and the report says so.
value = traced(work / "ext.so", LD_PRELOAD=work / "env" / P)
equal(folder(value), "env")
equal(value["processes"][0]["unknown"], ["the start was not simulated: LD_PRELOAD is set"])
