# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %support/hide-cuda %python -B %s
"""`cuda-cc link` of files that cannot be linked, or to a place that cannot be written: one error, its exit status, and
no output; an older output stays as it was."""
import os
import shutil
import struct
import subprocess
import threading

import nvjitlink
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


def inputs():
    for name in ("host.o", "host.a", "empty.a", "nothing.o", "text.txt", "ir.o", "bits32.o"):
        ended = refused(2, "CC1009", name)
        assert name in ended.err, ended
    for name, code in (("short.fatbin", "CC2102"), ("header.fatbin", "CC2102"), ("short.o", "CC2014"),
                       ("short.cubin", "CC2014"), ("short.ltoir", "CC2014"), ("short.a", "CC2014"),
                       ("gone.o", "CC2005"), ("folder", "CC2005"), ("/dev/null", "CC2005")):
        ended = refused(4, code, name)
        assert name in ended.err, ended
    # The sound input beside it does not matter.
    refused(2, "CC1009", "k.o", "host.o")
    # Nobody writes to the pipe: it is not opened.
    os.mkfifo(sandbox.work / "pipe")
    refused(4, "CC2005", "pipe")


def architectures():
    # The input is named although no architecture was.
    ended = refused(3, "CC4005", "k.cubin", "complete.cubin", arch="--emit=cubin")
    assert "complete.cubin" in ended.err and "sm_90 (not relocatable)" in ended.err, ended
    for name in ("k.o", "k.cubin", "k.ptx"):
        ended = refused(3, "CC4005", name, arch="--arch=sm_80")
        assert "sm_80" in ended.err and "compute_80" in ended.err, ended
    # LTO-IR alone does not say what it is for; the library does.
    ended = refused(3, "CC5007", "k.ltoir", arch="--arch=sm_80")
    assert "newer than target arch" in ended.err, ended
    ended = refused(3, "CC4005", "complete.cubin")
    assert "not relocatable" in ended.err, ended
    for arch in ("--arch=sm_0x", "--arch=compute_90", "--arch="):
        refused(2, "CC1001", "k.o", arch=arch)


def packing():
    """Without a packer several architectures make several files, which stdout and a pipe cannot take."""
    words = ("--arch=sm_90,sm_100", "k.ptx")
    ended = sandbox.cc("link", *runtime, "-o", "-", *words, PATH=SYSTEM)
    equal((ended.status, ended.codes, ended.out), (4, ["CC2015"], ""), ended)
    sandbox.write("k.sm_90.cubin", "older\n")
    (sandbox.work / "k.sm_100.cubin").mkdir()
    before = sandbox.files()
    ended = sandbox.cc("link", *runtime, "-o", "k.fatbin", *words, PATH=SYSTEM)
    equal((ended.status, ended.codes), (4, ["CC2015"]), ended)
    # Neither of them is written if one cannot be.
    sandbox.clean(before, ended)
    equal((sandbox.work / "k.sm_90.cubin").read_text(), "older\n")
    (sandbox.work / "k.sm_100.cubin").rmdir()
    (sandbox.work / "k.sm_90.cubin").unlink()


def too_old():
    """V-PB-06: one warning, however many architectures are linked."""
    ended = sandbox.cc("link", "--for", f"env:{nvjitlink.home('12.1')}", "--arch=sm_90,sm_100", "-o", "out.fatbin",
                       "--lto", "k.ptx")
    equal((ended.status, ended.codes.count("CC5001")), (3, 1), ended)
    equal(ended.err.count("nvJitLink is older than 12.3 and not used"), 1, ended)


def no_nvjitlink():
    """A library that has its name, and none of its functions, is not taken for an old one."""
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


def links():
    """What the library refuses, with its log."""
    ended = refused(3, "CC5007", "undefined.o")
    assert "gone" in ended.err, ended
    # The library reports success (LT-17).
    ended = refused(3, "CC5007", "k.o", "k.cubin")
    assert "Multiple definition" in ended.err and "apply" in ended.err, ended
    refused(3, "CC5007", "--ptxas-options=--no-such-option", "k.ptx")


def outputs():
    refused(4, "CC2015", "k.o", output="missing/out.cubin")
    refused(4, "CC2015", "k.o", output="folder")
    refused(4, "CC2015", "k.o", output="/proc/out.cubin")
    # A pipe and /dev/null are written to, not replaced.
    ended = sandbox.cc("link", "--arch=sm_90", *runtime, "-o", "/dev/null", "k.o")
    equal(ended.status, 0, ended)
    assert not os.path.isfile("/dev/null")
    got = []
    reader = threading.Thread(target=lambda: got.append((sandbox.work / "pipe").read_bytes()))
    reader.start()
    ended = sandbox.cc("link", "--arch=sm_90", *runtime, "-o", "pipe", "k.o")
    reader.join()
    equal(ended.status, 0, ended)
    equal(sandbox.cc("link", "--arch=sm_90", *runtime, "-o", "out.cubin", "k.o").status, 0)
    equal(got[0] == (sandbox.work / "out.cubin").read_bytes(), True, "by the pipe")
    done = subprocess.run([PROGRAM, "link", "--arch=sm_90", *runtime, "-o", "-", "k.o"], capture_output=True,
                          cwd=sandbox.work, env=sandbox.environment())
    equal(done.stdout == got[0], True, "on stdout")
    (sandbox.work / "out.cubin").unlink()


def usage():
    for words in ((), ("-", "-"), ("k.o", "--emit=elf"), ("k.o", "--backend=nvlink"), ("k.o", "--optimize=2"),
                  ("k.o", "--maxrregcount=many"), ("k.o", "--emit=ptx", "--arch=sm_80,sm_90"), ("k.o", "--ftz=1")):
        refused(2, "CC1001", *words)


make()
damage()
inputs()
architectures()
packing()
too_old()
no_nvjitlink()
links()
outputs()
usage()
