# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""The documents of every command: keys, types, codes and exit status stay what they are (golden/documents-*.txt)."""
import json
import re
import shutil
import subprocess
import sys

from binaries import CUDART, JITLINK, PROGRAM, SOURCE, Binaries
from golden import Golden, codes, shape
from recording import Place

sys.path.insert(0, str(SOURCE / "tests/fuzz"))
from corpus import FATBIN, NOTES

place = Binaries()
work = place.work
kit = Place("12.4")
(kit.toolkit / "lib64/libcudart.so.12").write_text("")
ENVIRONMENT = {"PATH": f"{kit.toolkit}/bin:{kit.bin}:/usr/bin:/bin", "HOME": str(place.root), "LC_ALL": "C",
               "XDG_DATA_HOME": str(place.root / "data")}
MASKED = ((place.root, "ROOT"), (kit.root, "KIT"))


def call(*words, **more):
    return subprocess.run([PROGRAM, *map(str, words)], cwd=work, text=True, capture_output=True,
                          stdin=subprocess.DEVNULL, env={**ENVIRONMENT, **more})


def plain(text):
    for path, other in MASKED:
        text = text.replace(str(path), other)
    return text


def document(golden, *words, edit=None, form="json", read=None, **more):
    """One section: the command, its exit status, the structure of its output."""
    done = call(*words, f"--format={form}", **more) if not read else call(*words, **more)
    text = read.read_text() if read else done.stdout
    golden.section(plain(" ".join(map(str, words))).replace("\n", "; ") + (" (SARIF)" if form == "sarif" else ""))
    golden.add(f"exit {done.returncode}, codes on stderr {codes(done.stderr)}")
    if text:
        value = json.loads(text)
        if edit:
            edit(value)
        golden.table(shape(value, MASKED))


def made(name):
    return Golden(f"documents-{name}",
                  "golden-documents.py: keys of JSON with types and some values; `?`: not in every object.")


place.extension("ext.so", {JITLINK: ["__nvJitLinkCreate_12_5"], CUDART: ["cudaMalloc"]})
place.extension("good.so", {CUDART: ["cudaMalloc"]})
place.extension("bare.so", {CUDART: ["cudaMalloc"]}, ())
place.extension("torch.so", {"libtorch_cpu.so": ["_ZN2at4_ops3add4callERKNS_6TensorES4_RKN3c106ScalarE"]})
place.object("ext.o", ["cudaMalloc"])
place.gcc("-c", "-x", "c", "/dev/null", "-o", "empty.o")
subprocess.run(["ar", "rc", "libx.a", "ext.o", "empty.o"], cwd=work, check=True)
place.wheel("p-1.0-py3-none-any.whl", {"p/ext.so": work / "ext.so", "p-1.0.dist-info/METADATA":
            b"Metadata-Version: 2.1\nName: p\nVersion: 1.0\nRequires-Dist: torch==2.5.1\n"})
(work / "k.ptx").write_text(".version 8.4\n.target sm_80\n.address_size 64\n.visible .entry k() { ret; }\n")
# Device code, a link record, and a note about libraries that are opened at run time.
for name, text in (("fatbin.s", FATBIN), ("notes.s", NOTES)):
    (work / name).write_text(text)
place.gcc("-shared", "fatbin.s", "notes.s", "-o", "device.so", "-Wl,-rpath,/opt/x")
# A file with the record twice, and one that no process loads.
place.gcc("-c", "notes.s", "-o", "notes.o")
shutil.copy(work / "notes.o", work / "again.o")
place.gcc("-shared", "notes.o", "again.o", "-o", "twice.so")
(work / "sections.s").write_text(NOTES.replace('"a",%note', '"",%note'))
place.gcc("-shared", "sections.s", "-o", "sections.so")
# Another machine's file; an extension with names of the limited API and of torch, and a weak name of its own.
data = bytearray((work / "ext.so").read_bytes())
data[18:20] = b"\xf3\0"
(work / "riscv.so").write_bytes(data)
names = ["PyFrame_GetBack", "aoti_torch_get_dim", "_ZN3c1010TensorImpl17release_resourcesEv"]
(work / "names.c").write_text("__attribute__((weak)) void weak(void) {}\n" + "".join(
    f"void {name}(void);\nvoid *use_{name}(void) {{ return {name}; }}\n" for name in names))
