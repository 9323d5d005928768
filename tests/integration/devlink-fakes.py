# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %python -B %s
"""The helper program of device linking, with AddressSanitizer, on libraries that keep pointers, overwrite what they
were given, print, crash, exit and hang."""
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import linking
from behaviour import behaviour
from linking import CUBIN, DRIVER, EMIT_CUBIN, EMIT_LTOIR, EMIT_PTX, NVJITLINK, PTX
from sandbox import Sandbox, equal

ROOT = Path(__file__).resolve().parents[2]
sandbox = Sandbox()
work = sandbox.work


def compiled(output, *words):
    done = sandbox.run(*words, "-o", work / output)
    assert done.status == 0, done
    return work / output


SANITIZE = ("-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined")
sources = [ROOT / "plugins/devlink/Job.cpp", *sorted((ROOT / "plugins/devlink/linker").glob("*.cpp"))]
helper = compiled("devlink", "g++", "-std=c++20", "-O1", "-fno-exceptions", *SANITIZE, f"-I{ROOT}", *sources, "-ldl")
fake = ("gcc", "-shared", "-fPIC", "-Wall", "-Wextra", "-Werror", *SANITIZE, Path(__file__).with_name("fakelinkers.c"))
jitlink = compiled("libnvJitLink.so.12", *fake, "-Wl,-soname,libnvJitLink.so.12")
old = compiled("old.so", *fake, "-DTOO_OLD", "-Wl,-soname,libnvJitLink.so.12")
cuda = compiled("libcuda.so.1", *fake, "-DDRIVER", "-Wl,-soname,libcuda.so.1")
fatbin = compiled("libnvfatbin.so.12", *fake, "-DFATBIN")

INPUTS = [(CUBIN, "a.cubin", b"A\0B"), (PTX, "b.ptx", b"text")]
LINKS = [(["-arch=sm_90", "-lineinfo"], EMIT_CUBIN, [1, 0])]
LINKED = {NVJITLINK: b"-arch=sm_90\n-lineinfo\nb.ptx:text\0a.cubin:A\0B", DRIVER: b"b.ptx:text\0a.cubin:A\0B"}
LIBRARY = {NVJITLINK: jitlink, DRIVER: cuda}
BOTH = (NVJITLINK, DRIVER)


def run(backend, fault="", inputs=INPUTS, links=LINKS, library=None, **more):
    environment = {**sandbox.environment(), "FAKE": fault}
    return linking.run(backend, library or LIBRARY[backend], inputs, links, helper=helper, environment=environment,
                       **more)


def only(backend, fault="", **more):
    done = run(backend, fault, **more)
    assert done.status == 0 and "Sanitizer" not in done.printed, done
    equal((done.reply.opening, len(done.reply.results)), ("ok", 1), done)
    return done.reply.results[0]


@behaviour
def libraries_may_keep_and_overwrite_what_they_were_given():
    """LT-1 to LT-9, LT-12, LT-13, V-LT-05, V-LT-06."""
    for backend in BOTH:
        result = only(backend)
        equal((result.ok, result.output, result.failure), (True, LINKED[backend], ""), result)
    # The driver's log as it was before the state was destroyed.
    equal(only(DRIVER).info, "created\n")


@behaviour
def many_links_fit_in_one_process():
    """V-LT-01: the same bytes again, and the next calls of the library do not crash."""
    for backend in BOTH:
        done = run(backend, links=LINKS * 20)
        equal({result.output for result in done.reply.results}, {LINKED[backend]}, done.printed)


@behaviour
def failures_keep_their_logs():
    """V-LT-02, V-LT-07"""
    for backend, fault, failure, errors in (
            (NVJITLINK, "refuse-create", "nvJitLinkCreate: NVJITLINK_ERROR_UNRECOGNIZED_OPTION (1)",
             "unrecognized option\n"),
            (NVJITLINK, "refuse-add", "nvJitLinkAddData: NVJITLINK_ERROR_PTX_COMPILE (4)", "refused\n"),
            (NVJITLINK, "refuse-complete", "nvJitLinkComplete: NVJITLINK_ERROR_INTERNAL (6)",
             "error   : undefined reference\n"),
            (DRIVER, "refuse-create", "cuLinkCreate: error 1", "no such target\n"),
            (DRIVER, "refuse-add", "cuLinkAddData: CUDA_ERROR_NO_BINARY_FOR_GPU (209)", "refused\n"),
            (DRIVER, "refuse-complete", "cuLinkComplete: CUDA_ERROR_NO_BINARY_FOR_GPU (209)",
             "undefined reference\n")):
        result = only(backend, fault)
        refused = 1 if fault == "refuse-add" else None
        equal((result.ok, result.failure, result.errors, result.refused, result.output),
              (False, failure, errors, refused, b""), fault)
    equal(only(DRIVER, "refuse-create").info, "created\n")
    equal(only(NVJITLINK, "impossible").failure, "nvJitLinkGetLinkedCubin: NVJITLINK_ERROR_INTERNAL (6)")


@behaviour
def what_they_print_is_not_in_the_reply():
    for backend in BOTH:
        done = run(backend, "print-complete")
        equal(done.reply.results[0].output, LINKED[backend])
        assert "by printf in complete\n" in done.printed and "by write\n" in done.printed, done


@behaviour
def their_death_is_that_of_the_helper():
    for backend in BOTH:
        for where in ("load", "create", "add", "complete", "destroy"):
            done = run(backend, f"crash-{where}")
            equal((done.status, done.reply), (-signal.SIGSEGV, None), where)
            assert done.printed.startswith(f"about to crash in {where}\n"), done
        equal(run(backend, "abort-complete").status, -signal.SIGABRT)
        equal(run(backend, "exit-complete").status, 5)
        done = run(backend, "leave-complete")
        equal((done.status, done.reply), (0, None), "an exit without a reply")
    equal(run(NVJITLINK, "crash-version").status, -signal.SIGSEGV)


