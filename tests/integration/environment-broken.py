# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""Inconsistent environments: a distribution with two sets of metadata, no RECORD, a library that is missing or
replaced, wheels of two variants in one folder (RL-8), of two majors; many concurrent callers."""
import concurrent.futures
import json
import shutil

import installed
from behaviour import behaviour
from sandbox import PROGRAM, Sandbox, equal, wheel

sandbox = Sandbox()
JITLINK = "nvidia/nvjitlink/lib/libnvJitLink.so.12"
count = 0

def fresh(*requirements):
    """A new environment with copies of these wheels, because the test changes their files."""
    global count
    count += 1
    prefix = sandbox.work / f"venv{count}"
    site = installed.venv(prefix)
    installed.torch(site, "2.5.1+cu124", "12.4")
    for requirement in requirements:
        shutil.copytree(wheel(requirement), site, dirs_exist_ok=True)
    return prefix, site

def target(prefix):
    ended = sandbox.run(PROGRAM, "target", "--format=json", "--runtime", f"env:{prefix}")
    assert ended.status == 0, ended
    got = json.loads(ended.out)
    rows = {row["soname"]: row for row in got["libraries"]}
    return rows, [(each["severity"], each["code"]) for each in got.get("problems", [])]


@behaviour
def what_is_consistent_has_no_problem():
    prefix, site = fresh("nvidia-nvjitlink-cu12==12.4.127")
    rows, problems = target(prefix)
    equal((rows["libnvJitLink.so.12"]["version"], problems), ("12.4.127", []))


OTHER = wheel("nvidia-nvjitlink-cu12==12.6.85")


def of_two_versions():
    prefix, site = fresh("nvidia-nvjitlink-cu12==12.4.127")
    shutil.copytree(OTHER / "nvidia_nvjitlink_cu12-12.6.85.dist-info",
                    site / "nvidia_nvjitlink_cu12-12.6.85.dist-info")
    return prefix, site


def of_two_majors():
    """Without torch, which was there when the environment was read first."""
    prefix, site = fresh("nvidia-cuda-runtime-cu12==12.4.127", "nvidia-cuda-runtime==13.0.96")
    target(prefix)
    shutil.rmtree(site / "torch")
    shutil.rmtree(site / "torch-2.5.1.dist-info")
    return prefix


@behaviour
def of_two_sets_of_metadata_the_size_of_the_file_decides():
    prefix, _ = of_two_versions()
    rows, problems = target(prefix)
    equal((rows["libnvJitLink.so.12"]["version"], problems),
          ("12.4.127", [("warning", "CC2002"), ("warning", "CC2002")]))


@behaviour
def a_file_that_was_replaced_by_the_other_wheel_s_has_its_version():
    prefix, site = of_two_versions()
    equal(target(prefix)[0]["libnvJitLink.so.12"]["version"], "12.4.127")
    shutil.copy(OTHER / JITLINK, site / JITLINK)
    (site / "nvidia/nvjitlink/lib/touched").touch()
    rows, problems = target(prefix)
    equal(rows["libnvJitLink.so.12"]["version"], "12.6.85", "replaced by the other wheel's file")


@behaviour
def a_file_that_belongs_to_neither_is_unknown():
    prefix, site = of_two_versions()
    (site / JITLINK).write_bytes(b"\x7fELF")
    rows, problems = target(prefix)
    assert "version" not in rows["libnvJitLink.so.12"], rows
    assert ("error", "CC2002") in problems, problems
    ended = sandbox.run(PROGRAM, "target", "--runtime", f"env:{prefix}")
    assert "unknown" in ended.out and "12.6.85" in ended.err and "12.4.127" in ended.err, ended


@behaviour
def without_record_there_is_a_warning():
    prefix, site = fresh("nvidia-nvjitlink-cu12==12.4.127")
    (site / "nvidia_nvjitlink_cu12-12.4.127.dist-info/RECORD").unlink()
    rows, problems = target(prefix)
    equal((rows["libnvJitLink.so.12"]["version"], problems), ("12.4.127", [("warning", "CC2005")]))


@behaviour
def without_the_library_there_is_a_warning():
    prefix, site = fresh("nvidia-nvjitlink-cu12==12.4.127")
    (site / JITLINK).unlink()
    rows, problems = target(prefix)
    equal((rows, problems), ({}, [("warning", "CC2005")]))


@behaviour
def of_two_variants_that_own_a_file_the_one_installed_last_is_used():
    """RL-8"""
    prefix, site = fresh()
    folder = site / "nvidia/nccl/lib"
    folder.mkdir(parents=True)
    (folder / "libnccl.so.2").write_bytes(b"x" * 70)
    for name, version, size in (("nvidia_nccl_cu12", "2.21.5", 60), ("nvidia_nccl_cu13", "2.27.7", 70)):
        installed.distribution(site, name, version, [("nvidia/nccl/lib/libnccl.so.2", size)])
    rows, problems = target(prefix)
    equal((rows, problems), ({}, [("warning", "CC2002"), ("error", "CC3006")]), "cu13 beside CUDA 12")


@behaviour
def of_two_majors_torch_decides():
    prefix, site = fresh("nvidia-cuda-runtime-cu12==12.4.127", "nvidia-cuda-runtime==13.0.96")
    equal(list(target(prefix)[0]), ["libcudart.so.12"], "torch decides")


@behaviour
def two_majors_without_torch_are_rejected_and_named():
    prefix = of_two_majors()
    ended = sandbox.run(PROGRAM, "target", "--runtime", f"env:{prefix}")
    equal((ended.status, ended.codes), (4, ["CC2002"]), ended)
    assert "cuda_runtime/lib" in ended.err and "cu13/lib" in ended.err, ended


@behaviour
def of_two_majors_a_further_requirement_decides():
    prefix = of_two_majors()
    ended = sandbox.run(PROGRAM, "target", "--format=json", "--runtime", f"env:{prefix}", "--runtime",
                        "cuda==13.*")
    equal(json.loads(ended.out)["line"], "13.0", ended)


prefix = of_two_majors()
words = (PROGRAM, "target", "--format=json", "--runtime", f"env:{prefix}", "--runtime", "cuda<13")


@behaviour
def concurrent_calls_get_the_same_answer_and_store_one_complete_file():
    shutil.rmtree(sandbox.store, ignore_errors=True)
    with concurrent.futures.ThreadPoolExecutor(16) as pool:
        answers = {(ended.status, ended.out) for ended in pool.map(lambda _: sandbox.run(*words), range(64))}
    equal(len(answers), 1, answers)
    equal(json.loads(answers.pop()[1])["line"], "12.4")
    kept = list((sandbox.store / "1/environments").iterdir())
    equal(len(kept), 1, kept)


@behaviour
def a_damaged_file_is_treated_as_missing():
    shutil.rmtree(sandbox.store, ignore_errors=True)
    sandbox.run(*words)
    [kept] = (sandbox.store / "1/environments").iterdir()
    for damage in ("", "cuda-cc-environment 1\n", kept.read_text()[:400], "\0" * 100):
        kept.write_text(damage)
        equal(json.loads(sandbox.run(*words).out)["line"], "12.4", damage)


sandbox.clean()
