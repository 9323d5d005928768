# SPDX-License-Identifier: Apache-2.0
# REQUIRES: nvcc
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""Files that a call did not make are kept: inputs, stale outputs, the output of another link (F3)."""
import concurrent.futures
import os

import note
from behaviour import behaviour
from sandbox import KERNEL, MAIN, Sandbox, equal, wheel

sandbox = Sandbox("13.0")
old = "--cudacc-runtime=cuda==12.0"
include = f"-I{sandbox.toolkit}/include"


def keeps(name, *words, code, text=None):
    """A call that is rejected before the compiler runs leaves the file at -o unchanged."""
    path = sandbox.work / name
    if text is not None:
        path.write_text(text)
    content, before = path.read_bytes(), os.stat(path)
    ended = sandbox.cc(old, *words)
    equal((ended.status, ended.codes), (3, [code]), ended)
    equal(path.read_bytes(), content, words)
    after = os.stat(path)
    equal((after.st_ino, after.st_mtime_ns), (before.st_ino, before.st_mtime_ns), words)


library = wheel("nvidia-nvjitlink-cu12==12.5.82") / "nvidia/nvjitlink/lib/libnvJitLink.so.12"
sandbox.write("ext.cpp", 'extern "C" int __nvJitLinkCreate_12_5();\n'
              'extern "C" int f() { return __nvJitLinkCreate_12_5(); }\n')
symbols = ("--cudacc-runtime=cuda==12.4", "--cudacc-enforce=symbols")
rejected = ("g++", "-shared", "-fPIC", "ext.cpp", library, "-o", "late.so")
sandbox.write("main.cpp", MAIN)
sandbox.write("one.cu", KERNEL + MAIN)
fits = "--cudacc-runtime=cuda==13.0"
sandbox.write("m.cpp", "#include <cuda.h>\n" + MAIN)
sandbox.write("k.cu", KERNEL)
sandbox.run("g++", "-c", include, "m.cpp", "-o", "m.o")


@behaviour
def an_input_that_is_named_as_the_output_is_kept():
    keeps("m.cpp", "g++", "-c", "m.cpp", include, "-o", "m.cpp", code="CC3014")
    keeps("m.cpp", "g++", "m.cpp", include, "-o", "m.cpp", code="CC3014")
    keeps("m.o", "m.o", "k.cu", "-o", "m.o", code="CC3002")
    keeps("m.o", "g++", "m.o", "m.cpp", include, "-o", "m.o", code="CC3014")
    keeps("k.cu", "-c", "k.cu", "-o", "k.cu", code="CC3002")
    keeps("k.cu", "-shared", "k.cu", "-o", "k.cu", code="CC3002")


@behaviour
def a_stale_output_of_a_call_that_is_rejected_is_kept():
    keeps("stale.o", "-c", "k.cu", "-o", "stale.o", code="CC3002", text="old")
    keeps("a.out", "k.cu", code="CC3002", text="old")
    keeps("stale", "g++", "m.cpp", include, "-o", "stale", code="CC3014", text="old")


@behaviour
def a_file_that_is_rejected_once_it_is_linked_is_removed():
    """The linker has replaced the old one."""
    sandbox.write("late.so", "old")
    ended = sandbox.cc(*symbols, *rejected)
    equal((ended.status, ended.codes), (3, ["CC4002"]), ended)
    assert not (sandbox.work / "late.so").exists(), "what the link made"


@behaviour
def an_output_after_an_error_of_the_compiler_is_what_the_compiler_leaves():
    sandbox.write("late.so", "old")
    ended = sandbox.cc(*symbols, "g++", "-shared", "no-such.o", "-o", "late.so")
    plain = sandbox.run("g++", "-shared", "no-such.o", "-o", "late.so")
    equal((ended.status, ended.err), (plain.status, plain.err), ended)


@behaviour
def many_links_to_one_output_succeed_as_with_the_plain_compiler():
    for words, times in ((("g++", "main.cpp", "-o", "one"), 24),
                         (("g++", "-fuse-ld=lld", "main.cpp", "-o", "one"), 8),
                         (("-arch=sm_80", "one.cu", "-o", "one"), 6)):
        sandbox.cc(fits, *words)
        alone = (sandbox.work / "one").read_bytes()
        with concurrent.futures.ThreadPoolExecutor(times) as pool:
            calls = [pool.submit(sandbox.cc, fits, *words) for _ in range(times)]
        for call in calls:
            equal((call.result().status, call.result().err), (0, ""), call.result())
        link = note.manifest(sandbox.work / "one").link
        assert link, words
        if words[0] == "g++":
            equal((sandbox.work / "one").read_bytes(), alone, words)
        equal(sandbox.run("./one").status if words[0] == "g++" else 0, 0, words)


@behaviour
def a_link_that_is_rejected_does_not_remove_the_file_of_another():
    good = ("g++", "-shared", "-fPIC", "main.cpp", "-o", "late.so")
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        bad = [pool.submit(sandbox.cc, *symbols, *rejected) for _ in range(4)]
        calls = [pool.submit(sandbox.cc, *symbols, *good) for _ in range(4)]
    equal([call.result().status for call in calls + bad], [0] * 4 + [3] * 4, "each its own verdict")


@behaviour
def a_wrapper_that_calls_cuda_cc_does_not_wait_for_itself():
    sandbox.write("wrapper/g++", f'#!/bin/sh\nCUDA_CC_MANIFEST=always "{os.environ["CUDACC_TEST_PROGRAM"]}" '
                  "g++ main.cpp -o inner\n").chmod(0o755)
    ended = sandbox.cc(fits, "--cudacc-no-manifest", "./wrapper/g++", "main.cpp", "-o", "inner")
    equal((ended.status, ended.err), (0, ""), ended)
    assert not list((sandbox.store / "1/locks").iterdir()), "no lock is left"


sandbox.clean()
