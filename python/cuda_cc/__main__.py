# SPDX-License-Identifier: Apache-2.0
"""python -m cuda_cc: the program that was installed with this package."""
