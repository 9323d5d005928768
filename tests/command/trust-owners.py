# SPDX-License-Identifier: Apache-2.0
# REQUIRES: root
# RUN: PYTHONPATH=%S:%support %python -B %s
"""F12: owners of declarations. A file, folder, link or path of another user is rejected if it does more than restrict;
those of the user, of root and of private groups are trusted; root trusts only itself. The same applies to toolchain
directories."""
import os
import shutil
import subprocess
import sys

if not shutil.which("setpriv"):
    print("SKIPPED: this machine has no setpriv")
    sys.exit(77)
import others
from recording import Place, equal

others.leave_home()

ME, ALICE, GROUP = 64711, 64712, 64713
place = Place("12.4")
place.root.chmod(0o755)
place.write("x.cpp")
place.write("k.cu")
program = others.program_in(place.root)
recorded = place.root / "recorded"
recorded.mkdir()
recorded.chmod(0o777)
place.records = recorded / "records"
homes = {}
for uid in (0, ME):
    homes[uid] = place.root / f"home{uid}"
    homes[uid].mkdir()
    os.chown(homes[uid], uid, uid)
config = place.work / "cuda-cc.toml"
if subprocess.run(["setpriv", f"--reuid={ME}", f"--regid={ME}", "--clear-groups", "cat",
                   place.work / "x.cpp"], capture_output=True).returncode:
    print("SKIPPED: another user cannot reach the folder of the tests")
    sys.exit(77)


def call(uid, *words, program=program, **environment):
    drop = ["setpriv", f"--reuid={uid}", f"--regid={uid}", "--clear-groups"] if uid else []
    environment = {"HOME": homes[uid], "XDG_DATA_HOME": None, "TMPDIR": homes[uid], **environment}
    return place.call(*drop, program, *words, program=None, **environment)


def refused(uid, *facts, words=("g++", "-c", "x.cpp", "-o", "/dev/null"), **environment):
    ended = call(uid, *words, **environment)
    equal((ended.status, ended.started), (2, []), ended)
    said = " ".join(ended.err.split())
    for fact in ("[CC1012]", *facts):
        assert fact in said, (fact, ended.err)


def obeyed(uid, **environment):
    ended = call(uid, "g++", "-c", "x.cpp", "-o", "/dev/null", **environment)
    equal((ended.status, ended.err), (0, ""), ended)


def lay(path, owner, mode=0o644, group=None, text='launcher = "ccache"\n'):
    if text is not None:
        path.write_text(text)
    os.chown(path, owner, owner if group is None else group)
    path.chmod(mode)


# Which owner is trusted by which user: owners of the file.
os.chown(place.work, ME, ME)
for owner, uid, counts in ((ME, ME, True), (0, ME, True), (ALICE, ME, False), (0, 0, False)):
    lay(config, owner)
    # For root the folder belongs to another user.
    (obeyed if counts else refused)(uid)
os.chown(place.work, 0, 0)
for owner, uid, counts in ((0, 0, True), (ME, 0, False), (0, ME, True), (ME, ME, True),
                           (ALICE, ME, False)):
    lay(config, owner)
    (obeyed if counts else refused)(uid)
lay(config, ALICE)
refused(ME, f"owner: uid {ALICE}; you are uid {ME}", f"because: it belongs to uid {ALICE}",
        f"fix: cuda-cc trust {place.work}", f"fix: export CUDA_CC_TRUST={place.work}")
refused(0, f"owner: uid {ALICE}; you are root (uid 0)")
obeyed(ME, CUDA_CC_TRUST=place.work)

# Owners of the folder.
lay(config, ME)
os.chown(place.work, ALICE, ALICE)
refused(ME, f"because: its directory belongs to uid {ALICE}")
os.chown(place.work, ME, ME)

# Groups: a private one has the user's number or name and no other member.
for group, counts in ((ME, True), (0, True), (GROUP, False)):
    lay(config, ME, 0o664, group)
    (obeyed if counts else refused)(ME)
    lay(config, ME)
    lay(place.work, ME, 0o2775, group, text=None)
    (obeyed if counts else refused)(ME)
    lay(place.work, ME, 0o755, text=None)

# A symbolic link to another user's file, and one to a file in another user's folder.
theirs = place.root / "theirs"
theirs.mkdir()
os.chown(theirs, ALICE, ALICE)
lay(theirs / "x.toml", ALICE)
config.unlink()
config.symlink_to("../theirs/x.toml")
refused(ME, f"link to: {theirs}/x.toml")
os.chown(theirs / "x.toml", ME, ME)
refused(ME, f"its directory belongs to uid {ALICE}")
os.chown(theirs, ME, ME)
obeyed(ME)
config.unlink()

# A declaration that only restricts is obeyed, whoever wrote it.
os.chown(place.work, ALICE, ALICE)
lay(config, ALICE, text='require = true\n')
for uid in (0, ME):
    ended = call(uid, "g++", "-c", "x.cpp")
    assert ended.status == 2 and "[CC1006]" in ended.err, ended
