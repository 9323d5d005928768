# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""Libraries of another torch on a link line, by -l and by path: a newer one is rejected if the output uses symbols
outside of torch's stable ABI, an older one is a warning if the output uses CUDA. Their release is read from the files
around them (CC3018, CC4127)."""
from sandbox import Sandbox, equal

NUMBERS = """#define TORCH_VERSION_MAJOR {}
#define TORCH_VERSION_MINOR {}
#define TORCH_VERSION_PATCH {}
"""
# Exported by libc10 and libtorch_cpu of every release from 2.0, and of those from 2.10.
UNSTABLE = "_ZN3c1010TensorImpl17release_resourcesEv"
STABLE = "aoti_torch_get_data_ptr"

sandbox = Sandbox()


def torch(folder, version=None, build=None, header=None):
    """A folder with torch's `lib`, and a file that names its release; returns its libc10."""
    lib = sandbox.work / folder / "lib"
    lib.mkdir(parents=True)
    source = sandbox.write("names.c", f"void {UNSTABLE}(void) {{}}\nvoid {STABLE}(void) {{}}\n")
    for name in ("c10", "torch"):
        done = sandbox.run("gcc", "-shared", "-fPIC", source, "-o", lib / f"lib{name}.so",
                           f"-Wl,-soname,lib{name}.so")
        equal(done.status, 0, done)
    if version:
        sandbox.write(f"{folder}/version.py", f"__version__ = '{version}'\ncuda = '13.0'\n")
    if build:
        sandbox.write(f"{folder}/build-version", build + "\n")
    if header:
        sandbox.write(f"{folder}/include/torch/csrc/api/include/torch/version.h",
                      NUMBERS.format(*header.split(".")))
    return lib / "libc10.so"


same = torch("same/torch", "2.11.0+cu130")
newer = torch("newer/torch", "2.15.0+cu130")
libtorch = torch("libtorch", build="2.15.0+cu130")
prefix = torch("prefix", header="2.15.0")
silent = torch("silent")
for name, symbol in (("unstable", UNSTABLE), ("stable", STABLE)):
    sandbox.write(f"{name}.c", f"void {symbol}(void);\nvoid run(void) {{ {symbol}(); }}\n")
sandbox.write("none.c", "void run(void) {}\n")


def line(library, source="unstable", runtime="torch==2.11.0"):
    words = library if isinstance(library, list) else [library]
    return ["gcc", "-shared", "-fPIC", f"{source}.c", "-o", "ext.so", *words,
            f"--cudacc-runtime={runtime}"]


sandbox.good(*line(same))
sandbox.good(*line([f"-L{same.parent}", "-lc10", "-ltorch"]))
for library in (newer, libtorch, prefix, [f"-L{newer.parent}", "-ltorch", "-lc10"],
                [f"-L{newer.parent}", "-Wl,--no-as-needed", "-l:libc10.so"]):
    said = sandbox.refused(*line(library), code="CC3018", output="ext.so").err
    assert "torch 2.15.0 library is newer than runtime 2.11.0" in said, said
    assert "torch==2.11.0 from --cudacc-runtime" in said, said
# The library that the linker takes is checked, not one that it does not reach.
sandbox.good(*line([f"-L{same.parent}", f"-L{newer.parent}", "-lc10"]))

# No symbols of torch, or only of its stable ABI; without a release, the names decide.
sandbox.good(*line(newer, "none"))
sandbox.good(*line(newer, "stable"))
sandbox.good(*line(silent))

sandbox.good(*line(newer), "--cudacc-enforce=symbols")
said = sandbox.cc(*line(newer), "--cudacc-waive=CC3018: measured")
equal((said.status, said.err), (0, ""), said)
sandbox.good(*line(newer, runtime="cuda==13.0"))
# An older release is not an error.
sandbox.good(*line(same, runtime="torch==2.15.0"))
