# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""The helper program of device linking on nvJitLink and nvFatbin of several releases: cubins, PTX and LTO-IR of nvcc
13.0."""
import os

import linking
from behaviour import behaviour
from linking import CUBIN, EMIT_CUBIN, EMIT_LTOIR, EMIT_PTX, LTOIR, NVJITLINK, OBJECT, PTX
from sandbox import Sandbox, equal, wheel

sandbox = Sandbox("13.0")
sandbox.write("a.cu", 'extern __device__ int other(int);\n'
              'extern "C" __global__ void kernel(int *x) { *x = other(*x); }\n')
sandbox.write("b.cu", "__device__ int other(int v) { return v * 3 + 1; }\n")


def compiled(suffix, *words):
    """What nvcc makes of both files."""
    for name in "ab":
        done = sandbox.run("nvcc", "-rdc=true", *words, f"{name}.cu", "-o", f"{name}.{suffix}")
        assert done.status == 0, done
    return [(sandbox.work / f"{name}.{suffix}").read_bytes() for name in "ab"]


cubins = compiled("cubin", "-cubin", "-arch=sm_90")
objects = compiled("o", "-c", "-arch=sm_90")
# Of an ISA that each of these releases knows.
ptx = [text.replace(b".version 9.0", b".version 8.0") for text in compiled("ptx", "-ptx", "-arch=compute_90")]
ltoir = compiled("ltoir", "-ltoir", "-gencode", "arch=compute_90,code=lto_90")
INPUTS = [(kind, f"{name}.{suffix}", content)
          for kind, suffix, contents in ((CUBIN, "cubin", cubins), (PTX, "ptx", ptx), (OBJECT, "o", objects),
                                         (LTOIR, "ltoir", ltoir)) for name, content in zip("ab", contents)]
OPTIONS = ["-arch=sm_90"]
LTO = ["-arch=sm_90", "-lto"]


def library(requirement, name="nvJitLink"):
    return next(wheel(requirement).rglob(f"lib{name}.so.*"))


def answer(path, *links, **more):
    done = linking.run(NVJITLINK, path, INPUTS, links, **more)
    assert done.status == 0, done
    return done


def run(path, *links, **more):
    return answer(path, *links, **more).reply


def links(path, version, *several):
    reply = run(path, *several, expected=version)
    equal((reply.opening, reply.version, reply.as_expected), ("ok", version, True), reply)
    for (options, emit, _), result in zip(several, reply.results):
        assert result.ok and result.microseconds, (path, options, result)
        if emit == EMIT_CUBIN:
            assert result.output.startswith(b"\x7fELF") and b".text.kernel\0" in result.output, (path, options)
    return reply.results


@behaviour
def a_library_that_is_too_old_is_recognised_without_calling_it():
    """PB-2."""
    reply = run(library("nvidia-nvjitlink-cu12==12.0.140"), (OPTIONS, EMIT_CUBIN, [2, 3]))
    equal((reply.opening, reply.results), ("too old", []), reply)


RELEASES = {"nvidia-nvjitlink-cu12==12.5.82": (12, 5), "nvidia-nvjitlink-cu12==12.8.93": (12, 8),
            "nvidia-nvjitlink==13.0.88": (13, 0)}


@behaviour
def cubins_text_and_objects_are_linked():
    for requirement, version in RELEASES.items():
        path = library(requirement)
        links(path, version, (OPTIONS, EMIT_CUBIN, [0, 1]), (OPTIONS, EMIT_CUBIN, [2, 3]),
              (OPTIONS, EMIT_CUBIN, [4, 5]), (OPTIONS, EMIT_CUBIN, [0, 3]))
        assert not run(path, (OPTIONS, EMIT_CUBIN, [0, 1]), expected=(12, 1)).as_expected


@behaviour
def a_failure_has_the_librarys_own_log_and_the_next_link_works():
    for requirement in RELEASES:
        done = answer(library(requirement), (OPTIONS, EMIT_CUBIN, [0]), (["-arch=sm_90", "-bad"], EMIT_CUBIN, [0, 1]),
                      (["-lineinfo"], EMIT_CUBIN, [0, 1]), (OPTIONS, EMIT_CUBIN, [0, 1]))
        equal([result.ok for result in done.reply.results], [False, False, False, True], done)
        undefined, unknown, archless, _ = done.reply.results
        # nvJitLink 12.5 prints what is undefined, newer ones have it in the log.
        assert undefined.failure.startswith("nvJitLinkComplete: "), undefined
        assert "'_Z5otheri' in 'a.cubin'" in undefined.errors + done.printed, done
        equal((unknown.failure, unknown.errors),
              ("nvJitLinkCreate: NVJITLINK_ERROR_UNRECOGNIZED_OPTION (1)", "unrecognized option: -bad\n"), requirement)
        equal(archless.failure, "nvJitLinkCreate: NVJITLINK_ERROR_MISSING_ARCH (2)", requirement)


@behaviour
def an_older_nvjitlink_says_that_it_takes_no_newer_cubin():
    refused, = run(library("nvidia-nvjitlink-cu12==12.4.127"), (OPTIONS, EMIT_CUBIN, [1, 0])).results
    equal((refused.ok, refused.refused), (False, 1), refused)


@behaviour
def a_link_works_after_one_that_could_not_be_created():
    """nvJitLink 12.3 crashes if what a failed nvJitLinkCreate left is destroyed."""
    reply = run(library("nvidia-nvjitlink-cu12==12.3.101"), ([*LTO, "-r"], EMIT_CUBIN, [6, 7]),
                (OPTIONS, EMIT_CUBIN, [2, 3]))
    equal([result.ok for result in reply.results], [False, True], reply)


newest = library("nvidia-nvjitlink==13.0.88")


@behaviour
def lto_ir_is_linked_into_code_and_text():
    linked, = links(newest, (13, 0), (LTO, EMIT_CUBIN, [6, 7]))
    text, = links(newest, (13, 0), ([*LTO, "-ptx"], EMIT_PTX, [6, 7]))
    assert b".visible .entry kernel(" in text.output and text.output.endswith(b"}\n\n"), text
    missing, = run(newest, (LTO, EMIT_LTOIR, [6, 7])).results
    equal(missing.failure, "it has no nvJitLinkGetLinkedLTOIR")


@behaviour
def nvfatbin_packs_what_was_linked():
    packed = linking.run(NVJITLINK, newest, INPUTS, [(OPTIONS, EMIT_CUBIN, [0, 1]), ([*LTO, "-ptx"], EMIT_PTX, [6, 7])],
                         packer=library("nvidia-nvfatbin==13.0.85", "nvfatbin")).reply
    equal(packed.fatbin_failure, "", packed.results)
    (sandbox.work / "packed.fatbin").write_bytes(packed.fatbin)
    shown = sandbox.cc("inspect", sandbox.work / "packed.fatbin")
    assert shown.status == 0 and "sm_90" in shown.out and "compute_90" in shown.out, shown


@behaviour
def lto_ir_comes_out_of_lto_ir():
    if os.environ["CUDACC_TEST_ALL"]:
        again, = links(library("nvidia-nvjitlink==13.5.37"), (13, 5), ([*LTO, "-r"], EMIT_LTOIR, [6, 7]))
        assert again.output.startswith(b"\xedCN\x7f"), again
