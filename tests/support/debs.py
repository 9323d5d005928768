"""Packages of the machine's Debian, unpacked in the cache of wheels.py: of programs whose installation
would start a daemon, now and at every boot.

    debs.py get NAME...       the folder of each, in which its usr/ lies
    debs.py prefetch FILE     the "unpacked" of a JSON file

What they are linked with has to be installed. Exit status 3 and a line `SKIPPED: reason` where apt
cannot bring one.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import wheels
from toolkits import Skipped


def get(name):
    def make(folder):
        if not shutil.which("apt-get"):
            raise Skipped("this machine has no apt-get")
        with tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
            done = subprocess.run(["apt-get", "-q", "-oAPT::Sandbox::User=root", "download", name],
                                  cwd=scratch, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True,
                                  env={**os.environ, "LC_ALL": "C.UTF-8"})
            files = list(Path(scratch).glob("*.deb"))
            if done.returncode != 0 or len(files) != 1:
                raise Skipped(f"apt-get download {name}: {done.stdout.strip()[-200:]}")
            subprocess.run(["dpkg", "-x", str(files[0]), str(folder)], check=True)

    return wheels.in_cache("debian", name, make)


def main(arguments):
    if len(arguments) < 2 or arguments[0] not in ("get", "prefetch"):
        print(__doc__)
        return 2
    names = arguments[1:]
    if arguments[0] == "prefetch":
        names = json.loads(Path(arguments[1]).read_text()).get("unpacked", [])
    status = 0
    for name in names:
        try:
            print(get(name))
        except Skipped as reason:
            print(f"SKIPPED: {reason}")
            status = 3
    return 0 if arguments[0] == "prefetch" else status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
