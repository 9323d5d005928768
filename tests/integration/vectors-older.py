# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %support/hide-cuda %python -B %s
"""Another major is rejected in both directions, so an older one is too (V-TG-05)."""
from scene import KERNEL, Scene

scene = Scene("11.8")
scene.write("k.cu", KERNEL)
compile = ("-arch=sm_80", "-allow-unsupported-compiler", "-c", "k.cu", "-o", "k.o")
scene.refused("--cudacc-runtime=cuda==12.4", *compile, code="CC3002", output="k.o")
