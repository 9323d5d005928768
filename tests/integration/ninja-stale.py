# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""backend = "ninja": a step is skipped only if everything that it can read is known to be unchanged. Each case calls
once, changes something, and calls again: status, diagnostics and outputs are those of nvcc."""
import contextlib
import ctypes
import itertools
import os
import shutil
import stat
import subprocess
import tempfile
import time
from pathlib import Path

from behaviour import behaviour
from ninja_builds import Builds, comparable
from sandbox import PROGRAM, equal, skip, some

builds = Builds()
STRINGS = "extern const char *text; const char *text = TEXT;\n"
builds.write("a.cpp", "int f() { return 1; }\n")
builds.write("i.cpp", 'asm(".incbin \\"data.bin\\"\\n.include \\"more.s\\"");\n')
builds.write("data.bin", "one\n")
builds.write("more.s", ".byte 1\n")
builds.write("m.cpp", '#include "m.h"\n' + STRINGS)
builds.write("m.h", '#define TEXT "aaaa"\n')
builds.write("w.cpp", "int f() { int unused; return 1; }\n")
builds.write("k.cu", "#warning seen\n__global__ void k() {}\n")
device = ["-c", "k.cu", "-o", "k.o", "-arch=sm_80"]


def settle():
    """Until a change has another time than what came before it."""
    time.sleep(0.05)


def outcome(run, words, environment):
    done = run(*words, **environment)
    made = {name: comparable(builds.work / name) for name in words
            if name.endswith((".o", ".a", ".d", ".ptx", ".cubin")) and (builds.work / name).exists()}
    return done, (done.status, done.out, done.err, made)


def agrees(*words, **environment):
    """The outputs are removed before, so that nvcc and cuda-cc find the same."""
    for name in words:
        if name.endswith((".o", ".a", ".d")) and "-lib" not in words:
            (builds.work / name).unlink(missing_ok=True)
    done, got = outcome(builds.ninja, words, environment)
    if "-lib" in words:
        shutil.copy2(builds.work / words[-1], builds.work / "kept")
    expected_done, expected = outcome(lambda *given, **more: builds.run("nvcc", *given, **more), words, environment)
    equal(got, expected, f"{done}\n{expected_done}")
    if "-lib" in words:
        shutil.move(builds.work / "kept", builds.work / words[-1])
    return done


def changed(edit, *words, before=None, after=None):
    """Agrees before and after \\p edit, and once more with nothing to do."""
    settle()
    agrees(*words, **(before or {}))
    settle()
    edit()
    settle()
    for _ in range(2):
        agrees(*words, **((before if after is None else after) or {}))


def nothing():
    pass


def same_time(name, text):
    """Other bytes with the same size and time, in the same inode."""
    path = builds.work / name
    old = path.stat()
    assert len(text) == old.st_size, text
    other = builds.write("other", text)
    os.utime(other, ns=(old.st_atime_ns, old.st_mtime_ns))
    subprocess.run(["cp", "-p", other, path], check=True)
    other.unlink()
    new = path.stat()
    equal((new.st_ino, new.st_size, new.st_mtime_ns), (old.st_ino, old.st_size, old.st_mtime_ns))


@behaviour
def nothing_runs_where_nothing_changed():
    changed(nothing, "-c", "a.cpp", "-o", "a.o")
    equal(builds.ran(), [], builds.logged())


@behaviour
def an_archive_is_made_anew_whatever_lies_at_its_name():
    builds.write("b.cpp", "int g() { return 2; }\n")
    settle()
    agrees("-lib", "a.cpp", "b.cpp", "-o", "l.a")
    agrees("-lib", "a.cpp", "-o", "l.a")
    builds.write("a.cpp", "int f() { return 42; }\n")
    agrees("-lib", "a.cpp", "b.cpp", "-o", "l.a")
    equal(builds.logged()["did"], "ninja", builds.logged())


@behaviour
def a_file_that_assembly_reads_is_an_input():
    changed(lambda: builds.write("data.bin", "two\n"), "-c", "i.cpp", "-o", "i.o")
    changed(lambda: builds.write("more.s", ".byte 2\n"), "-c", "i.cpp", "-o", "i.o")
    builds.write("i.cu", '__global__ void k() {}\nasm(".incbin \\"data.bin\\"");\n')
    changed(lambda: builds.write("data.bin", "three\n"), "-c", "i.cu", "-o", "i.o", "-arch=sm_80")


@behaviour
def a_change_that_keeps_size_and_time_is_seen():
    os.utime(builds.work / "m.h", (1577836800, 1577836800))
    changed(lambda: same_time("m.h", '#define TEXT "bbbb"\n'), "-c", "m.cpp", "-o", "m.o")
    builds.write("data.bin", "aaaa")
    changed(lambda: same_time("data.bin", "bbbb"), "-c", "i.cpp", "-o", "i.o")


@behaviour
def the_time_of_a_source_is_seen_because_line_information_has_it():
    builds.write("line.cu", "__global__ void k(int *x) { *x = 1; }\n")
    changed(lambda: os.utime(builds.work / "line.cu", (1577836800, 1577836800)),
            "-cubin", "line.cu", "-o", "line.cubin", "-arch=sm_80", "-lineinfo")


@behaviour
def what_contains_the_time_is_compiled_again():
    builds.write("t.cpp", STRINGS)
    epochs = [{"SOURCE_DATE_EPOCH": str(86400 * day)} for day in (1, 2)]
    changed(nothing, "-DTEXT=__TIME__", "-c", "t.cpp", "-o", "t.o", before=epochs[0], after=epochs[1])
    for word in ("__TIME__", "__DATE__", "__TIMESTAMP__"):
        builds.write("u.cpp", f'#define TEXT {word}\n' + STRINGS)
        for words in some(([f"-DTEXT={word}", "-c", "t.cpp"], ["-c", "u.cpp"]), 1 if word != "__TIME__" else 2):
            for _ in range(2):
                settle()
                equal(builds.ninja(*words, "-o", "t.o").status, 0)
                equal(builds.ran(), ["gcc"], words)


@behaviour
def a_file_that_was_absent_is_seen():
    builds.write("h.cpp", """#if __has_include("o.h")
