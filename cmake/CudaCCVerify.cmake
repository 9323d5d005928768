# SPDX-License-Identifier: Apache-2.0
# Included by the installation; CUDA_CC_CHECK is the command to run on the installed files.
set(cuda_cc_files)
foreach(cuda_cc_file IN LISTS CMAKE_INSTALL_MANIFEST_FILES)
  set(cuda_cc_file "$ENV{DESTDIR}${cuda_cc_file}")
  if(EXISTS "${cuda_cc_file}" AND NOT IS_DIRECTORY "${cuda_cc_file}"
     AND NOT IS_SYMLINK "${cuda_cc_file}")
    # ELF programs and shared libraries.
    file(READ "${cuda_cc_file}" cuda_cc_magic LIMIT 18 HEX)
    if(cuda_cc_magic MATCHES "^7f454c46........................0[23]00")
      list(APPEND cuda_cc_files "${cuda_cc_file}")
    endif()
  endif()
endforeach()
if(cuda_cc_files)
  execute_process(COMMAND ${CUDA_CC_CHECK} ${cuda_cc_files} RESULT_VARIABLE cuda_cc_status)
  if(NOT cuda_cc_status EQUAL 0)
    message(FATAL_ERROR "cuda-cc: the installed files were rejected (exit status ${cuda_cc_status})")
  endif()
endif()
