# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""backend = "ninja" beside plain nvcc: random lines, each called again after random edits of sources, headers, folders,
variables, options, the toolkit and the outputs. Status, output, depfiles and objects are equal after each.

CUDACC_TEST_SEED repeats a run, CUDACC_TEST_LINES sets the number of lines."""
import os
import random
import shutil
import stat
import sys
import time

from behaviour import behaviour
from ninja_builds import Builds, comparable, stable
from sandbox import equal

SEED = int(os.environ.get("CUDACC_TEST_SEED") or random.randrange(1 << 32))
LINES = int(os.environ.get("CUDACC_TEST_LINES") or (500 if os.environ.get("CUDACC_TEST_ALL") else 4))
EDITS = 4
print(f"CUDACC_TEST_SEED={SEED} CUDACC_TEST_LINES={LINES}")
choose = random.Random(SEED)
builds = Builds()
work = builds.work

own = builds.use_own_toolkit()
PROFILE = (own / "bin/nvcc.profile").read_text()

HEADERS = ["part.h", "i1/part.h", "i2/part.h", "i1/maybe.h", "i2/sub/maybe.h", "i2/deep.h"]
SOURCES = {
    "k.cu": '#include "part.h"\n__global__ void k(int *x) { *x = PART; }\nint host_k() { return PART; }\n',
    "n.cu": "#include <part.h>\n#if __has_include(<maybe.h>)\n#include <maybe.h>\n#endif\n#ifndef M\n#define M 0\n"
            "#endif\n__device__ int n = PART + M;\n",
    "a.cpp": '#include <part.h>\n#if __has_include("sub/maybe.h")\n#include "sub/maybe.h"\n#endif\n#ifndef M\n'
             "#define M 0\n#endif\nint a() { int unused; return PART + M; }\n",
    "b.cpp": 'asm(".section .rodata\\n.incbin \\"data.bin\\"\\n.text");\nint b() { return 2; }\n',
    "t.cpp": '#ifndef T\n#define T "none"\n#endif\nextern const char *t; const char *t = T;\n',
    "c.c": '#include "part.h"\nint c(void) { return PART; }\n',
}
EPOCH = {"SOURCE_DATE_EPOCH": "86400"}
OPTIONS = [[], [], ["-Xcompiler", "-Wall"], ["-Xcompiler", "-O2,-g"], ["-lineinfo"], ["-std=c++17"], ["-O3"],
           ["-DT=__TIME__"], ["-Xptxas", "-O1"], ["-Xptxas", "-v"], ["-DT=__DATE__"], ["-include", "part.h"], ["-w"]]
BROKEN = [["-Xptxas", "--bogus"], ["-Xcompiler", "-fbogus"], ["-DPART=("], ["-Xcicc", "--bogus"]]
ARCHS = [["-arch=sm_75"], ["-arch=sm_80"], ["-gencode", "arch=compute_80,code=sm_80", "-gencode",
                                            "arch=compute_90,code=[sm_90,compute_90]"]]
INCLUDES = [["-Ii1", "-Ii2"], ["-Ii2", "-Ii1"], ["-isystem", "i1", "-I", "i2"], ["-I", ".", "-Ii2"]]


def reset():
    """Sources and folders as they are at first."""
    for path in work.iterdir():
        shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
    for name, text in SOURCES.items():
        builds.write(name, text)
    builds.write("part.h", "#define PART 1\n")
    builds.write("i2/part.h", "#define PART 2\n")
    builds.write("data.bin", "data")
    for folder in ("i1", "i2/sub", "out"):
        (work / folder).mkdir(parents=True, exist_ok=True)
    (own / "bin/nvcc.profile").write_text(PROFILE)


class Line:
    """A line of nvcc, its variables, and the outputs that it names."""

    def __init__(self):
        self.mode = choose.choice(["-c", "-c", "-c", "-dc", "-cubin", "-ptx", "-fatbin", "-lib"])
        device = [name for name in SOURCES if name.endswith(".cu")]
        self.sources = choose.sample(device if self.mode in ("-cubin", "-ptx", "-fatbin") else list(SOURCES),
                                     choose.choice([2, 3]) if self.mode == "-lib" else 1)
        arch = choose.choice(ARCHS[:2] if self.mode in ("-cubin", "-ptx") else ARCHS)
        self.words = [*arch, *choose.choice(INCLUDES)]
        self.options = choose.choice(OPTIONS)
        depfiles = [[], ["-MD"], ["-MMD", "-MP"], ["-MD", "-MF", "out/o.d", "-MT", "target"]]
        self.depfile = choose.choice(depfiles) if self.mode in ("-c", "-dc") else []
        self.output = "out/o" + {"-c": ".o", "-dc": ".o", "-lib": ".a"}.get(self.mode, self.mode.replace("-", "."))
        self.variables = dict(EPOCH)

    @property
    def call(self):
        return [self.mode, *self.sources, "-o", self.output, *self.words, *self.options, *self.depfile]


def write(name, text):
    path = work / name
    if path.is_dir():
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def value(name):
    macro = "M" if "maybe" in name else "PART"
    return f"#ifndef {macro}\n#define {macro} {choose.randrange(2, 9)}\n#endif\n"


def keep_time(path, text):
    """Into the same inode, as cp -p does, or under another one, as tar and rsync -t do."""
    if not path.is_file():
        return
    old = path.stat()
    if choose.random() < 0.5:
        path.write_text(text)
    else:
        other = path.with_name("other")
        other.write_text(text)
        other.rename(path)
    os.utime(path, ns=(old.st_atime_ns, old.st_mtime_ns))


def edit_header(line):
    name = choose.choice(HEADERS)
    write(name, value(name))


def keep_header_time(line):
    name = choose.choice(HEADERS)
    keep_time(work / name, value(name))


def remove_header(line):
    (work / choose.choice(HEADERS)).unlink(missing_ok=True)


def move_folder(line):
    first, second = work / "i1", work / "i2"
    if first.is_symlink():
        return
    first.rename(work / "moved")
    second.rename(first)
    (work / "moved").rename(second)


def link_folder(line):
    shutil.rmtree(work / "i1") if not (work / "i1").is_symlink() else (work / "i1").unlink()
    (work / "i1").symlink_to("i2") if choose.random() < 0.5 else (work / "i1").mkdir()


def edit_source(line):
    name = choose.choice(line.sources)
    write(name, SOURCES[name] + f"// {choose.random()}\n" * choose.randrange(2) + f"int more{choose.randrange(3)};\n")


def break_source(line):
    name = choose.choice(line.sources)
    write(name, SOURCES[name] + choose.choice(["int broken = ;\n", "#error stop\n", "#warning seen\n"]))


def revert(line):
    for name in line.sources:
        write(name, SOURCES[name])


def edit_data(line):
    keep_time(work / "data.bin", choose.choice(["data", "atad", "more data"]))


def touch(line):
    os.utime(work / choose.choice(line.sources))


def edit_variable(line):
    name = choose.choice(["CPATH", "CPLUS_INCLUDE_PATH", "NVCC_APPEND_FLAGS", "NVCC_PREPEND_FLAGS", "SOURCE_DATE_EPOCH",
                          "LC_ALL", "C_INCLUDE_PATH"])
    values = {"NVCC_APPEND_FLAGS": ["-DT=\\\"env\\\"", "-w"], "NVCC_PREPEND_FLAGS": ["-O2"], "LC_ALL": ["C.UTF-8"],
              "SOURCE_DATE_EPOCH": ["86400", "999999"]}.get(name, ["i1", "i2/sub", "i2"])
    if name != "SOURCE_DATE_EPOCH" and name in line.variables:
        del line.variables[name]
    else:
        line.variables[name] = choose.choice(values)


def edit_toolkit(line):
    number = choose.randrange(3)
    extra = f'\nINCLUDES += "-DPROFILE={number}" "-DT=\\"p{number}\\""\n' if number else ""
    (own / "bin/nvcc.profile").write_text(PROFILE + extra)


def edit_options(line):
    line.options = choose.choice(OPTIONS + BROKEN)


def no_output(line):
    (work / line.output).unlink(missing_ok=True)


def other_output(line):
    """What lies at the output: links, modes, an archive of other members."""
    path = work / line.output
    path.unlink(missing_ok=True)
    kind = choose.randrange(4)
    if kind == 0 and line.mode != "-lib":
        (work / "out/target").write_text("old")
        path.symlink_to("target")
    elif kind == 1:
        path.symlink_to("dangling")
    elif kind == 2 and line.mode != "-lib":
        path.write_text("old")
        path.chmod(0o600)


def nothing(line):
    pass


ACTIONS = [edit_header, edit_header, keep_header_time, keep_header_time, remove_header, move_folder, link_folder,
           edit_source, break_source, revert, edit_data, touch, edit_variable, edit_variable, edit_toolkit,
           edit_options, edit_options, no_output, other_output, nothing]


def outputs():
    """The folder of outputs: kinds, modes, link texts, contents; archives are kept."""
    got = {}
    for path in sorted((work / "out").iterdir()):
        status = path.lstat()
        got[path.name] = (stat.S_IFMT(status.st_mode), stat.S_IMODE(status.st_mode),
                          os.readlink(path) if path.is_symlink() else "",
                          comparable(path) if path.is_file() else None)
    return got


def copied(source, target):
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(source, target, symlinks=True)


def called(run, line):
    done = run(*line.call, **line.variables)
    text = stable(done.err.encode())
    return done, (done.status, stable(done.out.encode()), text, outputs())


def shown(what):
    """Without the parts that are long and equal."""
    status, out, err, made = what
    return status, out, err, {name: state[:3] + (state[3] if len(state[3] or b"") < 20 else hash(state[3]),)
                              for name, state in made.items()}


def compare(line, done_so_far):
    copied(work / "out", builds.root / "before")
    done, expected = called(lambda *words, **more: builds.run("nvcc", *words, **more), line)
    copied(builds.root / "before", work / "out")
    own_done, got = called(builds.ninja, line)
    if got != expected:
        equal(shown(got), shown(expected),
              f"seed {SEED}: {done_so_far}\n{line.variables}\n{done}\n{own_done}\n{builds.logged()}")
    counts["calls"] += 1
    counts["ninja"] += builds.logged()["did"] == "ninja"
    counts["skipped"] += builds.logged().get("ran") == []


counts = {"calls": 0, "ninja": 0, "skipped": 0}


@behaviour
def each_call_answers_as_nvcc_after_edits():
    for number in range(LINES):
        reset()
        line = Line()
        history = [line.call]
        time.sleep(0.03)
        compare(line, history)
        for _ in range(EDITS):
            edits = choose.choices(ACTIONS, k=choose.choice([1, 1, 2]))
            history.append([action.__name__ for action in edits])
            for action in edits:
                action(line)
            # Half of the edits are as new as what follows them.
            time.sleep(choose.choice([0, 0.03]))
            compare(line, history)
        if sys.stdout.isatty() or number % 50 == 49:
            print(f"{number + 1} lines: {counts}", flush=True)
    print(f"{LINES} lines, {counts}")


@behaviour
def more_calls_than_half_are_built_by_ninja():
    """Few lines can draw edits that break the source or name an unknown option, which nvcc answers alone."""
    assert counts["ninja"] > (counts["calls"] / 2 if LINES >= 100 else 0), counts


@behaviour
def no_call_leaves_temporary_files():
    builds.clean()
