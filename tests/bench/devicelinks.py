# SPDX-License-Identifier: Apache-2.0
"""Objects of relocatable device code, and the commands that link them: `cuda-cc link`, nvcc -dlink, nvlink, and a C
program that does nothing but call nvJitLink. All linkers are of CUDA 13.0."""
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/support"))
import toolkits
import wheels

ARCH = "sm_90"
# Objects of one link; with link-time optimisation as many as in LTO.
COUNTS, LTO = (2, 20, 200), 20
# Milliseconds over the program that calls nvJitLink.
LIMIT = 10.0
SOURCE = """__device__ float other111(float);
__device__ float other000(float x) { return x > 7 ? other111(x / 2) : x; }
extern "C" __global__ void kernel000(float *x) {
  for (int i = 0; i != 64; ++i)
    x[threadIdx.x] += other000(x[threadIdx.x] + i) * __sinf(x[i]);
}
"""
LAST = "__device__ float other000(float x) { return x; }\n"


def numbered(text, number):
    """Names keep their lengths, which are a part of mangled names."""
    return (text.replace("other111", f"other{number + 1:03}").replace("other000", f"other{number:03}")
            .replace("kernel000", f"kernel{number:03}"))


def compile_lto(toolkit, folder, text, number):
    source = folder / f"lto{number}.cu"
    source.write_text(numbered(text, number))
    subprocess.run([toolkit / "bin/nvcc", "-dc", "-gencode", "arch=compute_90,code=lto_90", source, "-o",
                    source.with_suffix(".o")], check=True)
    return source.with_suffix(".o")


class Assembled:
    """Objects like one that nvcc made, with other names in their device code: many are made in little time."""

    def __init__(self, toolkit, folder, text, name):
        self.tools, self.folder, self.name = toolkit / "bin", folder, name
        source = folder / f"{name}.cu"
        source.write_text(text)
        for words, end in ((("-dc", f"-arch={ARCH}"), ".o"), (("-ptx", "-rdc=true", "-arch=compute_90"), ".ptx")):
            subprocess.run([self.tools / "nvcc", *words, source, "-o", source.with_suffix(end)], check=True)
        self.object, self.ptx = source.with_suffix(".o"), source.with_suffix(".ptx").read_text()

    def make(self, number):
        stem = self.folder / f"{self.name}{number}"
        ptx, cubin, fatbin, made = (stem.with_suffix(end) for end in (".ptx", ".cubin", ".fatbin", ".o"))
        ptx.write_text(numbered(self.ptx, number))
        for line in ([self.tools / "ptxas", "-c", f"-arch={ARCH}", ptx, "-o", cubin],
                     [self.tools / "fatbinary", "-64", f"--create={fatbin}",
                      f"--image3=kind=elf,sm={ARCH[3:]},file={cubin}"],
                     ["objcopy", "--update-section", f"__nv_relfatbin={fatbin}", self.object, made]):
            subprocess.run(line, check=True)
        # nvcc tells objects from each other by a hash.
        made.write_bytes(re.sub(rb"(_cu_)[0-9a-f]{8}", rb"\g<1>%08x" % number, made.read_bytes()))
        return made


def objects(toolkit, folder):
    """{title: objects that are linked together}. The last one ends the chain of calls through all of them."""
    chain, last = (Assembled(toolkit, folder, text, name) for text, name in ((SOURCE, "chain"), (LAST, "last")))
    with ThreadPoolExecutor() as pool:
        links = list(pool.map(chain.make, range(max(COUNTS) - 1)))
        found = {f"device link of {count} objects": [*links[:count - 1], last.make(count - 1)] for count in COUNTS}
        texts = [SOURCE] * (LTO - 1) + [LAST]
        found[f"device link of {LTO} objects, optimised at link time"] = list(
            pool.map(lambda text, number: compile_lto(toolkit, folder, text, number), texts, range(LTO)))
    return found


def install(scratch, program):
    """The program and its helper, stripped, in their places below a folder."""
    place = scratch / "installed"
    helper = program.parents[1] / "libexec/cuda-cc/devlink"
    for file, target in ((program, place / "bin/cuda-cc"), (helper, place / "libexec/cuda-cc/devlink")):
        target.parent.mkdir(parents=True)
        shutil.copy2(file, target)
        subprocess.run(["strip", target], check=True)
    shutil.copy2(program.parent / "torch-names.bin", place / "bin")
    return place / "bin/cuda-cc"


def lines(scratch, program):
    """(title, {name: command line}); the first is what the others are compared with."""
    toolkit = Path(toolkits.get("13.0"))
    site = Path(wheels.get("nvidia-nvjitlink==13.0.88"))
    library = next(site.glob("nvidia/*/lib/libnvJitLink.so.13"))
    folder = scratch / "devicelinks"
    folder.mkdir()
    bare, cc, out = folder / "barelink", install(scratch, program), folder / "out.cubin"
    subprocess.run(["gcc", "-O2", ROOT / "tests/support/barelink.c", "-o", bare, "-ldl"], check=True)
    for title, files in objects(toolkit, folder).items():
        lto = "time" in title
        # As nvcc calls it.
        nvvm = ["-dlto", f"-nvvmpath={toolkit}/nvvm", f"-L{toolkit}/lib", "-lcudadevrt"] if lto else []
        yield title, {
            "a C program that calls nvJitLink": [bare, library, "13_0", out, *files, f"-arch={ARCH}",
                                                 *(["-lto"] if lto else [])],
            "cuda-cc link": [cc, "link", f"--arch={ARCH}", "--for", f"env:{site}", "-o", out, *files],
            "nvlink": [toolkit / "bin/nvlink", f"--arch={ARCH}", "-m64", *files, *nvvm, "-o", out],
            "nvcc -dlink": [toolkit / "bin/nvcc", "-dlink", f"-arch={ARCH}", *(["-dlto"] if lto else []), *files, "-o",
                            folder / "out.o"],
        }
