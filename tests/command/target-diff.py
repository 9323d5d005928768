# RUN: PYTHONPATH=%S %python -B %s
"""target --diff: two declarations held against each other; 0 equal, 1 different, 2 usage."""
import json

from binaries import PROGRAM, Binaries, equal, run, schema

work = Binaries().work


def diff(*words, **environment):
    return run(PROGRAM, "target", "--diff", *words, cwd=work, **environment)


def document(*words):
    done = diff(*words, "--format=json")
    value = schema.fit(json.loads(done.stdout), "target-diff")
    equal(done.returncode, 0 if value["equal"] else 1, words)
    return value


same = diff("torch==2.5.1", "torch == 2.5.1")
equal((same.returncode, same.stdout.splitlines()[0]), (0, "the same: CUDA 12.4, 44 libraries"), same)
value = document("torch==2.5.1", "torch==2.5.1")
equal((value["equal"], value["settings"], value["libraries"], value["same"]), (True, [], [], 44))

# The same libraries, another torch.
torch = diff("torch==2.5.0", "torch==2.5.1")
equal(torch.returncode, 1)
equal(torch.stdout.splitlines()[0],
      "different: 0 of 44 libraries that both have; torch 2.5.0 and 2.5.1", torch)

other = diff("torch==2.5.1", "torch==2.7.0")
equal((other.returncode, other.stderr), (1, ""), other)
lines = other.stdout.splitlines()
assert lines[0].startswith("different: ") and lines[0].endswith("; CUDA 12.4 and 12.6"), lines[0]
assert all(len(line) <= 100 for line in lines), other.stdout
rows = {line.split()[0]: line.split()[1:] for line in lines if line.startswith("  lib")}
equal(rows["libnvJitLink.so.12"], ["12.4.127", "12.6.85"])
equal(rows["libcusparseLt.so.0"], ["none", "0.6.3", "only", "in", "B"])
equal(rows["libnvrtc-builtins.so.12.4"], ["12.4.127", "none", "only", "in", "A"])
assert other.stdout.startswith(lines[0] + "\n  A: torch==2.5.1: CUDA 12.4"), other.stdout

# Of two majors no SONAME with the number is common; where wheels moved, the row says so.
value = document("torch==2.5.1", "torch==2.11.0")
sonames = {row["soname"]: row for row in value["libraries"]}
assert "b" not in sonames["libcudart.so.12"] and "a" not in sonames["libcudart.so.13"], sonames
equal([row["name"] for row in value["settings"]][:2], ["CUDA", "torch"])
moved = sonames["libcusparse.so.12"]
equal((moved["a"]["folder"], moved["b"]["folder"]), ("nvidia/cusparse/lib", "nvidia/cu13/lib"))

# Several requirements on a side; machines are a difference.
value = document("torch==2.5.1;sm=80;driver>=550.54.14", "torch==2.5.1")
equal({row["name"]: row.get("a") for row in value["settings"]},
      {"driver": "550.54.14", "GPUs": "sm_80"})
equal((value["libraries"], value["a"]["declared"][1]["requirement"]), ([], "sm=80"))

# A lock against a release.
(work / "requirements.txt").write_text("torch==2.5.1\nnvidia-nvjitlink-cu12==12.5.82\n")
value = document("lock:requirements.txt", "torch==2.5.1")
assert "libnvJitLink.so.12" in [row["soname"] for row in value["libraries"]], value

for words in ([], ["torch==2.5.1"], ["torch==2.5.1", "torch==2.6.0", "torch==2.7.0"],
              ["torch==2.5.1", ";"], ["torch==2.5.1", "nonsense"],
              ["torch==2.5.1", "torch==2.6.0", "--runtime", "cuda==12.4"]):
    refused = diff(*words)
    equal((refused.returncode, refused.stdout), (2, ""), f"{words} {refused}")
    assert refused.stderr.startswith("cuda-cc: error: "), refused
for words, status in ((["torch==2.5.1", "env:gone"], 4), (["torch==9.9.9", "torch==2.5.1"], 4)):
    equal(diff(*words).returncode, status, words)
refused = run(PROGRAM, "target", "torch==2.5.1", cwd=work)
equal(refused.returncode, 2, refused)
