# SPDX-License-Identifier: Apache-2.0
"""Compile farms on loopback, for scripts that run inside tests/support/alone."""

import atexit
import os
import re
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import debs
from caching import new_sccache
from sandbox import SYSTEM, skip, toolkits

USER = "nobody"


def unpacked(name):
    """Folder of the package's programs."""
    try:
        return Path(debs.get(name)) / "usr"
    except toolkits.Skipped as reason:
        return skip(reason)


def until(holds, what, seconds=120):
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, what() if callable(what) else what
        time.sleep(0.05)


def reached_by_all():
    """A folder outside the test's own, for daemons that run as another user."""
    folder = Path(tempfile.mkdtemp(prefix="cuda-cc-farm-", dir="/tmp"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    folder.chmod(0o755)
    return folder


class Daemon:
    """A server process; `log` has the output of it and its children."""

    def __init__(self, folder, name, *argv, **environment):
        self.log = folder / f"{name}.log"
        self.log.touch()
        self.log.chmod(0o666)
        self.out = folder / f"{name}.out"
        self.process = subprocess.Popen([str(word) for word in argv], stdin=subprocess.DEVNULL,
                                        stdout=self.out.open("w"), stderr=subprocess.STDOUT,
                                        cwd="/", env={"PATH": SYSTEM, "LC_ALL": "C", **environment})

    @property
    def said(self):
        assert self.process.poll() is None, f"it ended: {self.out.read_text()}{self.log.read_text()}"
        return self.log.read_text(errors="replace")


class Distcc:
    """One distccd, and a client that sends all compiles to it, unless distcc refuses."""
    port = 3632

    def __init__(self, sandbox):
        usr = unpacked("distcc")
        self.bin = usr / "bin"
        self.folder = reached_by_all()
        as_user = ["--user", USER] if os.geteuid() == 0 else []
        self.daemon = Daemon(self.folder, "distccd", usr / "bin/distccd", "--daemon", "--no-detach",
                             "--listen", "127.0.0.1", "--port", self.port, "--allow", "127.0.0.1",
                             "--enable-tcp-insecure", "--log-level", "info", "--jobs", "2",
                             "--log-file", self.folder / "distccd.log", *as_user)
        client = sandbox.root / "distcc"
        client.mkdir()
        self.variables = {"DISTCC_HOSTS": f"127.0.0.1:{self.port}", "DISTCC_FALLBACK": "0",
                          "DISTCC_DIR": client, "PATH": f"{self.bin}:{sandbox.path}"}
        until(lambda: "daemon started" in self.daemon.said, "distccd does not answer")

    def jobs(self):
        """The compiles, each with compiler and file as the daemon logs them. It logs a compile after the client has
        received the object, so this waits for every connection."""
        until(lambda: self.daemon.said.count(" connection from ") == self.daemon.said.count(
            "(dcc_job_summary)"), lambda: self.daemon.said)
        return re.findall(r"(?m)\] (.*) on localhost completed ok$", self.daemon.said)


class Icecc:
    """A scheduler and two nodes: the one here sends jobs, the other compiles them in a chroot."""
    port = 8765

    def __init__(self, sandbox):
        usr = unpacked("icecc")
        self.folder = reached_by_all()
        made = sandbox.run("bash", usr / "bin/icecc-create-env", "gcc", "--compression", "none",
                           cwd=self.folder)
        found = list(self.folder.glob("*.tar"))
        self.sockets = self.own("sockets")
        self.seem_idle()
        assert len(found) == 1, made
        self.scheduler = Daemon(self.folder, "scheduler", usr / "sbin/icecc-scheduler", "-n", "farm",
                                "-p", self.port, "-l", self.folder / "scheduler.log", "-vvv",
                                "-u", USER)
        until(lambda: "scheduler ready" in self.scheduler.said, "icecc-scheduler does not start")
        self.here = self.node(usr, "here", 10245, "--no-remote", "-m", "2")
        self.there = self.node(usr, "there", 10246, "-m", "8")
        until(lambda: all(f"login {name} " in self.scheduler.said for name in ("here", "there")),
              lambda: f"iceccd does not come: {self.scheduler.said}{self.here.said}")
        self.variables = {"ICECC_TESTS": "1", "ICECC_TEST_SOCKET": self.sockets / "here",
                          "ICECC_TEST_REMOTEBUILD": "1", "ICECC_PREFERRED_HOST": "there",
                          "ICECC_VERSION": found[0], "PATH": f"{usr}/bin:{sandbox.path}"}

    def seem_idle(self):
        """Freezes the load values that a node reads, because a node takes no job on a busy machine, and other tests may
        run beside this one. The mounts are those of tests/support/alone."""
        for name in ("stat", "loadavg"):
            still = self.folder / f"{name}.txt"
            still.write_text(Path("/proc", name).read_text())
            subprocess.run(["mount", "--bind", still, f"/proc/{name}"], check=True)

    def own(self, name):
        """A folder for the daemons."""
        folder = self.folder / name
        folder.mkdir()
        shutil.chown(folder, USER)
        return folder

    def node(self, usr, name, port, *words):
        # These variables exist for such tests: both nodes have the same address.
        return Daemon(self.folder, name, usr / "sbin/iceccd", "-n", "farm", "-s",
                      f"127.0.0.1:{self.port}", "-N", name, "-b", self.own(name), "-p", port, "-vvv", "-u", USER,
                      "-l", self.folder / f"{name}.log", *words, ICECC_TESTS="1",
                      ICECC_TEST_SCHEDULER_PORTS=f"{self.port}:{self.port + 4}",
                      ICECC_TEST_SOCKET=str(self.sockets / name))

    def jobs(self):
        """The files that were compiled there. The log line follows after the client has received its object."""
        until(lambda: self.there.said.count("remote compile for file") == self.there.said.count(
            "Remote compilation completed with exit code 0"), lambda: self.there.said)
        return re.findall(r"(?m)remote compile for file (.*)$", self.there.said)


class SccacheDist:
    """A scheduler and a server of sccache-dist, and a client of theirs."""
    scheduler_port, port = 10600, 10501

    def __init__(self, sandbox):
        self.client = new_sccache(sandbox, started=False)
        program = Path(self.client.program).with_name("sccache-dist")
        self.folder = reached_by_all()
        self.url = f"http://127.0.0.1:{self.scheduler_port}"
        self.scheduler = self.start(program, "scheduler", f"""
public_addr = "127.0.0.1:{self.scheduler_port}"
client_auth = {{ type = "token", token = "client" }}
server_auth = {{ type = "token", token = "server" }}
""")
        self.server = self.start(program, "server", f"""
cache_dir = "{self.folder}/toolchains"
public_addr = "127.0.0.1:{self.port}"
scheduler_url = "{self.url}"
builder = {{ type = "overlay", build_dir = "{self.folder}/build", bwrap_path = "/usr/bin/bwrap" }}
scheduler_auth = {{ type = "token", token = "server" }}
""")
        until(lambda: "Registered new server" in self.scheduler.said + self.scheduler.out.read_text(),
              lambda: self.scheduler.out.read_text() + self.server.out.read_text())
        (self.folder / "client.conf").write_text(f"""
[dist]
scheduler_url = "{self.url}"
cache_dir = "{self.folder}/client"
auth = {{ type = "token", token = "client" }}
""")
        self.variables = {**self.client.variables, "SCCACHE_CONF": self.folder / "client.conf"}
        self.client.variables = self.variables
        self.client.start()
        until(lambda: "SchedulerStatus" in sandbox.run(self.client.program, "--dist-status", **self.variables).out,
              "sccache's client does not reach its scheduler")

    def start(self, program, name, configuration):
        file = self.folder / f"{name}.conf"
        file.write_text(configuration)
        return Daemon(self.folder, name, program, name, "--config", file, SCCACHE_NO_DAEMON="1",
                      RUST_LOG="info", SCCACHE_LOG="info")

    def jobs(self):
        """How many compiles the server has run."""
        return self.client.stats()["dist_compiles"].get(f"127.0.0.1:{self.port}", 0)
