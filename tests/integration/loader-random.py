# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %python -B %s
"""Random small scenarios: libraries that NEED each other, with search paths of all kinds, links, hwcaps subdirectories,
versions, a cache, LD_LIBRARY_PATH and LD_PRELOAD. After the start of a program and each dlopen, the real loader and
the process that `doctor` simulates have the same objects in the same order, and the same message.

Scenario N of a run is made from CUDACC_TEST_SEED + N; CUDACC_TEST_LINES sets the number of scenarios."""
import ctypes
import os
import random
import re
import shutil
import struct
import subprocess
from functools import cmp_to_key

import tinyelf
from loading import CACHE, INTERPRETER, SIMULATION, Tree

SEED = int(os.environ.get("CUDACC_TEST_SEED") or random.randrange(1 << 32))
SCENARIOS = int(os.environ.get("CUDACC_TEST_LINES") or (20000 if os.environ.get("CUDACC_TEST_ALL") else 150))
print(f"CUDACC_TEST_SEED={SEED} CUDACC_TEST_LINES={SCENARIOS}")

OPENER = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
static void show(void) {
  for (struct link_map *map = _r_debug.r_map; map; map = map->l_next)
    printf("present %s\n", map->l_name);
  fflush(stdout);
}
int main(int argc, char **argv) {
  static char buffer[1 << 16];
  setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
  show();
  for (int i = 1; i < argc; ++i) {
    char *file = argv[i];
    void *handle;
    void *caller;
    printf("open %s\n", file);
    fflush(stdout);
    if (!strncmp(file, "local:", 6)) {
      handle = dlopen(file + 6, RTLD_NOW);
    } else if (!strncmp(file, "global:", 7)) {
      handle = dlopen(file + 7, RTLD_NOW | RTLD_GLOBAL);
    } else {
      char *name = strchr(file, '=');
      *name++ = 0;
      caller = dlopen(file, RTLD_NOW | RTLD_NOLOAD);
      if (!caller)
        return 0;
      handle = ((void *(*)(const char *, int, void *))dlsym(caller, "opens"))(name, RTLD_NOW, (void *)dlopen);
    }
    if (!handle)
      printf("failure %s\n", dlerror());
    show();
  }
  return 0;
}
"""
SLOTS = [f"libslot{number}.so_with_room_for_another_name_{number}" for number in range(3)]
LETTERS = "abcdef"
FOLDERS = ["d0", "d1", "d2", "d2/sub"]
HWCAPS = [f"glibc-hwcaps/x86-64-v{level}" for level in (4, 3, 2)]

tree = Tree()
# For a search path of several folders below this one.
ROOM = "/room" * (60 + len(str(tree.root)))
tree.stubs = tree.root / "slots"
tree.stubs.mkdir()
source = tree.root / "scenarios.c"
source.write_text(OPENER)
tree.gcc(source, *tree._needs_words(SLOTS), "-Wl,--allow-shlib-undefined", "-Wl,--disable-new-dtags", "-ldl",
         f"-Wl,-rpath,{ROOM}", "-o", tree.root / "opener")
program = (tree.root / "opener").read_bytes()


def mounted(cache):
    """Whether this process and those that it starts see the file as the loader's cache."""
    libc = ctypes.CDLL(None, use_errno=True)
    new_mounts, private, bind = 0x20000, 1 << 18 | 1 << 14, 1 << 12
    return (os.path.isfile(CACHE) and libc.unshare(new_mounts) == 0
            and libc.mount(b"none", b"/", None, private, None) == 0
            and libc.mount(os.fsencode(cache), CACHE.encode(), None, bind, None) == 0)


cache = tree.root / "cache"
cache.touch()
has_cache = mounted(cache)


def parts(name):
    return [(1, int(part), "") if part.isdigit() else (0, 0, part) for part in re.findall(r"\d+|\D", name)]


def compared(one, other):
    """As _dl_cache_libcmp orders names: digits as numbers, which follow all other characters."""
    one, other = parts(one[0]), parts(other[0])
    return (one > other) - (one < other)


