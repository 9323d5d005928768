# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %python -B %s
"""`cuda-cc wheel prove` with a stand-in for uv: what is asked of it, that the lowest and the highest versions are
judged and imported, and that nothing is left behind."""
import base64
import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time

import schema
from binaries import JITLINK, PROGRAM, Binaries, equal, run

STAND_IN = f"#!{sys.executable}\n" + r"""
import os, re, shutil, sys, time, zipfile
words = sys.argv[1:]
with open(os.environ["LOG"], "a") as log:
    print(*words, "PYTHONPATH" in os.environ, file=log)
if words[0] == "venv":
    os.makedirs(words[1] + "/bin")
    os.makedirs(words[1] + "/lib/python3.11/site-packages")
    with open(words[1] + "/pyvenv.cfg", "w") as made:
        print("home = /usr/bin", file=made)
    with open(words[1] + "/bin/python", "w") as script:
        print('#!/bin/sh\n[ "$1 $2" = "-I -c" ] && exec', sys.executable, '-IBc "import sys; sys.path.insert(0, '
              'sys.argv[1]); exec(sys.argv[2])" "${0%/bin/python}/lib/python3.11/site-packages" "$3"', file=script)
    os.chmod(words[1] + "/bin/python", 0o755)
    sys.exit()
assert words[:3] + words[4:5] == ["pip", "install", "--python", "--resolution"], words
site = words[3].replace("/bin/python", "/lib/python3.11/site-packages")
if os.environ.get("SLOW"):
    print("started", flush=True)
    open(os.environ["SLOW"], "w").close()
    time.sleep(60)
there = sorted(os.listdir(os.environ["INDEX"]))
if words[5] == "highest":
    assert not words[7:], words
    chosen = there[-1]
else:
    least = "nvidia-nvjitlink-cu12==" + re.search(">=([0-9.]+)", words[7])[1]
    chosen = next((each for each in there if each >= least), None)
if not chosen:
    sys.exit("Using CPython 3.11\n  x No solution found: " + words[7] + " was not found")
zipfile.ZipFile(words[6].split("[")[0]).extractall(site)
shutil.copytree(os.environ["INDEX"] + "/" + chosen, site, dirs_exist_ok=True)
"""
place = Binaries()
tools, index, temporary = place.root / "bin", place.root / "index", place.root / "tmp"
for folder in (tools, temporary):
    folder.mkdir()
(tools / "uv").write_text(STAND_IN)
(tools / "uv").chmod(0o755)
for version, names in (("12.4.99", ["__nvJitLinkCreate_12_4"]),
                       ("12.5.40", ["__nvJitLinkCreate_12_4", "__nvJitLinkCreate_12_5"])):
    place.library(f"lib/{version}/{JITLINK}", JITLINK, names)
    site = place.site(f"made-{version}", {"nvidia-nvjitlink-cu12": (
        version, {f"nvidia/nvjitlink/lib/{JITLINK}": f"lib/{version}/{JITLINK}"})})
    shutil.copytree(place.work / site, index / f"nvidia-nvjitlink-cu12=={version}")
extension = place.extension("ext.so", {JITLINK: ["__nvJitLinkCreate_12_5"]})
LOAD = b"import ctypes, os\nctypes.CDLL(os.path.dirname(__file__) + '/ext.so', os.RTLD_NOW)\n"
NAME = "x-1.0-py3-none-linux_x86_64.whl"


def wheel(requires, name=NAME, **more):
    info = "x-1.0.dist-info"
    files = {"x/__init__.py": b"", "x/load.py": LOAD, "x/ext.so": extension.read_bytes(),
             f"{info}/METADATA": f"Metadata-Version: 2.1\nName: x\nVersion: 1.0\nRequires-Dist: {requires}\n".encode(),
             f"{info}/WHEEL": b"Wheel-Version: 1.0\nRoot-Is-Purelib: false\nTag: py3-none-linux_x86_64\n", **more}
    rows = "".join("%s,sha256=%s,%d\n" % (each, base64.urlsafe_b64encode(hashlib.sha256(data).digest())
                                          .rstrip(b"=").decode(), len(data)) for each, data in files.items())
    return place.wheel(f"dist/{name}", {**files, f"{info}/RECORD": f"{rows}{info}/RECORD,,\n".encode()})


