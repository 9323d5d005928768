# SPDX-License-Identifier: Apache-2.0
# REQUIRES: nvcc
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""cuda_cc.build by every frontend: from a source distribution, from a repository, without isolation, by `build`, by uv
into an environment and as a project of uv's. What is the active environment outside is the runtime inside."""
from backends import Builds
from scene import equal

scene = Builds("plain", "build")
project = scene.project("plain")
pip = (*scene.pip_command, "wheel", "--no-deps", "-w", "dist")


def installed(*command, cwd=None, absolute=(), **variables):
    """A frontend that puts the module into the environment."""
    for path in scene.site.glob("ext*"):
        scene.run("rm", "-rf", path)
    done = scene.build(*command, cwd=cwd, **variables)
    assert done.status == 0, done
    scene.imported(*absolute)


installed(*scene.pip_command, "install", "--no-deps", project)
installed(scene.uv, "pip", "install", "--no-deps", project)
installed(scene.uv, "sync", "--inexact", cwd=project, absolute=[f"{scene.site}/nvidia/cu13/lib"],
          UV_PROJECT_ENVIRONMENT=scene.prefix)

scene.judged(scene.built(scene.python, "-m", "build", "--outdir", "dist", project))
[archive] = (scene.work / "dist").glob("*.tar.gz")
archive = archive.rename(scene.work / archive.name)
scene.judged(scene.built(*pip, archive))
scene.judged(scene.built(scene.uv, "build", "--wheel", "--out-dir", "dist", archive))
scene.commit(project)
scene.judged(scene.built(*pip, f"git+file://{project}"))
scene.nothing_is_left()

# `env`: pip and build hand VIRTUAL_ENV on. uv sets its own, so the environment has to be named.
scene.project("plain", ['runtime = "env"', 'backend = "setuptools.build_meta"'])
scene.judged(scene.built(*pip, project))
scene.judged(scene.built(scene.python, "-m", "build", "--wheel", "--outdir", "dist", project))
uv = (scene.uv, "build", "--wheel", "--out-dir", "dist")
done = scene.build(*uv, project)
assert done.status and "[CC1007]" in done.err and "uv does not hand the active environment on" in done.err, done
scene.judged(scene.built(*uv, "-C", f"cuda-cc.runtime=env:{scene.prefix}", project))
scene.judged(scene.built(*uv, project, CUDA_CC_RUNTIME=f"env:{scene.prefix}"))

# Without isolation the backend, cuda-cc and what is declared are in one environment.
done = scene.build(*scene.pip_command, "install", "--no-deps", "cuda-cc", "setuptools", "wheel")
assert done.status == 0, done
scene.judged(scene.built(*pip, "--no-build-isolation", project))
installed(scene.uv, "pip", "install", "--no-deps", "--no-build-isolation", project)
done = scene.build(scene.python, "-B", "-m", "cuda_cc", "version")
equal((done.status, done.out.split()[0]), (0, "cuda-cc"), done)
