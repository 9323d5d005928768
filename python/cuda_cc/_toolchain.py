# SPDX-License-Identifier: Apache-2.0
"""The toolchain directory that a project is built with, and what cuda-cc says of a wheel."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cuda_cc._program import NAME, failure

# What a shell sets for itself.
OF_THE_SHELL = ("PWD", "OLDPWD", "SHLVL", "_")


def _environment() -> dict[str, str]:
    """Of calls that look for the active environment. uv sets VIRTUAL_ENV to the environment that it made for
    the build and does not hand on the user's."""
    environment = dict(os.environ)
    if re.fullmatch(r"builds-v\d+", os.path.basename(os.path.dirname(environment.get("VIRTUAL_ENV", "")))):
        del environment["VIRTUAL_ENV"]
    return environment


@dataclass(frozen=True)
class Toolchain:
    """A directory that `cuda-cc toolchain` made."""

    program: str
    folder: str
    # The requirements of the runtime; none: nothing is declared.
    declared: Sequence[str]

    @property
    def for_an_environment(self) -> bool:
        return any(each == "env" or each.startswith("env:") for each in self.declared)

    def variables(self) -> dict[str, str]:
        """What `activate` sets."""
        script = '. "$0/activate" && exec env -0'
        done = subprocess.run(["/bin/sh", "-c", script, self.folder], stdout=subprocess.PIPE, check=False)
        if done.returncode:
            raise failure(f"{self.folder}/activate ended with status {done.returncode}")
        pairs = (entry.partition(b"=") for entry in done.stdout.split(b"\0") if entry)
        found = {os.fsdecode(name): os.fsdecode(value) for name, _, value in pairs}
        return {
            name: value
            for name, value in found.items()
            if name not in OF_THE_SHELL and os.environ.get(name) != value
        }

    def check(self, options: Sequence[str], wheel: str) -> None:
        """Ends the build where the wheel is not accepted, and removes it then."""
        done = subprocess.run(
            [self.program, "check", *options, wheel], env=_environment(), stdout=subprocess.PIPE, check=False
        )
        sys.stderr.write(done.stdout.decode(errors="replace"))
        if done.returncode:
            os.unlink(wheel)
            raise failure(f"{os.path.basename(wheel)} was not accepted, and is removed")


    def repair(self, options: Sequence[str], wheel: str) -> str:
        """The path of the wheel that `cuda-cc wheel repair` made of this one, and which takes its place. Ends the
        build where that fails or the result is not accepted."""
        folder, name = os.path.split(wheel)
        with tempfile.TemporaryDirectory(prefix=f".{NAME}-", dir=folder) as made:
            done = subprocess.run(
                [self.program, "wheel", "repair", *options, wheel, "-w", made],
                env=_environment(),
                stdout=subprocess.PIPE,
                check=False,
            )
            sys.stderr.write(done.stdout.decode(errors="replace"))
            os.unlink(wheel)
            if done.returncode:
                raise failure(f"{name} was not repaired, and is removed")
            [repaired] = os.listdir(made)
            os.replace(os.path.join(made, repaired), os.path.join(folder, repaired))
        return os.path.join(folder, repaired)


class NotMade(Exception):
    """There is no directory: what the program said, and its exit status."""

    def __init__(self, reason: str, status: int) -> None:
        super().__init__(reason)
        self.reason, self.status = reason, status


def make(program: str, folder: str, options: Sequence[str]) -> Toolchain:
    """Makes the directory, unless it is there and up to date."""
    environment = _environment()
    command = [program, "toolchain", folder, "--format=json", *options]
    done = subprocess.run(command, env=environment, capture_output=True, check=False)
    said = done.stderr.decode(errors="replace")
    if done.returncode:
        if "[CC1007]" in said and environment.get("VIRTUAL_ENV") != os.environ.get("VIRTUAL_ENV"):
            said += "  note: uv does not hand the active environment on to a build: name it\n"
        # A directory that is made elsewhere is none of this build's.
        said = re.sub("cuda-cc toolchain .*--fetch    # ", 'toolkit = "fetch" in [tool.cuda-cc]    # ', said)
        raise NotMade(said, done.returncode)
    sys.stderr.write(said)
    made = json.loads(done.stdout)
    return Toolchain(program, made["directory"], tuple(made["declared"]))


def _forget(projects: str) -> None:
    """Removes the directories of projects that are gone, such as sources that a build tool had unpacked."""
    for entry in os.listdir(projects):
        with contextlib.suppress(OSError), open(os.path.join(projects, entry, "project"), encoding="utf-8") as file:
            if not os.path.exists(file.read()):
                shutil.rmtree(os.path.join(projects, entry), ignore_errors=True)


def _make_own(folder: str) -> None:
    """Makes the folder if it is not there. Raises OSError where others could put links into it, such as the user who
    called sudo, whose HOME it is. By convention the user's private group has the user's number."""
    os.makedirs(folder, exist_ok=True)
    found, user = os.stat(folder), os.geteuid()
    others = stat.S_IWOTH if found.st_gid == user == os.getegid() else stat.S_IWOTH | stat.S_IWGRP
    if {found.st_uid, os.lstat(folder).st_uid} - {0, user} or found.st_mode & others:
        raise PermissionError(f"others can write to {folder}")


def _lasting(root: str, options: Sequence[str]) -> str:
    """A folder for what is kept of the project between builds: a build directory of CMake or Meson names its
    compilers, and an editable install may use it again at any import. Builds for several runtimes at a time
    have one each."""
    settings = sorted(f"{name}={value}" for name, value in os.environ.items() if name.startswith("CUDA_CC_"))
    key = hashlib.sha256(os.fsencode("\0".join([root, *options, *settings]))).hexdigest()[:16]
    data = os.environ.get("XDG_DATA_HOME")
    if not data:
        home = os.path.expanduser("~")
        if not os.path.isdir(home):  # it is none: services and containers are given one to have none
            raise FileNotFoundError(home)
        data = os.path.join(home, ".local/share")
    own = os.path.join(os.path.abspath(data), NAME)
    projects = os.path.join(own, "projects")
    mine = os.path.join(projects, re.sub(r"[^\w.-]", "_", os.path.basename(root), flags=re.ASCII) + "-" + key)
    for folder in (own, projects, mine):
        _make_own(folder)
    with open(os.path.join(mine, "project"), "w", encoding="utf-8") as file:
        file.write(root)
    _forget(projects)
    return mine


@contextlib.contextmanager
def folder_for(root: str, options: Sequence[str], editable: bool) -> Iterator[str]:
    """Where the toolchain directories of the project in this folder lie: in the user's data folder, or for the
    time of the build where the project itself is temporary or nothing can be kept. What is installed as
    editable stays where it is."""
    temporary = os.path.realpath(tempfile.gettempdir())
    lasting = None
    if editable or os.path.commonpath([root, temporary]) != temporary:
        with contextlib.suppress(OSError):
            lasting = _lasting(root, options)
    if lasting:
        yield lasting
        return
    with tempfile.TemporaryDirectory(prefix=f"{NAME}-") as folder:
        yield folder
