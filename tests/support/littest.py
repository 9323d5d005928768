# SPDX-License-Identifier: Apache-2.0
"""lit formats of this project: files with RUN lines, Python's unittest files, GoogleTest programs.

Each test gets its own HOME, XDG_DATA_HOME, TMPDIR and working directory, and an environment that contains
nothing of the caller's. A test that exits with 77 and prints `SKIPPED: reason` is UNSUPPORTED. A test that
passes but leaves a file in HOME or TMPDIR fails.
"""

import contextlib
import copy
import glob
import itertools
import os
import re
import shutil
import signal
import subprocess
import sys

import lit.BooleanExpression
import lit.formats
from lit.Test import FAIL, PASS, SKIPPED, TIMEOUT, UNRESOLVED, UNSUPPORTED, Result

import wheels

SKIP_STATUS = 77
# Tests download nothing; fetch.py runs before them.
OFFLINE = {"CUDACC_TEST_OFFLINE": "1"}
SUPPORT = os.path.dirname(os.path.abspath(__file__))
KEYWORD = re.compile(r"(?:#|//|;)\s*(RUN|REQUIRES|UNSUPPORTED):\s*(.*?)\s*$")


def base_environment():
    return {
        "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
        "LC_ALL": "C",
        "PYTHONIOENCODING": "utf-8",
        **wheels.QUIET_PIP,
        "TMPDIR": "/tmp",
    }


def find_llvm_tool(name):
    for folder in ("/usr/lib/llvm-19/bin", "/usr/bin"):
        if os.access(os.path.join(folder, name), os.X_OK):
            return os.path.join(folder, name)
    return shutil.which(name) or name + "-not-found"


def find_nvcc(named=None):
    """Absolute path of the tests' nvcc, or None."""
    named = named or os.environ.get("CUDACC_TEST_NVCC")
    if named:
        return os.path.abspath(named)
    script = os.path.join(SUPPORT, "toolkits.py")
    done = subprocess.run([sys.executable, "-B", script, "get", "13.0"], text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, env={**os.environ, **OFFLINE})
    nvcc = os.path.join(done.stdout.strip(), "bin/nvcc")
    return nvcc if done.returncode == 0 and os.access(nvcc, os.X_OK) else None


