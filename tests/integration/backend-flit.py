# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""cuda_cc.build in front of flit, which compiles nothing: what every frontend makes is flit's own, the wheel byte
for byte."""
import shutil

from backends import Builds
from sandbox import equal

sandbox = Builds("flit", "build", environment=())


def made(project, *command):
    """{name: bytes} of what a frontend makes of the project."""
    shutil.rmtree(sandbox.work / "dist", ignore_errors=True)
    done = sandbox.build(*command, project, SOURCE_DATE_EPOCH="1700000000", PATH="/usr/bin:/bin")
    assert done.status == 0, done
    return {path.name: path.read_bytes() for path in (sandbox.work / "dist").iterdir()
            if path.suffix in (".whl", ".gz")}


pip = (*sandbox.pip_command, "wheel", "--no-deps", "-w", "dist")
uv = (sandbox.uv, "build", "--out-dir", "dist")
build = (sandbox.python, "-m", "build", "--outdir", "dist")
held = sandbox.project("flit", ['runtime = "cuda==13.0"', 'backend = "flit_core.buildapi"'])
plain = sandbox.work / "plain"
shutil.copytree(held, plain)
text = (plain / "pyproject.toml").read_text()
(plain / "pyproject.toml").write_text(text.replace("cuda_cc.build", "flit_core.buildapi"))
for frontend in (pip, uv, build):
    ours, theirs = made(held, *frontend), made(plain, *frontend)
    equal(sorted(ours), sorted(theirs), frontend)
    equal(len(ours), 1 if frontend is pip else 2, frontend)
    [wheel] = [name for name in ours if name.endswith(".whl")]
    assert ours[wheel] == theirs[wheel], f"{frontend}: another wheel"
done = sandbox.build(*sandbox.pip_command, "install", "--no-deps", "-e", held, PATH="/usr/bin:/bin")
assert done.status == 0, done
done = sandbox.run(sandbox.python, "-B", "-c", "import ext; print(ext.__file__)", cwd="/")
equal(done.out, f"{held}/ext.py\n", done)
sandbox.nothing_is_left()
