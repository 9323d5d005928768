# SPDX-License-Identifier: Apache-2.0
# REQUIRES: nvcc
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""R33: cuda_cc.build in front of meson-python: Meson is given the machine file."""
import backends

backends.every_way("meson-python")
