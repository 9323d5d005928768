# SPDX-License-Identifier: Apache-2.0
"""run.py [--group NAME]... [--row NAME]... runs rows of the exactness table.

Each row is run with the plain compiler, through cuda-cc, and through cuda-cc with a declared runtime, one after
the other in the same directory, and the results are compared (compare.py). Because nvcc is slow, its rows
are declared and undeclared by turns, and with --backend every fifth row is run alone, unless CUDACC_TEST_ALL is set or
rows are named. Exit status: 1 if a row differs, 77 if no row could run.

    --program PATH   cuda-cc; default CUDACC_TEST_PROGRAM
    --nvcc PATH      default CUDACC_TEST_NVCC
    --backend NAME   value of CUDA_CC_BACKEND; with ninja, names of temporary files may differ
    --scratch DIR    default a directory under TMPDIR; not removed if given
    --list           print the rows
    --self           run the plain compiler in place of cuda-cc: shows rows that are not reproducible
    --times          print the time of each row
"""

import argparse
import os
import pty
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

import compare
import table

RUNTIME = "cuda==13.0"
ALL = bool(os.environ.get("CUDACC_TEST_ALL"))
LIMIT = 300


@dataclass
class Outcome:
    """The result of one call."""
    status: int
    out: bytes
    err: bytes
    """Relative path -> (kind, permissions, content or target)."""
    files: dict
    """Names left in TMPDIR and HOME."""
    leftovers: list
    """Exit status and output of the linked program, where the row runs one."""
    ran: list = field(default_factory=list)


def tree(root):
    found = {}
    for folder, folders, names in os.walk(root):
        for name in sorted(folders + names):
            path = os.path.join(folder, name)
            mode = os.lstat(path).st_mode & 0o777
            if os.path.islink(path):
                entry = ("link", 0, os.fsencode(os.readlink(path)))
            elif os.path.isdir(path):
                entry = ("folder", mode, b"")
            elif os.path.isfile(path):
                entry = ("file", mode, Path(path).read_bytes())
            else:
                entry = ("special", mode, b"")
            found[os.path.relpath(path, root)] = entry
    return found


def start_of(row):
    """What the child process does before exec, and the descriptors that it inherits."""
    if row.start == "closed-stdin":
        return lambda: os.close(0), ()
    if row.start == "signals":
        def prepare():
            signal.signal(signal.SIGHUP, signal.SIG_IGN)
            signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])
            os.umask(0o027)
        return prepare, ()
    if row.start == "jobserver":
        reader, writer = os.pipe()
        os.write(writer, b"++")
        os.dup2(reader, 47)
        os.dup2(writer, 48)
        os.close(reader)
        os.close(writer)
        return None, (47, 48)
    return None, ()


def finish(process, limit):
    """stdout and stderr of a process, which is killed with all that it started when it exceeds the limit."""
    try:
        return process.communicate(timeout=limit)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        raise


def drain(process, master):
    """The text that a process writes to its terminal."""
    text = b""
    while True:
        try:
            part = os.read(master, 65536)
        except OSError:
            break
        if not part:
            break
        text += part
    os.close(master)
    return process.wait(LIMIT), text


def call(row, argv, environment, work, scratch, limit):
    """Exit status, stdout, stderr."""
    prepare, kept = start_of(row)
    path = Path(scratch, "stdin")
    path.write_bytes(row.stdin)
    with open(path, "rb") as stdin:
        options = {"cwd": work, "env": environment, "stdin": stdin, "preexec_fn": prepare,
                   "pass_fds": kept, "start_new_session": True}
        try:
            if row.start == "tty":
                master, slave = pty.openpty()
                process = subprocess.Popen(argv, stdout=slave, stderr=slave, **options)
                os.close(slave)
                return *drain(process, master), b""
            if row.start == "stdout-file":
                with open(os.path.join(work, "stdout"), "wb") as out:
                    process = subprocess.Popen(argv, stdout=out, stderr=subprocess.PIPE, **options)
                err = finish(process, limit)[1]
                return process.returncode, b"", err
            process = subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)
            out, err = finish(process, limit)
            return process.returncode, out, err
        finally:
            for descriptor in kept:
                os.close(descriptor)


