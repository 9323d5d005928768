# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %python -B %s
"""`launcher`: it is started in front of compiles, and of nothing else (R26 d, F20)."""
import os
import shutil

from recording import PROGRAM, Place, equal, untouched

place = Place("12.4")
for name in ("sccache", "env"):
    shutil.copy(place.bin / "ccache", place.bin / name)
place.path.insert(0, place.bin)
for name in ("k.cu", "x.cpp", "x.o"):
    place.write(name)
RUNTIME = "--cudacc-runtime=cuda==12.4"
by_option, cache = "--cudacc-launcher=ccache", str(place.bin / "ccache")


def behind(words, *expected, **environment):
    """The launcher was started in front of a compiler, with these arguments besides the record's."""
    ended = place.call(*words, **environment)
    equal((ended.status, ended.err), (0, ""), words)
    equal([word for word in ended.only.argv if "records/" not in word and word != "-include"],
          [str(word) for word in expected], words)
    equal(ended.only.program, os.path.realpath(expected[0]), words)


gxx, nvcc = place.bin / "g++", place.nvcc
behind((RUNTIME, by_option, "g++", "-c", "x.cpp"), cache, gxx, "-c", "x.cpp")
behind((RUNTIME, by_option, "-c", "k.cu"), cache, nvcc, "-c", "k.cu")
behind((RUNTIME, by_option, "-dc", "k.cu", "-o", "k.o"), cache, nvcc, "-dc", "k.cu", "-o", "k.o")
behind((by_option, gxx, "-c", "x.cpp"), cache, gxx, "-c", "x.cpp")
# A link called nvcc to a cache, as for masquerading: the cache starts the nvcc behind it on PATH.
link = place.root / "links/nvcc"
link.parent.mkdir()
link.symlink_to(cache)
place.path.insert(0, link.parent)
for words in (("-c", "k.cu"), ("nvcc", "-c", "k.cu"), (link, "-c", "k.cu")):
    behind((RUNTIME, *words), cache, nvcc, "-c", "k.cu")
equal(place.call(RUNTIME, "sccache", "nvcc", "-c", "k.cu").only.argv[:2], ["sccache", str(nvcc)])
assert "ccache" not in [each.name for each in place.call(RUNTIME, "k.cu", "-o", "k").started]
place.path.remove(link.parent)

# Without a declaration the compile is not checked, and uses the launcher too.
behind(("g++", "-c", "x.cpp"), cache, gxx, "-c", "x.cpp", CUDA_CC_LAUNCHER="ccache")
behind(("g++", "-c", "x.cpp"), place.bin / "env", "A=1", "ccache", gxx, "-c", "x.cpp",
       CUDA_CC_LAUNCHER="env;A=1; ccache")
place.write("cuda-cc.toml", 'runtime = "cuda==12.4"\nlauncher = ["../bin/env", "A=/b", "ccache"]\n')
behind(("g++", "-c", "x.cpp"), f"{place.work}/../bin/env", "A=/b", "ccache", gxx, "-c", "x.cpp")
behind(("g++", "-c", "x.cpp"), place.bin / "sccache", gxx, "-c", "x.cpp",
       CUDA_CC_LAUNCHER="sccache")
home = place.root / "home"
shutil.copytree(place.bin, home / "in")
behind(("--cudacc-launcher=~/in/ccache", "g++", "-c", "x.cpp"), home / "in/ccache", gxx, "-c",
       "x.cpp", HOME=home)

# A launcher on the line is not preceded by a second one; ccache's settings may be arguments.
ended = place.call("ccache", "debug=true", "g++", "-c", "x.cpp").only
equal(ended.argv[:3], ["ccache", "debug=true", str(gxx)], "the caller's own")
untouched(place.call("--cudacc-launcher=none", "g++", "-c", "x.cpp"), ["-c", "x.cpp"], "none")

# Not a compile, or one that only prints what it would do: no launcher.
place.write("cuda-cc.toml", 'launcher = "ccache"\n')
for words in (["g++", "--version"], ["g++", "-E", "x.cpp"], ["g++", "-M", "x.cpp"],
              ["g++", "-v", "-c", "x.cpp"], ["g++", "-###", "-c", "x.cpp"], ["g++", "-r", "x.o"]):
    ended = untouched(place.call(*words), words[1:], words)
    equal(ended.name, "g++", words)
for words in (["--version"], ["-E", "k.cu"], ["--dryrun", "-c", "k.cu"], ["-dlink", "x.o"],
              ["-lib", "x.o", "-o", "x.a"]):
    equal(place.call(*words).only.name, "nvcc", words)
for words in (["g++", "x.cpp", "-o", "x"], ["g++", "-shared", "x.o"], ["k.cu", "-o", "k"]):
    assert "ccache" not in [each.name for each in place.call(*words).started], words
shims = {next(word for word in place.call(RUNTIME, "k.cu", "-o", "k",
                                          CUDA_CC_LAUNCHER=launcher).last.argv
              if word.startswith("-ccbin=")) for launcher in ("ccache", "sccache", "none")}
