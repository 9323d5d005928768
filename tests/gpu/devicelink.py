# SPDX-License-Identifier: Apache-2.0
"""Device code linked by `cuda-cc link` on a machine with a GPU, with nvJitLink of several releases and with the
driver's linker: what is accepted loads and gives the right numbers, and what is refused does not load.

    devicelink.py build DIR          copies libraries and makes inputs with nvcc of several releases; needs no GPU
    devicelink.py run DIR CUDA-CC    on a machine with a GPU; needs no other file of the project but the helper
                                     program of device linking, in ../libexec/cuda-cc beside CUDA-CC's folder

A library that DIR/libraries lacks is taken from this Python's own environment if that has it, else left out.
"""

import ctypes
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

# CUjitInputType.
CUBIN, NVVM = 0, 5
PRODUCERS = ("12.4", "13.0", "13.5")
LIBRARIES = ("12.4", "12.9", "13.0", "13.5")
KINDS = ("cubin", "ptx", "ltoir", "o", "fatbin")
SOURCES = {
    "apply": """__device__ float half(float);
extern "C" __global__ void apply(float *x) { x[threadIdx.x] = half(x[threadIdx.x]); }
""",
    "half": """__device__ float scale = 3;
__device__ float half(float x) { return x / 2 * scale; }
""",
}
COUNT = 32
RIGHT = [number * 1.5 for number in range(COUNT)]


def release(text):
    return tuple(map(int, text.split(".")))


def build(folder):
    sys.path[:0] = [os.environ["CUDACC_TEST_SUPPORT"], str(Path(__file__).resolve().parents[1] / "integration")]
    import nvjitlink
    import sandbox
    import wheels

    work = sandbox.Sandbox()
    for name, text in SOURCES.items():
        work.write(f"{name}.cu", text)
    inputs = folder / "inputs"
    inputs.mkdir(parents=True)
    for minor in PRODUCERS:
        for name in SOURCES:
            for kind in KINDS:
                made = nvjitlink.produce(work, minor, kind, f"{minor}-{name}.{kind}", f"{name}.cu")
                shutil.copy(made, inputs)
            made = nvjitlink.produce(work, minor, "cubin", f"{minor}-{name}-80.cubin", f"{name}.cu", "80")
            shutil.copy(made, inputs)
    for minor in LIBRARIES:
        home, target = nvjitlink.home(minor), folder / "libraries" / minor
        for path in [nvjitlink.library(minor), *home.glob("*.dist-info/**/*")]:
            if path.is_file():
                wheels.link_file(path, target / path.relative_to(home))