def has_gpu():
    try:
        done = subprocess.run(["nvidia-smi", "-L"], stdin=subprocess.DEVNULL, timeout=30,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0 and b"GPU" in done.stdout


def features(nvcc, params):
    path = base_environment()["PATH"]
    programs = {"clang": "clang++", "gold": "ld.gold", "lld": "ld.lld", "mold": "mold",
                "patchelf": "patchelf", "ccache": "ccache", "sccache": "sccache"}
    found = {feature for feature, program in programs.items() if shutil.which(program, path=path)}
    facts = {"nvcc": bool(nvcc), "gpu": has_gpu(), "root": os.geteuid() == 0,
             "all": params.get("all", "0") not in ("", "0")}
    return found | {feature for feature, holds in facts.items() if holds}


def is_sanitized(build):
    """Whether a build directory's programs are compiled with sanitizers (preset `sanitize`)."""
    with contextlib.suppress(OSError), open(os.path.join(build, "CMakeCache.txt"), encoding="utf-8") as cache:
        return "-fsanitize=" in cache.read()
    return False


def sanitizer_options(build):
    """The environment that such a build needs. LLVM's allocator poisons the memory that it has not handed out, but
    LLVM itself was built without the sanitizer: what its YAML parser allocates would stay poisoned."""
    return {"ASAN_OPTIONS": "allow_user_poisoning=0"} if is_sanitized(build) else {}


class Directive(Exception):
    """An error in a test's RUN or REQUIRES lines."""


def parse(path):
    """The commands of the RUN lines, and the terms of REQUIRES and of UNSUPPORTED."""
    runs, requires, unsupported = [], [], []
    continued = False
    with open(path, encoding="utf-8") as file:
        for line in file:
            match = KEYWORD.search(line)
            if not match:
                continue
            keyword, text = match.groups()
            if keyword != "RUN":
                terms = requires if keyword == "REQUIRES" else unsupported
                terms.extend(term.strip() for term in text.split(","))
                continue
            if continued:
                runs[-1] = runs[-1][:-1] + text
            else:
                runs.append(text)
            continued = text.endswith("\\")
    if not runs:
        raise Directive("the test has no RUN line")
    if continued:
        raise Directive("the last RUN line is continued and ends there")
    return runs, requires, unsupported


def unavailable(config, requires, unsupported):
    """The reason why the test does not run here, or None."""
    def holds(term):
        return lit.BooleanExpression.BooleanExpression.evaluate(term, config.available_features)

    missing = [term for term in requires if not holds(term)]
    if missing:
        return "Test requires the following unavailable features: " + ", ".join(missing)
    present = [term for term in unsupported if holds(term)]
    if present:
        return "Test does not support the following features: " + ", ".join(present)
    return None


class Sandbox:
    """Directories of one test: BASE.tmp.d/{home,data,tmp}; %t is BASE.tmp."""

    def __init__(self, exec_path):
        folder, name = os.path.split(exec_path)
        self.cwd = os.path.join(folder, "Output")
        self.t = os.path.join(self.cwd, name + ".tmp")
        self.private = self.t + ".d"
        shutil.rmtree(self.private, ignore_errors=True)
        self.watched = {}
        for variable, part in (("HOME", "home"), ("TMPDIR", "tmp"), ("XDG_DATA_HOME", "data")):
            path = os.path.join(self.private, part)
            os.makedirs(path)
            self.watched[variable] = path

    def environment(self, config):
        return {**config.environment, **self.watched}

    def leftovers(self):
        found = []
        for variable in ("HOME", "TMPDIR"):
            for folder, _, files in os.walk(self.watched[variable]):
                found += [os.path.join(folder, name) for name in files]
        return found

    def remove(self):
        shutil.rmtree(self.private, ignore_errors=True)


def execute(command, sandbox, environment, limit):
    """Exit status, stdout and stderr; the status is None after a timeout."""
    process = subprocess.Popen(command, cwd=sandbox.cwd, env=environment,
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, start_new_session=True)
    try:
        out, err = process.communicate(timeout=limit or None)
        status = process.returncode
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        out, err = process.communicate()
        status = None
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    return status, out.decode("utf-8", "replace"), err.decode("utf-8", "replace")


def judge(status, out, err, sandbox):
    text = f"Exit Code: {status}\n"
    for name, part in (("stdout", out), ("stderr", err)):
        if part:
            text += f"\nCommand Output ({name}):\n--\n{part}\n--\n"
    if status is None:
        return Result(TIMEOUT, text)
    if status == SKIP_STATUS:
        skipped = re.search(r"^SKIPPED: .+$", out + "\n" + err, re.M)
        if skipped:
            return Result(UNSUPPORTED, skipped[0])
        return Result(FAIL, f"{text}\nexit status {SKIP_STATUS} without a line 'SKIPPED: reason'")
    if status != 0:
        return Result(FAIL, text)
    left = sandbox.leftovers()
    if left:
        return Result(FAIL, text + "\nleft behind:\n  " + "\n  ".join(left))
    sandbox.remove()
    return Result(PASS, text)


def substitute(line, substitutions):
    """Substitutes the longest keys first, in one pass: values are not searched for keys again."""
    keys = sorted(substitutions, key=len, reverse=True)
    pattern = "|".join(re.escape(key) for key in keys)
    return re.sub(pattern, lambda match: substitutions[match[0]], line)


def has_run_line(path):
    """Whether the comments at the top of a file contain a RUN line."""
    with open(path, encoding="utf-8", errors="replace") as file:
        top = itertools.takewhile(lambda line: line.startswith("#"), file)
        return any(line.startswith("# RUN:") for line in top)


class ScriptTest(lit.formats.FileBasedTest):
    """Files with RUN lines: *.test, and each *.py that has such a line at its top (one without is a module that
    tests import). bash runs the lines, joined by &&, with pipefail. lit's own ShTest is not used, because it drops
    external shells in version 24."""

    def getTestsForPath(self, suite, path_in_suite, lit_config, local_config):
        if path_in_suite[-1].endswith(".py") and not has_run_line(suite.getSourcePath(path_in_suite)):
            return
        yield from super().getTestsForPath(suite, path_in_suite, lit_config, local_config)

    def execute(self, test, lit_config):
        source = test.getSourcePath()
        try:
            runs, requires, unsupported = parse(source)
            reason = unavailable(test.config, requires, unsupported)
        except (Directive, ValueError) as problem:
            return Result(UNRESOLVED, str(problem))
        if reason:
            return Result(UNSUPPORTED, reason)
        if lit_config.noExecute:
            return Result(PASS)
        sandbox = Sandbox(test.getExecPath())
        substitutions = {**dict(test.config.substitutions), "%%": "%", "%s": source,
                         "%S": os.path.dirname(source), "%t": sandbox.t, "%T": sandbox.cwd}
        commands = [substitute(line, substitutions) for line in runs]
        script = sandbox.t + ".sh"
        with open(script, "w", encoding="utf-8") as file:
            file.write("set -o pipefail\nset -x\n{ " + "; } &&\n{ ".join(commands) + "; }\n")
        return judge(*execute(["/bin/bash", script], sandbox, sandbox.environment(test.config),
                              lit_config.maxIndividualTestTime), sandbox)


class PythonTest(lit.formats.FileBasedTest):
    """Files test_*.py, each run as one test by `python -m unittest`."""

    def getTestsForPath(self, suite, path_in_suite, lit_config, local_config):
        if path_in_suite[-1].startswith("test_"):
            yield from super().getTestsForPath(suite, path_in_suite, lit_config, local_config)

    def execute(self, test, lit_config):
        if lit_config.noExecute:
            return Result(PASS)
        sandbox = Sandbox(test.getExecPath())
        folder, name = os.path.split(test.getSourcePath())
        environment = sandbox.environment(test.config)
        environment["PYTHONPATH"] = folder
        status, out, err = execute([sys.executable, "-m", "unittest", "-v", name[:-3]], sandbox,
                                   environment, lit_config.maxIndividualTestTime)
        ran = re.search(r"^Ran (\d+) tests?", err, re.M)
        skipped = re.search(r"^OK \(skipped=(\d+)\)", err, re.M)
        if status == 0 and ran and skipped and ran[1] == skipped[1]:
            reason = re.search(r"\.\.\. skipped ['\"](.*)['\"]$", err, re.M)
            return Result(UNSUPPORTED, "SKIPPED: " + (reason[1] if reason else "every test"))
        return judge(status, out, err, sandbox)


class UnitTest(lit.formats.GoogleTest):
    """The programs unit_* of a build directory. The tests of each program have their own TMPDIR. A test that
    calls GTEST_SKIP is UNSUPPORTED, because lit's reports omit those that it calls SKIPPED."""

    def __init__(self):
        super().__init__(".", "", test_prefix="unit_")

    def getTestsInDirectory(self, suite, path_in_suite, lit_config, local_config):
        if path_in_suite:
            return
        for stale in glob.glob(os.path.join(suite.getSourcePath(()), "unit_*.json")):
            os.remove(stale)
        yield from super().getTestsInDirectory(suite, path_in_suite, lit_config, local_config)

    def execute(self, test, lit_config):
        shard = "-".join(part for part in test.path_in_suite if part != ".")
        sandbox = Sandbox(os.path.join(test.suite.exec_root, shard))
        test.config = copy.copy(test.config)
        test.config.environment = sandbox.environment(test.config)
        result = super().execute(test, lit_config)
        if result[0] is PASS:
            sandbox.remove()
        return result

    @staticmethod
    def post_process_shard_results(selected, discovered):
        selected, discovered = _post_process_shard_results(selected, discovered)
        for test in selected:
            if isinstance(test.config.test_format, UnitTest) and test.result.code is SKIPPED:
                test.result.code = UNSUPPORTED
                test.result.output = "SKIPPED: run by hand it says why"
        return selected, discovered


# lit's main calls this one for all formats.
_post_process_shard_results = lit.formats.GoogleTest.post_process_shard_results
lit.formats.GoogleTest.post_process_shard_results = UnitTest.post_process_shard_results
