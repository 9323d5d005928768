# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %python -B %s
"""check of directories, environments and wheels: every file once, worst first, recognised by content; symbolic links
and FIFOs cause no error (PF-A6, FB-28, F10)."""
import json
import os
import zipfile

from binaries import CUDART, JITLINK, WHEEL_PATHS, Binaries, equal

place = Binaries()
work = place.work


def verdicts(checked):
    return {file["path"]: file["verdict"] for file in checked.json["files"]}


# A directory: shared objects are recognised by content, whatever their names; objects and scripts are skipped.
place.extension("pkg/good.so", {CUDART: ["cudaMalloc"]})
place.extension("pkg/sub/bad.bin", {JITLINK: ["__nvJitLinkCreate_12_5"]})
place.object("pkg/part.o", ["cudaMalloc"])
(work / "pkg/__init__.py").write_text("import good\n")
os.mkfifo(work / "pkg/fifo")
(work / "pkg/loop").symlink_to("..")
(work / "pkg/again.so").symlink_to("good.so")
(work / "pkg/gone.so").symlink_to("nowhere")
os.link(work / "pkg/good.so", work / "pkg/hard.so")
# What a link to a folder above leads to was not asked about, as with a link to /.
place.extension("beside/other.so", {CUDART: ["cudaMalloc"]})
found = place.check("pkg", "--runtime", "torch==2.5.1", "--format=json")
equal((found.status, verdicts(found)), (3, {"pkg/good.so": "accept", "pkg/sub/bad.bin": "reject"}))
text = place.check("pkg", "--runtime", "torch==2.5.1").out.splitlines()
equal(text[0], "2 files on torch==2.5.1 (CUDA 12.4): 1 rejected, 1 accepted")
assert text[1].startswith("  reject  pkg/sub/bad.bin  "), text
assert text[2].startswith("  accept  pkg/good.so"), text
empty = place.check("pkg/sub/../__init__.py", "--runtime", "torch==2.5.1")
equal(empty.status, 4, "named, and no ELF file")
(work / "none").mkdir()
(work / "pure").mkdir()
(work / "pure/code.py").write_text("")
for name in ("none", "pure"):
    for words, status in ((["--runtime", "torch==2.5.1"], 4), (["--runtime", "torch==2.5.1", "--strict"], 3),
                          (["--against", "all"], 4), (["--against", "torch>=2.9", "--min-accepted", "1"], 4)):
        nothing = place.check(name, *words)
        equal((nothing.status, nothing.out), (status, "unknown: nothing to check: no shared object, no program\n"),
              (name, words))

# Libraries of the same folder are taken along to the place of installation; a library that is not found is a warning.
place.library("app/libhelper.so.1", "libhelper.so.1", ["helper"])
place.extension("app/uses.so", {"libhelper.so.1": ["helper"], CUDART: ["cudaMalloc"]},
                ("$ORIGIN", *WHEEL_PATHS))
beside = place.check("app", "--runtime", "torch==2.5.1", "--format=json")
equal((beside.status, beside.codes("warning")), (0, []), beside)

# A wheel: members at the paths where they are installed, purelib and platlib too; equal ones are one file.
members = {"pkg/good.so": work / "pkg/good.so", "pkg/__init__.py": b"", "pkg/data.txt": b"x" * 999,
           "pkg-1.data/platlib/pkg/plat.so": work / "pkg/good.so",
           "pkg-1.dist-info/RECORD": b""}
place.wheel("dist/pkg-1-py3-none-any.whl", members)
wheel = place.check("dist/pkg-1-py3-none-any.whl", "--runtime", "torch==2.5.1", "--format=json")
name = "dist/pkg-1-py3-none-any.whl!"
equal((wheel.status, verdicts(wheel)),
      (0, {name + "pkg/good.so": "accept",
           name + "pkg-1.data/platlib/pkg/plat.so": "accept"}), wheel)
# A file that lies deeper than its entries assume: the fix is the depth, as install-dir or as the entry, which cures.
deepest = "prefix/lib/x86_64-linux-gnu/deep.so"
place.extension(deepest, {CUDART: ["cudaMalloc"]}, WHEEL_PATHS)
[file] = place.check("prefix", "--runtime", "torch==2.5.1", "--format=json").json["files"]
[error] = [each for each in file["findings"] if each["severity"] == "error"]
equal([each["text"] for each in error["facts"] if each["label"] in ("entry", "but")],
      ["$ORIGIN/../nvidia/cuda_runtime/lib, right at depth 1 below site-packages", f"it lies at depth 3: {deepest}"])
equal(error["fixes"], ['declare install-dir = "prefix/lib/x86_64-linux-gnu", and link it again',
                       "link with -Xlinker -rpath -Xlinker '$ORIGIN/../../../nvidia/cuda_runtime/lib'"])
