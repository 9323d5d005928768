# SPDX-License-Identifier: Apache-2.0
"""Compiles by nvcc and by its peers (`./dev bench --builds`): a file that uses Thrust, for one, two and four
architectures, cold and after changes; and twelve small files for three.

Each way has a folder of its own, and all are measured in turn, so that what else the machine does falls on all of
them. A ratio is nvcc's time, or a peer's, by that of cuda-cc with Ninja, in the same round.
"""
import os
import shutil
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

ARCHS = ("80", "86", "90", "100")
FILES = 12
SOURCE = """#include <thrust/device_vector.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include "part.h"
#ifndef __CUDA_ARCH__
int only_host() { return HOST; }
#endif
__global__ void kernel(int *x) {
#if __CUDA_ARCH__ >= 1000
  *x = NEWEST;
#else
  *x = 1;
#endif
}
struct Scale {
  __host__ __device__ float operator()(float x) const { return x * 3 + 1; }
};
float ordinary() { return ORDINARY; }
float run(int n) {
  thrust::device_vector<float> v(n, 1.0f);
  thrust::sort(v.begin(), v.end());
  thrust::transform(v.begin(), v.end(), v.begin(), Scale());
  kernel<<<1, 1>>>(nullptr);
  return thrust::reduce(v.begin(), v.end());
}
"""
SMALL = """#include <cstdio>
#include <vector>
#include "part.h"
template <int N> __global__ void kernel(float *x) {
  for (int i = 0; i < N; ++i)
    x[threadIdx.x] = x[threadIdx.x] * i + __sinf(x[i]);
}
void run(float *x) { kernel<7><<<1, 1>>>(x); kernel<99><<<1, 1>>>(x); }
"""
# What ./dev bench asks for: the least ratio to a way, by change and number of architectures.
GOALS = {("cold", 4, "nvcc"): 1.75, ("cold", 4, "nvcc --threads 0"): 1.4, ("touched header", 4, "nvcc"): 8.0,
         ("host option", 4, "nvcc"): 2.5, ("host code", 4, "nvcc"): 2.5, ("cold", 1, "nvcc"): 0.97}
# Milliseconds of a call that runs nothing, over Ninja's own.
NOTHING = 15


def gencode(count):
    return [f"-gencode=arch=compute_{sm},code=sm_{sm}" for sm in ARCHS[:count]]


