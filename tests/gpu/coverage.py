# SPDX-License-Identifier: Apache-2.0
"""Programs of every available nvcc, checked by `check` for a GPU and its driver, and run on that GPU.

    coverage.py build DIR MINOR...   builds the programs; needs no GPU
    coverage.py run DIR CUDA-CC      on a machine with a GPU: each verdict must agree with running the program

A program exits with the cudaError that it got: 0, 209 (no kernel image for the device), 222 (PTX of an
unsupported toolchain), 244 (500, symbol not found: relocatable device code for another device). `run`
needs nvidia-smi and no other file of the project.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

UNIT = """
__global__ void %(name)s(int *x) { *x += 1; }
int launch_%(name)s(int *x) {
  %(name)s<<<1, 1>>>(x);
  cudaError_t error = cudaGetLastError();
  return error ? error : cudaDeviceSynchronize();
}
"""
MAIN = """
int launch_first(int *);
int launch_second(int *);
int main() {
  int *x = nullptr, error = cudaMalloc(&x, sizeof *x);
  if (!error)
    error = launch_first(x);
#ifdef SECOND
  if (!error)
    error = launch_second(x);
#endif
  return error;
}
"""


def code(*pairs):
    return [f"-gencode=arch={arch},code={image}" for arch, image in pairs]


SM90 = code(("compute_90", "sm_90"))
SM80 = code(("compute_80", "sm_80"))
PTX80 = code(("compute_80", "compute_80"))
PTX90 = code(("compute_90", "compute_90"))
# Name -> options of the first unit, and of the second where there is one.
CASES = {
    "sm_90": (SM90, None),
    "sm_80": (SM80, None),
    "ptx_80": (PTX80, None),
    "ptx_90": (PTX90, None),
    "sm_80+ptx_80": (SM80 + PTX80, None),
    "sm_80+ptx_90": (SM80 + PTX90, None),
    "sm_80+sm_90+ptx_80": (SM80 + SM90 + PTX80, None),
    "sm_90a": (code(("compute_90a", "sm_90a")), None),
    "ptx_90a": (code(("compute_90a", "compute_90a")), None),
    # FB-42: each translation unit needs code for the GPU; the union of their architectures is not enough.
    "sm_90|sm_80": (SM90, SM80),
    "sm_90|ptx_80": (SM90, PTX80),
    "sm_90 compressed": (SM90 + ["-Xfatbin", "-compress-all"], None),
    "rdc sm_90": (SM90 + ["-rdc=true"], None),
    "rdc sm_80": (SM80 + ["-rdc=true"], None),
}


def build(folder, minors):
    sys.path.insert(0, os.environ["CUDACC_TEST_SUPPORT"])
    import toolkits

    folder.mkdir(parents=True, exist_ok=True)
    programs = []
    for minor in minors:
        root = Path(toolkits.get(minor))
        # Debian's toolkits come without static cudart and without cudadevrt.
        shared = not list(root.glob("**/libcudart_static.a"))
        for name, (first, second) in CASES.items():
            if shared and name.startswith("rdc"):
                continue
            if minor.startswith("11.") and "90a" in name:
                continue
            path = folder / re.sub(r"[^\w+]", "_", f"{minor} {name}")
            make(root, path, first, second, shared)
            programs.append({"name": f"{minor} {name}", "file": path.name, "toolkit": minor})
        if shared:
            soname = {"11": "libcudart.so.11.0", "12": "libcudart.so.12"}[minor.split(".")[0]]
            found = next(p for p in root.glob(f"**/{soname}*") if p.is_file())
            shutil.copy(found.resolve(), folder / soname)
    (folder / "programs.json").write_text(json.dumps(programs, indent=1))


def make(root, path, first, second, shared):
    nvcc = root / "bin/nvcc"
    objects = []
    for name, options in (("first", first), ("second", second)):
        if options is None:
            continue
        source = path.with_suffix(f".{name}.cu")
        source.write_text(UNIT % {"name": name} + (MAIN if name == "first" else ""))
        define = ["-DSECOND"] if second else []
        subprocess.run([nvcc, "-allow-unsupported-compiler", *options, *define, "-c", source,
                        "-o", source.with_suffix(".o")], check=True)
        objects.append(source.with_suffix(".o"))
        source.unlink()
    link = ["-cudart", "shared", "-cudadevrt", "none", "-Xlinker", "-rpath,$ORIGIN"] if shared else []
    rdc = ["-rdc=true"] if "-rdc=true" in first else []
    arch = [option for option in first if option.startswith("-gencode")]
    subprocess.run([nvcc, "-allow-unsupported-compiler", *rdc, *arch, *objects, "-o", path, *link], check=True)
    subprocess.run(["strip", path], check=True)
    for each in objects:
        each.unlink()


def run(folder, program):
    answer = subprocess.run(["nvidia-smi", "--query-gpu=driver_version,compute_cap",
                             "--format=csv,noheader"], capture_output=True, text=True, check=True)
    driver, capability = answer.stdout.splitlines()[0].replace(" ", "").split(",")
    sm = "sm_" + capability.replace(".", "")
    print(f"driver {driver}, {sm}")
    wrong = 0
    for each in json.loads((folder / "programs.json").read_text()):
        path = folder / each["file"]
        # A program with static cudart is tied to no runtime, so the rows of its own major apply to all.
        major = each["toolkit"].split(".")[0]
        runtime = "13.0" if major == "13" else each["toolkit"]
        check = subprocess.run([program, "check", "--format=json", f"--runtime=cuda=={runtime}",
                                f"--gpu={sm}", f"--driver={driver}", path],
                               capture_output=True, text=True)
        try:
            file = json.loads(check.stdout)["files"][0]
            verdict = file["verdict"]
        except (ValueError, LookupError):
            verdict, file = f"status {check.returncode} {check.stderr.strip()[:300]}", {}
        status = subprocess.run([path]).returncode
        want = "accept" if status == 0 else "reject"
        good = verdict == want
        wrong += not good
        codes = ",".join(f["code"] for f in file.get("findings", []) if f["severity"] == "error")
        print(f"{'ok  ' if good else 'WRONG'} {each['name']:28} runs: {status:3}  {verdict} {codes}")
    print(f"{wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    if sys.argv[1] == "build":
        build(Path(sys.argv[2]).resolve(), sys.argv[3:])
    else:
        sys.exit(run(Path(sys.argv[2]).resolve(), sys.argv[3]))
