# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %python -B %s
"""`SUBCOMMAND --help` and `help SUBCOMMAND` print that subcommand's page, with exactly the options that it takes."""
import re

from binaries import PROGRAM, SOURCE, equal, run

# The options that the program reads: {option: subcommands that take it; none: all}.
table = (SOURCE / "driver/commands/Arguments.cpp").read_text()
rows = re.findall(r'\{"(--[a-z-]+)",\s*"([a-z ]*)", [&\w:]+(?:,\s*"[^"]*")?\}', table)
takes = {}
for option, tools in rows:
    takes[option] = takes.get(option, []) + tools.split()
everywhere = {option for option, tools in rows if not tools}
assert len(takes) > 20 and takes["--against"] == ["check"], takes
names = re.findall(r"\"([a-z]+)\"", re.search(r"names\[\] = \{(.*?)\}", (SOURCE / "driver/cli/Start.cpp")
                                              .read_text(), re.S).group(1))

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
                  for word in re.findall(r"^  (?:-h, )?(--[a-z-]+)", line)} - {"--help"}
    equal(documented, {option for option, tools in takes.items() if name in tools or option in everywhere}, name)
equal(len(set(pages.values())), len(pages))

# --help is obeyed whatever other options are given, except after the command that a subcommand runs.
equal(run(PROGRAM, "check", "no-such.so", "--runtime", "nonsense", "--help").stdout, pages["check"])
assert "usage" in run(PROGRAM, "trace", "--", "sh", "-c", "echo usage", "--help").stdout
for words in (["help", "no-such"], ["help", "check", "inspect"], ["help", "--runtime", "x"]):
    refused = run(PROGRAM, *words)
    equal((refused.returncode, refused.stdout), (2, ""), words)
    assert refused.stderr.startswith("cuda-cc: error: "), refused.stderr
