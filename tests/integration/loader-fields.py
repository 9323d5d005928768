# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""Each field of a library's headers, dynamic section, versions, hashes and relocations gets other values: what `check`
accepts loads, and what it rejects does not (LS-18).

CUDACC_TEST_SEED repeats a run; all values are tried under `./dev test --all`, else a part of them."""
import ctypes
import json
import os
import random
import re
import resource
import signal
import struct
from collections import Counter

from behaviour import behaviour
from sandbox import PROGRAM, Sandbox, equal

SEED = int(os.environ.get("CUDACC_TEST_SEED") or random.randrange(1 << 32))
PART = 1.0 if os.environ.get("CUDACC_TEST_ALL") else 0.2
print(f"CUDACC_TEST_SEED={SEED}")
random.seed(SEED)

# Fields with values that are wrong and might be right: nothing else in the file contradicts them.
PLAUSIBLE = {
    r"\d:\w+\.p_(offset|vaddr|filesz|memsz)": "another part of the file is mapped, or zeros are",
    r"\d:DYNAMIC\.p_type": "the file is one without a dynamic section",
    r"dyn(NEEDED|SONAME|RUNPATH|FLAGS)\.\w+": "names another library, or where it lies",
    r"dyn\w+\.tag": "NEEDED is a tag that any string can have",
    r"dyn(INIT|FINI|INIT_ARRAY|INIT_ARRAYSZ|FINI_ARRAYSZ|PLTRELSZ|RELASZ)\.value": "code of another place",
    r"dynVERSYM\.value": "versions of other symbols",
    r"hash\d": "a filter that passes more",
    r"(rela|plt)\d+\.(offset|addend|symbol|type)": "relocates something else",
}
# What is refused for reasons that the loader does not have: a hole where a name was, pages that nobody reads.
HARMLESS = {r"dyn(NEEDED|NULL)\.\w+", r"need\d\.file", r"\d:LOAD\.p_(offset|flags)"}
TAGS = {0: "NULL", 1: "NEEDED", 2: "PLTRELSZ", 5: "STRTAB", 6: "SYMTAB", 7: "RELA", 8: "RELASZ", 9: "RELAENT",
        10: "STRSZ", 11: "SYMENT", 12: "INIT", 13: "FINI", 14: "SONAME", 20: "PLTREL", 23: "JMPREL", 25: "INIT_ARRAY",
        26: "FINI_ARRAY", 27: "INIT_ARRAYSZ", 28: "FINI_ARRAYSZ", 29: "RUNPATH", 30: "FLAGS", 0x6ffffef5: "GNU_HASH",
        0x6ffffff0: "VERSYM", 0x6ffffff9: "RELACOUNT", 0x6ffffffb: "FLAGS_1", 0x6ffffffc: "VERDEF",
        0x6ffffffd: "VERDEFNUM", 0x6ffffffe: "VERNEED", 0x6fffffff: "VERNEEDNUM"}

sandbox = Sandbox("13.0")
sandbox.write("dep.c", "int dep(void) { return 1; }\nint dep2 = 5;\n")
sandbox.write("dep.map", "DEP_1 { global: dep; };\nDEP_2 { global: dep2; } DEP_1;\n")
sandbox.write("x.c", """#include <stdio.h>
extern int dep(void); extern int dep2; static __thread int t = 3; int shared = 7; int *at = &shared, *at2 = &dep2;
static int table[4] = {1, 2, 3, 4}; int zero[3000];
int x(void) { printf(""); return dep() + dep2 + t + *at + table[2]; }
__attribute__((constructor)) static void begin(void) { zero[2999] = x(); }
""")
sandbox.write("x.map", "X_1 { global: x; local: *; };\n")
for words in (("dep.c", "-o", "libdep.so", "-Wl,-soname,libdep.so,--version-script=dep.map"),
              ("x.c", "-o", "libx.so", "-Wl,-soname,libx.so,--version-script=x.map,-rpath,$ORIGIN", "-L.", "-ldep")):
    equal(sandbox.run("gcc", "-shared", "-fPIC", *words).status, 0, words)
whole = (sandbox.work / "libx.so").read_bytes()
cases = []


def struct_at(name, at, fields):
    """Other values for each field; returns the present ones."""
    found = {}
    for field, size in fields:
        old = int.from_bytes(whole[at:at + size], "little")
        top = (1 << 8 * size) - 1
        others = {0, 1, 2, 0x7f, old + 1, old - 1, old ^ 4, old + 8, 2 * old, old + 0x1000, old - 0x1000,
                  old ^ 1 << 8 * size - 1, 1 << 8 * size - 2, top}
        for value in sorted({each & top for each in others} - {old}):
            cases.append((f"{name}{field}", old, value, at, value.to_bytes(size, "little")))
        found[field] = old
        at += size
    return found


def chain(name, at, fields, below=None):
    """A list of which each entry has the distance to the next; `below`: the fields of the entries below each."""
    index = 0
    while True:
        entry = struct_at(f"{name}{index}.", at, fields)
        if below:
            chain(f"{name}{index}.", at + entry["aux"], below)
        if not entry["next"]:
            return
        at += entry["next"]
        index += 1


for byte in range(4, 16):
    struct_at("e_ident", byte, ((f"[{byte}]", 1),))
header = struct_at("", 16, (("e_type", 2), ("e_machine", 2), ("e_version", 4), ("e_entry", 8), ("e_phoff", 8),
                            ("e_shoff", 8), ("e_flags", 4), ("e_ehsize", 2), ("e_phentsize", 2), ("e_phnum", 2),
                            ("e_shentsize", 2), ("e_shnum", 2), ("e_shstrndx", 2)))
NAMES = {1: "LOAD", 2: "DYNAMIC", 4: "NOTE", 7: "TLS", 0x6474e552: "RELRO"}
segments = []
for index in range(header["e_phnum"]):
    at = header["e_phoff"] + 56 * index
    kind, = struct.unpack_from("<I", whole, at)
    segments.append(struct_at(f"{index}:{NAMES.get(kind, 'OTHER')}.", at, (
        ("p_type", 4), ("p_flags", 4), ("p_offset", 8), ("p_vaddr", 8), ("p_paddr", 8), ("p_filesz", 8), ("p_memsz", 8),
        ("p_align", 8))))


def offset(address):
    home = next(each for each in segments if each["p_type"] == 1 and 0 <= address - each["p_vaddr"] < each["p_filesz"])
    return home["p_offset"] + address - home["p_vaddr"]


dynamic, at = {}, next(each["p_offset"] for each in segments if each["p_type"] == 2)
while 0 not in dynamic:
    tag, = struct.unpack_from("<q", whole, at)
    entry = struct_at(f"dyn{TAGS.get(tag, hex(tag))}.", at, (("tag", 8), ("value", 8)))
    dynamic.setdefault(tag, entry["value"])
    at += 16
chain("need", offset(dynamic[0x6ffffffe]), (("version", 2), ("count", 2), ("file", 4), ("aux", 4), ("next", 4)),
      (("hash", 4), ("flags", 2), ("other", 2), ("name", 4), ("next", 4)))
chain("def", offset(dynamic[0x6ffffffc]), (("version", 2), ("flags", 2), ("index", 2), ("count", 2), ("hash", 4),
                                           ("aux", 4), ("next", 4)))
struct_at("hash", offset(dynamic[0x6ffffef5]), (("0", 4), ("1", 4), ("2", 4), ("3", 4)))
for name, address, size in (("rela", 7, 8), ("plt", 23, 2)):
    for index in range(dynamic[size] // 24):
        struct_at(f"{name}{index}.", offset(dynamic[address]) + 24 * index,
                  (("offset", 8), ("type", 4), ("symbol", 4), ("addend", 8)))
assert len(cases) > 3000, len(cases)
cases = [each for each in cases if random.random() < PART]


def loaded(path):
    """What a process of its own gets: "" if the library loads and its function runs."""
    read, write = os.pipe()
    child = os.fork()
    if not child:
        try:
            for each in (1, 2):
                os.dup2(os.open(os.devnull, os.O_WRONLY), each)
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            signal.alarm(10)
            library = ctypes.CDLL(path, mode=os.RTLD_NOW)
            library.x()
            os.write(write, b"loaded")
        except (OSError, AttributeError) as error:
            os.write(write, str(error).encode())
        finally:
            os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as words:
        text = words.read().decode(errors="replace")
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return f"signal {os.WTERMSIG(status)}"
    return "" if text == "loaded" else text or "an assertion"


files, outcomes = [], []
for index, (_, _, _, at, value) in enumerate(cases):
    changed = bytearray(whole)
    changed[at:at + len(value)] = value
    path = sandbox.work / f"libx{index}.so"
    path.write_bytes(changed)
    files.append(path)
    outcomes.append(loaded(str(path)))
verdicts = []
for first in range(0, len(files), 200):
    ended = sandbox.run(PROGRAM, "check", "--format=json", "--runtime=cuda==13.0", *files[first:first + 200])
    assert ended.status in (0, 3, 4), ended
    verdicts += json.loads(ended.out)["files"]
equal(len(verdicts), len(cases), "one verdict for each file")
judged = [(*case, file["verdict"], outcome) for case, file, outcome in zip(cases, verdicts, outcomes)]


@behaviour
def what_is_accepted_loads_and_what_is_rejected_does_not():
    wrong = []
    for field, old, value, _, _, verdict, outcome in judged:
        if verdict == "accept" and outcome and not any(re.fullmatch(each, field) for each in PLAUSIBLE) or \
                verdict == "reject" and not outcome and not any(re.fullmatch(each, field) for each in HARMLESS):
            wrong.append(f"{field} {old:#x} became {value:#x}: {verdict}, loader: {outcome or 'loads it'}")
    assert not wrong, "\n".join(wrong)


@behaviour
def no_file_is_rejected_because_it_lacks_something():
    for (field, _, value, *_), file in zip(cases, verdicts):
        said = json.dumps(file["findings"])
        assert file["verdict"] != "reject" or "lacks" not in said, (field, value, said)


@behaviour
def each_verdict_is_among_them():
    counts = Counter((verdict, not outcome) for *_, verdict, outcome in judged)
    print(counts)
    for verdict, loads in (("accept", True), ("reject", False), ("unknown", False)):
        assert counts[verdict, loads], counts


sandbox.clean()