def cache_of(entries):
    """ld.so.cache in format 1.1: names with paths and subdirectories of glibc-hwcaps."""
    entries = sorted(entries, key=lambda entry: entry[2] == "")
    entries.sort(key=cmp_to_key(compared), reverse=True)
    subdirectories = sorted({entry[2] for entry in entries} - {""})
    start = 48 + 24 * len(entries)
    text, places = bytearray(), {}
    for word in [word for entry in entries for word in entry[:2]] + subdirectories:
        places.setdefault(word, start + len(text))
        if places[word] == start + len(text):
            text += word.encode() + b"\0"
    extension = (start + len(text) + 3) // 4 * 4
    data = struct.pack("<17s3sIIB3xI12x", b"glibc-ld.so.cache", b"1.1", len(entries), len(text), 2,
                       extension if subdirectories else 0)
    for name, path, subdirectory in entries:
        hwcap = 1 << 62 | subdirectories.index(subdirectory) if subdirectory else 0
        data += struct.pack("<iIIIQ", 0x303, places[name], places[path], 0, hwcap)
    data += text
    if subdirectories:
        data = data.ljust(extension, b"\0")
        data += struct.pack("<II", 0xeaa42174, 1)
        data += struct.pack("<IIII", 1, 0, extension + 24, 4 * len(subdirectories))
        data += b"".join(struct.pack("<I", places[word]) for word in subdirectories)
    return bytes(data)


