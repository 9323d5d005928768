# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %support/hide-cuda %python -B %s
"""Configurations that cannot be read or parsed: one error that names the place, exit status 2 or 4, and no program
is started (F12, F24)."""
import os

import note
from sandbox import MAIN, Sandbox, equal

sandbox = Sandbox()
sandbox.write("main.cpp", MAIN)
link = ("g++", "main.cpp", "-o", "main")

def stops(text, statuses, *facts):
    config = sandbox.work / "cuda-cc.toml"
    config.write_bytes(text if isinstance(text, bytes) else text.encode())
    before = sandbox.files()
    ended = sandbox.cc(*link)
    what = f"{text[:60]!r}: {ended}"
    assert ended.status in statuses, what
    equal((len(ended.codes), ended.out), (1, ""), what)
    assert "cuda-cc.toml" in ended.err, what
    assert len(ended.err) < 4000, what
    for fact in facts:
        assert fact in ended.err, what
    sandbox.clean(before, what)
    config.unlink()

broken, usage = (4,), (2,)
stops("runtime = \n", broken, "cuda-cc.toml:1")
stops('enforce = "warn"\nruntime = "torch==2.5.1\n', broken, "cuda-cc.toml:2")
stops('runtime = "torch==2.5.1"\nruntime = "torch==2.5.1"\n', broken, "cuda-cc.toml:2")
stops('runtim = "torch==2.5.1"\n', usage, "cuda-cc.toml:1", "runtime", "[CC1002]")
stops('\n[tool]\nx = 1\n', usage, "cuda-cc.toml:")
stops("runtime = 12.4\n", usage, "cuda-cc.toml:1", "runtime")
stops("runtime = [1, 2]\n", usage, "runtime")
stops("[runtime]\nx = 1\n", usage, "runtime")
stops("runtime = 1979-05-27\n", usage, "runtime")
stops("require = 1\n", usage, "require")
stops('runtime = "jax==0.4.35"\n', (2, 4))
stops(b"runtime = \"\0\"\n", (2, 4))
stops(b"\xff\xfe\x00r", broken)
stops(b"runtime = \"\xc3\x28\"\n", (2, 4))
stops("a = " + "[" * 200_000 + "\n", broken)
stops("a = " + "{a=" * 100_000 + "\n", broken)
stops("a." * 100_000 + "a = 1\n", (2, 4))
stops("x" * (8 << 20), (2, 4))
stops('runtime = "' + "torch==2.5.1;" * 300_000 + '"\n', (2, 4))
stops("runtime = [" + '"cuda==12.4",' * 10_000 + '"bad"]\n', (2, 4))
stops(os.urandom(4096), broken)
# A header on which the parser has an assertion, and a byte of which it cannot tell whether it is white space.
hostile = ("[\n", "[(", "[=", "[[\n", "[\u00e9]", 'a = 1"\u00e9"', "# \x01", "a = 1\v")
for text in hostile:
    stops(text, broken, "cuda-cc.toml:1", "[CC2006]")

# The same in the other TOML files.
config = sandbox.work / "cuda-cc.toml"
for text in hostile:
    (sandbox.work / "pyproject.toml").write_text(text + "\n[tool.cuda-cc]\n")
    ended = sandbox.cc(*link)
    equal((ended.status, ended.codes), (4, ["CC2006"]), f"{text!r}: {ended}")
    (sandbox.work / "pyproject.toml").unlink()
    for name in ("uv.lock", "poetry.lock", "pylock.toml", "pdm.lock"):
        (sandbox.work / name).write_text(text)
        config.write_text(f'runtime = "lock:{name}"\n')
        ended = sandbox.cc(*link)
        equal((ended.status, ended.codes), (4, ["CC2006"]), f"{name}: {text!r}: {ended}")
        (sandbox.work / name).unlink()
        config.unlink()

# A directory, a dangling link or a FIFO of that name.
config.mkdir()
ended = sandbox.cc(*link)
assert (ended.status, len(ended.codes)) == (4, 1), f"a directory: {ended}"
config.rmdir()
os.mkfifo(config)
ended = sandbox.cc(*link)
assert (ended.status, len(ended.codes)) == (4, 1), f"a FIFO: {ended}"
config.unlink()
config.symlink_to("/none/such")
ended = sandbox.cc(*link)
assert (ended.status, len(ended.codes)) in ((0, 0), (4, 1)), f"a link to nowhere: {ended}"
config.unlink()
(sandbox.work / "main").unlink(missing_ok=True)

# The configuration changes while the compiler runs: the version read at the start is used.
wrapper = sandbox.write("bin/g++", '#!/bin/sh\necho \'runtime = "cuda==11.8"\' > cuda-cc.toml\n'
                        'exec /usr/bin/g++ "$@"\n')
wrapper.chmod(0o755)
config.write_text('runtime = "torch==2.5.1"\n')
sandbox.good("bin/g++", "main.cpp", "-o", "main")
equal(note.manifest(sandbox.work / "main").link["target"]["cuda"], "12.4", "as at the start")
sandbox.clean()
