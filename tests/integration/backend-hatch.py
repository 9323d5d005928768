# SPDX-License-Identifier: Apache-2.0
# REQUIRES: nvcc
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""cuda_cc.build in front of hatchling, whose build hook calls NVCC."""
import backends

backends.every_way("hatchling")
