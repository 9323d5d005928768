# SPDX-License-Identifier: Apache-2.0
"""nvJitLink of each CUDA release, from its wheels, and device code to link.

The libraries are used by `cuda-cc link` and by tests/support/barelink.c, which does nothing but call them.
"""
import json
import os
import re
import subprocess
import tempfile
from pathlib import Path

from sandbox import skip, toolkits, wheel, wheels

# Those that driver/tables/data/nvjitlink_matrix.json was measured with.
VERSIONS = {"12.0": "12.0.140", "12.1": "12.1.105", "12.2": "12.2.140", "12.3": "12.3.101", "12.4": "12.4.127",
            "12.5": "12.5.82", "12.6": "12.6.85", "12.8": "12.8.93", "12.9": "12.9.86", "13.0": "13.0.88",
            "13.1": "13.1.115", "13.2": "13.2.78", "13.3": "13.3.33", "13.4": "13.4.92", "13.5": "13.5.37"}
KINDS = ("ltoir", "ptx", "cubin")
MODULE = """__device__ float half(float x) { return x / 2; }
__global__ void apply(float *x) { x[threadIdx.x] = half(x[threadIdx.x]); }
"""


def release(minor):
    """`12.10` is newer than `12.9`."""
    return tuple(map(int, minor.split(".")))


def requirement(minor):
    name = "nvidia-nvjitlink" + ("-cu12" if release(minor) < (13,) else "")
    return f"{name}=={VERSIONS[minor]}"


def home(minor):
    """The library's site-packages directory, for `--for env:`."""
    return wheel(requirement(minor))


def library(minor):
    return next(home(minor).glob("nvidia/*/lib/libnvJitLink.so.*"))


def facts():
    """{(kind, producer, consumer): whether nvJitLink was measured to take it}."""
    rows = json.loads((toolkits.TABLES / "nvjitlink_matrix.json").read_text())["rows"]
    return {(row["kind"], row["producer"], row["consumer"]): row["accepted"] for row in rows}


def ltoir_version(minor):
    """Version of the LTO-IR of that release, which several may share."""
    rows = json.loads((toolkits.TABLES / "ctk_ltoir.json").read_text())["rows"]
    return next(row["ltoir"] for row in rows if row["ctk"] == minor)


def oldest_with(version):
    """The first release whose LTO-IR has that version."""
    rows = json.loads((toolkits.TABLES / "ctk_ltoir.json").read_text())["rows"]
    return min((row["ctk"] for row in rows if row["ltoir"] == version), key=release)


class Bare:
    """Links by nvJitLink alone."""

    def __init__(self, sandbox):
        self.sandbox, self.program = sandbox, sandbox.root / "barelink"
        source = Path(os.environ["CUDACC_TEST_SUPPORT"]) / "barelink.c"
        subprocess.run(["gcc", "-O2", source, "-o", self.program, "-ldl"], check=True)

    def link(self, minor, output, *files, options=("-arch=sm_90",)):
        """The bytes written, or None and what was printed."""
        # nvJitLink 12.0 dies of a signal about once in 25 links of objects of CUDA 11.8, and links them otherwise.
        for _ in range(5):
            ended = self.sandbox.run(self.program, library(minor), minor.replace(".", "_"), output, *files, *options)
            if ended.status >= 0:
                break
        assert ended.status in (0, 3), ended
        return ((self.sandbox.work / output).read_bytes() if ended.status == 0 else None), ended.err


def nvcc(sandbox, minor, *words):
    extra = ["-allow-unsupported-compiler"] if minor == "11.8" else []
    ended = sandbox.run(toolkits.get(minor) / "bin/nvcc", *extra, *words,
                        PATH=f"{toolkits.get(minor)}/bin:/usr/local/bin:/usr/bin:/bin")
    assert ended.status == 0, ended
    return ended


def kept_ltoir(sandbox, minor, source, output):
    """Of a toolkit that has no --ltoir: the file that nvcc gives to fatbinary."""
    with tempfile.TemporaryDirectory(dir=sandbox.work) as folder:
        words = ("-dc", "-gencode", "arch=compute_90,code=lto_90", source, "-o", f"{folder}/k.o")
        said = nvcc(sandbox, minor, "--dryrun", "--keep", "--keep-dir", folder, *words).err
        nvcc(sandbox, minor, "--keep", "--keep-dir", folder, *words)
        name = re.search(r"--image3?=kind=nvvm,\S*file=(\S+?)\"?\s", said)
        assert name, said
        os.replace(sandbox.work / name[1].strip('"'), sandbox.work / output)


def produce(sandbox, minor, kind, output, source="k.cu", arch="90"):
    """Relocatable device code of that kind, made by nvcc of a release: KINDS, an object or a fatbin."""
    words = {"cubin": ("-cubin", "-rdc=true", f"-arch=sm_{arch}"), "o": ("-dc", f"-arch=sm_{arch}"),
             "ptx": ("-ptx", "-rdc=true", f"-arch=compute_{arch}"),
             "fatbin": ("-fatbin", "-rdc=true", f"-arch=sm_{arch}"), "ltoir": ("-dlto", "-ltoir", f"-arch=sm_{arch}")}
    if kind == "ltoir" and release(minor) < (13,):
        kept_ltoir(sandbox, minor, source, output)
    else:
        nvcc(sandbox, minor, *words[kind], source, "-o", output)
    return sandbox.work / output


def producers(minors):
    """Those whose toolkits are here; the test is skipped if there is none."""
    found, reason = [], ""
    for minor in minors:
        try:
            toolkits.get(minor)
            found.append(minor)
        except toolkits.Skipped as problem:
            reason = problem
    return found or skip(reason)


def fetched(minors, all_too):
    """The releases whose libraries are downloaded for this run."""
    return [minor for minor in minors
            if all_too or not (wheels.locked("wheels", wheels.folder_of(requirement(minor)).name) or {}).get("all")]