class Bench:
    """The directories and programs of a run, and the seconds that the plain call has and that cuda-cc's has."""

    def __init__(self, program, nvcc, scratch, self_check, backend="", limits=(LIMIT, 2 * LIMIT)):
        self.program, self.nvcc, self.self_check, self.backend = program, nvcc, self_check, backend
        self.limits = limits
        self.toolkit = os.path.dirname(os.path.dirname(nvcc)) if nvcc else ""
        self.scratch = Path(scratch).resolve()
        self.work = self.scratch / "project"
        self.data = self.scratch / "data"
        self.private = [self.scratch / "tmp", self.scratch / "home"]
        self.data.mkdir(parents=True, exist_ok=True)

    def environment(self, row):
        tmp, home = map(str, self.private)
        path = "/usr/bin:/bin"
        if self.nvcc:
            path = f"{self.toolkit}/bin:{path}"
        base = {"PATH": path, "HOME": home, "TMPDIR": tmp, "XDG_DATA_HOME": str(self.data),
                "LC_ALL": "C"}
        return {**base, **{name: self.fill(value) for name, value in row.env.items()}}

    def fill(self, word):
        for name, value in (("toolkit", self.toolkit), ("work", str(self.work)),
                            ("python", sys.executable)):
            word = word.replace("{%s}" % name, value)
        return word

    def plain(self, argv):
        argv = [self.fill(word) for word in argv]
        return [self.nvcc if argv[0] == "nvcc" else argv[0], *argv[1:]]

    def ours(self, row):
        argv = [self.fill(word) for word in row.argv]
        if self.self_check:
            return self.plain(row.argv)
        return [self.program, *(argv[1:] if row.call == "front" else argv)]

    def lay_out(self, row):
        """The files that exist before the row runs, as a folder to copy."""
        self.fresh()
        for item in row.files:
            texts = item if isinstance(item, dict) else {item: table.SOURCES[item]}
            for name, text in texts.items():
                path = self.work / name
                path.parent.mkdir(parents=True, exist_ok=True)
                text = self.fill(text) if isinstance(text, str) else text
                path.write_bytes(text.encode() if isinstance(text, str) else text)
                if path.read_bytes().startswith(b"#!"):
                    path.chmod(0o755)
        for argv in row.prepare:
            done = subprocess.run(self.plain(argv), cwd=self.work, env=self.environment(row),
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, timeout=LIMIT)
            if done.returncode != 0:
                raise compare.Differs([f"cannot prepare: {argv}", done.stdout.decode()])
        template = self.scratch / "template"
        shutil.rmtree(template, ignore_errors=True)
        self.work.rename(template)
        return template

    def fresh(self):
        for folder in (self.work, *self.private):
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)

    def run(self, row, argv, template, declare=False):
        self.fresh()
        self.work.rmdir()
        shutil.copytree(template, self.work, symlinks=True)
        environment = self.environment(row)
        if declare:
            environment["CUDA_CC_RUNTIME"] = RUNTIME
        if self.backend:
            environment["CUDA_CC_BACKEND"] = self.backend
        limit = self.limits[argv[0] == self.program]
        status, out, err = call(row, argv, environment, self.work, self.scratch, limit)
        left = [str(path.relative_to(self.scratch)) for folder in self.private
                for path in folder.rglob("*") if not path.is_dir()]
        outcome = Outcome(status, out, err, tree(self.work), sorted(left))
        outcome.ran = self.use(row)
        return outcome

    def use(self, row):
        """Runs or loads the linked file."""
        environment = {"PATH": "/usr/bin:/bin", "LD_LIBRARY_PATH": f"{self.toolkit}/lib"}
        commands = [[str(self.work / row.exe)]] if row.exe else []
        if row.so:
            load = "import ctypes, sys; ctypes.CDLL(sys.argv[1])"
            commands.append([sys.executable, "-c", load, str(self.work / row.so)])
        ran = []
        for command in commands:
            try:
                done = subprocess.run(command, cwd=self.work, env=environment, timeout=LIMIT,
                                      stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                      stderr=subprocess.STDOUT)
                ran.append((done.returncode, done.stdout))
            except OSError as error:
                ran.append((None, str(error).encode()))
        return ran


