# RUN: PYTHONPATH=%S %python -B %s
"""check --against: requirements are rows, across CUDA majors, too; a wheel's metadata counts."""
import re

from binaries import CUDART, JITLINK, Binaries, equal

place = Binaries()
ext = place.extension("ext.so", {JITLINK: ["__nvJitLinkCreate_12_5"], CUDART: ["cudaMalloc"]})


def rows(*words, file="ext.so"):
    done = place.check(file, *words, "--format=json")
    return done.status, {each["runtime"]: each["verdict"] for each in done.json["files"]}


status, got = rows("--against", "torch>=2.6,<2.8")
equal(set(got), {"torch==2.6.0", "torch==2.7.0", "torch==2.7.1"})
equal((status, got["torch==2.6.0"], got["torch==2.7.0"]), (3, "reject", "accept"))
status, got = rows("--against", "torch==2.7.*")
equal((status, set(got), set(got.values())), (0, {"torch==2.7.0", "torch==2.7.1"}, {"accept"}))
# Over two majors, and several requirements, each row once.
status, got = rows("--against=torch>=2.10,<2.12", "--against", "torch==2.11.0", "--against", "cuda==12.*")
assert {"torch==2.10.0", "torch==2.11.0", "cuda==12.0", "cuda==12.9"} <= set(got), got
equal((status, got["torch==2.10.0"], got["torch==2.11.0"]), (3, "accept", "reject"), got)
status, got = rows("--against", "torch==2.7.0;sm=80")
equal(set(got), {"torch==2.7.0;sm=80"})
equal(rows("--against", "jax[cuda12]==0.4.35")[1].keys(), {"jax[cuda12]==0.4.35"})
assert len(rows("--against", "jax[cuda12]>=0.4.30")[1]) > 1

# all is a table to read: one row that accepts is enough, or as many as are asked for.
equal(rows("--against", "all")[0], 0)
equal(rows("--against", "all", "--min-accepted", "2")[0], 0)
equal(rows("--against", "all", "--min-accepted", "1000")[0], 3)
equal(rows("--against", "torch>=2.6,<2.8", "--min-accepted=2")[0], 0)
place.extension("never.so", {JITLINK: ["__nvJitLinkCreate_12_99"]})
equal(rows("--against", "all", file="never.so")[0], 3)

for words, said in ((["--against", "torch>=99"], "no known release satisfies torch>=99"),
                    (["--against", "torhc>=2"], "is not a runtime that this version knows"),
                    (["--against", ""], "--against needs all, or a requirement"),
                    (["--against", "all", "--min-accepted", "0"], "--min-accepted is a number"),
                    (["--runtime", "cuda==12.4", "--min-accepted", "1"], "counts rows of --against"),
                    (["--against", "torch==2.7.0", "--runtime", "cuda==12.4"], "exclude one another")):
    done = place.check("ext.so", *words)
    equal(done.status, 2, words)
    assert said in done.err, done

# What the file proves, to paste.
text = place.check("ext.so", "--against", "torch==2.7.*")
assert re.search(r"^Requires-Dist: nvidia-nvjitlink-cu12>=12\.5[0-9.]*,<13$", text.out, re.M), text
assert any(each.startswith("nvidia-nvjitlink-cu12>=12.5")
           for each in place.check("ext.so", "--runtime", "torch==2.7.1", "--format=json")
           .json["requires_dist"])

# Metadata: rows that it excludes are marked, and count neither way.
METADATA = "Metadata-Version: 2.1\nName: x\nVersion: 1\n"


def wheel(name, *lines, file=ext):
    place.wheel(name, {"x/ext.so": file, "x-1.dist-info/METADATA":
                       (METADATA + "".join(f"Requires-Dist: {line}\n" for line in lines) +
                        "\nRequires-Dist: torch==1.0\n").encode()})
    return name


pinned = wheel("x-1-py3-none-linux_x86_64.whl", "torch==2.7.1",
               'nvidia-nvjitlink-cu12>=12.6; platform_machine == "x86_64"', 'torch==2.0; extra == "old"')
done = place.check(pinned, "--against", "torch>=2.6,<2.9")
equal(done.status, 0, done)
for line in (r"^  2\.6\.0 +12\.4  525 +reject, not by its metadata +__nvJitLinkCreate_12_5$",
             r"^  2\.7\.0 +12\.6  525 +accept, not by its metadata +it asks for torch==2\.7\.1$",
             r"^  2\.7\.1 +12\.6  525 +accept$",
             r"^  metadata asks for more: nvidia-nvjitlink-cu12>=12\.6, by symbols >=12\.5[0-9.]*$"):
    assert re.search(line, done.out, re.M), (line, done)
excluded = {each["runtime"]: each.get("excluded_by")
            for each in place.check(pinned, "--against", "torch>=2.6,<2.8", "--format=json").json["files"]}
equal(excluded["torch==2.7.1"], None)
assert "torch==2.7.1" in excluded["torch==2.6.0"], excluded
# Nothing that it allows: it never comes together with what was asked for.
equal(place.check(pinned, "--against", "torch==2.8.*").status, 3)

# Framework order: without a search path, found since torch has loaded it, where torch is required.
bare = place.extension("bare.so", {JITLINK: ["__nvJitLinkCreate_12_4"]}, ())
equal(place.check(wheel("a-1-py3-none-linux_x86_64.whl", file=bare), "--against", "torch==2.7.*").status, 3)
after = wheel("b-1-py3-none-linux_x86_64.whl", "torch", file=bare)
equal(place.check(after, "--against", "torch==2.7.*").status, 0)
# A wrong SONAME stays one.
equal(place.check(after, "--against", "torch==2.11.*").status, 3)

# Warnings are counted in the row, of several files all.
for name in ("one.so", "two.so"):
    place.extension(name, {JITLINK: ["__nvJitLinkCreate_12_4"]}, ("$ORIGIN/../nvidia/nvjitlink/lib", "/opt/x"))
done = place.check("one.so", "two.so", "--against", "torch==2.7.1")
warnings = sum(finding["severity"] == "warning" for file in
               place.check("one.so", "two.so", "--against", "torch==2.7.1", "--format=json").json["files"]
               for finding in file["findings"])
equal(warnings, 2)
assert re.search(r"^  2\.7\.1 +12\.6  525 +accept, 2 warnings$", done.out, re.M), done
