# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# ./dev setup and ./dev build.

packages=(
  autoconf automake bear binutils bubblewrap ca-certificates ccache clang clang-format-19
  clang-tidy-19 cmake eatmydata fakeroot faketime file fish g++ g++-aarch64-linux-gnu git groff-base ksh libarchive13 libavahi-client3
  libfmt-dev libgmock-dev libgtest-dev liblz4-dev liblzo2-2 libpopt0 libtomlplusplus-dev libtool
  libzstd-dev lld llvm-19 llvm-19-dev llvm-19-tools make man-db mandoc mold musl-tools nasm ninja-build patchelf pkg-config proot
  python3 python3-dev python3-venv qemu-user sccache shellcheck strace tcsh unzip xz-utils zlib1g-dev zsh
)

# need_venv DIR LIST: a Python environment with exactly what is in the list.
need_venv() {
  local venv=$1 list=$2 made_of
  local stamp=$venv/.packages
  # A virtual environment works only for the Python that made it, and at the path where it was made.
  made_of="$(python3 -c 'import sys; print(sys.version, sys.executable)') $venv $(cat "$list")"
  [ -x "$venv/bin/python" ] && [ "$(cat "$stamp" 2>/dev/null)" = "$made_of" ] && return
  say "making a Python environment with $(sed -n 's/ --hash.*//p' "$list" | xargs) in $venv"
  python3 -m venv --clear "$venv"
  "$venv/bin/python" -m pip install -q --no-deps --only-binary :all: --require-hashes -r "$list" >&2
  echo "$made_of" > "$stamp"
}

# make_isal FOLDER COMPILER...: builds the inflate part of ISA-L as a static library for x86-64. References to other
# parts of ISA-L are needed only for gzip and zlib streams and are satisfied by their plain C versions, so that the
# program gets nothing else of ISA-L.
make_isal() {
  local folder=$1 compiler=("${@:2}") list=tests/support/isal.txt work source name made_of
  local names=(igzip_inflate_multibinary igzip_decode_block_stateless_01 igzip_decode_block_stateless_04 rfc1951_lookup)
  made_of="$(cat "$list" && declare -f make_isal) ${compiler[*]}"
  [ -f "$folder/libisal_inflate.a" ] && [ "$(cat "$folder/.made-of" 2>/dev/null)" = "$made_of" ] && return
  say "making ISA-L's inflater in $folder"
  work=$(mktemp -d)
  "$venv/bin/python" -B scripts/sdist.py "$list" "$work"
  tar -C "$work" --strip-components=1 -xf "$work"/isal-*.tar.gz
  source=$work/src/isal/isa-l
  for name in "${names[@]}"; do
    nasm -f elf64 -I "$source/include/" -I "$source/igzip/" -o "$work/$name.o" "$source/igzip/$name.asm"
  done
  for name in igzip/igzip igzip/igzip_inflate igzip/hufftables_c igzip/adler32_base crc/crc_base; do
    "${compiler[@]}" -O2 -ffunction-sections -fdata-sections -I "$source/include" -I "$source/igzip" \
      -c "$source/$name.c" -o "$work/${name##*/}.o"
  done
  for name in igzip igzip_inflate; do
    objcopy --redefine-sym isal_adler32=adler32_base --redefine-sym crc32_gzip_refl=crc32_gzip_refl_base \
      "$work/$name.o"
  done
  ld -r --gc-sections -e isal_inflate -u isal_inflate_init -o "$work/inflate" "$work"/*.o
  strip --strip-unneeded "$work/inflate"
  rm -rf "$folder"
  mkdir -p "$folder"
  mv "$work/inflate" "$work/inflate.o"
  ar rcs "$folder/libisal_inflate.a" "$work/inflate.o"
  cp "$source/include/igzip_lib.h" "$folder/"
  echo "$made_of" > "$folder/.made-of"
  rm -rf "$work"
}

# The one of the presets with gcc.
need_isal() {
  [ "$(uname -m)" = x86_64 ] || return 0
  exec 9> "$cache/setup.lock"
  flock 9
  make_isal "$cache/isal" cc
  exec 9>&-
}

cmd_setup() {
  need_cache
  exec 9> "$cache/setup.lock"
  flock 9
  need_packages "${packages[@]}"
  need_venv "$venv" tests/support/python.txt
  exec 9>&-
}

build_dir() {
  case $1 in dev) echo build ;; *) echo "build-$1" ;; esac
}

# build_targets PRESET TARGET...
build_targets() {
  local preset=$1 dir
  shift
  dir=$(build_dir "$preset")
  cmd_setup
  case $preset in
    dev | release)
      need_portable "$(uname -m)"
      # Once these were built by gcc.
      if [ -f "$dir/CMakeCache.txt" ] && ! grep -q '/Portable\.cmake$' "$dir/CMakeCache.txt"; then rm -rf "$dir"; fi
      # What zig kept of earlier compiles.
      rm -rf "$dir/zig"
      ;;
    *) need_isal ;;
  esac
  [ -f "$dir/build.ninja" ] || cmake --preset "$preset"
  cmake --build "$dir" -j "$jobs" --target "$@"
}

# The headers that the build generates, those of tests included.
build_headers() {
  local headers
  build_targets dev build.ninja
  mapfile -t headers < <(cmake --build build -- -t targets all | sed -n 's/^\([^/].*\.inc\): CUSTOM_COMMAND$/\1/p')
  build_targets dev "${headers[@]}"
}

# The program and what is installed with it.
cmd_build() { build_targets "${1:-dev}" all; }

build_tests() { build_targets "${1:-dev}" all tests/all; }
