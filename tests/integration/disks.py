# SPDX-License-Identifier: Apache-2.0
# REQUIRES: root
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""Full and read-only file systems at the output, the store and TMPDIR (F21, CC2009): the link continues or
ends with one error, is checked in any case, and leaves no file."""
import os

import note
from behaviour import behaviour
from sandbox import KERNEL, MAIN, PROGRAM, Sandbox, equal, skip, wheel

sandbox = Sandbox("13.0")
sandbox.write("main.cpp", MAIN)
sandbox.write("k.cu", KERNEL)
if sandbox.run("unshare", "-m", "mount", "-t", "tmpfs", "none", sandbox.tmp).status:
    skip("no mounts here")
library = wheel("nvidia-nvjitlink-cu12==12.5.82") / "nvidia/nvjitlink/lib/libnvJitLink.so.12"
torch = "--cudacc-runtime=torch==2.5.1"
link = (PROGRAM, torch, "g++", "main.cpp", "-o", "main")
bad = (PROGRAM, torch, "g++", "-Wl,--no-as-needed", "main.cpp", library, "-o", "main")
room = sandbox.work / "room"
room.mkdir()
LIST = ('find "$HOME" "$TMPDIR" "(" -name "*.tmp" -o -name "tmpxft*" -o -name "cc*.[os]" ")" '
        '-printf "LEFT %f\\n" 1>&2; exit $status')

def fresh():
    """A HOME and a TMPDIR without any cached data."""
    count = len(list(sandbox.root.iterdir()))
    sandbox.home, sandbox.tmp = sandbox.root / f"home {count}", sandbox.root / f"tmp {count}"
    sandbox.home.mkdir()
    sandbox.tmp.mkdir()

def among(mounts, *command, **environment):
    """Runs a command in a mount namespace with these mounts; fails if temporary files are left."""
    lines = "; ".join([*mounts, '"$@"', "status=$?", LIST])
    ended = sandbox.run("unshare", "-m", "sh", "-c", lines, "sh", *command, **environment)
    assert "LEFT" not in ended.err, ended
    return ended

def read_only(path):
    return f'mount --bind "{path}" "{path}"; mount -o remount,ro,bind "{path}"'

def full(path):
    return (f'mount -t tmpfs -o size=4k none "{path}"; '
            f'head -c 8192 /dev/zero > "{path}/filler" 2> /dev/null')

def carried(ended, sealed=True):
    equal((ended.status, ended.codes), (0, []), ended)
    found = note.manifest(sandbox.work / "main")
    assert bool(found) == sealed, (found, ended)
    if sealed:
        assert found.link, ended
    (sandbox.work / "main").unlink()

def rejected(ended):
    equal((ended.status, ended.codes), (3, ["CC3015"]), ended)
    assert not (sandbox.work / "main").exists(), ended


@behaviour
def without_room_in_the_store_tmpdir_is_used():
    for kind in (read_only, full):
        fresh()
        mount = kind(sandbox.home)
        ended = among([mount], *link)
        assert "CC2009" not in ended.err, ended
        carried(ended)
        rejected(among([mount], *bad))


@behaviour
def where_nothing_can_be_written_the_link_continues_without_manifest():
    """This is reported once, and the link is checked."""
    for mount in (read_only, full):
        fresh()
        mounts = [mount(sandbox.home), mount(sandbox.tmp)]
        ended = among(mounts, *link)
        if ended.status == 1 and mount is full:
            plain = among(mounts, *link[2:])
            equal(plain.status, 1, "gcc finds no room for its own temporary files either")
            continue
        equal(ended.err.count("CC2009"), 1, ended)
        carried(ended, sealed=False)
        rejected(among(mounts, *bad))


@behaviour
def with_room_for_nvcc_alone_the_link_is_sealed():
    """nvcc needs some space for itself."""
    fresh()
    ended = among([read_only(sandbox.home)], PROGRAM, "--cudacc-runtime=cuda==13.0", "-arch=sm_80",
                  "k.cu", "main.cpp", "-o", "main")
    carried(ended)


@behaviour
def without_room_for_the_output_the_error_is_that_of_gcc():
    ended = among([full(room)], *link[:-1], "room/main")
    equal((ended.status, ended.codes), (1, []), ended)
    equal(os.listdir(room), [], "in the folder below the mount")


@behaviour
def a_log_file_that_cannot_be_written_does_not_stop_the_link():
    ended = among([read_only(room)], *link, CUDA_CC_LOG=room / "log")
    assert ended.status == 0, ended


sandbox.clean()
