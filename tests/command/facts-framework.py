# SPDX-License-Identifier: Apache-2.0
# RUN: %python -B %s %support %cuda-cc
"""./dev facts framework: cuda-cc resolves the rows that it writes for releases that do not exist, from METADATA in a
folder; rows that the data files have are left out (F16)."""
import json
import subprocess
import sys
import tempfile
from pathlib import Path

UPDATE = Path(sys.argv[1]).resolve().parents[1] / "driver/tables/update"
PROGRAM = sys.argv[2]
scratch = tempfile.TemporaryDirectory()
folder = Path(scratch.name)

METADATA = {
    "jax-99.1": """numpy>=2.0
jax-cuda12-plugin[with-cuda]<=99.1,>=99.1; extra == "cuda12"
libtpu==0.0.1; extra == "tpu\"""",
    "jax-cuda12-plugin-99.1": """jax-cuda12-pjrt==99.1
nvidia-cublas-cu12>=12.8.4.1; sys_platform == "linux" and extra == "with-cuda"
nvidia-cuda-runtime-cu12>=12.8.90; sys_platform == "linux" and extra == "with-cuda"
nvidia-cudnn-cu12<10.0,>=9.8; sys_platform == "linux" and extra == "with-cuda\"""",
    "tensorflow-99.0": """nvidia-cublas-cu12==12.5.3.2; extra == "and-cuda"
nvidia-cuda-cupti-cu12==12.5.82; extra == "and-cuda"
nvidia-cuda-runtime-cu12==12.5.82; extra == "and-cuda\"""",
    "vllm-99.0": "torch==2.13.0\nxformers==1",
    "flash-attn-99.0": "einops",
}
for name, requires in METADATA.items():
    lines = "".join(f"Requires-Dist: {line}\n" for line in requires.splitlines())
    (folder / f"{name}.METADATA").write_text(f"Metadata-Version: 2.1\nName: x\n{lines}\n")


def run(*words):
    return subprocess.run([sys.executable, "-B", UPDATE / "framework.py", *words, "--metadata",
                           folder], text=True, capture_output=True)


written = folder / "more.json"
done = run("jax[cuda12]==99.1", "tensorflow[and-cuda]==99.0", "vllm==99.0", "jax[cuda12]==0.4.35",
           "--output", written)
assert done.returncode == 0 and "jax[cuda12]==0.4.35 is known already" in done.stderr, done
rows = json.loads(written.read_text())["tables"]["framework_targets"]
heads = [(row["framework"], row["cuda_major"], row["cuda_min"], row["cuda_max"], row["ctk"],
          row["pin_kind"], len(row["pins"])) for row in rows]
assert heads == [("jax", "12", "12.8", None, None, "floor", 3),
                 ("tensorflow", "12", "12.5", "12.5", "12.5.1", "exact", 3),
                 ("vllm", "13", None, None, None, "built_with", 1)], heads

checked = subprocess.run([sys.executable, "-B", UPDATE / "check.py", PROGRAM, written], text=True,
                         capture_output=True)
assert checked.returncode == 0, checked.stderr
assert "jax[cuda12]==99.1" in checked.stdout and "vllm==99.0" in checked.stdout, checked.stdout

target = subprocess.run([PROGRAM, "target", "--format=json", f"--cudacc-facts={written}",
                         "--runtime", "jax[cuda12]==99.1"], text=True, capture_output=True)
got = {row["soname"]: row["version"] for row in json.loads(target.stdout)["libraries"]
       if "floats in jax 99.1" in row["origin"]}
assert got["libcublas.so.12"] == "12.8.4.1" and got["libcudnn.so.9"] == "9.8.0.87", got
unknown = subprocess.run([PROGRAM, "target", "--runtime", "jax[cuda12]==99.1"], text=True,
                         capture_output=True)
assert unknown.returncode == 4 and "CC2007" in unknown.stderr, unknown

for words, said in ((("jax==99.1",), "framework_names.json has no jax==99.1; it has jax[cuda12]"),
                    (("nothing==1",), "framework_names.json has no nothing==1"),
                    (("jax[cuda12]>=99",), "names no release"),
                    (("vllm==99.9",), "no METADATA of vllm 99.9"),
                    (("flash-attn==99.0",), "does not say for which CUDA major")):
    done = run(*words)
    assert done.returncode == 1 and said in done.stderr, (words, done.stderr)
