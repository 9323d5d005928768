# RUN: PYTHONPATH=%S:%support %python -B %s
"""What is said, is said once and plainly: equal search path entries as one finding, a searched
folder once, an environment without NVIDIA's wheels judged by what is there, a toolkit that is only
links to another not counted, exit statuses of doctor --env that go with what it prints."""
import shutil

from binaries import CUDART, PROGRAM, Binaries, equal, run

place = Binaries()

# Twelve absolute entries are one finding, with some of them and how many there are.
place.extension("many.so", {}, [f"/build/lib{i}" for i in range(12)])
checked = place.check("many.so", "--runtime", "cuda==12.4", "--format=json")
equal(checked.codes("warning"), ["CC4106"], checked)
text = place.check("many.so", "--runtime", "cuda==12.4").out
assert "an absolute search path entry, and 11 more" in text and "/build/lib0" in text, text
equal(text.count("CC4106"), 1, text)
assert "/build/lib11" not in text and "4 more" in text, text
place.extension("one.so", {}, ["/build/lib"])
text = place.check("one.so", "--runtime", "cuda==12.4").out
assert "an absolute search path entry  " not in text and "more" not in text, text

# A folder that stands twice on the path is listed once.
place.extension("twice.so", {CUDART: ["cudaMalloc"]}, ("$ORIGIN/x", "$ORIGIN/x", "$ORIGIN/y"))
text = place.check("twice.so", "--runtime", "torch==2.5.1").out
equal(text.count("/x,") + text.count("/x\n"), 1, text)

# No NVIDIA wheel: what lies there is loaded there.
place.extension("plain.so", {})
place.extension("needs.so", {CUDART: ["cudaMalloc"]}, ())
site = place.site("env", {"some-package": ("1.0", {"pkg/plain.so": "plain.so"})})
checked = place.check(site / "pkg/plain.so", "--runtime", "env:env")
equal(checked.status, 0, checked)
assert "CC2007" not in checked.out + checked.err, checked
shutil.copy(place.work / "needs.so", site / "pkg/needs.so")
checked = place.check(site / "pkg/needs.so", "--runtime", "env:env")
assert CUDART in checked.out and "CC2007" not in checked.out + checked.err, checked
equal(checked.status, 3, checked)
equal(place.check("plain.so", "--runtime", "env:nowhere").status, 4)

# doctor --env: an error that is printed is no success.
def doctor(*words):
    return run(PROGRAM, "doctor", *words, cwd=place.work, VIRTUAL_ENV="", CONDA_PREFIX="",
               LD_LIBRARY_PATH="")


equal(doctor("--env", "env").returncode, 0)
library = place.library("lib/libcudart.so.12", CUDART, ["cudaMalloc"])
broken = place.site("broken", {"nvidia-cuda-runtime-cu12":
                               ("12.4.127", {f"nvidia/cuda_runtime/lib/{CUDART}": library})})
record = next(broken.glob("*.dist-info")) / "RECORD"
record.write_text(record.read_text().rsplit(",", 1)[0] + ",1\n")
ended = doctor("--env", "broken")
assert "error:" in ended.stdout, ended
equal(ended.returncode, 4, ended)
assert " - " not in ended.stdout, ended

# A folder whose parts are links into a toolkit is that toolkit.
for folder in ("cuda-x/bin", "cuda-x/nvvm", "links/bin"):
    (place.work / folder).mkdir(parents=True)
(place.work / "cuda-x/version.json").write_text('{"cuda": {"version": "12.4.1"}}')
for folder in ("cuda-x", "links"):
    (place.work / folder / "bin/nvcc").write_text("#!/bin/sh\n")
    (place.work / folder / "bin/nvcc").chmod(0o755)
(place.work / "links/nvvm").symlink_to(place.work / "cuda-x/nvvm")
(place.work / "links/version.json").symlink_to(place.work / "cuda-x/version.json")
ended = run(PROGRAM, "doctor", cwd=place.work, VIRTUAL_ENV="", CONDA_PREFIX="",
            CUDA_PATH=str(place.work / "cuda-x"), CUDA_HOME=str(place.work / "links"))
equal(ended.stdout.count("CUDA 12.4,"), 1, ended)
assert f"{place.work}/cuda-x" in ended.stdout, ended
