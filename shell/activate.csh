# For csh and tcsh:  source DIR/activate.csh
#
# From then on nvcc, gcc and g++ of this shell are cuda-cc. `cuda_cc_deactivate` takes it back.

if ( $?CUDA_CC_DIR ) then
  cuda_cc_deactivate
endif

set _cuda_cc_dir = @DIR:sh@
if ( ! -x "$_cuda_cc_dir/bin/cuda-cc" ) then
  echo "cuda-cc: there is no toolchain directory in ${_cuda_cc_dir}; was it moved? make it again"
  unset _cuda_cc_dir
  exit 1
endif

# What is yours already stays, behind cuda-cc. Two texts: the first sets, the second takes back.
set _cuda_cc_back = ""
foreach _cuda_cc_name ( PATH CUDACXX CUDA_HOME CUDA_PATH CUDAToolkit_ROOT CUDA_NVCC_EXECUTABLE NVCC PYTORCH_NVCC CC CXX CMAKE_TOOLCHAIN_FILE CMAKE_C_LINKER_LAUNCHER CMAKE_CXX_LINKER_LAUNCHER )
  eval "set _cuda_cc_had = "'$'"?$_cuda_cc_name"
  if ( $_cuda_cc_had ) then
    eval "set _cuda_cc_old_$_cuda_cc_name = "'"$'"$_cuda_cc_name"'"'
    set _cuda_cc_back = "$_cuda_cc_back setenv $_cuda_cc_name "'"$'"_cuda_cc_old_$_cuda_cc_name"'"'" ; unset _cuda_cc_old_$_cuda_cc_name ;"
  else
    set _cuda_cc_back = "$_cuda_cc_back unsetenv $_cuda_cc_name ;"
  endif
end
alias cuda_cc_deactivate "$_cuda_cc_back unsetenv CUDA_CC_DIR ; unset _cuda_cc_dir ; unalias cuda_cc_deactivate ; rehash"

setenv CUDA_CC_DIR "$_cuda_cc_dir"
set _cuda_cc_had = ""
if ( $?CC ) then
  set _cuda_cc_had = "$CC"
endif
if ( "$_cuda_cc_had" == "" ) then
  setenv CC "$_cuda_cc_dir/bin/@CC@"
else
  setenv CC "$_cuda_cc_dir/bin/cuda-cc $_cuda_cc_had"
endif
set _cuda_cc_had = ""
if ( $?CXX ) then
  set _cuda_cc_had = "$CXX"
endif
if ( "$_cuda_cc_had" == "" ) then
  setenv CXX "$_cuda_cc_dir/bin/@CXX@"
else
  setenv CXX "$_cuda_cc_dir/bin/cuda-cc $_cuda_cc_had"
endif
setenv PATH "$_cuda_cc_dir/bin:$PATH"
setenv CUDA_HOME "$_cuda_cc_dir"
setenv CUDA_PATH "$_cuda_cc_dir"
setenv CUDAToolkit_ROOT "$_cuda_cc_dir"
if ( -x "$_cuda_cc_dir/bin/nvcc" ) then
  setenv CUDACXX "$_cuda_cc_dir/bin/nvcc"
  setenv CUDA_NVCC_EXECUTABLE "$_cuda_cc_dir/bin/nvcc"
  setenv NVCC "$_cuda_cc_dir/bin/nvcc"
  setenv PYTORCH_NVCC "$_cuda_cc_dir/bin/nvcc"
endif
set _cuda_cc_had = ""
if ( $?CMAKE_TOOLCHAIN_FILE ) then
  set _cuda_cc_had = "$CMAKE_TOOLCHAIN_FILE"
endif
if ( "$_cuda_cc_had" == "" ) then
  setenv CMAKE_TOOLCHAIN_FILE "$_cuda_cc_dir/toolchain.cmake"
else
  setenv CMAKE_C_LINKER_LAUNCHER "$_cuda_cc_dir/bin/cuda-cc"
  setenv CMAKE_CXX_LINKER_LAUNCHER "$_cuda_cc_dir/bin/cuda-cc"
endif
unset _cuda_cc_had _cuda_cc_name _cuda_cc_back
rehash
