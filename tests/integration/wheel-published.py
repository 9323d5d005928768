# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""`cuda-cc wheel show` of wheels on PyPI (WR-10, WR-11). What they require is from METADATA, the SONAMEs from
`readelf -d`, which is run again here, and the releases from the CUDA that torch's wheels on PyPI bring: 12.8 for 2.8.0
to 2.10.0, 13.0 for 2.11.0 to 2.14.1. Large wheels in `--all` only."""
import json
import os
import re
from dataclasses import dataclass, field

from packaging.specifiers import SpecifierSet

from behaviour import behaviour
from sandbox import Sandbox, equal, wheel, wheels


@dataclass
class Published:
    """needs: what `wheel show` prints for a SONAME. lacks: what it would add to METADATA. accepts: of the releases of
    torch that METADATA allows those on which the files load; they load on none of the others."""
    requirement: str
    needs: dict
    declared: tuple = ()
    lacks: tuple = ()
    accepts: str = ""
    torch: str = None
    errors: tuple = ()
    bundled: dict = field(default_factory=dict)
    alternatives: int = 0


CUDART12 = {"libcudart.so.12": "nvidia-cuda-runtime-cu12>=12.0,<13"}
CUDART13 = {"libcudart.so.13": "nvidia-cuda-runtime>=13.0,<14"}
CUPY = {"libcublas.so.12": "nvidia-cublas-cu12>=12.0,<13", "libcudnn.so.8": "nvidia-cudnn-cu12>=8.8,<9",
        "libcufft.so.11": "nvidia-cufft-cu12>=11.0,<12", "libcurand.so.10": "nvidia-curand-cu12>=10.3,<11",
        "libcusolver.so.11": "nvidia-cusolver-cu12>=11.4,<12", "libcusparse.so.12": "nvidia-cusparse-cu12>=12.0,<13",
        "libcutensor.so.2": "cutensor-cu12>=2.0,<3", "libnccl.so.2": "nvidia-nccl-cu12>=2.16,<3",
        "libnvrtc.so.12": "nvidia-cuda-nvrtc-cu12>=12.0,<13"}
PUBLISHED = [
    # Torch on PyPI brings CUDA 13 from 2.11.0 on.
    Published("xformers==0.0.35", CUDART12, ("torch>=2.10",), ("torch>=2.10,<2.11",), "==2.10.*", ">=2.10"),
    Published("torchvision==0.21.0", CUDART12, ("torch (==2.6.0)",), accepts="==2.6.0", torch=">=2.6,<2.7",
              bundled={"libcudart.so.12": "nvidia-cuda-runtime-cu12", "libnvjpeg.so.12": "nvidia-nvjpeg-cu12"}),
]
if os.environ["CUDACC_TEST_ALL"]:
    PUBLISHED += [
        Published("xformers==0.0.32.post2", CUDART12, ("torch==2.8.0",), accepts="==2.8.0", torch=">=2.8,<2.9"),
        # Requires torch of CUDA 12.8, and was built by CUDA 13.
        Published("xformers==0.0.33", CUDART13, ("torch==2.9.0",), torch=">=2.9,<2.10", errors=("CC4216",)),
        # A file per CUDA line; torch, which it requires, brings what they need.
        Published("bitsandbytes==0.50.2",
                  {"libcublas.so.11": "nvidia-cublas-cu11>=11.10,<12",
                   "libcudart.so.11.0": "nvidia-cuda-runtime-cu11>=11.7,<12",
                   "libcublas.so.12": "nvidia-cublas-cu12>=12.0,<13", **CUDART12,
                   "libcublas.so.13": "nvidia-cublas>=13.0,<14", **CUDART13},
                  ("torch<3,>=2.4",), accepts=">=2.4", alternatives=7),
        # Opens its libraries itself: no search path, and no requirement.
        Published("cupy-cuda12x==13.6.0", CUPY, lacks=tuple(sorted(CUPY.values()))),
    ]
# Libraries of the driver are in no wheel; libcublasLt comes with libcublas.
OTHERS = ("libcuda.so.1", "libnvidia-ml.so.1", "libcublasLt.so.11", "libcublasLt.so.12", "libcublasLt.so.13")

sandbox = Sandbox()


def needed(tree):
    """SONAMEs of CUDA's libraries that the files of a wheel NEED, without copies of their own."""
    files = [path for path in tree.rglob("*.so*") if path.is_file()]
    said = sandbox.run("readelf", "-dW", *files).out
    found = set(re.findall(r"\(NEEDED\).*\[(lib(?:cu|nv|nccl)[\w.-]+)\]", said))
    copies = {path.name for path in files}
    return sorted(found - copies - set(OTHERS))


def compare(each, shown, metadata):
    equal({row["soname"]: row["requirement"] for row in shown["needs"]}, each.needs)
    equal(tuple(shown["declared"]), each.declared)
    for line in each.declared:
        assert f"Requires-Dist: {line}" in metadata, line
    equal([line.removesuffix('; sys_platform == "linux"') for line in shown["requires_dist"]], list(each.lacks))
    equal({row["soname"]: row["dists"][0] for row in shown["bundled"]}, each.bundled)
    equal(shown.get("torch", {}).get("range"), each.torch, "by torch's own names")
    equal([row["code"] for row in shown["findings"] if row["severity"] == "error"], list(each.errors))
    equal(sum("alternative_of" in row for row in shown["files"]), each.alternatives)
    allowed = SpecifierSet(re.sub("[a-z() ]", "", ",".join(each.declared)))
    for row in shown["releases"]:
        name, _, version = row["runtime"].partition("==")
        excluded = bool(each.declared) and (name != "torch" or version not in allowed)
        loads = bool(each.accepts) and version in SpecifierSet(each.accepts)
        equal(row.get("verdict"), None if excluded else "accept" if loads else "reject", row["runtime"])


for each in PUBLISHED:
    @behaviour
    def what_is_shown_of_a_published_wheel_is_true(each=each):
        print(each.requirement)
        tree = wheel(each.requirement)
        path = wheels.file_of(each.requirement, sandbox.work)
        done = sandbox.cc("wheel", "show", "--format=json", path)
        [shown] = json.loads(done.out)["wheels"]
        expected = (0, "accept") if each.accepts else (3, "reject")
        equal((done.status, shown["verdict"]), expected, done)
        equal(needed(tree), sorted(each.needs), "readelf")
        compare(each, shown, next(tree.glob("*.dist-info/METADATA")).read_text())
        path.unlink()
sandbox.clean()
