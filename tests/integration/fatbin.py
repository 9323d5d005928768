# SPDX-License-Identifier: Apache-2.0
"""Device code in outputs of nvcc: fixtures from every toolkit, and the expected contents.

A case is a function of a Kit that builds a file and returns its expected contents, in the format of `units`:

    fatbin linked [sm_80 cubin no none, compute_80 PTX ISA 9.0 zstd]

that is its place, whether the device link made it, and for each image kind, architecture, version, for cubins
whether they have code, and compression. A case that a toolkit cannot build returns `unfit`.
"""

import contextlib
import functools
import json
import os
import re
import subprocess

from behaviour import behaviour
from sandbox import ALL, Sandbox, equal, skip, toolkits, wheel, wheels

DUMP = os.path.join(os.environ["CUDACC_TEST_BUILD"], "tests/bin/devdump")
MINORS = ("11.8", "12.4", "12.5", "13.0", "13.1", "13.2", "13.3", "13.4", "13.5")
# Toolkits that are downloaded only for ./dev test --all.
FETCHED = [minor for minor in MINORS if ALL or minor not in wheels.read_wanted("all")["toolkits"]]

KERNEL = """__global__ void twice(float *x) { x[threadIdx.x] *= 2; }
extern "C" void run(float *x) { twice<<<1, 32>>>(x); }
"""
SOURCES = {
    "k.cu": KERNEL,
    "other.cu": KERNEL.replace("twice", "thrice").replace("run", "walk"),
    "call.cu": """__device__ float half(float);
__global__ void apply(float *x) { x[threadIdx.x] = half(x[threadIdx.x]); }
extern "C" void call(float *x) { apply<<<1, 32>>>(x); }
""",
    "half.cu": "__device__ float half(float x) { return x / 2; }\n",
    "empty.cu": "int nothing;\n",
    "variables.cu": "__device__ int a = 1;\n__constant__ float b[4];\n",
    "managed.cu": "__managed__ int shared_by_all;\n",
    "main.cpp": 'extern "C" void run(float *);\nint main() { run(nullptr); }\n',
}


def fact(table, ctk, key):
    rows = json.loads((toolkits.TABLES / f"{table}.json").read_text())["rows"]
    return next(row[key] for row in rows if row["ctk"] == ctk)


class Unfit(Exception):
    pass


def unfit(reason):
    raise Unfit(reason)


class Kit:
    """One toolkit, in a folder with the sources."""

    def __init__(self, minor):
        self.minor = minor
        self.version = tuple(map(int, minor.split(".")))
        self.debian = self.version < (13,)
        self.sandbox = Sandbox(minor)
        self.isa = fact("ctk_ptx", minor, "max_ptx_isa")
        self.lto = fact("ctk_ltoir", minor, "ltoir")
        # 3.4: what is compressed by default, and the default architecture.
        self.packed = "lz4" if self.version < (13,) else "zstd"
        self.arch = 52 if self.version < (13,) else 75
        for name, text in SOURCES.items():
            self.sandbox.write(name, text)
        self.made = {}

    def nvcc(self, *words, output):
        """Builds each output once; returns its path."""
        if words not in self.made:
            extra = ["-allow-unsupported-compiler"] if self.minor == "11.8" else []
            output = f"{len(self.made)}-{output}"
            ended = self.sandbox.run("nvcc", *extra, *words, "-o", output)
            assert ended.status == 0, ended
            self.made[words] = self.sandbox.work / output
        return self.made[words]

    def object(self, *words, source="k.cu"):
        return self.nvcc("-Xcompiler", "-fPIC", "-c", *words, source, output="o.o")

    def library(self, *words, inputs=("k.cu",)):
        """Debian's toolkits have neither the static cudart nor libcudadevrt."""
        without = ("-cudadevrt", "none") if self.debian else ()
        return self.nvcc("-shared", "-Xcompiler", "-fPIC", "-cudart", "shared", *without, *words,
                         *inputs, output="l.so")

    def ptx(self, arch, compression=None, isa=None):
        return f"compute_{arch} PTX ISA {isa or self.isa} {compression or self.packed}"

    def ltoir(self, arch, compression=None):
        return f"lto_{arch} LTO-IR {self.lto} {compression or self.packed}"

    def linked(self, *images):
        """The units that nvcc's link adds, with and without relocatable device code (FB-13)."""
        return [f"fatbin linked [{', '.join(images)}]"]


