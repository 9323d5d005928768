# SPDX-License-Identifier: Apache-2.0
# REQUIRES: root
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""Files of other users: an unreadable configuration stops the call (4); in another user's folder, an invalid
configuration stops the call only where it may have contained restrictions (F12); an unreadable header is unknown."""
import os
import time

import others
from sandbox import MAIN, Sandbox, equal, skip, tools

if not tools("setpriv"):
    skip("this machine has no setpriv")
others.leave_home()
sandbox = Sandbox()
nobody = 65534
for path in (sandbox.root, sandbox.home, sandbox.tmp, sandbox.work):
    path.chmod(0o755)
for path in (sandbox.home, sandbox.tmp):
    os.chown(path, nobody, nobody)
program = others.program_in(sandbox.root)
sandbox.write("main.cpp", MAIN)
out = sandbox.work / "out"
out.mkdir()
os.chown(out, nobody, nobody)
drop = ("setpriv", f"--reuid={nobody}", f"--regid={nobody}", "--clear-groups")
if sandbox.run(*drop, "cat", sandbox.work / "main.cpp").status:
    skip("nobody cannot reach the folder of the tests")

def link(*words):
    return sandbox.run(*drop, program, *words, "g++", "main.cpp", "-o", "out/main")

config = sandbox.write("cuda-cc.toml", 'runtime = "torch==2.5.1"\n')
equal(link().status, 0, "readable")
(out / "main").unlink()
config.chmod(0o600)
ended = link()
equal((ended.status, len(ended.codes)), (4, 1), ended)
assert "cuda-cc.toml" in ended.err and not (out / "main").exists(), ended

# A configuration in another user's folder, or in a world-writable one, is obeyed only as far as it restricts. A
# broken one may have contained restrictions.
config.chmod(0o644)
def both(status, *codes):
    for owner, mode in ((1234, 0o755), (0, 0o777)):
        os.chown(sandbox.work, owner, owner)
        sandbox.work.chmod(mode)
        ended = link("--cudacc-runtime=torch==2.5.1")
        equal((ended.status, ended.codes), (status, list(codes)), ended)
        (out / "main").unlink(missing_ok=True)
    os.chown(sandbox.work, 0, 0)
config.write_text("broken = [\n")
both(4, "CC2006")
config.write_text('runtime = "cuda==11.8"\nstrict = true\n')
both(0)
config.write_text('toolkit = "/nowhere"\n')
both(2, "CC1012")
# A configuration in a shared folder such as /tmp is ignored.
sandbox.work.chmod(0o1777)
equal(link("--cudacc-runtime=torch==2.5.1").status, 0, "a sticky folder")
sandbox.work.chmod(0o755)
config.unlink()

include = sandbox.work / "include"
include.mkdir()
(include / "cuda.h").write_text("#define CUDA_VERSION 12040\n")
(include / "cuda.h").chmod(0o600)
(out / "main").unlink(missing_ok=True)
ended = sandbox.run(*drop, program, "--cudacc-runtime=torch==2.5.1", "g++", "-Iinclude", "-c",
                    "main.cpp", "-o", "out/main.o")
equal((ended.status, len(ended.codes)), (4, 1), ended)
equal(os.listdir(out), [], "no output")

# What was found while a file could not be read is not kept, as it may be readable in the next call.
info = "venv/lib/python3.11/site-packages/nvidia_cuda_runtime_cu12-12.4.127.dist-info"
sandbox.write("venv/pyvenv.cfg", "home = /usr/bin\nversion = 3.11.2\n")
sandbox.write(f"{info}/METADATA", "Metadata-Version: 2.1\nName: nvidia-cuda-runtime-cu12\nVersion: 12.4.127\n")
record = sandbox.write(f"{info}/RECORD", "nvidia/cuda_runtime/lib/libcudart.so.12,,\n")
sandbox.write("venv/lib/python3.11/site-packages/nvidia/cuda_runtime/lib/libcudart.so.12")
# What is as new as the answer is not kept in any case.
time.sleep(0.05)
for mode, denied in ((0o600, True), (0o644, False)):
    record.chmod(mode)
    ended = sandbox.run(*drop, program, "target", "--runtime=env:venv")
    equal("Permission denied" in ended.out + ended.err, denied, ended)
sandbox.clean()
