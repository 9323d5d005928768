# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""Truncated libraries: `doctor` and `check` predict the loader's result for one of NVIDIA's libraries and one of our
own, opened directly and NEEDED by another (LS-18)."""
import json
import struct

from doctoring import Sick
from sandbox import PROGRAM, equal

CUDART = "extern int cudaGetDeviceCount(int *);\nint use(void) { return cudaGetDeviceCount(0); }\n"
RUNTIME = "nvidia-cuda-runtime-cu12==12.4.127"
SIGNALS = (-7, -11)

sick = Sick(RUNTIME)
library = sick.lib("cuda_runtime", "libcudart.so.12")
sick.extension(CUDART, needs=[library], rpath="$ORIGIN/../nvidia/cuda_runtime/lib")
whole = library.read_bytes()
phoff, shoff = struct.unpack_from("<QQ", whole, 32)
count, = struct.unpack_from("<H", whole, 56)
loads = [header for header in struct.iter_unpack("<IIQQQQQQ", whole[phoff:phoff + 56 * count])
         if header[0] == 1]
last = max(header[2] + header[5] for header in loads)
assert len(loads) >= 2 and last < shoff, loads
cuts = {0, 1, 3, 4, 19, 20, 63, 64, phoff + 56 * count - 1, phoff + 56 * count, last - 1, last, shoff,
        shoff + 1, len(whole) - 1, len(whole)}
for header in loads:
    begin, end = header[2], header[2] + header[5]
    cuts |= {begin + 1, (begin + end) // 2, end - 4097, end - 1, end}
library.unlink()  # it is a hard link into the cache of wheels


def run(command, path):
    words = ["doctor", "--format=json"] if command == "doctor" else [
        "check", "--format=json", "--runtime=cuda==12.4"]
    ended = sick.run(PROGRAM, *words, path)
    equal(ended.err, "", ended)
    if command == "doctor":
        return json.loads(ended.out)["files"][0]
    return json.loads(ended.out)["files"][0]


seen = set()
for size in sorted(cuts):
    library.write_bytes(whole[:size])
    own, user = sick.python(library), sick.python(sick.file)
    for path, real in ((library, own), (sick.file, user)):
        file = run("doctor", path)
        what = f"cut at {size:#x}: {path.name}: {file} {real}"
        verdict, codes = file["verdict"], sick.codes(file)
        if verdict == "accept":
            assert real.status == 0 and size >= last, what
        elif verdict == "unknown":
            # If only the end of the last page is missing, RECORD shows that the opened file itself is truncated.
            assert last - 4096 < size < last and path == sick.file, what
        else:
            equal(codes, ["CC4123"], what)
            assert real.status in SIGNALS or real.status == 1 or size > last - 4096, what
            [fix] = [each for each in file["findings"][0]["fixes"] if "install" in each]
            assert "bin/python" in fix and fix.endswith(
                " install --force-reinstall --no-deps nvidia-cuda-runtime-cu12==12.4.127"), what
            if real.status == 1:
                assert real.out.strip() in json.dumps(file), what
        seen.add((path.name, verdict, real.status))
        assert "lacks" not in json.dumps(file), what
    judged = run("check", library)
    assert "lacks" not in json.dumps(judged["findings"]), judged
    equal(judged["verdict"], "accept" if size >= last else "reject", judged)
assert {("libcudart.so.12", "accept", 0), ("native.so", "accept", 0), ("native.so", "reject", 1),
        ("libcudart.so.12", "reject", 1), ("native.so", "reject", -7)} <= seen, seen

# For the runtime itself the version cannot be determined, and the fix is the same.
library.write_bytes(whole[:4096])
ended = sick.run(PROGRAM, "check", f"--runtime=env:{sick.prefix}", sick.file)
text = " ".join((ended.out + ended.err).split())
assert ended.status in (3, 4) and "[CC2002]" in text, ended
assert "libcudart.so.12 is shorter than what was installed" in text, ended
assert "--force-reinstall --no-deps nvidia-cuda-runtime-cu12==12.4.127" in text, ended

# Without RECORD the original length is unknown.
for info in sick.site.glob("nvidia_cuda_runtime*.dist-info"):
    (info / "RECORD").unlink()
library.write_bytes(whole[:last - 1])
file = run("doctor", library)
equal((file["verdict"], sick.codes(file)), ("unknown", ["CC2014"]), file)
library.write_bytes(whole[:last - 8192])
file = run("doctor", library)
equal((file["verdict"], sick.codes(file)), ("reject", ["CC4123"]), file)
