"""Compile farms on loopback, for scripts that run below tests/support/alone."""

import atexit
import os
import re
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import debs
from scene import SYSTEM, skip, toolkits

USER = "nobody"


def unpacked(name):
    """Folder of the package's programs."""
    try:
        return Path(debs.get(name)) / "usr"
    except toolkits.Skipped as reason:
        return skip(reason)


def until(holds, what, seconds=30):
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, what() if callable(what) else what
        time.sleep(0.05)


def reached_by_all():
    """A folder outside the test's own, in which daemons work that are not the user's."""
    folder = Path(tempfile.mkdtemp(prefix="cuda-cc-farm-", dir="/tmp"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    folder.chmod(0o755)
    return folder


class Daemon:
    """A program that serves; what it and its children say lies in `log`."""

    def __init__(self, folder, name, *argv):
        self.log = folder / f"{name}.log"
        self.log.touch()
        self.log.chmod(0o666)
        self.out = folder / f"{name}.out"
        self.process = subprocess.Popen([str(word) for word in argv], stdin=subprocess.DEVNULL,
                                        stdout=self.out.open("w"), stderr=subprocess.STDOUT,
                                        cwd="/", env={"PATH": SYSTEM, "LC_ALL": "C"})

    @property
    def said(self):
        assert self.process.poll() is None, f"it ended: {self.out.read_text()}{self.log.read_text()}"
        return self.log.read_text(errors="replace")


class Distcc:
    """One distccd, and a client that compiles nowhere else, unless distcc itself wants to."""
    port = 3632

    def __init__(self, scene):
        usr = unpacked("distcc")
        self.bin = usr / "bin"
        self.folder = reached_by_all()
        as_user = ["--user", USER] if os.geteuid() == 0 else []
        self.daemon = Daemon(self.folder, "distccd", usr / "bin/distccd", "--daemon", "--no-detach",
                             "--listen", "127.0.0.1", "--port", self.port, "--allow", "127.0.0.1",
                             "--enable-tcp-insecure", "--log-level", "info", "--jobs", "2",
                             "--log-file", self.folder / "distccd.log", *as_user)
        client = scene.root / "distcc"
        client.mkdir()
        self.variables = {"DISTCC_HOSTS": f"127.0.0.1:{self.port}", "DISTCC_FALLBACK": "0",
                          "DISTCC_DIR": client, "PATH": f"{self.bin}:{scene.path}"}
        until(lambda: "daemon started" in self.daemon.said, "distccd does not answer")

    def jobs(self):
        """What was compiled, each with its compiler and file as the daemon names them."""
        return re.findall(r"(?m)\] (.*) on localhost completed ok$", self.daemon.said)
