# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""init: what it chooses from the files of a project, where it writes that, byte for byte, and its errors."""
import json
import os
import subprocess

import others
from binaries import PROGRAM, Binaries, equal, schema

place = Binaries()
CLEAN = {"PATH": "/usr/bin:/bin", "HOME": str(place.root), "LC_ALL": "C",
         "XDG_DATA_HOME": str(place.root / "data")}
PROJECT = '[project]\nname = "x"  # kept\ndependencies = [ "numpy", "torch==2.5.1" ]\n'
TABLE = '\n[tool.cuda-cc]\nruntime = "torch==2.5.1"\n'
count = 0


def folder(**files):
    global count
    count += 1
    path = place.work / str(count)
    path.mkdir()
    for name, text in files.items():
        name = name.replace("__", ".")
        (path / name).write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def init(path, *words, **environment):
    return subprocess.run([PROGRAM, "init", *words], cwd=path, text=True, capture_output=True,
                          stdin=subprocess.DEVNULL, env={**CLEAN, **environment})


def good(path, *words, **environment):
    done = init(path, *words, **environment)
    equal((done.returncode, done.stderr), (0, ""), done)
    long = [line for line in done.stdout.splitlines() if len(line) > 100 and " " in line.strip()]
    assert not long or "--format=json" in words, done.stdout
    return done.stdout


def document(path, *words, **environment):
    return schema.fit(json.loads(good(path, "--format=json", *words, **environment)), "init")


def refused(path, status, what, *words, **environment):
    """Nothing is written, and the first line names the reason."""
    def state():
        return {each.name: each.read_bytes() for each in path.iterdir() if each.is_file()}
    before = state()
    done = init(path, *words, **environment)
    equal((done.returncode, done.stdout), (status, ""), f"{words} {done.stderr}")
    assert what in " ".join(done.stderr.split()), done.stderr
    equal(state(), before)


def declared(path):
    done = subprocess.run([PROGRAM, "target", "--format=json"], cwd=path, text=True,
                          capture_output=True, env=CLEAN)
    equal(done.returncode, 0, done.stderr)
    return [row["requirement"] for row in json.loads(done.stdout)["declared"]]


# At the end of pyproject.toml; everything before it is unchanged.
path = folder(pyproject__toml=PROJECT)
out = good(path, "--dry-run")
assert out.startswith("would write pyproject.toml\n    [tool.cuda-cc]\n"), out
equal((path / "pyproject.toml").read_text(), PROJECT)
out = good(path)
assert out.startswith("wrote pyproject.toml\n"), out
assert "because  pyproject.toml:3 (dependencies) requires it: CUDA 12.4" in out, out
assert "toolkit  none was found here" in out, out
equal((path / "pyproject.toml").read_text(), PROJECT + TABLE)
equal(declared(path), ["torch==2.5.1"])
equal(sorted(each.name for each in path.iterdir()), ["pyproject.toml"])
# It is never added twice.
refused(path, 2, "where: pyproject.toml:5")
refused(path, 2, "pyproject.toml:5", "--runtime", "cuda==12.4")

# No newline at the end; CRLF; a byte order mark; other tables of `tool` after it.
for text, expected in (
        (PROJECT.rstrip("\n"), PROJECT + TABLE),
        (PROJECT.replace("\n", "\r\n"), (PROJECT + TABLE).replace("\n", "\r\n")),
        ("\ufeff" + PROJECT, "\ufeff" + PROJECT + TABLE),
        (PROJECT + "[tool]\nx.y = 1\n[[tool.z]]\n", PROJECT + "[tool]\nx.y = 1\n[[tool.z]]\n" + TABLE),
        (PROJECT + "[tool.x]\ny = '''\n[tool.cuda-cc]\n'''\n",
         PROJECT + "[tool.x]\ny = '''\n[tool.cuda-cc]\n'''\n" + TABLE)):
    path = folder(pyproject__toml=text)
    good(path)
    equal((path / "pyproject.toml").read_bytes(), expected.encode(), expected)
    equal(declared(path), ["torch==2.5.1"])

# The mode is kept whatever the umask; a symbolic link stays one.
path = folder(real=PROJECT)
(path / "real").chmod(0o664)
(path / "pyproject.toml").symlink_to("real")
good(path)
assert (path / "pyproject.toml").is_symlink(), "the link is gone"
equal((path / "real").read_text(), PROJECT + TABLE)
equal((path / "real").stat().st_mode & 0o777, 0o664)

# An existing declaration in any form is not changed.
for text in ('[tool.cuda-cc]\n', '[tool]\ncuda-cc.runtime = "cuda==12.4"\n',
             '[tool]\ncuda-cc = { runtime = "cuda==12.4" }\n', 'tool.cuda-cc.enforce = "off"\n'):
    refused(folder(pyproject__toml=text), 2, "a runtime is declared here already", "--runtime",
            "cuda==12.4")
