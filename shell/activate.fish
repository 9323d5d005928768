# SPDX-License-Identifier: Apache-2.0
# For fish:  source DIR/activate.fish
#
# Makes nvcc, gcc and g++ of this shell cuda-cc. `cuda_cc_deactivate` undoes it.

if functions -q cuda_cc_deactivate
    cuda_cc_deactivate
end

# `cd` in a command substitution would change the folder of this shell.
set -g CUDA_CC_DIR (realpath -s (dirname (status filename)))

# Shadows universal variables instead of changing them.
function _cuda_cc_set
    set -g _cuda_cc_touched $_cuda_cc_touched $argv[1]
    if set -qg $argv[1]
        set -g _cuda_cc_old_$argv[1] $$argv[1]
        set -qgx $argv[1]; or set -g _cuda_cc_unexported $_cuda_cc_unexported $argv[1]
    end
    set -gx $argv[1] $argv[2..-1]
end

# Arguments: CC or CXX, the compiler's name in the directory, what that stands for, and the name under which the
# directory has the user's own compiler. Build systems take these variables as one path, and so does nvcc's -ccbin: a
# value of several words, or of a compiler that the directory does not have, moves to CUDA_CC_USER_CC or
# CUDA_CC_USER_CXX. A variable that is not exported stays unchanged, as no build sees it.
function _cuda_cc_set_compiler
    set -l bin $CUDA_CC_DIR/bin
    set -l own "$$argv[1]"
    if test -n "$own"; and not set -qx $argv[1]
        return 0
    end
    # What stands behind cuda-cc, and a compiler of a toolchain directory by its name: that of this one is meant.
    if test (string sub -l (string length -- "$bin/") -- "$own") = "$bin/"
        set own (string sub -s (math (string length -- "$bin/") + 1) -- "$own")
    end
    set own (string replace -r '^([^ ]*/)?cuda-cc( |$)' '' -- "$own")
    set -l first (string split -m 1 ' ' -- "$own")[1]
    test -x "$own"; and set first "$own"
    set -l folder (string replace -r '/[^/]*$' '' -- "$first")
    if test "$folder" != "$first"; and test -f "$folder/../cuda-cc.facts"
        set own (string sub -s (math (string length -- "$folder/") + 1) -- "$own")
    end
    if test -z "$own"; or test "$own" = $argv[2]; or test "$own" = $argv[3]
        _cuda_cc_set $argv[1] $bin/$argv[2]
    else if not string match -q -r '[ /]' -- "$own"; and test -x "$bin/$own"
        _cuda_cc_set $argv[1] $bin/$own
    else
        _cuda_cc_set $argv[1] $bin/$argv[4]
        _cuda_cc_set CUDA_CC_USER_$argv[1] "$own"
    end
end

function cuda_cc_deactivate
    for name in $_cuda_cc_touched
        set -l old _cuda_cc_old_$name
        if not set -q $old
            set -eg $name
            continue
        end
        if contains $name $_cuda_cc_unexported
            set -gu $name $$old
        else
            set -gx $name $$old
        end
        set -eg $old
    end
    set -e _cuda_cc_touched
    set -e _cuda_cc_unexported
    set -e CUDA_CC_DIR
    functions -e cuda_cc_deactivate _cuda_cc_set _cuda_cc_set_compiler
end

if test -x "$CUDA_CC_DIR/bin/cuda-cc"
    _cuda_cc_set_compiler CC @CC@ @CC:sh@ cuda-cc-cc
    _cuda_cc_set_compiler CXX @CXX@ @CXX:sh@ cuda-cc-c++
    _cuda_cc_set PATH "$CUDA_CC_DIR/bin" $PATH
    for name in CUDA_HOME CUDA_PATH CUDAHOME CUDAPATH CUDA_ROOT CUDA_ROOT_DIR CUDA_ROOT_PATH CUDA_DIR CUDADIR \
            CUDA_BASE CUDA_PREFIX CUDA_INSTALL_PATH CUDA_INSTALL_DIR CUDA_TOOLKIT_PATH CUDA_TOOLKIT_DIR \
            CUDA_TOOLKIT_ROOT_DIR CUDATOOLKIT_HOME CUDAToolkit_ROOT
        _cuda_cc_set $name "$CUDA_CC_DIR"
    end
    _cuda_cc_set CUDA_BIN_PATH "$CUDA_CC_DIR/bin"
    _cuda_cc_set CUDA_INC_PATH "$CUDA_CC_DIR/include"
    _cuda_cc_set CUDA_LIB_PATH "$CUDA_CC_DIR/lib64"
    if test -x "$CUDA_CC_DIR/bin/nvcc"
        for name in CUDACXX CUDA_NVCC_EXECUTABLE NVCC PYTORCH_NVCC
            _cuda_cc_set $name "$CUDA_CC_DIR/bin/nvcc"
        end
    end
    if set -q CMAKE_TOOLCHAIN_FILE; and test -n "$CMAKE_TOOLCHAIN_FILE"
        _cuda_cc_set CMAKE_C_LINKER_LAUNCHER "$CUDA_CC_DIR/bin/cuda-cc"
        _cuda_cc_set CMAKE_CXX_LINKER_LAUNCHER "$CUDA_CC_DIR/bin/cuda-cc"
    else
        _cuda_cc_set CMAKE_TOOLCHAIN_FILE "$CUDA_CC_DIR/toolchain.cmake"
    end
else
    echo "cuda-cc: there is no toolchain directory in $CUDA_CC_DIR; make it again" >&2
    cuda_cc_deactivate
    false
end