place.gcc("-shared", "-fPIC", "names.c", "-o", "names.abi3.so", "-Wl,-soname,names.so")
place.gcc("-shared", "-fPIC", "names.c", "-o", "stable.abi3.so", f"-Dweak={names[0]}",
          f"-D{names[0]}=PyList_New", f"-D{names[2]}=aoti_torch_get_data_ptr")
# One file for each CUDA line, in a wheel that requires one release.
place.wheel("g-1.0-py3-none-any.whl", {
    "g/x_cuda124.so": work / "ext.so", "g/x_cuda118.so": work / "good.so",
    "g-1.0.dist-info/METADATA": b"Metadata-Version: 2.1\nName: g\nVersion: 1.0\nRequires-Dist: torch==2.5.1\n"})
(work / "requirements.txt").write_text("torch==2.5.1\nnvidia-nvjitlink-cu12==12.5.82\n")
runtime = ("--runtime", "torch==2.5.1")

golden = made("check")
for words in (["ext.so", *runtime], ["good.so", "p-1.0-py3-none-any.whl", *runtime],
              ["bare.so", "torch.so", *runtime],
              ["device.so", "missing.so", *runtime, "--gpu", "sm_90", "--deep", "--verify"],
              ["ext.so", "--against", "torch>=2.5,<2.8"], ["g-1.0-py3-none-any.whl", "--against", "torch>=2.5,<2.8"],
              ["names.abi3.so", "riscv.so", "twice.so", *runtime], ["ext.so", "--runtime", "torch==9.9"],
              ["k.ptx", "--runtime", "cuda==12.0", "--gpu", "sm_90,sm_70", "--driver", "525.60"],
              ["ext.so", "libx.a", "ext.o", "--deep", "--verify", "--strict", *runtime]):
    document(golden, "check", *words)
document(golden, "check", "ext.so", "missing.so", "p-1.0-py3-none-any.whl", *runtime, form="sarif")
golden.finish()

golden = made("inspect")
for words in (["ext.so"], ["ext.o", "libx.a", "p-1.0-py3-none-any.whl"], ["good.so", "--exports"], ["k.ptx"],
              ["device.so"], ["twice.so"], ["sections.so"], ["riscv.so"], ["torch.so"],
              ["names.abi3.so", "stable.abi3.so", "--exports"], ["missing.so"]):
    document(golden, "inspect", *words)
golden.finish()

golden = made("target")
for words in (["torch==2.5.1"], ["cuda>=12.4,<13", "sm>=80", "driver>=550.54"], ["lock:requirements.txt"],
              ["torch==2.5.1", "cuda==13.0"], ["torch==9.9"]):
    document(golden, "target", *(f"--runtime={word}" for word in words))
for words in (["torch==2.5.1", "torch==2.5.1"], ["torch==2.5.1;sm=80", "torch==2.11.0"]):
    document(golden, "target", "--diff", *words)
golden.finish()

golden = made("explain")
(work / "many.log").write_text("".join(
    f"ImportError: libcudart.so.{n}: cannot open shared object file: No such file or directory\n"
    for n in range(120)))
for words in (["CC3001"], ["undefined symbol: __nvJitLinkCreate_12_5, version libnvJitLink.so.12", *runtime],
              ["libcudart.so.13: cannot open shared object file"], ["many.log"], ["hello world"], ["CC301"]):
    document(golden, "explain", *words)
golden.finish()

