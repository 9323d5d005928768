# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# ./dev clean

# Files that killed tests and demos left outside build/. Recent ones are kept, because tests of another source
# tree may be using them.
test_folders() {
  find "${TMPDIR:-/tmp}" -maxdepth 1 -type d -uid "$(id -u)" -mmin +60 -regextype posix-extended \
    -regex '.*/cuda-cc-(browser|demo|farm|sccache|torchabi|torchnames)-[A-Za-z0-9_]{6,8}'
}

clean_builds() {
  local dir made_for
  for dir in build build-*; do
    if [ ! -d "$dir" ] || [ -L "$dir" ]; then continue; fi
    # Of CMake's, and of ./dev docs.
    made_for=$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "$dir/CMakeCache.txt" 2>/dev/null ||
      cat "$dir/.made-for" 2>/dev/null || true)
    if [ "$made_for" = "$PWD" ]; then
      rm -rf "$dir"
      say "removed $dir"
    else
      say "$dir stays: it is no build directory of $PWD"
    fi
  done
  find driver tests -name __pycache__ -type d -prune -exec rm -rf {} +
  test_folders | while IFS= read -r dir; do
    rm -rf "$dir"
    say "removed $dir"
  done
}

# ./dev test holds this lock while it runs.
nobody_tests() {
  [ -e "$cache/in-use.lock" ] || return 0
  exec 8>> "$cache/in-use.lock"
  flock -n 8 || { say "nothing is removed: tests are running"; return 1; }
}

clean_cache() {
  local entry size
  [ -d "$cache" ] || { say "there is no $cache"; return; }
  cache_is_ours || { say "$cache stays: it is no cache of cuda-cc, or other files lie there"; return 1; }
  size=$(du -sh "$cache" | cut -f 1)
  for entry in "${cache_entries[@]}"; do rm -rf "${cache:?}/$entry"; done
  say "removed $cache, $size"
  rmdir "$cache" 2>/dev/null || say "$cache itself stays: other files lie there"
}

cmd_clean() {
  case ${1:-} in
    '') nobody_tests && clean_builds ;;
    --cache) nobody_tests && clean_cache ;;
    *)
      say "clean [--cache]"
      return 2
      ;;
  esac
}
