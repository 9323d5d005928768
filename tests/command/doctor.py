# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %python -B %s
"""doctor: its arguments, how it finds the environment, its output without files."""
import json
import sys

import schema
from binaries import PROGRAM, WHEEL_PATHS, Binaries, equal, run

place = Binaries()
place.extension("ext.so", {}, WHEEL_PATHS, "-Wl,--defsym=PyInit__C=init,--defsym=PyInit_edited=init")

def doctor(*words, **environment):
    nothing = {"VIRTUAL_ENV": "", "CONDA_PREFIX": "", "LD_LIBRARY_PATH": ""}
    ended = run(PROGRAM, "doctor", *words, cwd=place.work, **{**nothing, **environment})
    if "--format=json" in words and ended.stdout:
        schema.fit(json.loads(ended.stdout), "doctor")
    return ended

# Without files: the report about the environment.
ended = doctor()
equal((ended.returncode, ended.stderr), (0, ""), ended)
assert ended.stdout.startswith("no Python environment\n"), ended
equal(json.loads(doctor("--format=json").stdout)["files"], [])

# A file that loads anywhere.
ended = doctor("ext.so")
equal((ended.returncode, ended.stdout.splitlines()[0]), (0, "ext.so: accept on this machine"), ended)
equal(json.loads(doctor("ext.so", "--format=json").stdout)["files"][0]["ends"], "loads")

# Invalid arguments: no environment, no module, nothing to import first, no such option.
for words, status, code in ((["--env", "/nowhere"], 4, "CC2005"),
                            (["ext.so", "--before", "torch"], 4, "CC2021"),
                            (["ext.so", "--no-such"], 2, "CC1001"),
                            (["ext.so", "--format=sarif"], 2, "CC1001"),
                            (["--env"], 2, "CC1001")):
    ended = doctor(*words)
    equal((ended.returncode, ended.stdout), (status, ""), ended)
    assert f"[{code}]" in ended.stderr, ended
ended = doctor("no.such.module")
equal(ended.returncode, 4, ended)
assert "[CC2021]" in ended.stdout, ended
assert "[CC2005]" in doctor("missing.so").stdout

# An environment: packages by their dotted name, editable installs too.
site = place.work / "env/lib/python3.11/site-packages"
(site / "pkg").mkdir(parents=True)
(place.work / "env/pyvenv.cfg").write_text("home = /usr/bin\n")
(site / "pkg/_C.abi3.so").symlink_to(place.work / "ext.so")
source = place.work / "source"
source.mkdir()
(source / "edited.so").symlink_to(place.work / "ext.so")
(site / "edited.pth").write_text(f"{source}\n")
for words, name in ((["pkg._C"], "env/lib/python3.11/site-packages/pkg/_C.abi3.so"),
                    (["pkg"], "env/lib/python3.11/site-packages/pkg/_C.abi3.so"),
                    (["edited"], "source/edited.so")):
    ended = doctor(*words, "--env", "env")
    equal((ended.returncode, ended.stdout.split(": ")[0]), (0, name), ended)
equal(doctor("pkg._C", VIRTUAL_ENV=str(place.work / "env")).returncode, 0)
file = doctor(str(site / "pkg/_C.abi3.so"), "--format=json")
equal(json.loads(file.stdout)["environment"]["prefix"], str(place.work / "env"))

# A fix names the environment: a bare pip may be another's, the active one's too.
cudart = site / "nvidia/cuda_runtime/lib/libcudart.so.12"
cudart.parent.mkdir(parents=True)
cudart.write_bytes((place.work / "ext.so").read_bytes())
for version in ("12.4.127", "12.8.90"):
    info = site / f"nvidia_cuda_runtime_cu12-{version}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Name: nvidia-cuda-runtime-cu12\nVersion: {version}\n")
    size = cudart.stat().st_size + (version != "12.8.90")
    (info / "RECORD").write_text(f"{cudart.relative_to(site)},,{size}\n")
(site / "pip").mkdir()
(place.work / "env/bin").mkdir()
(place.work / "env/bin/python").symlink_to(sys.executable)
for words, active in ((["--env", "env"], ""), ([], str(place.work / "env"))):
    text = " ".join(doctor(*words, VIRTUAL_ENV=active).stdout.split())
    pip, name = f"{place.work}/env/bin/python -m pip", "nvidia-cuda-runtime-cu12"
    assert (f"fix: {pip} uninstall -y {name} && {pip} uninstall -y {name} && {pip} install --force-reinstall --no-deps "
            f"{name}==12.8.90 fix:") in text, text

# An environment whose only wheel of NVIDIA's is NCCL's or cuDNN's has no CUDA: one verdict, one status.
for dist, library in (("nvidia_nccl_cu12-2.27.3", "nccl/lib/libnccl.so.2"),
                      ("nvidia_cudnn_cu12-9.10.2.21", "cudnn/lib/libcudnn.so.9")):
    bare = place.work / dist
    packages = bare / "lib/python3.11/site-packages"
    (packages / f"{dist}.dist-info").mkdir(parents=True)
    (packages / "nvidia" / library).parent.mkdir(parents=True)
    (packages / "nvidia" / library).write_bytes((place.work / "ext.so").read_bytes())
    (bare / "pyvenv.cfg").write_text("home = /usr/bin\n")
    name, version = dist.split("-")
    (packages / f"{dist}.dist-info/METADATA").write_text(f"Name: {name}\nVersion: {version}\n")
    (packages / f"{dist}.dist-info/RECORD").write_text(f"nvidia/{library},,\n")
    ended = doctor("--env", bare, "ext.so")
    assert ended.stdout.startswith(f"ext.so: accept on env:{bare.name}\n") and "CC2007" not in ended.stdout, ended
    equal((ended.returncode, ended.stderr, doctor("--env", bare).returncode), (0, "", 0), ended)
    # What is declared as the runtime has to have one.
    for words in (("check", "ext.so", "--runtime"), ("target", "--runtime")):
        ended = run(PROGRAM, *words, f"env:{bare}", cwd=place.work)
        assert ended.returncode == 4 and "[CC2007]" in ended.stderr, ended

# Python code alone has no file, wherever it lies; modules in subpackages are imported with their package.
(site / "pure").mkdir()
(site / "pure/__init__.py").write_text("")
(place.work / "script.py").write_text("")
for words in (["pure", "--env", "env"], ["script", "--env", "env"]):
    ended = doctor(*words)
    assert ended.returncode == 4 and "is Python code alone" in ended.stdout, ended
    assert "PYTHONPATH" not in ended.stdout and "searched" not in ended.stdout, ended
(site / "deep/_core").mkdir(parents=True)
(site / "deep/__init__.py").write_text("")
(site / "deep/_core/_umath.abi3.so").write_bytes((place.work / "ext.so").read_bytes())
ended = doctor("ext.so", "--env", "env", "--before", "deep")
assert ended.returncode == 0 and "first: deep" in ended.stdout, ended

# An object and a wheel are not loaded.
(place.work / "x.o").write_bytes((place.work / "ext.so").read_bytes()[:16] + b"\x01\x00" +
                                 (place.work / "ext.so").read_bytes()[18:])
ended = doctor("x.o")
equal(ended.returncode, 2, ended)
