# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""`env:PATH` for frameworks other than torch, in environments installed by pip: each row of the target equals the
output of `pip list` and the wheels; frameworks are checked against the installed versions; wheels of two CUDA majors
in one environment are reported (TG-1, RL-7, RL-8)."""
import json

import installed
import slim
from sandbox import PROGRAM, Sandbox, equal

# Wheels of torch 2.5.1 that jax 0.4.35 can use too; only small ones.
CU12 = ("nvidia-cuda-runtime-cu12==12.4.127", "nvidia-nvjitlink-cu12==12.4.127",
        "nvidia-cuda-cupti-cu12==12.4.127")
CU13 = ("nvidia-cuda-runtime==13.0.96", "nvidia-nvjitlink==13.0.88")
sandbox = Sandbox()

def target(*runtimes):
    words = [word for each in runtimes for word in ("--runtime", each)]
    ended = sandbox.run(PROGRAM, "target", "--format=json", *words)
    assert ended.status == 0, ended
    return json.loads(ended.out)

def stops(status, code, *runtimes):
    words = [word for each in runtimes for word in ("--runtime", each)]
    ended = sandbox.run(PROGRAM, "target", *words)
    equal((ended.status, ended.out, ended.codes), (status, "", [code]), ended)
    return ended

def environment(name, *requirements):
    prefix = sandbox.work / name
    installed.venv(prefix)
    installed.pip(prefix, *requirements)
    return prefix

def row_by_row(prefix, line):
    got = target(f"env:{prefix}")
    equal((got["line"], got.get("problems", [])), (line, []), got)
    rows = {f"{row['folder']}/{row['soname']}": row for row in got["libraries"]}
    said = installed.listed(prefix)
    for file, (dist, version) in installed.what_python_says(prefix).items():
        row = rows.pop(file, None)
        if row is None:  # not a library that programs link
            continue
        equal((row["dist"], row["version"], row["floats"]), (dist, version, False), file)
        equal(said[dist], version, "pip list")
    equal([file for file in rows if not file.endswith(".so")], [], "rows that Python does not know")

# jax: a plug-in and NVIDIA's wheels.
jax = environment("jax", "jax==0.4.35", "jax-cuda12-plugin==0.4.35", *CU12)
row_by_row(jax, "12.4")
equal(target(f"env:{jax}", "jax[cuda12]==0.4.35")["line"], "12.4")
equal(target(f"env:{jax}", "jax[cuda12]>=0.4.30,<0.5")["line"], "12.4")
stops(3, "CC3004", f"env:{jax}", "jax[cuda12]==0.4.30")
stops(3, "CC3004", f"env:{jax}", "torch==2.5.1")

# cupy has no libraries of its own, so its metadata is enough; it supports a range of runtimes.
slim.of_index(sandbox.work, "cupy-cuda12x==13.2.0")
cupy = environment("cupy", next(sandbox.work.glob("cupy*.whl")), *CU12)
row_by_row(cupy, "12.4")
equal(target(f"env:{cupy}", "cupy-cuda12x")["line"], "12.4")
stops(3, "CC3004", f"env:{cupy}", "cupy-cuda13x")

# Both majors are installed: the result is an error, not a guess.
both = environment("both", *CU12, *CU13)
ended = stops(4, "CC2002", f"env:{both}")
assert "12.4" in ended.err and "13.0" in ended.err, ended
equal(target(f"env:{both}", "cuda==12.4")["line"], "12.4")
equal(target(f"env:{both}", "cuda==13.0")["line"], "13.0")
