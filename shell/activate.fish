# For fish:  source DIR/activate.fish
#
# From then on nvcc, gcc and g++ of this shell are cuda-cc. `cuda_cc_deactivate` takes it back.

if functions -q cuda_cc_deactivate
    cuda_cc_deactivate
end

set -g CUDA_CC_DIR (cd (dirname (status filename)); and pwd)

function _cuda_cc_set
    set -g _cuda_cc_touched $_cuda_cc_touched $argv[1]
    if set -q $argv[1]
        set -g _cuda_cc_old_$argv[1] $$argv[1]
    end
    set -gx $argv[1] $argv[2..-1]
end

function cuda_cc_deactivate
    for name in $_cuda_cc_touched
        set -l old _cuda_cc_old_$name
        if set -q $old
            set -gx $name $$old
            set -e $old
        else
            set -e $name
        end
    end
    set -e _cuda_cc_touched
    set -e CUDA_CC_DIR
    functions -e cuda_cc_deactivate _cuda_cc_set
end

if test -x "$CUDA_CC_DIR/bin/cuda-cc"
    # What is yours already stays, behind cuda-cc.
    if set -q CC; and test -n "$CC"
        _cuda_cc_set CC "$CUDA_CC_DIR/bin/cuda-cc $CC"
    else
        _cuda_cc_set CC "$CUDA_CC_DIR/bin/@CC@"
    end
    if set -q CXX; and test -n "$CXX"
        _cuda_cc_set CXX "$CUDA_CC_DIR/bin/cuda-cc $CXX"
    else
        _cuda_cc_set CXX "$CUDA_CC_DIR/bin/@CXX@"
    end
    _cuda_cc_set PATH "$CUDA_CC_DIR/bin" $PATH
    _cuda_cc_set CUDA_HOME "$CUDA_CC_DIR"
    _cuda_cc_set CUDA_PATH "$CUDA_CC_DIR"
    _cuda_cc_set CUDAToolkit_ROOT "$CUDA_CC_DIR"
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
