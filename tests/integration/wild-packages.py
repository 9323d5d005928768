# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support:%S/../wild %support/hide-cuda %python -B %s
"""Real packages, file by file: `doctor` predicts the loader's result, alone and after an import of the package. faiss
and rmm open libraries by ctypes before their modules, CuPy and NCCL's extensions by cuda.pathfinder. And an
environment that is broken on purpose, in which the first fix works. `./dev wild` does the same with many more
packages."""
import json
import os
import shutil
import sys

import installed
import namespaces
import verdicts
import wild
from behaviour import behaviour
from doctoring import Sick, put
from sandbox import PROGRAM, Sandbox, equal, skip

if sys.version_info[:2] != (3, 11):
    skip("the wheels of faiss and CuPy are those for Python 3.11")
PACKAGES = {
    "faiss": (["faiss-gpu-cu12==1.14.1.post1", "numpy==2.2.6", "packaging==25.0",
               "nvidia-cuda-runtime-cu12==12.9.79", "nvidia-cublas-cu12==12.9.1.4"], ["faiss"], 4),
    "rmm": (["rmm-cu12==26.10.0", "librmm-cu12==26.10.0", "rapids-logger==0.3.0", "numpy==2.2.6",
             "nvidia-cuda-runtime-cu12==12.9.79"], ["rmm"], 10),
    "cupy": (["cupy-cuda13x==14.2.0", "cuda-pathfinder==1.3.4", "numpy==2.2.6", "nvidia-cublas==13.1.0.3",
              "nvidia-curand==10.4.0.35", "nvidia-cufft==12.0.0.61", "nvidia-cuda-runtime==13.0.96",
              "nvidia-cuda-nvrtc==13.0.88"], ["cupy", "cupy_backends.cuda.libs:nvrtc.getVersion()"], 4),
}
if os.environ.get("CUDACC_TEST_ALL"):
    PACKAGES["nccl"] = (
        ["nccl-extensions==0.1.0", "nccl4py==0.6.0", "nvidia-nccl-cu13==2.29.7", "cuda-bindings==12.9.4",
         "cuda-pathfinder==1.9.0", "numpy==2.2.6", "packaging==25.0"],
        ["nccl._extensions.bindings.nccl_ep:get_version()",
         "nccl._extensions.bindings._internal.nccl_m2n:_inspect_function_pointers()"], 4)


def environment(sandbox, name, requirements):
    prefix = sandbox.work / name
    site = installed.venv(prefix)
    for requirement in requirements:
        put(site, requirement)
    return prefix, site


def namespace(words):
    """NCCL's extensions NEED a driver."""
    return namespaces.command("machine", sandbox.root / "driver", words)


def verdicts_of(prefix, site, imports):
    """Rows of wild.py, with the verdicts of `doctor` and `check`."""
    around = wild.Installed(site)
    files = wild.shared_objects(site)[0]
    rows = wild.load_all(namespace, prefix, {"imports": imports}, around, files)
    for tool in verdicts.TOOLS:
        said = verdicts.asked(tool, PROGRAM, namespace, prefix, files)
        for row in rows:
            row[tool] = said.get(str(site / row["path"]))
    return rows


sandbox = Sandbox()
namespaces.make_library(sandbox.root / "driver", "libcuda", namespaces.names_of_driver())
for name in PACKAGES:
    @behaviour
    def each_file_is_predicted_alone_and_behind_its_package(name=name):
        requirements, imports, least = PACKAGES[name]
        rows = verdicts_of(*environment(sandbox, name, requirements), imports)
        for tool in verdicts.TOOLS:
            wrong = [row for row in rows if verdicts.column(row, row[tool]) in (*verdicts.WRONG, verdicts.SKIPPED)]
            assert not wrong, json.dumps(wrong, indent=1)
        differ = [row for row in rows if row["doctor"]["verdict"] != row["check"]["verdict"]]
        assert not differ, json.dumps(differ, indent=1)
        # These load only after the libraries that the package opens; without such files the test would prove nothing.
        behind = [row for row in rows if row["alone"] and row.get("package") == "" and
                  row["doctor"]["verdict"] == "accept"]
        assert len(behind) >= least, f"{name}: {len(behind)} of {len(rows)}"
        print(name, len(rows), "files,", len(behind), "of them behind others")


@behaviour
def a_library_that_is_opened_first_and_not_installed_is_reported():
    prefix, site = environment(sandbox, "lacking", PACKAGES["rmm"][0])
    shutil.rmtree(site / "rapids_logger")
    ended = sandbox.run(PROGRAM, "doctor", "--format=json", "--env", prefix, "rmm")
    equal(ended.status, 3, ended)


@behaviour
def a_library_of_another_version_than_is_needed_is_replaced():
    sick = Sick("nvidia-cusparse-cu12==12.3.1.170", "nvidia-nvjitlink-cu12==12.1.105")
    sick.file = sick.lib("cusparse", "libcusparse.so.12")
    file = sick.doctor()
    equal(file["verdict"], "reject")
    sick.predicts(file)
    sick.helps(file, "wheel")


@behaviour
def a_library_that_was_removed_without_its_metadata_is_installed_again():
    sick = Sick("nvidia-cusparse-cu12==12.3.1.170", "nvidia-nvjitlink-cu12==12.4.127")
    sick.file = sick.lib("cusparse", "libcusparse.so.12")
    equal(sick.doctor()["verdict"], "accept")
    sick.lib("nvjitlink", "libnvJitLink.so.12").unlink()
    file = sick.doctor()
    equal(file["verdict"], "reject")
    sick.predicts(file)
    sick.helps(file, "wheel")