def ways(row, everything, number):
    """For each call through cuda-cc, whether a runtime is declared."""
    if not row.declared:
        return [False]
    return [False, True] if everything or row.argv[0] != "nvcc" else [number % 2 == 0]


def run_row(bench, row, declarations):
    """The differences, as lines; empty if there are none. Raises TimeoutExpired where the plain call has no end."""
    try:
        template = bench.lay_out(row)
    except compare.Differs as problem:
        return problem.lines
    plain = bench.run(row, bench.plain(row.argv), template)
    if row.status is not None and plain.status != row.status:
        return [f"the plain call ends with {plain.status}, the row says {row.status}",
                *plain.err.decode(errors="replace").splitlines()[-12:]]
    broken = [ran for ran in plain.ran if ran[0] != 0]
    if broken:
        return [f"the plain call's output does not run: {broken}"]
    lines = []
    for declare in declarations:
        try:
            pair = plain, bench.run(row, bench.ours(row), template, declare)
            if bench.backend == "ninja":
                pair = map(compare.without_temporaries, pair)
            found = compare.differences(row, *pair, declare, bench.data)
        except subprocess.TimeoutExpired as slow:
            found = [f"no end within {slow.timeout} seconds"]
        if found:
            lines += [f"{'declared' if declare else 'undeclared'}:", *found]
    return lines


def chosen(options):
    for group, rows in table.rows_by_group().items():
        if options.group and group not in options.group:
            continue
        for row in rows:
            if not options.row or row.name in options.row:
                yield group, row


def missing(row, nvcc):
    if not nvcc and (row.argv[0] == "nvcc" or any("{toolkit}" in word for word in row.argv)):
        return "no nvcc 13.0"
    absent = [need for need in row.needs if not shutil.which(need, path="/usr/bin:/bin")]
    return f"no {', '.join(absent)}" if absent else ""


def run_rows(bench, rows, everything, show_times):
    ran = failed = 0
    for number, (group, row) in enumerate(rows):
        reason = missing(row, bench.nvcc)
        if reason:
            print(f"left out: {group}/{row.name}: {reason}")
            continue
        began = time.monotonic()
        lines = run_row(bench, row, ways(row, everything, number))
        ran += 1
        if show_times:
            print(f"{time.monotonic() - began:6.2f} {group}/{row.name}", flush=True)
        if lines:
            failed += 1
            print(f"FAILED {group}/{row.name} ({row.ids}): {compare.shown(row.argv)}")
            print("\n".join("  " + line for line in lines), flush=True)
    print(f"{ran} rows, {failed} failed")
    return ran, failed


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--program", default=os.environ.get("CUDACC_TEST_PROGRAM"))
    parser.add_argument("--nvcc", default=os.environ.get("CUDACC_TEST_NVCC"))
    parser.add_argument("--backend", default="")
    parser.add_argument("--group", action="append")
    parser.add_argument("--row", action="append")
    parser.add_argument("--scratch")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--self", action="store_true", dest="self_check")
    parser.add_argument("--times", action="store_true")
    options = parser.parse_args()
    rows = list(chosen(options))
    if options.list:
        for group, row in rows:
            print(f"{group}/{row.name} [{row.cls}] ({row.ids}): {compare.shown(row.argv)}")
        return 0
    if not rows:
        print("run.py: no such group or row", file=sys.stderr)
        return 2
    if not options.self_check and not os.access(options.program or "", os.X_OK):
        print(f"run.py: no program under test at {options.program}", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as own:
        if options.backend and not ALL and not options.row:
            rows = rows[::5]
        bench = Bench(options.program, options.nvcc, options.scratch or own, options.self_check, options.backend)
        ran, failed = run_rows(bench, rows, ALL or bool(options.row), options.times)
    if ran == 0:
        print("SKIPPED: no row of this group can run here")
        return 77
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
