# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""backend = "ninja": which steps run after a change. Only those whose inputs have other bytes; the output is always
nvcc's."""
import os
import threading
import time

from behaviour import behaviour
from ninja_builds import Builds, comparable
from sandbox import equal

builds = Builds()
SOURCE = """#include "part.h"
#ifndef __CUDA_ARCH__
int only_host() { return 1; }
#endif
__global__ void kernel(int *x) {
#if __CUDA_ARCH__ >= 900
  *x = PART + 90;
#else
  *x = PART;
#endif
}
int host() { kernel<<<1, 1>>>(nullptr); return 0; }
"""
TWO = ["-gencode", "arch=compute_80,code=sm_80", "-gencode", "arch=compute_90,code=[sm_90,compute_90]"]
PREPROCESS = ["gcc"] * 3
# All that follows.
EACH = ["cudafe++", "cicc", "cicc", "ptxas", "ptxas", "fatbinary", "gcc"]
HEADER = "#define PART 1\n"
source, header = builds.write("k.cu", SOURCE), builds.write("part.h", HEADER)


def settle():
    """Until a change has another time than what follows it: a step is run again where that is not sure."""
    time.sleep(0.05)


plain = {}


def nvcc_makes(*words, **environment):
    """What nvcc itself makes of the sources as they are."""
    key = (words, source.read_text(), *(path.read_text() for path in sorted(builds.work.rglob("*.h"))))
    if key not in plain:
        equal(builds.run("nvcc", "-c", "k.cu", "-o", "k.o", *words, **environment).status, 0)
        plain[key] = comparable(builds.work / "k.o")
    return plain[key]


def steps(expected, *words, **environment):
    settle()
    output = builds.work / "k.o"
    output.unlink(missing_ok=True)
    done = builds.ninja("-c", "k.cu", "-o", "k.o", *words, **environment)
    equal((done.status, done.err), (0, ""), done)
    equal(builds.ran(), sorted(expected), builds.logged())
    got = comparable(output)
    output.unlink()
    equal(got, nvcc_makes(*words, **environment), words)


def edit(before, after, path=source):
    text = path.read_text()
    assert before in text, text
    path.write_text(text.replace(before, after))


def as_at_first():
    """Built from the sources as they are written above."""
    for path, text in ((source, SOURCE), (header, HEADER)):
        if not path.exists() or path.read_text() != text:
            path.write_text(text)
    settle()
    done = builds.ninja("-c", "k.cu", "-o", "k.o", *TWO)
    equal(done.status, 0, done)


@behaviour
def the_first_call_runs_each_step():
    as_at_first()
    equal(builds.ran(), sorted([*PREPROCESS, *EACH]))
    steps([], *TWO)


@behaviour
def a_header_with_the_same_text_runs_nothing():
    """One that is touched, rewritten, older, or another file under its name."""
    as_at_first()
    header.touch()
    steps([], *TWO)
    header.write_text(header.read_text())
    steps([], *TWO)
    os.utime(header, (1, 1))
    steps([], *TWO)
    header.unlink()
    header.write_text(HEADER)
    steps([], *TWO)


@behaviour
def host_code_alone_runs_no_device_compiler():
    as_at_first()
    edit("return 1;", "return 2;")
    steps([*PREPROCESS, "cudafe++", "gcc"], *TWO)
    steps([*PREPROCESS, "gcc"], *TWO, "-Xcompiler", "-fno-plt")
    steps([*PREPROCESS, "gcc"], *TWO)


@behaviour
def code_of_one_architecture_runs_its_steps():
    as_at_first()
    edit("PART + 90", "PART + 91")
    steps([*PREPROCESS, "cicc", "ptxas", "fatbinary", "gcc"], *TWO)
    # The same PTX: a comment would vanish in preprocessing.
    edit("PART + 91", "(PART) + 91")
    steps([*PREPROCESS, "cicc"], *TWO)


@behaviour
def a_function_of_the_host_is_in_the_devices_text_too():
    as_at_first()
    edit("return 0;", "return 3;")
    steps([*PREPROCESS, "cudafe++", "cicc", "cicc", "gcc"], *TWO)


@behaviour
def a_header_with_another_text_runs_each_step():
    as_at_first()
    edit("PART 1", "PART 2", header)
    steps([*PREPROCESS, *EACH], *TWO)


@behaviour
def one_more_architecture_runs_its_steps_and_one_less_none():
    as_at_first()
    steps([*PREPROCESS, "gcc", "cicc", "ptxas", "fatbinary", "gcc"], *TWO, "-gencode", "arch=compute_100,code=sm_100")
    steps([*PREPROCESS, "fatbinary", "gcc"], *TWO)
    steps([], *TWO)


@behaviour
def options_of_one_program_run_that_and_what_follows():
    as_at_first()
    steps(["ptxas", "ptxas", "fatbinary", "gcc"], *TWO, "-Xptxas", "-O1")
    steps(["ptxas", "ptxas", "fatbinary", "gcc"], *TWO)
    steps([], *TWO, "--threads", "4")


