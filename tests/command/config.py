# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S:%support %support/hide-cuda %python -B %s
"""config: the runtime's headers, libraries and search path as flags, from a folder of wheels, from a toolkit of the
same line, from the tables only; and its errors."""
import json
import shutil
import subprocess
from pathlib import Path

from binaries import PROGRAM, Binaries, equal, schema

place = Binaries()
site = place.root / "site"
CLEAN = {"PATH": "/usr/bin:/bin", "HOME": str(place.root), "LC_ALL": "C",
         "XDG_DATA_HOME": str(place.root / "data")}


def config(*words, path="", **environment):
    done = subprocess.run([PROGRAM, "config", *map(str, words)], cwd=place.work, text=True,
                          stdin=subprocess.DEVNULL, capture_output=True,
                          env={**CLEAN, "PATH": f"{path}:{CLEAN['PATH']}".lstrip(":"),
                               **environment})
    return done.returncode, done.stdout, done.stderr


def good(*words, **more):
    status, out, err = config(*words, **more)
    equal((status, err), (0, ""), words)
    return out


def refused(status, code, *words, **more):
    got, out, err = config(*words, **more)
    equal((got, out), (status, ""), f"{words} {err}")
    assert f"[{code}]" in err.splitlines()[0], err
    # Joins wrapped lines.
    return " ".join(err.split())


def wheel(dist, version, folder, libraries, headers):
    """As installed by pip: metadata whose RECORD lists the files."""
    names = [f"{folder}/lib/{name}" for name in libraries]
    names += [f"{folder}/include/{name}" for name in headers]
    for name in names:
        path = site / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if ".so" in name:
            place.library(path, path.name, ["f"])
        else:
            path.write_text("")
    info = site / f"{dist.replace('-', '_')}-{version}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {dist}\nVersion: {version}\n\n")
    (info / "RECORD").write_text("".join(f"{name},,\n" for name in names))


wheel("nvidia-cuda-runtime-cu12", "12.4.127", "nvidia/cuda_runtime", ["libcudart.so.12"],
      ["cuda.h", "cuda_runtime.h", "cuda_runtime_api.h"])
wheel("nvidia-cusparse-cu12", "12.3.1.170", "nvidia/cusparse", ["libcusparse.so.12"],
      ["cusparse.h"])
wheel("nvidia-nvjitlink-cu12", "12.4.127", "nvidia/nvjitlink", ["libnvJitLink.so.12"],
      ["nvJitLink.h"])
wheel("nvidia-cudnn-cu12", "9.1.0.70", "nvidia/cudnn", ["libcudnn.so.9"], [])
wheel("nvidia-cuda-nvcc-cu12", "12.4.131", "nvidia/cuda_nvcc", [], ["crt/host_defines.h"])
env = ("--runtime", f"env:{site}")
nv = f"{site}/nvidia"
include = f"-I{nv}/cuda_runtime/include -I{nv}/cuda_nvcc/include"

# The environment's own libraries, by absolute path; the order is always cflags, libs, rpath.
equal(good(*env, "--cflags", "nvJitLink"), f"-I{nv}/nvjitlink/include {include}\n")
equal(good(*env, "--libs", "nvJitLink"), f"{nv}/nvjitlink/lib/libnvJitLink.so.12\n")
dirs = ["nvidia/cusparse/lib", "nvidia/nvjitlink/lib"]
rpath = ":".join([f"$ORIGIN/../{each}" for each in dirs] + [f"$ORIGIN/{each}" for each in dirs])
bracket = (f"-Wl,--push-state,--no-as-needed {nv}/nvjitlink/lib/libnvJitLink.so.12 "
           "-Wl,--pop-state")
equal(good(*env, "--rpath", "--libs", "--cflags", "cusparse"),
      f"-I{nv}/cusparse/include {include} {nv}/cusparse/lib/libcusparse.so.12 {bracket} "
      f"-Wl,--disable-new-dtags -Wl,-rpath,{rpath}\n")
# Given by name, it is no longer listed as a coupled one; given twice, it is listed once.
equal(good(*env, "--libs", "cusparse", "nvJitLink", "cusparse"),
      f"{nv}/cusparse/lib/libcusparse.so.12 {nv}/nvjitlink/lib/libnvJitLink.so.12\n")
