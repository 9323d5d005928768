# SPDX-License-Identifier: Apache-2.0
# RUN: %python -B %s %support %cuda-cc
"""./dev facts torch: cuda-cc resolves the rows that it writes for a release that does not exist, from METADATA in a
folder; rows that the data files have are left out."""
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
    "torch-9.9.0": """cuda-toolkit[cublas,cudart,nvjitlink]==13.6.1; platform_system == "Linux"
cuda-bindings<14,>=13.0.3; platform_system == "Linux"
nvidia-cudnn-cu13==9.30.0.5; platform_system == "Linux"
nvidia-nvshmem-cu13==3.9.9; platform_system == "Linux" and platform_machine == "x86_64"
nvidia-nowhere==1.0; platform_system == "Windows"
nvidia-novel==2.0.1; platform_system == "Linux"
filelock
pyyaml; extra == "pyyaml\"""",
    "cuda-toolkit-13.6.1": """nvidia-cublas==13.11.1.2.*; extra == "cublas"
nvidia-cuda-runtime==13.6.40.*; extra == "cudart"
nvidia-nvjitlink<14,>=13.6.40; extra == "nvjitlink"
nvidia-cufft==12.6.0.1.*; extra == "cufft"
nvidia-cublas==13.11.1.2.*; extra == "all"
nvidia-cuda-cccl==13.3.6.0.1; extra == "all"
nvidia-cuda-runtime==13.6.40.*; extra == "all"
nvidia-nvjitlink<14,>=13.6.40; extra == "all"
nvidia-cufft==12.6.0.1.*; extra == "all\"""",
    "nvidia-cudnn-cu13-9.30.0.5": "nvidia-cublas",
    "nvidia-nvshmem-cu13-3.9.9": "nvidia-cuda-cccl",
    "torch-9.8.0": "filelock",
    "torch-9.7.0+cu126": "nvidia-cuda-runtime-cu12==12.6.77\nnvidia-nvjitlink-cu12==12.6.85",
    "torch-9.7.0+cu124": "nvidia-cuda-runtime-cu12==12.6.77\nnvidia-nvjitlink-cu12==12.6.85",
    "torch-2.5.1": """nvidia-cuda-runtime-cu12==12.4.127
nvidia-cublas-cu12==12.4.5.8""",
}
for name, requires in METADATA.items():
    lines = "".join(f"Requires-Dist: {line}\n" for line in requires.splitlines())
    (folder / f"{name}.METADATA").write_text(f"Metadata-Version: 2.1\nName: x\n{lines}\n")


def run(*words):
    return subprocess.run([sys.executable, "-B", UPDATE / "torch.py", *words, "--metadata", folder],
                          text=True, capture_output=True)


def check(file):
    return subprocess.run([sys.executable, "-B", UPDATE / "check.py", PROGRAM, file], text=True,
                          capture_output=True)


written = folder / "more.json"
done = run("9.9.0", "--output", written)
assert done.returncode == 0, done.stderr
tables = json.loads(written.read_text())["tables"]
row = tables["torch_wheel_pins"][0]
got = [(pin["dist"], pin["spec"], pin["kind"], pin["floor"]) for pin in row["pins"]]
wanted = [("cuda-bindings", ">=13.0.3,<14", "direct", "13.0.3"),
          ("cuda-toolkit", "==13.6.1", "direct", "13.6.1"),
          ("nvidia-cublas", "==13.11.1.2.*", "extra", "13.11.1.2"),
          ("nvidia-cuda-cccl", "", "transitive", "13.3.6.0.1"),
          ("nvidia-cuda-runtime", "==13.6.40.*", "extra", "13.6.40"),
          ("nvidia-cudnn-cu13", "==9.30.0.5", "direct", "9.30.0.5"),
          ("nvidia-novel", "==2.0.1", "direct", "2.0.1"),
          ("nvidia-nvjitlink", ">=13.6.40,<14", "extra", "13.6.40"),
          ("nvidia-nvshmem-cu13", "==3.9.9", "direct", "3.9.9")]
assert got == wanted, got
assert (row["cuda"], row["ctk"], row["pypi_default"]) == ("13.6", "13.6.1", True), row
assert "torch-9.9.0.METADATA" in row["source"] and row["confidence"] == "verified", row
kit = tables["ctk_component_versions"][0]
assert kit["components"]["nvidia-cufft"] == "12.6.0.1" and kit["ctk"] == "13.6.1", kit
assert kit["wheel_overrides"] == {"nvidia-nvjitlink": ">=13.6.40,<14"}, kit
assert [row["dist"] for row in tables["nvidia_wheel_versions"]] == ["nvidia-novel"], tables
assert [len(tables[name]) for name in ("pytorch_cuda_lines", "torch_pypi_default")] == [1, 1]

done = check(written)
assert done.returncode == 0, done.stderr
assert "torch==9.9.0: " in done.stdout and "cuda==13.6.1: " in done.stdout, done.stdout
shown = subprocess.run([PROGRAM, "target", f"--cudacc-facts={written}", "--runtime", "torch==9.9.0",
                        "--format=json"], text=True, capture_output=True)
rows = {row["soname"]: row for row in json.loads(shown.stdout)["libraries"]}
assert rows["libcudart.so.13"]["version"] == "13.6.40", rows
assert rows["libnvJitLink.so.13"]["floats"] is True, rows

# The program rejects a file that is not a facts file.
written.write_text(written.read_text().replace('"ctk": "13.6.1"', '"ctk": 13.6'))
done = check(written)
assert done.returncode == 4 and "[CC2016]" in done.stderr, done.stderr

# A version with a label: its toolkit release is the one that has all pinned versions, if there is exactly one.
done = run("9.7.0+cu126")
assert done.returncode == 0, done.stderr
row = json.loads(done.stdout)["tables"]["torch_wheel_pins"][0]
assert (row["torch_versions"], row["cuda"], row["pypi_default"]) == (["9.7.0"], "12.6", False), row
assert row["ctk"] == "12.6.3", row

# There are no new rows, so nothing is written.
for version, why in (("9.8.0", "requires no CUDA library"), ("9.6.0", "no METADATA of torch 9.6.0"),
                     ("9.7.0+cu124", "has the libraries of cu126")):
    done = run(version)
    assert done.returncode == 1 and why in done.stderr and not done.stdout, done
done = run("2.5.1")
assert "with other pins" in done.stderr and "is known already" in done.stderr, done.stderr
assert json.loads(done.stdout)["tables"] == {}, done.stdout
