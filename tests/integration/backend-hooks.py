# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""cuda_cc.build has the hooks that the backend behind it has, with the parameters that PEP 517 and PEP 660 name, for
each of five."""
import json
import sys

from backends import BACKENDS
from packing import ROOT
from sandbox import Sandbox, environment_of, equal

HOOKS = [f"{name}_for_build_{kind}" for kind in ("wheel", "sdist", "editable")
         for name in ("get_requires", "prepare_metadata")] + ["build_wheel", "build_sdist", "build_editable"]
ASK = f"""import importlib, inspect, json, sys
module = importlib.import_module(sys.argv[1])
print(json.dumps({{name: list(inspect.signature(getattr(module, name)).parameters)
                  for name in {HOOKS!r} if hasattr(module, name)}}))
"""
sandbox = Sandbox()


def hooks(module, backend):
    done = sandbox.run(sys.executable, "-B", "-c", ASK, module,
                       PYTHONPATH=f"{ROOT}/python:{environment_of(*backend.wheels)}")
    assert done.status == 0, done
    return json.loads(done.out)


for name in ("setuptools", "scikit-build-core", "meson-python", "hatchling", "flit"):
    backend = BACKENDS[name]
    sandbox.write("pyproject.toml", f'[tool.cuda-cc]\nbackend = "{backend.module}"\n')
    ours, theirs = hooks("cuda_cc.build", backend), hooks(backend.module, backend)
    assert "build_wheel" in theirs, theirs
    equal(ours, theirs, name)
