#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# ./dev demo: the example of the README with real libraries. Every step must succeed.
set -euo pipefail

support=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/cuda-cc-demo-XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"
unset CUDA_CC_RUNTIME CUDA_CC_DISABLE CUDA_CC_REQUIRE_RUNTIME PYTHONPATH

bold='' plain=''
if [ -t 1 ] && [ -z "${NO_COLOR:-}" ]; then bold=$'\e[1m' plain=$'\e[0m'; fi

heading() { printf '\n%s%s%s\n' "$bold" "$*" "$plain"; }
fail() { printf 'demo: %s\n' "$*" >&2; exit 1; }

# step STATUS [NAME=VALUE...] COMMAND...: prints a command and its output, and fails if its exit status is not
# STATUS. PATH=DIR prepends a directory to PATH.
step() {
  local wanted=$1 status=0 shown settings=()
  shift
  shown=$*
  while [[ $1 == *=* ]]; do
    case $1 in
      PATH=*) settings+=("PATH=$PWD/${1#PATH=}:$PATH") shown=${shown/"$1"/"$1:\$PATH"} ;;
      *) settings+=("$1") ;;
    esac
    shift
  done
  printf '$ %s\n' "$shown"
  "$support/hide-cuda" env "${settings[@]}" "$@" > output 2>&1 || status=$?
  sed 's/^/    /' output
  [ "$status" = "$wanted" ] || fail "ended with status $status instead of $wanted"
}

says() { grep -qF -- "$1" output || fail "this should have said: $1"; }

wheel() { python3 "$support/wheels.py" get "$1"; }
toolkit() { python3 "$support/toolkits.py" get "$1"; }

heading "Fetching nvJitLink 12.0, 12.4 and 12.5 and nvcc 13.0 and 13.1"
ln -s "$(wheel nvidia-nvjitlink-cu12==12.5.82)/nvidia/nvjitlink" nvjitlink-12.5
ln -s "$(wheel nvidia-nvjitlink-cu12==12.4.127)/nvidia/nvjitlink" nvjitlink-12.4
ln -s "$(wheel nvidia-nvjitlink-cu12==12.0.140)/nvidia/nvjitlink" nvjitlink-12.0
ln -s "$(toolkit 13.0)" cuda-13.0
ln -s "$(toolkit 13.1)" cuda-13.1
python3 "$support/wheels.py" env site-packages nvidia-nvjitlink-cu12==12.4.127 > /dev/null
mkdir site-packages/ext
: > site-packages/ext/__init__.py
echo "site-packages/ has the one that comes with torch==2.5.1: $(cd site-packages; echo *.dist-info)"

ln -s "$(python3 -c 'import sysconfig; print(sysconfig.get_path("include"))')" python
[ -f python/Python.h ] || fail "python3 has no headers (Debian: python3-dev)"

cat > ext.cpp <<'EOF'
#include <Python.h>
#include <nvJitLink.h>

static PyObject *tryIt(PyObject *, PyObject *) {
  nvJitLinkHandle handle;
  const char *options[] = {"-arch=sm_80"};
  if (nvJitLinkCreate(&handle, 1, options) != NVJITLINK_SUCCESS)
    return PyErr_Format(PyExc_RuntimeError, "nvJitLinkCreate failed");
  nvJitLinkDestroy(&handle);
  unsigned major = 0, minor = 0;
  nvJitLinkVersion(&major, &minor);
  return PyUnicode_FromFormat("works with nvJitLink %u.%u", major, minor);
}

static PyMethodDef methods[] = {{"try_it", tryIt, METH_NOARGS, nullptr}, {}};
static PyModuleDef module = {PyModuleDef_HEAD_INIT, "native", nullptr, -1, methods};
PyMODINIT_FUNC PyInit_native() { return PyModule_Create(&module); }
EOF
cat > kernel.cu <<'EOF'
#include <cuda_runtime.h>
__global__ void twice(float *x) { x[threadIdx.x] *= 2; }
extern "C" int run(float *x) { twice<<<1, 32>>>(x); return cudaGetLastError(); }
EOF

output=site-packages/ext/native.so
cat > use.py <<'EOF'
import sys
sys.path.insert(0, "site-packages")
import ext.native
print(ext.native.try_it())
EOF

host=(g++ -shared -fPIC -Ipython ext.cpp -o "$output")
new=(-Invjitlink-12.5/include -Lnvjitlink-12.5/lib -l:libnvJitLink.so.12)
old=(-Invjitlink-12.4/include -Lnvjitlink-12.4/lib -l:libnvJitLink.so.12)

heading "1. Built with CUDA 12.5 by g++ alone: nothing objects"
step 0 "${host[@]}" "${new[@]}"

heading "   ... and then a user of torch==2.5.1 imports it"
step 1 LD_LIBRARY_PATH=site-packages/nvidia/nvjitlink/lib python3 use.py
says "undefined symbol: __nvJitLinkCreate_12_5"

heading "   ... which the loader explains under trace"
step 1 LD_LIBRARY_PATH=site-packages/nvidia/nvjitlink/lib cuda-cc trace -- python3 use.py
says "native.so got libnvJitLink.so.12 12.4.127, which lacks __nvJitLinkCreate_12_5"
rm "$output"

heading "2. The same line with the runtime declared: refused, and nothing is left behind"
step 3 cuda-cc --cudacc-runtime=torch==2.5.1 "${host[@]}" "${new[@]}"
[ ! -e "$output" ] || fail "$output was left behind"

heading "3. Built with CUDA 12.4: accepted"
step 0 cuda-cc --cudacc-runtime=torch==2.5.1 "${host[@]}" "${old[@]}"
step 0 sh -c "readelf -d -n $output | grep -E 'NEEDED|RPATH|cuda'"
says RPATH
says .note.cuda-target
step 0 cuda-cc inspect "$output"

heading "   ... and imported, with an older nvJitLink in the way"
step 0 LD_LIBRARY_PATH=nvjitlink-12.0/lib python3 use.py
says "works with nvJitLink 12.4"

heading "4. CUDA code for torch==2.11.0, whose wheels are CUDA 13.0: nvcc 13.1 is refused"
kernel=(-shared -Xcompiler -fPIC -arch=sm_80 -cudart shared kernel.cu -o kernel.so)
step 3 PATH=cuda-13.1/bin cuda-cc --cudacc-runtime=torch==2.11.0 "${kernel[@]}"
[ ! -e kernel.so ] || fail "kernel.so was left behind"

heading "   ... nvcc 13.0 is not"
step 0 PATH=cuda-13.0/bin cuda-cc --cudacc-runtime=torch==2.11.0 "${kernel[@]}"
step 0 cuda-cc inspect kernel.so

heading "Demo passed."