variables = {"HOME": str(place.root), "INDEX": str(index), "LOG": str(place.root / "log"), "TMPDIR": str(temporary),
             "PYTHONPATH": "/of-the-user", "PATH": f"{tools}:{os.environ['PATH']}"}


def prove(*words, **environment):
    done = run(PROGRAM, "wheel", "prove", *words, cwd=place.work, **{**variables, **environment})
    equal(os.listdir(temporary), [], "nothing is left behind")
    return done


right = wheel("nvidia-nvjitlink-cu12>=12.5,<13")
done = prove(right, "--import", "x.load")
equal(done.returncode, 0, done.stdout + done.stderr)
assert "lowest       accept\n" in done.stdout and "highest      accept\n" in done.stdout, done.stdout
assert done.stdout.count("x.load: works") == 2, done.stdout
lines = (place.root / "log").read_text().splitlines()
equal([line.split()[0] for line in lines], ["venv", "pip", "venv", "pip"])
assert " --resolution lowest-direct " in lines[1], lines
assert lines[1].endswith(f"/{NAME} nvidia-nvjitlink-cu12>=12.5,<13 False"), lines
# The highest is the installer's own choice.
assert " --resolution highest " in lines[3] and lines[3].endswith(f"/{NAME} False"), lines

# The lower bound is too low: the lowest version lacks a name, and the loader says so too.
low = wheel("nvidia-nvjitlink-cu12>=12.4.99,<13", name="x-1.0-py3-none-manylinux_2_17_x86_64.whl")
done = prove(low, "--format=json", "--import", "x.load")
equal(done.returncode, 3, done.stdout)
document = schema.fit(json.loads(done.stdout), "wheel-prove")
lowest, highest = document["proofs"]
equal((document["verdict"], lowest["verdict"], highest["verdict"]), ("reject", "reject", "accept"))
equal((lowest["lowered"], highest["lowered"]), (["nvidia-nvjitlink-cu12>=12.4.99,<13"], []))
equal(lowest["installed"], {"nvidia-nvjitlink-cu12": "12.4.99"})
[file] = lowest["check"]["files"]
equal((file["path"], [each["code"] for each in file["findings"] if each["severity"] == "error"]),
      ("x/ext.so", ["CC4002"]))
equal([each["code"] for each in lowest["findings"]], ["CC4220"])
assert str(temporary) not in json.dumps(lowest["check"]), lowest
equal(prove(low, "--resolution=highest").returncode, 0)
equal(prove(low, "--resolution=lowest").returncode, 3)

# CUDA by an extra: without it nothing loads, so each extra is proved by itself.
OPTIONAL = "x-1.0-py3-none-manylinux_2_34_x86_64.whl"
marked = "{}; sys_platform == 'linux' and extra == '{}'"
lines = wheel(marked.format("nvidia-nvjitlink-cu12>=12.5,<13", "cu12") + "\nRequires-Dist: "
              + marked.format("nvidia-nvjitlink-cu12>=12.4.99,<13", "low") + "\nRequires-Dist: "
              + marked.format("numpy", "test") + "\nProvides-Extra: cu12\nProvides-Extra: low\nProvides-Extra: Test",
              name=OPTIONAL)
done = prove(lines, "--format=json")
document = schema.fit(json.loads(done.stdout), "wheel-prove")
equal([(each["resolution"], each.get("extra"), each["verdict"]) for each in document["proofs"]],
      [("lowest", "cu12", "accept"), ("highest", "cu12", "accept"), ("lowest", "low", "reject"),
       ("highest", "low", "accept")])
equal((done.returncode, document["proofs"][0]["lowered"]), (3, ["nvidia-nvjitlink-cu12>=12.5,<13"]))
(place.root / "log").unlink()
done = prove(lines, "--extra", "cu12", "--extra=cu12,test", "--resolution=lowest")
equal(done.returncode, 0, done.stdout + done.stderr)
for each in ("[cu12]", "[cu12,test]"):
    assert f"lowest       accept, with {each}\n" in done.stdout, done.stdout