place.work.chmod(0o777)
lay(config, ALICE, 0o666, text='runtime = "cuda==12.1"\n')
for uid in (0, ME):
    ended = call(uid, "-c", "k.cu")
    equal((ended.status, ended.started), (3, []), ended)
    assert "[CC3001]" in ended.err, ended

# A path: the user's own is used, another user's is not.
place.work.chmod(0o755)
venv = place.root / "venv"
site = venv / "lib/python3.11/site-packages"
site.mkdir(parents=True)
(venv / "pyvenv.cfg").write_text("home = /usr/bin\n")
for path in (venv, site):
    os.chown(path, ME, ME)
lay(config, ALICE, text=f'runtime = "env:{venv}"\n')
ended = call(ME, "target")
assert "CC1012" not in ended.err, ended
os.chown(venv, ALICE, ALICE)
refused(ME, f"refused: runtime = env:{venv} in cuda-cc.toml:1:11: it belongs to uid {ALICE}",
        words=["target"])

# A list of trusted folders that is not the user's own: sudo keeps HOME.
lay(config, ALICE)
equal(call(ME, "trust", place.work).status, 0)
obeyed(ME)
refused(0, f"does not count: it belongs to uid {ME}", HOME=homes[ME])
ended = call(0, "trust", place.work, HOME=homes[ME])
equal(ended.status, 2, ended)
equal(call(ME, "trust", "--remove", place.work).status, 0)

# A toolchain directory starts the programs that it names. Queries are answered by compilers found without it.
config.unlink()
os.chown(place.work, 0, 0)
directory = place.root / "td"
equal(call(0, "toolchain", directory, "--runtime", "cuda==12.4").status, 0)
inside = [(directory / "bin/g++", "-c", "x.cpp", "-o", "/dev/null"),
          (directory / "bin/nvcc", "-c", "k.cu", "-o", "/dev/null"),
          (directory / "bin/cuda-cc", "target")]


def works(uid, **environment):
    for binary, *words in inside:
        equal(call(uid, *words, program=binary, **environment).status, 0, binary)
    equal(call(uid, "toolchain", "--check", directory, **environment).status, 0)


works(0)
works(ME)
facts = directory / "cuda-cc.facts"
for path, because in ((facts, f"it belongs to uid {ALICE}"),
                      (directory, f"its directory belongs to uid {ALICE}")):
    os.chown(path, ALICE, ALICE)
    for uid in (0, ME):
        for binary, *words in inside:
            ended = call(uid, *words, program=binary)
            equal((ended.status, ended.started), (2, []), ended)
            said = " ".join(ended.err.split())
            for fact in ("[CC1012]", f"file: {facts}", f"because: {because}",
                         f"refused: nvcc = {place.nvcc}", f"fix: cuda-cc trust {directory}"):
                assert fact in said, (fact, ended.err)
        refused(uid, f"file: {facts}", words=["toolchain", "--check", directory])
        refused(uid, f"file: {facts}", words=["toolchain", directory, "--runtime", "cuda==12.4"])
        for binary, *words in ((directory / "bin/g++", "--version"),
                               (directory / "bin/nvcc", "--version"),
                               (directory / "bin/cuda-cc", "help"),
                               (directory / "bin/cuda-cc", "version"),
                               (directory / "bin/cuda-cc", "inspect", program),
                               (directory / "bin/cuda-cc", "explain", "CC1012"),
                               (directory / "bin/cuda-cc", "trust", directory),
                               (directory / "bin/g++", "-c", "x.cpp", "-o", "/dev/null"),
                               (directory / "bin/cuda-cc", "trust", "--remove", directory)):
            equal(call(uid, *words, program=binary).status, 0, words)
        works(uid, CUDA_CC_TRUST=directory)
    os.chown(path, 0, 0)
works(ME)

# CUDA_CC_DISABLE skips rejected declarations, unless they require a runtime.
os.chown(facts, ALICE, ALICE)
words = (directory / "bin/g++", "-c", "x.cpp", "-o", "/dev/null")
ended = call(0, *words[1:], program=words[0], CUDA_CC_DISABLE=1)
equal((ended.status, ended.only.name), (0, "g++"), ended)
os.chown(facts, 0, 0)
equal(call(0, "toolchain", directory, "--runtime", "cuda==12.4", "--cudacc-require").status, 0)
os.chown(facts, ALICE, ALICE)
ended = call(0, *words[1:], program=words[0], CUDA_CC_DISABLE=1)
equal((ended.status, ended.started), (2, []), ended)
os.chown(facts, 0, 0)

# The declaration of a directory, read again because it changed.
lay(config, 0, text='runtime = "cuda==12.4"\nlauncher = "ccache"\n')
equal(call(0, "toolchain", directory).status, 0)
works(0)
lay(config, ALICE, text='runtime = "cuda==12.4"\nlauncher = "sccache"\n')
ended = call(0, "-c", "x.cpp", program=directory / "bin/g++")
equal((ended.status, ended.started), (2, []), ended)
assert "[CC1012]" in ended.err and "launcher = sccache" in ended.err, ended
ended = call(0, "-c", "x.cpp", program=directory / "bin/g++", CUDA_CC_TRUST=place.work)
assert "[CC1011]" in ended.err, ended
