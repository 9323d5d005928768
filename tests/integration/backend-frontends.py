# SPDX-License-Identifier: Apache-2.0
# REQUIRES: nvcc
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""cuda_cc.build by every frontend: from a source distribution, from a repository, without isolation, by `build`, by uv
into an environment and as a project of uv's. What is the active environment outside is the runtime inside."""
from backends import Builds
from sandbox import equal

sandbox = Builds("plain", "build")
project = sandbox.project("plain")
pip = (*sandbox.pip_command, "wheel", "--no-deps", "-w", "dist")


def installed(*command, cwd=None, absolute=(), **variables):
    """A frontend that puts the module into the environment."""
    for path in sandbox.site.glob("ext*"):
        sandbox.run("rm", "-rf", path)
    done = sandbox.build(*command, cwd=cwd, **variables)
    assert done.status == 0, done
    sandbox.imported(*absolute)


installed(*sandbox.pip_command, "install", "--no-deps", project)
installed(sandbox.uv, "pip", "install", "--no-deps", project)
installed(sandbox.uv, "sync", "--inexact", cwd=project, absolute=[f"{sandbox.site}/nvidia/cu13/lib"],
          UV_PROJECT_ENVIRONMENT=sandbox.prefix)

sandbox.judged(sandbox.built(sandbox.python, "-m", "build", "--outdir", "dist", project))
[archive] = (sandbox.work / "dist").glob("*.tar.gz")
archive = archive.rename(sandbox.work / archive.name)
sandbox.judged(sandbox.built(*pip, archive))
sandbox.judged(sandbox.built(sandbox.uv, "build", "--wheel", "--out-dir", "dist", archive))
sandbox.commit(project)
sandbox.judged(sandbox.built(*pip, f"git+file://{project}"))
sandbox.nothing_is_left()

# `env`: pip and build hand VIRTUAL_ENV on. uv sets its own, so the environment has to be named.
sandbox.project("plain", ['runtime = "env"', 'backend = "setuptools.build_meta"'])
sandbox.judged(sandbox.built(*pip, project))
sandbox.judged(sandbox.built(sandbox.python, "-m", "build", "--wheel", "--outdir", "dist", project))
uv = (sandbox.uv, "build", "--wheel", "--out-dir", "dist")
done = sandbox.build(*uv, project)
assert done.status and "[CC1007]" in done.err and "uv does not hand the active environment on" in done.err, done
sandbox.judged(sandbox.built(*uv, "-C", f"cuda-cc.runtime=env:{sandbox.prefix}", project))
sandbox.judged(sandbox.built(*uv, project, CUDA_CC_RUNTIME=f"env:{sandbox.prefix}"))

# Without isolation the backend, cuda-cc and what is declared are in one environment.
done = sandbox.build(*sandbox.pip_command, "install", "--no-deps", "cuda-cc", "setuptools", "wheel")
assert done.status == 0, done
sandbox.judged(sandbox.built(*pip, "--no-build-isolation", project))
installed(sandbox.uv, "pip", "install", "--no-deps", "--no-build-isolation", project)
done = sandbox.build(sandbox.python, "-B", "-m", "cuda_cc", "version")
equal((done.status, done.out.split()[0]), (0, "cuda-cc"), done)
