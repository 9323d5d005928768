# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %python -B %s
"""`cuda-cc wheel show`: what it says of wheels made here, by text and by JSON, and that wheels that are no wheels, or
lie about themselves, end in one error."""
import base64
import hashlib
import json
import struct
import zipfile

import schema
from binaries import CUDART, JITLINK, PROGRAM, Binaries, equal, run

place = Binaries()
good = place.extension("good.so", {CUDART: ["cudaMalloc"]})
newer = place.extension("newer.so", {JITLINK: ["__nvJitLinkCreate_12_5"], CUDART: ["cudaMalloc"]})
cuda13 = place.extension("cuda13.so", {"libcudart.so.13": ["cudaMalloc"]}, ("$ORIGIN/../nvidia/cu13/lib",))
copy = place.library("copy.so", "libcudart-96c42e41.so.12", ["cudaMalloc"], CUDART)
INFO = "x-1.0.dist-info"
NAME = "x-1.0-cp311-cp311-linux_x86_64.whl"
WHEEL = b"Wheel-Version: 1.0\nGenerator: t\nRoot-Is-Purelib: false\nTag: cp311-cp311-linux_x86_64\n"


def metadata(*requires):
    lines = "".join(f"Requires-Dist: {each}\n" for each in requires)
    return f"Metadata-Version: 2.1\nName: x\nVersion: 1.0\n{lines}\nText\n".encode()


def row(name, data):
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(data)}\n"


def wheel(*requires, members=None, record=None, name=NAME):
    """A wheel with good.so; a member that is b"" is left out."""
    files = {"x/__init__.py": b"x = 1\n" * 100, "x/ext.so": good, f"{INFO}/METADATA": metadata(*requires),
             f"{INFO}/WHEEL": WHEEL, **(members or {})}
    files = {each: data if isinstance(data, bytes) else data.read_bytes() for each, data in files.items() if data}
    text = record or "".join(row(each, data) for each, data in files.items()) + f"{INFO}/RECORD,,\n"
    return place.wheel(f"dist/{name}", {**files, f"{INFO}/RECORD": text.encode()})


def show(*words):
    return run(PROGRAM, "wheel", "show", *words, cwd=place.work, HOME=str(place.root))


def shown(path, status=0):
    """The row of one wheel in the JSON."""
    done = show(path, "--format=json")
    equal((done.returncode, done.stderr), (status, ""), done.stdout)
    return schema.fit(json.loads(done.stdout), "wheel-show")["wheels"][0]


def codes(row, severity="error"):
    return [finding["code"] for finding in row["findings"] if finding["severity"] == severity]


def refused(path, status, code, said="", *words):
    """One error, and nothing else but an empty list."""
    done = show(path, *words)
    equal((done.returncode, done.stdout), (status, ""), done.stderr)
    found = [line for line in done.stderr.splitlines() if line.startswith("cuda-cc: error")]
    assert len(found) == 1 and found[0].endswith(f"[{code}]"), done.stderr
    assert said in " ".join(done.stderr.split()), (said, done.stderr)


# What is inside, and what it needs.
built = wheel()
document = shown(built)
equal((document["name"], document["version"], document["tags"], document["verdict"]),
      ("x", "1.0", "cp311-cp311-linux_x86_64", "accept"))
equal([(each["path"], each["size"], each["cuda"]) for each in document["files"]],
      [("x/ext.so", good.stat().st_size, "12")])
equal((document["others"]["files"], document["size"]), (4, built.stat().st_size))
need, = document["needs"]
equal((need["soname"], need["dist"], need["requirement"]),
      (CUDART, "nvidia-cuda-runtime-cu12", "nvidia-cuda-runtime-cu12>=12.0,<13"))
assert "12.4.127" in need["versions"] and not any(each.startswith(("11.", "13.")) for each in need["versions"])
equal(document["requires_dist"], ['nvidia-cuda-runtime-cu12>=12.0,<13; sys_platform == "linux"'])
verdicts = {each["runtime"]: each.get("verdict") for each in document["releases"]}
equal((verdicts["torch==2.5.1"], verdicts["cuda==13.0"]), ("accept", "reject"))
text = show(built).stdout
assert text.startswith(f"{built}: accept: loads on "), text
assert max(map(len, text.splitlines()[1:])) <= 100, text

# What it bundles that a wheel brings, under the name that auditwheel gives.
document = shown(wheel(members={"x.libs/libcudart-96c42e41.so.12": copy}))
equal([(each["path"], each["soname"], each["dists"], each["size"]) for each in document["bundled"]],
      [("x.libs/libcudart-96c42e41.so.12", CUDART, ["nvidia-cuda-runtime-cu12"], copy.stat().st_size)])

