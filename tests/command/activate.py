# SPDX-License-Identifier: Apache-2.0
# RUN: PYTHONPATH=%S %support/hide-cuda %python -B %s
"""`activate` of a toolchain directory, in every supported shell: compilers, CUDA and CMake of that shell are the
directory's, the user's own values stay behind cuda-cc, a second activation changes nothing, and
deactivation restores everything."""
import shutil

from recording import Place, equal

place = Place("12.4")
td = place.work / "it's a td"
ended = place.call("toolchain", td, "--runtime=cuda==12.4")
equal(ended.status, 0, ended.err)

ROOTS = ("CUDA_HOME", "CUDA_PATH", "CUDAHOME", "CUDAPATH", "CUDA_ROOT", "CUDA_ROOT_DIR", "CUDA_ROOT_PATH",
         "CUDA_DIR", "CUDADIR", "CUDA_BASE", "CUDA_PREFIX", "CUDA_INSTALL_PATH", "CUDA_INSTALL_DIR",
         "CUDA_TOOLKIT_PATH", "CUDA_TOOLKIT_DIR", "CUDA_TOOLKIT_ROOT_DIR", "CUDATOOLKIT_HOME",
         "CUDAToolkit_ROOT")
NAMES = (*ROOTS, "CUDA_BIN_PATH", "CUDA_INC_PATH", "CUDA_LIB_PATH", "CC", "CXX", "CUDA_CC_USER_CC",
         "CUDA_CC_USER_CXX", "CUDACXX", "CUDA_NVCC_EXECUTABLE",
         "NVCC", "PYTORCH_NVCC", "CMAKE_TOOLCHAIN_FILE", "CMAKE_C_LINKER_LAUNCHER",
         "CMAKE_CXX_LINKER_LAUNCHER", "PATH", "CUDA_CC_DIR")
SHELLS = {"sh": "activate", "bash": "activate", "zsh": "activate", "ksh": "activate", "dash": "activate",
          "fish": "activate.fish", "tcsh": "activate.csh"}
OPTIONS = {"tcsh": ["-f"], "fish": ["--no-config"], "zsh": ["-f", "-eu"]}


def shown(shell, steps, folder, before="", after="", **variables):
    """The variables after every step, as a program started by the shell sees them. `before` are commands to run first,
    `after` what the shell prints last."""
    source = {"a": {"fish": "source ", "tcsh": "source "}.get(shell, ". ") + quoted(shell, folder),
              "d": "cuda_cc_deactivate"}
    script = place.write("try", before + "\n" + "".join(f"{source[step]}\nenv\n{after}\necho ---\n"
                                                       for step in steps))
    options = OPTIONS.get(shell, ["-eu"])
    path = f"{place.bin}:/usr/bin:/bin"
    ended = place.call(shutil.which(shell), *options, script, program=None, **{"PATH": path, **variables})
    equal((ended.status, ended.err), (0, ""), shell)
    for part in ended.out.split("---\n")[:-1]:
        lines = dict(line.split("=", 1) for line in part.splitlines() if "=" in line)
        yield {name: lines[name] for name in NAMES if name in lines}, path, part


other = place.work / "other"
ended = place.call("toolchain", other, "--runtime=cuda==12.4")
equal(ended.status, 0, ended.err)


def quoted(shell, folder):
    path = f"{folder}/{SHELLS[shell]}"
    if shell == "tcsh":
        path = path.replace("!", "\\!")
    return "'" + path.replace("'", "\\'" if shell == "fish" else "'\\''") + "'"


def active(path, **more):
    nvcc = f"{td}/bin/nvcc"
    return {"CC": f"{td}/bin/gcc", "CXX": f"{td}/bin/g++", "CUDACXX": nvcc, "NVCC": nvcc,
            "CUDA_NVCC_EXECUTABLE": nvcc, "PYTORCH_NVCC": nvcc, **dict.fromkeys(ROOTS, str(td)),
            "CUDA_BIN_PATH": f"{td}/bin", "CUDA_INC_PATH": f"{td}/include", "CUDA_LIB_PATH": f"{td}/lib64",
            "CMAKE_TOOLCHAIN_FILE": f"{td}/toolchain.cmake", "PATH": f"{td}/bin:{path}", **more}


def without_dir(values):
    return {name: value for name, value in values.items() if name != "CUDA_CC_DIR"}


