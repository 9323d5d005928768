# SPDX-License-Identifier: Apache-2.0
include("${CMAKE_CURRENT_LIST_DIR}/CudaCCPrefix.cmake")
if(CudaCC_PREFIX)
  include("${CudaCC_PREFIX}/share/cmake/CudaCC/CudaCCConfigVersion.cmake")
else()
  # CudaCCConfig.cmake says what is wrong.
  set(PACKAGE_VERSION_COMPATIBLE TRUE)
endif()
