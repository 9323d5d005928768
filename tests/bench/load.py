#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times and memory (VmHWM) of the program on inputs that grow, so that what grows worse than linearly is seen, and how
soon it ends on Ctrl-C: ./dev bench load [--full] [--program FILE] [CASE...]."""
import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/integration"))
import tinyelf

MEASURED = ("import os, sys, time\nbegun = time.monotonic()\n"
            "child = os.spawnv(os.P_NOWAIT, sys.argv[1], sys.argv[1:])\n"
            "_, status, used = os.wait4(child, 0)\n"
            "print(os.waitstatus_to_exitcode(status), time.monotonic() - begun, used.ru_maxrss, file=sys.stderr)\n")


def needing(count):
    """A library that NEEDs so many copies of a library of CUDA's."""
    return tinyelf.library(needs=[f"libcublas-{number:08x}.so.12" for number in range(count)])


class Load:
    def __init__(self, program):
        self.program, self.root = program, Path(tempfile.mkdtemp(prefix="load-", dir=os.environ.get("TMPDIR")))
        self.environment = {"PATH": "/usr/bin:/bin", "HOME": str(self.root / "home"), "TMPDIR": str(self.root / "tmp"),
                            "CUDA_CC_RUNTIME": "cuda==12.4"}
        for name in ("home", "tmp"):
            (self.root / name).mkdir()
        source = self.root / "x.c"
        source.write_text("void cudaMalloc(void);\nvoid f(void) { cudaMalloc(); }\n")
        self.extension = self.root / "ext.so"
        subprocess.run(["gcc", "-nostdlib", "-shared", "-fPIC", source, "-o", self.extension], check=True)

    def folder(self):
        return Path(tempfile.mkdtemp(dir=self.root))

    # Each makes a folder of this size; returns it and the call.
    def store(self, count):
        """Entries of the store, of which a compile and a link look up their own."""
        work = self.folder()
        store = work / "home/.local/share/cuda-cc/1"
        for part in ("toolkits", "hosts", "notes", "records", "environments", "targets", "answers"):
            (store / part).mkdir(parents=True)
            for number in range(count // 7):
                (store / part / f"{number:016x}").touch()
        (work / "x.o").touch()
        return work, ("g++", "-shared", self.extension, "-o", "x.so"), {"HOME": str(work / "home")}

    def distributions(self, count):
        """Distributions in an environment."""
        work = self.folder()
        site = work / "venv/lib/python3.11/site-packages"
        site.mkdir(parents=True)
        (work / "venv/pyvenv.cfg").write_text("home = /usr/bin\nversion = 3.11.2\n")
        for number in range(count):
            info = site / f"pkg_{number}-1.0.dist-info"
            info.mkdir()
            (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: pkg-{number}\nVersion: 1.0\n"
                                           + "Requires-Dist: numpy\n" * 5)
            (info / "RECORD").write_text("".join(f"pkg_{number}/{each}.py,,\n" for each in range(50)))
            (site / f"pkg_{number}").mkdir()
            os.link(self.extension, site / f"pkg_{number}/ext.so") if number % 50 == 0 else None
        return work, ("doctor", "--env", "venv", "venv/lib/python3.11/site-packages/pkg_0/ext.so"), {}

    def files(self, count):
        """Files of a folder, each with a finding."""
        work = self.folder()
        for number in range(count):
            folder = work / "pkg" / str(number % 100)
            folder.mkdir(parents=True, exist_ok=True)
            shutil.copy(self.extension, folder / f"{number}.so")
        return work, ("check", "pkg", "--format=json"), {}

    def findings(self, count):
        """Findings, of files that cannot be read."""
        work = self.folder()
        for number in range(count):
            folder = work / "pkg" / str(number % 100)
            folder.mkdir(parents=True, exist_ok=True)
            (folder / f"{number}.abi3.so").write_bytes(b"\x7fELF")
        return work, ("check", "pkg"), {}

    def copies(self, count):
        """Findings, 64 of each file."""
        work = self.folder()
        data = needing(64)
        for number in range(count // 64):
            folder = work / "pkg" / str(number % 100)
            folder.mkdir(parents=True, exist_ok=True)
            (folder / f"{number}.so").write_bytes(data)
        return work, ("check", "pkg", "--format=json"), {}

    def needed(self, count):
        """Libraries that one file NEEDs."""
        work = self.folder()
        (work / "n.so").write_bytes(needing(count))
        return work, ("check", "n.so"), {}

    def names(self, count):
        """Symbols that one file imports."""
        work = self.folder()
        (work / "n.s").write_text("".join(f".quad cudaNo{number}\n" for number in range(count)))
        subprocess.run(["gcc", "-nostdlib", "-shared", "n.s", "-o", "n.so"], cwd=work, check=True)
        return work, ("check", "n.so", "--format=json"), {}

    def wheel(self, megabytes):
        """MB of a wheel's library."""
        work = self.folder()
        path = work / "x-1.0-cp311-cp311-linux_x86_64.whl"
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
            with archive.open(zipfile.ZipInfo("x/ext.so"), "w", force_zip64=True) as member:
                member.write(self.extension.read_bytes())
                block = os.urandom(1 << 20)
                for _ in range(megabytes):
                    member.write(block)
            archive.writestr("x-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: x\nVersion: 1.0\n")
        return work, ("check", path.name), {}

    def targets(self, count):
        """Targets of a CMake project below audit."""
        work = self.folder()
        (work / "a.cpp").write_text("int a() { return 1; }\n")
        (work / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.21)\nproject(p LANGUAGES CXX)\n"
            f"foreach(n RANGE 1 {count})\n  add_library(t${{n}} SHARED a.cpp)\nendforeach()\n")
        subprocess.run([self.program, "audit", "--prepare", "b"], cwd=work, env={**os.environ, **self.environment},
                       check=False, capture_output=True)
        subprocess.run(["cmake", "-G", "Ninja", "-S", ".", "-B", "b"], cwd=work, check=True, capture_output=True)
        return work, ("audit", "b"), {}

    def measure(self, made):
        work, words, more = made
        done = subprocess.run([sys.executable, "-S", "-c", MEASURED, self.program, *words], cwd=work, text=True,
                              env={**self.environment, **more}, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        status, seconds, memory = done.stderr.split("\n")[-2].split()
        return int(status), float(seconds), int(memory) / 1024

    def interrupt(self, made, after):
        """Seconds from Ctrl-C to the end, the status, and what is left."""
        work, words, more = made
        before = {path for path in work.iterdir()}
        with subprocess.Popen([self.program, *words], cwd=work, env={**self.environment, **more}, text=True,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
                              # A shell has its background jobs ignore it.
                              preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)) as process:
            time.sleep(after)
            os.killpg(process.pid, signal.SIGINT)
            begun = time.monotonic()
            process.wait()
            took = time.monotonic() - begun
        left = [path.name for path in [*{*work.iterdir()} - before, *(self.root / "tmp").iterdir()]]
        return took, process.returncode, left


CASES = {"store": (10_000, 100_000, 1_000_000), "distributions": (500, 1000, 5000), "files": (500, 1000, 5000),
         "findings": (1000, 10_000, 100_000), "copies": (10_000, 100_000, 1_000_000),
         "needed": (1000, 10_000, 60_000), "names": (10_000, 100_000, 1_000_000), "wheel": (100, 1000, 3000),
         "targets": (100, 1000, 10_000)}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", default=str(ROOT / "build-release/bin/cuda-cc"))
    parser.add_argument("--full", action="store_true", help="the largest size of each, too")
    parser.add_argument("cases", nargs="*", metavar="CASE", help=" ".join(CASES))
    options = parser.parse_args()
    load = Load(options.program)
    try:
        for name in options.cases or CASES:
            case, last = getattr(load, name), None
            print(f"{name}: {case.__doc__}")
            for size in CASES[name] if options.full else CASES[name][:2]:
                made = case(size)
                status, seconds, memory = load.measure(made)
                growth = f"  x{seconds / last[1]:.1f} for x{size / last[0]:.0f}" if last else ""
                print(f"  {size:9,}  {seconds:8.2f} s  {memory:7.1f} MB  status {status}{growth}", flush=True)
                last = size, seconds
                if seconds > 1:
                    took, ended, left = load.interrupt(made, seconds / 3)
                    print(f"             Ctrl-C: {took:.2f} s, status {ended}, left: {' '.join(left) or 'nothing'}",
                          flush=True)
                shutil.rmtree(made[0], ignore_errors=True)
    finally:
        shutil.rmtree(load.root, ignore_errors=True)


if __name__ == "__main__":
    main()
