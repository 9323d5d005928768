# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""`cuda-cc wheel show` of wheels on PyPI (WR-10, WR-11). What they require is from METADATA, the SONAMEs from
`readelf -d`, which is run again here, and the releases from the CUDA that torch's wheels on PyPI bring: 12.8 for 2.8.0
to 2.10.0, 13.0 for 2.11.0 to 2.14.1. Large wheels in `--all` only."""
import json
import os
import re
from dataclasses import dataclass

from sandbox import Sandbox, equal, wheel, wheels


@dataclass
class Published:
    requirement: str
    verdict: str
    needs: str
    accepts: tuple = ()
    rejects: tuple = ()
    codes: tuple = ()
    bundled: tuple = ()
    lacks: tuple = ()
    alternatives: int = 0


# Of those named here; torch of the same release loads or not by CUDA's major.
AFTER_13 = ("torch==2.11.0", "torch==2.12.0", "torch==2.13.0", "torch==2.14.1", "torch==2.15.0")
LINUX = '; sys_platform == "linux"'
PUBLISHED = [
    # NEEDs libcudart.so.12 and requires torch>=2.10, but torch on PyPI brings CUDA 13 from 2.11.0 on.
    Published("xformers==0.0.35", "accept", "libcudart.so.12", ("torch==2.10.0",), AFTER_13,
              lacks=(f"torch>=2.10,<2.11{LINUX}",)),
    Published("torchvision==0.21.0", "accept", "libcudart.so.12", ("torch==2.6.0",),
              bundled=("libcudart.so.12", "libnvjpeg.so.12")),
]
if os.environ["CUDACC_TEST_ALL"]:
    PUBLISHED += [
        Published("xformers==0.0.32.post2", "accept", "libcudart.so.12", ("torch==2.8.0",)),
        # Requires torch==2.9.0, of CUDA 12.8, and was built by CUDA 13.
        Published("xformers==0.0.33", "reject", "libcudart.so.13", rejects=("torch==2.9.0",), codes=("CC4216",)),
        # A file per CUDA line; torch, which it requires, brings what they need.
        Published("bitsandbytes==0.50.2", "accept",
                  "libcublas.so.11 libcublas.so.12 libcublas.so.13 libcudart.so.11.0 libcudart.so.12 libcudart.so.13",
                  ("torch==2.4.0", "torch==2.8.0", "torch==2.11.0", "torch==2.15.0"), alternatives=7),
        # Opens its libraries itself: no search path, and no requirement.
        Published("cupy-cuda12x==13.6.0", "reject",
                  "libcublas.so.12 libcudnn.so.8 libcufft.so.11 libcurand.so.10 libcusolver.so.11 libcusparse.so.12 "
                  "libcutensor.so.2 libnvrtc.so.12", rejects=("cuda==12.4", "cuda==13.0"),
                  lacks=(f"nvidia-cublas-cu12>=12.0,<13{LINUX}",)),
    ]
# Libraries of the driver are in no wheel; libcublasLt comes with libcublas.
OTHERS = ("libcuda.so.1", "libnvidia-ml.so.1", "libcublasLt.so.11", "libcublasLt.so.12", "libcublasLt.so.13")

sandbox = Sandbox()


def needed(tree):
    """SONAMEs of CUDA's libraries that the files of a wheel NEED, without copies of their own."""
    files = [path for path in tree.rglob("*.so*") if path.is_file()]
    said = sandbox.run("readelf", "-dW", *files).out
    found = set(re.findall(r"\(NEEDED\).*\[(lib(?:cu|nv)[\w.-]+)\]", said))
    copies = {path.name for path in files}
    return sorted(found - copies - set(OTHERS))


for each in PUBLISHED:
    tree = wheel(each.requirement)
    path = wheels.file_of(each.requirement, sandbox.work)
    metadata = next(tree.glob("*.dist-info/METADATA")).read_text()
    done = sandbox.cc("wheel", "show", "--format=json", path)
    equal(done.status, {"accept": 0, "reject": 3}[each.verdict], f"{each.requirement}\n{done.err}")
    [shown] = json.loads(done.out)["wheels"]
    equal(needed(tree), each.needs.split(), f"{each.requirement}: readelf")
    missing = [soname for soname in each.needs.split() if soname not in [row["soname"] for row in shown["needs"]]]
    equal(missing, [], f"{each.requirement}: needs that are not shown")
    equal(shown["verdict"], each.verdict, each.requirement)
    equal(sorted(row["code"] for row in shown["findings"] if row["severity"] == "error"), sorted(each.codes),
          each.requirement)
    equal(sorted(row["soname"] for row in shown["bundled"]), sorted(each.bundled), each.requirement)
    for line in shown["declared"]:
        assert f"Requires-Dist: {line}" in metadata, (each.requirement, line)
    for line in each.lacks:
        assert line in shown["requires_dist"], (line, shown["requires_dist"])
    verdicts = {row["runtime"]: row.get("verdict") for row in shown["releases"]}
    for verdict, runtimes in (("accept", each.accepts), ("reject", each.rejects)):
        for runtime in runtimes:
            equal(verdicts[runtime], verdict, f"{each.requirement} on {runtime}")
    if each.alternatives:
        lines = [row for row in shown["files"] if row.get("alternative_of")]
        equal(len(lines), each.alternatives, each.requirement)
    path.unlink()
sandbox.clean()
