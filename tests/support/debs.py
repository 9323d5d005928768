# SPDX-License-Identifier: Apache-2.0
"""Debian packages, unpacked in the cache of wheels.py. Used for programs whose installation would start a
daemon, immediately and at every boot.

    debs.py get NAME...       prints the folder of each, which contains its usr/

Their dependencies must be installed. Exit status 3 and a line `SKIPPED: reason` if apt cannot download
one.
"""

import os
import re
import shutil
import subprocess
import sys

from toolkits import Skipped, of_archive
from wheels import WheelError

GONE = re.compile(r"Unable to locate package|No packages found|has no installation candidate")


def apt(scratch, options, *words):
    return subprocess.run(["apt-get", "-q", "-oAPT::Sandbox::User=root", *options, *words], cwd=scratch,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, env={**os.environ, "LC_ALL": "C.UTF-8"})


def own_lists(scratch):
    """Options for apt to use the machine's package sources with freshly downloaded lists: machine images often
    contain none."""
    (scratch / "lists/partial").mkdir(parents=True)
    (scratch / "cache/archives/partial").mkdir(parents=True)
    options = [f"-oDir::State::lists={scratch}/lists", f"-oDir::Cache={scratch}/cache",
               "-oAcquire::Languages=none"]
    done = apt(scratch, options, "update")
    if done.returncode != 0:
        raise WheelError(f"apt-get update:\n{done.stdout.strip()}")
    return options


def get(name):
    def fetch(scratch):
        if not shutil.which("apt-get"):
            raise Skipped("this machine has no apt-get")
        done = apt(scratch, [], "download", name)
        if done.returncode != 0:
            done = apt(scratch, own_lists(scratch), "download", name)
        files = list(scratch.glob("*.deb"))
        if done.returncode != 0 or len(files) != 1:
            said = done.stdout.strip()
            if GONE.search(said):
                raise Skipped(f"the machine's package sources have no {name}")
            raise WheelError(f"apt-get download {name}:\n{said}")
        return files[0]

    return of_archive(name, fetch)


def main(arguments):
    if len(arguments) < 2 or arguments[0] != "get":
        print(__doc__)
        return 2
    status = 0
    for name in arguments[1:]:
        try:
            print(get(name))
        except Skipped as reason:
            print(f"SKIPPED: {reason}")
            status = status or 3
        except (WheelError, subprocess.CalledProcessError) as error:
            print(f"debs.py: {error}", file=sys.stderr)
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
