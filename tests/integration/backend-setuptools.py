# SPDX-License-Identifier: Apache-2.0
# REQUIRES: nvcc
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""cuda_cc.build in front of setuptools: pip, uv and an editable install build a wheel with the compilers of
the declared environment, from an index that has the backends and cuda-cc alone."""
import backends

backends.every_way("setuptools")
