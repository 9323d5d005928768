# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""Random imports from the real libraries in the cache, with and without a version: what `check` accepts in an
environment, and from the tables, loads by dlopen, and what it rejects does not (SY-3 to SY-17).

CUDACC_TEST_SEED repeats a run, CUDACC_TEST_LINES sets the number of imports."""
import json
import os
import random
import re
import shutil
import subprocess
import sys
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

import tinyelf
import wheels
from behaviour import behaviour
from sandbox import ALL, Sandbox, skip

SEED = int(os.environ.get("CUDACC_TEST_SEED") or random.randrange(1 << 32))
LINES = int(os.environ.get("CUDACC_TEST_LINES") or (5000 if ALL else 90))
EACH = 50 if ALL else 30
print(f"CUDACC_TEST_SEED={SEED} CUDACC_TEST_LINES={LINES}")
choose = random.Random(SEED)
sandbox = Sandbox()

# Each file finds its own.
OF_LINKERS = {"__bss_start", "_edata", "_end", "_init", "_fini"}
# Opens its arguments one after another; what was printed shows how far it came.
OPENER = """import ctypes, sys
for path in sys.argv[1:]:
    try:
        ctypes.CDLL(path)
        print("loads", flush=True)
    except OSError as error:
        print(error, flush=True)
"""


@dataclass
class Library:
    wheel: Path
    # Below site-packages.
    folder: str
    soname: str
    # Symbol to node.
    exports: dict = field(default_factory=dict)
    needs: tuple = ()

    @property
    def requirement(self):
        name, _, version = self.wheel.name.removesuffix("-x86_64").rpartition("-")
        return f"{name}=={version}"


def output(*words):
    return subprocess.run(words, text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout


def libraries():
    """What the wheels in the cache have, without what only other libraries of them open."""
    for wheel in sorted(wheels.cache_root().glob("wheels/nvidia-*-x86_64")):
        for path in sorted(wheel.glob("nvidia/*/lib/lib*.so.*")):
            dynamic = output("readelf", "-dW", path)
            soname = re.search(r"\(SONAME\).*\[(.*)\]", dynamic)
            if soname and soname[1] == path.name:
                yield Library(wheel, str(path.parent.relative_to(wheel)), path.name,
                              needs=tuple(re.findall(r"\(NEEDED\).*\[(lib(?:cu|nv)[^\]]*)\]", dynamic)))


def read_exports(library):
    text = output("nm", "-D", "--defined-only", library.wheel / library.folder / library.soname)
    for kind, name in re.findall(r"^\S* (\w) (\S+)$", text, re.M):
        symbol, _, node = name.partition("@")
        if kind in "TWiDBRV" and "@" not in node.lstrip("@"):
            library.exports[symbol] = node.lstrip("@")


def closure(library, others):
    """The library and what it NEEDs, of the same line as far as there is a choice; None if something is missing."""
    found, waiting = [library], list(library.needs)
    while waiting:
        name = waiting.pop()
        if name in [each.soname for each in found] or name in ("libcuda.so.1", "libnvidia-ml.so.1"):
            continue
        same = [each for each in others if each.soname == name]
        if not same:
            return None
        same.sort(key=lambda each: (each.wheel != library.wheel, each.requirement.rpartition("==")[2]))
        found.append(same[0] if same[0].wheel == library.wheel else same[-1])
        waiting += found[-1].needs
    return found


def lay_out(name, parts):
    """A site-packages of links to the files of these wheels."""
    site = sandbox.work / name
    for wheel in dict.fromkeys(part.wheel for part in parts):
        for path in wheel.rglob("*"):
            target = site / path.relative_to(wheel)
            if not path.is_dir():
                target.parent.mkdir(parents=True, exist_ok=True)
                if not os.path.lexists(target):
                    target.symlink_to(path)
    (site / "pkg").mkdir(parents=True)
    return site


def importer(path, parts, imports):
    path.write_bytes(tinyelf.library(soname=path.name, needs=[part.soname for part in parts], imports=imports,
                                     rpath=":".join(dict.fromkeys(f"$ORIGIN/../{part.folder}" for part in parts))))
    return path


FASHIONS = {row["library"]: row["begins"] for row in json.loads(
    (Path(__file__).parents[2] / "driver/tables/data/name_fashions.json").read_text())["rows"]}


def is_in_fashion(soname, symbol):
    for begin in FASHIONS.get(soname.removeprefix("lib").partition(".so")[0], ()):
        rest = symbol.removeprefix(begin)
        if rest != symbol and (begin.endswith("_") or rest[:1].isupper()):
            return True
    return False


def imports_of(library, family, number):
    own, known = sorted(set(library.exports) - OF_LINKERS), sorted(family - OF_LINKERS)
    usual = next((node for node in library.exports.values() if node), library.soname)
    for _ in range(number):
        symbol = choose.choice(own) if choose.random() < 0.55 or not known else choose.choice(known)
        if choose.random() < 0.1:
            symbol += choose.choice(["_v2", "_13_9", "X"])
        node = choose.choice([usual, usual, library.exports.get(symbol, usual), "", "", "libelse.so.1"])
        yield symbol, node


def really(paths):
    """For each file whether it loads, or the loader's message; a process that ends says nothing."""
    answers = []
    while len(answers) < len(paths):
        done = sandbox.run(sys.executable, "-c", OPENER, *paths[len(answers):])
        lines = done.out.splitlines()
        answers += lines
        if done.status != 0:
            answers.append(f"status {done.status}: {done.err.strip()}")
    return answers


