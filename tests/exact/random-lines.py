# SPDX-License-Identifier: Apache-2.0
# RUN: %support/hide-cuda %python -B %s
"""Random lines of gcc, g++, clang, clang++ and nvcc, from the options that each lists itself: plain, through cuda-cc,
and with a declared runtime. Status, output and files are equal, or differ as the class of the row allows (table.py).
A line for which the plain compiler needs more than a minute is skipped.

Line N of a run is made from CUDACC_TEST_SEED + N; CUDACC_TEST_LINES sets the number of lines."""
import functools
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

import compare
from run import ALL, Bench, run_row
from table import Row

SEED = int(os.environ.get("CUDACC_TEST_SEED") or random.randrange(1 << 32))
LINES = int(os.environ.get("CUDACC_TEST_LINES") or (2000 if ALL else 15))
NVCC = os.environ.get("CUDACC_TEST_NVCC", "")
HOST = {"PATH": "/usr/bin:/bin", "LC_ALL": "C"}
# Seconds for the plain call, and for that through cuda-cc.
LIMITS = (60, 300)
print(f"CUDACC_TEST_SEED={SEED} CUDACC_TEST_LINES={LINES}")

# What differs from one plain run to the next, prints its own command, waits for input, or takes what is no file here.
LEFT_OUT = re.compile(
    r"-(-?completion|-?help|-?version|-?print|-?dump|fdump|fdbg|fplugin|fmem-report|fstats|ftime|time|wrapper|v$|"
    r"-verbose|Q$|###|specs|-?sysroot|B$|x$|fmodules|fmodule|fprofile|fauto-profile|fbranch-prob|fcoverage|fcs-profile|"
    r"pass-exit|fpch|fself-test|fuse-ld|fopt-info|fcallgraph|save-|-save|fstack-usage|iplugindir|L$|gsplit|ftest-cov|"
    r"-coverage|coverage|cl-|arcmt|ccc|ftrapv-handler|emit-|-analy|-?config|-cuda|-hip|-offload|no-canonical|"
    r"-migrate|fthinlto|-?precompile|-?rewrite|-rtlib|-?stdlib|fcrash|gen-reproducer|index|-?driver-mode|verify-pch|"
    r"-target|fsanitize|fwhole-program|fopenacc|foffload|p$|pg$|fcompare-debug|mdump|mrecord-mcount|m32|m16|mx32|miamcu|"
    r"-?param|-?assemble|-?trace|-?run|-?clean|-?dryrun|-?list|-?use-local|-?options-file|-?compiler-bindir|-?threads|"
    r"-?split-compile|-?keep|-?archiver|-?dont-use-profile|-?libdevice|-?nvvm|-?target-dir|-?input-drive|-?dependency|"
    r"-?profile|-?fdevice-time|-?device-c|-?device-w|-?device-link|-?cuda$|-?cubin|-?fatbin|-?ptx$|-?optix|-?preprocess|"
    r"-?compile$|-?link$|-?lib$|-?generate-dep|-?generate-non|-?jobserver|-?drive-prefix|-?m64|-?brief-diag|"
    r"-?gen-opt-lto|-?arch|-?gpu|-?code|-?ldir|-?extra-device|-?query|-?frandom|-?static-global|-?output|-?shared|"
    r"-?x$|-?forward-slash|-?no-host-device|fno-working-dir|fworking-dir|grecord|gno-record|frecord)")


VALUES = ["0", "1", "2", "8", "all", "none", "fast", "native", "c++17"]


