# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""--cudacc-print=STAGE for nvcc and host compilers, compiles and links, and the lines of CUDA_CC_LOG: keys, types,
codes and exit status stay what they are (golden/stages.txt, golden/log.txt)."""
import json
import os

from fixed import FixedCompilers
from golden import Golden, codes, shape

place = FixedCompilers()
# `facts` is printed by a link; the files for that are in a temporary folder.
os.environ["TMPDIR"] = str(place.root)
MASKED = ((place.root, "ROOT"),)
INTRO = "golden-stages.py: keys of JSON with types and some values; `?`: not in every object."
STAGES = ("invocation", "target", "toolkit", "verdict", "plan", "facts")
cuda = ("-I", place.toolkit / "include")
libraries = ("-lcudart", f"-L{place.lib}")
CALLS = {
    "nvcc compile": ["-c", "k.cu", "-o", "k.o"],
    "nvcc compile, refused": ["-c", "k.cu", "-o", "k.o", "--cudacc-runtime=cuda==12.1"],
    "nvcc link": ["-shared", "k.o", "-o", "k.so", *libraries],
    "nvcc probe": ["--version"],
    "g++ compile": ["g++", *cuda, "-c", "x.cpp", "-o", "x.o"],
    "g++ compile, refused": ["g++", *cuda, "-c", "x.cpp", "-o", "x.o", "--cudacc-runtime=torch==2.3.0"],
    "g++ link": ["g++", "-nostdlib", "-shared", "k.o", "-o", "x.so", *libraries],
    "g++ link of sources": ["g++", "-nostdlib", "-shared", "-fPIC", *cuda, "x.cpp", "-o", "x.so", *libraries],
    "g++ link, refused": ["g++", "-nostdlib", "-shared", "k.o", "-o", "x.so", place.newer / "libnvJitLink.so"],
}
declared = {"CUDA_CC_RUNTIME": "torch==2.5.1"}

golden = Golden("stages", INTRO)
for name, words in CALLS.items():
    for stage in STAGES:
        ended = place.call(*words, f"--cudacc-print={stage}", **declared)
        # The target is the same for all calls, and a rejected call prints the same as others until then.
        repeats = stage in ("invocation", "toolkit") and "refused" in name or stage == "target" and (
            name != "nvcc compile")
        golden.section(f"{name}: {stage}")
        golden.add(f"exit {ended.status}, codes on stderr {codes(ended.err)}")
        if ended.out.startswith("{") and not repeats:
            golden.table(shape(json.loads(ended.out), MASKED))

place.write("unknown/cuda.h", "#define CUDA_VERSION (x)\n")
place.write("site/torch/version.py", "__version__ = '2.5.1+cu124'\ncuda = '12.4'\n")
place.write("site/torch/include/torch/csrc/api/include/torch/version.h",
            "#define TORCH_VERSION_MAJOR 2\n#define TORCH_VERSION_MINOR 5\n#define TORCH_VERSION_PATCH 1\n")
place.write("site/torch/include/c10/core/TensorImpl.h")
torch = ("-Isite/torch/include", "-Isite/torch/include/torch/csrc/api/include")
for stage, words in (("toolkit", ["g++", *torch, "-c", "x.cpp"]), ("toolkit", ["g++", "-Iunknown", "-c", "x.cpp"]),
                     ("verdict", ["g++", "-Iunknown", "-c", "x.cpp"]),
                     ("invocation", ["-ccbin", "g++", "-iquote=.", "-cudart=shared", "k.cu", "-o", "k"]),
                     ("invocation", ["clang++", "--cuda-path=/cuda", "-fuse-ld=lld", "-isystem", ".", "k.cu",
                                     "-Wl,-rpath,/x", "--cudacc-strict", "--cudacc-enforce=warn"])):
    ended = place.call(*words, f"--cudacc-print={stage}", **declared)
    golden.section(f"{' '.join(words)}: {stage}")
    golden.add(f"exit {ended.status}, codes on stderr {codes(ended.err)}")
    golden.table(shape(json.loads(ended.out), MASKED))

golden.section("without a declaration")
rows = []
for name, words in CALLS.items():
    for stage in STAGES:
        if "refused" not in name:
            ended = place.call(*words, CUDA_CC_PRINT=stage)
            what = "JSON" if ended.out.startswith("{") else "-"
            rows.append([f"{name}: {stage}", f"exit {ended.status}", what, codes(ended.err)])
golden.table(rows)

golden.section("what calls are")
rows = []
for words in (["-E", "k.cu"], ["-dlink", "k.o"], ["-lib", "k.o"], ["-ptx", "k.cu"], ["-run", "k.cu"], ["-M", "k.cu"],
              ["--dryrun", "k.cu"], ["nvcc", "k.cu"], ["gcc", "-S", "x.cpp"], ["gcc", "-r", "k.o"], ["g++", "-###"],
              ["clang++", "-fsyntax-only", "x.cpp"], ["ccache", "g++", "-c", "x.cpp"],
              ["nvcc", "-optf", "none", "k.cu"]):
    value = json.loads(place.call(*words, "--cudacc-print=invocation").out or "{}")
    rows.append([" ".join(words), *(value.get(key, "-") for key in ("role", "dialect", "kind", "launchers"))])
program = place.masquerade("g++") / "g++"
value = json.loads(place.call(program, "x.cpp", "--cudacc-print=invocation", program=None).out)
rows.append(["(masquerade) g++ x.cpp", *(value[key] for key in ("role", "dialect", "kind", "launchers"))])
golden.table(rows)
golden.finish()

golden = Golden("log", INTRO)
log = place.root / "log"
place.write("shared/cuda-cc.toml", 'runtime = "cuda==12.4"\n')
(place.work / "shared").chmod(0o1777)
passed_by = "a declaration in a shared directory"
for name, words in {**CALLS, passed_by: ["g++", "-c", "../x.cpp"]}.items():
    log.unlink(missing_ok=True)
    if name == passed_by:
        place.call(*words, CUDA_CC_LOG=log, cwd=place.work / "shared")
    else:
        place.call(*words, CUDA_CC_LOG=log, **declared)
    for line in log.read_text().splitlines():
        golden.section(name)
        golden.table(shape(json.loads(line), MASKED))
golden.finish()
