# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %support/hide-cuda %python -B %s
"""A program whose search path leads to a toolkit of the declared CUDA line. Without a declared layout it runs here
but not beside wheels: a warning (CC4118). Another release, a declared layout, a wheel and installed files are
rejected; `layout = "system:PATH"` accepts that PATH (CC4106). The link reports the same."""
import json
import zipfile

from scene import Scene, equal

scene = Scene("13.0")
lib = next(folder for folder in (scene.toolkit / "lib64", scene.toolkit / "lib")
           if (folder / "libcudart.so.13").exists())
scene.write("main.cu", "#include <cuda_runtime.h>\nint main() { int n; cudaGetDeviceCount(&n); return 0; }\n")
line = ("-arch=sm_80", "-cudart", "shared", "main.cu", "-Xlinker", f"-rpath,{lib}")
plain = scene.run(scene.toolkit / "bin/nvcc", *line, "-o", "main")
equal(plain.status, 0, plain)
equal(scene.run("./main").status, 0, "it runs here")


def codes(*words, status, name="main"):
    ended = scene.cc("check", name, "--format=json", *words)
    equal(ended.status, status, ended)
    return [finding["code"] for finding in json.loads(ended.out)["files"][0]["findings"]
            if finding["severity"] != "remark"]


equal(codes("--runtime", "cuda==13.0", status=0), ["CC4118"])
shown_text = scene.cc("check", "main", "--runtime", "cuda==13.0").out
for text in (str(lib), "wheels (nothing declares a layout)", f'fix: layout = "system:{lib}"'):
    assert text in shown_text.replace("\n               ", ""), (text, shown_text)
equal(codes("--runtime", "cuda==13.0", "--layout=wheels", status=3), ["CC4003", "CC4106"])
equal(codes("--runtime", "cuda==13.0", f"--layout=system:{lib}", status=0), [])
equal(codes("--runtime", "cuda==13.0", "--layout", f"system:{lib}-other", status=0), ["CC4106"])
equal(codes("--runtime", "cuda==13.1", status=3), ["CC4003", "CC4106"])
assert "CC4003" in codes("--runtime", "cuda==12.4", status=3)
scene.write("cuda-cc.toml", 'runtime = "cuda==13.0"\nlayout = "wheels"\n')
equal(codes(status=3), ["CC4003", "CC4106"])
# The option overrides the setting, and invalid values are rejected.
equal(codes(f"--layout=system:{lib}", status=0), [])
wrong = scene.cc("check", "main", "--layout=weels")
equal((wrong.status, wrong.codes), (2, ["CC1003"]), wrong)
assert "--layout" in wrong.err and "wheels, system:PATH, conda, none" in wrong.err, wrong
(scene.work / "cuda-cc.toml").unlink()

# Wheels and installed files are for other machines. A program that finds no library does not run here either.
with zipfile.ZipFile(scene.work / "x-1-py3-none-any.whl", "w") as wheel:
    wheel.write(scene.work / "main", "pkg/main")
assert "CC4003" in codes("--runtime", "cuda==13.0", status=3, name="x-1-py3-none-any.whl")
installed = scene.work / "v/lib/python3.11/site-packages/pkg"
installed.mkdir(parents=True)
(installed / "main").write_bytes((scene.work / "main").read_bytes())
assert "CC4003" in codes("--runtime", "cuda==13.0", status=3, name=str(installed / "main"))
lost = scene.run(scene.toolkit / "bin/nvcc", *line[:-1], f"-rpath,{scene.work}/none", "-o", "lost")
equal(lost.status, 0, lost)
equal(codes("--runtime", "cuda==13.0", status=3, name="lost"), ["CC4003", "CC4106"])

# The link: the library is linked through a linker script, so the line does not show what is needed.
scene.write("libscript.so", f"INPUT({lib}/libcudart.so.13)\n")
scene.write("main.cpp", 'extern "C" int cudaGetDeviceCount(int *);\n'
            "int main() { int n; cudaGetDeviceCount(&n); return 0; }\n")
words = ("g++", "main.cpp", "-L.", "-lscript", f"-Wl,-rpath,{lib}", "-o", "linked")
made = scene.cc(*words, CUDA_CC_RUNTIME="cuda==13.0")
equal(made.status, 0, made)
assert made.err.startswith("cuda-cc: warning: runs here, and not beside the runtime's wheels [CC4118]\n"), made
equal(codes("--runtime", "cuda==13.0", status=0, name="linked"), ["CC4118"])
(scene.work / "linked").unlink()
scene.refused(*words, "--cudacc-layout=wheels", code="CC4003", CUDA_CC_RUNTIME="cuda==13.0")
equal(scene.good(*words, f"--cudacc-layout=system:{lib}", CUDA_CC_RUNTIME="cuda==13.0").err, "")

# `target` prints the assumed layout.
assert "layout: wheels (nothing declares a layout)" in scene.cc("target", "--runtime", "cuda==13.0").out
shown = json.loads(scene.cc("target", "--runtime", "cuda==13.0", "--format=json",
                            f"--cudacc-layout=system:{lib}").out)
equal(shown["layout"], {"value": f"system:{lib}", "assumed": False})
