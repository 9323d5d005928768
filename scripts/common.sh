# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Functions that the other scripts share: messages, the cache, packages. ./dev sources this file.

# Every name that any version of ./dev has created in the cache.
cache_entries=(
  CACHEDIR.TAG apt.log debian debs docs envs files form form.lock in-use.lock isal lint.log linters members metadata
  portable projects sdists setup.lock toolkits venv wheels wild worlds
)
cache_tag='Signature: 8a477f597d28d172789f06886806bc55
# What the tests of cuda-cc fetched: ./dev clean --cache removes it.'

say() { printf 'dev: %s\n' "$*" >&2; }

as_root() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    say "this needs root or sudo: $*"
    return 1
  fi
}

# Whether the cache contains only files that ./dev created.
cache_is_ours() {
  local entry
  [ "$(cat "$cache/CACHEDIR.TAG" 2>/dev/null)" = "$cache_tag" ] && return
  while IFS= read -r entry; do
    [[ " ${cache_entries[*]} " == *" $entry "* ]] || return 1
  done < <(find "$cache" -mindepth 1 -maxdepth 1 -printf '%f\n')
}

need_cache() {
  if [ -e "$cache" ] && ! { [ -d "$cache" ] && cache_is_ours; }; then
    say "$cache is no cache of cuda-cc, and other files lie there: name another place with CUDA_CC_CACHE"
    return 1
  fi
  mkdir -p "$cache"
  printf '%s\n' "$cache_tag" > "$cache/CACHEDIR.TAG"
}

# Prints the number of files and bytes that apt-get would download.
archives() {
  apt-get install --print-uris -y -qq --no-install-recommends "$@" 2>/dev/null |
    awk '$1 ~ /^\047/ { files++; bytes += $3 } END { printf "%d files, %.1f MB", files, bytes / 1e6 }'
}

need_packages() {
  local installed package missing=() log=$cache/apt.log
  # shellcheck disable=SC2016
  installed=" $(dpkg-query -W -f '${Package}:${db:Status-Status} ' "$@" 2>/dev/null || true)"
  for package; do
    [[ $installed == *" $package:installed "* ]] || missing+=("$package")
  done
  [ ${#missing[@]} = 0 ] && return
  say "to install with apt-get: ${missing[*]}"
  if ! { as_root apt-get update -qq > "$log" 2>&1 && say "to fetch for that: $(archives "${missing[@]}")" &&
      as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
        -o DPkg::Lock::Timeout=600 "${missing[@]}" >> "$log" 2>&1; }; then
    tail -n 20 "$log" >&2
    say "apt-get failed: $log"
    return 1
  fi
}
