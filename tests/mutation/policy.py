# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %python -B %s
"""Each comparison, each && and ||, and each condition of `if` and `return` in driver/policy is changed, one at a time
(`==` to `!=`, `<` to `<=` and `>=`, && to ||, a condition to true and to false), and a unit test has to fail.

All mutants are compiled into one set of programs, and an environment variable chooses. CUDACC_TEST_SEED repeats the
choice of mutants, CUDACC_MUTANTS says how many (0: all), and arguments name files or folders. What survives is listed.
equivalent.json has those that change nothing, each with its reason; folders under "clean" may have no other."""
import collections
import concurrent.futures
import json
import os
import pathlib
import random
import re
import shlex
import subprocess
import sys
import tempfile
import time

from mutants import Source

HERE = pathlib.Path(__file__).resolve().parent
POLICY = HERE.parents[1] / "driver/policy"
BUILD = pathlib.Path(os.environ.get("CUDACC_TEST_BUILD", HERE.parents[1] / "build"))
PROGRAMS = ("unit_policy", "unit_resolve", "unit_pipeline", "unit_process")  # those that link it, the best first
SLOW = "JudgingNeeds.thousandsOfBrokenRulesAreOneList"
SEED = int(os.environ.get("CUDACC_TEST_SEED") or random.randrange(1 << 32))
COUNT = int(os.environ.get("CUDACC_MUTANTS", 300))
JOBS = os.cpu_count()


def run(command, **more):
    return subprocess.run(command, cwd=BUILD, capture_output=True, text=True, **more)


def compile_all(out, mutated):
    """The objects of the library, with the files of `mutated` in their mutated form."""
    jobs, objects = [], []
    for entry in json.loads((BUILD / "compile_commands.json").read_text()):
        if "cudacc_policy.dir" not in entry["command"]:
            continue
        source = out / pathlib.Path(entry["file"]).name
        unity = pathlib.Path(entry["file"]).read_text() if "unity" in source.name else f'#include "{entry["file"]}"\n'
        source.write_text(re.sub(r'(?<=#include ")[^"]+', lambda path: str(mutated.get(path[0], path[0])), unity))
        words = shlex.split(entry["command"])
        words[words.index("-o") + 1] = f"{source}.o"
        words[words.index("-c") + 1] = str(source)
        objects.append(f"{source}.o")
        pch = words.index("-include-pch") - 1 if "-include-pch" in words else len(words)
        del words[pch:pch + 4]
        jobs.append([*words, "-w", "-include", HERE / "mutant.h"])
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        for done in pool.map(run, jobs):
            assert done.returncode == 0, done.stderr[:4000]
    return objects


def link(out, program, objects):
    command = run(["ninja", "-t", "commands", program]).stdout.strip().splitlines()[-1]
    words = shlex.split(command.removeprefix(": && ").removesuffix(" && :"))
    words[words.index("-o") + 1] = str(out / program)
    at = words.index("driver/policy/libcudacc_policy.a")
    done = run([*words[:at], *objects, *words[at:]])
    assert done.returncode == 0, done.stderr[-4000:]
    return out / program


def passes(program, suites, number, **environment):
    command = [program, "--gtest_brief=1", "--gtest_fail_fast", f"--gtest_filter={':'.join(suites)}-{SLOW}"]
    environment = {**os.environ, "CUDACC_MUTANT": str(number), **environment}
    try:
        return run(command, timeout=120, env=environment).returncode == 0
    except subprocess.TimeoutExpired:
        return False


def suites_of(out, program):
    """The suites of a test program, the fast ones first: seconds, filter, and the mutants that it reaches."""
    suites = []
    for line in run([program, "--gtest_list_tests"]).stdout.splitlines():
        if not line.endswith(".") or line.startswith(" "):
            continue
        path, begun = out / "reached", time.monotonic()
        assert passes(program, [line + "*"], -1, CUDACC_MUTANTS_REACHED=str(path)), f"{line} fails without a mutant"
        suites.append((time.monotonic() - begun, line + "*", {int(number) for number in path.read_text().split()}))
    return sorted(suites, key=lambda suite: suite[0])


def mutate(out, chosen):
    """Writes mutated copies of the files; their mutants."""
    mutants, mutated = [], {}
    for path in sorted(POLICY.rglob("*.cpp")):
        name = str(path.relative_to(POLICY))
        if chosen and not any(name.startswith(each) for each in chosen):
            continue
        source = Source(path.read_text(), len(mutants))
        mutants += [{"file": name, **each} for each in source.mutants]
        copy = out / name.replace("/", "-")
        copy.write_text(f'#include "{HERE}/mutant.h"\n#line 1 "{path}"\n{source.mutated()}')
        mutated[str(path)] = copy
    return mutants, mutated


def surviving(program, suites, numbers):
    def lives(number):
        reaching = [(seconds, suite) for seconds, suite, seen in suites if number in seen]
        fast = [suite for seconds, suite in reaching if seconds < 1]
        slow = [suite for seconds, suite in reaching if seconds >= 1]
        return all(passes(program, some, number) for some in (fast, slow) if some)

    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        return [number for number, alive in zip(numbers, pool.map(lives, numbers), strict=True) if alive]


def survivors(out, mutated, sample):
    objects = compile_all(out, mutated)
    left = sample
    for program in [link(out, each, objects) for each in PROGRAMS]:
        left = surviving(program, suites_of(out, program), left)
        print(f"{program.name}: {len(left)} of {len(sample)} survive", flush=True)
    return left


def main():
    listed = json.loads((HERE / "equivalent.json").read_text())
    known = {(each["file"], each["code"], each["becomes"]) for each in listed["equivalent"]}
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder)
        mutants, mutated = mutate(out, sys.argv[1:])
        stale = known - {(each["file"], each["code"], each["becomes"]) for each in mutants}
        assert sys.argv[1:] or not stale, f"equivalent.json has what is not in the sources: {stale}"
        count = min(COUNT or len(mutants), len(mutants))
        sample = sorted(random.Random(SEED).sample(range(len(mutants)), count))
        print(f"CUDACC_TEST_SEED={SEED}: {count} of {len(mutants)} mutants", flush=True)
        alive = [mutants[number] for number in survivors(out, mutated, sample)]
    counts = collections.Counter()
    failed = False
    for each in alive:
        if (each["file"], each["code"], each["becomes"]) in known:
            counts["equivalent"] += 1
            continue
        counts[each["file"]] += 1
        isClean = each["file"].startswith(tuple(listed["clean"]))
        failed |= isClean
        print("error" if isClean else "survivor", "{file}:{line}: {code} -> {becomes}".format_map(each), sep=": ")
    print(dict(counts))
    assert not failed, "a rule has no test that fails without it"


main()