class Scenario:
    """What lies in the folder `root`, and the process in it; `told` describes both."""

    def __init__(self, seed, root):
        self.choice = random.Random(seed)
        self.root, self.told, self.files = root, [], []
        shutil.rmtree(root, ignore_errors=True)
        for folder in FOLDERS:
            (root / folder).mkdir(parents=True)
        # What each name exports as linked against: symbols with version nodes.
        self.interface = {}
        for letter in LETTERS:
            nodes = self.choice.choice([[], [], [f"{letter.upper()}_1"], [f"{letter.upper()}_1", f"{letter.upper()}_2"],
                                        [f"libw{letter}.so"]])
            self.interface[letter] = [tinyelf.Export(f"{letter}{at}", self.choice.choice(nodes) if nodes else "")
                                      for at in range(3)]
        self.is_wild = self.often(0.5)
        if self.often(0.3):
            self.link_folder()
        for letter in LETTERS:
            # Many loads succeed: what is NEEDED is mostly there.
            for folder in self.choice.sample(FOLDERS, self.choice.choice([1, 2, 3, 4])):
                self.place(letter, folder)
        for _ in range(self.choice.choice([0, 0, 1, 2])):
            self.link()
        self.process()

    def often(self, probability):
        return self.choice.random() < probability

    def rarely(self, probability):
        """What breaks loads; only in some scenarios."""
        return self.is_wild and self.often(probability)

    def tell(self, *words):
        self.told.append(" ".join(map(str, words)))

    def element(self):
        """An element of a search path."""
        folder = self.choice.choice([*FOLDERS, *FOLDERS, "dl", "none"])
        return self.choice.choices([
            f"$ORIGIN/../{folder}", f"${{ORIGIN}}/../{folder}", "$ORIGIN", f"{self.root}/{folder}", folder,
                                    f"./{folder}/",
            "", ".", f"$ORIGIN/../../{folder}", f"$ORIGIN/../{folder}//", "$ORIGIN/../$LIB",
            f"{self.root}/{folder}/../d1", "$ORIGINAL", "${ORIGIN/../d0", f"$LIB/../{folder}"],
            [12, 3, 12, 8, 2, 1, 1, 1, 2, 1, 1, 1, 0.5, 0.5, 0.5])[0]

    def path(self, most=4):
        return ":".join(self.element() for _ in range(self.choice.randint(1, most)))

    def tags(self):
        kind = self.choice.choices(["none", "rpath", "runpath", "both"], [2, 5, 5, 1])[0]
        tags = {}
        if kind in ("rpath", "both"):
            tags["rpath"] = self.path()
        if kind in ("runpath", "both"):
            tags["runpath"] = self.path()
        return tags

    def name(self):
        """A NEEDED name."""
        letter = self.choice.choice(LETTERS)
        if self.rarely(0.04):
            return self.choice.choice(["libnone.so", f"$ORIGIN/../d0/libw{letter}.so", f"d1/libw{letter}.so",
                                       f"./d2/libw{letter}.so", f"{self.root}/d0/libw{letter}.so", "libm.so.6",
                                       f"libw{letter}.so.1", f"$LIB/libw{letter}.so"])
        return f"libw{letter}.so"

    def imports(self, needs):
        result, known = [], set()
        for name in needs:
            letter = re.search(r"libw(\w)\.so$", name)
            for export in self.interface[letter[1]] if letter and letter[1] in self.interface else []:
                if self.often(0.5) and export.name not in known:
                    known.add(export.name)
                    result.append(tinyelf.Import(export.name, export.node, f"libw{letter[1]}.so" if export.node else "",
                                                 weak=self.often(0.1), lazy=self.often(0.6)))
        if self.rarely(0.1):
            letter = self.choice.choice(LETTERS)
            export = self.choice.choice(self.interface[letter])
            if export.name not in known:
                node = self.choice.choice(["", export.node, "ELSE_1"])
                result.append(tinyelf.Import(export.name, node, f"libw{letter}.so" if node else "",
                                             weak=self.often(0.5), lazy=self.often(0.5)))
        return result

    def exports(self, letter):
        exports = list(self.interface[letter])
        if self.rarely(0.08):
            exports.pop(self.choice.randrange(3))
        if self.rarely(0.06):
            node = self.choice.choice(["", "ELSE_1"])
            exports = [tinyelf.Export(each.name, node) for each in exports]
        if self.rarely(0.05):
            other = self.choice.choice(LETTERS)
            exports += [each for each in self.interface[other] if other != letter]
        return exports

    def library(self, letter):
        needs = [self.name() for _ in range(self.choice.choice([0, 0, 1, 1, 2, 3]))]
        soname = f"libw{letter}.so"
        if self.often(0.15):
            soname = self.choice.choice(["", f"libw{letter}.so.1", f"libw{self.choice.choice(LETTERS)}.so"])
        flags = 0
        if self.rarely(0.05):
            flags = self.choice.choice([tinyelf.NODEFLIB, tinyelf.NOOPEN])
        words = {"soname": soname, "needs": needs, "imports": self.imports(needs), "exports": self.exports(letter),
                 "flags": flags, "now": self.often(0.1), "sysv": self.often(0.3), **self.tags()}
        return words, tinyelf.library(**words)

    def place(self, letter, folder):
        place = folder
        if self.often(0.08):
            place = f"{folder}/" + self.choice.choice([*HWCAPS, "lib/x86_64-linux-gnu"])
        path = self.root / place / f"libw{letter}.so"
        path.parent.mkdir(parents=True, exist_ok=True)
        if os.path.lexists(path):
            return
        words, data = self.library(letter)
        if self.rarely(0.04):
            data, words = self.odd(path, data)
        if data is not None:
            path.write_bytes(data)
        self.files.append(f"{place}/libw{letter}.so")
        self.tell(self.files[-1], words)

    def odd(self, path, data):
        """A file that is no library, or none."""
        kind = self.choice.choice(["empty", "short", "text", "class", "machine", "folder", "dangling", "loop", "cut"])
        if kind == "folder":
            path.mkdir()
        elif kind in ("dangling", "loop"):
            path.symlink_to(path.name if kind == "loop" else "nowhere")
        else:
            return {"empty": b"", "short": data[:60], "text": b"INPUT(libz.so)\n" * 9, "class": data[:4] + b"\1" +
                    data[5:],
                    "machine": data[:18] + b"\xb7\0" + data[20:], "cut": data[:200]}[kind], kind
        return None, kind

    def link_folder(self):
        target = self.choice.choice(FOLDERS)
        (self.root / "dl").symlink_to(target)
        self.tell("dl ->", target)

    def link(self):
        target = self.root / self.choice.choice(self.files)
        path = self.root / self.choice.choice(FOLDERS) / self.choice.choice(
            [f"libw{self.choice.choice(LETTERS)}.so", f"libw{self.choice.choice(LETTERS)}.so.1"])
        if os.path.lexists(path) or not target.is_file():
            return
        hard = self.often(0.5)
        os.link(target, path) if hard else path.symlink_to(os.path.relpath(target, path.parent))
        self.files.append(str(path.relative_to(self.root)))
        self.tell(self.files[-1], "=" if hard else "->", target)

    def file(self):
        """A file as dlopen or LD_PRELOAD gets it."""
        name = self.choice.choice(self.files)
        return self.choice.choices([f"{self.root}/{name}", os.path.basename(name), f"./{name}",
                                    f"{self.root}/d1/../{name}",
                                    f"{self.root}/dl/{os.path.basename(name)}", "libnone.so", f"$ORIGIN/{name}"],
                                   [12, 3, 1, 1, 1, 0.3, 0.3])[0]

    def process(self):
        needs = [self.name() for _ in range(self.choice.choice([0, 0, 1, 2, 3]))]
        needs = [name for name in dict.fromkeys(needs) if len(name) < len(SLOTS[0])]
        tags = self.tags()
        words = {"rpath": tags.get("rpath"), "runpath": None if "rpath" in tags else tags.get("runpath")}
        self.program = self.root / self.choice.choice(["program", "d0/program"])
        self.program.write_bytes(tinyelf.patched(program, needs, slots=SLOTS, path=ROOM, **words))
        self.program.chmod(0o755)
        self.variables = {}
        if self.often(0.4):
            self.variables["LD_LIBRARY_PATH"] = self.choice.choice(":;").join(self.path().split(":"))
        if self.often(0.2):
            self.variables["LD_PRELOAD"] = self.choice.choice(": ").join(
                self.file() for _ in range(self.choice.choice([1, 1, 2])))
        self.now = self.often(0.2)
        if self.now:
            self.variables["LD_BIND_NOW"] = "1"
        self.cached = []
        if has_cache and self.often(0.3):
            self.fill_cache()
        self.operations = [f"{self.choice.choice(['local', 'local', 'global'])}:{self.file()}"
                           for _ in range(self.choice.randint(0, 4))]
        # At last, a file that was opened opens another.
        opened = [each.partition(":")[2] for each in self.operations if f":{self.root}/" in each]
        if opened and self.often(0.4):
            self.operations.append(f"{self.choice.choice(opened)}={self.file()}")
        self.tell(self.program, {"needs": needs, **words}, self.variables, self.operations)

    def fill_cache(self):
        for name in self.choice.sample(self.files, min(4, len(self.files))):
            folder, _, base = name.rpartition("/")
            subdirectory = folder.rpartition("glibc-hwcaps/")[2] if "glibc-hwcaps/" in folder else ""
            if base not in [entry[0] for entry in self.cached if entry[2] == subdirectory]:
                self.cached.append((base, f"{self.root}/{name}", subdirectory))
        self.tell("cache", self.cached)