refused(folder(**{"cuda-cc__toml": ""}), 2, "where: cuda-cc.toml", "--runtime", "cuda==12.4")
path = folder()
(path / "cuda-cc.toml").symlink_to("nowhere")
refused(path, 2, "where: cuda-cc.toml", "--runtime", "cuda==12.4")
path = folder(**{"cuda-cc__toml": 'runtime = "cuda==12.4"\n'})
(path / "sub").mkdir()
refused(path / "sub", 2, f"{path}/cuda-cc.toml", "--runtime", "cuda==12.4")

# Files that cannot be written.
refused(folder(pyproject__toml="[project\n"), 4, "not valid TOML", "--runtime", "cuda==12.4")
refused(folder(pyproject__toml="tool = { x = 1 }\n"), 4, "takes no table", "--runtime",
        "cuda==12.4")
path = folder()
path.chmod(0o1777)
refused(path, 2, "would be ignored", "--runtime", "cuda==12.4")
# In a folder that others can write, a runtime by name is obeyed, and a path that they can write is not (F12).
path = folder(requirements__txt="torch==2.5.1 --hash=sha256:" + "0" * 64 + "\n")
path.chmod(0o777)
refused(path, 2, "lock:requirements.txt: it would be refused here, where others can write")
refused(path, 2, "[CC1012]", "--runtime", "lock:requirements.txt")
good(path, "--runtime", "cuda==12.4")
equal((path / "cuda-cc.toml").read_text(), 'runtime = "cuda==12.4"\n')
path = folder(pyproject__toml=PROJECT)
os.mkdir(path / "cuda-cc.toml")
refused(path, 2, "where: cuda-cc.toml")
if os.geteuid() == 0:
    others.leave_home()
    place = Binaries()
    for each in (place.root, place.work):
        each.chmod(0o755)
    path = folder(pyproject__toml=PROJECT)
    done = subprocess.run([others.program_in(place.root), "init"], cwd=path, text=True, capture_output=True, user=65534,
                          env={**CLEAN, "HOME": "/nonexistent"})
    assert done.returncode in (2, 4) and done.stderr.startswith("cuda-cc: error: "), done
    assert "permission denied" in done.stderr.lower(), done.stderr
    equal((path / "pyproject.toml").read_text(), PROJECT)

# Without pyproject.toml; several requirements are a list, quotes and backslashes are escaped.
path = folder()
good(path, "--runtime", "torch>=2.5,<2.8", "--runtime", "sm>=80")
equal((path / "cuda-cc.toml").read_text(), 'runtime = [ "torch>=2.5,<2.8", "sm>=80" ]\n')
equal(declared(path), ["torch>=2.5,<2.8", "sm>=80"])
# The choice depends on the toolkits of this machine.
refused(folder(), 2, "cuda-cc init --runtime ")
refused(folder(), 2, "CC1007", "--runtime", "nonsense")
refused(folder(), 4, "CC2007", "--runtime", "torch==9.9.9")

# The project's requirements: an exact or ranged framework, for Linux, for a supported Python.
def chosen(text, **files):
    value = document(folder(pyproject__toml=text, **files), "--dry-run")
    assert not value["written"], value
    return value["chosen"]["runtime"][0], value


def dependencies(*each, python=">=3.10"):
    return (f'[project]\nname = "x"\nrequires-python = "{python}"\ndependencies = '
            f'{json.dumps(each)}\n')


equal(chosen(dependencies("torch >=2.5, <2.8"))[0], "torch>=2.5,<2.8")
equal(chosen(dependencies('torch==2.4.1; sys_platform == "win32"', "torch==2.5.1"))[0],
      "torch==2.5.1")
equal(chosen(dependencies('torch==2.4.1; python_version < "3.10"', "torch==2.5.1"))[0],
      "torch==2.5.1")
equal(chosen(dependencies('torch==2.4.1; python_version < "3.11"', "torch==2.5.1"))[0],
      "torch==2.4.1")
equal(chosen('[build-system]\nrequires = ["torch==2.6.0"]\n')[0], "torch==2.6.0")
equal(chosen('[build-system]\nrequires = ["torch==2.6.0"]\n' + PROJECT)[0], "torch==2.5.1")
equal(chosen('[project]\nname = "x"\n[project.optional-dependencies]\ngpu = ["torch==2.5.1"]\n')[0],
      "torch==2.5.1")
equal(chosen('[tool.poetry.dependencies]\npython = "^3.10"\ntorch = "2.5.1"\n')[0], "torch==2.5.1")
equal(chosen('[tool.poetry.dependencies]\ntorch = { version = ">=2.5,<2.8" }\n')[0],
      "torch>=2.5,<2.8")

