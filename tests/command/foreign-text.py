# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %support/hide-cuda %python -B %s
"""Names and logs of others reach no terminal raw, and begin no line that a CI takes for a command, wherever lines are
wrapped."""
import json
import re

from binaries import PROGRAM, SOURCE, Binaries, equal, run

# A container of device code with one PTX.
FATBIN = """
  .section .nvFatBinSegment,"aw",@progbits
  .balign 8
  .long 0x466243B1, 1
  .quad 1f, 0
  .section .nv_fatbin,"a",@progbits
  .balign 8
1:.long 0xBA55ED50
  .short 1, 16
  .quad 9f-2f
2:.short 1, 0x0101
  .long 64
  .quad 9f-3f
  .long 0, 0
  .short 0, 9
  .long 80, 0, 0
  .quad 0x11, 0, 0
3:.asciz ".version {version}\\n.target {target}\\n"
  .balign 8
9:
"""
made = Binaries()
COMMAND = re.compile(r"^\s*::[a-z]|##\[|##vso\[|##teamcity\[", re.M)
FOREIGN = "::error::boom"


def harmless(*words, shows, **environment):
    """Runs cuda-cc; its output has the text, escaped. Returns its exit status."""
    done = run(PROGRAM, *words, cwd=made.work, **environment)
    for text in (done.stdout, done.stderr):
        assert not re.search(r"[^\n\t -~]", text), (words, ascii(text))
        assert not COMMAND.search(text), (words, text)
    assert shows in re.sub(r"\s+", " ", done.stdout + done.stderr), (words, shows, done.stdout, done.stderr)
    return done.returncode


MARK = "N" * 150
needed = {"first.so": MARK, "second.so": "lib\x1b[2J.so"}
for file, soname in needed.items():
    made.gcc("-shared", "-fPIC", "-x", "c", "/dev/null", "-o", file, f"-Wl,-soname={soname}")
made.gcc("-shared", "-fPIC", "-x", "c", "/dev/null", "-x", "none", "-o", "marked.so", "-Wl,--no-as-needed",
         *needed)
marked = (made.work / "marked.so").read_bytes()
assert MARK.encode() in marked

# Each length of the word before it, so that it is wrapped at some.
for length in range(100):
    name = f"{'x' * length} {FOREIGN}".encode()
    (made.work / "ext.so").write_bytes(marked.replace(MARK.encode(), name.ljust(len(MARK), b"\0")))
    for command in ("check", "inspect", "doctor"):
        harmless(command, "ext.so", shows="\\x3a:error::boom", CUDA_CC_RUNTIME="cuda==12.4")

# nvJitLink quotes what it cannot read.
made.gcc("-shared", "-fPIC", SOURCE / "tests/integration/fakelinkers.c", "-o", "jitlink.so", "-lc",
         "-Wl,-soname=libnvJitLink.so.12")
made.site("env", {"nvidia-nvjitlink-cu12": ("12.5.82", {"nvidia/nvjitlink/lib/libnvJitLink.so.12": "jitlink.so"})})
ptx = made.work / "a.ptx"
ptx.write_text(".version 8.4\n.target sm_90\n.address_size 64\n"
               "// \x1b[2J \n::error::boom\n \t::set-output name=a\n##[error]x")
equal(harmless("link", "--arch=sm_90", "--lto", "--for", f"env:{made.work}/env", ptx, "-o", "out.cubin",
               shows="// \\x1b[2J \\x3a:error::boom \\x3a:set-output name=a \\x23#[error]x", FAKE="quote-input"), 3)
assert not (made.work / "out.cubin").exists()

# What PTX says of itself.
for version, target, shown in (("9.0\\033[2J", "sm_80", "\\x1b[2J"), ("9.0", "sm_\\033[2J", "sm_\\x1b[2J"),
                               *(("9." + "0" * length, FOREIGN, "\\x3a:error::boom") for length in range(1, 100, 3))):
    (made.work / "f.s").write_text(FATBIN.format(version=version, target=target))
    made.gcc("-shared", "-fPIC", "f.s", "-o", "f.so")
    equal(harmless("check", "--verify", "f.so", shows=shown, CUDA_CC_RUNTIME="cuda==12.4"), 3)
    harmless("inspect", "--deep", "f.so", shows="f.so")

# Of each kind, and in what programs read, which terminals and logs of a CI show as well; JSON says the same.
RAW = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
(made.work / "names").mkdir()
for name in ("e\x1b[2J", "e\u009b2J", "e\x7f", "e\u202ex", "\n::error::x", "\u3000::error::x", "\u00a0::error::x",
             "##[error]x", "##vso[task.x]", "##teamcity[x]", "\U000e0001x", "[x](y)"):
    path = made.work / "names" / f"{name}.so"
    path.write_bytes(marked)
    for words in (("check", "names"), ("check", "names", "--format=json"), ("check", "names", "--format=sarif"),
                  ("inspect", path), ("inspect", path, "--format=json"), ("doctor", path, "--format=json")):
        done = run(PROGRAM, *words, cwd=made.work, CUDA_CC_RUNTIME="cuda==12.4")
        said = done.stdout + done.stderr
        assert not RAW.search(said) and not COMMAND.search(said), (words, ascii(name), said)
        if words[0] == "inspect" and "--format=json" in words:
            equal(json.loads(done.stdout)["files"][0]["path"], str(path))
    path.unlink()

# A distribution's name is no command in a fix that is pasted.
site = made.site("cut", {"x": ("1", {"x/ext.so": "marked.so"})})
(site / "x/ext.so").write_bytes(marked[:600])
evil = site / "x$(id);id-1.dist-info"
(site / "x-1.dist-info").rename(evil)
for folder, shown in ((evil, None), (site / "x-1;id.dist-info", "'x==1;id'")):
    folder.exists() or evil.rename(folder)
    said = run(PROGRAM, "check", site / "x/ext.so", cwd=made.work, CUDA_CC_RUNTIME="cuda==12.4").stdout
    fixes = [line for line in said.splitlines() if "--force-reinstall" in line]
    equal([line.split()[-1] for line in fixes], [shown] if shown else [], said)
