# SPDX-License-Identifier: Apache-2.0
"""summary.py [RESULTS.json...] [--passed WHAT...] [--failed WHAT...]: prints the results of lit runs, skipped
tests with their reasons first, and what passed tests report in lines `REPORTED: text`.

Each WHAT is a step that is not a lit test, and counts as one. Exit status 1 if something failed or
nothing ran.
"""

import argparse
import json
import re
import sys

PASSED = {"PASS", "FLAKYPASS", "XFAIL"}
SKIPPED = {"UNSUPPORTED", "SKIPPED"}
NOT_ASKED_FOR = {"EXCLUDED"}
# Longer lines of a failed test's output are cut.
WIDTH = 300


def reason(output):
    match = re.search(r"^\s*(?:SKIPPED|Skipped): *(.+)$", output, re.M)
    if match:
        return match[1].strip()
    match = re.search(r"unavailable features?: *(.+)$", output, re.M)
    if match:
        return "needs " + match[1].strip()
    match = re.search(r"does not support the following.*?: *(.+)$", output, re.M)
    if match:
        return "not with " + match[1].strip()
    match = re.search(r"^Skipped\n(.+)$", output, re.M)
    if match:
        return match[1].strip()
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    return lines[-1] if len(lines) == 1 else "no reason given"


def summarise(tests, write):
    passed, failed, skipped = [], [], []
    for test in tests:
        code = test["code"]
        if code in PASSED:
            passed.append(test)
        elif code in SKIPPED:
            skipped.append(test)
        elif code not in NOT_ASKED_FOR:
            failed.append(test)
    reported = [(test["name"], line) for test in passed
                for line in re.findall(r"^REPORTED: (.+)$", test.get("output") or "", re.M)]
    if reported:
        write("reported:")
        for name, line in sorted(reported):
            write(f"  {name}: {line}")
    if skipped:
        write("skipped:")
        for test in sorted(skipped, key=lambda test: test["name"]):
            write(f"  {test['name']}: {reason(test.get('output') or '')}")
    if failed:
        write("failed:")
        for test in sorted(failed, key=lambda test: test["name"]):
            write(f"  {test['name']}: {test['code']}")
            for line in (test.get("output") or "").rstrip().splitlines()[-30:]:
                write(f"    {line[:WIDTH]}")
    write(f"{len(passed)} passed, {len(failed)} failed, {len(skipped)} skipped")
    return 1 if failed or not passed else 0


def read(path):
    """The tests of a lit run, or one failed test if the file does not exist."""
    try:
        with open(path) as file:
            return json.load(file)["tests"]
    except (OSError, ValueError, KeyError) as error:
        return [{"name": path, "code": "FAIL", "output": f"no results: {error}"}]


def main(arguments):
    parser = argparse.ArgumentParser(allow_abbrev=False)
    parser.add_argument("results", nargs="*")
    parser.add_argument("--passed", action="append", default=[])
    parser.add_argument("--failed", action="append", default=[])
    options = parser.parse_args(arguments)
    tests = [test for path in options.results for test in read(path)]
    tests += [{"name": name, "code": "PASS"} for name in options.passed]
    tests += [{"name": name, "code": "FAIL", "output": "see above"} for name in options.failed]
    return summarise(tests, print)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
