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
    """The first fix in the order of the text, as lines for a shell; empty if it cannot be pasted."""
    if row.get("remedies"):
        return row["remedies"][0]["commands"]
    fix = next((fix for finding in row["findings"] if finding["severity"] != "remark" for fix in finding["fixes"]), "")
    return [fix.split(": ")[-1]] if is_command(fix.split(": ")[-1]) else []


def is_command(line):
    try:
        words = [word for word in shlex.split(line) if not re.match(r"[A-Z_]+=", word)]
    except ValueError:
        return False
    return bool(words) and Path(words[0]).name.startswith(PASTED)


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


def loaded(path, prefix, row, namespace, tools, use=False):
    """The loader's message about a file when its package is used; empty if it loads. `use`: its functions are called,
    too."""
    site = tools.site_of(prefix)
    around = tools.Installed(site)
    owner = around.owner.get(str(path), "")
    framework = around.framework(owner)
    first = ""
    for before in [[framework] if framework else [], *([name] for name in around.imports(path, owner, row["imports"]))]:
        said = tools.real(namespace, prefix, [path], before, use=use)[0].get(str(path), "ended")
        if not said:
            return ""
        first = first or said
    return first


def same(path):
    """The file, or the corresponding one of another release: `_C.so` for `_C.abi3.so`."""
    others = sorted(path.parent.glob(path.name.split(".")[0] + ".*"))
    return path if path.exists() or not others else others[0]


def damage(path):
    """Sets the last part of a file to zeros. The file is another one then: uv's cache may have links to it."""
    data = path.read_bytes()
    path.unlink()
    path.write_bytes(data[:len(data) * 3 // 4] + bytes(len(data) - len(data) * 3 // 4))


def relabel(site, version):
    """Gives the installed torch another version, as a build of PyTorch's own index has it."""
    [metadata] = site.glob("torch-*.dist-info")
    name = f"torch-{version}.dist-info"
    for path, pattern, new in ((metadata / "METADATA", r"(?m)^Version: .*", f"Version: {version}"),
                               (metadata / "RECORD", re.escape(metadata.name), name),
                               (site / "torch/version.py", r"(?m)^__version__ = .*", f"__version__ = '{version}'")):
        text = path.read_text()
        path.unlink()
        path.write_text(re.sub(pattern, new, text))
    metadata.rename(site / name)


def make(case, row, uv, prefix, tools):
    """Makes the environment and breaks it. Returns its site-packages."""
    uv.make(prefix, row["python"], row["pins"])
    if case.get("install"):
        uv.install(prefix, *case["install"])
    if case.get("uninstall"):
        uv("pip", "uninstall", "-q", "--python", f"{prefix}/bin/python", *case["uninstall"])
    site = tools.site_of(prefix)
    if case.get("then"):
        uv.install(prefix, *case["then"])
    if "relabel" in case:
        relabel(site, case["relabel"])
    for name in case.get("damage", []):
        damage(site / name)
    for name in case.get("remove", []):
        (site / name).unlink()
    return site


def one(case, rows, uv, options, namespace, tools):
    """The failures of one case, as lines. Each first fix is carried out in an environment of its own."""
    row = next(each for each in [*rows, *own()] if each["name"] == case["environment"])
    prefix, use = options.folder / "broken", case.get("use", False)
    site = make(case, row, uv, prefix, tools)
    paths = sorted(path for name in case["files"] for path in site.glob(name))
    path = next((path for path in paths if loaded(path, prefix, row, namespace, tools, use)), None)
    if not path:
        yield f"{case['name']}: everything loads, nothing is broken"
        return
    fixes = {}
    for tool in verdicts.TOOLS:
        found = document(options, namespace, tool, prefix, path)
        where = f"{case['name']}, {tool}, {path.name}"
        if found["verdict"] == "accept":
            yield f"{where}: accepted, and does not load"
        elif commands := commands_of(found):
            fixes.setdefault("\n".join(commands), []).append(tool)
        else:
            said = [each["fixes"] or each["message"] for each in found["findings"]]
            yield f"{where}: no fix that can be pasted: {said}"
    for number, (commands, by) in enumerate(fixes.items()):
        if number:
            make(case, row, uv, prefix, tools)
        did, where = commands.replace("\n", "; "), f"{case['name']}, {' and '.join(by)}, {path.name}"
        problem = apply(uv, prefix, [commands])
        now = same(path)
        if problem:
            yield f"{where}: {did} failed: {problem}"
        elif said := loaded(now, prefix, row, namespace, tools, use):
            yield f"{where}: after {did}: {said}"
        else:
            kinds = {tool: document(options, namespace, tool, prefix, now)["verdict"] for tool in verdicts.TOOLS}
            if set(kinds.values()) != {"accept"}:
                yield f"{where}: after {did} it loads, and they say {kinds}"
            else:
                tools.say(f"{where}: {did} helped")


def own():
    """The environments that only cases use."""
    return json.loads(LIST.read_text())["environments"]


def chosen(names):
    """The cases of those names, all without names. KeyError if there is none of a name."""
    cases = {case["name"]: case for case in json.loads(LIST.read_text())["broken"]}
    return [cases[name] for name in names or cases]


def run(rows, uv, options, namespace, tools):
    problems, cases = [], chosen(options.cases)
    for case in cases:
        tools.room(uv)
        for problem in one(case, rows, uv, options, namespace, tools):
            print(f"broken: {problem}", flush=True)
            problems.append(problem)
    print(f"broken on purpose: {len(cases)} environments, {len(problems)} first fixes that do not help")
    return problems
