# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""`cuda-cc wheel prove` with the real uv and pip: with the lower bounds that follow from the symbols, the lowest and
the highest versions load by the real loader; one version below the bound does not (WR-20 to WR-22)."""
import json
import sys

import madewheel
from sandbox import PROGRAM, Sandbox, equal, wheel, wheels

sandbox = Sandbox()
index = sandbox.root / "index"
index.mkdir()
# 12.4.127 is the version before 12.5.40, in which the name came.
for version in ("12.4.127", "12.5.40", "12.9.86"):
    wheels.file_of(f"nvidia-nvjitlink-cu12=={version}", index)
[uv] = wheel("uv==0.13.9").rglob("scripts/uv")
variables = {"UV_NO_INDEX": "1", "UV_FIND_LINKS": index, "UV_OFFLINE": "1", "UV_CACHE_DIR": sandbox.root / "uv",
             "UV_PYTHON_DOWNLOADS": "never", "UV_NO_CONFIG": "1", "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": index,
             "PATH": f"{uv.parent}:{sandbox.path}"}
library = wheel("nvidia-nvjitlink-cu12==12.9.86") / "nvidia/nvjitlink/lib"
sandbox.write("ext.cpp", 'extern "C" int __nvJitLinkCreate_12_5(void *, unsigned, const char **);\n'
              'extern "C" int made() { return __nvJitLinkCreate_12_5(0, 0, 0); }\n')
sandbox.good("--cudacc-runtime=cuda==12.9", "g++", "-shared", "-fPIC", "ext.cpp", "-o", "ext.so",
             f"-L{library}", "-l:libnvJitLink.so.12")
load = b"import ctypes, os\nctypes.CDLL(os.path.dirname(__file__) + '/ext.so', os.RTLD_NOW)\n"
# The project in the working directory is not what is imported.
sandbox.write("small/__init__.py", "raise RuntimeError\n")
files = {"small/__init__.py": b"", "small/load.py": load, "small/ext.so": (sandbox.work / "ext.so").read_bytes()}


def made(*requires):
    return madewheel.write(sandbox.work / "dist/small-1.0-py3-none-linux_x86_64.whl", files, *requires)


def prove(path, *words, **more):
    done = sandbox.run(PROGRAM, "wheel", "prove", path, "--format=json", "--import=small.load",
                       f"--python={sys.executable}", *words, **{**variables, **more})
    equal(list(sandbox.tmp.iterdir()), [], "nothing is left behind")
    document = json.loads(done.out)
    return done, {each["resolution"]: each for each in document["proofs"]}


def installed(proof):
    return proof["installed"]["nvidia-nvjitlink-cu12"]


# The bound is what cuda-cc itself derives from the symbols.
done = sandbox.run(PROGRAM, "wheel", "show", made(), "--format=json")
[bound] = json.loads(done.out)["wheels"][0]["requires_dist"]
equal(bound.split(";")[0], "nvidia-nvjitlink-cu12>=12.5,<13")
done, proofs = prove(made(bound))
equal(done.status, 0, done)
equal({name: installed(proof) for name, proof in proofs.items()}, {"lowest": "12.5.40", "highest": "12.9.86"})
for proof in proofs.values():
    equal((proof["verdict"], proof["imports"]), ("accept", [{"module": "small.load", "works": True}]))

# The same as an extra: the wheel alone requires nothing, and is not proved.
optional = made(f"{bound.split(';')[0]}; sys_platform == 'linux' and extra == 'cu12'\nProvides-Extra: cu12")
for more in ({}, {"PATH": sandbox.path}):
    done, proofs = prove(optional, **more)
    equal(done.status, 0, done)
    equal({name: (proof["extra"], installed(proof)) for name, proof in proofs.items()},
          {"lowest": ("cu12", "12.5.40"), "highest": ("cu12", "12.9.86")})

# One version below does not load: it is refused, and the loader says the same.
below = made("nvidia-nvjitlink-cu12>=12.4.127,<13")
done, proofs = prove(below)
equal((done.status, installed(proofs["lowest"])), (3, "12.4.127"), done)
[file] = proofs["lowest"]["check"]["files"]
assert "CC4002" in [each["code"] for each in file["findings"]], file
[finding] = proofs["lowest"]["findings"]
equal(finding["code"], "CC4220")
assert "undefined symbol: __nvJitLinkCreate_12_5" in json.dumps(finding), finding
equal(proofs["highest"]["verdict"], "accept")

# Without uv, Python's venv and pip do it; the lowest versions are those of cuda-cc's tables.
without = {"PATH": sandbox.path}
done, proofs = prove(below, "--resolution=lowest", **without)
equal((done.status, installed(proofs["lowest"]), proofs["lowest"]["lowered"]),
      (3, "12.4.127", ["nvidia-nvjitlink-cu12==12.4.127"]), done)

# Nobody can have both: the installer's own words.
done, proofs = prove(made(bound, "nvidia-nvjitlink-cu12<12.5"), "--resolution=highest")
equal(done.status, 4, done)
[finding] = proofs["highest"]["findings"]
equal(finding["code"], "CC2029")
assert "unsatisfiable" in json.dumps(finding), finding
sandbox.clean()
