# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %python -B %s
"""A command that cannot write to stdout (full disk, closed descriptor) ends with one error. If the reader of a pipe is
gone, it ends by SIGPIPE like other programs."""
import os
import signal
import subprocess

from recording import PROGRAM, Place, equal

place = Place("12.4")
for name in ("k.cu", "x.cpp", "x.o"):
    place.write(name)
RUNTIME = "--cudacc-runtime=cuda==12.4"
PRINTING = [("help",), ("version",), ("version", "--format=json"), ("check", "--help"), ("--cudacc-help",),
            ("explain", "CC2004"), ("explain", "undefined symbol: __nvJitLinkCreate_12_5"),
            ("target", "--runtime=cuda==12.4"), ("target", "--runtime=cuda==12.4", "--format=json"),
            ("target", "--diff", "cuda==12.4", "cuda==12.5"), ("inspect", PROGRAM),
            ("init", "--dry-run", "--runtime=cuda==12.4"),
            ("toolchain", "--print", "td", "--runtime=cuda==12.4")]
PRINTING += [(f"--cudacc-print={stage}", RUNTIME, *call)
             for stage in ("invocation", "target", "toolkit", "verdict", "plan")
             for call in (("-c", "k.cu"), ("g++", "-c", "x.cpp"), ("g++", "x.o", "-o", "x"))]


def call(words, **how):
    return subprocess.run([PROGRAM, *words], cwd=place.work, env=place.environment(), text=True,
                          stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=60, **how)


for words in PRINTING:
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = call(words, stdout=full)
    equal((done.returncode, done.stderr),
          (4, "cuda-cc: error: cannot write stdout: No space left on device [CC2015]\n"), words)
    done = call(words, preexec_fn=lambda: os.close(1))
    equal((done.returncode, done.stderr),
          (4, "cuda-cc: error: cannot write stdout: Bad file descriptor [CC2015]\n"), words)
    done = call(words, stdout=subprocess.PIPE)
    equal((done.returncode in (0, 1), bool(done.stdout), "CC2015" in done.stderr), (True, True, False),
          f"{words} {done}")
assert not place.started() or all(each.is_question_of(each.ppid) for each in place.started())

# Compilers report their own write errors, and a command without output needs no stdout.
for words in (("g++", "-c", "x.cpp"), ("-c", "k.cu"), (RUNTIME, "-c", "k.cu")):
    with open("/dev/full", "w", encoding="utf-8") as full:
        equal(call(words, stdout=full).returncode, 0, words)
    equal(call(words, preexec_fn=lambda: os.close(1)).returncode, 0, words)

# The reader of the pipe is gone.
reader, writer = os.pipe()
os.close(reader)
done = call(("help",), stdout=writer, restore_signals=True)
equal((done.returncode, done.stderr), (-signal.SIGPIPE, ""), "SIGPIPE")
