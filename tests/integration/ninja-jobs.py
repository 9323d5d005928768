# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""backend = "ninja": steps take places of make's jobserver, or of all calls of the user, and no more than those."""
import os
import subprocess
import threading
import time
from pathlib import Path

from behaviour import behaviour
from ninja_builds import Builds
from sandbox import PROGRAM, equal, tools

builds = Builds()
COMPILERS = {"cicc", "ptxas", "cudafe++", "cc1plus", "fatbinary", "as"}
FILES = 4
ARCHS = [f"-gencode=arch=compute_{sm},code=sm_{sm}" for sm in (80, 90)]
for number in range(FILES):
    builds.write(f"f{number}.cu", f"__global__ void k{number}(int *x) {{ *x = {number}; }}\n")


class Watch:
    """Counts compilers that run at a time in this test's processes: those seen before and after the same moment."""

    def __init__(self):
        self.seen = {}
        self.ends = threading.Event()
        self.thread = threading.Thread(target=self.look)

    def __enter__(self):
        builds.log.unlink(missing_ok=True)
        self.thread.start()
        return self

    def __exit__(self, *error):
        self.ends.set()
        self.thread.join()

    def look(self):
        mark = f"CUDACC_JOBS_TEST={os.getpid()}".encode()
        while not self.ends.is_set():
            for stat in Path("/proc").glob("[0-9]*/stat"):
                try:
                    name, _, rest = stat.read_text().partition("(")[2].rpartition(")")
                    words = rest.split()
                    if name in COMPILERS and words[0] != "Z" and mark in stat.with_name("environ").read_bytes():
                        now = time.monotonic()
                        # A process number may be used again: the start time tells them apart.
                        first, _ = self.seen.get((stat.parent.name, words[19]), (now, now))
                        self.seen[stat.parent.name, words[19]] = (first, now)
                except OSError:
                    continue
            time.sleep(0.002)

    @property
    def most(self):
        return max(sum(first <= moment <= last for first, last in self.seen.values())
                   for moment, _ in self.seen.values())


def environment(**more):
    return builds.environment(CUDA_CC_BACKEND="ninja", CUDA_CC_LOG=builds.log, CUDACC_JOBS_TEST=os.getpid(), **more)


def compiled(number, folder, archs=ARCHS, **more):
    done = subprocess.run([PROGRAM, "-c", f"f{number}.cu", "-o", f"{folder}/f{number}.o", *archs], cwd=builds.work,
                          env=environment(**more), capture_output=True, text=True)
    equal((done.returncode, done.stderr), (0, ""), done)


def all_built(folder):
    equal({path.name for path in (builds.work / folder).iterdir()}, {f"f{number}.o" for number in range(FILES)})
    log = builds.log.read_text()
    equal(log.count('"did":"ninja"'), FILES, log)


def in_threads(work):
    threads = [threading.Thread(target=work, args=(number,)) for number in range(FILES)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


@behaviour
def steps_take_places_of_makes_pipe():
    """It is reached by lines marked with +, else each call works alone."""
    for folder, mark in (("marked", "+"), ("plain", "")):
        (builds.work / folder).mkdir()
        rules = "".join(f"{folder}/f{n}.o: f{n}.cu\n\t{mark}@{PROGRAM} -c f{n}.cu -o $@ {' '.join(ARCHS)}\n"
                        for n in range(FILES))
        builds.write("Makefile", f"all: {' '.join(f'{folder}/f{n}.o' for n in range(FILES))}\n{rules}")
        if tools("make"):
            with Watch() as watch:
                done = subprocess.run(["make", "-j2"], cwd=builds.work, env=environment(), capture_output=True,
                                      text=True)
            equal(done.returncode, 0, done)
            equal(watch.most, 2, "compilers at a time under make -j2")
            all_built(folder)


# A fifo as from make 4.4 on: two jobs, one of which is a token.
fifo = builds.root / "jobserver"
os.mkfifo(fifo)
server = os.open(fifo, os.O_RDWR)
os.write(server, b"+")
implicit = threading.Lock()


def as_make(number):
    token = None if implicit.acquire(blocking=False) else os.read(server, 1)
    compiled(number, "fifo", MAKEFLAGS=f" -j2 --jobserver-auth=fifo:{fifo}")
    if token:
        os.write(server, token)
    else:
        implicit.release()


@behaviour
def steps_take_tokens_of_makes_fifo_and_put_them_back():
    (builds.work / "fifo").mkdir()
    with Watch() as watch:
        in_threads(as_make)
    equal(watch.most, 2, "compilers at a time with a fifo")
    all_built("fifo")
    os.set_blocking(server, False)
    equal(os.read(server, 16), b"+", "the token is back")


@behaviour
def without_a_jobserver_all_calls_share_the_places():
    """As under an outer Ninja."""
    (builds.work / "alone").mkdir()
    with Watch() as watch:
        in_threads(lambda number: compiled(number, "alone", CUDA_CC_JOBS="2"))
    equal(watch.most, 2, "compilers at a time with jobs = 2")
    all_built("alone")


@behaviour
def the_dry_run_takes_the_one_place_too():
    """nvcc runs the host compiler for it."""
    (builds.work / "single").mkdir()
    with Watch() as watch:
        in_threads(lambda number: compiled(number, "single", ["-arch=sm_80"], CUDA_CC_JOBS="1"))
    equal(watch.most, 1, "compilers at a time with jobs = 1")
    all_built("single")
