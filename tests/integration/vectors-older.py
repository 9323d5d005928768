# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %support/hide-cuda %python -B %s
"""Another major is rejected in both directions, so an older one is too (V-TG-05)."""
from sandbox import KERNEL, Sandbox

sandbox = Sandbox("11.8")
sandbox.write("k.cu", KERNEL)
compile = ("-arch=sm_80", "-allow-unsupported-compiler", "-c", "k.cu", "-o", "k.o")
sandbox.refused("--cudacc-runtime=cuda==12.4", *compile, code="CC3002", output="k.o")