class Result:
    """Sections of the start and of each operation: objects, messages."""

    def __init__(self, text):
        self.sections = [{"open": "start", "present": [], "failure": "", "tried": [], "unknown": [], "later": "",
                          "ends": "",
                          "mapped": []}]
        for line in text.splitlines():
            kind, _, rest = line.partition(" ")
            if kind == "open":
                self.sections.append({key: [] if isinstance(value, list) else ""
                                      for key, value in self.sections[0].items()})
            if isinstance(self.sections[-1][kind], list):
                self.sections[-1][kind].append(rest)
            else:
                self.sections[-1][kind] = rest


def really(scenario, operations):
    environment = {"LC_ALL": "C", **scenario.variables}
    done = subprocess.run([str(scenario.program), *operations], cwd=scenario.root, env=environment, text=True,
                          stdin=subprocess.DEVNULL, capture_output=True, timeout=60, errors="replace")
    result = Result(done.stdout)
    for section in result.sections:
        section["present"] = [name for name in section["present"]
                              if name not in ("", INTERPRETER) and "linux-vdso" not in name]
    errors = [line for line in done.stderr.splitlines() if "cannot be preloaded" not in line
              and "no version information available" not in line and ": weak version `" not in line]
    last = result.sections[-1]
    if done.returncode not in (0, 1, 127) or "Inconsistency" in done.stderr:
        last["ends"] = f"status {done.returncode} {' '.join(errors)}"
    elif done.returncode:
        # While a program starts, the loader has no texts of errors.
        last["failure"] = re.sub(r"Error (\d+)$", lambda found: os.strerror(int(found[1])), errors[0])
    return result


