"""summary.py RESULTS.json [--failed WHAT]: what lit's run came to, skipped tests with their reasons first.

WHAT failed before the tests, and counts as one. Exit status 1 when something failed or nothing ran.
"""

import json
import re
import sys

PASSED = {"PASS", "FLAKYPASS", "XFAIL"}
SKIPPED = {"UNSUPPORTED", "SKIPPED"}
NOT_ASKED_FOR = {"EXCLUDED"}
# Of a line of a failed test's output.
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


def main(path, *options):
    before = [{"name": what, "code": "FAIL", "output": "see above"} for what in options[1::2]]
    try:
        with open(path) as file:
            tests = json.load(file)["tests"] + before
    except (OSError, ValueError, KeyError) as error:
        print(f"summary.py: no results: {error}", file=sys.stderr)
        print("0 passed, 1 failed, 0 skipped")
        return 1
    return summarise(tests, print)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