def cubin(arch, code="yes", compression="none"):
    return f"sm_{arch} cubin {code} {compression}"


def unit(*images, home="fatbin"):
    return f"{home} [{', '.join(images)}]"


def relocatable(*images):
    return unit(*images, home="relocatable")


def described(image):
    arch = image["arch"].removeprefix("sm_")
    if image["kind"] == "cubin":
        code = "link" if image["relocatable"] else image["code"]
        return cubin(arch, code, image["compression"])
    kind = {"ptx": f"compute_{arch} PTX ISA", "ltoir": f"lto_{arch} LTO-IR"}[image["kind"]]
    return f"{kind} {image['version']} {image['compression']}"


def units(device):
    found = []
    for each in device["units"]:
        text = unit(*map(described, each["images"]), home=each["home"])
        found += [text.replace(" [", " linked [", 1) if each["linked"] else text] * each["count"]
    return found


def dump(path, *options):
    done = subprocess.run([DUMP, *options, path], stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout)


def listed(kit, path):
    """The images that the toolkit's cuobjdump lists: kinds and architecture numbers, sorted."""
    tool = kit.sandbox.toolkit / "bin/cuobjdump"
    if not tool.exists():
        tool = wheel("nvidia-cuda-cuobjdump==13.5.37") / "nvidia/cu13/bin/cuobjdump"
    ended = kit.sandbox.run(tool, "-lelf", "-lptx", path)
    found = re.findall(r"^(ELF|PTX) file +\d+: \S+?\.sm_(\d+)[af]?\.", ended.out, re.M)
    return sorted(found)


def ours(device):
    """The same list from what was read. If there are final images, cuobjdump omits the others."""
    kinds = {"cubin": "ELF", "ptx": "PTX"}
    homes = {each["home"] for each in device["units"]}
    return sorted((kinds[image["kind"]], re.sub(r"\D", "", image["arch"]))
                  for each in device["units"] for _ in range(each["count"])
                  for image in each["images"] if image["kind"] in kinds
                  and (each["home"] == "fatbin" or "fatbin" not in homes))


def shallow(text):
    """The properties that are known without decompression."""
    return re.sub(r"cubin (yes|no|link) (zstd|lz4)", r"cubin unknown \2", text)


def check(kit, path, expected, managed=False):
    """Reads a file as `check` does, with decompression, and compares headers with payloads."""
    what = f"{kit.minor}: {path.name}"
    plain, deep = dump(path), dump(path, "--deep", "--verify")
    equal(units(deep), expected, what)
    equal(units(plain), [shallow(text) for text in expected], what)
    for device in (plain, deep):
        for key in ("otherSections", "brokenWrappers", "unknown", "limits", "disagreements"):
            equal(device[key], [], f"{what}: {key}")
        equal(device["byNvcc"], True, f"{what}: made by nvcc")
        equal(device["managed"], managed, f"{what}: managed variables")
        equal(device["relocatable"], any(text.startswith("relocatable") for text in expected),
              f"{what}: relocatable device code")
    equal(listed(kit, path), ours(plain), f"{what}: cuobjdump")


def kits():
    """The available toolkits, each prepared when it is first used."""
    for minor in FETCHED:
        try:
            toolkits.get(minor)
        except toolkits.Skipped:
            continue
        yield minor


def run(*cases, everywhere=None):
    """Runs every case with every toolkit; by default every case with one, and those in `everywhere` with all."""
    minors = list(kits())
    if not minors:
        skip("no toolkit with an nvcc can be had")
    made = {}
    for number, case in enumerate(cases):
        # Cases that only the newest toolkits can build try the others first, without building.
        turn = minors[number % len(minors):] + minors[:number % len(minors)]

        @behaviour
        @functools.wraps(case)
        def with_toolkits(case=case, turn=turn):
            count = 0
            for minor in turn:
                if count and not ALL and case != everywhere:
                    break
                kit = made.get(minor) or made.setdefault(minor, Kit(minor))
                with contextlib.suppress(Unfit):
                    case(kit)
                    count += 1
            assert count or len(minors) < len(FETCHED), "no toolkit fits"
