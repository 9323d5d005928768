# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# What the program is built with, in $CUDA_CC_CACHE/portable: the compiler, and for each machine the libraries that are
# linked into the program. And what ./dev dist packs it with.

machines=(x86_64 aarch64)
portable=$cache/portable

# made FOLDER WORDS...: whether FOLDER was made of WORDS.
made() { [ "$(cat "$1/.made-of" 2>/dev/null)" = "${*:2}" ]; }

# need_wheels FOLDER LIST: what a list of wheels names, in a folder of $portable.
need_wheels() {
  local folder=$portable/$1 list=$2
  made "$folder" "$(cat "$list")" && return
  say "fetching $(sed -n 's/ --hash.*//p' "$list" | xargs)"
  rm -rf "$folder"
  "$venv/bin/python" -m pip install -q --no-deps --only-binary :all: --require-hashes -r "$list" --target "$folder" >&2
  cat "$list" > "$folder/.made-of"
}

# own_lists WORK TYPE [SUITE]: options for apt-get: the machine's package sources, as ones of that type and perhaps of
# another release of Debian, with lists of their own. apt checks the signatures as it always does.
own_lists() {
  local work=$1 type=$2 file list parts VERSION_CODENAME
  mkdir -p "$work/sources" "$work/lists/partial" "$work/cache/archives/partial"
  eval "$(apt-config shell list Dir::Etc::sourcelist/f parts Dir::Etc::sourceparts/d)"
  VERSION_CODENAME=$(sed -n "s/^VERSION_CODENAME=//p" /etc/os-release)
  for file in "${list:-}" "${parts:-}"/*; do
    [ -f "$file" ] || continue
    case $file in
      *.list) sed -nE "s/^deb /$type /p" "$file" ;;
      *.sources) sed -E "s/^Types:.*/Types: $type/" "$file" ;;
    esac | sed -E "s/\\b$VERSION_CODENAME\\b/${3:-$VERSION_CODENAME}/g" > "$work/sources/${file##*/}"
  done
  apt_options=(-qq -oAPT::Sandbox::User=root -oDir::State::lists="$work/lists" -oDir::Cache="$work/cache"
    -oDir::Etc::sourcelist=/dev/null -oDir::Etc::sourceparts="$work/sources" -oAcquire::Languages=none)
}

# fetch_source NAME SHA256 FILE: upstream's archive in any version of a source package. Of the newest, which may be an
# update for security, the mirror need not have it.
fetch_source() {
  local name=$1 digest=$2 file=$3 version uri
  while read -r version; do
    uri=$(apt-get "${apt_options[@]}" source --print-uris "$name=$version" |
      sed -n "s/^'\([^']*\)' .* SHA256:$digest\$/\1/p")
    [ -n "$uri" ] || continue
    /usr/lib/apt/apt-helper "${apt_options[@]}" download-file "$uri" "$file" "SHA256:$digest" >&2 && return
  done < <(apt-cache "${apt_options[@]}" showsrc "$name" | sed -n 's/^Version: //p' | sort -rVu)
  say "no release of $name that packaging/portable/sources.txt names could be fetched from the machine's package sources"
  return 1
}

# The sources, each in a folder of its package's name.
need_sources() {
  local list=packaging/portable/sources.txt folder=$portable/sources work name digest parts file apt_options made_of
  made_of=$(cat "$list" && declare -f fetch_source need_sources)
  made "$folder" "$made_of" && return
  say "fetching the sources of $(sed -n 's/^\([^#][^ ]*\) .*/\1/p' "$list" | xargs)"
  work=$(mktemp -d)
  own_lists "$work" deb-src
  apt-get "${apt_options[@]}" update >&2
  rm -rf "$folder"
  while read -r name digest parts; do
    mkdir -p "$folder/$name"
    file=$work/$name
    fetch_source "$name" "$digest" "$file" || return
    read -ra parts <<< "$parts"
    tar -C "$folder/$name" --no-same-owner --strip-components=1 --wildcards --no-wildcards-match-slash -xf "$file" \
      "${parts[@]/#/*/}"
  done < <(grep '^[^#]' "$list")
  rm -rf "$work"
  echo "$made_of" > "$folder/.made-of"
}

# The libraries for one machine.
need_libraries() {
  local machine=$1 folder=$portable/$1 build=$portable/$1/build zig=$portable/zig/ziglang/zig made_of flags
  flags="-O2 -g0 -DNDEBUG -ffunction-sections -fdata-sections"
  made_of=$(cat packaging/portable/* cmake/build/Portable.cmake && declare -f need_libraries)
  made "$folder" "$made_of" && return
  say "building LLVM's Support library, zlib, zstd and lz4 for $machine"
  # When a first program is linked, zig builds musl and libc++ for it, in one thread. All else goes on meanwhile, and
  # waits for a processor where there are few.
  "$zig" c++ -target "$machine-linux-musl" -O2 -g0 -fno-asynchronous-unwind-tables -fno-unwind-tables \
    -x c++ - -o /dev/null <<< 'int main() {}' > /dev/null 2>&1 9>&- &
  need_sources
  rm -rf "$folder"
  mkdir -p "$folder/include"
  # Of these the headers are all.
  cp -r /usr/include/toml++ /usr/include/fmt "$folder/include/"
  if ! { cmake -S packaging/portable -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release \
      -DCMAKE_TOOLCHAIN_FILE="$PWD/cmake/build/Portable.cmake" -DCMAKE_INSTALL_PREFIX="$folder" \
      -DCUDACC_MACHINE="$machine" -DCUDACC_PORTABLE="$portable" -DCMAKE_C_FLAGS_RELEASE="$flags" \
      -DCMAKE_CXX_FLAGS_RELEASE="$flags" && nice ninja -C "$build" -j "$jobs" install; } > "$folder/log" 2>&1; then
    tail -n 30 "$folder/log" >&2
    say "they could not be built: $folder/log"
    return 1
  fi
  rm -rf "$build"
  [ "$machine" != x86_64 ] || make_isal "$folder/isal" "$zig" cc -target x86_64-linux-musl
  echo "$made_of" > "$folder/.made-of"
}

# What a build for a machine needs.
need_portable() {
  mkdir -p "$portable"
  export ZIG_GLOBAL_CACHE_DIR=$portable/zig-cache
  exec 9> "$cache/setup.lock"
  flock 9
  need_wheels zig packaging/portable/zig.txt
  need_libraries "$1"
  exec 9>&-
}
