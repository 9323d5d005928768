# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %python -B %s
"""Codes, options of cuda-cc and of each subcommand, variables: their names, and the handling of invalid values
(golden/codes.txt, golden/options.txt)."""
import json
import re

from binaries import PROGRAM, SOURCE, equal, run
from golden import Golden, codes
from recording import Place

place = Place("12.4")
place.write("k.cu")

# The table from which the program is built; the program prints the same codes.
(table,) = SOURCE.glob("driver/**/Diagnostic.def")
rows = [[f"CC{number}", kind, names or "-"] for number, kind, names in re.findall(
    r'^CUDACC_CODE\(\s*\w+,\s*(\d+),\s*(\w+),\s*"([^"]*)"', table.read_text(), re.M)]
equal(rows, sorted(rows))


def explained(name):
    return json.loads(run(PROGRAM, "explain", name, "--format=json").stdout)["code"]


names = {code: names.strip("-").split() for code, _, names in rows}
for row in rows:
    equal(explained(row[0]), row[0])
    for name in names[row[0]]:
        assert name in names[explained(name)], name
    lowered = place.call("--cudacc-runtime=cuda==12.4", f"--cudacc-severity={row[0]}=remark", "-c", "k.cu").status
    row.insert(2, "fixed" if lowered else "may be lowered")
golden = Golden("codes", "golden-options.py: code, class (Note: a remark, Warning: a warning, else: an error),",
                "whether a declaration may make it less, other names.")
golden.table(rows)
golden.finish()

golden = Golden("options", "golden-options.py: names, and what becomes of values that they cannot have.")
whole = run(PROGRAM, "--cudacc-help").stdout
equal(run(PROGRAM, "help").stdout, whole)


def outcome(*words, **environment):
    ended = place.call(*words, "-c", "k.cu", **environment)
    return f"exit {ended.status} {codes(ended.err)}"


golden.section("options, and what becomes of them alone, with a word and with true: exit status, codes")
names = sorted(set(re.findall(r"--cudacc-[a-z-]+[a-z]", whole)))
golden.table([name, outcome(name), outcome(f"{name}=nonsense"), outcome(f"{name}=true")] for name in names)
golden.section("variables, and what becomes of a word: exit status, codes")
variables = sorted(set(re.findall(r"^  (CUDA_CC_\w+)=", whole, re.M)))
golden.table([name, outcome(**{name: "nonsense"})] for name in variables)
golden.section("keys of cuda-cc.toml, and what becomes of a word and of a number")


def declared(key, value):
    place.write("cuda-cc.toml", f"{key} = {value}\n")
    return outcome()


keys = [name.removeprefix("--cudacc-") for name in names]
golden.table([key, declared(key, '"nonsense"'), declared(key, 7)] for key in keys)
(place.work / "cuda-cc.toml").unlink()

golden.section("options of subcommands")
listed = whole.split("\nsubcommands:\n")[1].split("\noptions")[0]
commands = sorted(set(re.findall(r"^  ([a-z]+)(?: |$)", listed, re.M)))
for name in commands:
    page = run(PROGRAM, name, "--help").stdout
    # A line of prose may begin with the name of a subcommand.
    if not page.startswith(f"cuda-cc {name}: "):
        continue
    page = page.split("\noptions")[-1]
    golden.add(f"{name}: " + " ".join(sorted(set(re.findall(r"^  (?:-h, )?(--[a-z-]+)", page, re.M)))))
golden.finish()