#include "o.h"
#endif
#include <found.h>
#ifndef TEXT
#define TEXT "absent"
#endif
""" + STRINGS)
    builds.write("second/found.h", "")
    (builds.work / "first").mkdir()
    (builds.work / "zeroth").mkdir()
    include = ["-Izeroth", "-Ifirst", "-Isecond", "-c", "h.cpp", "-o", "h.o"]
    changed(lambda: builds.write("first/o.h", '#define TEXT "present"\n'), *include)
    changed(lambda: (builds.work / "first/o.h").unlink(), *include)
    changed(lambda: builds.write("first/found.h", '#define TEXT "earlier"\n'), *include)
    changed(lambda: builds.write("first/found.h", "#include_next <found.h>\n"), *include)
    changed(lambda: builds.write("zeroth/found.h", '#define TEXT "first"\n#include_next <found.h>\n'), *include)
    changed(lambda: shutil.rmtree(builds.work / "zeroth"), *include)
    changed(lambda: shutil.move(builds.work / "first", builds.work / "zeroth"), *include)


@behaviour
def a_link_that_leads_elsewhere_is_seen():
    for name in ("one", "two"):
        builds.write(f"{name}/linked.h", f'#define TEXT "{name}"\n')
    (builds.work / "linked").symlink_to("one")
    builds.write("l.cpp", "#include <linked.h>\n" + STRINGS)

    def relink():
        (builds.work / "linked").unlink()
        (builds.work / "linked").symlink_to("two")

    changed(relink, "-Ilinked", "-c", "l.cpp", "-o", "l.o")


@behaviour
def a_file_in_memory_is_an_input():
    with tempfile.TemporaryDirectory(dir="/dev/shm") as memory:
        shared = Path(memory, "shared.h")
        shared.write_text('#define TEXT "one"\n')
        builds.write("g.cpp", f'#include "{shared}"\n' + STRINGS)
        changed(nothing, "-c", "g.cpp", "-o", "g.o")
        equal(builds.ran(), [], builds.logged())
        changed(lambda: shared.write_text('#define TEXT "two"\n'), "-c", "g.cpp", "-o", "g.o")
        changed(shared.unlink, "-c", "g.cpp", "-o", "g.o")


@behaviour
def a_name_that_depends_on_the_process_is_an_input():
    builds.write("self.h", '#define TEXT "one"\n')
    builds.write("g.cpp", "#include <self.h>\n" + STRINGS)
    own_folder = ["-I/proc/self/cwd", "-c", "g.cpp", "-o", "g.o"]
    changed(lambda: builds.write("self.h", '#define TEXT "two"\n'), *own_folder)


@behaviour
def what_a_command_writes_beside_its_output_is_written_again():
    for _ in range(2):
        settle()
        equal(builds.ninja("-Xcompiler", "-Xassembler,-adhln=a.lst", "-c", "a.cpp", "-o", "a.o").status, 0)
        (builds.work / "a.lst").unlink()


@behaviour
def variables_of_compilers_are_inputs():
    builds.write("v.cpp", "#include <v.h>\n" + STRINGS)
    for folder in ("v1", "v2"):
        builds.write(f"{folder}/v.h", f'#define TEXT "{folder}"\n')
    for name in ("CPATH", "CPLUS_INCLUDE_PATH", "NVCC_APPEND_FLAGS", "NVCC_PREPEND_FLAGS"):
        values = [f"-Iv{number}" if "FLAGS" in name else f"v{number}" for number in (1, 2)]
        changed(nothing, "-c", "v.cpp", "-o", "v.o", before={name: values[0]}, after={name: values[1]})
    changed(nothing, "-Xcompiler", "-Wall", "-c", "w.cpp", "-o", "w.o", before={"LC_ALL": "C"},
            after={"LC_ALL": "C.UTF-8"})


@behaviour
def a_host_compiler_may_be_a_script_that_reads_a_variable_and_a_file():
    script = builds.write("wrap/g++", """#!/bin/sh
