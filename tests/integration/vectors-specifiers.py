# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %support/hide-cuda %python -B %s
"""Specifiers of a CUDA line, as `cuda-cc target` resolves them (V-CN-01 to V-CN-08, CN-1, CN-2)."""
import json

from sandbox import PROGRAM, Sandbox, equal

sandbox = Sandbox()

def target(*runtimes):
    words = [word for runtime in runtimes for word in ("--runtime", runtime)]
    return sandbox.run(PROGRAM, "target", "--format=json", *words)

def line(*runtimes):
    ended = target(*runtimes)
    assert ended.status == 0, ended
    return json.loads(ended.out)["line"]

def stops(status, code, *runtimes):
    ended = target(*runtimes)
    equal((ended.status, ended.out, ended.codes), (status, "", [code]), ended)
    return ended

equal(line("cuda==12.9", "cuda>=12.9,<13"), "12.9", "V-CN-01")
stops(3, "CC3004", "cuda==12.9", "cuda<12.9")  # V-CN-02
ended = stops(2, "CC1007", "13.2")  # V-CN-03
assert "cuda==13.2" in ended.err, ended
ended = stops(2, "CC1007", "cuda 13.2")
assert "cuda==13.2" in ended.err, ended
for blank in ("", "  ", "cuda", "cuda ", "cuda=="):  # V-CN-04
    ended = target(blank)
    equal((ended.status, ended.out), (2, ""), ended)
    assert ended.codes in (["CC1003"], ["CC1007"]), ended
equal(line("cuda==12.4", "cuda==12.*"), "12.4", "V-CN-05")
equal(line("cuda==12.9", "cuda~=12.4"), "12.9", "V-CN-06")
stops(3, "CC3004", "cuda==13.0", "cuda~=12.4")  # V-CN-06
stops(3, "CC3004", "cuda==12.9", "cuda>=12.10")  # V-CN-07
equal(line("cuda>=12.4,<13"), "12.4", "V-CN-08")
equal(line("cuda~=12.4"), "12.4", "floor of a compatible release")
ended = stops(3, "CC3004", "cuda==12.4", "torch==2.7.1")  # V-CN-09
assert "cuda==12.4" in ended.err and "torch==2.7.1" in ended.err, ended

ended = sandbox.run(PROGRAM, "target", "--format=json", CUDA_CC_RUNTIME="cuda==12.9;cuda<12.9")
equal((ended.status, ended.codes), (3, ["CC3004"]), "the variable separates by ;")
