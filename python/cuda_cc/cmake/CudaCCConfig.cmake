# SPDX-License-Identifier: Apache-2.0
# For builds whose requirements name cuda-cc: scikit-build-core points CMake here. The package CudaCC itself lies with
# the program, in the prefix of the Python environment.
include("${CMAKE_CURRENT_LIST_DIR}/CudaCCPrefix.cmake")
if(CudaCC_PREFIX)
  include("${CudaCC_PREFIX}/share/cmake/CudaCC/CudaCCConfig.cmake")
else()
  set(CudaCC_FOUND FALSE)
  set(CudaCC_NOT_FOUND_MESSAGE "${CMAKE_CURRENT_LIST_DIR} lies in no environment that has cuda-cc: install it again")
endif()
