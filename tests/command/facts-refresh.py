# SPDX-License-Identifier: Apache-2.0
# RUN: %python -B %s %support %build
"""./dev facts refresh: the rows of torch 2.15.0 and of CUDA 13.5.0, taken out of a copy of the data
files, come back from the index as they were: the generated tables are the same. Pages of the index are
made of the data's own versions; METADATA is that of the releases (refreshed/)."""
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(sys.argv[1]).resolve().parents[1]
GENERATOR = Path(sys.argv[2]) / "bin/cudacc-gen-tables"

REFRESH = ROOT / "driver/tables/update/refresh.py"
scratch = tempfile.TemporaryDirectory()
work = Path(scratch.name)
data, index = work / "data", work / "index"
shutil.copytree(ROOT / "driver/tables/data", data)
shutil.copytree(ROOT / "tests/command/refreshed", index)
TORCH, TOOLKIT = "2.15.0", "13.5.0"


def table(name, folder=data):
    return json.loads((folder / f"{name}.json").read_text())["rows"]


def rewrite(name, rows):
    path = data / f"{name}.json"
    head = path.read_text().split('"rows": [\n')[0]
    lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    path.write_text(f'{head}"rows": [\n{lines}\n]\n}}\n')


def refresh(*words):
    return subprocess.run([sys.executable, "-B", REFRESH, "--data", data, "--metadata", index, "--date",
                           "2027-01-09", *words], text=True, capture_output=True)


def generated(folder):
    out = work / "Tables.inc"
    out.unlink(missing_ok=True)
    subprocess.run([GENERATOR, out, folder], check=True)
    return re.sub(r"(dataRelease = )\S+", r"\1X", out.read_text())


def page(dist, versions):
    """The versions of a distribution: name and state."""
    machines = {"x86_64": "manylinux_2_28_x86_64", "aarch64": "manylinux_2_28_aarch64"}
    files = [{"filename": f"{dist.replace('-', '_')}-{version}-py3-none-{machines[machine]}.whl",
              "yanked": state == "yanked"}
             for version, state, there in versions for machine in there]
    (index / f"{dist}.json").write_text(json.dumps({"files": files}))


BOTH = ("x86_64", "aarch64")
for row in table("nvidia_wheel_versions"):
    page(row["dist"], [(entry[0], entry[5], [machine for machine, is_there in zip(BOTH, entry[3:5])
                                             if is_there]) for entry in row["versions"]])
torches = {version for row in table("torch_wheel_pins") for version in row["torch_versions"]}
page("torch", [(version, "", BOTH) for version in torches])

# Nothing is newer: nothing is written.
before = {path.name: path.read_bytes() for path in data.iterdir() if path.is_file()}
done = refresh()
assert (done.returncode, done.stdout) == (0, "nothing is newer than the data\n"), done
assert before == {path.name: path.read_bytes() for path in data.iterdir() if path.is_file()}

for name, gone in (("torch_wheel_pins", lambda row: row["torch_versions"] == [TORCH]),
                   ("pytorch_cuda_lines", lambda row: row["torch"] == "2.15"),
                   ("torch_pypi_default", lambda row: row["torch"] == "2.15"),
                   ("torch_platforms", lambda row: row["torch_version"] == TORCH),
                   ("ctk_component_versions", lambda row: row["ctk"] == TOOLKIT)):
    rows = table(name)
    kept = [row for row in rows if not gone(row)]
    assert len(kept) < len(rows), name
    rewrite(name, kept)
removed = {}
rows = table("nvidia_wheel_versions")
for row in rows:
    removed[row["dist"]] = [entry[0] for entry in row["versions"] if entry[1] == [TOOLKIT]]
    kept = [entry for entry in row["versions"] if entry[1] != [TOOLKIT]]
    if kept:
        row["versions"] = kept
rewrite("nvidia_wheel_versions", rows)

# --dry-run lists and writes nothing.
cut = {path.name: path.read_bytes() for path in data.iterdir() if path.is_file()}
done = refresh("--dry-run")
assert done.returncode == 0, done.stderr
assert {f"torch {TORCH}", f"CUDA {TOOLKIT}", "nvidia-cublas 13.10.0.20"} <= set(
    done.stdout.splitlines()), done.stdout
assert cut == {path.name: path.read_bytes() for path in data.iterdir() if path.is_file()}

# What no index tells is named: the release notes name no driver for 13.5.
done = refresh()
assert done.returncode == 4, done
assert done.stdout.endswith("""
unknown until a row says it (driver/tables/data/README.md):
ctk_driver: CUDA 13.5 ("CUDA Driver" in the toolkit's release notes)
"""), done.stdout
for line in ("facts 2027.1.0:", f"torch {TORCH}: CUDA 13.2, toolkit 13.2.2",
             "  nvidia-curand: ==10.4.0.35.* -> absent", f"CUDA {TOOLKIT}: 28 components",
             f"nvidia-cublas 13.10.0.20 of CUDA {TOOLKIT}"):
    assert line in done.stdout.splitlines(), (line, done.stdout)
