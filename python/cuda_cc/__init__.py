# SPDX-License-Identifier: Apache-2.0
"""The Python side of cuda-cc: `python -m cuda_cc` and the PEP 517 backend `cuda_cc.build`."""

from __future__ import annotations


def __getattr__(name: str) -> str:
    # That of the installed distribution, which is written in one place. Importing what reads it takes
    # longer than all the rest of this package.
    if name == "__version__":
        from importlib.metadata import version

        return version("cuda-cc")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
