# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %support/hide-cuda %python -B %s
"""`enforce = symbols` at a link (TG-5, V-TG-10, V-TG-11, V-TG-13): with a newer minor, a link is accepted if the
runtime has all symbols, and rejected otherwise. Headers and libraries of CUDA 12.5, target 12.4; TG-6: the minimum
versions are in the manifest."""
import note
from sandbox import Sandbox, equal, toolkit

sandbox = Sandbox()
new = toolkit("12.5")
sandbox.write("old.cpp", """#include <cuda_runtime_api.h>
extern "C" int f() { int count; return cudaGetDeviceCount(&count); }
""")
sandbox.write("new.cpp", """#include <cuda_runtime_api.h>
extern "C" int g() {
  void *entry;
  return cudaGetDriverEntryPointByVersion("cuInit", &entry, 12050, cudaEnableDefault, nullptr);
}
""")
sandbox.write("cuda-cc.toml", 'runtime = "torch==2.5.1"\nenforce = "symbols"\n')
library = next(path for path in new.glob("**/libcudart.so.12*") if path.is_file())
words = ("g++", "-shared", "-fPIC", f"-I{new}/include")

sandbox.good(*words, "old.cpp", library, "-o", "old.so")
link = note.elf(sandbox.work / "old.so").manifest().link
equal(link["enforce"], "symbols", link)
equal(sorted(link["floor"]), ["libcudart.so.12"], link)
ended = sandbox.refused(*words, "new.cpp", library, "-o", "new.so", code="CC4001", output="new.so")
assert "cudaGetDriverEntryPointByVersion" in ended.err, ended
assert "12.5" in ended.err, ended

# `warn` prints the error and links; `toolkit` rejects the newer library before the link runs.
ended = sandbox.cc("--cudacc-enforce=warn", *words, "new.cpp", library, "-o", "new.so")
equal(ended.status, 0, ended)
assert "CC4001" in ended.err, ended
sandbox.refused("--cudacc-enforce=toolkit", *words, "new.cpp", library, "-o", "newer.so",
                code="CC3013", output="newer.so")

# With a newer runtime the same link is accepted.
sandbox.good("--cudacc-runtime=torch==2.7.1", *words, "new.cpp", library, "-o", "new.so")
floor = note.elf(sandbox.work / "new.so").manifest().link["floor"]["libcudart.so.12"]
assert floor.startswith("12.5."), floor