# The machine's environment: its driver, and libraries that are not part of this test, are left out.
site = place.site("venv", {
    "nvidia-cuda-runtime-cu12": ("12.4.127", {f"nvidia/cuda_runtime/lib/{CUDART}":
                                              place.library("c.so", CUDART, ["cudaMalloc"])}),
    "nvidia-nvjitlink-cu12": ("12.4.127", {f"nvidia/nvjitlink/lib/{JITLINK}":
                                           place.library("j.so", JITLINK, ["__nvJitLinkCreate_12_4"])}),
    "pkg": ("1.0", {"pkg/good.so": "good.so", "pkg/ext.so": "ext.so"})})
for name in ("cuda.h", "cuda_runtime.h"):
    path = site / "nvidia/cuda_runtime/include" / name
    path.parent.mkdir(exist_ok=True)
    path.write_text("")


def without_machine(value):
    value["environment"]["driver"] = {}
    rows = value["environment"]["libraries"]
    rows[:] = [row for row in rows if row["path"].startswith(str(place.root))]


golden = made("doctor")
document(golden, "doctor", edit=without_machine)
document(golden, "doctor", site / "pkg/good.so", "--env", "venv", edit=without_machine)
document(golden, "doctor", site / "pkg/ext.so", "missing.so", "--env", "venv", edit=without_machine)
document(golden, "doctor", "no.such.module", "--env", "venv", edit=without_machine)
document(golden, "doctor", "--env", "nowhere")
# With torch imported first, and with an older copy found first.
old = place.library("old/" + JITLINK, JITLINK, ["__nvJitLinkCreate_12_0"])
place.extension("old.so", {JITLINK: ["__nvJitLinkCreate_12_4"]}, ())
place.extension("torch_python.so", {JITLINK: ["__nvJitLinkCreate_12_4"]}, ("$ORIGIN/../../nvidia/nvjitlink/lib",),
                "-Wl,-soname,libtorch_python.so")
site = place.site("torch", {
    "nvidia-nvjitlink-cu12": ("12.4.127", {f"nvidia/nvjitlink/lib/{JITLINK}": "j.so"}),
    "torch": ("2.5.1", {"torch/lib/libtorch_python.so": "torch_python.so"}),
    "pkg": ("1.0", {"pkg/old.so": "old.so"})})
(site / "torch/version.py").write_text("__version__ = '2.5.1+cu124'\ncuda = '12.4'\n")
torch = ("doctor", site / "pkg/old.so", "--env", "torch")
document(golden, *torch, "--before", "torch", edit=without_machine)
document(golden, *torch, edit=without_machine, LD_LIBRARY_PATH=str(old.parent))
golden.finish()

golden = made("target-environment")
for words in (["--runtime", "env:torch"], ["--diff", "env:torch", "torch==2.5.1"]):
    document(golden, "target", *words)
golden.finish()

golden = made("config")
for words in (["--runtime", "env:venv", "--libs", "--rpath", "nvJitLink"],
              ["--runtime", "env:venv", "--cflags", "cudart"],
              [*runtime, "--rpath", "nvJitLink"], [*runtime, "--libs", "nvJitLink"], [*runtime, "nonsense"]):
    document(golden, "config", *words)
golden.finish()

golden = made("toolchain")
for words in (["td", "--print", "--runtime=cuda==12.4"], ["td", "--runtime=cuda==12.4"],
              ["td", "--runtime=cuda==12.4"], ["--check", "td"], ["td", "--runtime=cuda==12.6"],
              ["td", "--runtime=cuda==12.3"], ["--check", "none"]):
    document(golden, "toolchain", *words)
golden.section("files of a toolchain directory")
golden.add(*sorted("  " + path.relative_to(work / "td").as_posix() for path in (work / "td").rglob("*")
                   if not path.is_dir() or path.is_symlink()))
golden.section("variables that are set by its script for a shell")
shell = subprocess.run(["sh", "-c", ". td/activate && env"], cwd=work, text=True, capture_output=True, check=True,
                       env=ENVIRONMENT)
golden.add(*sorted(set(re.findall(r"^(\w+)=", shell.stdout, re.M)) - {"HOME", "LC_ALL", "PWD", "XDG_DATA_HOME", "_"}))
golden.finish()

