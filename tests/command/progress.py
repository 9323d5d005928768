# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %python -B %s
"""Work that takes long shows how far it is, in one line of a terminal that is gone when the result is printed;
nothing anywhere else. strace makes reading slow."""
import os

import terminal
from binaries import CUDART, PROGRAM, Binaries, equal

sandbox = Binaries()
for name in ("a.so", "b.so", "c.so"):
    sandbox.extension(f"pkg/{name}", {CUDART: ["cudaMalloc"]})
# What each read waits for, in microseconds.
SLOWLY = ["strace", "-f", "-o", os.devnull, "-e", "trace=pread64", "-e", "inject=pread64:delay_enter=80000"]


def check(*words, on=(0, 1, 2), before=SLOWLY, **more):
    environment = {"PATH": "/usr/bin:/bin", "TERM": "xterm", "NO_COLOR": "1", "HOME": str(sandbox.root),
                   # The sanitizer of leaks is traced itself.
                   "ASAN_OPTIONS": "detect_leaks=0", **more}
    return terminal.run([*before, PROGRAM, "check", "pkg", "--runtime", "cuda==12.4", *words], on, cwd=sandbox.work,
                        env=environment)


LINE = "\r\x1b[K"
status, quick = check(before=())
assert LINE not in quick and "pkg/a.so" in quick, quick
said = check()
equal(said[0], status)
parts = said[1].split(LINE)
# Lines of progress, then the result on an empty line.
assert len(parts) > 2 and parts[0] == "", parts
assert all(part.startswith(("reading", "judging")) and "\n" not in part for part in parts[1:-1]), parts
assert any(" of 3: pkg/" in part for part in parts[1:-1]), parts
equal(parts[-1], quick)

# Nobody reads it, or cannot; or a program that reads stdout may print on the terminal as well.
for words, more in (((), {"TERM": "dumb"}), ((), {"CI": "true"}), ((), {"on": (0, 1)}),
                    (("--format=json",), {"on": (0, 2)}), (("--format=sarif",), {"on": (0, 2)})):
    text = check(*words, **more)[1]
    assert LINE not in text, (words, more, text)
assert LINE in check("--format=json")[1]