# The driver's header comes with the runtime's; its library is only in a toolkit.
equal(good(*env, "--cflags", "cuda"), include + "\n")
refused(4, "CC2003", *env, "--libs", "cuda")
equal(good(*env, "--rpath", "cuda"), "\n")
# A library without its headers: the missing package is named.
err = refused(4, "CC2003", *env, "--cflags", "cudnn")
assert "cudnn.h was not found" in err and str(site) in err, err
assert good(*env, "--libs", "cudnn").endswith("/libcudnn.so.9\n")
err = refused(4, "CC2003", *env, "--libs", "cudart_static")
assert "libcudart_static.a" in err, err
(Path(nv) / "cuda_runtime/lib/libcudart_static.a").write_text("!<arch>\n")
equal(good(*env, "--libs", "cudart_static"), f"{nv}/cuda_runtime/lib/libcudart_static.a\n")

# Settings that the link step uses too.
equal(good(*env, "--rpath", "nvJitLink", "--cudacc-install-dir=pkg/sub", "--cudacc-dtags=runpath"),
      "-Wl,--enable-new-dtags -Wl,-rpath,$ORIGIN/../../nvidia/nvjitlink/lib\n")
equal(good(*env, "--rpath", "nvJitLink", "--cudacc-layout=none"), "\n")
equal(good(*env, "--rpath", "nvJitLink", "--cudacc-layout=system:/a,b c"),
      "-Wl,--disable-new-dtags -Xlinker -rpath -Xlinker /a,b\\ c\n")

# Without an environment, the search path comes from the tables, and no path of this disk is printed.
equal(good("--runtime", "torch==2.5.1", "--rpath", "nvJitLink"),
      "-Wl,--disable-new-dtags -Wl,-rpath,$ORIGIN/../nvidia/nvjitlink/lib:"
      "$ORIGIN/nvidia/nvjitlink/lib\n")
err = refused(4, "CC2003", "--runtime", "torch==2.5.1", "--libs", "nvJitLink")
assert "libnvJitLink.so.12 was not found for CUDA 12.4" in err, err

# A toolkit is used only if it is of the runtime's line.
for line, digits in (("12.4", "12.4.131"), ("12.5", "12.5.82")):
    root = place.root / f"cuda-{line}"
    for name in ("bin", "include/crt", "lib64/stubs", "nvvm/bin"):
        (root / name).mkdir(parents=True)
    nvcc = root / "bin/nvcc"
    nvcc.write_text(f"#!/bin/sh\n# Cuda compilation tools, release {line}, V{digits}\n")
    nvcc.chmod(0o755)
    (root / "bin/nvcc.profile").write_text("TOP = $(_HERE_)/..\nINCLUDES += \"-I$(TOP)/include\"\n"
                                           "LIBRARIES =+ \"-L$(TOP)/lib64\"\n")
    for name in ("cuda.h", "cuda_runtime.h", "nvJitLink.h", "crt/host_defines.h"):
        (root / "include" / name).write_text("")
    place.library(root / "lib64/libnvJitLink.so.12", "libnvJitLink.so.12", ["f"])
    place.library(root / "lib64/stubs/libcuda.so", "libcuda.so.1", ["f"])
old, new = place.root / "cuda-12.4", place.root / "cuda-12.5"
equal(good("--runtime", "torch==2.5.1", "--cflags", "--libs", "nvJitLink", "cuda",
           path=old / "bin"),
      f"-I{old}/include {old}/lib64/libnvJitLink.so.12 {old}/lib64/stubs/libcuda.so\n")
err = refused(4, "CC2003", "--runtime", "torch==2.5.1", "--libs", "nvJitLink", path=new / "bin")
assert f"CUDA 12.5 at {new}" in err, err
err = refused(4, "CC2003", "--runtime", "torch==2.5.1", "--libs", "cublas", path=old / "bin")
assert "lacks it" in err, err
equal(good("--runtime", "torch==2.5.1", "--libs", "nvJitLink", f"--cudacc-toolkit={old}",
           path=new / "bin"), f"{old}/lib64/libnvJitLink.so.12\n")
