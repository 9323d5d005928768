# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %python -B %s
"""Two wheels of NVIDIA's that overwrite each other: `doctor FILE` says so, and its first fix, carried out by pip as it
is printed, cures."""
import json
import shlex
import subprocess
import sys
import venv
from pathlib import Path

import madewheel
from sandbox import PROGRAM, Sandbox, equal

sandbox = Sandbox()
work = Path(sandbox.work)
environment = work / "env"
venv.create(environment, with_pip=False)
site = next(environment.glob("lib/python3.*")) / "site-packages"
NCCL = "nvidia/nccl/lib/libnccl.so.2"


def library(name, soname, *symbols):
    (work / "own.c").write_text("".join(f"int {each}(void) {{ return 0; }}\n" for each in symbols))
    (work / "own.map").write_text(f"{soname} {{ global: *; }};\n")
    versioned = [f"-Wl,--version-script={work}/own.map"] if soname.startswith("libcudart") else []
    sandbox.run("gcc", "-shared", "-fPIC", work / "own.c", "-o", work / name, f"-Wl,-soname,{soname}", *versioned)
    return (work / name).read_bytes()


def pip(*words):
    return subprocess.run([sys.executable, "-m", "pip", "--python", environment / "bin/python", *words], check=True,
                          capture_output=True, text=True, env=offline)


offline = {"PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin", "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(work),
           "PIP_DISABLE_PIP_VERSION_CHECK": "1", "HOME": str(work)}
madewheel.write(work / "nvidia_cuda_runtime-13.0.96-py3-none-any.whl",
                {"nvidia/cu13/lib/libcudart.so.13": library("r.so", "libcudart.so.13", "cudaMalloc")})
for name, symbols in (("nvidia_nccl_cu12-2.27.3", ("ncclGetVersion",)),
                      ("nvidia_nccl_cu13-2.29.7", ("ncclGetVersion", "ncclCommResume"))):
    madewheel.write(work / f"{name}-py3-none-any.whl", {NCCL: library("n.so", "libnccl.so.2", *symbols)})
(work / "app.c").write_text("int ncclCommResume(void);\nint use(void) { return ncclCommResume(); }\n")
sandbox.run("gcc", "-shared", "-fPIC", work / "app.c", work / "n.so", "-Wl,-z,now,-rpath,$ORIGIN/../nvidia/nccl/lib",
            "-o", work / "app.so")
# The one of the other major was installed last.
for name in ("nvidia-cuda-runtime", "nvidia-nccl-cu13", "nvidia-nccl-cu12"):
    pip("install", name)
(site / "app").mkdir()
(site / "app/app.so").write_bytes((work / "app.so").read_bytes())


def doctor():
    done = sandbox.run(PROGRAM, "doctor", "--env", environment, site / "app/app.so", "--format=json")
    [file] = json.loads(done.out)["files"]
    return done, file


done, file = doctor()
equal((done.status, file["verdict"]), (3, "reject"), done)
[dispute] = [each for each in file["findings"] if each["code"] == "CC2002"]
equal(dispute["severity"], "warning", dispute)
[error] = [each for each in file["findings"] if each["severity"] == "error"]
fix = error["fixes"][0]
assert "uninstall -y nvidia-nccl-cu12 nvidia-nccl-cu13" in fix, fix
assert fix.endswith("--no-deps nvidia-nccl-cu13==2.29.7"), fix
assert shlex.quote(f"{environment}/bin/python") in fix, fix
subprocess.run(["sh", "-ec", fix], check=True, env=offline, capture_output=True)
done, file = doctor()
equal((done.status, file["verdict"]), (0, "accept"), done)
assert "CC2002" not in done.out, done
sandbox.clean()
