# SPDX-License-Identifier: Apache-2.0
# REQUIRES: nvcc
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""AT17, R31: cuda_cc.build in front of scikit-build-core: CMake reads the toolchain file."""
import backends

backends.every_way("scikit-build-core")
