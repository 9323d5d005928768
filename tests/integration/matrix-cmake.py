# SPDX-License-Identifier: Apache-2.0
# REQUIRES: nvcc
# RUN: PYTHONPATH=%S %support/hide-cuda %python -B %s
"""A CMake project over CUDA 12.4, 13.0 and 13.2, nvcc of Debian and of wheels: two builds serve three runtimes, what
is accepted loads beside the wheels of that runtime, and what is rejected does not."""
import os
import shutil
import subprocess
import sys

from matrix_projects import CMAKE, NVCC_OF, Matrix
from sandbox import equal, wheel

RUNTIMES = ("12.4", "13.0", "13.2")
matrix = Matrix({**CMAKE, "CMakeLists.txt": CMAKE["CMakeLists.txt"] + """include(FetchContent)
FetchContent_Declare(dep SOURCE_DIR ${CMAKE_CURRENT_SOURCE_DIR}/../dep)
FetchContent_MakeAvailable(dep)
target_link_libraries(p PRIVATE dep)
""", "l.cpp": '#include "dep.h"\n' + CMAKE["l.cpp"]})
# A project beside it, of which it compiles a source and includes a header.
dep = matrix.sandbox.root / "dep"
dep.mkdir()
(dep / "CMakeLists.txt").write_text("add_library(dep STATIC dep.cpp)\ntarget_include_directories(dep PUBLIC .)\n"
                                    "set_target_properties(dep PROPERTIES POSITION_INDEPENDENT_CODE ON)\n")
for name in ("dep.h", "dep.cpp"):
    (dep / name).write_text("int dep();\n")
lines = "".join(f"{key} = {value}\n" for key, value in {
    "runtimes": [f"cuda=={version}" for version in RUNTIMES],
    "toolkits": [str(NVCC_OF[version]) for version in reversed(RUNTIMES)], "build": "'cmake'"}.items())
matrix.sandbox.write("cuda-cc.toml", f"[matrix]\n{lines}")
flags = {"CUDAFLAGS": "-cudart shared"}
plan = matrix.json("--plan")
equal([(each["name"], each["runtimes"]) for each in plan["builds"]],
      [("cu12.4", ["cuda==12.4"]), ("cu13.0", ["cuda==13.0", "cuda==13.2"])])
made = matrix.json(**flags)
verdicts = {(row["runtime"], cell["build"]): cell["verdict"] for row in made["runtimes"] for cell in row["cells"]}
equal(verdicts, {(f"cuda=={version}", build): "accept" if version[:2] == build[2:4] else "reject"
                 for version in RUNTIMES for build in ("cu12.4", "cu13.0")})
equal({row["path"] for row in made["files"]}, {"cu12.4/install/lib/libp.so", "cu13.0/install/lib/libp.so"})

# The loader beside the wheels of each runtime.
LIBRARIES = {"12.4": wheel("nvidia-cuda-runtime-cu12==12.4.127") / "nvidia/cuda_runtime/lib/libcudart.so.12",
             "13.0": wheel("nvidia-cuda-runtime==13.0.96") / "nvidia/cu13/lib/libcudart.so.13",
             "13.2": NVCC_OF["13.2"] / "lib/libcudart.so.13"}
results = matrix.sandbox.work / ".cuda-cc/matrix"
for (runtime, build), verdict in verdicts.items():
    library = LIBRARIES[runtime.removeprefix("cuda==")]
    site = matrix.sandbox.root / "sites" / f"{runtime}-{build}"
    folder = site / ("nvidia/cuda_runtime/lib" if library.name.endswith("12") else "nvidia/cu13/lib")
    folder.mkdir(parents=True)
    shutil.copy(library, folder)
    (site / "p").mkdir()
    shutil.copy(results / build / "work/install/lib/libp.so", site / "p")
    loaded = subprocess.run([sys.executable, "-c", "import ctypes, os, sys; ctypes.CDLL(sys.argv[1], os.RTLD_NOW)",
                             site / "p/libp.so"], text=True, capture_output=True, env={"PATH": os.environ["PATH"]})
    equal(loaded.returncode == 0, verdict == "accept", f"{build} on {runtime}: {loaded.stderr}")
    if verdict == "reject":
        assert "cannot open shared object file" in loaded.stderr, loaded.stderr

# A change of one source is built by both trees, and only what it touches.
log = results / "cu13.0/build.log"
matrix(**flags)
source = matrix.sandbox.work / "l.cpp"
source.write_text(source.read_text() + "\n")
matrix(**flags)
assert "l.cpp" in log.read_text() and "k.cu" not in log.read_text(), log.read_text()
# A change beside the project is seen, too: of a source, a header, and what CMake reads; else nothing runs.
for name, compiled in (("dep.cpp", "dep.cpp"), ("dep.h", "l.cpp"), ("CMakeLists.txt", "")):
    stamp = (results / "cu13.0/built").stat().st_mtime_ns
    matrix(**flags)
    equal((results / "cu13.0/built").stat().st_mtime_ns, stamp)
    with (dep / name).open("a") as file:
        file.write("\n")
    matrix(**flags)
    assert (results / "cu13.0/built").stat().st_mtime_ns > stamp, name
    assert compiled in log.read_text() and "k.cu" not in log.read_text(), log.read_text()
# A broken source: nothing of the last build counts.
source.write_text("broken\n")
done = matrix(status=4, **flags)
assert "[CC2033]" in done.err and "2 unknown" not in done.out and "3 unknown" in done.out, done
