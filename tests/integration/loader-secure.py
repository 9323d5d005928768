# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %python -B %s
# REQUIRES: root
"""LS-0c and tokens in a set-user-ID process: LD_LIBRARY_PATH is ignored; $ORIGIN is expanded only at the start of an
element, in a program only if it leads to a default directory, and never in NEEDED."""
import os
import pwd

import others
from loading import Tree
from sandbox import equal, skip

# A set-user-ID program looks for its libraries with the rights of its owner.
others.leave_home()
tree = Tree()
work = tree.work
P = "libp.so.13"
for copy in ("right", "env"):
    tree.library(f"{copy}/{P}")
user = pwd.getpwnam("nobody")

def secured(path, **more):
    program = tree.program(path, **more)
    os.chown(program, user.pw_uid, -1)
    program.chmod(0o4755)
    return program

for folder in (tree.root, work):
    folder.chmod(0o755)
plain = secured("plain")
if os.statvfs(work).f_flag & os.ST_NOSUID:
    skip("set-user-ID has no effect here")

files = {
    "no path": tree.library("ext.so", needs=[P]),
    "$ORIGIN first": tree.library("first.so", needs=[P], rpath="$ORIGIN/right"),
    "$ORIGIN alone": tree.library("right/alone.so", needs=[P], runpath="${ORIGIN}"),
    "$ORIGIN further on": tree.library("further.so", needs=[P], rpath="/$ORIGIN/right"),
    "$LIB": tree.library("lib.so", needs=[P], rpath="/nowhere/$LIB:$ORIGIN/right"),
    "token in NEEDED": tree.library("needed.so", needs=[f"$ORIGIN/right/{P}"]),
    "token in dlopen": f"$ORIGIN/right/{P}",
}
found = set()
for program in (plain, secured("served", rpath="$ORIGIN/right"),
                secured("absolute", rpath=work / "right")):
    for what, file in files.items():
        situation = {"program": program, "library_path": f"{work}/env", "cwd": work}
        real = tree.real(file, **situation)
        ours = tree.simulated(file, secure=True, **situation)
        case = f"{program.name}: {what}"
        assert not real.tried, "the process is not a secure one"
        equal(ours.failure, real.failure, case)
        equal([path for path in ours.mapped if "/env/" in path], [], case)
        if not real.failure:
            equal(ours.mapped, real.mapped, case)
            found.add(case)
equal(sorted(found), sorted([*(f"{name}: {what}" for name in ("plain", "served", "absolute")
                               for what in ("$ORIGIN first", "$ORIGIN alone", "$LIB")),
                             "absolute: no path", "absolute: $ORIGIN further on"]))
