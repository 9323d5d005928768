# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""`cuda-cc link` of files that cannot be linked, or to a place that cannot be written: one error, its exit status, and
no output; an older output stays as it was."""
import os
import shutil
import struct
import subprocess
import threading

import nvjitlink
from behaviour import behaviour
from sandbox import PROGRAM, SYSTEM, Sandbox, equal

sandbox = Sandbox("13.0")
runtime = ("--for", f"env:{nvjitlink.home('13.0')}")
OLD = b"an older output"


def make():
    sandbox.write("k.cu", nvjitlink.MODULE)
    sandbox.write("undefined.cu", "__device__ int gone(int);\n__global__ void k(int *x) { *x = gone(*x); }\n")
    for kind in (*nvjitlink.KINDS, "fatbin", "o"):
        nvjitlink.produce(sandbox, "13.0", kind, f"k.{kind}")
    nvjitlink.produce(sandbox, "13.0", "o", "undefined.o", "undefined.cu")
    # Not relocatable: complete, and no input of a link.
    ended = sandbox.run("nvcc", "-cubin", "-arch=sm_90", "k.cu", "-o", "complete.cubin")
    assert ended.status == 0, ended
    sandbox.write("host.cpp", "int f() { return 1; }\n")
    for words in (("g++", "-c", "host.cpp", "-o", "host.o"), ("ar", "rc", "empty.a"), ("ar", "rc", "host.a", "host.o"),
                  ("g++", "-c", "-flto", "host.cpp", "-o", "ir.o")):
        assert sandbox.run(*words).status == 0, words
    (sandbox.work / "folder").mkdir()
    sandbox.write("text.txt", "no device code\n")
    sandbox.write("nothing.o")


def damage():
    """Files of which a part is missing or wrong."""
    fatbin, whole = (sandbox.work / "k.fatbin").read_bytes(), (sandbox.work / "k.o").read_bytes()
    (sandbox.work / "short.fatbin").write_bytes(fatbin[:len(fatbin) // 2])
    (sandbox.work / "header.fatbin").write_bytes(fatbin[:12])
    (sandbox.work / "short.o").write_bytes(whole[:len(whole) // 3])
    cubin = (sandbox.work / "k.cubin").read_bytes()
    (sandbox.work / "short.cubin").write_bytes(cubin[:len(cubin) // 2])
    (sandbox.work / "short.ltoir").write_bytes((sandbox.work / "k.ltoir").read_bytes()[:6])
    (sandbox.work / "short.a").write_bytes(b"!<arch>\nb.o/            0           0     0     644     99999     `\n")
    # An ELF file of 32 bits, and one for another machine.
    head = bytearray(whole)
    head[4] = 1
    (sandbox.work / "bits32.o").write_bytes(head)
    head = bytearray(whole)
    struct.pack_into("<H", head, 18, 183)
    (sandbox.work / "aarch64.o").write_bytes(head)


def refused(status, code, *words, output="out.cubin", arch="--arch=sm_90"):
    """One error and its status; nothing is written, and what was there stays."""
    path = sandbox.work / output
    for old in (None, OLD):
        if old and path.parent == sandbox.work and not path.is_dir():
            path.write_bytes(old)
        before = sandbox.files()
        ended = sandbox.cc("link", arch, *runtime, "-o", output, *words)
        equal((ended.status, ended.codes, ended.out), (status, [code], ""), ended)
        sandbox.clean(before, ended)
        if old and path.is_file():
            equal(path.read_bytes(), old, f"{words}: the older output")
            path.unlink()
    return ended


make()
damage()


@behaviour
def inputs_without_device_code_are_refused():
    for name in ("host.o", "host.a", "empty.a", "nothing.o", "text.txt", "ir.o", "bits32.o"):
        ended = refused(2, "CC1009", name)
        assert name in ended.err, ended


@behaviour
def inputs_that_are_damaged_or_missing_are_refused():
    for name, code in (("short.fatbin", "CC2102"), ("header.fatbin", "CC2102"), ("short.o", "CC2014"),
                       ("short.cubin", "CC2014"), ("short.ltoir", "CC2014"), ("short.a", "CC2014"),
                       ("gone.o", "CC2005"), ("folder", "CC2005"), ("/dev/null", "CC2005")):
        ended = refused(4, code, name)
        assert name in ended.err, ended


@behaviour
def a_sound_input_beside_one_that_is_refused_does_not_matter():
    refused(2, "CC1009", "k.o", "host.o")


@behaviour
def a_pipe_as_input_is_not_opened():
    """Nobody writes to it."""
    os.mkfifo(sandbox.work / "pipe")
    refused(4, "CC2005", "pipe")


@behaviour
def an_input_that_is_not_relocatable_is_named():
    """Although no architecture was."""
    ended = refused(3, "CC4005", "k.cubin", "complete.cubin", arch="--emit=cubin")
    assert "complete.cubin" in ended.err and "sm_90 (not relocatable)" in ended.err, ended
    ended = refused(3, "CC4005", "complete.cubin")
    assert "not relocatable" in ended.err, ended


@behaviour
def code_of_other_architectures_is_refused():
    for name in ("k.o", "k.cubin", "k.ptx"):
        ended = refused(3, "CC4005", name, arch="--arch=sm_80")
        assert "sm_80" in ended.err and "compute_80" in ended.err, ended


@behaviour
def lto_ir_alone_is_refused_by_the_library():
    """It does not say what it is for."""
    ended = refused(3, "CC5007", "k.ltoir", arch="--arch=sm_80")
    assert "newer than target arch" in ended.err, ended


@behaviour
def words_that_are_no_architectures_are_refused():
    for arch in ("--arch=sm_0x", "--arch=compute_90", "--arch="):
        refused(2, "CC1001", "k.o", arch=arch)


SEVERAL = ("--arch=sm_90,sm_100", "k.ptx")


@behaviour
def stdout_does_not_take_several_files():
    """As several architectures make without a packer."""
    ended = sandbox.cc("link", *runtime, "-o", "-", *SEVERAL, PATH=SYSTEM)
    equal((ended.status, ended.codes, ended.out), (4, ["CC2015"], ""), ended)


@behaviour
def none_of_several_files_is_written_if_one_cannot_be():
    sandbox.write("k.sm_90.cubin", "older\n")
    (sandbox.work / "k.sm_100.cubin").mkdir()
    before = sandbox.files()
    ended = sandbox.cc("link", *runtime, "-o", "k.fatbin", *SEVERAL, PATH=SYSTEM)
    equal((ended.status, ended.codes), (4, ["CC2015"]), ended)
    sandbox.clean(before, ended)
    equal((sandbox.work / "k.sm_90.cubin").read_text(), "older\n")
    (sandbox.work / "k.sm_100.cubin").rmdir()
    (sandbox.work / "k.sm_90.cubin").unlink()


@behaviour
def a_library_that_is_too_old_is_one_warning():
    """V-PB-06: however many architectures are linked."""
    ended = sandbox.cc("link", "--for", f"env:{nvjitlink.home('12.1')}", "--arch=sm_90,sm_100", "-o", "out.fatbin",
                       "--lto", "k.ptx")
    equal((ended.status, ended.codes.count("CC5001")), (3, 1), ended)
    equal(ended.err.count("nvJitLink is older than 12.3 and not used"), 1, ended)


@behaviour
def a_library_of_its_name_without_its_functions_is_not_taken_for_an_old_one():
    site = sandbox.work / "site"
    for home in (nvjitlink.home("13.0"), nvjitlink.wheel("nvidia-cuda-runtime==13.0.96")):
        shutil.copytree(home, site, dirs_exist_ok=True)
    library = next(site.glob("nvidia/*/lib/libnvJitLink.so.13"))
    library.unlink()
    made = sandbox.run("gcc", "-shared", "-Wl,-soname,libnvJitLink.so.13", "-xc", "/dev/null", "-o", library)
    equal(made.status, 0, made)
    ended = sandbox.cc("link", "--for", f"env:{site}", "--arch=sm_90", "-o", "out.cubin", "--explain", "k.ptx")
    equal(ended.status, 4, ended)
    assert "nvJitLink: nvidia-nvjitlink: it has no functions of nvJitLink" in ended.err, ended
    assert "older than 12.3" not in ended.err, ended


@behaviour
def what_the_library_refuses_is_reported_with_its_log():
    ended = refused(3, "CC5007", "undefined.o")
    assert "gone" in ended.err, ended
    refused(3, "CC5007", "--ptxas-options=--no-such-option", "k.ptx")


@behaviour
def a_symbol_that_is_defined_twice_is_refused():
    """The library reports success (LT-17)."""
    ended = refused(3, "CC5007", "k.o", "k.cubin")
    assert "Multiple definition" in ended.err and "apply" in ended.err, ended


@behaviour
def an_output_that_cannot_be_written_is_refused():
    refused(4, "CC2015", "k.o", output="missing/out.cubin")
    refused(4, "CC2015", "k.o", output="folder")
    refused(4, "CC2015", "k.o", output="/proc/out.cubin")


@behaviour
def a_device_is_written_to_and_not_replaced():
    ended = sandbox.cc("link", "--arch=sm_90", *runtime, "-o", "/dev/null", "k.o")
    equal(ended.status, 0, ended)
    assert not os.path.isfile("/dev/null")


@behaviour
def a_pipe_and_stdout_take_what_a_file_takes():
    os.mkfifo(sandbox.work / "out.pipe")
    got = []
    reader = threading.Thread(target=lambda: got.append((sandbox.work / "out.pipe").read_bytes()))
    reader.start()
    ended = sandbox.cc("link", "--arch=sm_90", *runtime, "-o", "out.pipe", "k.o")
    reader.join()
    equal(ended.status, 0, ended)
    equal(sandbox.cc("link", "--arch=sm_90", *runtime, "-o", "out.cubin", "k.o").status, 0)
    equal(got[0] == (sandbox.work / "out.cubin").read_bytes(), True, "by the pipe")
    done = subprocess.run([PROGRAM, "link", "--arch=sm_90", *runtime, "-o", "-", "k.o"], capture_output=True,
                          cwd=sandbox.work, env=sandbox.environment())
    equal(done.stdout == got[0], True, "on stdout")
    (sandbox.work / "out.cubin").unlink()


@behaviour
def words_that_are_no_link_are_refused():
    for words in ((), ("-", "-"), ("k.o", "--emit=elf"), ("k.o", "--backend=nvlink"), ("k.o", "--optimize=2"),
                  ("k.o", "--maxrregcount=many"), ("k.o", "--emit=ptx", "--arch=sm_80,sm_90"), ("k.o", "--ftz=1")):
        refused(2, "CC1001", *words)