@behaviour
def a_library_that_does_not_fit_is_not_used():
    """V-PB-01 to V-PB-05"""
    for library, fault, opening, failure in (
            (work / "none.so", "", "not opened", "cannot open shared object file"),
            (sandbox.write("text.so", "text"), "", "not opened", "file too short"),
            (old, "", "too old", "older than 12.3"),
            (jitlink, "no-version", "no version", "nvJitLinkVersion: NVJITLINK_ERROR_INTERNAL (6)"),
            (jitlink, "version-13", "conflict", "libnvJitLink.so.12 reports version 13.5"),
            (cuda, "", "too old", "it has no nvJitLinkVersion")):
        done = run(NVJITLINK, fault, library=library)
        equal((done.status, done.reply.opening, done.reply.results), (0, opening, []), done)
        assert failure in done.reply.failure, done


@behaviour
def the_version_of_a_library_is_compared_with_what_is_expected():
    done = run(NVJITLINK, links=())
    equal((done.reply.opening, done.reply.version, done.reply.as_expected), ("ok", (12, 5), True), done)
    done = run(NVJITLINK, expected=(12, 6))
    equal((done.reply.opening, done.reply.as_expected, done.reply.results), ("ok", False, []), done)
    done = run(NVJITLINK, expected=(12, 5), entry_points=(12, 4))
    equal(done.reply.opening, "no entry points", done)


@behaviour
def the_driver_has_a_version_without_a_device():
    equal(run(DRIVER, "no-device", links=()).reply.version, (13, 0))
    done = run(DRIVER, "no-device")
    equal((done.reply.opening, done.reply.failure), ("no context", "cuInit: CUDA_ERROR_NO_DEVICE (100)"), done)


@behaviour
def options_and_outputs_without_a_counterpart_are_refused():
    for options, emit, failure in ((["-lto"], EMIT_CUBIN, "the driver's linker has no counterpart of -lto"),
                                   ([], EMIT_PTX, "the driver's linker makes cubins only")):
        equal(only(DRIVER, links=[(options, emit, [0])]).failure, failure)
    equal(only(NVJITLINK, links=[([], EMIT_PTX, [0])]).output, b"a.cubin:A\0B")
    equal(only(NVJITLINK, links=[([], EMIT_LTOIR, [0])]).failure, "it has no nvJitLinkGetLinkedLTOIR")


@behaviour
def results_are_packed_into_a_fatbin():
    done = run(NVJITLINK, links=LINKS * 3, packer=fatbin)
    equal((done.reply.fatbin, done.reply.fatbin_failure), (b"FATBIN+++", ""), done)
    done = run(NVJITLINK, "refuse-pack", packer=fatbin)
    equal((done.reply.results[0].ok, done.reply.fatbin, done.reply.fatbin_failure),
          (True, b"", "nvFatbinAdd: wrong (1)"), done)
    done = run(NVJITLINK, "refuse-complete", packer=fatbin)
    equal((done.reply.fatbin, done.reply.fatbin_failure), (b"", ""), "nothing is packed if a link failed")


def raw(content, words=(linking.HELPER,), **more):
    return subprocess.run([*map(str, words)], input=content, capture_output=True, timeout=60, **more)


@behaviour
def bad_jobs_end_in_one_line():
    whole = linking.job(NVJITLINK, jitlink, INPUTS, LINKS)
    for content in (b"", b"text", whole[:-1], whole + b"\0", bytes(100)):
        done = raw(content, [helper])
        equal((done.returncode, done.stdout, done.stderr),
              (70, b"", b"devlink: stdin has no job of this version of cuda-cc\n"), content[:30])
    done = raw(whole, ["sh", "-c", 'exec "$0" >&-', helper])
    equal((done.returncode, done.stderr), (70, b"devlink: stdout and stderr have to be open\n"))
    done = raw(whole, ["sh", "-c", 'exec "$0" > /dev/full', helper])
    equal((done.returncode, done.stderr), (70, b"devlink: cannot write the reply\n"))


@behaviour
def want_of_memory_ends_in_one_line():
    plain = compiled("plain.so", *(word for word in fake if word not in SANITIZE), "-Wl,-soname,libnvJitLink.so.12")
    limited = ["sh", "-c", 'ulimit -v 500000; exec "$0"', linking.HELPER]
    done = raw(linking.job(NVJITLINK, plain, INPUTS, LINKS), limited,
               env={**sandbox.environment(), "FAKE": "huge"})
    equal((done.returncode, done.stdout, done.stderr), (70, b"", b"devlink: out of memory\n"))


def is_running(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


@behaviour
def a_library_that_hangs_ends_with_who_waits_for_it():
    """Also if that one is killed, and can tell nobody."""
    job = work / "job"
    job.write_bytes(linking.job(NVJITLINK, jitlink, INPUTS, LINKS))
    waits = ("import subprocess, sys\nhelper = subprocess.Popen([sys.argv[1]], stdin=open(sys.argv[2]))\n"
             "print(helper.pid, flush=True)\nhelper.wait()\n")
    parent = subprocess.Popen([sys.executable, "-c", waits, helper, job], env={**os.environ, "FAKE": "hang-complete"},
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    pid = int(parent.stdout.readline())
    equal(parent.stderr.readline(), "hanging\n")
    assert is_running(pid)
    parent.kill()
    parent.wait()
    parent.stdout.close()
    parent.stderr.close()
    for _ in range(100):
        if not is_running(pid):
            break
        time.sleep(0.1)
    assert not is_running(pid), "the helper outlives who waits for it"
