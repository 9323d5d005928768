# SPDX-License-Identifier: Apache-2.0
"""Where the program of this package is."""

from __future__ import annotations

import os
import shutil
import sysconfig

NAME = "cuda-cc"


def failure(message: str, *fixes: str) -> SystemExit:
    """To be raised. A build tool shows what a hook wrote to stderr; with a traceback the reason would not be
    the last of it."""
    return SystemExit("\n".join([f"{NAME}: error: {message}", *(f"  fix: {fix}" for fix in fixes)]))


def _is_program(path: str) -> bool:
    return os.path.isfile(path) and os.access(path, os.X_OK)


def _script_folders() -> list[str]:
    """Where an installer puts scripts, the most exact first: seen from this package's own folder, which is
    right in the overlay of an isolated build too, then those of this Python."""
    site = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    # pip install --target; --home; a prefix, in whose lib/python3.X/site-packages this lies.
    own = [os.path.normpath(os.path.join(site, *up, "bin")) for up in ([], [os.pardir] * 2, [os.pardir] * 3)]
    schemes = [name for name in (None, "posix_user") if name in (None, *sysconfig.get_scheme_names())]
    return own + [sysconfig.get_path("scripts", name) if name else sysconfig.get_path("scripts") for name in schemes]


def find_program() -> str:
    """Absolute path of the program: CUDA_CC_PROGRAM, else what was installed with this package, else the
    one on PATH."""
    named = os.environ.get("CUDA_CC_PROGRAM")
    if named:
        if not _is_program(named):
            raise failure(f"CUDA_CC_PROGRAM is no program: {named}", "unset it, or name the cuda-cc to use")
        return os.path.abspath(named)
    for folder in _script_folders():
        if _is_program(os.path.join(folder, NAME)):
            return os.path.join(folder, NAME)
    found = shutil.which(NAME)
    if not found:
        raise failure(
            f"the program {NAME} is not where its Python package was installed, and not on PATH",
            f"pip install --force-reinstall {NAME}",
        )
    return os.path.abspath(found)