def simulated(scenario, operations):
    words = [str(SIMULATION), "--process", "--program", str(scenario.program), "--cwd", str(scenario.root), "--cache",
             str(cache)]
    if "LD_LIBRARY_PATH" in scenario.variables:
        words += ["--library-path", scenario.variables["LD_LIBRARY_PATH"]]
    if "LD_PRELOAD" in scenario.variables:
        words += ["--preload", scenario.variables["LD_PRELOAD"].replace(" ", ":")]
    if scenario.now:
        words.append("--now")
    done = subprocess.run([*words, *operations], cwd=scenario.root, text=True, stdin=subprocess.DEVNULL,
                          capture_output=True, timeout=60, errors="replace")
    assert done.returncode == 0 and not done.stderr, (done, scenario.told)
    return Result(done.stdout)


def is_same(real, ours):
    """Whether messages are the same, but for errno where no file was tried: the loader knows which folders are missing,
    and that of the last file is left, which may have been opened."""
    return ours in (real, real + ": No such file or directory" * real.endswith(": cannot open shared object file"))


def is_another(*sections):
    """Whether both fail while libraries are bound, by a glibc before 2.35, which has another order: of several failures
    another one comes first."""
    return tree.version < (2, 35) and all(each["ends"] or "undefined symbol" in each["failure"] for each in sections)


def searched(before, one, other):
    """What differs where an object that was opened opens a file: what it finds; symbols are not bound."""
    if not one["present"]:
        return None
    counts["callers"] += 1
    if not is_same(one["failure"], other["failure"]) and not re.search("undefined symbol|version `", one["failure"]):
        return f"{one['open']}: failure: real {one['failure']!r}, simulated {other['failure']!r}"
    new = [path for path in one["present"] if path not in before]
    if not one["failure"] and new != other["mapped"]:
        return f"{one['open']}: objects:\n    real      {new}\n    simulated {other['mapped']}"
    return None


def difference(scenario):
    """What differs first, or None."""
    real, ours = really(scenario, scenario.operations), simulated(scenario, scenario.operations)
    for at, one in enumerate(real.sections[:len(ours.sections)]):
        other = ours.sections[at]
        if other["unknown"]:
            counts["unknown"] += 1
            return None
        if "=" in one["open"]:
            return searched(real.sections[at - 1]["present"], one, other)
        counts["loads"] += 1
        counts["failures"] += bool(one["failure"] or one["ends"])
        if at == 0:
            prefix = r"^(\S+: )?(error while loading shared libraries|symbol lookup error): |^\S*program: "
            one["failure"] = re.sub(prefix, "", one["failure"])
        if is_another(one, other):
            counts["another"] += one["failure"] != other["failure"]
            if at == 0 or one["ends"] or other["ends"]:
                return None
            continue
        if bool(one["ends"]) != bool(other["ends"]):
            return f"{one['open']}: ends: real {one['ends']!r}, simulated {other['ends']!r}, {one['failure']}"
        if one["ends"]:
            counts["ends"] += 1
            return None
        if not is_same(one["failure"], other["failure"]):
            return f"{one['open']}: failure: real {one['failure']!r}, simulated {other['failure']!r}"
        if at == 0 and one["failure"]:
            return None
        if one["present"] != other["present"]:
            return f"{one['open']}: objects:\n    real      {one['present']}\n    simulated {other['present']}"
    if len(real.sections) != len(ours.sections):
        return f"{len(real.sections)} and {len(ours.sections)} loads"
    return None


counts = {"loads": 0, "callers": 0, "failures": 0, "ends": 0, "unknown": 0, "another": 0}
wrong = []
for number in range(SCENARIOS):
    scenario = Scenario(SEED + number, tree.work / "w")
    cache.write_bytes(cache_of(scenario.cached))
    found = difference(scenario)
    if found:
        wrong.append(number)
        if len(wrong) <= 20:
            told = scenario.told if SCENARIOS == 1 else []
            print("\n  ".join([f"CUDACC_TEST_SEED={SEED + number} CUDACC_TEST_LINES=1", *told, found])
                  .replace(str(scenario.root), "W"))
    if number % 2000 == 1999:
        print(f"{number + 1} scenarios: {counts}, {len(wrong)} differ", flush=True)
print(f"{SCENARIOS} scenarios, {counts}, {'with' if has_cache else 'without'} a cache, {len(wrong)} differ")
assert not wrong
assert counts["unknown"] * 50 < counts["loads"] or SCENARIOS < 50, counts
tree.clean()