# A toolkit of the same line provides what the environment lacks.
equal(good(*env, "--libs", "cuda", path=old / "bin"), f"{old}/lib64/stubs/libcuda.so\n")

# Names.
err = refused(2, "CC1001", *env, "--libs", "nvjitlink")
assert "fix: write nvJitLink" in err, err
err = refused(2, "CC1001", *env, "--libs", "cusparce")
assert "fix: write cusparse" in err, err
refused(2, "CC1001", *env, "--libs", "m")
refused(3, "CC4003", *env, "--libs", "cufft")
refused(3, "CC4003", "--runtime", "cuda==12.4", "--rpath", "cudnn")

# Usage.
for words in ([], ["--libs"], ["nvJitLink"], ["--cmake", "--libs", "nvJitLink"],
              ["--cmake", "--json", "nvJitLink"], ["--libs=1", "nvJitLink"],
              ["--static", "nvJitLink"]):
    refused(2, "CC1001", *env, *words)
refused(2, "CC1001", "--libs", "nvJitLink")  # no declaration

# The folder's declaration is used, and a variable overrides it.
(place.work / "cuda-cc.toml").write_text(f'runtime = "env:{site}"\ndtags = "runpath"\n')
equal(good("--rpath", "nvJitLink").split()[0], "-Wl,--enable-new-dtags")
assert "cu13" in good("--rpath", "nvJitLink", CUDA_CC_RUNTIME="torch==2.11.0")
(place.work / "cuda-cc.toml").unlink()

# JSON: arguments without quoting.
value = schema.fit(json.loads(good(*env, "--json", "cusparse")), "config")
equal((value["rpath"], value["line"]), (["-Wl,--disable-new-dtags", f"-Wl,-rpath,{rpath}"], "12.4"))
equal([(each["name"], each["coupled"]) for each in value["libraries"]],
      [("cusparse", False), ("nvJitLink", True)])
equal(good(*env, "--format=json", "cusparse"), good(*env, "--json", "cusparse"))
equal(json.loads(good(*env, "--json", "--rpath", "cusparse"))["libs"], [])

# A folder with a blank: escaped as by pkg-config, unescaped in JSON.
strange = place.root / "with blank;$(x)"
shutil.copytree(site, strange)
out = good("--runtime", f"env:{strange}", "--libs", "nvJitLink")
equal(out, f"{place.root}/with\\ blank\\;$(x)/nvidia/nvjitlink/lib/libnvJitLink.so.12\n")
value = json.loads(good("--runtime", f"env:{strange}", "--libs", "--json", "nvJitLink"))
equal(value["libs"], [f"{strange}/nvidia/nvjitlink/lib/libnvJitLink.so.12"])

# CMake reads what --cmake prints, and links with it.
(place.work / "cuda.cmake").write_text(good(*env, "--cmake", "cusparse"))
(place.work / "use.c").write_text("void f(void); void g(void) { f(); }\n")
(place.work / "CMakeLists.txt").write_text(
    "cmake_minimum_required(VERSION 3.20)\nproject(use C)\ninclude(cuda.cmake)\n"
    "include(cuda.cmake)\nadd_library(use SHARED use.c)\n"
    "target_link_libraries(use PRIVATE cuda_cc::cusparse)\ninstall(TARGETS use DESTINATION .)\n")
for generator in ("Unix Makefiles", "Ninja"):
    for words in (["cmake", "-G", generator, "-S", ".", "-B", generator],
                  ["cmake", "--build", generator],
                  ["cmake", "--install", generator, "--prefix", "out"]):
        done = subprocess.run(words, cwd=place.work, env=CLEAN, capture_output=True, text=True)
        equal(done.returncode, 0, done.stdout + done.stderr)
    text = subprocess.run(["readelf", "-d", "out/libuse.so"], cwd=place.work, env=CLEAN,
                          capture_output=True, text=True).stdout
    # Flags that CMake adds itself are left out, because they would leave an empty search path element.
    assert f"[{rpath}]" in text and "(RPATH)" in text, text
    for name in ("libcusparse.so.12", "libnvJitLink.so.12"):
        assert f"[{name}]" in text, text