# Then a lock that pins CUDA, then the environment; unsuitable ones are named with the reason.
LOCK = "torch==2.6.0\nnvidia-cuda-runtime-cu12==12.4.127\n"
locked, value = chosen(dependencies("torch"), requirements__txt=LOCK)
equal(locked, "lock:requirements.txt")
assert any("without a version" in row["because"] for row in value["passed"]), value["passed"]
wanted, value = chosen(PROJECT, requirements__txt=LOCK)
equal((wanted, value["alternatives"][0]["runtime"]), ("torch==2.5.1", ["lock:requirements.txt"]))
wanted, value = chosen(dependencies("torch>=2.5"), requirements__txt=LOCK)
equal(wanted, "lock:requirements.txt")  # the range spans two majors
assert value["passed"][0]["place"] == "torch>=2.5", value["passed"]
refused(folder(requirements__txt="numpy==1.0\n"), 2, "requirements.txt")


def environment(path):
    """As made by `python -m venv`, with a CUDA runtime's wheel and torch."""
    site = path / "lib/python3.11/site-packages"
    for name, version, files in (("nvidia_cuda_runtime_cu12", "12.4.127",
                                  ["nvidia/cuda_runtime/lib/libcudart.so.12"]),
                                 ("torch", "2.5.1", ["torch/version.py"])):
        for file in files:
            (site / file).parent.mkdir(parents=True, exist_ok=True)
            (site / file).write_text("__version__ = '2.5.1+cu124'\ncuda = '12.4'\n")
        info = site / f"{name}-{version}.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\n"
                                       f"Version: {version}\n\n")
        (info / "RECORD").write_text("".join(f"{file},,\n" for file in files))
    (path / "pyvenv.cfg").write_text("home = /usr/bin\nversion = 3.11.2\n")
    return path


path = folder()
own = environment(path / ".venv")
for variables in ({}, {"VIRTUAL_ENV": str(own)}):
    value = document(path, "--dry-run", **variables)
    equal((value["chosen"]["runtime"], value["chosen"]["line"], value["alternatives"]),
          (["env:.venv"], "12.4", []))
good(path)
equal((path / "cuda-cc.toml").read_text(), 'runtime = "env:.venv"\n')
equal(declared(path), [f"env:{own}"])
path = folder()
elsewhere = environment(place.root / "elsewhere")
value = document(path, "--dry-run", VIRTUAL_ENV=str(elsewhere))
equal(value["chosen"]["runtime"], ["env"])
inside = environment(path / "inner")
value = document(path, "--dry-run", VIRTUAL_ENV=str(inside))
equal(value["chosen"]["runtime"], ["env:inner"])
refused(path, 2, "two Python environments", VIRTUAL_ENV=str(inside), CONDA_PREFIX=str(elsewhere))

# The toolkit that is found is checked as by a compile.
for line, verdict in (("12.4", "accept"), ("12.5", "reject")):
    root = place.root / f"cuda-{line}"
    for name in ("bin", "include", "nvvm/bin"):
        (root / name).mkdir(parents=True)
    nvcc = root / "bin/nvcc"
    nvcc.write_text(f"#!/bin/sh\n# Cuda compilation tools, release {line}, V{line}.99\n")
    nvcc.chmod(0o755)
    (root / "bin/nvcc.profile").write_text("TOP = $(_HERE_)/..\n")
    value = document(folder(pyproject__toml=PROJECT), PATH=f"{root}/bin:/usr/bin:/bin")
    equal((value["toolkit"]["verdict"], value["written"]), (verdict, True), value)
    assert value["toolkit"]["text"].startswith(f"CUDA {line} at {root}"), value
out = good(folder(pyproject__toml=PROJECT), PATH=f"{place.root}/cuda-12.5/bin:/usr/bin:/bin")
assert "refused, " in out and "[CC3001]" in out, out
assert "raise the runtime to torch>=2.7.0,<2.11 (CUDA 12.6)" in " ".join(out.split()), out

for words in (["word"], ["--dry-run=1"], ["--cflags"], ["--format=sarif"]):
    refused(folder(), 2, "CC1001", *words)

# A read-only file is not changed, for root too; a symbolic link stays one, and the mode is kept.
path = folder(pyproject__toml=PROJECT)
(path / "pyproject.toml").chmod(0o444)
refused(path, 4, "pyproject.toml: it is read-only")
equal((path / "pyproject.toml").stat().st_mode & 0o7777, 0o444)
good(path, "--dry-run")
path, real = folder(), folder(pyproject__toml=PROJECT)
(path / "pyproject.toml").symlink_to(real / "pyproject.toml")
(real / "pyproject.toml").chmod(0o444)
refused(path, 4, "it is read-only")
(real / "pyproject.toml").chmod(0o640)
good(path)
assert (path / "pyproject.toml").is_symlink()
assert "[tool.cuda-cc]" in (real / "pyproject.toml").read_text()
equal((real / "pyproject.toml").stat().st_mode & 0o7777, 0o640)
