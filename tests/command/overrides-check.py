# RUN: PYTHONPATH=%S %python -B %s
"""check under declared severities and waivers: a waived finding is a remark, one that is left over
too, unknown stays unknown (MD-3, F8; CC4207)."""
import json

from binaries import CUDART, JITLINK, Binaries, equal

place = Binaries()
place.extension("ext.so", {JITLINK: ["__nvJitLinkCreate_12_5"], CUDART: ["cudaMalloc"]})
on = ("--runtime", "torch==2.5.1")


def judged(*words, files=("ext.so",), **environment):
    return place.check(*files, *on, *words, "--format=json", **environment)


def outcome(done):
    return done.status, done.codes("error"), done.codes("warning")


def declare(text=""):
    (place.work / "cuda-cc.toml").write_text(text)


equal(outcome(judged()), (3, ["CC4002"], []))
equal(outcome(judged("--cudacc-severity=CC4002=warning")), (0, [], ["CC4002"]))
lowered = judged("--cudacc-severity=AV-E02=remark")
equal(outcome(lowered), (0, [], []))
assert "CC4002" in lowered.codes("remark"), lowered

for what in ("", f" {JITLINK}", " __nvJitLinkCreate_12_5", " ext.so"):
    declare(f'waive = ["CC4002{what}: loaded after torch"]\n')
    waived = judged()
    equal(outcome(waived), (0, [], []), what)
    found = [each for each in waived.json["files"][0]["findings"] if each["code"] == "CC4002"]
    equal([each["severity"] for each in found], ["remark"])
    assert found[0]["message"].startswith("waived: "), found
    assert "loaded after torch (cuda-cc.toml:1)" in str(found), found
    equal(place.check("ext.so", *on).err, "", "used")

# By another name, in another file, of another code: it stands, and the waiver is left over.
for what in (" libcudart.so.12", " __nvJitLinkCreate_12_6", " other.so", " xt.so"):
    declare(f'waive = ["CC4002{what}: loaded after torch"]\n')
    equal(outcome(judged()), (3, ["CC4002"], []), what)
    told = place.check("ext.so", *on)
    equal((told.status, "CC4207" in told.err), (3, True), told)
    assert "CC4207" not in told.out and "cuda-cc.toml:1" in told.err, told
    aside = judged().json["problems"]
    equal([each["code"] for each in aside], ["CC4207"])
    run = json.loads(place.check("ext.so", "--format=sarif", *on).out)["runs"][0]
    said = run["invocations"][0]["toolExecutionNotifications"]
    equal([(each["descriptor"]["id"], each["level"]) for each in said], [("CC4207", "note")])

# A file that two symbols break needs both waived.
place.extension("two.so", {JITLINK: ["__nvJitLinkCreate_12_5", "__nvJitLinkComplete_12_5"]})
for names, status in ((["__nvJitLinkCreate_12_5"], 3),
                      (["__nvJitLinkCreate_12_5", "__nvJitLinkComplete_12_5"], 0)):
    words = [f"--cudacc-waive=CC4002 {name}: guarded" for name in names]
    equal(judged(*words, files=["two.so"]).status, status, names)
declare()

# A member of a wheel, by its end; others in it stay.
place.wheel("p.whl", {"pkg/ext.so": place.work / "ext.so", "pkg/more.so": place.work / "ext.so"})
some = judged("--cudacc-waive=CC4002 pkg/ext.so: loaded after torch", files=["p.whl"])
equal((some.status, [file["verdict"] for file in some.json["files"]]), (3, ["accept", "reject"]))

# Raised: a warning, a remark.
place.object("ext.o", ["cudaMalloc"])
place.extension("stack.so", {CUDART: ["cudaMalloc"]}, ("/opt/lib", *("$ORIGIN/../nvidia/" + part
                for part in ("cuda_runtime/lib",))))
equal(outcome(judged(files=["stack.so"])), (0, [], ["CC4106"]))
raised = judged("--cudacc-severity=CC4106=error", files=["stack.so"])
equal(outcome(raised), (3, ["CC4106"], []))

# Unknown: 4, strictly 3, however it is asked for; a waiver of it is no waiver.
whole = (place.work / "ext.so").read_bytes()
(place.work / "short.so").write_bytes(whole[:54] + b"\1\0" + whole[56:])
equal(judged(files=["short.so"]).status, 4)
equal(judged("--strict", files=["short.so"]).status, 3)
equal(judged("--cudacc-strict", files=["short.so"]).status, 3)
equal(judged(files=["short.so"], CUDA_CC_STRICT="1").status, 3)
equal(judged("--strict", files=["short.so"], CUDA_CC_STRICT="0").status, 3)
declare("strict = true\n")
strict = judged(files=["short.so"])
equal((strict.status, strict.json["files"][0]["verdict"]), (3, "unknown"))
equal(place.check("ext.so", "--runtime", "torch==99.0").status, 3)
declare('severity = ["CC2014=remark"]\n')
equal(place.check("short.so", *on).status, 2)
declare()
equal(place.check("ext.so", "--runtime", "torch==99.0").status, 4)

# MD-2.
place.extension("new.so", {"libcudart.so.13": ["cudaMalloc"]}, ("$ORIGIN/../nvidia/cu13/lib",))
driver = ("new.so", "--runtime", "cuda==13.0", "--driver", "535.104", "--format=json")
equal(outcome(place.check(*driver)), (3, ["CC3010"], []))
assumed = place.check(*driver, "--cudacc-assume-forward-compatibility")
equal(outcome(assumed), (0, [], []))
assert "CC3010" in assumed.codes("remark"), assumed
