# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Shell tests begin with `. %S/session.sh %t [hide-cuda]`: it makes an empty working directory and defines the functions
# below; with hide-cuda the machine's own CUDA is hidden (support/hide-cuda).

if [ "${2:-}" = hide-cuda ] && [ -z "${CUDA_HIDDEN:-}" ]; then
  CUDA_HIDDEN=1 exec "$CUDACC_TEST_SUPPORT/hide-cuda" bash "$0"
fi
root=$1 here=$(dirname "${BASH_SOURCE[0]}")
# The folders of the machine's own programs, whatever PATH is in a test.
paths=$PATH
rm -rf "$root"
mkdir -p "$root/work"
cd "$root/work" || exit
# With set -x, these functions are not traced.
exec {trace}>&2
BASH_XTRACEFD=$trace

cuda-cc() { "$CUDACC_TEST_PROGRAM" "$@"; }
FileCheck() { "$CUDACC_TEST_LLVM/FileCheck" "$@"; }
yaml2obj() { "$CUDACC_TEST_LLVM/yaml2obj" "$@"; }
python() { "$CUDACC_TEST_PYTHON" -B "$@"; }

# exits STATUS COMMAND...
exits() {
  local wanted=$1 status=0
  shift
  "$@" || status=$?
  [ "$status" = "$wanted" ] || { echo "exit status $status, not $wanted, of: $*" >&2; return 1; }
}

# signalled NAME COMMAND...: the command is killed by this signal. Hides bash's message about it.
signalled() {
  local name=$1
  shift
  python -c 'import signal, subprocess, sys
sys.exit(subprocess.run(sys.argv[2:]).returncode != -signal.Signals["SIG" + sys.argv[1]])' \
    "$name" "${@/#cuda-cc/$CUDACC_TEST_PROGRAM}"
}

# Exit status 0, and no output.
silent() {
  local said
  said=$("$@" 2>&1) || return
  [ -z "$said" ] || { echo "said: $said" >&2; return 1; }
}

# toolkit VERSION: makes a toolkit whose programs only record how they were called, first on PATH, followed by host
# compilers of that kind (support/recorder.c).
toolkit() {
  local name
  PATH=$paths python "$CUDACC_TEST_SUPPORT/recorder.py" toolkit "$root/cuda-$1" "$1" > /dev/null || return
  [ -e "$root/bin/g++" ] ||
    PATH=$paths python "$CUDACC_TEST_SUPPORT/recorder.py" compiler "$root/bin/g++" > /dev/null || return
  for name in gcc cc c++ clang clang++ g++-12 mpicxx ccache x86_64-linux-gnu-g++; do
    cp "$root/bin/g++" "$root/bin/$name"
  done
  export RECORD=$root/records PATH=$root/cuda-$1/bin:$root/bin:/usr/bin:/bin
}

# shellcheck disable=SC2120
# started [--all] [--argv0] [VARIABLE...]: the programs started since the last call, one per line:
# `bin/g++ -c x.cpp`; with --argv0 `bin/g++: g++ -c x.cpp`. Values of variables follow. Queries of cuda-cc to a
# compiler are left out, except with --all.
started() {
  python "$CUDACC_TEST_SUPPORT/recorder.py" started "$RECORD" "$@" || return
  rm -f "$RECORD"
}

nothing_started() {
  local calls
  calls=$(started "$@") && [ -z "$calls" ]
}

# started_once WORD: one program was started, and one of its words is WORD or WORD=VALUE.
started_once() {
  local calls
  calls=$(started) || return
  if [ "$(wc -l <<< "$calls") $(tr ' ' '\n' <<< "$calls" | grep -cE -- "^$1(=|$)")" != '1 1' ]; then
    echo "not once $1: $calls" >&2
    return 1
  fi
}

# Prints a document if it satisfies its schema in docs/schema.
fits() { python "$CUDACC_TEST_SUPPORT/schema.py" "$1"; }

# brief [error] [warning] [remark]: the output of `check --format=json` as a line per file (brief.py).
brief() { python "$here/brief.py" "$@"; }

# JSON as lines: `libraries/libcudart.so.12/a/version: 12.4.127` (flat.py).
flat() { python "$here/flat.py"; }

# Text as one line, for output that is wrapped.
unwrap() { tr -s ' \n' ' '; }

# library FILE SONAME NAME...: a shared library that exports these names under a node named like its SONAME.
library() {
  local path=$1 soname=$2
  shift 2
  mkdir -p "$(dirname "$path")"
  printf 'void %s(void) {}\n' "$@" > "$root/library.c"
  echo "$soname { global: *; };" > "$root/library.map"
  PATH=$paths gcc -nostdlib -shared -fPIC "$root/library.c" -o "$path" -Wl,-soname,"$soname" \
    -Wl,--version-script="$root/library.map"
}

# calls NAME...: C that calls these functions.
calls() {
  local body=
  [ $# = 0 ] || { printf 'void %s(void);\n' "$@" && body=$(printf '%s(); ' "$@"); }
  echo "void init(void) { $body}"
}

# extension FILE SONAME:NAME,NAME... [-OPTION...]: a Python extension that imports these names. Its search path leads to
# the libraries of NVIDIA's wheels, unless a linker option sets another.
extension() {
  local path=$1 each soname these names=() libraries=() options=()
  shift
  for each; do
    case $each in
      -*) options+=("$each") ;;
      *)
        soname=${each%%:*}
        IFS=, read -r -a these <<< "${each#*:}"
        library "$root/link/$soname" "$soname" "${these[@]}"
        libraries+=("$root/link/$soname")
        names+=("${these[@]}")
        ;;
    esac
  done
  # shellcheck disable=SC2016
  [[ " ${options[*]} " == *rpath* ]] ||
    options+=('-Wl,-rpath,$ORIGIN/../nvidia/nvjitlink/lib:$ORIGIN/../nvidia/cuda_runtime/lib')
  calls "${names[@]}" > "$root/extension.c"
  mkdir -p "$(dirname "$path")"
  PATH=$paths gcc -nostdlib -shared -fPIC "$root/extension.c" -o "$path" "${libraries[@]}" -Wl,--disable-new-dtags \
    -Wl,-z,noexecstack "${options[@]}"
}

# object FILE NAME...
object() {
  calls "${@:2}" > "$root/object.c"
  PATH=$paths gcc -nostdlib -c "$root/object.c" -o "$1"
}

# wheel FILE MEMBER=FILE...
wheel() {
  python - "$@" <<'PYTHON'
import sys
import zipfile

with zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED) as archive:
    for member in sys.argv[2:]:
        name, _, path = member.partition("=")
        archive.write(path, name)
PYTHON
}

# site FOLDER DISTRIBUTION VERSION PLACE=FILE...: an environment with this distribution in its site-packages.
site() {
  local site=$1/lib/python3.11/site-packages info each
  info=$site/${2//-/_}-$3.dist-info
  mkdir -p "$info"
  printf 'home = /usr/bin\ninclude-system-site-packages = false\nversion = 3.11.2\n' > "$1/pyvenv.cfg"
  printf 'Metadata-Version: 2.1\nName: %s\nVersion: %s\n' "$2" "$3" > "$info/METADATA"
  for each in "${@:4}"; do
    mkdir -p "$(dirname "$site/${each%%=*}")"
    cp "${each#*=}" "$site/${each%%=*}"
    echo "${each%%=*},,$(stat -c %s "$site/${each%%=*}")" >> "$info/RECORD"
  done
}
