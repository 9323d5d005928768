# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %python -B %s
"""A wheel is checked as its users load it: after the packages that its metadata requires and the libraries that it
opens first, with a table or an environment as runtime; if its sources may open a library, the result is unknown."""
from binaries import JITLINK, Binaries, equal

place = Binaries()
ext = place.extension("ext.so", {JITLINK: ["__nvJitLinkCreate_12_4"]}, ())
LOAD = b"import ctypes\n\n\ndef load():\n    ctypes.CDLL(f'libnvJitLink.so.{major}')\n"
# faiss/loader.py opens three libraries; the extension NEEDs one more.
cudart = place.extension("cudart.so", {"libcudart.so.12": ["cudaMalloc"]}, ())
blas = place.extension("blas.so", {"libcufft.so.11": ["cufftExecC2C"]}, ())


def wheel(name, files, *requires, version="1"):
    text = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
    info = f"{name.replace('-', '_')}-{version}.dist-info"
    path = f"{name.replace('-', '_')}-{version}-py3-none-linux_x86_64.whl"
    place.wheel(path, {f"{info}/METADATA":
                       (text + "".join(f"Requires-Dist: {line}\n" for line in requires)).encode(), **files})
    return path


def judged(path, *words):
    done = place.check(path, *words, "--format=json")
    return done, [(file["verdict"], [each["code"] for each in file["findings"] if each["severity"] == "error"])
                  for file in done.json["files"]]


def expect(path, verdict, *words):
    """The results from the tables of torch 2.5.1, and in an environment with the same libraries."""
    for runtime in ("torch==2.5.1", "env:env"):
        done, got = judged(path, f"--runtime={runtime}", *words)
        equal(got, [verdict], done)


link = place.library("got/" + JITLINK, JITLINK, ["__nvJitLinkCreate_12_4"])
runtime = place.library("got/libcudart.so.12", "libcudart.so.12", ["cudaMalloc"])
torch = place.extension("libtorch_python.so", {JITLINK: ["__nvJitLinkCreate_12_4"]},
                        ("$ORIGIN/../../nvidia/nvjitlink/lib",), "-Wl,-soname,libtorch_python.so")
site = place.site("env", {
    "nvidia-nvjitlink-cu12": ("12.4.127", {f"nvidia/nvjitlink/lib/{JITLINK}": link}),
    "nvidia-cuda-runtime-cu12": ("12.4.127", {"nvidia/cuda_runtime/lib/libcudart.so.12": runtime}),
    "torch": ("2.5.1", {"torch/lib/libtorch_python.so": torch})})
(site / "torch/version.py").write_text("__version__ = '2.5.1+cu124'\ncuda = '12.4'\n")

# No file loads it: a rejection. If the wheel requires torch, torch has loaded it, NEEDED or not.
expect(wheel("plain", {"plain/ext.so": ext}), ("reject", ["CC4003"]))
expect(wheel("behind", {"behind/ext.so": ext}, "torch>=2"), ("accept", []))
expect(wheel("apart", {"apart/ext.so": ext}, 'torch>=2; extra == "all"'), ("reject", ["CC4003"]))

# Its own sources open this library, or another one.
expect(wheel("opens", {"opens/ext.so": ext, "opens/__init__.py": LOAD}), ("unknown", ["CC2022"]))
done = place.check("opens-1-py3-none-linux_x86_64.whl", "--runtime=torch==2.5.1")
assert "site-packages/opens/__init__.py:5: ctypes.CDLL(" in done.out, done
expect(wheel("other", {"other/ext.so": ext, "other/__init__.py": LOAD.replace(b"nvJitLink", b"cufft")}),
       ("reject", ["CC4003"]))

# The tables know what faiss opens: the result is known, because no other library is opened.
expect(wheel("faiss-gpu-cu12", {"faiss/ext.so": cudart}), ("accept", []))
done, got = judged(wheel("faiss-gpu-cu12", {"faiss/ext.so": blas}, version="2"), "--runtime=torch==2.5.1")
equal(got, [("reject", ["CC4003"])], done)
done, got = judged("faiss_gpu_cu12-1-py3-none-linux_x86_64.whl", "--runtime=torch==2.11.0")
equal(got, [("reject", ["CC4003"])], done)
done = place.check("faiss_gpu_cu12-1-py3-none-linux_x86_64.whl", "--against", "torch>=2.5,<2.7", "--format=json")
equal({file["verdict"] for file in done.json["files"]}, {"accept"}, done)

# A fix names no file that does not exist: a file in a wheel is linked again, one outside is changed in place.
def fixes(*words):
    return " | ".join(fix for file in place.check(*words, "--runtime=env:env", "--format=json").json["files"]
                      for finding in file["findings"] for fix in finding["fixes"])


said = fixes("plain-1-py3-none-linux_x86_64.whl")
assert "link it through cuda-cc, or with -Wl,-rpath,'$ORIGIN/../nvidia/nvjitlink/lib'" in said, said
assert "patchelf" not in said, said
said = fixes("ext.so")
assert "patchelf --force-rpath --set-rpath" in said and said.count(" ext.so") >= 1, said
assert "site-packages/ext.so" not in said, said