# Metadata that serve, ask for more, for less, or for the other major.
equal(shown(wheel("nvidia-cuda-runtime-cu12>=12.0,<13"))["requires_dist"], [])
document = shown(wheel("nvidia-cuda-runtime-cu12==12.4.127", "numpy"))
equal((document["requires_dist"], document["declared"]), ([], ["nvidia-cuda-runtime-cu12==12.4.127"]))
document = shown(wheel("nvidia-nvjitlink-cu12>=12.0", "nvidia-cuda-runtime-cu12>=12.0,<13",
                       members={"x/ext.so": newer}))
equal(document["requires_dist"], ['nvidia-nvjitlink-cu12>=12.5,<13; sys_platform == "linux"'])
document = shown(wheel("nvidia-nvjitlink-cu12<12.5", members={"x/ext.so": newer}), 3)
equal((document["verdict"], codes(document)), ("reject", ["CC4216"]))
# A bound that is higher than needed is a remark.
path = wheel("nvidia-cuda-runtime-cu12>=12.4,<13")
equal([each["declared"] for each in shown(path)["higher_than_needed"]], ["nvidia-cuda-runtime-cu12>=12.4,<13"])
assert "nvidia-cuda-runtime-cu12>=12.4,<13 is higher than needed: 12.0." in show(path).stdout, show(path).stdout
equal(shown(wheel("nvidia-cuda-runtime-cu12>=12.0,<13"))["higher_than_needed"], [])
# A torch whose wheels bring the other major.
equal(codes(shown(wheel("torch==2.5.1", members={"x/ext.so": cuda13}), 3)), ["CC4216"])
equal(codes(shown(wheel("torch==2.5.1"))), [])
# PyPI's torch 2.9.0 is of CUDA 12.8. PyTorch has an index for each line: the wheel's own label says which is meant.
done = show(wheel("torch==2.9.0", members={"x/ext.so": cuda13}))
equal(done.returncode, 3, done.stdout)
assert "torch 2.9.0+cu130, of PyTorch's own index" in " ".join(done.stdout.split()), done.stdout


def labelled(label, *requires):
    return wheel(members={"x/ext.so": cuda13, f"{INFO}/METADATA":
                          metadata(*requires).replace(b"Version: 1.0", f"Version: 1.0+{label}".encode())})


document = shown(labelled("cu130", "torch==2.9.0"))
equal((document["verdict"], document["torch_build"], codes(document)), ("accept", "cu130", []))
equal([row["runtime"] for row in document["releases"] if not row["excluded"]], ["torch==2.9.0+cu130"])
equal(shown(wheel("torch==2.9.0+cu130", members={"x/ext.so": cuda13}))["verdict"], "accept")
equal(codes(shown(labelled("cu128", "torch==2.9.0"), 3)), ["CC4216"])
equal(codes(shown(labelled("cu999", "torch==2.9.0"), 4)), ["CC2026"])

# A library whose SONAME several majors share: the file uses CUDA all the same.
cudnn = place.extension("cudnn.so", {"libcudnn.so.9": ["cudnnCreate"]})
text = show(wheel(members={"x/ext.so": cudnn})).stdout
assert "x/ext.so" in text and "without CUDA" not in text, text
assert "needs        libcudnn.so.9  nvidia-cudnn-cu11 or nvidia-cudnn-cu12 or nvidia-cudnn-cu13  by the" in text, text
[need] = shown(wheel(members={"x/ext.so": cudnn}))["needs"]
equal((need["soname"], need.get("dist"), need["dists"][-1]), ("libcudnn.so.9", None, "nvidia-cudnn-cu13"))

# A file per CUDA line: each is judged for its own, and requirements are per line.
document = shown(wheel(members={"x/ext.so": b"", "x/lib_cuda124.so": good, "x/lib_cuda130.so": cuda13}))
equal([(each["path"], each["cuda"], each["alternative_of"]) for each in document["files"]],
      [("x/lib_cuda124.so", "12", "x/lib_cuda*.so"), ("x/lib_cuda130.so", "13", "x/lib_cuda*.so")])
equal([(each["soname"], each["lines"]) for each in document["needs"]],
      [(CUDART, ["cu124"]), ("libcudart.so.13", ["cu130"])])
verdicts = {each["runtime"]: each.get("verdict") for each in document["releases"]}
equal((verdicts["cuda==12.4"], verdicts["cuda==13.0"], document["verdict"]), ("accept", "accept", "accept"))
assert all('extra == "cu1' in each for each in document["requires_dist"]), document["requires_dist"]

