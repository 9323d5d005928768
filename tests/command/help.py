# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %python -B %s
"""`SUBCOMMAND --help` and `help SUBCOMMAND` print that subcommand's page, with exactly the options that it takes."""
import re

from binaries import PROGRAM, equal, run


def completed(*words):
    """What shell completion offers for the last word: the program's own tables."""
    return [line.split("\t")[0] for line in run(PROGRAM, "completion", "--complete", "--", *words).stdout.splitlines()]


names = completed("")
takes = {name: {word for word in completed(name, "-") if word.startswith("--")} for name in names}
assert len(names) > 15 and [name for name, options in takes.items() if "--against" in options] == ["check"], takes

whole = run(PROGRAM, "help")
equal((whole.returncode, whole.stderr), (0, ""))
pages = {}
for name in names:
    asked = [run(PROGRAM, name, "--help"), run(PROGRAM, name, "-h"), run(PROGRAM, "help", name)]
    for each in asked:
        equal((each.returncode, each.stderr), (0, ""), name)
        equal(each.stdout, asked[0].stdout, name)
        pages[name] = each.stdout
for name, page in pages.items():
    assert page.startswith(f"cuda-cc {name}: ") and page != whole.stdout, page
    documented = {word for line in page.split("\noptions")[1].splitlines()
                  for word in re.findall(r"^  (?:-h, )?(--[a-z-]+)", line)}
    equal(documented, takes[name], name)
equal(len(set(pages.values())), len(pages))

# --help is obeyed whatever other options are given, except after the command that a subcommand runs.
equal(run(PROGRAM, "check", "no-such.so", "--runtime", "nonsense", "--help").stdout, pages["check"])
assert "usage" in run(PROGRAM, "trace", "--", "sh", "-c", "echo usage", "--help").stdout
for words in (["help", "no-such"], ["help", "check", "inspect"], ["help", "--runtime", "x"]):
    refused = run(PROGRAM, *words)
    equal((refused.returncode, refused.stdout), (2, ""), words)
    assert refused.stderr.startswith("cuda-cc: error: "), refused.stderr
