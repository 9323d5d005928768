# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""`cuda-cc toolchain DIR --fetch` with a stand-in for uv: what is fetched, the license, what is kept and used again,
and that nothing is started where nothing has to be fetched."""
import fcntl
import json
import shutil
import sys

import recorder
import schema
from recording import Place, equal

place = Place("12.4")
shutil.rmtree(place.toolkit)
wheel = place.root / "wheel"
recorder.toolkit(wheel, "13.0")
shutil.rmtree(wheel / "lib64")
(wheel / "version.json").unlink()
(wheel / "lib").mkdir()
(wheel / "lib/libcudart.so.13").write_text("cudart")
LOG = place.root / "log"
uv = place.bin / "uv"
uv.write_text(f"""#!{sys.executable}
import json, os, shutil, sys
target, requirements = sys.argv[sys.argv.index("--target") + 1], sys.argv[-1]
# Of a working directory uv obeys the files, here an empty one.
assert os.getcwd() == os.path.dirname(target) and os.path.getsize("uv.toml") == 0, os.getcwd()
with open({str(LOG)!r}, "a") as log:
    print(json.dumps([sys.argv[1:], open(requirements).read().split()]), file=log)
if os.environ.get("FAIL"):
    sys.exit(os.environ["FAIL"])
if "nvidia-cuda-nvcc" in open(requirements).read():
    shutil.copytree({str(wheel)!r}, target + "/nvidia/cu13")
else:
    os.makedirs(target + "/nvidia/cublas/lib")
    open(target + "/nvidia/cublas/lib/libcublas.so.13", "w").close()
