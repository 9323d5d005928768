# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %python -B %s
"""Versions, specifiers, markers, requirements, names of wheels and METADATA beside Python's `packaging`: random ones,
and those of the wheels in the cache.

CUDACC_TEST_SEED repeats a run, CUDACC_TEST_LINES sets the number of random questions of each kind."""
import email.parser
import email.policy
import os
import random
import re
import subprocess
from pathlib import Path

from packaging.markers import InvalidMarker, Marker, UndefinedComparison
from packaging.requirements import InvalidRequirement, Requirement
from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.utils import InvalidWheelFilename, canonicalize_name, parse_wheel_filename
from packaging.version import InvalidVersion, Version

import wheels
from behaviour import behaviour

SEED = int(os.environ.get("CUDACC_TEST_SEED") or random.randrange(1 << 32))
LINES = int(os.environ.get("CUDACC_TEST_LINES") or (200000 if os.environ.get("CUDACC_TEST_ALL") else 2000))
PROGRAM = Path(os.environ["CUDACC_TEST_BUILD"]) / "tests/bin/pep440sim"
print(f"CUDACC_TEST_SEED={SEED} CUDACC_TEST_LINES={LINES}")
choose = random.Random(SEED)
INVALID = (InvalidVersion, InvalidSpecifier, InvalidMarker, InvalidRequirement)
SPACES = ["", "", "", "", "", " ", "  ", "\t"]


def often(probability):
    return choose.random() < probability


def mutated(text):
    """Now and then a character more, less, or another. Behind `===` nearly everything is valid."""
    if often(0.9) or not text or "===" in text:
        return text
    at = choose.randrange(len(text))
    new = choose.choice("0 1.-_+!*ava,;()[]'\"<>=~@{}")
    return choose.choice([text[:at] + new + text[at:], text[:at] + text[at + 1:], text[:at] + new + text[at + 1:]])


def number():
    return choose.choice(["0", "1", "1", "2", "3", "9", "10", "12", "13", "00", "01", "127", "20240101"])


def version():
    text = choose.choice(["", "", "", "", "", "v", "V"]) + choose.choice([""] * 20 + ["0!", "1!"])
    text += ".".join(number() for _ in range(choose.choice([1, 2, 2, 3, 3, 4])))
    if often(0.25):
        text += choose.choice(["", ".", "-", "_"]) + choose.choice(["a", "b", "rc", "c", "alpha", "beta", "pre",
                                                                    "preview", "A",
                                                                   "RC"])
        text += choose.choice(["", ".", "-", "_"]) * often(0.3) + choose.choice(["", number(), number()])
    if often(0.2):
        text += choose.choice(["-" + number(), choose.choice(["", ".", "-", "_"]) +
                               choose.choice(["post", "rev", "r", "POST"])
                               + choose.choice(["", number(), "." + number()])])
    if often(0.2):
        text += choose.choice(["", ".", "-", "_"]) + "dev" + choose.choice(["", number(), number()])
    if often(0.2):
        text += "+" + choose.choice([".", "-",
                                     "_"]).join(choose.choice(["cu126", "CPU", "1", "01", "abc", "g1a2b", "0"])
                                                         for _ in range(choose.choice([1, 1, 2, 3])))
    return text


def plain_version():
    return ".".join(choose.choice(["0", "1", "2", "3", "12"]) for _ in range(choose.choice([1, 2, 2, 3])))


def clause(of, arbitrary):
    op = choose.choice(["==", "!=", "<=", ">=", "<", ">", "~=", *(["==="] if arbitrary else [])])
    text = of()
    if op in ("==", "!=") and often(0.3):
        text = plain_version() + ".*"
    if op == "~=" and "." not in text:
        text += ".0"
    return op + choose.choice(SPACES) + text


def specifiers(of=version, arbitrary=False):
    comma = "," + choose.choice(SPACES)
    return comma.join(clause(of, arbitrary) for _ in range(choose.choice([1, 1, 2, 3])))


ENVIRONMENT = {"x86_64": "x86_64", "aarch64": "aarch64"}
VERSIONS = ["python_version", "python_full_version", "implementation_version"]
WORDS = {"os_name": ["posix", "nt"], "sys_platform": ["linux", "darwin", "win32", "linux2"],
         "platform_system": ["Linux", "Darwin", "Windows"], "platform_machine": ["x86_64", "aarch64", "arm64", "AMD64"],
         "platform_python_implementation": ["CPython", "PyPy"], "implementation_name": ["cpython", "pypy"],
         "os.name": ["posix"], "sys.platform": ["linux"], "platform.machine": ["x86_64"],
         "platform.python_implementation": ["CPython"], "python_implementation": ["CPython"]}
