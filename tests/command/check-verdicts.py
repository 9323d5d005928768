# RUN: PYTHONPATH=%S %python -B %s
"""check: accept, reject and unknown with their exit statuses; verdict first, then what made it
(PRODUCT.md 8 to 10; AV-E01, AV-E02, AV-E03, SY-3, SY-4, SY-7)."""
from binaries import CUDART, JITLINK, Binaries, equal

place = Binaries()
place.extension("ext.so", {JITLINK: ["__nvJitLinkCreate_12_5"], CUDART: ["cudaMalloc"]})

refused = place.check("ext.so", "--runtime", "torch==2.5.1")
equal(refused.status, 3, refused)
equal(refused.first, "ext.so: reject on torch==2.5.1 (CUDA 12.4)")
for text in ("__nvJitLinkCreate_12_5", "12.4.127", "nvidia-nvjitlink-cu12>=12.5", "fix: ",
             "torch>=2.7.0", "[CC4002]"):
    assert text in refused.out, (text, refused)
assert all(len(line) <= 100 for line in refused.out.splitlines()), refused
equal(refused.err, "")

taken = place.check("ext.so", "--runtime=torch==2.7.1")
equal((taken.status, taken.first), (0, "ext.so: accept on torch==2.7.1 (CUDA 12.6)"), taken)

# SY-4: a name without a suffix, by the component's version.
place.extension("entry.so", {CUDART: ["cudaGetDriverEntryPointByVersion"]})
equal(place.check("entry.so", "--runtime", "cuda==12.4", "--format=json").codes(), ["CC4001"])
equal(place.check("entry.so", "--runtime", "cuda==12.5").status, 0)

# AV-E03: the library of another major; and one that the search path does not reach.
place.extension("major.so", {"libcudart.so.13": ["cudaMalloc"]})
major = place.check("major.so", "--runtime", "torch==2.5.1", "--format=json")
assert "CC4003" in major.codes(), major
place.extension("lost.so", {CUDART: ["cudaMalloc"]}, ())
lost = place.check("lost.so", "--runtime", "torch==2.5.1", "--format=json")
equal((lost.status, lost.codes()), (3, ["CC4003"]), lost)
place.extension("none.so", {}, ())
equal(place.check("none.so", "--runtime", "cuda==12.4").status, 0, "no CUDA in it")

# Unknown is 4, and 3 where it is held to be strict; 3 outranks 4 (F8).
whole = (place.work / "ext.so").read_bytes()
(place.work / "short.so").write_bytes(whole[:len(whole) // 2])
short = place.check("short.so", "--runtime", "torch==2.7.1")
equal((short.status, short.first.split(" on ")[0]), (3, "short.so: reject"), short)
assert "[CC4123]" in short.out, short
# Of a class that is not looked into.
(place.work / "short.so").write_bytes(whole[:4] + b"\1" + whole[5:])
short = place.check("short.so", "--runtime", "torch==2.7.1")
equal((short.status, short.first.split(" on ")[0]), (4, "short.so: unknown"), short)
equal(place.check("short.so", "--runtime", "torch==2.7.1", "--strict").status, 3)
equal(place.check("short.so", "ext.so", "--runtime", "torch==2.5.1").status, 3)
equal(place.check("short.so", "ext.so", "--runtime", "torch==2.7.1").status, 4)
(place.work / "text.so").write_text("GROUP ( libx.so )\n")
for name in ("text.so", "missing.so", "/dev/null"):
    equal(place.check(name, "--runtime", "torch==2.7.1").status, 4, name)

# Objects leave names to the link: what the runtime lacks is a warning there.
place.object("ext.o", ["__nvJitLinkCreate_12_5"])
object = place.check("ext.o", "--runtime", "torch==2.5.1", "--format=json")
equal((object.status, object.codes("warning")), (0, ["CC4002"]), object)