def text_of(*argv):
    done = subprocess.run(argv, env=HOST, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return done.stdout.decode("utf-8", "replace")


@functools.cache
def options_of(compiler):
    """The options that the compiler lists, with values where it names them."""
    found = []
    if compiler == "nvcc":
        for name, value, rest in re.findall(r"^(--[\w-]+)(?: (<[^>]*>(?:,\.\.\.)?))?[^\n]*\n((?:[ \t]+[^\n]*\n|\n)*)",
                                            text_of(NVCC, "--help"), re.M):
            allowed = re.search(r"Allowed values for this option:([^.]*)\.", rest)
            values = re.findall(r"'([^']+)'", allowed[1]) if allowed else []
            found += [(name, "", values)] if value and values else [] if value else [(name, "", None)]
    elif "clang" in compiler:
        for name in re.findall(r"^  (-[\w+-]+=?)(?:[ <\n]|$)", text_of(compiler, "--help"), re.M):
            found.append((name, "=" if name.endswith("=") else "", VALUES if name.endswith("=") else None))
    else:
        for part in ("optimizers", "warnings", "target", "common", "c++" if "+" in compiler else "c"):
            for name in re.findall(r"^  (-[\w+-]+=?)(?:[ <\[\n]|$)", text_of(compiler, f"--help={part}"), re.M):
                found.append((name, "=" if name.endswith("=") else "", VALUES if name.endswith("=") else None))
    return [each for each in found if not LEFT_OUT.match(each[0])]


@functools.cache
def is_valid(compiler, words):
    """Whether a small compile takes the option."""
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "x." + ("cpp" if "+" in compiler else "c"))
        with open(source, "w") as file:
            file.write("int x(void) { return 1; }\n")
        done = subprocess.run([compiler, *words, "-c", source, "-o", os.path.join(folder, "x.o")], env=HOST, cwd=folder,
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return done.returncode == 0


class Line:
    def __init__(self, seed, compilers):
        self.choice = random.Random(seed)
        self.compiler = self.choice.choices(list(compilers), list(compilers.values()))[0]
        self.name = str(seed)

    def often(self, probability):
        return self.choice.random() < probability

    def option(self):
        """One of the compiler's own that it takes alone."""
        for _ in range(50):
            name, join, values = self.choice.choice(options_of(self.compiler))
            if values is None:
                words = (name,)
                if re.match(r"-[fmW](?!no-)\w", name) and self.compiler != "nvcc" and self.often(0.3):
                    words = (name[:2] + "no-" + name[2:],)
            else:
                value = self.choice.choice(values)
                words = (name + value,) if join else (name, value)
            if self.compiler == "nvcc" or is_valid(self.compiler, words):
                return list(words)
        return []

    def options(self, most):
        return [word for _ in range(self.choice.randint(0, most)) for word in self.option()]

    def depfile(self):
        return self.choice.choice([[], [], ["-MD"], ["-MMD"], ["-MD", "-MF", "x.d"], ["-MMD", "-MP", "-MT", "t"],
                                   ["-MD", "-MF", "dep/x.d", "-MQ", "$t"]])

    def mixed(self, *parts):
        """Parts of a line in any order."""
        parts = [list(part) for part in parts if part]
        self.choice.shuffle(parts)
        return [word for part in parts for word in part]

    def host(self):
        plus = "+" in self.compiler
        sources = ["m.cpp", "main.cpp", "ugly.cpp"] if plus else ["a.c", "b.c", "one.c", "warn.c", "bad.c", "debug.c"]
        source = self.choice.choice(sources)
        files, prepare, level = [source, "h.h", {"dep/none": ""}], [], 2
        mode = self.choice.choice(["-c", "-c", "-c", "-S", "-E", "-M", "-MM", "-fsyntax-only", "-shared", "link", "-r"])
        words = [[source], self.options(5),
                 self.choice.choice([[], ["-g"], ["-O2"], ["-O1", "-g"], ["-I."], ["-DH=7"]])]
        if mode in ("-c", "-S"):
            words += [[mode], self.depfile(), self.choice.choice([[], ["-o", "out.o"], ["-oout"]])]
        elif mode in ("-E", "-M", "-MM", "-fsyntax-only"):
            words += [[mode], self.choice.choice([[], ["-o", "out"]]) if mode != "-fsyntax-only" else []]
            level = 1 if mode in ("-E", "-M", "-MM") else 2
        else:
            level = 3
            if not plus and source in ("a.c", "b.c", "debug.c", "warn.c") and mode == "link":
                words[0] = ["one.c", source]
                files.append("one.c")
            words += [[] if mode == "link" else [mode], ["-fPIC"] if mode == "-shared" else [],
                      self.choice.choice([[], ["-o", "out"], ["-lm"], ["-Wl,-z,now"], ["-s"],
                                          ["-Wl,-rpath,/x:$ORIGIN"]])]
            if self.often(0.3):
                prepare = [[self.compiler, "-fPIC", "-c", source]]
                words[0] = [word.rsplit(".", 1)[0] + ".o" if word == source else word for word in words[0]]
        return Row(self.name, "F1", [self.compiler, *self.mixed(*words)], level, files, prepare, status=None)

    def nvcc(self):
        source = self.choice.choice(["k.cu", "k2.cu", "kmain.cu", "klib.cu", "cuwarn.cu", "d.cu"])
        mode = self.choice.choice(["-c", "-c", "-dc", "-ptx", "-cubin", "-fatbin", "-E", "-M", "-lib", "link",
                                   "-shared"])
        host = self.choice.choice([[], [], ["-Xcompiler", "-Wall"], ["-Xcompiler=-O2,-g"], ["-Xcompiler", "-fno-rtti"]])
        words = [[source], self.options(3), self.choice.choice([["-arch=sm_80"], ["-arch", "sm_75"],
                                                              ["-gencode", "arch=compute_80,code=sm_80"]]), host]
        level = {"-E": 1, "-M": 1, "link": 3, "-shared": 3}.get(mode, 2)
        if mode == "link":
            words[0] = ["kmain.cu"]
        elif mode == "-shared":
            words += [["-shared", "-Xcompiler", "-fPIC"]]
        else:
            words.append([mode])
        if mode in ("-c", "-dc"):
            words.append(self.depfile()[:3])
        words.append(self.choice.choice([[], ["-o", "out.o"], ["-g"], ["-O1"], ["-std=c++17"], ["-w"]]))
        return Row(self.name, "F1", ["nvcc", *self.mixed(*words)], level,
                   ["k.cu", "k2.cu", "kmain.cu", "klib.cu", "cuwarn.cu", "d.cu", "h.h", {"dep/none": ""}], status=None,
                   call="front")

    def row(self):
        return self.nvcc() if self.compiler == "nvcc" else self.host()


class Counted(Bench):
    """Counts the calls of a compiler that fails."""

    def run(self, row, argv, template, declare=False):
        outcome = super().run(row, argv, template, declare)
        counts["failing"] += not declare and outcome.status != 0 and argv[0] != self.program
        return outcome


def is_stable(row, found):
    """Whether the plain compiler does the same twice: some options make it print or write what varies."""
    return not run_row(Bench(PROGRAM, found.nvcc, found.scratch / "self", True, limits=LIMITS), row, [False])


PROGRAM = os.environ["CUDACC_TEST_PROGRAM"]
compilers = {name: weight for name, weight in (("gcc", 8), ("g++", 5), ("clang", 3), ("clang++", 2))
             if shutil.which(name, path=HOST["PATH"])}
if NVCC:
    compilers["nvcc"] = 1
counts = {"failing": 0, "unstable": 0, "slow": 0, **dict.fromkeys(compilers, 0)}
wrong = 0
with tempfile.TemporaryDirectory() as scratch:
    benches = {False: Counted(PROGRAM, "", scratch + "/host", False, limits=LIMITS),
               True: Counted(PROGRAM, NVCC, scratch + "/nvcc", False, limits=LIMITS)}
    for number in range(LINES):
        row = Line(SEED + number, compilers).row()
        bench = benches[row.argv[0] == "nvcc"]
        counts[row.argv[0]] += 1
        told = f"CUDACC_TEST_SEED={SEED + number} CUDACC_TEST_LINES=1 {compare.shown(row.argv)}"
        try:
            lines = run_row(bench, row, [False, True])
            stable = not lines or is_stable(row, bench)
        except subprocess.TimeoutExpired as slow:
            counts["slow"] += 1
            print(f"skipped: no end within {slow.timeout} seconds: {told}", flush=True)
            continue
        if not stable:
            counts["unstable"] += 1
        elif lines:
            wrong += 1
            print("\n".join([told, *("  " + line for line in lines[:20])]), flush=True)
print(f"{LINES} lines, {counts}, {wrong} differ")
sys.exit(1 if wrong or (counts["unstable"] + counts["slow"]) * 10 > LINES + 20 else 0)
