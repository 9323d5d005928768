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

# The sources, each in a folder of its package's name.
need_sources() {
  local list=packaging/portable/sources.txt folder=$portable/sources work name digest parts file apt_options made_of
  made_of=$(cat "$list" && declare -f need_sources)
  made "$folder" "$made_of" && return
  say "fetching the sources of $(sed -n 's/^\([^#][^ ]*\) .*/\1/p' "$list" | xargs)"
  work=$(mktemp -d)
  own_lists "$work" deb-src
  apt-get "${apt_options[@]}" update >&2
  rm -rf "$folder"
  while read -r name digest parts; do
    mkdir -p "$work/$name" "$folder/$name"
    (cd "$work/$name" && apt-get "${apt_options[@]}" source --download-only "$name" >&2)
    file=$(echo "$work/$name"/*.orig.tar.*[z2])
    if ! echo "$digest  $file" | sha256sum --quiet -c - >&2; then
      say "$list names another release of $name than the machine's package sources have"
      return 1
    fi
    read -ra parts <<< "$parts"
    tar -C "$folder/$name" --no-same-owner --strip-components=1 --wildcards --no-wildcards-match-slash --exclude 'llvm*/llvm/test' \
      --exclude 'llvm*/llvm/unittests' --exclude 'llvm*/llvm/docs' -xf "$file" "${parts[@]/#/*/}"
  done < <(grep '^[^#]' "$list")
  rm -rf "$work"
  echo "$made_of" > "$folder/.made-of"
}

# cmake_build MACHINE NAME SOURCE TARGET [OPTION...]
cmake_build() {
  local machine=$1 name=$2 source=$3 target=$4 build=$portable/$1/build-$2
  cmake -S "$source" -B "$build" -G Ninja -DCMAKE_TOOLCHAIN_FILE="$PWD/cmake/build/Portable.cmake" \
    -DCUDACC_MACHINE="$machine" -DCUDACC_PORTABLE="$portable" -DCMAKE_INSTALL_PREFIX="$portable/$machine" \
    -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS_RELEASE="$flags" -DCMAKE_CXX_FLAGS_RELEASE="$flags" \
    "${@:5}" > "$build.log" 2>&1 &&
    ninja -C "$build" -j "$jobs" "$target" >> "$build.log" 2>&1 && rm -rf "$build/zig" && return
  tail -n 30 "$build.log" >&2
  say "$name could not be built for $machine: $build.log"
  return 1
}

# The libraries for one machine, and for tests that run on this one. LLVM stays in its build directory: installing it
# would build everything.
need_libraries() {
  local machine=$1 folder=$portable/$1 made_of flags
  flags="-O2 -g0 -DNDEBUG -fno-asynchronous-unwind-tables -ffunction-sections -fdata-sections"
  made_of=$(cat packaging/portable/*.txt cmake/build/Portable.cmake && declare -f cmake_build need_libraries)
  made "$folder" "$made_of" && return
  say "building LLVM's Support library, zlib, zstd and lz4 for $machine: 3 minutes of a core's time"
  rm -rf "$folder"
  mkdir -p "$folder/include"
  # Of these the headers are all.
  cp -r /usr/include/toml++ /usr/include/fmt "$folder/include/"
  cmake_build "$machine" libraries packaging/portable install
  cmake_build "$machine" llvm "$portable/sources/llvm-toolchain-19/llvm" LLVMSupport -DLLVM_TARGETS_TO_BUILD= \
    -DLLVM_TABLEGEN=/usr/bin/llvm-tblgen-19 -DLLVM_ENABLE_RTTI=ON -DLLVM_ENABLE_ZLIB=FORCE_ON \
    -DLLVM_ENABLE_ZSTD=FORCE_ON -DLLVM_USE_STATIC_ZSTD=ON -DLLVM_ENABLE_LIBXML2=OFF -DLLVM_ENABLE_LIBEDIT=OFF \
    -DLLVM_ENABLE_BACKTRACES=OFF -DLLVM_APPEND_VC_REV=OFF -DLLVM_INCLUDE_TESTS=OFF -DLLVM_INCLUDE_DOCS=OFF \
    -DLLVM_INCLUDE_BENCHMARKS=OFF -DLLVM_INCLUDE_EXAMPLES=OFF -DLLVM_INCLUDE_TOOLS=OFF -DLLVM_INCLUDE_UTILS=OFF
  [ "$machine" != "$(uname -m)" ] || cmake_build "$machine" gtest /usr/src/googletest install -DCMAKE_CXX_STANDARD=20
  [ "$machine" != x86_64 ] || make_isal "$folder/isal" "$portable/zig/ziglang/zig" cc -target x86_64-linux-musl
  echo "$made_of" > "$folder/.made-of"
}

# What a build for a machine needs.
need_portable() {
  mkdir -p "$portable"
  export ZIG_GLOBAL_CACHE_DIR=$portable/zig-cache
  exec 9> "$cache/setup.lock"
  flock 9
  need_wheels zig packaging/portable/zig.txt
  need_sources
  need_libraries "$1"
  exec 9>&-
}
