# SPDX-License-Identifier: Apache-2.0
"""Tests the exactness table itself: stand-ins for cuda-cc that satisfy F1 pass, and each other one is reported."""

import subprocess
import sys
import tempfile
from pathlib import Path

import compare
import run
from table import Row

RECORD = """#ifndef __ASSEMBLER__
#ifndef __CUDA_ARCH__
__asm__(".pushsection .note.cuda-target,\\"a\\",%note\\n.balign 4\\n.long 1,2,3\\n.popsection");
#endif
struct cuda_cc_note_0123;
#endif
"""

STAND_IN = """#!{python} -S
import os, sys
words = sys.argv[1:]
declared = "CUDA_CC_RUNTIME" in os.environ
home = os.environ["XDG_DATA_HOME"] + "/cuda-cc/1"
source = any(word.endswith((".c", ".cpp")) for word in words)
{edit}
os.execvp(words[0], words)
"""

RECORDS = """
if declared and "-c" in words and source:
    os.makedirs(home, exist_ok=True)
    open(home + "/record.h", "w").write({record!r})
    words += ["-include", home + "/record.h"]
"""

CASES = [
    ("passes everything through", "", ""),
    ("adds a record to declared compiles", RECORDS, ""),
    ("adds an option", 'words[1:1] = ["-O3"]', "host-phases/c"),
    ("says something", 'print("hello", file=sys.stderr, flush=True)', "host-phases/c"),
    ("leaves a file", 'open(os.environ["TMPDIR"] + "/left", "w")', "host-phases/c"),
    ("changes the status", "sys.exit(9)", "host-phases/c"),
    ("adds a search path undeclared", 'words += [] if declared else ["-Wl,-rpath,/x"]',
     "host-links/shared"),
    ("adds a build-id undeclared", 'words += [] if declared else ["-Wl,--build-id=md5"]',
     "host-links/shared"),
    ("gives the compiler one input more", """
if declared and "-c" not in words:
    open(os.environ["TMPDIR"] + "/../note.x", "w").write("")
    words.append(os.environ["TMPDIR"] + "/../note.x")
""", "host-links/aux-coverage"),
    ("drops a library", 'words = [word for word in words if word != "-lm"]',
     "host-links/as-needed"),
]
ROWS = ["c", "S", "MD", "MMD", "MD-MF-MT-MP", "H", "save-temps", "c-o", "pch-use", "shared",
        "as-needed", "one-step-MD", "lto", "error", "version"]


def failures(edit, folder, row):
    """Runs this row, or all rows."""
    program = Path(folder, "cuda-cc")
    program.write_text(STAND_IN.format(python=sys.executable,
                                       edit=edit.replace("{record!r}", repr(RECORD))))
    program.chmod(0o755)
    rows = [word for name in ([row] if row else ROWS) for word in ("--row", name)]
    groups = [word for name in ("phases", "dependencies", "errors", "links")
              for word in ("--group", f"host-{name}")]
    run = Path(__file__).with_name("run.py")
    done = subprocess.run([sys.executable, "-B", run, "--program", program, *groups, *rows],
                          stdout=subprocess.PIPE, text=True, check=False)
    return done.stdout


# What it starts holds its output open.
ENDLESS = "sleep 10000 & wait"


def ended_with_limits(plain, ours, limits):
    """The differences where the compiler and cuda-cc are these shell commands, or the seconds that the former had."""
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder, "cuda-cc")
        program.write_text(f"#!/bin/sh\n{ours}\n")
        program.chmod(0o755)
        try:
            return run.run_row(run.Bench(str(program), "", folder, False, limits=limits),
                               Row("row", "-", ["sh", "-c", plain]), [False])
        except subprocess.TimeoutExpired as slow:
            return slow.timeout


LIMITED = [
    ("true", "true", (300, 300), []),
    ("true", ENDLESS, (300, 1), ["undeclared:", "no end within 1 seconds"]),
    (ENDLESS, "true", (1, 300), 1),
]


def debug_order():
    """What is wrong with the comparison of objects in which gcc wrote the same strings in another order, as the number
    in the name of nvcc's temporary file decides."""
    with tempfile.TemporaryDirectory() as folder:
        def compiled(number, *options, text="int f(int i) { return i; }"):
            source = Path(folder, f"tmpxft_{number:08x}_00000000-6_d.cpp")
            source.write_text(text)
            result = Path(folder, "d.o")
            subprocess.run(["gcc", "-g", f"-fdebug-prefix-map={folder}=/x", *options, "-c", source, "-o", result],
                           cwd=folder, check=True)
            return result.read_bytes()

        def differs(other):
            return bool(compare.file_differences(Row("row", "-", []), "d.o", first, other, False, "/data"))

        first, *others = map(compiled, range(16))
        if all(compare.stable(other) == compare.stable(first) for other in others):
            return "no other order"
        if any(map(differs, others)):
            return "another order differs"
        changed = [compiled(1, "-g0"), compiled(1, "-O2"), compiled(1, text="int f(int j) { return j; }")]
        return "" if all(map(differs, changed)) else "other debug information does not differ"


def main():
    wrong = 0
    for name, edit, expected in CASES:
        with tempfile.TemporaryDirectory() as folder:
            text = failures(edit, folder, expected.partition("/")[2])
        failed = [line.split()[1] for line in text.splitlines() if line.startswith("FAILED")]
        if (expected not in failed) if expected else failed:
            wrong += 1
            print(f"a stand-in that {name}: {failed}\n{text}")
    for *case, expected in LIMITED:
        found = ended_with_limits(*case)
        if found != expected:
            wrong += 1
            print(f"{case}: {found}")
    found = debug_order()
    if found:
        wrong += 1
        print(found)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
