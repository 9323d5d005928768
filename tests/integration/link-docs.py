# SPDX-License-Identifier: Apache-2.0
# REQUIRES: nvcc
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""docs/link.md as written, in a folder with `.venv`, objects, an archive and a wheel: its commands run, its file is the
project's, and the output that it shows is what is printed. The README has the first command."""
import re
import zipfile

from documented import ROOT, follows, sections
from sandbox import PROGRAM, Sandbox, environment_of, equal

sandbox = Sandbox("13.0")
(sandbox.work / ".venv").symlink_to(environment_of("nvidia-nvjitlink==13.0.88", "nvidia-nvfatbin==13.0.85",
                                                   "nvidia-cuda-runtime==13.0.96"))
sandbox.write("a.cu", "__device__ int twice(int);\n__global__ void apply(int *p) { *p = twice(*p); }\n")
sandbox.write("b.cu", "__device__ int twice(int x) { return 2 * x; }\n")
BOTH = ("-gencode=arch=compute_80,code=sm_80", "-gencode=arch=compute_90,code=sm_90")
for words in (("nvcc", "-dc", *BOTH, "a.cu", "-o", "a.o"), ("nvcc", "-dc", *BOTH, "b.cu", "-o", "b.o"),
              ("ar", "rc", "libb.a", "b.o"), ("nvcc", "-ptx", "-rdc=true", "-arch=compute_90", "b.cu", "-o", "a.ptx"),
              (PROGRAM, "--cudacc-runtime=env:.venv", "-shared", "-Xcompiler", "-fPIC", "-cudart=shared",
               "-gencode=arch=compute_90,code=compute_90", "b.cu", "-o", "ext.so")):
    made = sandbox.run(*words)
    equal(made.status, 0, made)
(sandbox.work / "dist").mkdir()
with zipfile.ZipFile(sandbox.work / "dist/pkg-1-py3-none-any.whl", "w") as wheel:
    wheel.write(sandbox.work / "ext.so", "pkg/ext.so")
    for name in ("METADATA", "WHEEL", "RECORD"):
        wheel.writestr(f"pkg-1.dist-info/{name}", "")

page = follows("link")
[first], [message] = page["Link device code"].commands, page["Link device code"].shown
assert first in sections("README")["Link device code"].commands, first
done = sandbox.run("sh", "-euc", first, PATH=f"{PROGRAM.rsplit('/', 1)[0]}:{sandbox.path}")
equal((done.status, done.out, done.err), (0, "", ""), done)
shown = sandbox.cc("inspect", "kernels.fatbin").out
assert "sm_80" in shown and "sm_90" in shown, shown

[command], lines = page["Which linker"].commands, page["Which linker"].shown
done = sandbox.run("sh", "-euc", command, PATH=f"{PROGRAM.rsplit('/', 1)[0]}:{sandbox.path}")
equal(done.status, 0, done)
assert "\n".join(lines) in done.err, (lines, done)

# The form of the message: the words of CC5004, for the file and the release of the page.
assert re.fullmatch(r"cuda-cc: error: a\.ltoir is newer than nvJitLink 12\.4 \[CC5004\]", message), message
assert "is newer than nvJitLink" in (ROOT / "docs/codes/CC5004.md").read_text()

page["Wheels: prove that run-time linking works"].follow(sandbox)

page["In builds"].put(sandbox)
for words in (("-dlink", "-arch=sm_90", "a.o", "b.o", "-o", "device.o"),
              ("-dlink", "-arch=sm_90", "a.o", "libb.a", "-o", "device.o")):
    done = sandbox.cc(*words)
    equal((done.status, done.err), (0, ""), done)
for words in (["--time", "times.csv"], ["-Xnvlink", "-Werror"], ["-Xnvlink", "-dump-callgraph"]):
    done = sandbox.cc("-dlink", "-arch=sm_90", *words, "a.o", "b.o", "-o", "refused.o")
    equal((done.status, done.codes), (2, ["CC1001"]), done)
    assert not (sandbox.work / "refused.o").exists()
