# SPDX-License-Identifier: Apache-2.0
# RUN: %python -B %s %fuzz
"""Replays the seeds of every fuzz target, complete, truncated and overwritten (FB-31). What goes wrong in memory shows
in the preset `sanitize` alone, a broken promise everywhere."""
import glob
import os
import subprocess
import sys

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, here)
import corpus

programs = sorted(glob.glob(os.path.join(sys.argv[1], "fuzz_*")))
assert [os.path.basename(program) for program in programs] == [f"fuzz_{name}" for name in corpus.TARGETS], programs
subprocess.run([sys.executable, "-B", os.path.join(here, "corpus.py"), "seeds"], check=True)
for program in programs:
    target = os.path.basename(program).removeprefix("fuzz_")
    seeds = sorted(glob.glob(f"seeds/{target}/*"))
    assert seeds, target
    environment = dict(os.environ, ASAN_OPTIONS="detect_leaks=0:max_allocation_size_mb=512",
                       UBSAN_OPTIONS="print_stacktrace=1")
    subprocess.run([program, *seeds], env=environment, check=True)
