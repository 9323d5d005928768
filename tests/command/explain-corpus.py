# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %python -B %s
"""The first answer of `explain` to messages from public reports (explain-corpus.json): the cause, and a first fix that
cures."""
import json
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor

from binaries import PROGRAM, SOURCE

corpus = json.loads((SOURCE / "tests/command/explain-corpus.json").read_text(encoding="utf-8"))
rows = corpus["rows"]


def classes(kind, text):
    return [name for name, pattern in corpus[kind].items() if re.search(pattern, text)]


def problem(row):
    """What is wrong with the first answer; None if it is right."""
    done = subprocess.run([PROGRAM, "explain", "--format=json", "-"], input=row["message"], text=True,
                          capture_output=True)
    if done.returncode != 0 or done.stderr:
        return f"exit status {done.returncode}: {done.stderr}"
    answer = json.loads(done.stdout)["messages"][0]
    cause, fix = answer["causes"][0], answer["fixes"][0]
    for wanted, given, text in (([row["cause"]], classes("causes", cause), cause),
                                ([row["cure"]], classes("cures", fix), fix)):
        if given != wanted:
            return f"{given} instead of {wanted}: {text}"
    for part, text in ((row.get("says", ""), answer["what"]), (row.get("fix", ""), fix)):
        if part not in text:
            return f"{part!r} is not in {text!r}"
    return None


# The classes are closed lists, each of them in use; no message is counted twice.
assert len(rows) >= 120 and len({row["message"] for row in rows}) == len(rows)
for kind, key in (("causes", "cause"), ("cures", "cure")):
    assert set(corpus[kind]) == {row[key] for row in rows}, kind

with ThreadPoolExecutor(4) as pool:
    wrong = [(row["message"], found) for row, found in zip(rows, pool.map(problem, rows), strict=True) if found]
for message, found in wrong:
    print(f"{message!r}\n    {found}")
print(f"REPORTED: {len(rows) - len(wrong)} of {len(rows)} first answers are right")
assert not wrong