for shell in SHELLS:
    if not shutil.which(shell):
        raise SystemExit(f"no {shell}: ./dev setup installs it")
    first, again, after = shown(shell, "aad", td)
    path = first[1]
    equal(without_dir(first[0]), active(path), shell)
    equal(without_dir(again[0]), active(path), f"{shell}: twice")
    equal(after[0], {"PATH": path}, f"{shell}: taken back")

    # The user's own values stay behind cuda-cc, a toolchain file too.
    own = {"CXX": "clang++ -g", "CMAKE_TOOLCHAIN_FILE": "/own.cmake", "CUDA_HOME": "/own",
           "CUDAPATH": "/opt/own cuda", "CUDA_LIB_PATH": "/own/lib"}
    launcher = f"{td}/bin/cuda-cc"
    first, after = shown(shell, "ad", td, **own)
    equal(without_dir(first[0]),
          active(path, CXX=f"{td}/bin/cuda-cc-c++", CUDA_CC_USER_CXX="clang++ -g", CMAKE_TOOLCHAIN_FILE="/own.cmake",
                 CMAKE_C_LINKER_LAUNCHER=launcher, CMAKE_CXX_LINKER_LAUNCHER=launcher), shell)
    equal(after[0], {"PATH": path, **own}, f"{shell}: taken back")

    # CC and CXX are one path each: a compiler of the directory where that is what was meant, also by its path or behind
    # another toolchain directory, which enforces another runtime; else the name of the user's own one.
    for mine, name, moved in (
            ("g++", "g++", None), (f"{place.bin}/g++", "g++", None), ("c++", "c++", None),
            (f"{td}/bin/g++", "g++", None), (f"{other}/bin/c++", "c++", None), ("cuda-cc g++", "g++", None),
            ("clang++", "cuda-cc-c++", "clang++"), ("g++-12", "cuda-cc-c++", "g++-12"),
            ("/opt/bin/g++", "cuda-cc-c++", "/opt/bin/g++"), ("/my dir/g++", "cuda-cc-c++", "/my dir/g++"),
            ("'/my dir/g++'  \"-DA=b  c\"", "cuda-cc-c++", "'/my dir/g++'  \"-DA=b  c\""),
            ("ccache g++ -g", "cuda-cc-c++", "ccache g++ -g"),
            ("/opt/bin/cuda-cc clang++", "cuda-cc-c++", "clang++"),
            (f"{td}/bin/cuda-cc clang++ -g", "cuda-cc-c++", "clang++ -g"),
            (f"{other}/bin/g++ -g", "cuda-cc-c++", "g++ -g")):
        expected = {"CXX": f"{td}/bin/{name}", **({"CUDA_CC_USER_CXX": moved} if moved else {})}
        first, again, after = shown(shell, "aad", td, CXX=mine)
        equal(without_dir(first[0]), active(path, **expected), f"{shell}: {mine}")
        equal(again[0]["CXX"], expected["CXX"], f"{shell}: {mine}, twice")
        equal(after[0], {"PATH": path, "CXX": mine}, f"{shell}: {mine}, taken back")
    # As inherited from an activated shell.
    inherited = {"CXX": f"{other}/bin/cuda-cc-c++", "CUDA_CC_USER_CXX": "clang++ -g"}
    first, after = shown(shell, "ad", td, **inherited)
    equal(without_dir(first[0]), active(path, CXX=f"{td}/bin/cuda-cc-c++", CUDA_CC_USER_CXX="clang++ -g"), shell)
    equal(after[0], {"PATH": path, **inherited}, f"{shell}: inherited")

    # A variable that is not exported is not changed by activation and deactivation.
    sets, says = {"fish": ("set -g {} {}", 'echo "[$CC] [$CUDA_ROOT]"'),
                  "tcsh": ("set {} = {}", 'echo "[$CC] [$CUDA_ROOT]"')
                  }.get(shell, ("{}={}", 'echo "[$CC] [$CUDA_ROOT]"'))
    before = sets.format("CC", "clang") + "\n" + sets.format("CUDA_ROOT", "/mine")
    # csh has shell variables besides the environment: the user's CC there is not the environment's.
    compiler = {"CC": f"{td}/bin/gcc"} if shell == "tcsh" else {}
    expected = {name: value for name, value in active(path).items() if name != "CC"} | compiler
    first, after = shown(shell, "ad", td, before, says)
    equal(without_dir(first[0]), expected, f"{shell}: not exported")
    equal(after[0], {"PATH": path}, f"{shell}: not exported, taken back")
    assert "[clang] " in first[2] and "[clang] [/mine]" in after[2], (shell, first[2], after[2])

# The shell stays in its folder, and the directory may have a name that csh takes for a command of its history.
odd = place.work / "a!b c"
equal(place.call("toolchain", odd, "--runtime=cuda==12.4").status, 0)
for shell in SHELLS:
    for folder in (td, odd):
        first, = shown(shell, "a", folder, after="pwd")
        equal((first[0]["CC"], first[2].splitlines()[-1]), (f"{folder}/bin/gcc", str(place.work)), shell)

# docs/make.md: variables that a makefile uses, and those that it assigns itself.
place.write("Makefile", """NVCC := $(CUDAPATH)/bin/nvcc
CUDA_PATH = /usr/local/none
all:
	@echo $(NVCC) $(CUDA_PATH) $(CC)
""")
script = place.write("try", f". {quoted('sh', other)}\nmake -s\nmake -se\nmake -s CUDA_PATH=$CUDA_HOME\n")
ended = place.call("/bin/sh", "-eu", script, program=None, PATH=f"{place.bin}:/usr/bin:/bin", CC="clang")
equal(ended.status, 0, ended)
own, over, argument = ended.out.replace(str(other), "TD").splitlines()
equal(own, "TD/bin/nvcc /usr/local/none TD/bin/cuda-cc-cc")
equal(over, "TD/bin/nvcc TD TD/bin/cuda-cc-cc")
equal(argument, over)

# A directory that was moved works in shells that know the path of the sourced file; the others print an error.
moved = place.work / "moved"
td.rename(moved)
old, td = td, moved
for shell in SHELLS:
    if shell in ("bash", "zsh", "fish"):
        equal(without_dir(next(shown(shell, "a", moved))[0]), active(path), f"{shell}: moved")
        continue
    script = place.write("try", f"{'source' if shell == 'tcsh' else '.'} {quoted(shell, moved)}\n")
    ended = place.call(shutil.which(shell), *OPTIONS.get(shell, ["-eu"]), script, program=None)
    equal(ended.status, 1, shell)
    assert str(old) in ended.out + ended.err and "moved" in ended.out + ended.err, (shell, ended)
