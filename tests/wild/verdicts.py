# SPDX-License-Identifier: Apache-2.0
"""Compares the loader's messages with the verdicts of `check` and `doctor`."""

import collections
import json
import subprocess

# The columns of the table, in order.
# A library that loads and whose first call fails counts as one that never loads.
RIGHT, ACCEPTED, REJECTED, AFTER, UNKNOWN, DEMAND, SKIPPED = (
    "right", "accepted, never loads", "rejected, loads", "rejected, loads after import", "unknown",
    "on demand", "skipped")
COLUMNS = (RIGHT, ACCEPTED, REJECTED, AFTER, UNKNOWN, DEMAND, SKIPPED)
WRONG = (ACCEPTED, REJECTED, AFTER)
TOOLS = ("check", "doctor")
AT_A_TIME = 100
# For a library that no file NEEDs and that is not a module: it is opened by name on demand, and cannot be loaded here.
ON_DEMAND = "CC4208"


def asked(tool, program, namespace, prefix, files, options=()):
    """{path: {"verdict", "said", "codes"}} of one of the tools. A file that is missing in its report has no entry; if
    the tool fails, all files are unknown."""
    words = [program, tool, "--format=json", *options]
    words += ["--runtime", f"env:{prefix}"] if tool == "check" else ["--env", prefix]
    found = {}
    for at in range(0, len(files), AT_A_TIME):
        some = [str(file) for file in files[at:at + AT_A_TIME]]
        done = subprocess.run(namespace([*words, *some]), capture_output=True, text=True, errors="replace", cwd="/")
        try:
            document = json.loads(done.stdout)
        except ValueError:
            first = done.stderr.strip().split("\n")[0]
            none = {"verdict": "unknown", "said": f"ended with {done.returncode}: {first}", "codes": []}
            found.update((file, none) for file in some)
            continue
        for row in document["files"]:
            path = row["path"] if row["path"].startswith("/") else "/" + row["path"]
            found[path] = verdict_of(row)
    return found


def verdict_of(row):
    errors = [each for each in row["findings"] if each["severity"] in ("error", "unknown")]
    verdict = row["verdict"]
    if verdict == "accept" and any(each["code"] == ON_DEMAND for each in row["findings"]):
        verdict = "demand"
    said = row.get("predicted") or "; ".join(each["message"] for each in errors)
    return {"verdict": verdict, "said": said, "codes": [each["code"] for each in errors]}


def loads(file):
    """Whether the file loads for a user of its package: by itself or, if the package's metadata requires a framework,
    after that. None if it cannot be determined, because a constructor ended the process."""
    said = file["framework"] if file.get("framework") is not None else file["alone"]
    return None if said.startswith(("ended", "took")) else not said


def column(file, verdict):
    """The column in which one tool's verdict about a file is counted."""
    if verdict is None:
        return SKIPPED
    kind = verdict["verdict"]
    loaded, imported = loads(file), file.get("package") == ""
    if kind == "unknown":
        return UNKNOWN
    if kind == "demand":
        return RIGHT if loaded else DEMAND
    if loaded is None:
        return RIGHT
    if kind == "accept" and loaded and file.get("used"):
        return ACCEPTED
    if kind == "reject" and loaded and file.get("used"):
        return RIGHT
    if kind == "accept":
        return RIGHT if loaded or imported else ACCEPTED
    if loaded:
        return REJECTED
    return AFTER if imported else RIGHT


def disagree(file):
    """Whether the verdicts of the tools differ."""
    kinds = {file[tool]["verdict"] for tool in TOOLS if file.get(tool)}
    return len(kinds) > 1


def count(files):
    """{tool: {column: number}}, and how often they disagree."""
    counted = {tool: collections.Counter(column(file, file.get(tool)) for file in files) for tool in TOOLS
               if any(file.get(tool) for file in files)}
    return counted, sum(disagree(file) for file in files)


def table(results):
    """The table of all environments, as lines."""
    lines = [f"{'':18} {'':8} {'':7} files  " + "  ".join(COLUMNS)]
    total = {}
    for result in results:
        for namespace, files in result["namespaces"].items():
            counted, differ = count(files)
            for tool, numbers in counted.items():
                lines.append(line(result["name"], namespace, tool, len(files), numbers))
                sums = total.setdefault((namespace, tool), [0, collections.Counter()])
                sums[0] += len(files)
                sums[1] += numbers
            if differ:
                lines.append(f"{result['name']:18} {namespace:8} {differ} files of which they say two things")
    if len(results) > 1:
        lines += [line("all", *key, number, numbers) for key, (number, numbers) in total.items()]
    return lines


def line(name, namespace, tool, number, numbers):
    cells = "  ".join(f"{numbers[each]:>{len(each)}}" for each in COLUMNS)
    return f"{name:18} {namespace:8} {tool:7} {number:>5}  {cells}"


def mismatches(result):
    """Each file that a tool judges wrongly or as unknown, with the loader's message and the tool's. Equal results of
    two kinds of machine are printed once."""
    lines, seen = [], set()
    for namespace, files in result["namespaces"].items():
        for file in files:
            wrong = {tool: column(file, file.get(tool)) for tool in TOOLS}
            same = json.dumps(file, sort_keys=True)
            if same in seen or not (disagree(file) or any(each in (*WRONG, UNKNOWN) for each in wrong.values())):
                continue
            seen.add(same)
            lines.append(f"{result['name']}, {namespace}: {file['path']}  ({file['dist'] or 'no distribution'})")
            for mode, after in (("alone", ""), ("framework", file.get("after")), ("package", file.get("imported"))):
                if file.get(mode) is not None:
                    lines.append(f"    {f'{mode} {after}'.strip() + ':':36} {file[mode] or 'loads'}")
            if file.get("used"):
                lines.append(f"    {'its first call:':36} {file['used']}")
            for tool in TOOLS:
                verdict = file.get(tool)
                said = f"{verdict['verdict']} {' '.join(verdict['codes'])} {verdict['said']}" if verdict else "-"
                lines.append(f"    {tool + ', ' + wrong[tool] + ':':36} {said}")
    return lines
