# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S/../command:%support %python -B %s
"""The steps of the GitHub action and of the GitLab template, each run as its runner would: what is installed, which
files are checked against what, the verdict as exit status, summary, SARIF and code quality report. They are clean for
shellcheck where that is installed."""
import json
import re
import shutil
import sys
from pathlib import Path

from behaviour import behaviour
from binaries import CUDART, JITLINK, PROGRAM, SOURCE, Binaries, equal, run

CI = SOURCE / "packaging/ci"
ACTION = (CI / "github/action.yml").read_text()
GITLAB = (CI / "gitlab.yml").read_text()
STUB = """#!/bin/sh
# python3 -m venv DIR, and that environment's python.
echo "$0 $*" >> "$LOG"
[ "$2" != venv ] || { mkdir -p "$3/bin" && cp "$0" "$3/bin/python"; }
"""
place = Binaries()
place.extension("dist/bad ext.so", {JITLINK: ["__nvJitLinkCreate_12_5"], CUDART: ["cudaMalloc"]})
place.extension("dist/good.so", {CUDART: ["cudaMalloc"]})
log, summary, output, added = (place.root / name for name in ("log", "summary", "output", "added"))
stubs = place.root / "stubs"
stubs.mkdir()
(stubs / "python3").write_text(STUB)
(stubs / "python3").chmod(0o755)
sarif = place.work / "cuda-cc.sarif"
report = place.work / "gl-code-quality-report.json"
path = f"{Path(PROGRAM).parent}:{Path(sys.executable).parent}:/usr/bin:/bin"


def block(text, begin):
    """The lines of the block that begins behind this one, without their indentation."""
    lines = text[text.index(begin) + len(begin):].split("\n")
    depth = len(lines[0]) - len(lines[0].lstrip())
    kept = []
    for line in lines:
        if line and len(line) - len(line.lstrip()) < depth:
            break
        kept.append(line[depth:])
    return "\n".join(kept).rstrip() + "\n"


def step(name):
    own = ACTION[ACTION.index(f"- name: {name}\n"):]
    variables = re.findall(r"([A-Z]+): \$\{\{ inputs\.(\w+) \}\}", own[:own.index("run: |")])
    return block(own, "run: |\n"), dict(variables)


def default(name):
    return re.search(rf"^  {name}:\n(?:    .*\n)*?    default: (.*)", ACTION, re.M)[1].strip('"')


def act(name, path, **inputs):
    """Runs a step as GitHub's runner does."""
    script, variables = step(name)
    file = place.root / "step.sh"
    file.write_text(script)
    for path_of in (summary, output, added, log):
        path_of.write_text("")
    return run("bash", "--noprofile", "--norc", "-eo", "pipefail", file, cwd=place.work, LOG=str(log),
               PATH=f"{path}:/usr/bin:/bin", RUNNER_TEMP=str(place.root / "runner"), GITHUB_PATH=str(added),
               GITHUB_OUTPUT=str(output), GITHUB_STEP_SUMMARY=str(summary),
               **{variable: inputs.get(each, default(each)) for variable, each in variables.items()})


def check(status, **inputs):
    inputs.setdefault("files", "dist/*.so")
    done = act("Check", Path(PROGRAM).parent, **inputs)
    equal(done.returncode, status, done)
    assert f"status={status}\n" in output.read_text(), output.read_text()
    return done


@behaviour
def jobs_of_a_matrix_do_not_overwrite_each_other_s_findings():
    assert "category: ${{ inputs.category || format('cuda-cc/{0}/{1}', github.job, strategy.job-index) }}" in ACTION


@behaviour
def the_version_or_the_wheel_that_is_wanted_is_installed():
    for inputs, package in (({}, "cuda-cc"), ({"version": "0.1.0"}, "cuda-cc==0.1.0"),
                            ({"version": "0.1.0", "wheel": "a dir/x.whl"}, "a dir/x.whl")):
        done = act("Install cuda-cc", stubs, **inputs)
        equal(done.returncode, 0, done)
        assert log.read_text().endswith(f"/cuda-cc/bin/python -m pip install --quiet {package}\n"), log.read_text()
        equal(added.read_text(), f"{place.root}/runner/cuda-cc/bin\n")


@behaviour
def a_file_that_is_rejected_is_in_the_summary_and_in_sarif():
    done = check(3, runtime="torch==2.5.1")
    assert "CC4002" in done.stdout, done
    assert "cuda-cc: rejected" in summary.read_text() and "CC4002" in summary.read_text(), done
    results = json.loads(sarif.read_text())["runs"][0]["results"]
    assert any(each["ruleId"] == "CC4002" for each in results), results
    assert "sarif=cuda-cc.sarif\n" in output.read_text()


@behaviour
def several_patterns_and_runtimes_are_accepted_without_a_report():
    sarif.unlink(missing_ok=True)
    done = check(0, files="dist/good.so\n\ndist/goo*.so\n", runtime="torch==2.5.1\ncuda==12.6\n", sarif="")
    assert "cuda-cc: accepted" in summary.read_text() and "cuda==12.6" in done.stdout and not sarif.exists(), done
    assert "sarif=" not in output.read_text()


@behaviour
def a_range_of_releases_is_checked():
    check(0, files="dist/*.so", against="torch>=2.7,<2.9")
    check(3, files="dist/*.so", against="torch>=2.5,<2.9")


