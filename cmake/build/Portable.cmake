# SPDX-License-Identifier: Apache-2.0
# Toolchain file of the portable program: zig's clang, for glibc 2.17 and later. CUDACC_MACHINE is x86_64 or
# aarch64; ./dev dist makes what lies in CUDACC_PORTABLE, compiler and libraries.
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES CUDACC_MACHINE CUDACC_PORTABLE)
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR ${CUDACC_MACHINE})

set(zig ${CUDACC_PORTABLE}/zig/ziglang/zig)
set(CMAKE_C_COMPILER ${zig} cc -target ${CUDACC_MACHINE}-linux-gnu.2.17)
set(CMAKE_CXX_COMPILER ${zig} c++ -target ${CUDACC_MACHINE}-linux-gnu.2.17)
set(CMAKE_ASM_COMPILER ${CMAKE_C_COMPILER})
foreach(tool AR RANLIB STRIP OBJCOPY)
  string(TOLOWER llvm-${tool}-19 program)
  find_program(CMAKE_${tool} ${program} REQUIRED)
endforeach()

# The same bytes wherever it is built.
set(prefixes "-ffile-prefix-map=${CUDACC_PORTABLE}=/portable -ffile-prefix-map=${CMAKE_SOURCE_DIR}=/source -ffile-prefix-map=${CMAKE_BINARY_DIR}=/build")
foreach(language ASM C CXX)
  set(CMAKE_${language}_FLAGS_INIT "${prefixes}")
endforeach()

# Libraries and headers of the build machine are for another libc. LLVM is used from its build directory.
set(CMAKE_FIND_ROOT_PATH ${CUDACC_PORTABLE}/${CUDACC_MACHINE}
                         ${CUDACC_PORTABLE}/${CUDACC_MACHINE}/build-llvm)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
foreach(kind LIBRARY INCLUDE PACKAGE)
  set(CMAKE_FIND_ROOT_PATH_MODE_${kind} ONLY)
endforeach()
