# SPDX-License-Identifier: Apache-2.0
"""The project that is built: what its pyproject.toml says to this backend, and the backend that builds it."""

from __future__ import annotations

import importlib
import os
import re
import sys
from functools import cache
from typing import Any

from cuda_cc._program import failure

# Distributions that are not called as their modules.
DISTRIBUTIONS = {"mesonpy": "meson-python", "poetry": "poetry-core", "pdm": "pdm-backend"}
# Names of distributions, as PEP 503 normalises them, that are no module with a backend, and the module.
MODULES = {
    "scikit-build-core": "scikit_build_core.build",
    "setuptools": "setuptools.build_meta",
    "hatchling": "hatchling.build",
    "meson-python": "mesonpy",
    "flit-core": "flit_core.buildapi",
    "poetry-core": "poetry.core.masonry.api",
    "pdm-backend": "pdm.backend",
}
PYPROJECT = "pyproject.toml"
EXAMPLE = 'write in pyproject.toml: [tool.cuda-cc] backend = "setuptools.build_meta"'


def loads(text: str) -> dict[str, Any]:
    """Raises ValueError for what is not TOML."""
    for module in ("tomllib", "tomli"):
        try:
            toml = importlib.import_module(module)
        except ImportError:
            continue
        parsed: dict[str, Any] = toml.loads(text)
        return parsed
    raise failure(
        "this Python has no reader of TOML (tomllib is in 3.11 and later)",
        'add to build-system.requires: "tomli; python_version < \'3.11\'"',
    )


def table_in(text: str, name: str) -> dict[str, Any]:
    """`[tool.cuda-cc]` of a pyproject.toml, empty if it has none; all of another file of this name."""
    try:
        table = loads(text)
    except ValueError as error:
        raise failure(f"{name} is not valid TOML: {error}") from None
    for key in ("tool", "cuda-cc") if name == PYPROJECT else ():
        table = table.get(key, {})
        if not isinstance(table, dict):
            raise failure(f"{key} in {name} must be a table", EXAMPLE)
    return table


def _table(root: str) -> dict[str, Any]:
    """`[tool.cuda-cc]` of the project. A frontend calls hooks in the folder of pyproject.toml. The keys of this
    backend are about one project: none is inherited from a folder above, as the runtime is."""
    try:
        with open(os.path.join(root, PYPROJECT), encoding="utf-8") as file:
            return table_in(file.read(), PYPROJECT)
    except OSError as error:
        raise failure(f"{PYPROJECT} cannot be read: {error.strerror}") from None


def repairs(root: str) -> bool:
    """`repair` in `[tool.cuda-cc.wheel]`. The program checks the rest of that table."""
    wheel = _table(root).get("wheel", {})
    repair = wheel.get("repair", False) if isinstance(wheel, dict) else None
    if not isinstance(repair, bool):
        raise failure("repair in [tool.cuda-cc.wheel] must be true or false")
    return repair


def _declared(root: str) -> tuple[str, list[str]]:
    """`backend` and `backend-path`."""
    table = _table(root)
    backend, path = table.get("backend"), table.get("backend-path", [])
    if backend in ("nvcc", "ninja"):
        # The setting of that name: who runs the steps of a compile.
        raise failure(f'backend = "{backend}" in [tool.cuda-cc] does not say which backend builds the package', EXAMPLE,
                      f'for compiles: CUDA_CC_BACKEND={backend}')
    if not isinstance(backend, str) or not backend:
        raise failure("pyproject.toml does not say which backend builds the package", EXAMPLE)
    module = MODULES.get(re.sub("[-_.]+", "-", backend).lower(), backend)
    if module != backend:
        raise failure(f'backend = "{backend}" in [tool.cuda-cc] names no module', f'write backend = "{module}"')
    if backend.split(":")[0] == "cuda_cc.build":
        raise failure("the backend behind cuda_cc.build cannot be cuda_cc.build", EXAMPLE)
    if not isinstance(path, list) or not all(isinstance(folder, str) for folder in path):
        raise failure("backend-path in [tool.cuda-cc] must be a list of folders of the project")
    return backend, path


def _folders(root: str, path: list[str]) -> list[str]:
    folders = [os.path.realpath(os.path.join(root, folder)) for folder in path]
    for folder, name in zip(folders, path):
        if os.path.commonpath([root, folder]) != root:
            raise failure(f"backend-path in [tool.cuda-cc] leads out of the project: {name}")
        if not os.path.isdir(folder):
            raise failure(f"backend-path in [tool.cuda-cc] names no folder: {name}")
    return folders


@cache
def load_backend(root: str) -> Any:
    """The module, or the object of a module, that builds the project in this folder."""
    name, path = _declared(root)
    module, _, attribute = name.partition(":")
    folders = _folders(root, path)
    sys.path[:0] = folders
    try:
        backend: Any = importlib.import_module(module)
        for each in attribute.split(".") if attribute else []:
            backend = getattr(backend, each)
    except (ImportError, AttributeError) as error:
        top = module.split(".")[0]
        missing = isinstance(error, ModuleNotFoundError) and error.name in (top, module) and not folders
        fix = f'add "{DISTRIBUTIONS.get(top, top.replace("_", "-"))}" to build-system.requires in pyproject.toml'
        raise failure(f"the backend {name} cannot be loaded: {error}", *([fix] if missing else [])) from None
    return backend
