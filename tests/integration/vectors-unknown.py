# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %support/hide-cuda %python -B %s
"""A toolkit whose version cannot be determined is unknown, never accepted; in warn mode this is printed (V-TG-09,
V-MD-03)."""
import os

from sandbox import KERNEL, Sandbox, equal

sandbox = Sandbox()
sandbox.write("k.cu", KERNEL)
fake = sandbox.root / "cuda"
(fake / "bin").mkdir(parents=True)
(fake / "bin/nvcc").write_text("#!/bin/sh\nexec touch k.o\n")
(fake / "bin/nvcc").chmod(0o755)
(fake / "bin/nvcc.profile").write_text("TOP = $(_HERE_)/..\n")
sandbox.use(fake)
compile = ("-c", "k.cu", "-o", "k.o")

ended = sandbox.refused("--cudacc-runtime=cuda==12.4", *compile, code="CC2001", status=4,
                        output="k.o")
assert f"{fake}/bin/nvcc" in ended.err, ended
ended = sandbox.cc("--cudacc-runtime=cuda==12.4", "--cudacc-enforce=warn", *compile)
equal(ended.status, 0, ended)
assert "CC2001" in ended.err and not ended.codes, ended
assert os.path.exists(sandbox.work / "k.o"), ended
ended = sandbox.cc("--cudacc-runtime=cuda==12.4", "--cudacc-enforce=off", *compile)
equal((ended.status, ended.err), (0, ""), "off does not look")