place.extension(deepest, {CUDART: ["cudaMalloc"]}, (error["fixes"][1].split("'")[1],))
equal(place.check("prefix", "--runtime", "torch==2.5.1").status, 0)
place.extension(deepest, {CUDART: ["cudaMalloc"]}, ())
text = " ".join(place.check("prefix", "--runtime", "torch==2.5.1").out.split())
assert "link through cuda-cc, or with -Xlinker -rpath -Xlinker '$ORIGIN/../../../nvidia/" in text, text

# One folder deeper, its search path leads elsewhere.
place.wheel("deep.whl", {"a/b/good.so": work / "pkg/good.so"})
deep = place.check("deep.whl", "--runtime", "torch==2.5.1", "--format=json")
equal((deep.status, deep.codes()), (3, ["CC4003"]), deep)
# A vendored library is found in the wheel; dist/ is a folder of wheels.
place.wheel("dist/app.whl", {"app/uses.so": work / "app/uses.so",
                             "app/libhelper.so.1": work / "app/libhelper.so.1"})
folder = place.check("dist", "--runtime", "torch==2.5.1", "--format=json")
equal((folder.status, len(folder.json["files"]), folder.codes("warning")), (0, 4, []), folder)
(work / "broken.whl").write_bytes((work / "deep.whl").read_bytes()[:-30])
equal(place.check("broken.whl", "--runtime", "torch==2.5.1").status, 4)
place.wheel("pure.whl", {"a.py": b"pass\n"})
equal(place.check("pure.whl", "--runtime", "torch==2.5.1").status, 0)

# Members that cannot be decompressed are reported once per wheel, whatever their names.
with zipfile.ZipFile(work / "lzma.whl", "w", zipfile.ZIP_LZMA) as archive:
    for name in ("a/one.so", "a/libtwo.so.1", "a/program", "a/three.py", "a-1.dist-info/METADATA"):
        archive.writestr(name, b"x" * 99)
    archive.writestr("a/good.so", (work / "pkg/good.so").read_bytes(), zipfile.ZIP_DEFLATED)
unreadable = place.check("lzma.whl", "--runtime", "torch==2.5.1", "--format=json")
equal((unreadable.status, unreadable.codes()), (4, ["CC2014"]), unreadable)
equal(verdicts(unreadable), {"lzma.whl": "unknown", "lzma.whl!a/good.so": "accept"})
assert "4 more of 6 members" in unreadable.out, unreadable
with zipfile.ZipFile(work / "text.whl", "w", zipfile.ZIP_LZMA) as archive:
    archive.writestr("a-1.dist-info/METADATA", b"Requires-Dist: torch==2.5.1\n" * 99)
    archive.writestr("a/good.so", (work / "pkg/good.so").read_bytes(), zipfile.ZIP_DEFLATED)
text = place.check("text.whl", "--runtime", "torch==2.5.1", "--format=json")
equal((text.status, verdicts(text)), (4, {"text.whl": "unknown", "text.whl!a/good.so": "accept"}), text)

# Scripts and data lie beside `lib` of the environment, and are judged there.
def outside(scheme, path, **words):
    place.extension("outside.so", {CUDART: ["cudaMalloc"]}, path)
    place.wheel("outside.whl", {f"a-1.data/{scheme}": work / "outside.so", **words})
    return place.check("outside.whl", "--runtime", "torch==2.5.1", "--format=json")


up = "$ORIGIN/../lib/python3.11/site-packages/nvidia/cuda_runtime/lib"
equal((outside("scripts/run", (up,)).status, outside("data/share/x.so", (up,)).status), (0, 0))
script = outside("scripts/run", WHEEL_PATHS)
equal((script.status, script.codes("error")), (3, ["CC4003"]), script)
assert "'$ORIGIN/../lib/python3.X/site-packages/nvidia/cuda_runtime/lib'" in script.out, script
equal(outside("data/lib/deep/x.so", (up,)).status, 3)
# A library among the data is found from site-packages, at its own depth.
for folder, status in (("$ORIGIN/../../../../own", 0), ("$ORIGIN/../../../own", 3)):
    place.extension("app/data.so", {"libhelper.so.1": ["helper"]}, (folder,))
    place.wheel("data.whl", {"app/data.so": work / "app/data.so", "a-1.data/data/own/libhelper.so.1":
                             work / "app/libhelper.so.1"})
    equal(place.check("data.whl", "--runtime", "torch==2.5.1").status, status, folder)

# A wheel's tag says where it is installed.
for tag, status in (("linux_x86_64", 0), ("manylinux_2_28_aarch64", 3), ("any", 0),
                    ("manylinux_2_28_aarch64.manylinux_2_28_x86_64", 0)):
    place.wheel(f"pkg-1-py3-none-{tag}.whl", {"pkg/good.so": work / "pkg/good.so"})
    equal(place.check(f"pkg-1-py3-none-{tag}.whl", "--runtime", "torch==2.5.1").status, status, tag)

# An environment whose files are hard links to another's is checked by itself; a file that two arguments name is
# checked once.
for folder in ("linked-a", "linked-b"):
    (work / folder).mkdir()
    os.link(work / "pkg/good.so", work / folder / "good.so")
