# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""The target resolved from an environment or a lock is cached, safely under concurrent calls. A library that was
replaced in place does not change the cache key, but is noticed at the link."""
import concurrent.futures
import contextlib
import json
import os
import shutil
import time

import installed
from behaviour import behaviour
from sandbox import PROGRAM, Sandbox, equal, wheel

sandbox = Sandbox()
JITLINK = "nvidia/nvjitlink/lib/libnvJitLink.so.12"
OLD, NEW = wheel("nvidia-nvjitlink-cu12==12.4.127"), wheel("nvidia-nvjitlink-cu12==12.6.85")
targets = sandbox.store / "1/targets"

def kept():
    """(inode, modification time) of all cached files."""
    return {path.name: (path.stat().st_ino, path.stat().st_mtime_ns) for path in targets.glob("*")}

def target(*words):
    # What is as new as the answer is not kept: it could change again within the clock's tick.
    time.sleep(0.05)
    ended = sandbox.run(PROGRAM, "target", "--format=json", "--runtime", *words)
    assert ended.status == 0 and not ended.err, ended
    return json.loads(ended.out)

def environment(name, *requirements):
    prefix = sandbox.work / name
    site = installed.venv(prefix)
    installed.torch(site, "2.5.1+cu124", "12.4")
    for requirement in requirements:
        shutil.copytree(wheel(requirement), site, dirs_exist_ok=True)
    return prefix, site

def replace(file, other):
    """Replaces the content of the file in place. No directory changes, unlike under pip."""
    before = os.stat(file.parent).st_mtime_ns, os.stat(file).st_ino
    with open(file, "r+b") as out:
        out.write(other.read_bytes())
        out.truncate()
    equal((os.stat(file.parent).st_mtime_ns, os.stat(file).st_ino), before)

prefix, site = environment("venv", "nvidia-nvjitlink-cu12==12.6.85")
runtime = f"--cudacc-runtime=env:{prefix}"


@behaviour
def an_answer_is_cached_and_used_while_nothing_changes():
    first = target(f"env:{prefix}")
    equal(len(kept()), 1)
    before = kept()
    equal(target(f"env:{prefix}"), first)
    equal(kept(), before)


@behaviour
def an_additional_requirement_has_an_entry_of_its_own():
    first = target(f"env:{prefix}")
    equal(target(f"env:{prefix}", "--runtime", "sm=90")["gpu"], ["sm_90"])
    equal(target(f"env:{prefix}"), first)


sandbox.write("ext.cpp", """#include <nvJitLink.h>
extern "C" int run(void) { nvJitLinkHandle handle; return nvJitLinkCreate(&handle, 0, nullptr); }
""")
include = wheel("nvidia-nvjitlink-cu12==12.5.82") / "nvidia/nvjitlink/include"
sandbox.good(runtime, "g++", "-fPIC", f"-I{include}", "-c", "ext.cpp", "-o", "ext.o")
link = (runtime, "g++", "-shared", "ext.o", "-o", "ext.so", site / JITLINK)


@behaviour
def a_library_that_has_the_symbol_fits_whichever_version_was_linked():
    sandbox.good(*link)


@behaviour
def a_library_that_was_replaced_in_place_is_noticed_by_the_link():
    target(f"env:{prefix}")
    before = kept()
    replace(site / JITLINK, OLD / JITLINK)
    rows = {row["soname"]: row for row in target(f"env:{prefix}")["libraries"]}
    equal(rows["libnvJitLink.so.12"]["version"], "12.6.85", "what the metadata says")
    equal(kept(), before)
    ended = sandbox.cc(*link)
    assert ended.status == 3 and "__nvJitLinkCreate_12_5" in ended.err, ended
    assert "the file was replaced: that version has it" in ended.err, ended
    assert not (sandbox.work / "ext.so").exists()
    replace(site / JITLINK, NEW / JITLINK)
    sandbox.good(*link)


@behaviour
def changes_by_pip_are_noticed():
    shutil.rmtree(site / "nvidia_nvjitlink_cu12-12.6.85.dist-info")
    shutil.rmtree(site / "nvidia/nvjitlink")
    shutil.copytree(OLD, site, dirs_exist_ok=True)
    rows = {row["soname"]: row for row in target(f"env:{prefix}")["libraries"]}
    equal(rows["libnvJitLink.so.12"]["version"], "12.4.127")


sandbox.write("limits.txt", "nvidia-nvjitlink-cu12==12.4.127\n")
lock = sandbox.write("requirements.txt", "-c limits.txt\nnvidia-cuda-runtime-cu12==12.4.127\n"
                                       "nvidia-nvjitlink-cu12\n")

def pinned():
    rows = {row["soname"]: row for row in target(f"lock:{lock}")["libraries"]}
    return rows["libnvJitLink.so.12"]["version"]


@behaviour
def a_lock_is_cached_with_all_files_that_it_names():
    equal(pinned(), "12.4.127")
    before = kept()
    equal(pinned(), "12.4.127")
    equal(kept(), before)
    sandbox.write("limits.txt", "nvidia-nvjitlink-cu12==12.6.85\n")
    equal(pinned(), "12.6.85")


@behaviour
def the_place_of_a_requirement_is_part_of_the_key():
    with sandbox.file("cuda-cc.toml", f'runtime = "lock:{lock}"\n'):
        equal(json.loads(sandbox.run(PROGRAM, "target", "--format=json").out)["declared"],
              [{"origin": "cuda-cc.toml:1", "requirement": f"lock:{lock}"}])
    with sandbox.file("cuda-cc.toml", f'\n\nruntime = "lock:{lock}"\n'):
        equal(json.loads(sandbox.run(PROGRAM, "target", "--format=json").out)["declared"],
              [{"origin": "cuda-cc.toml:3", "requirement": f"lock:{lock}"}])


@behaviour
def a_damaged_file_of_the_cache_is_written_again():
    """And every one may be missing."""
    sandbox.write("limits.txt", "nvidia-nvjitlink-cu12==12.6.85\n")
    equal(pinned(), "12.6.85")
    for damage in ("", "cuda-cc-target 3\n", "\0" * 4096):
        for path in targets.iterdir():
            path.write_text(damage)
        equal(pinned(), "12.6.85")
    for path in targets.iterdir():
        path.write_text(path.read_text()[:-5])
    equal(pinned(), "12.6.85")


@behaviour
def concurrent_calls_while_the_environment_changes_describe_one_state():
    shutil.rmtree(sandbox.store, ignore_errors=True)
    def ask(number):
        if number % 8 == 0:
            with contextlib.suppress(FileExistsError):
                (site / "other-1.0.dist-info").mkdir()
        if number % 8 == 4:
            shutil.rmtree(site / "other-1.0.dist-info", ignore_errors=True)
        return sandbox.run(PROGRAM, "target", "--format=json", "--runtime", f"env:{prefix}")

    with concurrent.futures.ThreadPoolExecutor(16) as pool:
        answers = {(ended.status, ended.out, ended.err) for ended in pool.map(ask, range(64))}
    equal(len(answers), 1, answers)


sandbox.clean()