equal(len(shims), 1, "one shim for all launchers")
# nvcc's own host compiles, and calls under CUDA_CC_DISABLE.
folder = place.masquerade("g++")
equal(place.call(folder / "g++", "-c", "x.cpp", program=None).only.name, "ccache", "masquerade")
equal(place.call("g++", "-c", "x.cpp", CUDA_CC_DISABLE="1").only.name, "g++", "disabled")

# A launcher that started cuda-cc would wait for itself: it is not started again.
shell = os.path.realpath("/bin/sh")
ended = place.call(shell, "-c", f"'{PROGRAM}' g++ -c x.cpp; exit $?", program=None,
                   CUDA_CC_LAUNCHER=shell)
equal((ended.status, ended.only.name), (0, "g++"), "in front already")

# Rejected before any program is started.
place.write("include/cuda.h", "#define CUDA_VERSION 12050\n")
ended = place.call(RUNTIME, "g++", "-Iinclude", "-c", "x.cpp")
equal((ended.status, ended.started), (3, []), "refused")

# A launcher that does not exist, or is cuda-cc itself.
for setting, words in (("nix", "was not found"), ("/none/nix", "was not found"),
                       (folder / "g++", "is cuda-cc itself")):
    ended = place.call("g++", "-c", "x.cpp", CUDA_CC_LAUNCHER=setting)
    equal((ended.status, ended.out, ended.started), (4, "", []), setting)
    said = " ".join(ended.err.replace(" ... [CC2004]", "").replace(" [CC2004]", "").split())
    assert "error: the launcher" in said and words in said and "CC2004" in ended.err, ended.err
    assert "CUDA_CC_LAUNCHER=none" in ended.err and "setting: " in ended.err, ended.err
ended = place.call("--cudacc-launcher=nix", "g++", "-c", "x.cpp", CUDA_CC_LAUNCHER="none")
assert "fix: --cudacc-launcher=none compiles without it" in ended.err, ended.err
place.write("cuda-cc.toml", '\nlauncher = "nix"\n')
ended = place.call("g++", "-c", "x.cpp")
assert ended.status == 4 and "launcher in cuda-cc.toml:2" in ended.err, ended.err
equal(place.call("g++", "-shared", "x.o").status, 0, "links do without")

# In a toolchain directory: nvcc's root is the directory, and the compilers are the recorded ones.
ended = place.call("toolchain", "td", RUNTIME.replace("cudacc-", ""), "--launcher=ccache")
equal((ended.status, ended.err), (0, ""), "toolchain")
td = place.work / "td"
assert 'launcher = [ "ccache" ]' in (td / "target.toml").read_text()
equal(place.call("toolchain", "--check", "td").status, 0)


def inside(name, *words, **environment):
    return place.call(td / "bin" / name, *words, program=None, **environment)


for name, words in (("nvcc", ("-c", "k.cu")), ("cuda-cc", ("-c", "k.cu"))):
    argv = inside(name, *words).only.argv
    equal(argv[:4], [cache, f"{td}/libexec/nvcc", f"-ccbin={place.bin}/gcc", "-c"], name)
argv = inside("g++", "-c", "x.cpp").only.argv
equal(argv[:4], [cache, str(gxx), "-idirafter", f"{td}/include"], "g++")
equal(inside("nvcc", "-c", "k.cu", CUDA_CC_LAUNCHER="none").only.argv[0], f"{td}/bin/nvcc")
equal(inside("nvcc", "-c", "k.cu", CUDA_CC_LAUNCHER="sccache").only.name, "sccache")
equal(inside("nvcc", "--version").only.argv[0], f"{td}/bin/nvcc")
# A cuda-cc in front of the directory's compilers, alone or with a cache: the directory's acts.
for words, began in (((td / "bin/cuda-cc", "g++"), [cache]), ((td / "bin/cuda-cc-c++",), [cache]),
                     (("sccache", td / "bin/g++"), [str(place.bin / "sccache")]),
                     (("sccache", "cuda-cc", td / "bin/cuda-cc", "g++"), [str(place.bin / "sccache")])):
    argv = place.call(*words, "-c", "x.cpp").only.argv
    equal(argv[:4], [*began, str(gxx), "-idirafter", f"{td}/include"], words)
# A directory that is activated, where another cuda-cc comes first on PATH: by their names too.
for words in (("g++",), ("ccache", "g++")):
    argv = place.call(*words, "-c", "x.cpp", PATH=os.pathsep.join(map(str, [td / "bin", *place.path]))).only.argv
    equal(argv[:4], [cache, str(gxx), "-idirafter", f"{td}/include"], words)
# Also where the one in front is another build: here a byte of its header differs that counts for nothing.
content = bytearray(open(PROGRAM, "rb").read())
content[9] ^= 1
other = place.root / "other/cuda-cc"
other.parent.mkdir()
other.write_bytes(content)
other.chmod(0o755)
argv = place.call(other, RUNTIME, td / "bin/cuda-cc", "g++", "-c", "x.cpp", program=None).only.argv
equal(argv[:4], [cache, str(gxx), "-idirafter", f"{td}/include"], "another build")
# A launcher that is declared, and not recorded in this directory.
ended = place.call("toolchain", "other", RUNTIME.replace("cudacc-", ""), "--launcher=none")
equal((ended.status, ended.err), (0, ""), "toolchain")
assert "\nlauncher = " not in (place.work / "other/target.toml").read_text()