class Gpu:
    """The first GPU, through the driver's library."""

    def __init__(self):
        self.cuda = ctypes.CDLL("libcuda.so.1")
        self.call("cuInit", 0)
        device, context, version = ctypes.c_int(), ctypes.c_void_p(), ctypes.c_int()
        self.call("cuDeviceGet", ctypes.byref(device), 0)
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self.call("cuCtxSetCurrent", context)
        self.call("cuDriverGetVersion", ctypes.byref(version))
        self.version = (version.value // 1000, version.value % 1000 // 10)
        self.memory = ctypes.c_uint64()
        self.call("cuMemAlloc_v2", ctypes.byref(self.memory), ctypes.c_size_t(4 * COUNT))

    def call(self, name, *arguments):
        error = getattr(self.cuda, name)(*arguments)
        assert error == 0, f"{name}: {error}"

    def run(self, image):
        """The numbers that the kernel leaves, or the error of loading the image."""
        module, kernel = ctypes.c_void_p(), ctypes.c_void_p()
        # PTX needs a NUL behind it.
        error = self.cuda.cuModuleLoadData(ctypes.byref(module), ctypes.create_string_buffer(image))
        if error:
            return error
        self.call("cuModuleGetFunction", ctypes.byref(kernel), module, b"apply")
        numbers = (ctypes.c_float * COUNT)(*range(COUNT))
        self.call("cuMemcpyHtoD_v2", self.memory, numbers, ctypes.c_size_t(4 * COUNT))
        argument = ctypes.c_uint64(self.memory.value)
        arguments = (ctypes.c_void_p * 1)(ctypes.cast(ctypes.byref(argument), ctypes.c_void_p))
        self.call("cuLaunchKernel", kernel, 1, 1, 1, COUNT, 1, 1, 0, None, arguments, None)
        self.call("cuMemcpyDtoH_v2", numbers, self.memory, ctypes.c_size_t(4 * COUNT))
        self.call("cuModuleUnload", module)
        return list(numbers)

    def takes(self, kind, data):
        """The error of giving an input to the driver's linker, without cuda-cc."""
        state = ctypes.c_void_p()
        self.call("cuLinkCreate_v2", 0, None, None, ctypes.byref(state))
        error = self.cuda.cuLinkAddData_v2(state, kind, data, ctypes.c_size_t(len(data)), b"input", 0, None, None)
        self.call("cuLinkDestroy", state)
        return error


@dataclass
class Linked:
    status: int
    backend: str
    codes: list
    log: str
    outputs: list
    text: str

    def __str__(self):
        return f"status {self.status}, {self.backend} {','.join(self.codes)}\n{self.text[:1500]}"


def own_environment():
    """{release: folder} of the nvJitLink of this Python's own environment."""
    found = Path(sys.prefix).glob("lib/python3*/site-packages/nvidia_nvjitlink*.dist-info")
    return {re.search(r"-(\d+\.\d+)\.", each.name)[1]: Path(sys.prefix) for each in found}


class Machine:
    def __init__(self, folder, program):
        self.inputs = folder / "inputs"
        self.environments = {**own_environment(), **{path.name: path for path in (folder / "libraries").iterdir()}}
        self.libraries = [minor for minor in LIBRARIES if minor in self.environments]
        self.program, self.gpu = program, Gpu()
        self.wrong = self.count = 0
        self.root = Path(tempfile.mkdtemp(prefix="devicelink-"))
        self.work = self.root / "work"
        self.work.mkdir()

    def env(self, minor):
        return f"env:{self.environments[minor]}"

    def files(self, minor, kind, names=("apply", "half")):
        return [self.inputs / f"{minor}-{name}.{kind}" for name in names]

    def link(self, *words, emit="cubin", **environment):
        output = self.work / f"out.{emit}"
        for old in self.work.iterdir():
            old.unlink()
        done = subprocess.run([self.program, "link", "--format=json", "-o", output, "--emit", emit, *words],
                              stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              env={**os.environ, "HOME": str(self.root), **environment}, cwd=self.work)
        found = json.loads(done.stdout) if done.stdout else {"links": [], "findings": []}
        codes = [each["code"] for each in found["findings"] if each["severity"] == "error"]
        logs = [link.get("error_log", "") for link in found["links"]]
        backends = {link.get("backend", "none") for link in found["links"]}
        outputs = sorted(path for path in self.work.iterdir() if path.is_file())
        return Linked(done.returncode, "+".join(sorted(backends)), codes, "\n".join(logs), outputs,
                      done.stdout + done.stderr)

    def check(self, name, good, what=""):
        self.count += 1
        self.wrong += not good
        print(f"{'ok   ' if good else 'WRONG'} {name}{'' if good else f': {what}'}", flush=True)

    def runs(self, name, linked, backend):
        """The link is accepted, by that linker, and its output runs."""
        good = linked.status == 0 and linked.backend == backend and len(linked.outputs) == 1
        numbers = self.gpu.run(linked.outputs[0].read_bytes()) if good else None
        self.check(f"{name}: {backend}, runs", good and numbers == RIGHT, f"{linked}\n{numbers}")

    def refused(self, name, linked, *codes, status=3):
        good = linked.status == status and not linked.outputs and (not codes or linked.codes[:1] == list(codes))
        self.check(f"{name}: refused", good, linked)


def every_pair(machine):
    """Each kind of input of each release, with nvJitLink of each: the decision, and what it links."""
    for library in machine.libraries:
        for producer in PRODUCERS:
            for kind in KINDS:
                linked = machine.link("--arch=sm_90", "--for", machine.env(library), *machine.files(producer, kind))
                name = f"{kind} of {producer}, nvJitLink {library}"
                if release(producer) <= release(library):
                    machine.runs(name, linked, "nvjitlink")
                elif kind != "ltoir" and release(producer) <= machine.gpu.version:
                    # V-LI-07, V-LI-08
                    machine.runs(name, linked, "driver")
                else:
                    machine.refused(name, linked)


def by_driver(machine):
    """The driver's own linker with each kind of input, alone and mixed."""
    forced = ("--arch=sm_90", "--backend=driver")
    for producer in PRODUCERS:
        for kind in KINDS:
            linked = machine.link(*forced, *machine.files(producer, kind))
            name = f"{kind} of {producer} by the driver"
            if kind == "ltoir":
                machine.refused(name, linked, "CC5001")
            elif release(producer) <= machine.gpu.version:
                machine.runs(name, linked, "driver")
            else:
                machine.refused(name, linked, "CC5004")
    # LD-4: the refusal is the driver's own.
    for minor in PRODUCERS[:2]:
        error = machine.gpu.takes(NVVM, machine.files(minor, "ltoir")[0].read_bytes())
        machine.check(f"the driver itself takes no LTO-IR of {minor}: error {error}", error != 0)
    # LI-2, and what shows that the question is asked right.
    errors = {minor: machine.gpu.takes(CUBIN, machine.files(minor, "cubin", ["half"])[0].read_bytes())
              for minor in ("12.4", "13.5")}
    machine.check("the driver itself takes a cubin of 12.4", errors["12.4"] == 0, errors)
    if release("13.5") > machine.gpu.version:
        machine.check("the driver itself takes no cubin of 13.5: 209", errors["13.5"] == 209, errors)
    mixed = [*machine.files("12.4", "ptx", ["apply"]), *machine.files("13.0", "cubin", ["half"])]
    machine.runs("PTX and cubin by the driver", machine.link(*forced, *mixed), "driver")
    files = machine.files("13.0", "o")
    for option in ("-g", "--lineinfo", "--maxrregcount=32", "--optimize=0", "--verbose", "--kernels-used=apply"):
        machine.runs(f"{option} by the driver", machine.link(*forced, option, *files), "driver")
    machine.refused("--time by the driver", machine.link(*forced, "--time", *files), "CC1001", status=2)
    machine.refused("--lto by the driver", machine.link(*forced, "--lto", *files), "CC5001")
    machine.refused("no GPU for the driver", machine.link(*forced, *files, CUDA_VISIBLE_DEVICES=""), status=4)
    both = [machine.link(*forced, *files).outputs[0].read_bytes() for _ in range(2)]
    machine.check("the driver links the same bytes twice", both[0] == both[1])
    # A declared driver is another machine's; this one links for it.
    linked = machine.link(*forced, "--for=cuda==12.8", "--for=driver>=570.26", *machine.files("13.0", "o"))
    machine.refused("objects of 13.0 for a driver of CUDA 12.8", linked, "CC5004")


def several(machine):
    """Two links in one process, packed into one file where something packs (V-LT-01)."""
    files = machine.files("13.0", "ptx")
    for words, backend in ((["--backend=driver"], "driver"), (["--for", machine.env("13.0")], "nvjitlink")):
        linked = machine.link("--arch=sm_90,sm_100", *words, *files, emit="fatbin")
        usable = [path for path in linked.outputs if "sm_100" not in path.name]
        good = linked.status == 0 and linked.backend == backend and len(usable) == 1
        numbers = machine.gpu.run(usable[0].read_bytes()) if good else None
        machine.check(f"two architectures: {backend}, runs", numbers == RIGHT, f"{linked}\n{numbers}")


def failures(machine):
    """Logs of a link that fails can be read afterwards (V-LT-02)."""
    for words in (["--backend=driver"], *(["--for", machine.env(minor)] for minor in machine.libraries)):
        linked = machine.link("--arch=sm_90", *words, *machine.files("12.4", "cubin", ["apply"]))
        machine.refused(f"an undefined function, {words[-1]}", linked, "CC5007")
        machine.check("  a message names the function", "half" in linked.text, linked)
        linked = machine.link("--arch=sm_90", *words, *machine.files("12.4", "cubin", ["apply", "half", "half"]))
        machine.refused(f"a function that is defined twice, {words[-1]}", linked, "CC5007")
        machine.check("  a message names the function", "half" in linked.text, linked)
    linked = machine.link("--arch=sm_90", "--backend=driver", *machine.files("12.4", "cubin", ["apply"]))
    machine.check("the driver's log is in the JSON", "half" in linked.log, linked)


def too_new(machine):
    """PTX that this driver does not translate is refused; loading it is error 222."""
    newer = machine.inputs / "13.5-half.ptx"
    if release("13.5") <= machine.gpu.version:
        return print("SKIPPED: PTX newer than the driver: this driver is not older than 13.5")
    machine.check("PTX of 13.5 does not load: 222", machine.gpu.run(newer.read_bytes()) == 222)
    # V-LO-02: the cubin of the same link loads, every_pair does that.
    if "13.5" in machine.libraries:
        linked = machine.link("--arch=sm_90", "--for", machine.env("13.5"), *machine.files("13.0", "ltoir"), emit="ptx")
        machine.refused("PTX emitted by 13.5", linked, "CC3012")
    linked = machine.link("--arch=sm_90", "--for", machine.env("13.0"), *machine.files("13.0", "ltoir"), emit="ptx")
    machine.runs("PTX emitted by 13.0", linked, "nvjitlink")
    return None


def other_gpu(machine):
    """A cubin for another GPU: linking for the one that is declared is refused, loading the other is error 209."""
    files = [machine.inputs / f"13.0-{name}-80.cubin" for name in SOURCES]
    for words in (["--backend=driver"], ["--for", machine.env("13.0")]):
        linked = machine.link("--arch=sm_80", *words, *files)
        error = machine.gpu.run(linked.outputs[0].read_bytes()) if linked.outputs else linked
        machine.check(f"sm_80 does not load: 209, {words[-1]}", error == 209, error)
        linked = machine.link("--for=cuda==13.0", "--for=sm=90", *words, *files)
        machine.refused(f"sm_80 for sm_90, {words[-1]}", linked)


def run(folder, program):
    machine = Machine(folder, program)
    print(f"driver {machine.gpu.version}")
    for minor in LIBRARIES:
        print(f"nvJitLink {minor}: {machine.environments.get(minor, 'SKIPPED: not here')}")
    try:
        for part in (every_pair, by_driver, several, failures, too_new, other_gpu):
            try:
                part(machine)
            except (AssertionError, OSError, IndexError) as problem:
                machine.check(part.__name__, False, repr(problem))
    finally:
        shutil.rmtree(machine.root)
    print(f"{machine.count} machine, {machine.wrong} wrong")
    return 1 if machine.wrong else 0


if __name__ == "__main__":
    if sys.argv[1] == "build":
        build(Path(sys.argv[2]).resolve())
    else:
        sys.exit(run(Path(sys.argv[2]).resolve(), Path(sys.argv[3]).resolve()))
