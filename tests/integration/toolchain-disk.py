# SPDX-License-Identifier: Apache-2.0
# REQUIRES: nvcc
# RUN: PYTHONPATH=%S %support/hide-cuda %python -B %s
"""AT28: a toolchain directory on a full or read-only file system: one error, no file left; an existing directory stays
and works."""
from sandbox import PROGRAM, Sandbox, equal, skip

sandbox = Sandbox("13.0")
mount = sandbox.work / "disk"
mount.mkdir()
BEGIN = 'mount -t tmpfs -o "$1" none "$2" || exit 9\ncd "$2"\n'

def on(disk, script, *words):
    ended = sandbox.run("unshare", "-m", "sh", "-c", BEGIN + script, "sh", disk, mount, PROGRAM, *words)
    if "unshare:" in ended.err or "mount:" in ended.err:
        skip(f"no mounts here: {ended.err}")
    return ended

ended = on("size=256k", '"$3" toolchain td --runtime cuda==13.0; s=$?; ls -A; exit $s')
equal((ended.status, ended.out, ended.codes), (4, "", ["CC2015"]), ended)
assert "No space left" in " ".join(ended.err.split()), ended

again = '''"$3" toolchain td --runtime cuda==13.0 > /dev/null || exit 8
%s
"$3" toolchain td --runtime cuda==13.1; s=$?; ls -A; td/bin/nvcc --version > /dev/null || exit 7
exit $s'''
fill = 'dd if=/dev/zero of=filler bs=1M 2> /dev/null; truncate -s -100K filler'
ended = on("size=128m", again % fill)
equal((ended.status, ended.out, ended.codes), (4, "filler\ntd\n", ["CC2015"]), ended)
ended = on("size=128m", again % 'mount -o remount,ro "$2"')
equal((ended.status, ended.out, ended.codes), (4, "td\n", ["CC2015"]), ended)

# The mount point itself cannot be renamed.
ended = on("size=128m", 'cd /; "$3" toolchain "$2" --runtime cuda==13.0; s=$?; ls -A "$2"; exit $s')
equal((ended.status, ended.out, ended.codes), (2, "", ["CC1001"]), ended)
assert f"fix: cuda-cc toolchain {mount}/cuda --runtime=cuda==13.0" in " ".join(ended.err.split()), ended
equal([path.name for path in sandbox.work.iterdir()], ["disk"])