@behaviour
def a_header_that_vanishes_or_is_generated_is_noticed():
    as_at_first()
    builds.write("first/part.h", "#define PART 5\n")
    edit('"part.h"', "<part.h>")
    include = [*TWO, "-I", "first", "-I", "."]
    builds.ninja("-c", "k.cu", "-o", "k.o", *include)
    steps([], *include)
    (builds.work / "first/part.h").unlink()
    steps([*PREPROCESS, *EACH], *include)
    header.unlink()
    failed = builds.ninja("-c", "k.cu", "-o", "k.o", *include)
    equal(failed.status, 1, failed)
    assert "part.h: No such file" in failed.err, failed
    builds.write("part.h", HEADER)
    steps(PREPROCESS, *include)


@behaviour
def what_expands_to_the_time_is_preprocessed_each_time():
    builds.write("t.cu", "const char *when() { return __TIME__; }\n")
    for _ in range(2):
        settle()
        equal(builds.ninja("-c", "t.cu", "-arch=sm_80").status, 0)
        assert builds.ran().count("gcc") >= 2, builds.logged()
        time.sleep(1.1)
    assert "cudafe++" in builds.ran(), builds.logged()


@behaviour
def warnings_come_again_though_nothing_runs():
    builds.write("w.cu", "#warning seen\n__global__ void k(int *x) { *x = 1; }\n")
    said = [builds.ninja("-c", "w.cu", "-arch=sm_80").err for _ in range(2)]
    equal(said[0], said[1])
    equal(said[0].count("#warning seen"), 4, said)


@behaviour
def after_an_error_the_rest_is_built_once_it_is_mended():
    builds.write("w.cu", "__global__ void k(int *x) { *x = y; }\n")
    (builds.work / "w.o").unlink(missing_ok=True)
    equal(builds.ninja("-c", "w.cu", "-arch=sm_80").status, 2)
    assert not (builds.work / "w.o").exists()
    builds.write("w.cu", "__global__ void k(int *x) { *x = 4; }\n")
    settle()
    equal(builds.ninja("-c", "w.cu", "-arch=sm_80").status, 0)


# What the following calls build.
builds.write("e.cu", SOURCE)


@behaviour
def equal_calls_at_one_time_run_their_steps_once():
    builds.log.unlink(missing_ok=True)
    calls = [threading.Thread(target=builds.ninja, args=("-c", "e.cu", "-arch=sm_80")) for _ in range(4)]
    settle()
    for call in calls:
        call.start()
    for call in calls:
        call.join()
    equal(builds.log.read_text().count('"cicc.'), 1, builds.log.read_text())


@behaviour
def the_output_has_a_new_time_though_nothing_runs():
    """As make expects."""
    builds.ninja("-c", "e.cu", "-arch=sm_80")
    before = (builds.work / "e.o").stat().st_mtime_ns
    settle()
    builds.ninja("-c", "e.cu", "-arch=sm_80")
    equal(builds.ran(), [])
    assert (builds.work / "e.o").stat().st_mtime_ns > before


builds.clean()
store = builds.home / ".local/share/cuda-cc/1/builds"


def output_folders():
    return {made.name for made in store.iterdir() if (made / "used").is_file()}


@behaviour
def the_folder_of_an_output_that_no_call_used_for_two_weeks_goes():
    """At most once a day."""
    for name in ("old", "new"):
        builds.ninja("-cubin", "e.cu", "-arch=sm_80", "-o", f"{name}.cubin")
        equal(builds.logged()["did"], "ninja", builds.logged())
        if name == "old":
            old = max(output_folders(), key=lambda each: (store / each / "used").stat().st_mtime_ns)
    before = output_folders()
    foreign = store / "0123456789abcdef"
    foreign.mkdir()
    (foreign / "kept").touch()
    for seconds, kept in ((13 * 86400, before), (15 * 86400, before - {old})):
        os.utime(store / old / "used", (time.time() - seconds,) * 2)
        builds.ninja("-cubin", "e.cu", "-arch=sm_80", "-o", "new.cubin")
        equal(output_folders(), before)
        (store / "trimmed").write_text(f"{time.time_ns() - 2 * 86400 * 10**9}\n")
        builds.ninja("-cubin", "e.cu", "-arch=sm_80", "-o", "new.cubin")
        equal(output_folders(), kept)
    equal((foreign / "kept").exists(), True)
    assert not (store / old).exists()


@behaviour
def without_ninja_there_is_a_remark_once_and_nvcc():
    few = builds.root / "few"
    few.mkdir()
    for program in ("sh", "gcc", "g++", "as", "ld", "cc1plus", "collect2", "ar"):
        if os.path.exists(f"/usr/bin/{program}"):
            (few / program).symlink_to(f"/usr/bin/{program}")
    path = f"{builds.toolkit}/bin:{few}"
    first, second = (builds.ninja("-c", "e.cu", "-arch=sm_80", PATH=path) for _ in range(2))
    equal((first.status, second.status), (0, 0), first)
    assert "[CC2032]" in first.err and "fix: install ninja" in first.err, first
    equal(second.err, "", second)
    equal(builds.logged()["whole"], "no ninja", builds.logged())
