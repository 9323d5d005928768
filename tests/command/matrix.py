# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""`cuda-cc matrix` on toolkits that only record: the plan, the builds and their checks, what is built again, and
builds, checks and toolkits that fail."""
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import recorder
import schema
from binaries import CUDART, JITLINK, PROGRAM, Binaries, equal, run

place = Binaries()
work, tools = place.work, place.root / "bin"
recorder.compiler(tools / "g++")
shutil.copy(tools / "g++", tools / "gcc")
for version in ("12.4", "12.6", "13.0"):
    recorder.toolkit(place.root / f"cuda-{version}", version)
variables = {"HOME": str(place.root), "XDG_DATA_HOME": str(place.root / "data"), "PATH": f"{tools}:/usr/bin:/bin",
             "RECORD": str(place.root / "records"), "BUILDS": str(place.root / "builds")}
# What the builds make: an extension for the major of their toolkit.
place.extension("made/12.so", {CUDART: ["cudaMalloc"]})
place.extension("made/13.so", {"libcudart.so.13": ["cudaMalloc"]}, ("$ORIGIN/../nvidia/cu13/lib",))
place.extension("made/newer.so", {CUDART: ["cudaMalloc"], JITLINK: ["__nvJitLinkCreate_12_5"]})
BUILD = """
major=$(sed -n 's/.*release \\([0-9]*\\).*/\\1/p' {made}/../version-$(basename "$(readlink -f "$CUDA_CC_TOOLKIT")"))
echo "$(basename "$CUDA_CC_TOOLKIT") $CUDA_CC_RUNTIME $(pwd -P)" >> "$BUILDS"
. ./steps
mkdir lib; cp {made}/$major.so lib/ext.so
""".strip()
for version in ("12.4", "12.6", "13.0"):
    (work / f"version-cuda-{version}").write_text(f"release {version}\n")
project = work / "project"
project.mkdir()
(project / "steps").write_text("true\n")
results = project / ".cuda-cc/matrix"
TEMPLATE = Path(__file__).resolve().parents[2] / "packaging/ci/github/example.yml"
builds = place.root / "builds"


def declare(**keys):
    table = {"runtimes": ["cuda==12.4", "cuda==13.0", "cuda==13.2"],
             "toolkits": [str(place.root / "cuda-12.4"), "../../cuda-13.0"],
             "build": BUILD.format(made=work / "made"), "artefacts": ["lib/*.so"], **keys}
    lines = "".join(f"{key} = {json.dumps(value)}\n" for key, value in table.items() if value is not None)
    (project / "pyproject.toml").write_text(f"[tool.cuda-cc.matrix]\n{lines}")


def matrix(*words, status=0, cwd=project, **environment):
    done = run(PROGRAM, "matrix", *words, cwd=cwd, **{**variables, **environment})
    equal(done.returncode, status, f"{words}\n{done.stdout}{done.stderr}")
    return done


def document(*words, **more):
    return schema.fit(json.loads(matrix(*words, "--format=json", **more).stdout), "matrix")


def built():
    """The builds since the last call of this: toolkit and runtime of each."""
    lines = builds.read_text().splitlines() if builds.exists() else []
    builds.unlink(missing_ok=True)
    return [" ".join(line.split()[:2]) for line in lines]


def refused(*words, status, code, **more):
    """One error, and nothing was written."""
    before = sorted(project.rglob("*"))
    done = matrix(*words, status=status, **more)
    equal((done.stdout, done.stderr.count("error:")), ("", 1), done.stderr)
    assert f"[{code}]" in done.stderr, done.stderr
    equal(sorted(project.rglob("*")), before)
    return done.stderr


# The plan: the oldest toolkit of a major serves all its lines. Nothing is written.
declare()
said = matrix("--plan").stdout
equal(said.splitlines()[0], "2 builds for 3 runtimes, of 2 that differ")
assert [line.split()[:3] for line in said.splitlines()[2:]] == [
    ["cu12.4", "cuda==12.4", str(place.root / "cuda-12.4")], ["cu13.0", "cuda==13.0,", "cuda==13.2"]], said
plan = document("--plan")
equal([(each["name"], each["toolkit"]["cuda"], each["runtimes"]) for each in plan["builds"]],
      [("cu12.4", "12.4", ["cuda==12.4"]), ("cu13.0", "13.0", ["cuda==13.0", "cuda==13.2"])])
assert not (project / ".cuda-cc").exists()

# It builds each once, for its oldest runtime, in a copy of the project; each is judged on every runtime.
done = matrix(cwd=project)
equal(built(), ["cuda-12.4 cuda==12.4", "cuda-13.0 cuda==13.0"])
lines = done.stdout.splitlines()
equal(lines[0], "3 runtimes and 2 builds: 3 accepted")
equal([line.split()[:3] for line in lines[2:]],
      [[verdict, runtime, build] for runtime, accepted in (("cuda==12.4", "cu12.4"), ("cuda==13.0", "cu13.0"),
                                                           ("cuda==13.2", "cu13.0"))
       for build in ("cu12.4", "cu13.0") for verdict in ["accept" if build == accepted else "reject"]])
assert "[CC4003]" in lines[3], lines
assert "[1/4] build cu12.4" in done.stderr, done.stderr
equal((results / ".gitignore").read_text(), "# cuda-cc matrix\n*\n")
equal(sorted(each.name for each in project.iterdir()), [".cuda-cc", "pyproject.toml", "steps"])
made = document()
equal([(each["verdict"], [cell["verdict"] for cell in each["cells"]]) for each in made["runtimes"]],
      [("accept", ["accept", "reject"]), ("accept", ["reject", "accept"]), ("accept", ["reject", "accept"])])
equal(made["runtimes"][0]["cells"][1]["code"], "CC4003")
equal({file["path"] for file in made["files"]}, {"cu12.4/lib/ext.so", "cu13.0/lib/ext.so"})
sarif = schema.fit(json.loads(matrix("--format=sarif").stdout), "sarif")
assert {"CC4003"} <= {each["ruleId"] for each in sarif["runs"][0]["results"]}, sarif
page = place.root / "page.html"
matrix("--report", page)
text = page.read_text()
assert "<h1>3 runtimes and 2 builds: 3 accepted</h1>" in text, text[:3000]
assert "Runtimes and the builds that load there" in text and "cu13.0" in text, text[:2000]
equal([word for word in ("loads", "does not load") if f" {word}<" in text], ["loads", "does not load"])
# Rows of several lines are one, and name them.
assert ">cuda 13.0 to 13.2<" in text and ">13.0 to 13.2<" in text, text
# None of these calls built anything.
equal(built(), [])

# Reports in the project are no inputs: the page, and what the shell leads stdout and stderr to.
for words in ("--format=json > matrix.json 2> matrix.log", "--format=sarif > matrix.sarif", "--report matrix.html", "",
              "--report matrix.html > matrix.txt"):
    done = run("sh", "-c", f"exec '{PROGRAM}' matrix {words}", cwd=project, **variables)
    equal((done.returncode, built()), (0, []), f"{words}: {done}")
reports = {"matrix.json", "matrix.log", "matrix.sarif", "matrix.html", "matrix.txt"}
assert reports <= {path.name for path in project.iterdir()}
assert not reports & {path.name for path in (results / "cu12.4/work").iterdir()}
matrix()
equal(built(), [])
# What another program wrote there since is one.
(project / "matrix.json").write_text("{}")
matrix()
equal(len(built()), 2)
assert (results / "cu12.4/work/matrix.json").exists() and not (results / "cu12.4/work/matrix.html").exists()
for name in reports:
    (project / name).unlink()
matrix()
equal(len(built()), 2)

# Built again: all for a source, that build for its toolkit, nothing for a touched file that git ignores.
(project / "steps").write_text("true; true\n")
matrix()
equal(built(), ["cuda-12.4 cuda==12.4", "cuda-13.0 cuda==13.0"])
os.utime(place.root / "cuda-13.0/bin/nvcc", (1, 1))
matrix()
equal(built(), ["cuda-13.0 cuda==13.0"])
(project / "new").write_text("")
matrix("cu12.4")
equal(built(), ["cuda-12.4 cuda==12.4"])
matrix()
equal(built(), ["cuda-13.0 cuda==13.0"])
(project / "new").unlink()
matrix()
equal(len(built()), 2)
git = {"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1"}
for words in (["init", "-q"], ["add", "steps"]):
    equal(run("git", *words, cwd=project, **git).returncode, 0)
(project / ".gitignore").write_text("ignored\n")
matrix(**git)
built()
(project / "ignored").write_text("")
matrix(**git)
equal(built(), [])
assert not (results / "cu12.4/work/ignored").exists() and (results / "cu12.4/work/steps").exists()
(project / "untracked").write_text("")
matrix(**git)
equal(len(built()), 2)
shutil.rmtree(project / ".git")
for name in (".gitignore", "ignored", "untracked"):
    (project / name).unlink()

# Files and folders elsewhere that builds read, by name.
beside = work / "beside"
beside.mkdir()
(beside / "header.h").write_text("")
declare(inputs="../beside")
matrix()
equal(len(built()), 2)
matrix()
equal(built(), [])
(beside / "more.h").write_text("")
matrix()
equal(len(built()), 2)
assert not list(results.glob("*/work/**/more.h"))
matrix("--input", beside / "header.h")
equal(len(built()), 2)
(beside / "more.h").write_text("changed")
matrix("--input", beside / "header.h")
equal(built(), [])
declare()

# A chosen build decides for its own runtimes alone.
made = document("cu13.0")
equal([each["runtime"] for each in made["runtimes"]], ["cuda==13.0", "cuda==13.2"])
equal([each["state"] for each in made["builds"]], ["not-made", "built"])
equal(built(), ["cuda-13.0 cuda==13.0"])
assert "cu12.4" in refused("cu11", status=2, code="CC1001")

# A build that fails: its runtimes are unknown, others go on, the log is shown, and it is built again.
(project / "steps").write_text('case $CUDA_CC_RUNTIME in *12*) echo "it is broken"; exit 7 ;; esac\n')
done = matrix(status=4)
assert "the build cu12.4 failed [CC2033]" in done.stderr and "says: it is broken" in done.stderr, done.stderr
equal(done.stdout.splitlines()[0], "3 runtimes and 2 builds: 1 unknown, 2 accepted")
equal(len(built()), 2)
matrix("--strict", status=3)
equal(built(), ["cuda-12.4 cuda==12.4"])
matrix("cu13.0")
# What it made before does not count.
assert not (results / "cu12.4/built").exists()
page.unlink()
matrix("--report", page, status=4)
assert "it is broken" in page.read_text()
(project / "steps").write_text("true\n")
matrix()
built()

# A check that rejects: no build serves 12.4.
shutil.copy(work / "made/newer.so", work / "made/12.so")
(project / "steps").write_text("true; :\n")
done = matrix(status=3)
assert "__nvJitLinkCreate_12_5" in done.stdout and "[CC4002]" in done.stdout, done.stdout
equal(done.stdout.splitlines()[0], "3 runtimes and 2 builds: 1 rejected, 2 accepted")
place.extension("made/12.so", {CUDART: ["cudaMalloc"]})
# A judgement is made anew each time, by the settings of the project: they are no inputs of the build.
(project / "steps").write_text("true; : :\n")
matrix()
built()

# Patterns that match nothing, in one build; artefacts without a binary; an artefact that is a folder.
declare(artefacts=["lib/*.so", "gone/*"])
done = matrix(status=4)
assert "no file matches gone/*" in done.stderr, done.stderr
declare(artefacts=["ste*s"])
done = matrix(status=4)
assert "[CC2033]" in done.stderr or "[CC2014]" in done.stdout, (done.stdout, done.stderr)
declare(artefacts=["lib"])
matrix()
built()

# Runtimes without a toolkit: by the rules, and because its version is not here.
declare(runtimes=["cuda==12.1", "cuda==12.4"])
done = matrix("--plan", status=3)
assert "no toolkit here builds for cuda==12.1 [CC3001]" in done.stderr, done.stderr
made = document("--plan", status=3)
equal([(each["runtime"], each["verdict"]) for each in made["unserved"]], [("cuda==12.1", "reject")])
# What is built for 12.4 loads on 12.1 by its symbols, which counts; with a newer symbol it does not.
done = matrix()
equal((done.stdout.splitlines()[0], "CC3001" in done.stderr), ("2 runtimes and 1 build: 2 accepted", False))
place.extension("made/12.so", {CUDART: ["cudaMalloc"], JITLINK: ["__nvJitLinkCreate_12_4"]})
(project / "steps").write_text("true; : : :\n")
done = matrix(status=3)
equal(done.stdout.splitlines()[0], "2 runtimes and 1 build: 1 rejected, 1 accepted")
assert "no toolkit here builds for cuda==12.1 [CC3001]" in done.stderr, done.stderr
place.extension("made/12.so", {CUDART: ["cudaMalloc"]})
declare(runtimes=["cuda==12.1"], toolkits=["11.8", "12"])
done = matrix("--plan", status=3, CUDA_HOME=str(place.root / "cuda-12.6"))
assert "toolkit 11.8: not on this machine" in done.stdout and "CUDA 12.6:" in done.stderr, done.stderr
declare(runtimes=["all cuda>=12.4,<13"], toolkits=None)
said = matrix("--plan", CUDA_HOME=str(place.root / "cuda-12.4")).stdout
assert "cuda==12.4, cuda==12.5," in said and "cuda==13" not in said, said
# Releases of torch: one build each minor, unless it does not matter.
declare(runtimes=["torch==2.5.1", "torch==2.6.0", "torch==2.5.0", "torch==2.11.0"])
equal([each["name"] for each in document("--plan")["builds"]],
      ["cu12.4-torch2.5.0", "cu12.4-torch2.6.0", "cu13.0-torch2.11.0"])
equal([each["name"] for each in document("--plan", "--torch-abi=none")["builds"]], ["cu12.4", "cu13.0"])
python = sys.executable
names = [each["name"] for each in document("--plan", "--torch-abi=none", "--python", python)["builds"]]
assert len(names) == 2 and names[0].startswith("cu12.4-py"), names

# Options replace keys.
built()
declare(build=None, artefacts=None, runtimes=None)
matrix("--runtime", "cuda==12.4", "--build", BUILD.format(made=work / "made"), "--artefact", "lib/ext.so",
       "--toolkit", place.root / "cuda-12.4", "--dir", place.root / "elsewhere", "--jobs=2")
equal(built(), ["cuda-12.4 cuda==12.4"])
assert (place.root / "elsewhere/cu12.4/built").exists()

# Jobs for CI make the builds of the plan one by one, on machines that have one toolkit each.
shutil.rmtree(project / ".cuda-cc")
declare(toolkits=None)
both = {"CUDA_HOME": str(place.root / "cuda-12.4"), "CUDA_PATH": str(place.root / "cuda-13.0")}
for form in ("--github", "--gitlab"):
    said = matrix(form, "--artefact", "lib/ext.so", **both).stdout
    pairs = re.findall(r"build: '(.*)'\n *toolkit: '(.*)'", said, re.I)
    equal(pairs, [("cu12.4", "12.4"), ("cu13.0", "13.0")])
    # Actions of the commits that the template names.
    actions = set(re.findall(r"uses: (actions/\S+)", said))
    equal((len(actions), actions - set(re.findall(r"uses: (actions/\S+)", TEMPLATE.read_text()))),
          (2 if form == "--github" else 0, set()))
    [line] = re.findall(r"^ +(cuda-cc matrix .*)", said, re.M)
    paths = re.findall(r"^ *(?:- ')?\.cuda-cc/matrix/(?:\${{ matrix.build }}|\$BUILD)/(.*?)'?$", said, re.M)
    equal(paths, ["*.log", "work/lib/ext.so"], said)
    assert "--artefact=lib/ext.so" in line and "\t" not in said, said
    for build, version in pairs:
        call = line.replace("${{ matrix.build }}", build).replace("${{ matrix.toolkit }}", version)
        words = shlex.split(call.replace("$BUILD", build).replace("$TOOLKIT", version))[2:]
        made = document(*words, CUDA_HOME=str(place.root / f"cuda-{version}"))
        equal((made["verdict"], [each["state"] for each in made["builds"]]), ("accept", ["built"]), words)
    equal(built(), ["cuda-12.4 cuda==12.4", "cuda-13.0 cuda==13.0"] if form == "--github" else [])
for build, kept in (("cmake", "install"), ("pip wheel", "dist/*.whl")):
    declare(toolkits=None, build=build, artefacts=None, test="true")
    said = matrix("--github", **both).stdout
    assert [line.split("}}/")[1] for line in said.splitlines() if line.startswith("            .cuda-cc/")] == [
        "*.log", "tests/*/*.log", f"work/{kept}"], said
declare(toolkits=None)
assert not refused("--github", "--format=xml", status=2, code="CC1001").startswith("#")

# What cannot be: one error, and nothing is written.
shutil.rmtree(project / ".cuda-cc")
for keys, status, code in (
        ({"runtimes": []}, 2, "CC1003"), ({"runtimes": None}, 2, "CC1001"), ({"build": None}, 2, "CC1001"),
        ({"build": " "}, 2, "CC1003"), ({"artefacts": None}, 2, "CC1001"), ({"artefacts": ["../x"]}, 2, "CC1003"),
        ({"artefacts": ["lib/**/x.so"]}, 2, "CC1003"), ({"artefacts": ["/x"]}, 2, "CC1003"),
        ({"artefact": ["x"]}, 2, "CC1002"), ({"torch-abi": "some"}, 2, "CC1003"), ({"runtimes": [1]}, 2, "CC1003"),
        ({"runtimes": ["nonsense"]}, 2, "CC1007"), ({"runtimes": ["all cuda>=99"]}, 2, "CC1007"),
        ({"runtimes": ["torch==99.9"]}, 4, "CC2007"), ({"toolkits": ["/gone"]}, 4, "CC2003"),
        ({"toolkits": ["11.8"]}, 4, "CC2003"), ({"pythons": ["/gone/python"]}, 4, "CC2029")):
    declare(**keys)
    refused(status=status, code=code)
declare()
for words, status in ((["--jobs=0"], 2), (["--jobs=x"], 2), (["--build="], 2), (["--frob"], 2), (["--format=xml"], 2)):
    refused(*words, status=status, code="CC1001")
only = place.root / "only"
only.mkdir()
for name in ("sh", "git"):
    (only / name).symlink_to(shutil.which(name))
done = matrix(status=4, PATH=str(only))
assert "a matrix is run by ninja" in done.stderr and "[CC2010]" in done.stderr, done.stderr
shutil.rmtree(project / ".cuda-cc", ignore_errors=True)
(project / ".cuda-cc/matrix").mkdir(parents=True)
# A build tree of CMake, for one.
(project / ".cuda-cc/matrix/build.ninja").write_text("mine")
refused(status=2, code="CC1001")
equal({path.name: path.read_text() for path in (project / ".cuda-cc/matrix").iterdir()}, {"build.ninja": "mine"})
shutil.rmtree(project / ".cuda-cc")
(project / "pyproject.toml").chmod(0o666)
assert "matrix, which names programs to run" in refused(status=2, code="CC1012")
(project / "pyproject.toml").chmod(0o644)

# Interrupted: what was complete stays, nothing half-written counts, and the next call goes on.
fast = place.root / "fast"
waits = f'case $CUDA_CC_RUNTIME in *13*) [ -e {fast} ] || {{ : > "$SLOW"; exec sleep 60; }} ;; esac'
(project / "steps").write_text(f"{waits}\n")
for number in (signal.SIGINT, signal.SIGTERM):
    shutil.rmtree(results, ignore_errors=True)
    fast.unlink(missing_ok=True)
    slow = place.root / f"slow-{number}"
    killed = subprocess.Popen([PROGRAM, "matrix"], cwd=project, start_new_session=True, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, env={**os.environ, **variables, "SLOW": str(slow)},
                              preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    while not slow.exists():
        assert killed.poll() is None, killed.returncode
        time.sleep(0.01)
    # As a terminal does, to all processes; or to cuda-cc alone.
    (os.killpg if number == signal.SIGINT else os.kill)(killed.pid, number)
    equal(killed.communicate(timeout=30)[0], b"")
    assert killed.returncode in (130, -number), killed.returncode
    assert (results / "cu12.4/built").exists() and not (results / "cu13.0/built").exists()
    equal(len(built()), 2)
    fast.touch()
    matrix()
    equal(built(), ["cuda-13.0 cuda==13.0"])