class Way:
    """nvcc or one of its peers, with a folder of its own."""

    def __init__(self, name, argv, scratch, path, **environment):
        self.name, self.argv = name, argv
        self.folder = scratch / name.replace(" ", "_").replace("/", "_")
        self.environment = {"PATH": path, "HOME": str(self.folder / "home"), "LC_ALL": "C", **environment}

    def fresh(self):
        """A folder in which nothing was built."""
        if self.argv[0] == "sccache":
            subprocess.run(["sccache", "--stop-server"], env=self.environment, capture_output=True, check=False)
        shutil.rmtree(self.folder, ignore_errors=True)
        (self.folder / "home").mkdir(parents=True)
        self.values = {"HOST": 1, "NEWEST": 2, "ORDINARY": 3}
        self.write()

    def write(self, **changed):
        self.values.update(changed)
        text = SOURCE
        for name, value in self.values.items():
            text = text.replace(name, str(value))
        (self.folder / "big.cu").write_text(text)

    def call(self, *words):
        """Seconds of a compile of the large file."""
        began = time.monotonic()
        subprocess.run([*self.argv, "-c", "big.cu", "-o", "big.o", *words], cwd=self.folder, env=self.environment,
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        return time.monotonic() - began

    def make(self, jobs):
        began = time.monotonic()
        subprocess.run(["make", f"-j{jobs}"], cwd=self.folder, env=self.environment, check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        return time.monotonic() - began


def changes(way, number, count):
    """Times of one cold compile and of those after each change."""
    words = gencode(count)
    way.fresh()
    header = way.folder / "part.h"
    header.write_text("#define PART 1\n")
    times = {"cold": way.call(*words)}
    if count < 4:
        return times
    times["nothing"] = way.call(*words)
    header.touch()
    times["touched header"] = way.call(*words)
    times["host option"] = way.call(*words, "-Xcompiler", "-fno-plt")
    way.call(*words)
    way.write(HOST=10 + number)
    times["host code"] = way.call(*words)
    way.write(NEWEST=20 + number)
    times["code of one architecture"] = way.call(*words)
    way.write(ORDINARY=30 + number)
    times["ordinary function"] = way.call(*words)
    times["one architecture more"] = way.call(*words, "-gencode=arch=compute_75,code=sm_75")
    return times


def many(way, number):
    """Times of twelve files under make."""
    way.fresh()
    (way.folder / "part.h").write_text("#define PART 1\n")
    for index in range(FILES):
        (way.folder / f"f{index}.cu").write_text(SMALL.replace("99", str(100 + index)))
    command = " ".join([*map(str, way.argv), *gencode(3)])
    rules = "".join(f"f{index}.o: f{index}.cu part.h\n\t+@{command} -c f{index}.cu -o $@\n" for index in range(FILES))
    objects = " ".join(f"f{index}.o" for index in range(FILES))
    (way.folder / "Makefile").write_text(f"all: {objects}\n{rules}")
    jobs = len(os.sched_getaffinity(0))
    times = {"cold": way.make(jobs)}
    (way.folder / "part.h").touch()
    times["touched header"] = way.make(jobs)
    return times


def ways_of(program, nvcc, scratch):
    path = f"{Path(nvcc).parent}:{os.environ['PATH']}"
    found = [Way("nvcc", [nvcc], scratch, path), Way("nvcc --threads 0", [nvcc, "--threads", "0"], scratch, path)]
    for cache in ("ccache", "sccache"):
        if shutil.which(cache):
            way = Way(f"{cache} nvcc", [cache, nvcc], scratch, path, SCCACHE_SERVER_PORT="14227")
            way.environment.update({f"{cache.upper()}_DIR": str(way.folder / "cache")})
            found.append(way)
    found.append(Way("cuda-cc", [str(program), "--cudacc-backend=ninja"], scratch, path))
    return found


def table(title, count, rounds):
    """Prints medians, and ratios by cuda-cc's time of the same round; the number of goals that are missed."""
    missed = 0
    print(f"\n{title}")
    names = list(rounds[0])
    for change in rounds[0][names[0]]:
        ours = statistics.median(each["cuda-cc"][change] for each in rounds)
        print(f"  {change}: cuda-cc {ours:.2f} s")
        for name in names[:-1]:
            ratio = statistics.median(each[name][change] / each["cuda-cc"][change] for each in rounds)
            goal = GOALS.get((change, count, name))
            missed += bool(goal and ratio < goal)
            note = f" (at least {goal}{'' if ratio >= goal else ': MISSED'})" if goal else ""
            print(f"    {name:<18} {ratio:6.2f} times as long{note}")
    return missed


def nothing_to_do(way, words):
    """Compares calls that run nothing with Ninja's own in the same folder; whether the goal is missed."""
    way.fresh()
    (way.folder / "part.h").write_text("#define PART 1\n")
    way.call(*words)
    way.call(*words)
    folder = next((way.folder / "home").glob(".local/share/cuda-cc/*/builds/*/build.ninja")).parent
    calls, alone = [], []
    for _ in range(21):
        calls.append(way.call(*words))
        began = time.monotonic()
        subprocess.run(["ninja", "-C", folder], check=True, stdout=subprocess.DEVNULL)
        alone.append(time.monotonic() - began)
    over = 1000 * (statistics.median(calls) - statistics.median(alone))
    missed = over > NOTHING
    print(f"\nnothing to do: {over:.1f} ms over Ninja's {1000 * statistics.median(alone):.1f} ms "
          f"(at most {NOTHING}{': MISSED' if missed else ''})", flush=True)
    return missed


def measure(scratch, program, nvcc, count, archs=(1, 2, 4)):
    """Runs all of it \\p count times; the number of goals that are missed."""
    ways = ways_of(program, nvcc, scratch)
    missed = int(nothing_to_do(ways[-1], gencode(4)))
    for number in archs:
        rounds = [{way.name: changes(way, index, number) for way in ways} for index in range(count)]
        missed += table(f"a file with Thrust for {number} architectures", number, rounds)
    rounds = [{way.name: many(way, index) for way in ways} for index in range(count)]
    return missed + table(f"{FILES} files for 3 architectures, under make", 0, rounds)


def bench(program, rounds):
    """Exit status: 1 if a goal is missed."""
    nvcc = shutil.which("nvcc")
    if not nvcc or not shutil.which("ninja"):
        print("no nvcc or no ninja on PATH")
        return 1
    scratch = Path(tempfile.mkdtemp(prefix="cuda-cc-bench-"))
    try:
        return 1 if measure(scratch, program, nvcc, rounds) else 0
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