twice = place.check("linked-a", "linked-b", "./linked-a/good.so", "linked-a", "--runtime",
                    "torch==2.5.1", "--format=json")
equal([file["path"] for file in twice.json["files"]], ["linked-a/good.so", "linked-b/good.so"])

# Alternatives: one file per CUDA line, of which the process loads one.
place.extension("bnb_124.so", {JITLINK: ["__nvJitLinkCreate_12_4"]})
place.extension("bnb_126.so", {JITLINK: ["__nvJitLinkCreate_12_5"]})
place.wheel("bnb.whl", {"bnb/libbnb_cuda124.so": work / "bnb_124.so",
                        "bnb/libbnb_cuda126.so": work / "bnb_126.so",
                        "bnb/libbnb_cpu.so": work / "pkg/good.so"})
for runtime, taken, status in (("torch==2.5.1", "124", 0), ("torch==2.7.1", "126", 0),
                               ("cuda==12.5", "124", 0)):
    group = place.check("bnb.whl", "--runtime", runtime, "--format=json")
    rows = {file["path"]: file for file in group.json["files"]}
    one = rows[f"bnb.whl!bnb/libbnb_cuda{taken}.so"]
    equal((group.status, len(rows), one["verdict"]), (status, 2, "accept"), group)
    equal(one["alternatives"], ["bnb.whl!bnb/libbnb_cuda124.so", "bnb.whl!bnb/libbnb_cuda126.so"])
# None is named for the runtime: what each of them lacks is said, unless one would load.
place.extension("bnb_any.so", {})
place.wheel("odd.whl", {"bnb/libbnb_cuda124.so": work / "bnb_any.so", "bnb/libbnb_cuda126.so": work / "bnb_126.so"})
for wheel, verdict, code in (("bnb.whl", "reject", "CC4003"), ("odd.whl", "unknown", "CC2104")):
    none = place.check(wheel, "--runtime", "cuda==11.8", "--format=json")
    equal(verdicts(none)[f"{wheel}!bnb/libbnb_cuda*.so"], verdict, none)
    equal(code in none.codes(), True, none)
# Given one by one, each is checked.
both = place.check("bnb_124.so", "bnb_126.so", "--runtime", "torch==2.5.1", "--format=json")
equal(verdicts(both), {"bnb_124.so": "accept", "bnb_126.so": "reject"})

# In an environment the installed files decide, not the tables.
place.library("fake/12.4/" + JITLINK, JITLINK, ["__nvJitLinkCreate_12_4"])
place.library("fake/12.5/" + JITLINK, JITLINK, ["__nvJitLinkCreate_12_4", "__nvJitLinkCreate_12_5"])
place.library("fake/" + CUDART, CUDART, ["cudaMalloc"])
for version, exports in (("12.4.127", "12.4"), ("12.5.82", "12.5")):
    site = place.site("env-" + exports, {
        "nvidia-nvjitlink-cu12": (version, {f"nvidia/nvjitlink/lib/{JITLINK}":
                                            f"fake/{exports}/{JITLINK}"}),
        "nvidia-cuda-runtime-cu12": ("12.4.127", {f"nvidia/cuda_runtime/lib/{CUDART}":
                                                  f"fake/{CUDART}"})})
    (site / "pkg").mkdir()
    (site / "pkg/ext.so").write_bytes((work / "bnb_126.so").read_bytes())
older = place.check("env-12.4", "--runtime", f"env:{work}/env-12.4", "--format=json")
equal((older.status, older.codes()), (3, ["CC4002"]), older)
newer = place.check("env-12.5", "--runtime", "env:env-12.5", "--format=json")
equal((newer.status, newer.codes()), (0, []), newer)
# A file that is not installed yet is checked at the path where it would be installed.
outside = place.check("bnb_126.so", "--runtime", "env:env-12.5", "--format=json")
equal((outside.status, outside.codes()), (0, []), outside)
# The other file's environment is not part of this one.
across = place.check("env-12.5/lib/python3.11/site-packages/pkg", "--runtime", "env:env-12.4",
                     "--format=json")
equal((across.status, across.codes()), (3, ["CC4002"]), across)
json.loads(across.out)

# A member that decompresses to a thousand times its size is unknown, and named; the others are checked.
dense = bytearray((work / "pkg/good.so").read_bytes())
dense += bytes(20 << 20)
dense[40:48] = (len(dense) - 64 * 64).to_bytes(8, "little")
place.wheel("dense.whl", {"pkg/good.so": work / "pkg/good.so", "pkg/dense.so": bytes(dense)})
found = place.check("dense.whl", "--runtime", "torch==2.5.1", "--format=json")
equal((found.status, verdicts(found)), (4, {"dense.whl!pkg/good.so": "accept",
                                            "dense.whl!pkg/dense.so": "unknown"}), found)
message = [row["message"] for file in found.json["files"] for row in file["findings"]
           if "dense" in file["path"]]
equal(message, ["pkg/dense.so: it unpacks to more than 16 MiB, and 64 times its size"])