@behaviour
def an_unknown_release_leaves_no_report():
    sarif.write_text("{}")
    equal(act("Check", Path(PROGRAM).parent, files="dist/*.so", runtime="torch==9.9.9").returncode, 4)
    assert "cuda-cc: unknown" in summary.read_text(), summary.read_text()
    assert not sarif.exists() and "sarif=" not in output.read_text(), "nothing was checked"


@behaviour
def a_runtime_without_sense_leaves_no_report():
    sarif.write_text("{}")
    done = check(2, files="dist/*.so", runtime="nonsense")
    assert "cuda-cc: failed" in summary.read_text() and not sarif.exists(), done


@behaviour
def a_pattern_without_a_file_is_an_error():
    done = check(2, files="dist/*.whl")
    assert "::error title=cuda-cc::no file matches dist/*.whl" in done.stdout, done


@behaviour
def what_a_pattern_or_requirement_says_is_never_run():
    check(2, files="$(touch hit)", runtime="`touch hit`")
    assert not (place.work / "hit").exists()


@behaviour
def every_input_is_used_and_none_as_text_of_a_script():
    inputs = re.findall(r"^  ([a-z]+):\n    description", ACTION[:ACTION.index("outputs:")], re.M)
    assert {"files", "runtime", "against", "version", "wheel", "sarif", "upload", "category"} == set(inputs), inputs
    assert all(f"inputs.{name} " in ACTION for name in inputs), inputs
    assert "${{" not in step("Check")[0] + step("Install cuda-cc")[0]


@behaviour
def other_actions_are_named_by_commit():
    for action, version in re.findall(r"uses: (\S+)(.*)", ACTION + (CI / "github/example.yml").read_text()):
        own = action.startswith("OWNER/cuda-cc/packaging/ci/github@v")
        assert own or (re.search(r"@[0-9a-f]{40}$", action) and version.startswith(" # v")), action


# GitLab: its runner exports the variables, and runs the lines of both lists in one shell.
before = [line.strip("'") for line in re.findall(r"^    - (.*)", GITLAB[:GITLAB.index("  script:")], re.M)]
script = block(GITLAB, "  script:\n    - |\n")
variables = dict(re.findall(r"^    (CHECK_[A-Z]+): (.*)", GITLAB, re.M))


def job(lines, path, **more):
    log.write_text("")
    environment = {name: value.strip('"') for name, value in variables.items()} | more
    return run("bash", "-eo", "pipefail", "-c", lines, cwd=place.work, LOG=str(log), PATH=path,
               CI_BUILDS_DIR=str(place.root / "builds"), **environment)


@behaviour
def gitlab_s_template_has_these_lines_and_variables():
    equal(len(before), 3)
    equal(set(variables), {"CHECK_FILES", "CHECK_OPTIONS", "CHECK_INSTALL"})


@behaviour
def gitlab_installs_before_the_script():
    done = job("\n".join([*before, 'echo "$PATH"']), f"{stubs}:/usr/bin:/bin")
    equal(done.returncode, 0, done)
    assert log.read_text().endswith("/cuda-cc/bin/python -m pip install --quiet cuda-cc\n"), log.read_text()
    assert done.stdout.startswith(f"{place.root}/builds/cuda-cc/bin:"), done


@behaviour
def gitlab_s_script_reports_what_it_rejects():
    for files, status, more in (("dist/*", 3, {"CUDA_CC_RUNTIME": "torch==2.5.1"}),
                                ("dist/good.so", 0, {"CUDA_CC_RUNTIME": "torch==2.5.1"}),
                                ("dist/*", 3, {"CHECK_OPTIONS": "--strict --against=torch>=2.5,<2.7"})):
        report.unlink(missing_ok=True)
        done = job(script, path, CHECK_FILES=files, **more)
        equal(done.returncode, status, done)
        issues = json.loads(report.read_text())
        assert json.loads(sarif.read_text())["runs"], done
        assert all(set(each) == {"check_name", "description", "severity", "fingerprint", "location"} for each in issues)
        equal(len({each["fingerprint"] for each in issues}), len(issues))
        if status == 3:
            found = {(each["check_name"], each["severity"], each["location"]["path"]) for each in issues}
            assert ("CC4002", "critical", "dist/bad ext.so") in found, found


@behaviour
def gitlab_s_script_fails_without_a_report_if_nothing_was_checked():
    report.unlink(missing_ok=True)
    for runtime, status in (("nonsense", 2), ("torch==9.9.9", 4)):
        sarif.write_text("{}")
        equal(job(script, path, CHECK_FILES="dist/good.so", CUDA_CC_RUNTIME=runtime).returncode, status)
        assert not report.exists() and not sarif.exists()


@behaviour
def the_scripts_are_clean_for_shellcheck():
    if not shutil.which("shellcheck"):
        print("SKIPPED: no shellcheck")
        sys.exit(77)
    for name, text in (("install", step("Install cuda-cc")[0]), ("check", step("Check")[0]), ("gitlab", script),
                       ("before", "\n".join(before) + "\n")):
        file = place.root / f"{name}.sh"
        file.write_text(text)
        done = run("shellcheck", "-s", "bash", "-e", "SC2148", file)
        equal(done.returncode, 0, done.stdout)