asked = (place.root / "log").read_text()
assert f"/{OPTIONAL}[cu12] nvidia-nvjitlink-cu12>=12.5,<13 " in asked and f"/{OPTIONAL}[cu12,test] " in asked, asked
# One that the wheel does not have; what needs no extra is proved without.
done = prove(lines, "--extra=cu14")
equal((done.returncode, done.stdout, "cu12, low, test" in done.stderr), (2, "", True), done.stderr)
equal(prove(right).stdout.count("["), 0)

# One for a free-threaded Python.
(place.root / "log").unlink()
prove(wheel("nvidia-nvjitlink-cu12>=12.5,<13", name="x-1.0-cp313-cp313t-linux_x86_64.whl"), "--resolution=lowest")
asked = (place.root / "log").read_text().splitlines()
assert asked[0].endswith(" --python 3.13t False"), asked

# What cannot be had: a version that no index has, one that no table has, no installer, no wheel.
gone = wheel("nvidia-nvjitlink-cu12>=12.6,<13", name="x-1.0-py3-none-manylinux_2_28_x86_64.whl")
done = prove(gone, "--resolution=lowest")
equal(done.returncode, 4, done.stdout)
assert "[CC2029]" in done.stdout and "was not found" in done.stdout, done.stdout
for words, status, code in (([place.root / "log"], 4, "CC2014"), ([place.root / "gone.whl"], 4, "CC2005"),
                            ([right, right], 2, "CC1001"), ([right, "--resolution=newest"], 2, "CC1001"),
                            ([right, "--import=x; import os"], 2, "CC1001")):
    done = prove(*words)
    equal((done.returncode, done.stdout), (status, ""), done.stderr)
    assert f"[{code}]" in done.stderr and done.stderr.count("error:") == 1, done.stderr
# pip has to be given versions, and no table has this one.
never = wheel("nvidia-nvjitlink-cu12>=99", name="x-1.0-py3-none-manylinux_2_31_x86_64.whl")
(place.root / "python").mkdir()
(place.root / "python/python3").symlink_to(sys.executable)
for path, found, words in ((right, "/nowhere", "neither uv nor Python was found [CC2029]"),
                           (never, str(place.root / "python"), "no known version of nvidia-nvjitlink-cu12")):
    done = prove(path, PATH=found)
    equal((done.returncode, done.stdout), (4, ""), done.stderr)
    assert words in done.stderr and done.stderr.count("error:") == 1, done.stderr

# What lies in the working directory is neither venv nor pip.
for name in ("venv.py", "pip.py"):
    (place.work / name).write_text(f"open({str(place.root / 'ran')!r}, 'w')\n")
done = prove(right, PATH=str(place.root / "python"), PIP_NO_INDEX="1")
equal(done.returncode, 4, done.stderr)
assert "pip says" in done.stdout and not (place.root / "ran").exists(), done.stdout

# Nowhere to make an environment.
done = prove(right, TMPDIR=str(place.root / "log"))
equal((done.returncode, done.stdout), (4, ""), done.stderr)
equal(done.stderr.count("error:"), 1, done.stderr)

# Killed while the installer works: it ends as well, and nothing is left behind.
NUMBERS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


def unignored():
    for each in NUMBERS:
        signal.signal(each, signal.SIG_DFL)


for number in NUMBERS:
    mark = place.root / f"slow-{number}"
    killed = subprocess.Popen([PROGRAM, "wheel", "prove", right], cwd=place.work, env={**variables, "SLOW": str(mark)},
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, preexec_fn=unignored)
    while not mark.exists():
        assert killed.poll() is None, killed.stderr.read()
        time.sleep(0.01)
    killed.send_signal(number)
    equal((killed.wait(timeout=30), killed.stderr.read()), (-number, b""))
    equal(os.listdir(temporary), [], "nothing is left behind")
