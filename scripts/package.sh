# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# ./dev package

cmd_package() {
  local folder=${1:-dist} made generator
  # The date of the packed sources.
  SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
  export SOURCE_DATE_EPOCH
  cmd_setup
  need_packages dpkg-dev rpm
  need_portable "$(uname -m)"
  # Configures again, for the date.
  cmake --preset release
  cmd_build release
  rm -rf build-release/packages
  for generator in DEB RPM; do
    cpack --config build-release/CPackConfig.cmake -G "$generator" -B build-release/packages
  done
  made=(build-release/packages/*.{deb,rpm})
  mkdir -p "$folder"
  mv "${made[@]}" "$folder/"
  say "made ${made[*]/#build-release\/packages/$folder}"
}