def checked(paths, runtime):
    ended = sandbox.cc("check", "--format=json", "--runtime", runtime, *paths)
    assert ended.status in (0, 3, 4), ended
    if not ended.out:
        # Of libraries that need no CUDA runtime, or those of another major.
        codes = re.findall(r"\[(CC2007|CC2002)\]", ended.err)
        assert codes, ended
        return [("unknown", codes)] * len(paths)
    value = json.loads(ended.out)
    return [(file["verdict"], [found["code"] for found in file.get("findings", [])]) for file in value["files"]]


everything = list(libraries())
if len(everything) < 20:
    skip("the wheels are not in the cache")
families = defaultdict(list)
for library in everything:
    families[library.soname].append(library)
counts = {"libraries": 0, "imports": 0, "loads": 0, "by tables": 0, "unknown": 0, "not judged": 0}


def verdicts_of(plain, paths, site, parts):
    """What `check` says in the environment, and from the tables if they have all of these releases."""
    requirements = sandbox.write("requirements.txt", "".join(sorted({f"{part.requirement}\n" for part in parts})))
    verdicts = {"environment": checked(paths, f"env:{site}")}
    if checked([plain], f"lock:{requirements}")[0][0] == "accept":
        verdicts["tables"] = checked(paths, f"lock:{requirements}")
        counts["by tables"] += len(paths)
    return verdicts


def judged(library, family, site, parts):
    """Imports from the library, and where a verdict is not the loader's; none if nothing loads there."""
    plain = importer(site / "pkg/plain.so", parts, [])
    if really([plain]) != ["loads"] or checked([plain], f"env:{site}")[0][0] != "accept":
        return []
    cases = list(dict.fromkeys(imports_of(library, family, EACH)))
    paths = [importer(site / f"pkg/i{at}.so", parts, [tinyelf.Import(symbol, node, library.soname if node else "")])
             for at, (symbol, node) in enumerate(cases)]
    real = really(paths)
    counts["libraries"] += 1
    counts["imports"] += len(paths)
    counts["loads"] += real.count("loads")
    wrong = []
    for way, answers in verdicts_of(plain, paths, site, parts).items():
        for (symbol, node), loads, (verdict, codes) in zip(cases, real, answers, strict=True):
            # A name without a version that no library has is one of nobody, but for the libraries' fashions.
            is_known = node or symbol in family or is_in_fashion(library.soname, symbol)
            if verdict == "accept" and loads != "loads" and (not is_known or "CC4209" in codes):
                counts["not judged"] += 1
            elif verdict == "unknown":
                counts["unknown"] += 1
            elif (verdict == "accept") != (loads == "loads"):
                wrong.append(f"{library.requirement} {library.soname}: {symbol}@{node} by the {way}: {verdict} "
                             f"{codes}, really: {loads.replace(str(site), '')}")
    return wrong


def turns():
    """Libraries with all that they need, and the names that others of their name have."""
    choose.shuffle(everything)
    for library in everything * (LINES // EACH // len(everything) + 2):
        if counts["imports"] >= LINES:
            return
        parts = closure(library, everything)
        if not parts:
            continue
        for each in families[library.soname]:
            if not each.exports:
                read_exports(each)
        if library.exports:
            names = {symbol for each in families[library.soname] for symbol in each.exports}
            yield library, names - set(library.exports), parts


@behaviour
def what_is_accepted_loads_and_what_is_rejected_does_not():
    wrong = []
    for number, (library, family, parts) in enumerate(turns()):
        site = lay_out(f"site{number}", parts)
        wrong += judged(library, family, site, parts)
        shutil.rmtree(site)
    print("\n".join(wrong[:30]))
    print(f"{counts}, {len(wrong)} differ")
    assert not wrong


@behaviour
def few_imports_are_unknown():
    assert counts["unknown"] * 10 < counts["imports"], counts
