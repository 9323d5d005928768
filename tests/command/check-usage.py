# RUN: PYTHONPATH=%S %python -B %s
"""check: what it is called with; where the runtime comes from (F9, F12)."""
import subprocess

from binaries import CUDART, PROGRAM, Binaries, equal, run

place = Binaries()
place.extension("ext.so", {CUDART: ["cudaGetDriverEntryPointByVersion"]})

for words in ([], ["--runtime", "torch==2.5.1"], ["ext.so", "--against", "some"],
              ["ext.so", "--format=xml"], ["ext.so", "--no-such"], ["ext.so", "--runtime"],
              ["ext.so", "--strict=1"], ["ext.so", "--runtime", "nonsense"],
              ["ext.so", "--runtime", ";"], ["ext.so", "--exports"],
              ["ext.so", "--against", "all", "--runtime", "cuda==12.4"]):
    refused = place.check(*words)
    equal((refused.status, refused.out), (2, ""), f"{words} {refused}")
    assert refused.err.startswith("cuda-cc: error: "), refused

# Nothing declared, no manifest.
silent = place.check("ext.so")
equal((silent.status, silent.out), (2, ""), silent)
assert "--runtime" in silent.err and "--against all" in silent.err, silent

# The declaration of the directory, the variable, the option; each beats the one before.
(place.work / "cuda-cc.toml").write_text('runtime = "cuda==12.4"\n')
equal(place.check("ext.so").first, "ext.so: reject on cuda==12.4")
equal(place.check("ext.so", CUDA_CC_RUNTIME="cuda==12.5").first, "ext.so: accept on cuda==12.5")
equal(place.check("ext.so", "--runtime", "cuda==12.6", CUDA_CC_RUNTIME="cuda==12.5").first,
      "ext.so: accept on cuda==12.6")
# `off` is for links: who asks gets an answer.
(place.work / "cuda-cc.toml").write_text('runtime = "cuda==12.4"\nenforce = "off"\n')
equal(place.check("ext.so").status, 3)
(place.work / "cuda-cc.toml").unlink()

# The manifest's own target, where nothing is declared; here it says no more than the link did.
(place.work / "x.c").write_text("int x(void) { return 0; }\n")
linked = subprocess.run([PROGRAM, "gcc", "--cudacc-runtime=cuda==12.4", "-shared", "-fPIC", "x.c",
                         "-o", "linked.so"], cwd=place.work, capture_output=True, text=True)
assert linked.returncode == 0, linked.stderr
told = place.check("linked.so")
equal((told.status, told.first), (0, "linked.so: accept on cuda==12.4"), told)
# A file that says nothing is held against what the others of its argument say.
(place.work / "dist").mkdir()
for name in ("linked.so", "ext.so"):
    (place.work / name).rename(place.work / "dist" / name)
both = place.check("dist", "--format=json")
equal([(file["path"], file["runtime"], file["verdict"]) for file in both.json["files"]],
      [("dist/ext.so", "cuda==12.4", "reject"), ("dist/linked.so", "cuda==12.4", "accept")], both)

# Help, whatever else is said; what cannot be printed is not passed over.
for words in (["check", "--help"], ["inspect", "-h"], ["target", "--help"], ["version", "-h"],
              ["explain", "--help"], ["check", "dist", "--runtime", "cuda==12.4", "--help"]):
    helped = run(PROGRAM, *words, cwd=place.work)
    equal((helped.returncode, helped.stderr), (0, ""), words)
    assert helped.stdout.startswith(f"cuda-cc {words[0]}: "), helped
for words in (["check", "dist", "--runtime", "cuda==12.4"], ["inspect", "dist"], ["help"]):
    with open("/dev/full", "w", encoding="utf-8") as full:
        unsaid = subprocess.run([PROGRAM, *words], cwd=place.work, stdout=full, text=True,
                                stderr=subprocess.PIPE)
    equal((unsaid.returncode, unsaid.stderr),
          (4, "cuda-cc: error: cannot write stdout: No space left on device [CC2015]\n"), words)

# A name that begins with a dash.
(place.work / "dist/linked.so").rename(place.work / "-x.so")
equal(place.check("--", "-x.so").first, "-x.so: accept on cuda==12.4")