PYTHONS = ["3.9.0", "3.10.12", "3.11.4", "3.12.0rc1", "3.13.1"]


def comparison():
    space = choose.choice(SPACES)
    kind = choose.random()
    if kind < 0.4:
        variable = choose.choice(VERSIONS)
        op = choose.choice(["==", "!=", "<=", ">=", "<", ">", "~=", "===", "in", "not in"])
        value = choose.choice(["3", "3.9", "3.10", "3.11", "3.11.4", "3.13", "3.12.0", "4", "2.7"])
        if op in ("==", "!=") and often(0.3):
            value += ".*"
        if op in ("in", "not in"):
            value = choose.choice(["3.9 3.10 3.11", "3.11,3.12", value])
    elif kind < 0.8:
        variable = choose.choice(list(WORDS))
        op = choose.choice(["==", "==", "!=", "in", "not in"])
        value = choose.choice(WORDS[variable]) if often(0.8) else choose.choice(["", "linux darwin", "posix,nt"])
    else:
        variable, op = "extra", choose.choice(["==", "==", "==", "!="])
        value = choose.choice(["cuda12", "Cuda_12", "cuda.12", "all", "dev", "test-all", "TEST_all"])
    quote = choose.choice("'\"")
    left, right = variable, f"{quote}{value}{quote}"
    if op not in ("in", "not in") and not value.endswith("*") and often(0.1):
        left, right = right, left
    space = space or (" " if op[0] in "in" or often(0.5) else "")
    return f"{left}{space}{op}{space}{right}"


def marker(depth=0):
    if depth > 2 or often(0.5):
        return comparison()
    text = choose.choice([" and ", " or ", " and ", "\tor "]).join(marker(depth + 1)
                                                                   for _ in range(choose.choice([2, 2, 3])))
    return f"({choose.choice(SPACES)}{text}{choose.choice(SPACES)})" if often(0.6) else text


def name():
    return choose.choice(["torch", "Torch", "nvidia-cuda-runtime-cu12", "nvidia_nvjitlink", "a.b-c_d", "A", "x--y",
                          "_x", "x1",
                          "zope.interface", "é"])


def requirement():
    text = choose.choice(SPACES) + name() + choose.choice(SPACES)
    if often(0.3):
        comma = choose.choice(SPACES) + "," + choose.choice(SPACES)
        text += "[" + comma.join(name() for _ in range(choose.choice([0, 1, 1, 2]))) + "]" + choose.choice(SPACES)
    kind = choose.random()
    if kind < 0.1:
        text += "@" + choose.choice(SPACES) + choose.choice(["https://x.org/a-1.0-py3-none-any.whl#sha256=00;1",
                                                           "file:///tmp/a.whl",
                                                             "git+https://g/x.git@v1"]) + " " * often(0.8)
    elif kind < 0.2:
        text += "(" + specifiers() + "," * often(0.05) + ")"
    elif kind < 0.8:
        text += specifiers() + "," * often(0.05) + choose.choice(SPACES)
    if often(0.4):
        text += ";" + choose.choice(SPACES) + marker()
    return text


def wheel_name():
    tags = [choose.choice(["py3", "cp311", "cp39.cp310", "py2.py3"]),
            choose.choice(["none", "abi3", "cp311", "cp311.abi3"]),
            choose.choice(["any", "manylinux_2_28_x86_64", "manylinux1_x86_64.manylinux_2_5_x86_64", "linux_aarch64"])]
    parts = [choose.choice(["torch", "nvidia_cuda_runtime", "A.b", "x_y"]), version().replace("-", "_"),
             *([choose.choice(["1", "1abc", "202401", "0_1"])] if often(0.2) else []), *tags]
    return "-".join(parts) + ".whl"


class Questions:
    """Questions with the answers of `packaging`, asked together; None: it has none that is promised."""

    def __init__(self):
        self.questions, self.answers = [], []

    def ask(self, *parts, expected):
        if expected is None or any("\n" in part or "\r" in part for part in parts):
            return
        self.questions.append(parts)
        self.answers.append(expected)

    def compare(self):
        text = "".join("\x1f".join(parts) + "\n" for parts in self.questions)
        done = subprocess.run([PROGRAM], input=text, text=True, encoding="utf-8", capture_output=True, timeout=600)
        assert done.returncode == 0, done.stderr
        lines = done.stdout.split("\n")[:-1]
        assert len(lines) == len(self.answers)
        return [(question, line, expected) for question, line,
                expected in zip(self.questions, lines, self.answers, strict=True)
                if line != expected]


