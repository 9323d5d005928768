# SPDX-License-Identifier: Apache-2.0
"""What the tests of backend = "ninja" share: a sandbox whose calls are logged, and comparison with nvcc."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from sandbox import Sandbox, equal

# nvcc's temporary files are named by process and number; with several architectures, by one of them.
TEMPORARY = re.compile(rb"(?:/[^\s\"'\0]*/)?tmpxft_[0-9a-f]{8}_[0-9a-f]{8}[-_]\d+_")
ARCH = re.compile(rb"(?<=tmpxft_)([^\s\"'\0]*?)((?:\.(?:compute|sm)_\w+)+)(?=[.])")


def stable(data):
    data = re.sub(rb"(Compile time = )[\d.]+", rb"\1", TEMPORARY.sub(b"tmpxft_", data))
    return ARCH.sub(rb"\1", data)


def tool(*argv):
    return subprocess.run([str(word) for word in argv], check=True, capture_output=True).stdout


def comparable(path):
    """An output without the names of temporary files: a text itself, or the digest of other bytes."""
    data = path.read_bytes()
    with tempfile.TemporaryDirectory() as folder:
        if data.startswith(b"!<arch>"):
            tool("ar", "x", "--output", folder, path)
            return sorted((stable(made.name.encode()), comparable(made)) for made in Path(folder).iterdir())
        if data[:4] == b"\x7fELF" and data[16:20] == b"\x01\x00\x3e\x00":
            tool("objcopy", "-D", "-w", "--strip-debug", "--strip-symbol=tmpxft_*", path, f"{folder}/o")
            data = Path(folder, "o").read_bytes()
    data = stable(data)
    return hashlib.sha256(data).hexdigest()[:16] if b"\0" in data else data


class Builds(Sandbox):
    """Calls by nvcc in one folder, and by cuda-cc with Ninja in another one of the same content."""

    def __init__(self, ctk="13.0"):
        super().__init__(ctk)
        self.log = self.root / "log"

    def use_own_toolkit(self):
        """Puts a copy of the toolkit first on PATH and returns its folder. nvcc and its profile may be edited there."""
        own = self.root / "toolkit"
        shutil.copytree(self.toolkit, own, copy_function=os.symlink)
        for name in ("nvcc", "nvcc.profile"):
            (own / "bin" / name).unlink()
            shutil.copy2(self.toolkit / "bin" / name, own / "bin" / name)
        self.use(own)
        return own

    def ninja(self, *words, **environment):
        environment = {"CUDA_CC_BACKEND": "ninja", "CUDA_CC_LOG": self.log, **environment}
        return self.cc(*words, **environment)

    def logged(self):
        return json.loads(self.log.read_text().splitlines()[-1])

    def ran(self):
        """Programs of the steps that the last call ran, sorted; None if nvcc ran as a whole."""
        last = self.logged()
        if last["did"] != "ninja":
            return None
        return sorted(name.split(".")[0] for name in last["ran"])

    def outcome(self, run, words, environment, before):
        done = run(*words, **environment)
        made = {name: comparable(self.work / name) for name in self.files() - before if (self.work / name).is_file()}
        for name in self.files() - before:
            if (self.work / name).is_file():
                (self.work / name).unlink()
        err = stable(done.err.encode())
        # With --threads nvcc prints what its commands say as they end.
        err = sorted(err.splitlines()) if "--threads" in words else err
        return done, (done.status, stable(done.out.encode()), err, made)

    def same(self, *words, whole=False, **environment):
        """nvcc and both a cold and a second build by Ninja give the same."""
        before = self.files()
        _, expected = self.outcome(lambda *given, **more: self.run("nvcc", *given, **more), words, environment, before)
        for _ in range(2):
            done, got = self.outcome(self.ninja, words, environment, before)
            equal(got, expected, done)
            equal(self.logged()["did"], "exec" if whole else "ninja", self.logged())
        if not whole:
            equal(self.ran() == [], expected[0] == 0, self.logged())
        self.clean(before)
        return done