# A variant says what it asks of a system.
variant = {"variants": {"cu12.0_sm80": {"nvidia": {"cuda_version_lower_bound": ["12.0"], "sm_arch": ["80_real"]}}}}
path = wheel(members={f"{INFO}/variant.json": json.dumps(variant).encode()})
equal(shown(path)["variants"], [{"label": "cu12.0_sm80", "properties": [
    "nvidia :: cuda_version_lower_bound :: 12.0", "nvidia :: sm_arch :: 80_real"]}])
assert "cu12.0_sm80  nvidia :: sm_arch :: 80_real" in show(path).stdout, show(path).stdout
equal(shown(wheel())["variants"], [])
for text in (b"{", b"{}", b'{"variants": {}}', b'{"variants": []}', b"\xff"):
    equal(codes(shown(wheel(members={f"{INFO}/variant.json": text}), 4)), ["CC2025"], text)

# No compiled code; several wheels, of which one is none.
document = shown(wheel(members={"x/ext.so": b""}))
equal((document["files"], document["needs"], document["releases"], document["verdict"]), ([], [], [], "accept"))
done = show(wheel(), "none.whl", "--format=json")
equal((done.returncode, len(json.loads(done.stdout)["wheels"])), (4, 1), done.stderr)

# A file that cannot be read is a finding; the rest is shown.
document = shown(wheel(members={"x/bad.so": good.read_bytes()[:300]}), 3)
equal((document["verdict"], codes(document), [each["path"] for each in document["files"]]),
      ("reject", ["CC4123"], ["x/ext.so"]))

# No wheel.
refused("none.whl", 4, "CC2005")
(place.work / "text.whl").write_bytes(b"no zip file\n")
refused("text.whl", 4, "CC2014", "is not a wheel")
whole = wheel().read_bytes()
(place.work / "half.whl").write_bytes(whole[:len(whole) // 2])
refused("half.whl", 4, "CC2014")
refused("good.so", 4, "CC2014", "is not a wheel")
for name in ("../y", "x/../../y", "/y"):
    refused(wheel(members={name: b"y"}), 4, "CC2014", "leaves the wheel")
refused(wheel(members={"y-1.dist-info/METADATA": b"y"}), 4, "CC2025", "two dist-info folders")
refused(place.wheel("dist/" + NAME, {"x/ext.so": good}), 4, "CC2025", "no dist-info folder")
refused(wheel(members={f"{INFO}/METADATA": b"Name: \xff\n\n"}), 4, "CC2025", "not UTF-8")
refused(wheel(members={f"{INFO}/METADATA": b""}), 4, "CC2025", "has no")

# A RECORD that lies: names and sizes always, digests with --verify.
with zipfile.ZipFile(wheel()) as archive:
    lines = archive.read(f"{INFO}/RECORD").decode().splitlines(keepends=True)
refused(wheel(record="a,b\n"), 4, "CC2025", "RECORD is damaged")
refused(wheel(record="".join(lines[1:])), 4, "CC2025", "does not list x/__init__.py")
refused(wheel(record="".join(lines) + "gone.py,,\n"), 4, "CC2025", "lists gone.py")
refused(wheel(record="".join(lines).replace(",600\n", ",601\n")), 4, "CC2025", "another size")
forged = wheel(record=row("x/__init__.py", b"x = 2\n" * 100) + "".join(lines[1:]))
equal(show(forged).returncode, 0)
refused(forged, 4, "CC2025", "another digest", "--verify")
equal(show(wheel(), "--verify").returncode, 0)
# A signature is no row of RECORD.
for verify in ([], ["--verify"]):
    signed = wheel(members={f"{INFO}/RECORD.jws": b"{}"}, record="".join(lines))
    done = show(signed, *verify)
    equal((done.returncode, done.stderr), (0, ""), done.stdout)


# A bomb: a ratio that no library has. A file whose size is not what the zip directory states.
(place.work / "filler.c").write_text("char filler[32 << 20] = {1};\n")
bomb = place.extension("bomb.so", {CUDART: ["cudaMalloc"]}, (), place.work / "filler.c")
document = shown(wheel(members={"x/ext.so": bomb}), 4)
equal((document["verdict"], document["files"], codes(document)), ("unknown", [], ["CC2103"]))
raw = bytearray(wheel().read_bytes())
at = raw.rindex(b"x/ext.so")
struct.pack_into("<I", raw, at - 46 + 24, good.stat().st_size - 1)
(place.work / "short.whl").write_bytes(raw)
refused("short.whl", 4, "CC2025", "another size")

# Usage.
equal(show().returncode, 2)
