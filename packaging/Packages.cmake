# SPDX-License-Identifier: Apache-2.0
# A .deb and an RPM by CPack: ./dev package, or `cpack -G DEB` in a build directory. What only one of them has is put
# into its staging directory by Stage.cmake.
set(CUDACC_PACKAGE_CONTACT "cuda-cc maintainers <cuda-cc@users.noreply.github.com>" CACHE STRING
    "Who makes the packages: a name and an address")
set(CPACK_PACKAGE_NAME cuda-cc)
set(CPACK_PACKAGE_VENDOR "cuda-cc")
set(CPACK_PACKAGE_CONTACT ${CUDACC_PACKAGE_CONTACT})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "compiler wrapper that enforces a declared CUDA runtime")
set(CPACK_PACKAGE_DESCRIPTION
"cuda-cc is called in place of nvcc, or in front of a host compiler, and knows
the CUDA runtime that a project declares: a release of torch, a CUDA version,
an environment or a lock file. It either makes a file that loads there, or
stops and prints what is wrong, where each fact comes from, and fixes.

It also checks binaries and wheels that it did not build, predicts what the
dynamic loader does with them on this machine, and explains error messages of
the loader, of CUDA and of nvcc.")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS g++)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "ninja-build, nvidia-cuda-toolkit")
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

set(CPACK_RPM_FILE_NAME RPM-DEFAULT)
set(CPACK_RPM_PACKAGE_RELEASE ${CPACK_DEBIAN_PACKAGE_RELEASE})
set(CPACK_RPM_PACKAGE_SUMMARY "Compiler wrapper that enforces a declared CUDA runtime")
set(CPACK_RPM_PACKAGE_DESCRIPTION ${CPACK_PACKAGE_DESCRIPTION})
set(CPACK_RPM_PACKAGE_LICENSE
    "Apache-2.0 AND Apache-2.0 WITH LLVM-exception AND MIT AND BSD-2-Clause AND BSD-3-Clause AND Zlib")
set(CPACK_RPM_PACKAGE_GROUP Development/Tools)
set(CPACK_RPM_PACKAGE_RELOCATABLE ON)
set(CPACK_RPM_COMPRESSION_TYPE xz)
# Directories of others.
set(CPACK_RPM_EXCLUDE_FROM_AUTO_FILELIST_ADDITION
    /usr/libexec /usr/share/cmake /usr/share/man /usr/share/man/man1 /usr/share/man/man5
    /usr/share/bash-completion /usr/share/bash-completion/completions /usr/share/fish
    /usr/share/fish/vendor_completions.d /usr/share/zsh /usr/share/zsh/site-functions)
# The same bytes from every build; and no links to build-ids, which would stay behind at a relocation.
set(CPACK_RPM_SPEC_MORE_DEFINE
"%global _build_id_links none
%global _buildhost localhost
%global use_source_date_epoch_as_buildtime 1
%global clamp_mtime_to_source_date_epoch 1
Packager: ${CUDACC_PACKAGE_CONTACT}")
# Written by Stage.cmake.
set(CPACK_RPM_CHANGELOG_FILE ${CMAKE_CURRENT_BINARY_DIR}/changelog.rpm)

# Read by Stage.cmake.
set(CPACK_CUDACC_SOURCE ${PROJECT_SOURCE_DIR})
set(CPACK_CUDACC_PYTHON ${Python3_EXECUTABLE})
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_SOURCE_DIR}/Stage.cmake)
include(CPack)
