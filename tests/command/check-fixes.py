# RUN: PYTHONPATH=%S %python -B %s
"""A runtime that a fix names is accepted once it is declared: by check, by the link and by explain. Ranges are those
of one CUDA major. Who declared a line is told of lines, and who installed a file of what they can do."""
import re

from binaries import CUDART, JITLINK, PROGRAM, Binaries, equal, run

place = Binaries()
place.extension("old.so", {CUDART: ["cudaGetDevice"]})
place.extension("new.so", {JITLINK: ["__nvJitLinkCreate_12_5"]})


def runtimes(text):
    """What fixes name, without line breaks: `torch>=2.7.0,<2.11`."""
    return re.findall(r"(?:raise|lower) the runtime to ((?:torch|cuda)[=<>]\S*[0-9])", " ".join(text.split()))


for name, runtime, expected in (("old.so", "torch==2.11.0", ["torch==2.10.0"]),
                                ("old.so", "cuda==13.0", ["cuda==12.9"]),
                                ("new.so", "torch==2.5.1", ["torch>=2.7.0,<2.11"]),
                                ("new.so", "cuda==12.4", ["cuda==12.5"])):
    checked = place.check(name, "--runtime", runtime)
    equal((checked.status, runtimes(checked.out)), (3, expected), checked)
    for fix in expected:
        equal(place.check(name, "--runtime", fix).status, 0, fix)
    if runtime.startswith("cuda"):
        assert "torch" not in checked.out, checked

# What is imported by both majors is had by no runtime, and none is named.
place.extension("both.so", {CUDART: ["cudaGetDevice"], "libcublas.so.13": ["cublasCreate_v2"]})
for runtime in ("torch==2.11.0", "torch==2.10.0", "cuda==12.4"):
    checked = place.check("both.so", "--runtime", runtime)
    equal((checked.status, runtimes(checked.out)), (3, []), checked)

# The link: the library comes by a script, so that the file alone is judged.
library = place.library("lib/libcudart.so.12", CUDART, ["cudaGetDevice"])
(place.work / "libscript.so").write_text(f"INPUT({library})\n")
(place.work / "ext.c").write_text("void cudaGetDevice(void);\nvoid init(void) { cudaGetDevice(); }\n")


def link(runtime):
    return run(PROGRAM, "gcc", f"--cudacc-runtime={runtime}", "-nostdlib", "-shared", "-fPIC", "ext.c", "libscript.so",
               "-Wl,-rpath,$ORIGIN/../nvidia/cuda_runtime/lib", "-o", "linked.so", cwd=place.work, VIRTUAL_ENV="")


refused = link("torch==2.11.0")
equal((refused.returncode, runtimes(refused.stderr)), (3, ["torch==2.10.0"]), refused)
equal(link("torch==2.10.0").returncode, 0)

# explain: the direction, and nothing that cannot help.
def explained(runtime):
    done = run(PROGRAM, "explain", "--runtime", runtime, "libcudart.so.12: cannot open shared object file")
    equal(done.returncode, 0, done)
    return " ".join(done.stdout.split())


told = explained("torch==2.11.0")
equal(runtimes(told), ["torch==2.10.0"], told)
assert "pip install 'torch<2.11'" in told and "import torch" not in told, told
told = explained("cuda==13.0")
equal(runtimes(told), ["cuda==12.9"], told)
assert "torch" not in told, told

# What lies in site-packages, and whose: who imports it did not build it.
site = place.site("env", {"ext": ("1.0", {"ext/native.so": "old.so"})})
told = place.check(site / "ext/native.so", "--runtime", "torch==2.11.0")
fixes = [line.strip() for line in told.out.splitlines() if line.strip().startswith("fix:")]
equal([each.removesuffix(", or") for each in fixes],
      ["fix: pip install 'torch<2.11'", "fix: install a release of ext that is built for CUDA 13, up to 13.0",
       "fix: ask the maintainers of ext for a build for CUDA 13.0",
        "fix: build it again: link the libraries of CUDA 13"],
      told)
