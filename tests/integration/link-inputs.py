# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""`cuda-cc link` takes every form in which nvcc 13.0 writes relocatable device code, and writes what nvJitLink writes
when a program calls it directly, byte for byte."""
import json
import os
import subprocess

import nvjitlink
from behaviour import behaviour
from sandbox import PROGRAM, SYSTEM, Sandbox, environment_of, equal, wheel

SOURCES = {
    "a.cu": """__device__ float half(float);
__global__ void apply(float *x) { x[threadIdx.x] = half(x[threadIdx.x]); }
__global__ void other(float *x) { x[threadIdx.x] = half(x[0]) * __sinf(x[1]); }
""",
    "b.cu": "__device__ float half(float x) { return x / 2; }\n",
}
BOTH = ("-gencode=arch=compute_90,code=[sm_90,lto_90]",)

sandbox = Sandbox("13.0")
bare = nvjitlink.Bare(sandbox)
runtime = ("--for", f"env:{nvjitlink.home('13.0')}")
packer = ("--for", f"env:{environment_of(nvjitlink.requirement('13.0'), 'nvidia-nvfatbin==13.0.85')}")


def run(*argv):
    ended = sandbox.run(*argv)
    assert ended.status == 0, ended


def make():
    for name, text in SOURCES.items():
        sandbox.write(name, text)
    for name in ("a", "b"):
        for kind in (*nvjitlink.KINDS, "fatbin", "o"):
            nvjitlink.produce(sandbox, "13.0", kind, f"{name}.{kind}", f"{name}.cu")
        run("nvcc", "-dc", *BOTH, f"{name}.cu", "-o", f"{name}-both.o")
        run("nvcc", "-dc", "-gencode=arch=compute_90,code=lto_90", f"{name}.cu", "-o", f"{name}-lto.o")
        run("nvcc", "-dc", "-gencode=arch=compute_80,code=sm_80", "-gencode=arch=compute_90,code=sm_90",
            "-Xcompiler=-fPIC", f"{name}.cu", "-o", f"{name}-80-90.o")
    run("ar", "rc", "b.a", "b.o")
    run("ar", "rc", "both.a", "a.o", "b.o")
    run("ar", "rc", "--thin", "thin.a", "a.o", "b.o")
    run("g++", "-shared", "a-80-90.o", "b-80-90.o", "-o", "code.so")


def link(*words, output="out.cubin", stdin=None, runtime=runtime, path=None):
    """The bytes that cuda-cc writes."""
    written = sandbox.work / output
    written.unlink(missing_ok=True)
    argv = [PROGRAM, "link", *runtime, "-o", output, *words]
    with open(sandbox.work / stdin if stdin else "/dev/null", "rb") as file:
        done = subprocess.run(argv, stdin=file, capture_output=True, text=True, cwd=sandbox.work,
                              env=sandbox.environment(PATH=path or sandbox.path), timeout=300)
    assert done.returncode == 0 and "cuda-cc: error" not in done.stderr, f"{argv}\n{done.stderr}"
    sandbox.clean()
    return written.read_bytes()


make()


@behaviour
def every_form_of_device_code_is_linked():
    wanted, log = bare.link("13.0", "bare.cubin", "a.o", "b.o")
    assert wanted, log
    for files in (("a.o", "b.o"), ("a.o", "b.a"), ("both.a",), ("thin.a",), ("a.fatbin", "b.fatbin"),
                  ("a.cubin", "b.cubin"), ("a.fatbin", "b.cubin"), ("a.cubin", "b.a")):
        equal(link("--arch=sm_90", *files) == wanted, True, files)
    equal(link(*runtime, "a.o", "b.o") == wanted, True, "the architecture of the inputs")
    for name in ("a.o", "a.fatbin", "a.cubin", "both.a"):
        equal(link("--arch=sm_90", "-", *([] if name == "both.a" else ["b.o"]), stdin=name) == wanted, True,
              f"{name} on stdin")


@behaviour
def objects_of_two_architectures_and_their_library_are_linked():
    for arch in ("sm_80", "sm_90"):
        wanted, log = bare.link("13.0", "bare.cubin", "a-80-90.o", "b-80-90.o", options=(f"-arch={arch}",))
        assert wanted, log
        equal(link(f"--arch={arch}", "a-80-90.o", "b-80-90.o") == wanted, True, arch)
        equal(link(f"--arch={arch}", "code.so") == wanted, True, f"shared library, {arch}")


@behaviour
def ptx_is_linked_alone_and_beside_a_cubin():
    for files in (("a.ptx", "b.ptx"), ("a.ptx", "b.cubin"), ("a.cubin", "b.ptx")):
        wanted, log = bare.link("13.0", "bare.cubin", *files)
        assert wanted, log
        equal(link("--arch=sm_90", *files) == wanted, True, files)


LTO = ("-arch=sm_90", "-lto")


@behaviour
def lto_ir_by_itself_is_optimised():
    for files in (("a.ltoir", "b.ltoir"), ("a-lto.o", "b-lto.o"), ("a-lto.o", "b.a"), ("a.ltoir", "b.ptx")):
        wanted, log = bare.link("13.0", "bare.cubin", *files, options=LTO)
        assert wanted, log
        for words in ((), ("--lto",)):
            equal(link("--arch=sm_90", *words, *files) == wanted, True, (words, files))


@behaviour
def lto_ir_beside_cubins_is_optimised_if_it_is_asked_for():
    for words, options in (((), LTO[:1]), (("--lto",), LTO)):
        wanted, log = bare.link("13.0", "bare.cubin", "a-both.o", "b-both.o", options=options)
        assert wanted, log
        equal(link("--arch=sm_90", *words, "a-both.o", "b-both.o") == wanted, True, words)


@behaviour
def ptx_is_emitted():
    wanted, log = bare.link("13.0", "bare.ptx", "a.ltoir", "b.ltoir", options=(*LTO, "-ptx"))
    assert wanted, log
    equal(link("--arch=sm_90", "--emit=ptx", "a.ltoir", "b.ltoir", output="out.ptx") == wanted, True, "PTX")


def emitted_by(minor):
    newer = ("--for", f"env:{nvjitlink.home(minor)}")
    wanted, log = bare.link(minor, "bare.ltoir", "a.ltoir", "b.ltoir", options=LTO)
    assert wanted, log
    equal(link("--arch=sm_90", "--emit=ltoir", "a.ltoir", "b.ltoir", output="out.ltoir", runtime=newer) == wanted,
          True, "LTO-IR")
    linked = link("--arch=sm_90", "out.ltoir", runtime=newer)
    assert b"apply" in linked, "LTO-IR that was linked is linked again"


@behaviour
def lto_ir_is_emitted_by_newer_releases():
    """By 13.4 and later (PB-6)."""
    emitted_by("13.5")
    if os.environ.get("CUDACC_TEST_ALL"):
        emitted_by("13.4")
        # It has the function, which fails.
        assert not bare.link("13.3", "bare.ltoir", "a.ltoir", "b.ltoir", options=LTO)[0]


@behaviour
def each_option_is_nvjitlinks():
    for words, passed in ((["-g"], ["-g"]), (["--lineinfo"], ["-lineinfo"]), (["--optimize=0"], ["-O0"]),
                          (["--maxrregcount=16"], ["-maxrregcount=16"]),
                          (["--split-compile=2"], ["-split-compile=2"]),
                          (["--split-compile-extended=2"], ["-split-compile-extended=2"]),
                          (["--ptxas-options=-O1,-v"], ["-Xptxas=-O1", "-Xptxas=-v"]),
                          (["--kernels-used=_Z5applyPf"], ["-kernels-used=_Z5applyPf"]),
                          (["--variables-used=none"], ["-variables-used=none"]),
                          (["--optimize-unused-variables"], ["-optimize-unused-variables"]),
                          (["--ftz=true", "--fmad=false"], ["-ftz=1", "-fma=0"]),
                          (["--prec-div=false", "--prec-sqrt=false"], ["-prec-div=0", "-prec-sqrt=0"])):
        files = ("a.ltoir", "b.ltoir")
        wanted, log = bare.link("13.0", "bare.cubin", *files, options=(*LTO, *passed))
        assert wanted, log
        equal(link("--arch=sm_90", *words, *files) == wanted, True, words)


@behaviour
def the_time_of_a_link_is_printed():
    text = sandbox.cc("link", *runtime, "--arch=sm_90", "--time", "a.o", "b.o", "-o", "out.cubin").err
    assert "link" in text and " ms" in text, text


def listed(path):
    """Architectures of the cubins in a fatbin, as NVIDIA's own tool lists them."""
    tool = wheel("nvidia-cuda-cuobjdump==13.5.37") / "nvidia/cu13/bin/cuobjdump"
    ended = sandbox.run(tool, "-lelf", path)
    assert ended.status == 0, ended
    return sorted(line.split(".")[-2] for line in ended.out.splitlines() if line.endswith(".cubin"))


SEVERAL = ("--arch=sm_80,sm_90", "--for", "cuda==13.0", "a-80-90.o", "b-80-90.o")


@behaviour
def several_architectures_are_packed_by_nvfatbin_or_fatbinary():
    """By the runtime's, else the toolkit's."""
    for by, path in ((packer, SYSTEM), (runtime, sandbox.path)):
        link(*SEVERAL, output="out.fatbin", runtime=by, path=path)
        equal(listed(sandbox.work / "out.fatbin"), ["sm_80", "sm_90"], by)
        (sandbox.work / "out.fatbin").unlink()


@behaviour
def several_architectures_are_a_file_each_without_a_packer():
    ended = sandbox.cc("link", *runtime, *SEVERAL, "-o", "out.fatbin", "--format=json", PATH=SYSTEM)
    equal(ended.status, 0, ended)
    outputs = json.loads(ended.out)["outputs"]
    equal([each["path"] for each in outputs], ["out.sm_80.cubin", "out.sm_90.cubin"], ended)
    for each in outputs:
        wanted, log = bare.link("13.0", "bare.cubin", "a-80-90.o", "b-80-90.o", options=(f"-arch={each['arch'][0]}",))
        equal((sandbox.work / each["path"]).read_bytes() == wanted, True, log)