os.makedirs(target + "/nvidia_cuda_nvcc-13.0.88.dist-info")
open(target + "/nvidia_cuda_nvcc-13.0.88.dist-info/License.txt", "w").close()
""")
uv.chmod(0o755)
cache = place.root / "cache"
KEPT = cache / "cuda-cc/toolkits"


def call(*words, **more):
    return place.call("toolchain", *words, XDG_CACHE_HOME=cache, **more)


def log():
    found = [json.loads(line) for line in LOG.read_text().splitlines()] if LOG.exists() else []
    LOG.unlink(missing_ok=True)
    return found


# The plan; it starts nothing and writes nothing.
plan = schema.fit(json.loads(call("td", "--runtime=torch==2.11.0", "--fetch", "--print", "--format=json").out), "fetch")
equal([part["name"] for part in plan["parts"]], ["nvidia-cuda-nvcc", "nvidia-cuda-crt", "nvidia-nvvm",
                                                 "nvidia-cuda-runtime", "nvidia-cuda-cccl"])
equal((plan["kept"], plan["license"]["accepted"]), (False, False))
equal(sum(part["bytes"] for part in plan["parts"]) < 120e6, True, "bytes of a first compile")
text = call("td", "--runtime=torch==2.11.0", "--fetch", "--print").out
assert text.startswith("CUDA 13.0.3 for ") and "37.3 MB  wheel nvidia-cuda-nvcc==13.0.88" in text, text
older = call("td", "--runtime=torch==2.5.1", "--fetch", "--print").out
assert "archive cuda_nvcc/linux-" in older and "CUDA_CC_REDIST_URL is not set" in older, older
assert not cache.exists() and not log()

# Nothing is fetched before the license is accepted, and no directory is made.
ended = call("td", "--runtime=cuda==13.0", "--fetch")
equal(ended.status, 2)
assert "[CC1015]" in ended.err and "--runtime=cuda==13.0 --fetch --accept-license" in " ".join(ended.err.split()), ended
assert not cache.exists() and not (place.work / "td").exists() and not log()

# A failure leaves no folder; what to carry is named.
ended = call("td", "--runtime=cuda==13.0", "--fetch", "--accept-license", FAIL="error: no network")
said = " ".join(ended.err.split())
equal(ended.status, 4)
assert "[CC2035]" in said and "error: no network" in said and "nvidia-nvvm==13.0.88" in said, said
equal(sorted(each.name for each in KEPT.iterdir()), [".locks"])
log()

# Accepted, and recorded: the second kind of toolkit asks no more.
ended = call("td", "--runtime=cuda==13.0", "--fetch")
equal(ended.status, 0, ended)
[[words, requirements]] = log()
equal(requirements[:2], ["nvidia-cuda-nvcc==13.0.88", f"--hash=sha256:{plan['parts'][0]['sha256']}"])
assert "--require-hashes" in words and "--no-deps" in words, words
[folder] = [each for each in KEPT.iterdir() if not each.name.startswith(".")]
equal(folder.name, plan["key"])
assert (folder / "lib64/libcudart.so").resolve() == folder / "lib/libcudart.so.13"
assert (folder / "licenses/nvidia_cuda_nvcc-License.txt").exists()
equal(json.loads((folder / "version.json").read_text())["cuda_nvcc"]["version"], "13.0.88")
td = place.work / "td"
equal((td / "lib64/libcudart.so.13").resolve(), folder / "lib/libcudart.so.13")

# Again, and for another directory and runtime: no program is started, the network is not needed.
for words in (("td", "--runtime=cuda==13.0"), ("td2", "--runtime=torch==2.11.0")):
    ended = call(*words, "--fetch", PATH=f"{place.bin}/none:{place.bin}", FAIL="error: started")
    equal(ended.status, 0, ended)
assert not log()
assert "up to date" in call("td", "--runtime=cuda==13.0", "--fetch").out
equal(call("--check", "td").status, 0)
printed = call("td3", "--runtime=cuda==13.0", "--fetch", "--print").out
assert f"is there  {folder}" in printed.replace("\n", " ") and "accepted" in printed, printed

# A library, in the runtime's own version; the index's hash counts.
equal(call("td4", "--runtime=torch==2.11.0", "--fetch", "--with=cublas").status, 0)
[_, [words, requirements]] = log()
assert "--require-hashes" not in words and requirements[0].startswith("nvidia-cublas==13."), requirements
assert (place.work / "td4/lib64/libcublas.so").exists()

# A link that names a library which was not fetched ends in the command that adds it; one that has it does not.
compiler = place.bin / "g++"
compiler.rename(place.bin / "asked")
compiler.write_text(f'#!/bin/sh\ncase "$*" in *-o*) exit 1;; esac\nexec {place.bin}/asked "$@"\n')
compiler.chmod(0o755)


def linked(*words):
    ended = place.call(td / "bin/g++", "-shared", "k.o", *words, "-o", "k.so", program=None, XDG_CACHE_HOME=cache)
    equal(ended.status, 1, ended)
    return ended.err


said = linked("-lcublas")
assert "[CC2036]" in said and f"fix: cuda-cc toolchain {td} --add cublas" in said, said
equal(linked("-lz", "-lcudart"), "")
equal(call("td", "--add=cublas").status, 0)
[_, [words, requirements]] = log()
assert requirements[0].startswith("nvidia-cublas==13."), requirements
assert (td / "lib64/libcublas.so").exists()
equal(linked("-lcublas"), "")
(place.bin / "asked").replace(compiler)
assert "up to date" in call("td", "--add=cublas").out and "--with=cublas" in (td / "cuda-cc.facts").read_text()
ended = call("none", "--add=cublas")
equal(ended.status, 4, ended)
assert "there is no toolchain directory" in ended.err, ended

# Without --with, what the build files of the project name, wherever they lie in it.
for path, text, named in (
    ("CMakeLists.txt", "# CUDA::cufft\ntarget_link_libraries(a CUDA::cublasLt CUDA::cudart)",
     "cublas in CMakeLists.txt:2"),
    ("CMakeLists.txt", "find_package(CUDAToolkit REQUIRED COMPONENTS cufft)", "cufft in CMakeLists.txt:1"),
    ("src/setup.py", "Extension(libraries=['cusolver', 'z'])", "cusolver in src/setup.py:1"),
    ("Makefile", "LDLIBS = -lcurand -lcudart -lm", "curand in Makefile:1"),
    ("Makefile", "# -lcurand\nname = curand\nx = -Lcublas -Wl,cublas", None),
    ("venv/setup.py", "Extension(libraries=['cusolver'])", None),
    ("a/b/c/d/Makefile", "-lcurand", None),
):
    project = place.root / "project"
    (project / path).parent.mkdir(parents=True)
    (project / "Makefile").write_text("")
    (project / path).write_text(text)
    if path.startswith("venv"):
        (project / "venv/pyvenv.cfg").write_text("")
    printed = call("td", "--runtime=cuda==13.0", "--fetch", "--print", cwd=project)
    equal(printed.status, 0, printed)
    equal([line.split(None, 1)[1] for line in printed.out.splitlines() if line.startswith("  named")],
          [named] if named else [], f"{path}: {printed.out}")
    assert "named" not in call("td", "--runtime=cuda==13.0", "--fetch", "--print", "--with=none", cwd=project).out
    # Beside what is asked for.
    both = call("td", "--runtime=cuda==13.0", "--fetch", "--print", "--with=npp", cwd=project).out
    assert "nvidia-npp==" in both and ("named" in both) == bool(named), both
    shutil.rmtree(project)

# A lock is written, and then nothing else is taken: other hashes, and no others than it has.
lock = place.work / "toolkit.lock"
equal(call("td8", "--runtime=cuda==13.0", "--fetch", "--lock=toolkit.lock").status, 0)
written = schema.fit(json.loads(lock.read_text()), "fetch-lock")
equal(written["toolkits"][0]["parts"], plan["parts"])
equal(call("td8", "--runtime=cuda==13.0", "--fetch", "--lock=toolkit.lock").status, 0)
assert not log()
written["toolkits"][0]["parts"][0]["sha256"] = "a" * 64
lock.write_text(json.dumps(written))
equal(call("td9", "--runtime=cuda==13.0", "--fetch", "--lock=toolkit.lock").status, 0)
[[words, requirements]] = log()
equal(requirements[1], "--hash=sha256:" + "a" * 64)
for words, message in (
    (("--runtime=cuda==13.0", "--with=cublas"), "it has no cublas"),
    (("--runtime=cuda==13.2", "--nvcc=13.1"), "not 13.1"),
    (("--runtime=cuda==12.4",), "CUDA 13.0.3, of which the runtime takes 12.4"),
):
    ended = call("td10", *words, "--fetch", "--lock=toolkit.lock")
    equal(ended.status, 2, ended)
    assert message in " ".join(ended.err.split()), ended
lock.write_text("{")
assert "[CC2016]" in call("td10", "--runtime=cuda==13.0", "--fetch", "--lock=toolkit.lock").err

# What is kept.
listed = schema.fit(json.loads(place.call("cache", "list", "--format=json", XDG_CACHE_HOME=cache).out), "cache")
equal(len(listed["toolkits"]), 4, listed)
assert plan["key"] in place.call("cache", "list", XDG_CACHE_HOME=cache).out
equal(place.call("cache", "dir", XDG_CACHE_HOME=cache).out, f"{KEPT}\n")
others = [row["key"] for row in listed["toolkits"] if row["key"] != plan["key"]]
(KEPT / ".partial-x").mkdir()
equal(place.call("cache", "prune", *others, XDG_CACHE_HOME=cache).status, 0)
equal({each.name for each in KEPT.iterdir()}, {".locks", ".partial-x", plan["key"]})
assert "no such toolkit" in place.call("cache", "prune", "../x", XDG_CACHE_HOME=cache).err
equal(place.call("cache", XDG_CACHE_HOME=cache).status, 2)

# The folder is another's: refused.
folder.chmod(0o777)
ended = call("td5", "--runtime=cuda==13.0", "--fetch")
equal(ended.status, 2, ended)
assert "[CC1012]" in ended.err, ended
folder.chmod(0o755)


# So is a place where others can put links: nothing is written or removed there.
for shared in (KEPT, KEPT.parent, KEPT / ".locks"):
    shared.chmod(0o777)
    before = sorted(cache.rglob("*"))
    for words in (("toolchain", "td5", "--runtime=cuda==12.9", "--fetch", "--accept-license"), ("cache", "prune")):
        ended = place.call(*words, XDG_CACHE_HOME=cache, CUDA_CC_REDIST_URL="http://127.0.0.1:1")
        equal(ended.status, 2, ended)
        assert "[CC1012]" in ended.err, ended
    equal(sorted(cache.rglob("*")), before)
    shared.chmod(0o755)

# What lies in the working directory is not what pip is.
hidden = uv.rename(place.root / "uv")
place.write("pip.py", f"open({str(place.root / 'ran')!r}, 'w')\n")
python = place.bin / "python3"
python.write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
python.chmod(0o755)
ended = call("td5", "--runtime=cuda==13.2", "--fetch", PIP_NO_INDEX=1)
equal(ended.status, 4, ended)
assert "could not install the wheels" in ended.err and "No matching distribution" in ended.err, ended
assert not (place.root / "ran").exists()
python.unlink()
hidden.rename(uv)

# An environment with an nvcc needs none.
site = place.work / "venv/lib/python3.11/site-packages"
recorder.toolkit(site / "nvidia/cu13", "13.0")
(place.work / "venv/pyvenv.cfg").write_text("home = /usr/bin\nversion = 3.11.2\n")
for name in ("nvidia_cuda_nvcc-13.0.88", "nvidia_cuda_runtime-13.0.96"):
    (site / f"{name}.dist-info").mkdir()
    (site / f"{name}.dist-info/METADATA").write_text("Name: {}\nVersion: {}\n".format(*name.split("-")))
(site / "nvidia/cu13/lib").mkdir()
(site / "nvidia/cu13/lib/libcudart.so.13").write_text("")
ended = call("td6", "--runtime=env:venv", "--fetch", "--print")
equal(ended.out, f"nothing to fetch: the environment has {site}/nvidia/cu13/bin/nvcc\n")

# In a project: `toolkit = "fetch"`. Compiles without a directory do not fetch.
place.write("cuda-cc.toml", 'runtime = "cuda==13.0"\ntoolkit = "fetch"\n')
place.write("k.cu")
equal(call("td-file").status, 0)
equal((place.work / "td-file/lib64/libcudart.so.13").resolve().parents[2], KEPT)
ended = place.call("-c", "k.cu")
equal(ended.status, 4, ended)
assert "cuda-cc toolchain build/cuda && . build/cuda/activate" in " ".join(ended.err.split()), ended
equal(place.call(place.work / "td-file/bin/nvcc", "-c", "k.cu", program=None).status, 0)
(place.work / "cuda-cc.toml").unlink()

# A refusal of a toolkit names the command.
recorder.toolkit(place.toolkit, "12.4")
ended = place.call("-c", "k.cu", "--cudacc-runtime=cuda==12.1")
equal(ended.status, 3, ended)
assert "fix: cuda-cc toolchain build/cuda --runtime cuda==12.1 --fetch    # nvcc 12.1: " in ended.err, ended
ended = call("a td", "--runtime=cuda==12.1", "--launcher=none", f"--toolkit={place.toolkit}")
equal(ended.status, 3, ended)
fix = f"fix: cuda-cc toolchain '{place.work}/a td' --runtime=cuda==12.1 --launcher=none --fetch    # nvcc 12.1: "
assert fix in ended.err, ended
shutil.rmtree(place.toolkit)

# A matrix with what its runtimes take: the plan fetches nothing, a run only what it builds with.
kept = KEPT.rename(place.root / "kept")
matrix = ("--runtime=cuda==12.4", "--runtime=cuda==13.0", "--toolkit=fetch", "--build=true", "--artefact=*.so")
planned = place.call("matrix", *matrix, "--plan", XDG_CACHE_HOME=cache)
equal(planned.status, 0, planned)
rows = planned.out.splitlines()[2:]
assert [row.split()[:2] for row in rows] == [["cu12.4", "cuda==12.4"], ["cu13.0", "cuda==13.0"]], rows
assert "CUDA 12.4.1, to fetch: 3 files" in rows[0] and "CUDA 13.0.3, to fetch: 5 files, 104." in rows[1], rows
document = place.call("matrix", *matrix, "--plan", "--format=json", XDG_CACHE_HOME=cache).out
fetches = [build["toolkit"]["fetch"] for build in schema.fit(json.loads(document), "matrix")["builds"]]
equal([each["release"] for each in fetches], ["12.4.1", "13.0.3"])
workflow = place.call("matrix", *matrix, "--github", XDG_CACHE_HOME=cache).out
assert "toolkit: 'fetch'" in workflow and "CUDA_CC_ACCEPT_LICENSE: '1'" in workflow, workflow
assert not KEPT.exists() and not log()
place.call("matrix", *matrix, "cu13.0", XDG_CACHE_HOME=cache)
equal([each.name.split("-")[1] for each in KEPT.iterdir() if each.name[0] != "."], ["13.0.3"])
equal(len(log()), 1)
assert "to fetch" not in place.call("matrix", *matrix[1:], "--plan", XDG_CACHE_HOME=cache).out
# Neither without consent.
accepted = (cache / "cuda-cc/accepted-licenses").rename(cache / "accepted")
shutil.rmtree(KEPT)
ended = place.call("matrix", *matrix, XDG_CACHE_HOME=cache)
equal(ended.status, 2, ended)
assert "[CC1015]" in ended.err and "cuda-cc matrix --accept-license" in ended.err, ended
assert "CUDA_CC_ACCEPT_LICENSE: ''" in place.call("matrix", *matrix, "--github", XDG_CACHE_HOME=cache).out
accepted.rename(cache / "cuda-cc/accepted-licenses")
kept.rename(KEPT)

# What contradicts, and what is unknown.
for words, status, message in (
    (("--runtime=cuda==13.0", "--toolkit=/x"), 2, "--fetch and --toolkit exclude one another"),
    ((), 2, "[CC1006]"),
    (("--runtime=cuda==13.0", "--nvcc=13.1"), 2, "does not take nvcc 13.1"),
    (("--runtime=cuda==13.0", "--with=x"), 2, '--with knows no "x"'),
    (("--runtime=cuda==12.4",), 4, "CUDA_CC_REDIST_URL"),
):
    ended = call("td7", "--fetch", *words)
    equal(ended.status, status, ended)
    assert message in " ".join(ended.err.split()), ended
ended = call("td7", "--fetch", "--runtime=cuda==13.2", "--accept-license", PATH=place.bin)
equal(ended.status, 4, ended)
assert "Python 3.9" in ended.err, ended

# All is removed, also what a process left that was killed, but not downloads while another process fetches.
part = KEPT / ".downloads/part"
part.parent.mkdir()
part.write_text("half")
with open(KEPT / ".locks/another", "w", encoding="utf-8") as lock:
    fcntl.flock(lock, fcntl.LOCK_EX)
    assert "removed" in place.call("cache", "prune", XDG_CACHE_HOME=cache).out
    equal({each.name for each in KEPT.iterdir()}, {".locks", ".downloads"})
assert "nothing" in place.call("cache", "prune", XDG_CACHE_HOME=cache).out
equal({each.name for each in KEPT.iterdir()}, {".locks"})
