# SPDX-License-Identifier: Apache-2.0
# For csh and tcsh:  source DIR/activate.csh
#
# Makes nvcc, gcc and g++ of this shell cuda-cc. `cuda_cc_deactivate` undoes it.

if ( $?CUDA_CC_DIR ) then
  # There is no alias if the variable is inherited from an activated shell.
  if ( "`alias cuda_cc_deactivate`" != "" ) then
    cuda_cc_deactivate
  endif
endif

set _cuda_cc_dir = @DIR:sh@
if ( ! -x "$_cuda_cc_dir/bin/cuda-cc" ) then
  echo "cuda-cc: there is no toolchain directory in ${_cuda_cc_dir}; was it moved? make it again"
  unset _cuda_cc_dir
  exit 1
endif

# Saves the environment variables. A shell variable of the same name (`set CC = clang`) is separate
# and stays unchanged. The eval saves a value, and _cuda_cc_back is the code that restores all.
set _cuda_cc_roots = ( CUDA_HOME CUDA_PATH CUDAHOME CUDAPATH CUDA_ROOT CUDA_ROOT_DIR CUDA_ROOT_PATH CUDA_DIR CUDADIR CUDA_BASE CUDA_PREFIX CUDA_INSTALL_PATH CUDA_INSTALL_DIR CUDA_TOOLKIT_PATH CUDA_TOOLKIT_DIR CUDA_TOOLKIT_ROOT_DIR CUDATOOLKIT_HOME CUDAToolkit_ROOT )
set _cuda_cc_back = ""
foreach _cuda_cc_name ( PATH CC CXX CUDA_CC_USER_CC CUDA_CC_USER_CXX CUDACXX CUDA_NVCC_EXECUTABLE NVCC PYTORCH_NVCC $_cuda_cc_roots CUDA_BIN_PATH CUDA_INC_PATH CUDA_LIB_PATH CMAKE_TOOLCHAIN_FILE CMAKE_C_LINKER_LAUNCHER CMAKE_CXX_LINKER_LAUNCHER )
  printenv $_cuda_cc_name >& /dev/null
  if ( $status == 0 ) then
    eval "set _cuda_cc_old_$_cuda_cc_name = "'"`printenv '"$_cuda_cc_name"'`"'
    set _cuda_cc_back = "$_cuda_cc_back setenv $_cuda_cc_name "'"$'"_cuda_cc_old_$_cuda_cc_name"'"'" ; unset _cuda_cc_old_$_cuda_cc_name ;"
  else
    set _cuda_cc_back = "$_cuda_cc_back unsetenv $_cuda_cc_name ;"
  endif
end
alias cuda_cc_deactivate "$_cuda_cc_back unsetenv CUDA_CC_DIR ; unset _cuda_cc_dir ; unalias cuda_cc_deactivate ; rehash"

setenv CUDA_CC_DIR "$_cuda_cc_dir"
# Build systems take CC and CXX as one path, and so does nvcc's -ccbin: a value of several words, or of a compiler that
# the directory does not have, moves to CUDA_CC_USER_CC or CUDA_CC_USER_CXX, which the front reads.
foreach _cuda_cc_name ( CC CXX )
  if ( $_cuda_cc_name == CC ) then
    set _cuda_cc_usual = ( @CC@ @CC:sh@ cuda-cc-cc )
  else
    set _cuda_cc_usual = ( @CXX@ @CXX:sh@ cuda-cc-c++ )
  endif
  # What stands behind cuda-cc, and a compiler of a toolchain directory by its name: that of this one is meant.
  # Parts are taken by programs from the environment, as csh reads quotes in values again.
  setenv _cuda_cc_text "`printenv $_cuda_cc_name`"
  set _cuda_cc_own = "`printenv _cuda_cc_text`"
  if ( "$_cuda_cc_own" =~ "$_cuda_cc_dir/bin/"* ) then
    set _cuda_cc_from = `expr length "$_cuda_cc_dir/bin/" + 1`
    setenv _cuda_cc_text "`printenv _cuda_cc_text | cut -c ${_cuda_cc_from}-`"
  endif
  setenv _cuda_cc_text "`printenv _cuda_cc_text | sed -E 's,^([^ ]*/)?cuda-cc( |"'$'"),,'`"
  set _cuda_cc_first = "`printenv _cuda_cc_text`"
  if ( ! -x "$_cuda_cc_first" ) set _cuda_cc_first = "`printenv _cuda_cc_text | cut -d ' ' -f 1`"
  set _cuda_cc_folder = "$_cuda_cc_first:h"
  if ( "$_cuda_cc_folder" != "$_cuda_cc_first" && -f "$_cuda_cc_folder/../cuda-cc.facts" ) then
    set _cuda_cc_from = `expr length "$_cuda_cc_folder" + 2`
    setenv _cuda_cc_text "`printenv _cuda_cc_text | cut -c ${_cuda_cc_from}-`"
  endif
  set _cuda_cc_own = "`printenv _cuda_cc_text`"
  if ( "$_cuda_cc_own" == "" || "$_cuda_cc_own" == "$_cuda_cc_usual[2]" ) set _cuda_cc_own = $_cuda_cc_usual[1]
  if ( "$_cuda_cc_own" !~ *[\ /]* && -x "$_cuda_cc_dir/bin/$_cuda_cc_own" ) then
    setenv $_cuda_cc_name "$_cuda_cc_dir/bin/$_cuda_cc_own"
  else
    setenv $_cuda_cc_name "$_cuda_cc_dir/bin/$_cuda_cc_usual[3]"
    setenv CUDA_CC_USER_$_cuda_cc_name "$_cuda_cc_own"
  endif
end
unsetenv _cuda_cc_text
set _cuda_cc_from
setenv PATH "$_cuda_cc_dir/bin:$PATH"
foreach _cuda_cc_name ( $_cuda_cc_roots )
  setenv $_cuda_cc_name "$_cuda_cc_dir"
end
setenv CUDA_BIN_PATH "$_cuda_cc_dir/bin"
setenv CUDA_INC_PATH "$_cuda_cc_dir/include"
setenv CUDA_LIB_PATH "$_cuda_cc_dir/lib64"
if ( -x "$_cuda_cc_dir/bin/nvcc" ) then
  setenv CUDACXX "$_cuda_cc_dir/bin/nvcc"
  setenv CUDA_NVCC_EXECUTABLE "$_cuda_cc_dir/bin/nvcc"
  setenv NVCC "$_cuda_cc_dir/bin/nvcc"
  setenv PYTORCH_NVCC "$_cuda_cc_dir/bin/nvcc"
endif
set _cuda_cc_own = "`printenv CMAKE_TOOLCHAIN_FILE`"
if ( "$_cuda_cc_own" == "" ) then
  setenv CMAKE_TOOLCHAIN_FILE "$_cuda_cc_dir/toolchain.cmake"
else
  setenv CMAKE_C_LINKER_LAUNCHER "$_cuda_cc_dir/bin/cuda-cc"
  setenv CMAKE_CXX_LINKER_LAUNCHER "$_cuda_cc_dir/bin/cuda-cc"
endif
unset _cuda_cc_own _cuda_cc_first _cuda_cc_from _cuda_cc_folder _cuda_cc_usual _cuda_cc_name _cuda_cc_back _cuda_cc_roots
rehash