golden = made("matrix")
(work / "cuda-cc.toml").write_text(f"[matrix]\ntoolkits = ['{kit.toolkit}', '11.8']\nbuild = 'cp ext.so good.so'\n"
                                   "artefacts = ['*.so']\n")
for words in (["--plan", "--runtime=cuda==12.4", "--runtime=cuda==12.1", "--runtime=torch==2.5.1"],
              ["--runtime=cuda==12.4", "--runtime=cuda==13.0"], ["--plan"]):
    document(golden, "matrix", *words)
(work / "cuda-cc.toml").unlink()
shutil.rmtree(work / ".cuda-cc")
golden.finish()

# Build directories from the unit tests, in which the folders are /b, /s, /td and /cuda. A Ninja on PATH prints the
# recorded output, because the one that the build names does not exist.
golden = made("audit")
ninja = place.root / "ninja"
ninja.write_text('#!/bin/sh\ncat "$2/$4.commands"\n')
ninja.chmod(0o755)


def build(system, name):
    folder = work / f"{system}-{name}"
    text = (SOURCE / f"tests/unit/{system}/builds/{name}.json").read_text().replace("/usr/bin/ninja", "/none/ninja")
    for old, new in (("b", folder), ("s", work / "source"), ("td", work / "td"), ("cuda", kit.toolkit)):
        text = re.sub(rf"(?<![\w./])/{old}(?![\w.])", lambda _, new=new: str(new), text)
    for path, content in json.loads(text).items():
        path = re.sub("^-t commands (.*)", r"\1.commands", path)
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(content if isinstance(content, str) else json.dumps(content))
    return folder.name


for system, name in (("cmake", "3.25-ninja"), ("cmake", "3.25-round"), ("cmake", "4.4-makefiles"),
                     ("meson", "1.12.1"), ("meson", "1.12.1-round")):
    document(golden, "audit", build(system, name), NINJA=str(ninja))
document(golden, "audit", "cmake-3.25-round", form="sarif", NINJA=str(ninja))
document(golden, "audit", ".")
golden.finish()

golden = made("trace")
place.extension("traced.so", {CUDART: ["cudaMalloc"], JITLINK: ["__nvJitLinkCreate_12_5"]}, ("$ORIGIN/lib",))
place.library("lib/" + CUDART, CUDART, ["cudaMalloc"])
# A library that exists on no machine.
place.extension("gone.so", {"libnvJitLink.so.99": ["__nvJitLinkCreate_99_0"]}, ("$ORIGIN/lib",))
for name, exported, then in (("traced.so", "__nvJitLinkCreate_12_5", "os.kill(os.getpid(), 9)"),
                             ("traced.so", "__nvJitLinkCreate_12_4", ""), ("gone.so", "__nvJitLinkCreate_12_4", "")):
    place.library("lib/" + JITLINK, JITLINK, [exported])
    document(golden, "trace", "--format=json", "--output", "trace.json", "--", "python3", "-c",
             f"import ctypes, os\nctypes.CDLL('./{name}')\n{then}".strip(), read=work / "trace.json")
place.library("lib/" + JITLINK, JITLINK, ["__nvJitLinkCreate_12_5"])
document(golden, "trace", "--format=json", "--output", "trace.json", "--module", "traced", "--", "python3", "-c",
         "import ctypes; ctypes.CDLL('./traced.so')", read=work / "trace.json", LD_LIBRARY_PATH=str(old.parent))
document(golden, "trace", "--format=json")
golden.finish()

golden = made("small")
for words in (["version"], ["trust", "--list"], ["trust", "."], ["trust", "--list"], ["trust", "--remove", "."],
              ["trust", "nowhere"]):
    document(golden, *words)
(work / "project").mkdir()
(work / "project/pyproject.toml").write_text('[project]\nname = "x"\ndependencies = ["torch==2.5.1", "jax"]\n')
work /= "project"
for words in (["init", "--dry-run", "--runtime", "cuda==12.4"], ["init"], ["init"]):
    document(golden, *words)
golden.finish()