assert generated(data) == generated(ROOT / "driver/tables/data"), "the generated tables differ"
release, = table("release")
assert (release["release"], release["date"]) == ("2027.1.0", "2027-01-09"), release
assert (data / "README.md").read_text() == (ROOT / "driver/tables/data/README.md").read_text()

# Each new row says since when it is there, and no other does; so a package has these alone.
for name in ("torch_wheel_pins", "pytorch_cuda_lines", "torch_pypi_default", "torch_platforms",
             "ctk_component_versions"):
    fresh = [row for row in table(name) if row.get("since") == "2027.1.0"]
    assert fresh and fresh == table(name)[-len(fresh):], name
for row in table("nvidia_wheel_versions"):
    fresh = {version for version, since in row.get("since", {}).items() if since == "2027.1.0"}
    if len(row["versions"]) > len(removed[row["dist"]]):
        assert fresh == set(removed[row["dist"]]), row

# A second call has nothing to do; a release without METADATA is an error, and nothing is written.
done = refresh()
assert (done.returncode, done.stdout) == (0, "nothing is newer than the data\n"), done
page("torch", [(version, "", BOTH) for version in {*torches, "2.99.0"}])
cut = {path.name: path.read_bytes() for path in data.iterdir() if path.is_file()}
done = refresh()
assert done.returncode == 1 and "no METADATA of torch 2.99.0" in done.stderr, done
assert cut == {path.name: path.read_bytes() for path in data.iterdir() if path.is_file()}
# An index without torch or without the toolkit is not the one that was meant.
for dist in ("torch", "cuda-toolkit"):
    whole = (index / f"{dist}.json").read_text()
    page(dist, [])
    done = refresh()
    assert done.returncode == 1 and done.stderr.endswith(f"{index} has no wheel of {dist}\n"), done
    (index / f"{dist}.json").write_text(whole)
# Yanked releases and pre-releases are nobody's news.
page("torch", [*((version, "", BOTH) for version in torches), ("2.99.0", "yanked", BOTH),
               ("2.99.1rc1", "", BOTH)])
done = refresh()
assert (done.returncode, done.stdout) == (0, "nothing is newer than the data\n"), done

# A major that nobody knows yet: the tables are made, and each of its gaps is named.
text = (index / f"cuda-toolkit-{TOOLKIT}.METADATA").read_text()
(index / "cuda-toolkit-14.0.0.METADATA").write_text(
    re.sub(r"([=:>] *)13\.5\.", r"\g<1>14.0.", text.replace("<14", "<15")))
kits = [entry[0] for row in table("nvidia_wheel_versions") if row["dist"] == "cuda-toolkit"
        for entry in row["versions"]]
page("cuda-toolkit", [(version, "", BOTH) for version in [*kits, "14.0.0"]])
done = refresh()
assert done.returncode == 4, done
missing = done.stdout.split("unknown until a row says it")[1]
for line in ("\nctk_ptx: CUDA 14.0 (", "\nctk_driver: CUDA 14.0 (", "\nnvjitlink_matrix: CUDA 14.0 (",
             "\ndriver_major_floor: CUDA 14 (", "\nwheel_layout: nvidia-cublas 13.10.0.20 of CUDA 14 ("):
    assert line in missing, (line, missing)
assert "nvidia-cuda-nvdisasm" not in missing, missing
generated(data)

# A component that no longer has the toolkit's minor in its version is named, too: a rule of libraries.json says it has.
(index / "cuda-toolkit-14.1.0.METADATA").write_text(
    re.sub(r"([=:>] *)13\.5\.", r"\g<1>14.1.", text.replace("<14", "<15").replace("nvrtc==13.5", "nvrtc==14.2")))
page("cuda-toolkit", [(version, "", BOTH) for version in [*kits, "14.0.0", "14.1.0"]])
done = refresh()
assert done.returncode == 4, done
assert "\nlibraries: nvidia-cuda-nvrtc 14.2.37 does not begin with the minor of CUDA 14.1.0: " in done.stdout, done

# A distribution that torch is the first to require: its wheels, and for which machines, are those of the index.
text = (index / f"torch-{TORCH}.METADATA").read_text()
(index / "torch-2.99.0.METADATA").write_text(
    text.replace(f"Version: {TORCH}", "Version: 2.99.0").replace("nvidia-nccl-cu13==2.30.7", "nvidia-nccl-cu14==3.0.1"))
page("torch", [(version, "", BOTH) for version in {*torches, "2.99.0"}])
page("nvidia-nccl-cu14", [("3.0.0", "", ["x86_64"]), ("3.0.1", "", BOTH), ("3.0.2", "yanked", BOTH)])
done = refresh()
assert done.returncode == 3, done
row, = (row for row in table("nvidia_wheel_versions") if row["dist"] == "nvidia-nccl-cu14")
assert row["versions"] == [["3.0.0", None, None, True, False, ""], ["3.0.1", None, None, True, True, ""],
                           ["3.0.2", None, None, True, True, "yanked"]] and row["latest"] == "3.0.1", row
assert set(row["since"]) == {"3.0.0", "3.0.1", "3.0.2"}, row
