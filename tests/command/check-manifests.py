# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %python -B %s
"""check says which files of folders and wheels carry a manifest; --require-manifest rejects others that use CUDA."""
import shutil

from binaries import CUDART, PROGRAM, WHEEL_PATHS, Binaries, equal, run

place = Binaries()
work = place.work
RUNTIME = ("--runtime", "cuda==12.4")
place.extension("plain/other.so", {CUDART: ["cudaMalloc"]})
place.library("plain/libhelper.so.1", "libhelper.so.1", ["helper"])
# As auditwheel renames a copy of NVIDIA's.
place.library("plain/libcublas-0a1b2c3d.so.12", "libcublas-0a1b2c3d.so.12", ["cublasCreate_v2"], "libcublas.so.12",
              "-Wl,--no-as-needed", str(place.root / "link" / CUDART), f"-Wl,-rpath,{':'.join(WHEEL_PATHS)}")
(work / "own/pkg").mkdir(parents=True)
shutil.copy(place.root / "link" / CUDART, work / "libcudart.so.12.4.127")
place.object("ours.o", ["cudaMalloc"])
done = run(PROGRAM, "gcc", "--cudacc-runtime=cuda==12.4", "--cudacc-enforce=symbols", "-shared", "-nostdlib", "ours.o",
           "libcudart.so.12.4.127", "-o", "own/pkg/ours.so", cwd=work)
assert done.returncode == 0, done


def answer(*words, status=0):
    """The last line of the text, and what JSON says."""
    text = place.check(*words, *RUNTIME)
    document = place.check(*words, *RUNTIME, "--format=json")
    equal((text.status, document.status), (status, status), (text, document))
    return text.out.splitlines()[-1], document.json.get("manifest"), document.codes()


# One that cuda-cc linked, and one that it did not; what uses no CUDA or is NVIDIA's own does not count.
equal(answer("own"), ("manifest: 1 of 1 file that uses CUDA", {"files": 1, "without": []}, []))
equal(answer("plain"), ("manifest: none of 1 file that uses CUDA", {"files": 1, "without": ["plain/other.so"]}, []))
mixed = {"pkg/ours.so": work / "own/pkg/ours.so", "pkg/other.so": work / "plain/other.so",
         "pkg/__init__.py": b"", "pkg-1.dist-info/RECORD": b""}
place.wheel("pkg-1-py3-none-any.whl", mixed)
name = "pkg-1-py3-none-any.whl"
line, counted, codes = answer(name)
equal((line, counted, codes), (f"manifest: 1 of 2 files that use CUDA, not {name}!pkg/other.so",
                               {"files": 2, "without": [f"{name}!pkg/other.so"]}, []))
(work / "none").mkdir()
place.library("none/libhelper.so.1", "libhelper.so.1", ["helper"])
line, counted, codes = answer("none")
assert "manifest:" not in line and counted is None, (line, counted)

# A file that is named alone is not counted in the text, unless that is asked.
assert "manifest:" not in answer("plain/other.so")[0]

# Required: a finding for each that has none, which severity and waivers apply to.
equal(answer("own", "--require-manifest")[2], [])
equal(answer("none", "--require-manifest")[2], [])
equal(answer("own/pkg/ours.so", "--require-manifest")[::2], ("manifest: 1 of 1 file that uses CUDA", []))
for words in (["plain"], [name], ["plain/other.so"]):
    equal(answer(*words, "--require-manifest", status=3)[2], ["CC6006"], words)
(work / "cuda-cc.toml").write_text('severity = { CC6006 = "remark" }\n')
equal(answer("plain", "--require-manifest")[2], [])
(work / "cuda-cc.toml").unlink()

# With releases, too.
against = place.check("plain", "--against", "cuda==12.*", "--require-manifest")
equal(against.status, 3, against)
assert "no manifest" in against.out, against
