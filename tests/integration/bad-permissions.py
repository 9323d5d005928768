# SPDX-License-Identifier: Apache-2.0
# REQUIRES: root
# RUN: PYTHONPATH=%S %support/hide-cuda %python -B %s
"""Files of somebody else: a configuration that may not be read stops the call (4), one in a folder of
a stranger refuses what it restricts and no more (F12), a header that may not be read is unknown."""
import os
import shutil
import tempfile

from scene import MAIN, PROGRAM, Scene, equal, skip, tools

if not tools("setpriv"):
    skip("this machine has no setpriv")
# The build directory may lie in a home folder, which only its owner may enter.
tempfile.tempdir = "/tmp"
scene = Scene()
nobody = 65534
for path in (scene.root, scene.home, scene.tmp, scene.work):
    path.chmod(0o755)
for path in (scene.home, scene.tmp):
    os.chown(path, nobody, nobody)
program = scene.root / "cuda-cc"
shutil.copy(PROGRAM, program)
scene.write("main.cpp", MAIN)
out = scene.work / "out"
out.mkdir()
os.chown(out, nobody, nobody)
drop = ("setpriv", f"--reuid={nobody}", f"--regid={nobody}", "--clear-groups")
if scene.run(*drop, "cat", scene.work / "main.cpp").status:
    skip("nobody cannot reach the folder of the tests")

def link(*words):
    return scene.run(*drop, program, *words, "g++", "main.cpp", "-o", "out/main")

config = scene.write("cuda-cc.toml", 'runtime = "torch==2.5.1"\n')
equal(link().status, 0, "readable")
(out / "main").unlink()
config.chmod(0o600)
ended = link()
equal((ended.status, len(ended.codes)), (4, 1), ended)
assert "cuda-cc.toml" in ended.err and not (out / "main").exists(), ended

# In a folder that belongs to a stranger, or that everybody can write to, what is written there is
# obeyed as far as it restricts: what is broken may have been that.
config.chmod(0o644)
def both(status, *codes):
    for owner, mode in ((1234, 0o755), (0, 0o777)):
        os.chown(scene.work, owner, owner)
        scene.work.chmod(mode)
        ended = link("--cudacc-runtime=torch==2.5.1")
        equal((ended.status, ended.codes), (status, list(codes)), ended)
        (out / "main").unlink(missing_ok=True)
    os.chown(scene.work, 0, 0)
config.write_text("broken = [\n")
both(4, "CC2006")
config.write_text('runtime = "cuda==11.8"\nstrict = true\n')
both(0)
config.write_text('toolkit = "/nowhere"\n')
both(2, "CC1012")
# One that everybody shares is passed by.
scene.work.chmod(0o1777)
equal(link("--cudacc-runtime=torch==2.5.1").status, 0, "a sticky folder")
scene.work.chmod(0o755)
config.unlink()

include = scene.work / "include"
include.mkdir()
(include / "cuda.h").write_text("#define CUDA_VERSION 12040\n")
(include / "cuda.h").chmod(0o600)
(out / "main").unlink(missing_ok=True)
ended = scene.run(*drop, program, "--cudacc-runtime=torch==2.5.1", "g++", "-Iinclude", "-c",
                  "main.cpp", "-o", "out/main.o")
equal((ended.status, len(ended.codes)), (4, 1), ended)
equal(os.listdir(out), [], "no output")
scene.clean()
