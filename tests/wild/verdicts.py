# SPDX-License-Identifier: Apache-2.0
"""What the loader said, held against what `check` and `doctor` say."""

import collections
import json
import subprocess

# Columns of the table, in its order.
RIGHT, ACCEPTED, REJECTED, AFTER, UNKNOWN, DEMAND, SKIPPED = (
    "right", "accepted, never loads", "rejected, loads", "rejected, loads after import", "unknown",
    "on demand", "skipped")
COLUMNS = (RIGHT, ACCEPTED, REJECTED, AFTER, UNKNOWN, DEMAND, SKIPPED)
WRONG = (ACCEPTED, REJECTED, AFTER)
TOOLS = ("check", "doctor")
AT_A_TIME = 100
# What nothing NEEDs and no module is: opened by name when somebody wants it, and cannot be loaded here.
ON_DEMAND = "CC4208"


def asked(tool, program, world, prefix, files):
    """{path: {"verdict", "said", "codes"}} of one of the tools; a file that it says nothing of has no row. A tool
    that judges nothing knows nothing of any."""
    words = [program, tool, "--format=json"]
    words += ["--runtime", f"env:{prefix}"] if tool == "check" else ["--env", prefix]
    found = {}
    for at in range(0, len(files), AT_A_TIME):
        some = [str(file) for file in files[at:at + AT_A_TIME]]
        done = subprocess.run(world([*words, *some]), capture_output=True, text=True, errors="replace", cwd="/")
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
    """For a user of its package: by itself or, where its metadata requires one, after the framework. Nothing where
    nobody knows, as a constructor ended the process."""
    said = file["framework"] if file.get("framework") is not None else file["alone"]
    return None if said.startswith(("ended", "took")) else not said


def column(file, verdict):
    """Where one tool's verdict about a file is counted."""
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
    if kind == "accept":
        return RIGHT if loaded or imported else ACCEPTED
    if loaded:
        return REJECTED
    return AFTER if imported else RIGHT


def disagree(file):
    """The tools say two things about one file."""
    kinds = {file[tool]["verdict"] for tool in TOOLS if file.get(tool)}
    return len(kinds) > 1


def count(files):
    """{tool: {column: number}}, and how often they disagree."""
    counted = {tool: collections.Counter(column(file, file.get(tool)) for file in files) for tool in TOOLS}
    return counted, sum(disagree(file) for file in files)


def table(results):
    """The table of all environments, as lines."""
    lines = [f"{'':18} {'':8} {'':7} files  " + "  ".join(COLUMNS)]
    total = {}
    for result in results:
        for world, files in result["worlds"].items():
            counted, differ = count(files)
            for tool, numbers in counted.items():
                lines.append(line(result["name"], world, tool, len(files), numbers))
                sums = total.setdefault((world, tool), [0, collections.Counter()])
                sums[0] += len(files)
                sums[1] += numbers
            if differ:
                lines.append(f"{result['name']:18} {world:8} {differ} files of which they say two things")
    if len(results) > 1:
        lines += [line("all", world, tool, number, numbers) for (world, tool), (number, numbers) in total.items()]
    return lines


def line(name, world, tool, number, numbers):
    cells = "  ".join(f"{numbers[each]:>{len(each)}}" for each in COLUMNS)
    return f"{name:18} {world:8} {tool:7} {number:>5}  {cells}"


def mismatches(result):
    """Each file that a tool is wrong about or does not know, with the loader's words beside the tool's. What is the
    same in two worlds is said once."""
    lines, seen = [], set()
    for world, files in result["worlds"].items():
        for file in files:
            wrong = {tool: column(file, file.get(tool)) for tool in TOOLS}
            same = json.dumps(file, sort_keys=True)
            if same in seen or not (disagree(file) or any(each in (*WRONG, UNKNOWN) for each in wrong.values())):
                continue
            seen.add(same)
            lines.append(f"{result['name']}, {world}: {file['path']}  ({file['dist'] or 'no distribution'})")
            for mode, after in (("alone", ""), ("framework", file.get("after")), ("package", file.get("imported"))):
                if file.get(mode) is not None:
                    lines.append(f"    {f'{mode} {after}'.strip() + ':':36} {file[mode] or 'loads'}")
            for tool in TOOLS:
                verdict = file.get(tool)
                said = f"{verdict['verdict']} {' '.join(verdict['codes'])} {verdict['said']}" if verdict else "-"
                lines.append(f"    {tool + ', ' + wrong[tool] + ':':36} {said}")
    return lines