def by_packaging(function, *words):
    try:
        return function(*words)
    except INVALID:
        return "invalid"


def flag(value):
    return "1" if value else "0"


def order(left, right):
    left, right = Version(left), Version(right)
    return str((left > right) - (left < right))


def contains(text, candidate, pre):
    # Commas behind and between clauses are ignored in METADATA alone.
    if not all(part.strip() for part in text.split(",")):
        return None
    # Its own default takes a pre-release if nothing else matches; cuda-cc asks about one version.
    found = SpecifierSet(text)
    # It takes `===` with nothing behind it, which no version matches.
    if not all(each.version for each in found):
        return None
    return flag(found.contains(Version(candidate), prereleases=pre or bool(found.prereleases)))


def around(text):
    """Releases at, below and above those that the clauses name."""
    found = {Version("0"), Version("99")}
    for each in SpecifierSet(text):
        numbers = list(Version(each.version.removesuffix(".*")).release)
        for length in range(1, len(numbers) + 1):
            for more in ((), (0,), (0, 1), (7,)):
                for step in (-1, 0, 1):
                    release = [*numbers[:length - 1], max(0, numbers[length - 1] + step), *more]
                    found.add(Version(".".join(map(str, release))))
    return found


def related(kind, one, other):
    """By trying releases: pre-releases, which is_disjoint and is_subset count, are no releases."""
    releases = around(one) | around(other)
    one, other = SpecifierSet(one), SpecifierSet(other)
    if kind == "overlap":
        return flag(any(each in one and each in other for each in releases))
    return flag(all(each in other for each in releases if each in one))


def environment(machine, python):
    return {"os_name": "posix", "sys_platform": "linux", "platform_system": "Linux", "platform_machine": machine,
            "platform_python_implementation": "CPython", "implementation_name": "cpython",
            "python_version": ".".join(python.split(".")[:2]), "python_full_version": python,
            "implementation_version": python}


def holds(read, machine, python, extras):
    """As pip does: for each extra that is asked for, one after another; without any, for the empty one."""
    return any(read.evaluate({**environment(machine, python), "extra": extra}) for extra in extras or [""])


# Texts that are no versions have no order that is promised.
ORDERED_TEXT = re.compile(r"""[<>~]=?\s*(["'])(?!\d+(\.\d+)*\1)|(["'])(?!\d+(\.\d+)*\3)[^"']*\3\s*[<>~]""")


def evaluated(text, machine, python, extras):
    if ORDERED_TEXT.search(text):
        return None
    try:
        return flag(holds(Marker(text), machine, python, extras))
    except UndefinedComparison:
        return None


def clauses(found):
    """The clauses, in any order and spelling of spaces, each once."""
    return ",".join(sorted({f"{each.operator}{each.version}" for each in found}))


def shown(read, has_marker):
    # It takes names that end in separators, which its specification excludes.
    if not all(name[-1].isalnum() for name in (read.name, *read.extras)):
        return None
    if not all(each.version for each in read.specifier):
        return None
    extras = ",".join(sorted({canonicalize_name(extra) for extra in read.extras}))
    return f"{canonicalize_name(read.name)}|{extras}|{clauses(read.specifier)}|{read.url or ''}|{flag(has_marker)}"


def sorted_parts(line):
    """Extras and specifiers of a requirement that was printed, in the order that `shown` has, each once."""
    parts = line.split("|")
    if len(parts) != 5:
        return line
    parts[1] = ",".join(sorted(set(filter(None, parts[1].split(",")))))
    parts[2] = ",".join(sorted(set(filter(None, parts[2].split(",")))))
    return "|".join(parts)


def split_wheel(text):
    """cuda-cc splits other names too: it does not read versions and tags."""
    try:
        parse_wheel_filename(text)
    except InvalidWheelFilename:
        return None
    parts = text.removesuffix(".whl").split("-")
    return f"{parts[0]}|{parts[1]}|{parts[2] if len(parts) == 6 else ''}|{'-'.join(parts[-3:])}"


