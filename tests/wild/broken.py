# SPDX-License-Identifier: Apache-2.0
"""Environments that are broken on purpose. The first fix that `doctor` and `check` print is applied as printed, and
then the file must load. broken.json describes the cases."""

import json
import os
import re
import shlex
import subprocess
from pathlib import Path

import verdicts

LIST = Path(__file__).resolve().parent / "broken.json"
# A line that a user can paste: it begins with one of these programs, possibly after variables.
PASTED = ("pip", "uv", "python", "patchelf", "unset", "export")


def document(options, namespace, tool, prefix, path):
    words = [options.program, tool, "--format=json"]
    words += ["--runtime", f"env:{prefix}"] if tool == "check" else ["--env", prefix]
    done = subprocess.run(namespace([*words, path]), capture_output=True, text=True, cwd="/")
    return json.loads(done.stdout)["files"][0]


def commands_of(row):
    """The first fix, as lines for a shell; empty if it has none that can be pasted."""
    if row.get("remedies"):
        return row["remedies"][0]["commands"]
    for finding in row["findings"]:
        for fix in finding["fixes"]:
            line = fix.split(": ")[-1]
            try:
                words = [word for word in shlex.split(line) if not re.match(r"[A-Z_]+=", word)]
            except ValueError:
                continue
            if words and Path(words[0]).name.startswith(PASTED):
                return [line]
    return []


def apply(uv, prefix, commands):
    """The shell of a user who has uv and has activated this environment."""
    environment = {**uv.environment, "VIRTUAL_ENV": str(prefix),
                   "PATH": f"{prefix}/bin:{uv.program.parent}:{os.environ['PATH']}"}
    # The pip of this environment; uv makes environments without one.
    pip = prefix / "bin/pip"
    if not pip.exists():
        pip.write_text(f'#!/bin/sh\nexec {uv.program} pip "$@"\n')
        pip.chmod(0o755)
    done = subprocess.run(["sh", "-e", "-c", "\n".join(commands)], env=environment, capture_output=True, text=True,
                          cwd=prefix)
    return "" if done.returncode == 0 else done.stderr.strip()[-500:]


def loaded(path, prefix, row, namespace, tools):
    """The loader's message about a file when its package is used; empty if it loads."""
    site = tools.site_of(prefix)
    around = tools.Installed(site)
    owner = around.owner.get(str(path), "")
    framework = around.framework(owner)
    first = ""
    for before in [[framework] if framework else [], *([name] for name in around.imports(path, owner, row["imports"]))]:
        said = tools.real(namespace, prefix, [path], before)[0].get(str(path), "ended")
        if not said:
            return ""
        first = first or said
    return first


def same(path):
    """The file, or the corresponding one of another release: `_C.so` for `_C.abi3.so`."""
    others = sorted(path.parent.glob(path.name.split(".")[0] + ".*"))
    return path if path.exists() or not others else others[0]


def one(case, rows, uv, options, namespace, tools):
    """The failures of one case, as lines."""
    row = next(each for each in rows if each["name"] == case["environment"])
    prefix = options.folder / "broken"
    for tool in verdicts.TOOLS:
        uv.make(prefix, row["python"], row["pins"])
        if case["install"]:
            uv.install(prefix, *case["install"])
        if case["uninstall"]:
            uv("pip", "uninstall", "-q", "--python", f"{prefix}/bin/python", *case["uninstall"])
        site = tools.site_of(prefix)
        paths = sorted(path for name in case["files"] for path in site.glob(name))
        path = next((path for path in paths if loaded(path, prefix, row, namespace, tools)), None)
        if not path:
            yield f"{case['name']}: everything loads, nothing is broken"
            return
        found = document(options, namespace, tool, prefix, path)
        where = f"{case['name']}, {tool}, {path.name}"
        if found["verdict"] == "accept":
            yield f"{where}: accepted, and does not load"
            continue
        commands = commands_of(found)
        if not commands:
            yield f"{where}: no fix that can be pasted: {[each['message'] for each in found['findings']]}"
            continue
        did, problem = "; ".join(commands), apply(uv, prefix, commands)
        path = same(path)
        if problem:
            yield f"{where}: {did} failed: {problem}"
        elif said := loaded(path, prefix, row, namespace, tools):
            yield f"{where}: after {did}: {said}"
        elif (now := document(options, namespace, tool, prefix, path)["verdict"]) != "accept":
            yield f"{where}: after {did} it loads and is {now}"
        else:
            tools.say(f"{where}: {did} helped")


def run(rows, uv, options, namespace, tools):
    cases = json.loads(LIST.read_text())["broken"]
    problems = []
    for case in cases:
        for problem in one(case, rows, uv, options, namespace, tools):
            print(f"broken: {problem}", flush=True)
            problems.append(problem)
    print(f"broken on purpose: {len(cases)} environments, {len(problems)} first fixes that do not help")
    return problems
