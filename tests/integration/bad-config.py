# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""Configurations that cannot be read or parsed: one error that names the place, exit status 2 or 4, and no program
is started (F12, F24)."""
import os

import note
from behaviour import behaviour
from sandbox import MAIN, Sandbox, equal

sandbox = Sandbox()
sandbox.write("main.cpp", MAIN)
link = ("g++", "main.cpp", "-o", "main")
config = sandbox.work / "cuda-cc.toml"

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


@behaviour
def toml_that_is_broken_is_named_by_its_line():
    stops("runtime = \n", broken, "cuda-cc.toml:1")
    stops('enforce = "warn"\nruntime = "torch==2.5.1\n', broken, "cuda-cc.toml:2")
    stops('runtime = "torch==2.5.1"\nruntime = "torch==2.5.1"\n', broken, "cuda-cc.toml:2")


@behaviour
def an_unknown_setting_is_named():
    stops('runtim = "torch==2.5.1"\n', usage, "cuda-cc.toml:1", "runtime", "[CC1002]")
    stops('\n[tool]\nx = 1\n', usage, "cuda-cc.toml:")


@behaviour
def a_value_of_another_type_or_meaning_is_refused():
    stops("runtime = 12.4\n", usage, "cuda-cc.toml:1", "runtime")
    stops("runtime = [1, 2]\n", usage, "runtime")
    stops("[runtime]\nx = 1\n", usage, "runtime")
    stops("runtime = 1979-05-27\n", usage, "runtime")
    stops("require = 1\n", usage, "require")
    stops('runtime = "jax==0.4.35"\n', (2, 4))


@behaviour
def bytes_that_are_no_text_are_refused():
    stops(b"runtime = \"\0\"\n", (2, 4))
    stops(b"\xff\xfe\x00r", broken)
    stops(b"runtime = \"\xc3\x28\"\n", (2, 4))


@behaviour
def huge_and_random_files_are_refused():
    stops("a = " + "[" * 200_000 + "\n", broken)
    stops("a = " + "{a=" * 100_000 + "\n", broken)
    stops("a." * 100_000 + "a = 1\n", (2, 4))
    stops("x" * (8 << 20), (2, 4))
    stops('runtime = "' + "torch==2.5.1;" * 300_000 + '"\n', (2, 4))
    stops("runtime = [" + '"cuda==12.4",' * 10_000 + '"bad"]\n', (2, 4))
    stops(os.urandom(4096), broken)


hostile = ("[\n", "[(", "[=", "[[\n", "[\u00e9]", 'a = 1"\u00e9"', "# \x01", "a = 1\v")


@behaviour
def a_text_on_which_the_parser_would_fail_is_refused():
    """A header on which the parser has an assertion, and a byte of which it cannot tell whether it is white space."""
    for text in hostile:
        stops(text, broken, "cuda-cc.toml:1", "[CC2006]")


@behaviour
def other_toml_files_are_refused_likewise():
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


@behaviour
def a_directory_of_that_name_cannot_be_read():
    config.mkdir()
    ended = sandbox.cc(*link)
    assert (ended.status, len(ended.codes)) == (4, 1), f"a directory: {ended}"
    config.rmdir()


@behaviour
def a_fifo_of_that_name_cannot_be_read():
    os.mkfifo(config)
    ended = sandbox.cc(*link)
    assert (ended.status, len(ended.codes)) == (4, 1), f"a FIFO: {ended}"
    config.unlink()


@behaviour
def a_link_to_nowhere_of_that_name_is_no_crash():
    config.symlink_to("/none/such")
    ended = sandbox.cc(*link)
    assert (ended.status, len(ended.codes)) in ((0, 0), (4, 1)), f"a link to nowhere: {ended}"
    config.unlink()
    (sandbox.work / "main").unlink(missing_ok=True)


@behaviour
def the_configuration_is_that_at_the_start_of_the_call():
    wrapper = sandbox.write("bin/g++", '#!/bin/sh\necho \'runtime = "cuda==11.8"\' > cuda-cc.toml\n'
                            'exec /usr/bin/g++ "$@"\n')
    wrapper.chmod(0o755)
    config.write_text('runtime = "torch==2.5.1"\n')
    sandbox.good("bin/g++", "main.cpp", "-o", "main")
    equal(note.manifest(sandbox.work / "main").link["target"]["cuda"], "12.4", "as at the start")


sandbox.clean()
