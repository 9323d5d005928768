# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %support/hide-cuda %python -B %s
"""A program whose search path leads to a toolkit of the declared CUDA line. Without a declared layout it runs here
but not beside wheels: a warning (CC4118). Another release, a declared layout, a wheel and installed files are
rejected; `layout = "system:PATH"` accepts that PATH (CC4106). The link reports the same."""
import json
import zipfile

from sandbox import Sandbox, equal

sandbox = Sandbox("13.0")
lib = next(folder for folder in (sandbox.toolkit / "lib64", sandbox.toolkit / "lib")
           if (folder / "libcudart.so.13").exists())
sandbox.write("main.cu", "#include <cuda_runtime.h>\nint main() { int n; cudaGetDeviceCount(&n); return 0; }\n")
line = ("-arch=sm_80", "-cudart", "shared", "main.cu", "-Xlinker", f"-rpath,{lib}")
plain = sandbox.run(sandbox.toolkit / "bin/nvcc", *line, "-o", "main")
equal(plain.status, 0, plain)
equal(sandbox.run("./main").status, 0, "it runs here")


def codes(*words, status, name="main"):
    ended = sandbox.cc("check", name, "--format=json", *words)
    equal(ended.status, status, ended)
    return [finding["code"] for finding in json.loads(ended.out)["files"][0]["findings"]
            if finding["severity"] != "remark"]


equal(codes("--runtime", "cuda==13.0", status=0), ["CC4118"])
shown_text = sandbox.cc("check", "main", "--runtime", "cuda==13.0").out
for text in (str(lib), "wheels (nothing declares a layout)", f'fix: layout = "system:{lib}"'):
    assert text in shown_text.replace("\n               ", ""), (text, shown_text)
equal(codes("--runtime", "cuda==13.0", "--layout=wheels", status=3), ["CC4003", "CC4106"])
equal(codes("--runtime", "cuda==13.0", f"--layout=system:{lib}", status=0), [])
equal(codes("--runtime", "cuda==13.0", "--layout", f"system:{lib}-other", status=0), ["CC4106"])
equal(codes("--runtime", "cuda==13.1", status=3), ["CC4003", "CC4106"])
assert "CC4003" in codes("--runtime", "cuda==12.4", status=3)
sandbox.write("cuda-cc.toml", 'runtime = "cuda==13.0"\nlayout = "wheels"\n')
equal(codes(status=3), ["CC4003", "CC4106"])
# The option overrides the setting, and invalid values are rejected.
equal(codes(f"--layout=system:{lib}", status=0), [])
wrong = sandbox.cc("check", "main", "--layout=weels")
equal((wrong.status, wrong.codes), (2, ["CC1003"]), wrong)
assert "--layout" in wrong.err and "wheels, system:PATH, conda, none" in wrong.err, wrong
(sandbox.work / "cuda-cc.toml").unlink()

# Wheels and installed files are for other machines. A program that finds no library does not run here either.
with zipfile.ZipFile(sandbox.work / "x-1-py3-none-any.whl", "w") as wheel:
    wheel.write(sandbox.work / "main", "pkg/main")
assert "CC4003" in codes("--runtime", "cuda==13.0", status=3, name="x-1-py3-none-any.whl")
installed = sandbox.work / "v/lib/python3.11/site-packages/pkg"
installed.mkdir(parents=True)
(installed / "main").write_bytes((sandbox.work / "main").read_bytes())
assert "CC4003" in codes("--runtime", "cuda==13.0", status=3, name=str(installed / "main"))
lost = sandbox.run(sandbox.toolkit / "bin/nvcc", *line[:-1], f"-rpath,{sandbox.work}/none", "-o", "lost")
equal(lost.status, 0, lost)
equal(codes("--runtime", "cuda==13.0", status=3, name="lost"), ["CC4003", "CC4106"])

# The link: the library is linked through a linker script, so the line does not show what is needed.
sandbox.write("libscript.so", f"INPUT({lib}/libcudart.so.13)\n")
sandbox.write("main.cpp", 'extern "C" int cudaGetDeviceCount(int *);\n'
              "int main() { int n; cudaGetDeviceCount(&n); return 0; }\n")
words = ("g++", "main.cpp", "-L.", "-lscript", f"-Wl,-rpath,{lib}", "-o", "linked")
made = sandbox.cc(*words, CUDA_CC_RUNTIME="cuda==13.0")
equal(made.status, 0, made)
assert made.err.startswith("cuda-cc: warning: runs here, and not beside the runtime's wheels [CC4118]\n"), made
equal(codes("--runtime", "cuda==13.0", status=0, name="linked"), ["CC4118"])
(sandbox.work / "linked").unlink()
sandbox.refused(*words, "--cudacc-layout=wheels", code="CC4003", CUDA_CC_RUNTIME="cuda==13.0")
equal(sandbox.good(*words, f"--cudacc-layout=system:{lib}", CUDA_CC_RUNTIME="cuda==13.0").err, "")

# `target` prints the assumed layout.
assert "layout: wheels (nothing declares a layout)" in sandbox.cc("target", "--runtime", "cuda==13.0").out
shown = json.loads(sandbox.cc("target", "--runtime", "cuda==13.0", "--format=json",
                              f"--cudacc-layout=system:{lib}").out)
equal(shown["layout"], {"value": f"system:{lib}", "assumed": False})
