# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# ./dev package

# package_as GENERATOR LIBDIR: each kind of distribution has a folder of its own for libraries, and the program is built
# with the path to the one beside it.
package_as() {
  cmake --preset release -DCMAKE_INSTALL_LIBDIR="$2"
  cmake --build build-release -j "$jobs"
  cpack --config build-release/CPackConfig.cmake -G "$1" -B build-release/packages
}

cmd_package() {
  local folder=${1:-dist} made
  cmd_setup
  need_packages dpkg-dev rpm
  # The date of what is packed.
  SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
  export SOURCE_DATE_EPOCH
  rm -rf build-release/packages
  package_as DEB "lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH)"
  package_as RPM lib64
  # For whoever installs from that build directory.
  cmake --preset release -DCMAKE_INSTALL_LIBDIR=lib
  made=(build-release/packages/*.{deb,rpm})
  mkdir -p "$folder"
  mv "${made[@]}" "$folder/"
  say "made ${made[*]/#build-release\/packages/$folder}"
}
