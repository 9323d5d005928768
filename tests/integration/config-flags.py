# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""config with real wheels: a program compiled and linked by plain g++ with only the printed flags loads the
runtime's own nvJitLink (R18, section 6)."""
import json
import shlex
import sys

import installed
import note
import wheels
from sandbox import PROGRAM, Sandbox, equal

WANTED = json.loads((wheels.Path(wheels.__file__).parent / "wanted.json").read_text())
sandbox = Sandbox()
prefix = sandbox.work / "venv"
site = installed.venv(prefix)
installed.put(site, *WANTED["environments"]["torch==2.5.1"])
installed.torch(site, "2.5.1+cu124", "12.4")
(site / "ext").mkdir()
sandbox.write("ext.cpp", """#include <nvJitLink.h>
extern "C" int version() {
  unsigned major = 0, minor = 0;
  nvJitLinkVersion(&major, &minor);
  return major * 100 + minor;
}
""")
output = site / "ext/native.so"
words = f"{shlex.quote(PROGRAM)} config --runtime env:venv --cflags --libs --rpath nvJitLink"
done = sandbox.run("sh", "-c", f"g++ -shared -fPIC ext.cpp -o {output} $({words})")
equal((done.status, done.err), (0, ""), done)
elf = note.elf(output)
assert "libnvJitLink.so.12" in elf.needed, elf.needed
equal(elf.rpath, ["$ORIGIN/../nvidia/nvjitlink/lib", "$ORIGIN/nvidia/nvjitlink/lib"])
load = "import ctypes, sys; print(ctypes.CDLL(sys.argv[1]).version())"
equal(sandbox.run(sys.executable, "-c", load, output).out, "1204\n", "the runtime's")

# Without the search path it does not load, so the flags above are the cause.
done = sandbox.run("sh", "-c", f"g++ -shared -fPIC ext.cpp -o plain.so "
                             f"$({words.replace(' --rpath', '')})")
equal(done.status, 0, done)
ended = sandbox.run(sys.executable, "-c", load, sandbox.work / "plain.so")
assert ended.status == 1 and "libnvJitLink.so.12" in ended.err, ended

# Every library of the environment that programs link has flags, and linking with them works.
sandbox.write("empty.cpp", "extern \"C\" int none() { return 0; }\n")
for name in ("cublas", "cublasLt", "cudart", "cudnn", "cufft", "curand", "cusolver", "cusparse",
             "nccl", "nvJitLink", "nvrtc"):
    done = sandbox.run("sh", "-c", "g++ -shared -fPIC empty.cpp -o empty.so -Wl,--no-as-needed "
                       f"$({words.replace('nvJitLink', name)})")
    equal(done.status, 0, done)
    needed = note.elf(sandbox.work / "empty.so").needed
    assert any(each.startswith(f"lib{name}.so") for each in needed), (name, needed)
    if name in ("cusparse", "cusolver"):
        assert "libnvJitLink.so.12" in needed, (name, needed)
sandbox.clean()
