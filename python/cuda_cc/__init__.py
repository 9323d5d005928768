# SPDX-License-Identifier: Apache-2.0
"""cuda-cc, installed by pip."""