. "$(dirname "$0")/settings"
exec /usr/bin/g++ -DTEXT="\\"$OWN$READ\\"" "$@"
""")
    script.chmod(0o755)
    settings = builds.write("wrap/settings", "READ=1\n")
    builds.write("s.cpp", STRINGS)
    wrapped = ["-ccbin", script, "-c", "s.cpp", "-o", "s.o"]
    wrapped = [str(word) for word in wrapped]
    changed(nothing, *wrapped, before={"OWN": "a"}, after={"OWN": "b"})
    changed(lambda: settings.write_text("READ=2\n"), *wrapped, before={"OWN": "a"})
    equal(builds.ran(), [], builds.logged())


@behaviour
def a_changed_profile_of_the_toolkit_is_seen():
    own = builds.use_own_toolkit()
    builds.write("p.cpp", "#ifndef TEXT\n#define TEXT \"none\"\n#endif\n" + STRINGS)

    def add_to_profile():
        with (own / "bin/nvcc.profile").open("a") as profile:
            profile.write('INCLUDES += "-DTEXT=\\\\"profile\\\\""\n')

    changed(add_to_profile, "-c", "p.cpp", "-o", "p.o")
    builds.use("13.0")


@behaviour
def old_warnings_and_failures_are_not_told_again():
    warns = ["-Xcompiler", "-Wall", "-c", "w.cpp", "-o", "w.o"]
    agrees(*warns)
    equal(agrees("-Xcompiler", "-Wall,-fbogus", "-c", "w.cpp", "-o", "w.o").status, 1)
    assert "unused" in agrees(*warns).err
    settle()
    agrees(*device)
    assert agrees(*device, "-Xptxas", "--bogus").status
    assert "seen" in agrees(*device).err


@behaviour
def a_header_that_goes_and_comes_back_is_seen():
    changed(lambda: shutil.move(builds.work / "m.h", builds.work / "away.h"), "-c", "m.cpp", "-o", "m.o")
    changed(lambda: shutil.move(builds.work / "away.h", builds.work / "m.h"), "-c", "m.cpp", "-o", "m.o")


def state(path):
    status = path.lstat()
    target = builds.work / "target"
    return (stat.S_IFMT(status.st_mode), stat.S_IMODE(status.st_mode), status.st_nlink,
            target.exists() and target.stat().st_size)


def absent(path):
    pass


def empty(path):
    path.touch(0o600)


def full(path):
    path.write_text("old")
    path.chmod(0o600)


def hard_linked(path):
    full(path)
    os.link(path, builds.work / "second-name")


def linked(path):
    full(builds.work / "target")
    path.symlink_to("target")


def dangling(path):
    path.symlink_to("target")


def written(run, words, prepare):
    path = builds.work / words[-1]
    prepare(path)
    equal(run(*words).status, 0)
    got = (state(path), comparable(path))
    for name in (path, builds.work / "target", builds.work / "second-name"):
        with contextlib.suppress(FileNotFoundError):
            name.unlink()
    return got


WRITTEN = (["-c", "a.cpp", "-o", "o.o"], ["-cubin", "k.cu", "-arch=sm_80", "-o", "o.cubin"],
           ["-ptx", "k.cu", "-arch=sm_80", "-o", "o.ptx"], ["-lib", "a.cpp", "-o", "o.a"],
           ["-c", "a.cpp", "-o", "a.o", "-MD", "-MF", "o.d"],
           ["-ccbin", "clang++", "-allow-unsupported-compiler", "-c", "a.cpp", "-o", "o.o"])


@behaviour
def outputs_are_written_as_the_compilers_write_them():
    for words, prepare in some(itertools.product(WRITTEN, (absent, empty, full, hard_linked, linked, dangling)), 13):
        expected = written(lambda *given: builds.run("nvcc", *given), words, prepare)
        equal(written(builds.ninja, words, prepare), expected, (prepare, words))


@behaviour
def an_output_that_is_open_is_written_into():
    for program in ("nvcc", PROGRAM):
        with tempfile.NamedTemporaryFile(suffix=".o") as opened:
            equal(builds.run(program, "-c", "a.cpp", "-o", opened.name, CUDA_CC_BACKEND="ninja").status, 0)
            assert opened.read(), program


@behaviour
def with_a_full_store_nvcc_compiles_alone():
    MS_MOUNT = 0
    libc = ctypes.CDLL(None, use_errno=True)
    for size in some((16, 1000, 300), 2):
        small = builds.root / f"small{size}"
        small.mkdir()
        if libc.mount(b"tmpfs", str(small).encode(), b"tmpfs", MS_MOUNT, f"size={size}k".encode()):
            skip("no tmpfs can be mounted here")
        try:
            agrees(*device, HOME=small)
            agrees(*device, HOME=small)
            equal(builds.logged()["did"], "exec", builds.logged())
        finally:
            libc.umount(str(small).encode())