def alike(parts, line, expected):
    if parts[0] == "requirement":
        return sorted_parts(line) == expected
    if parts[0] == "metadata":
        return "\x1f".join(map(sorted_parts, line.split("\x1f"))) == expected
    return False


def agree(questions):
    """Prints some of what differs."""
    wrong = [row for row in questions.compare() if not alike(*row)]
    for parts, line, expected in wrong[:12]:
        print(f"{parts}\n  got      {line!r}\n  expected {expected!r}")
    print(f"{len(questions.questions)} questions, {len(wrong)} differ")
    assert not wrong


@behaviour
def versions_are_read_and_written_as_by_packaging():
    questions = Questions()
    for _ in range(LINES):
        text = mutated(version())
        questions.ask("version", text, expected=by_packaging(lambda given: str(Version(given)), text))
    agree(questions)


@behaviour
def versions_have_the_order_of_packaging():
    questions = Questions()
    for _ in range(LINES):
        pair = version(), version()
        if often(0.3):
            pair = pair[0], pair[0] + choose.choice(["", ".0", ".post1", ".dev1", "rc1"])
        questions.ask("compare", *pair, expected=by_packaging(order, *pair))
    agree(questions)


@behaviour
def specifiers_contain_what_they_contain_by_packaging():
    questions = Questions()
    for _ in range(LINES):
        text, candidate, pre = mutated(specifiers(arbitrary=often(0.1))), version(), often(0.5)
        if often(0.3):
            candidate = text.lstrip("=<>!~ ").split(",")[0].removesuffix(".*")
        questions.ask("contains", text, candidate, flag(pre), expected=by_packaging(contains, text, candidate, pre))
    agree(questions)


@behaviour
def specifiers_overlap_and_imply_as_the_releases_around_them_do():
    questions = Questions()
    for _ in range(LINES // 10):
        kind = choose.choice(["overlap", "implies"])
        one, other = specifiers(plain_version), specifiers(plain_version)
        questions.ask(kind, one, other, expected=by_packaging(related, kind, one, other))
    agree(questions)


@behaviour
def markers_hold_as_by_packaging():
    questions = Questions()
    for _ in range(LINES):
        text = mutated(marker())
        place = choose.choice(list(ENVIRONMENT)), choose.choice(PYTHONS)
        extras = choose.sample(["cuda12", "cuda-12", "all", "dev", "test-all"], choose.choice([0, 1]))
        questions.ask("marker", text, *place, ",".join(extras), expected=by_packaging(evaluated, text, *place, extras))
    agree(questions)


@behaviour
def requirements_have_the_parts_that_packaging_reads():
    questions = Questions()
    for _ in range(LINES):
        text = mutated(requirement())
        questions.ask("requirement", text, expected=by_packaging(
            lambda given: shown(Requirement(given), Requirement(given).marker), text))
    agree(questions)


@behaviour
def names_of_wheels_are_split_as_by_packaging():
    questions = Questions()
    for _ in range(LINES):
        text = mutated(wheel_name())
        questions.ask("wheel", text, expected=by_packaging(split_wheel, text))
    agree(questions)


def ask_metadata(questions, path):
    """What of a METADATA file applies in an environment, with extras."""
    headers = email.parser.BytesParser(policy=email.policy.compat32).parsebytes(path.read_bytes())
    provided = [canonicalize_name(extra) for extra in headers.get_all("Provides-Extra", [])]
    for machine in ENVIRONMENT:
        for python in PYTHONS:
            extras = choose.sample(provided, min(len(provided), choose.choice([0, 0, 1, 2])))
            lines = [canonicalize_name(headers["Name"]), headers["Version"], ",".join(provided)]
            for text in headers.get_all("Requires-Dist", []):
                read = Requirement(text)
                if not read.marker or holds(read.marker, machine, python, extras):
                    lines.append(shown(read, False))
            questions.ask("metadata", str(path), machine, python, ",".join(extras), expected="\x1f".join(lines))


@behaviour
def metadata_of_wheels_applies_as_by_packaging():
    questions = Questions()
    # Those of environments are links to these.
    files = sorted(Path(wheels.cache_root()).glob("wheels/*/*.dist-info/METADATA"))
    files += sorted(Path(wheels.cache_root()).glob("venv/lib/python3*/site-packages/*.dist-info/METADATA"))
    assert len(files) > 10
    for path in files:
        ask_metadata(questions, path)
    agree(questions)
