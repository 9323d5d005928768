# RUN: PYTHONPATH=%S %python -B %s
"""Severities, waivers, the assumption about drivers and `strict` at a compile: what is refused, said
or let through, and which override is none (MD-2, MD-3, F8, F12)."""
from recording import Place, equal

place = Place("12.5")
place.write("k.cu")
older = "--cudacc-runtime=cuda==12.4"


def started(*words, **environment):
    ended = place.call(*words, "-c", "k.cu", **environment)
    equal((ended.status, ended.out, len(ended.started)), (0, "", 1), f"{words} {ended.err}")
    return ended.err


def refused(status, code, *words, **environment):
    ended = place.call(*words, "-c", "k.cu", **environment)
    equal((ended.status, ended.out, ended.started), (status, "", []), f"{words} {ended.err}")
    assert f"[{code}]" in ended.err.splitlines()[0], ended.err
    return ended.err


def declare(text=""):
    place.write("cuda-cc.toml", text)


refused(3, "CC3001", older)
said = started(older, "--cudacc-severity=CC3001=warning")
assert "warning: " in said and "[CC3001]" in said, said
started(older, "--cudacc-severity=E_TARGET_NEWER=warning")
equal(started(older, "--cudacc-severity=CC3001=remark"), "", "a remark is for check")
equal(started(older, "--cudacc-waive=CC3001: measured on 12.4"), "", "waived")
equal(started(older, "--cudacc-waive=CC3001 k.cu: measured on 12.4"), "", "waived in the file")
refused(3, "CC3001", older, "--cudacc-waive=CC3001 other.cu: measured on 12.4")
refused(3, "CC3001", older, "--cudacc-waive=CC3002: measured on 12.4")
refused(3, "CC3001", older, "--cudacc-severity=CC3002=warning")

# Rules that count under `warn`.
assert "[CC3001]" in started(older, "--cudacc-enforce=warn")
refused(3, "CC3001", older, "--cudacc-enforce=warn", "--cudacc-severity=CC3001=error")

# The file; an option replaces what it says of that key, and of no other.
declare('runtime = "cuda==12.4"\nwaive = ["CC3001 k.cu: measured"]\n\n[severity]\nCC3001 = "error"\n')
equal(started(), "", "by the file")
refused(3, "CC3001", "--cudacc-waive=CC3002: another")
declare('runtime = "cuda==12.4"\nseverity = ["CC3001=warning"]\n')
assert "[CC3001]" in started()
refused(3, "CC3001", CUDA_CC_SEVERITY="CC3002=warning;CC3001=error")
declare()

# What no override can do is an error with its place, whatever the mode.
for line, word in (('waive = ["CC2001: never"]', "cannot be waived"),
                   ('waive = ["CC3001 k.cu"]', "needs a reason"),
                   ('severity = ["U_CONFLICT=warning"]', "cannot be less than an error"),
                   ('severity = ["CC3001=warn"]', "write CC3001=warning"),
                   ('develop = true', "needs an environment"),
                   ('gpu = "sm_80"', 'write runtime = [..., "sm=80"]')):
    declare(f'enforce = "off"\nruntime = "cuda==12.4"\n{line}\n')
    code = "CC1002" if line.startswith("gpu") else "CC1003"
    told = refused(2, code)
    assert "cuda-cc.toml:3" in told and word in told, told
declare()
refused(2, "CC1003", older, CUDA_CC_STRICT="yes")

# What cannot be determined: 4, strictly 3; no override makes it less.
place.write("x.cpp")
place.write("inc/cuda.h", "#define CUDA_VERSION (x)\n")
unknown = ("g++", "-Iinc", "x.cpp", older)
refused(4, "CC2001", *unknown)
refused(4, "CC2001", *unknown, "--cudacc-waive=CC3001: x", "--cudacc-severity=CC2001=error")
for words, environment in ((["--cudacc-strict"], {}), ([], {"CUDA_CC_STRICT": "1"}),
                           (["--cudacc-strict=true"], {"CUDA_CC_STRICT": "0"})):
    refused(3, "CC2001", *unknown, *words, **environment)
declare("strict = true\n")
refused(3, "CC2001", *unknown)
refused(4, "CC2001", *unknown, "--cudacc-strict=false")
refused(3, "CC2007", "g++", "x.cpp", "--cudacc-runtime=torch==99.0")
declare()
refused(4, "CC2007", "g++", "x.cpp", "--cudacc-runtime=torch==99.0")

# A driver that is too old, and cuda-compat.
newer = Place("13.0")
place.path[0] = newer.toolkit / "bin"
driver = ["--cudacc-runtime=cuda==13.0", "--cudacc-runtime=driver>=535.104"]
told = refused(3, "CC3010", *driver)
assert "assume-forward-compatibility = true" in told, told
equal(started(*driver, "--cudacc-assume-forward-compatibility"), "", "V-MD-06")
declare("assume-forward-compatibility = true\n")
equal(started(*driver), "", "V-MD-06")
refused(3, "CC3002", "--cudacc-runtime=cuda==12.4", "--cudacc-runtime=driver>=535.104")
