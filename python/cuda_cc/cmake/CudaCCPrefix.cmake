# SPDX-License-Identifier: Apache-2.0
# Sets CudaCC_PREFIX to the prefix of the environment that this package lies in, from the site-packages of a virtual
# environment up to a folder of `pip install --target`. Empty if it is incomplete.
set(CudaCC_PREFIX "${CMAKE_CURRENT_LIST_DIR}")
while(NOT EXISTS "${CudaCC_PREFIX}/share/cmake/CudaCC/CudaCCConfig.cmake")
  get_filename_component(parent "${CudaCC_PREFIX}" DIRECTORY)
  if(parent STREQUAL CudaCC_PREFIX)
    set(CudaCC_PREFIX "")
    break()
  endif()
  set(CudaCC_PREFIX "${parent}")
endwhile()
