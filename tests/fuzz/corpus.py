#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Seeds for the fuzz targets, made from small sources with the installed tools.

    corpus.py DIRECTORY [NVCC]

writes DIRECTORY/TARGET/* for every target, besides copies of seeds/TARGET/*. Seeds that need a missing tool are
left out. Without arguments: prints the names of the targets.
"""

import json
import os
import shutil
import struct
import subprocess
import sys
import zipfile
from pathlib import Path

SOURCE = """
#include <stdio.h>
__attribute__((weak)) int w(void);
static int libcudart_static_0123456789abcdef0123456789abcdef01234567(void) { return 2; }
int old(void) { return 1; }
int a(void) { return puts("x") + (w ? w() : 0)
              + libcudart_static_0123456789abcdef0123456789abcdef01234567(); }
__asm__(".symver old,b@A_1");
"""
NOTES = """
  .section .note.cuda-target,"a",%note
  .balign 4
  .long 12, 56, 0xC0DA0002
  .asciz "cuda-target"
  .ascii "{\\"kind\\":\\"link\\",\\"schema\\":1,\\"target\\":{\\"cuda\\":\\"12.4\\"}}"
  .zero 5
  .long 12, 32, 0xC0DA0003
  .asciz "cuda-target"
  .short 1, 1, 12,4, 12,4, 12,0, 8,4, 0,0
  .long 0x1D6B4E34, 0x116BE3AA
  .section .note.dlopen,"a",%note
  .balign 4
  .long 4, 2f-1f, 0x407c0c0a
  .asciz "FDO"
1:.asciz "[{\\"soname\\":[\\"libnvrtc.so.12\\"],\\"priority\\":\\"recommended\\"}]"
  .balign 4
2:
  .section .note.GNU-stack,"",%progbits
"""
# A wrapper and two containers: one with a single uncompressed PTX entry, one empty (FB-10, FB-14).
FATBIN = """
  .section .nvFatBinSegment,"aw",@progbits
  .balign 8
  .long 0x466243B1, 1
  .quad 1f, 0
  .section .nv_fatbin,"a",@progbits
  .balign 8
1:.long 0xBA55ED50
  .short 1, 16
  .quad 9f-2f
2:.short 1, 0x0101
  .long 64
  .quad 32
  .long 0, 0
  .short 0, 9
  .long 80, 0, 0
  .quad 0x11, 0, 0
  .asciz ".version 9.0\\n.target sm_80\\n"
  .balign 8
9:.long 0xBA55ED50
  .short 1, 16
  .quad 0
  .section .note.GNU-stack,"",%progbits
"""
KERNEL = "__global__ void k(int *p) { *p = 1; }\nvoid f(int *p) { k<<<1, 1>>>(p); }\n"
HERE = Path(__file__).resolve().parent
TESTS = HERE.parent
# Each file is one.
TARGETS = sorted(path.stem for path in (HERE / "targets").glob("*.cpp"))
# Every construct of the grammar, then inputs on which the library once failed: a bracket without a key, a
# non-ASCII letter outside of a string, quotes at the end.
TOML = {
    "config": b"# declares\nruntime = [\"torch==2.5.1\", 'driver>=535.104']\n"
              b"\"install-dir\" = \"\"\"pkg\\\n   \xc3\xa9\\u00e9\"\"\"\r\n[severity] # of rules\n"
              b"CC4001 = \"error\"\n[tool.cuda-cc]\njobs = 0x1_f\nstrict = true\n",
    "values": b"a = [1, -2.5e+1_0, 0o7, 0b1, inf, nan, [[], {}], {b.c = 1, b.d = {e = '''x''y'''}},]\n"
              b"d = 1979-05-27 07:32:00.5-08:00\nt = 07:32:00\n"
              b"q.\"r s\".'t' = \"\\b\\n\\U0001F600\"\n",
    "tables": b"[a.b.c]\n[a]\nd.e = 1\nd.f = 2\n[a.d.g]\n[[l.m]]\n[l.m.n]\n[[l.m]]\nx = {y = 1}\n",
    "uv.lock": b"version = 1\n[[package]]\nname = \"nvidia-nvjitlink-cu12\"\nversion = \"12.4.127\"\n"
               b"source = { registry = \"https://x\" }\nwheels = [\n    { url = \"y-1-py3-none-any.whl\","
               b" size = 1 },\n]\n",
    "newline": b"[\n", "parenthesis": b"[(", "equals": b"[=", "double": b"[[\n",
    "word": b"a = 1\"\xc3\xa9\"", "date": b"a = [1979-05-27 0,\"\xc3\xa9\"]",
    "letter": b"[\xc3\xa9]", "blank": b"a = \"\"\"\\\n\xc3\xa9\"\"\"\n", "quotes": b"a = \"\"\"",
}
LOCKS = {
    "Pipfile.lock": b'{"_meta": {"requires": {}}, "default": {"torch": {"version": "==2.5.1"}}}',
    "conda-lock.yml": b"version: 1\npackage:\n- name: cuda-cudart\n  version: 12.4.127\n"
                      b"  dependencies: {libc: '>=2.17', \"a b\": [1, ~, !!str x]}\n  text: |\n"
                      b"    two\n    lines\n- &anchor {name: y}\n- *anchor\n",
}
OBJECT = {"headers": "12.4", "host": "gcc-12.2.0", "kind": "object", "schema": 1,
          "tool": "cuda-cc-0.1.0", "toolkit": "12.4.131"}
LINK = {"cudart": "static", "floor": {"libnvJitLink.so.12": "12.4.99"}, "host": "gcc-12.2.0",
        "kind": "link", "linker": "bfd-2.40", "needed": ["libcublas.so.12"],
        "objects": {"noted": 3, "unnoted": 0}, "policy": "0123456789abcdef", "rpath": "rpath",
        "sass": ["sm_80", "sm_90a"], "schema": 1,
        "target": {"cuda": "12.4", "libs": {"libcublas.so.12": "12.4.5.8"}},
        "tool": "cuda-cc-0.1.0", "toolkit": {"max": "12.4.131", "min": "12.4.99"}, "waivers": []}


class Corpus:
    def __init__(self, root):
        self.root = root
        shutil.rmtree(root, ignore_errors=True)
        for target in TARGETS:
            os.makedirs(os.path.join(root, target))
        self.work = os.path.join(root, "work")
        os.makedirs(self.work)

    def path(self, name):
        return os.path.join(self.work, name)

    def source(self, name, text):
        with open(self.path(name), "w") as out:
            out.write(text)

    def run(self, *words):
        """Whether the command succeeded. Missing tools and features produce no seeds."""
        if not shutil.which(words[0]):
            return False
        return subprocess.run(words, cwd=self.work, stdin=subprocess.DEVNULL, capture_output=True,
                              check=False).returncode == 0

    def keep(self, target, name, content=None):
        if content is None:
            with open(self.path(name), "rb") as made:
                content = made.read()
        # Others read the same files.
        for reader in (target, *{"elf": ["dynamic", "parts"], "fatbin": ["dynamic", "parts"]}.get(target, [])):
            with open(os.path.join(self.root, reader, name), "wb") as out:
                out.write(content)

    def elf(self):
        self.source("a.c", SOURCE)
        self.source("n.s", NOTES)
        self.source("a.map", "A_1 { local: old; };\nA_2 { global: a; local: *; } A_1;\n")
        small = ("-nostartfiles", "-Wl,-z,norelro", "-Wl,-z,noseparate-code")
        for linker in ("bfd", "lld", "mold"):
            for style in ("sysv", "gnu"):
                name = f"{linker}-{style}.so"
                if self.run("gcc", "-shared", "-fPIC", "a.c", "n.s", "-o", name, *small,
                            f"-fuse-ld={linker}", f"-Wl,--hash-style={style}",
                            "-Wl,--version-script=a.map", "-Wl,-soname,liba.so.1",
                            "-Wl,-rpath,$ORIGIN:/b"):
                    self.keep("elf", name)
                    if self.run("llvm-objcopy-19", "--strip-sections", name, "bare.so"):
                        with open(self.path("bare.so"), "rb") as bare:
                            self.keep("elf", "bare-" + name, bare.read())
        for name, words in {"a.o": ["gcc", "-c", "a.c"], "n.o": ["gcc", "-c", "n.s"],
                            "slim.o": ["gcc", "-flto", "-c", "a.c"],
                            "bitcode.o": ["clang", "-flto", "-c", "n.c"],
                            "i386.o": ["clang", "--target=i386", "-c", "n.c"]}.items():
            self.source("n.c", "int n(void) { return 1; }\n")
            if self.run(*words, "-o", name):
                self.keep("elf", name)
        self.device_files()

    def device_files(self):
        """Separate files of device code, and a cubin of ABI 8 with a note of the tool that made it."""
        self.keep("elf", "ptx", b"//\n/* x */\n.version 8.4\n.target sm_90a, debug\n.address_size 64\n")
        self.keep("elf", "ltoir", b"\xed\x43\x4e\x7f\x01\x41" + bytes(20) + b"\x20\x03" + bytes(16))
        self.source("c.s", '.section .note.nv.tkinfo,"",%note\n.asciz "ptxas -arch sm_90a -m 64"\n'
                    '.section .text.k,"ax",%progbits\n.quad 1, 2\n')
        if self.run("gcc", "-c", "c.s", "-o", "c.o"):
            with open(self.path("c.o"), "rb") as made:
                cubin = bytearray(made.read())
            for name, kind, flags in (("cubin", 2, 90 << 8), ("rdc.cubin", 1, 90 << 8), ("old.cubin", 2, 0x5a0d5a)):
                cubin[8] = 7 if name == "old.cubin" else 8
                cubin[16:20] = struct.pack("<HH", kind, 190)
                cubin[48:52] = struct.pack("<I", flags)
                self.keep("elf", name, bytes(cubin))
        self.source("f.s", FATBIN)
        if self.run("gcc", "-c", "f.s", "-o", "f.o") and self.run(
                "objcopy", "-O", "binary", "-j", ".nv_fatbin", "f.o", "f.fatbin"):
            self.keep("elf", "f.fatbin")

    def fatbins(self, nvcc):
        self.source("f.s", FATBIN)
        if self.run("gcc", "-c", "f.s", "-o", "f.o"):
            self.keep("fatbin", "f.o")
            if self.run("gcc", "-shared", "-nostdlib", "-s", "f.o", "-o", "f.so"):
                self.keep("fatbin", "f.so")
            if self.run("objcopy", "-O", "binary", "-j", ".nv_fatbin", "f.o", "f.fatbin"):
                self.keep("fatbin", "f.fatbin")
        self.source("k.cu", KERNEL)
        if nvcc:
            for name, words in {"k.o": ["-c", "-arch=sm_90a"], "k.fatbin": ["-fatbin", "-arch=sm_80"],
                                "rdc.o": ["-dc", "-gencode=arch=compute_80,code=[lto_80,sm_80]"]
                                }.items():
                if self.run(nvcc, *words, "k.cu", "-o", name):
                    self.keep("fatbin", name)

    def archives(self):
        shutil.copy(self.path("a.o"), self.path("a_member_with_a_long_name.o"))
        members = ["a_member_with_a_long_name.o", "n.o"]
        for name, words in {"gnu.a": ["ar", "rcs"], "thin.a": ["ar", "rcsT"],
                            "bsd.a": ["llvm-ar-19", "--format=bsd", "rcs"]}.items():
            if self.run(*words, name, *members):
                self.keep("archive", name)
        if self.run("ar", "rcT", "nested.a", "gnu.a"):
            self.keep("archive", "nested.a")

    def zips(self):
        for name, force in (("plain.whl", False), ("zip64.whl", True)):
            with zipfile.ZipFile(self.path(name), "w", zipfile.ZIP_DEFLATED) as out:
                with out.open("pkg/__init__.py", "w", force_zip64=force) as entry:
                    entry.write(b"import pkg.a\n" * 20)
                out.writestr("pkg/s", b"stored", zipfile.ZIP_STORED)
                out.writestr("pkg/", b"")
                out.comment = b"seed"
            self.keep("zip", name)

    def foreign(self):
        for target, texts in (("toml", TOML), ("lock", LOCKS)):
            for name, text in texts.items():
                self.keep(target, name, text)

    def written(self):
        """The files in seeds/, inputs on which a reader once failed among them."""
        for path in sorted((HERE / "seeds").glob("*/*")):
            self.keep(path.parent.name, path.name, path.read_bytes())
        for path in sorted((TESTS / "unit/plan/dryruns").glob("*.txt")):
            self.keep("dryrun", path.name, path.read_bytes())

    def builds(self):
        """Recorded build directories, as files in one input."""
        for system in ("cmake", "meson"):
            for path in sorted((TESTS / f"unit/{system}/builds").glob("*.json")):
                text = ""
                for name, content in json.loads(path.read_text()).items():
                    name = name.replace("-t commands ", "../answers/")
                    if not isinstance(content, str):
                        content = json.dumps(content, separators=(",", ":"))
                    text += f"=== {name}\n{content}\n"
                self.keep(system, path.stem, text.encode())

    def facts(self):
        """The first rows of the tables."""
        tables = {}
        for name in ("ctk_component_versions", "nvidia_wheel_versions", "torch_wheel_pins", "pytorch_cuda_lines",
                     "torch_pypi_default", "torch_platforms", "framework_targets"):
            data = json.loads((TESTS.parent / f"driver/tables/data/{name}.json").read_text())
            row = dict(data["rows"][0], since="2030.1.0")
            tables[name] = [row]
            text = json.dumps({"schema": 1, "release": "2030.1.0", "tables": {name: [row]}})
            self.keep("facts", name, text.encode())
        self.keep("facts", "all", json.dumps({"schema": 1, "tables": tables}).encode())

    def formats(self):
        """Binary formats other than those of linkers: ld.so.cache, records of a trace, jobs for the device linker."""
        strings = b"libc.so.6\0/lib/libc.so.6\0libx.so.1\0/usr/lib/glibc-hwcaps/x86-64-v3/libx.so.1\0"
        entries = [(0x303, 27, 37, 0, 1 << 62), (0x303, 0, 10, 0, 0)]
        begin = 48 + 24 * len(entries)
        cache = b"glibc-ld.so.cache1.1" + struct.pack("<IIBBBBIIII", len(entries), len(strings), 2, 0, 0, 0,
                                                      begin + len(strings) + 3 & ~3, 0, 0, 0)
        for flags, name, path, version, hwcap in entries:
            cache += struct.pack("<iIIIQ", flags, begin + name, begin + path, version, hwcap)
        cache += strings
        cache += bytes(-len(cache) % 4)
        cache += struct.pack("<IIIIII", 0xEAA42174, 1, 1, 0, len(cache) + 24, 4) + struct.pack("<I", begin + 66)
        self.keep("loadercache", "new", cache)
        self.keep("loadercache", "compat", b"ld.so-1.7.0\0" + struct.pack("<I", 0) + cache)
        records = b"S\t7\t1\t/bin/python\t/w\t\t0\t\tpython\nO\t7\t1\t0\t\nQ\t7\t1\t1\tlibcudart.so.12\n"
        names = b"cudart\nnvJitLink\n"
        used = 48 + len(names)
        self.keep("trace", "file", b"cuda-cc trace 1\n" + struct.pack("<QQQQ", 512, used + len(records), 48, used)
                  + names + records + bytes(512 - used - len(records)))

        def text(value):
            return struct.pack("<Q", len(value)) + value

        def numbers(*values):
            return struct.pack(f"<{len(values)}Q", *values)

        job = b"cuda-cc devlink job 2\n"
        self.keep("devlink", "job", job + b"\0" + text(b"/x/libnvJitLink.so") + b"\1" + numbers(12, 4, 0, 0, 1) + b"\1"
                  + text(b"a.o") + text(b"image\0") + numbers(1, 1) + text(b"-arch=sm_90") + b"\0" + numbers(1, 0)
                  + text(b""))
        reply = b"cuda-cc devlink reply 1\n"
        self.keep("devlink", "reply", reply + b"\0" + text(b"") + numbers(12, 4) + b"\1" + numbers(1) + b"\1"
                  + text(b"image") + text(b"") + text(b"") + text(b"") + b"\0" + numbers(9) + text(b"") + text(b"")
                  + numbers(1))

    def texts(self):
        def record(kind, text):
            padded = text + b"\0" * (8 - len(text) % 8)
            return struct.pack("<III", 12, len(padded), kind) + b"cuda-target\0" + padded

        for name, value in (("object", OBJECT), ("link", LINK)):
            text = json.dumps(value, sort_keys=True, separators=(",", ":")).encode()
            self.keep("json", name + ".json", text)
            self.keep("note", name, record(0xC0DA0001 + (name == "link"), text))
        self.keep("note", "summary", struct.pack("<III", 12, 32, 0xC0DA0003) + b"cuda-target\0"
                  + bytes(range(32)))
        sonames = b'[{"soname":["libnvrtc.so.12"],"feature":"jit"}]\0'
        self.keep("note", "dlopen", struct.pack("<III", 4, len(sonames), 0x407C0C0A) + b"FDO\0"
                  + sonames)


def main(root, nvcc=None):
    corpus = Corpus(root)
    corpus.elf()
    corpus.fatbins(nvcc)
    corpus.archives()
    corpus.zips()
    corpus.texts()
    corpus.foreign()
    corpus.builds()
    corpus.facts()
    corpus.formats()
    corpus.written()
    for target in TARGETS:
        count = len(os.listdir(os.path.join(root, target)))
        print(f"{target}: {count} seeds")
        assert count >= 2, target
    shutil.rmtree(corpus.work)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        main(*sys.argv[1:])
    else:
        print(*TARGETS)
