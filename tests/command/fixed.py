# SPDX-License-Identifier: Apache-2.0
"""Compilers whose answers are fixed: a gcc that reports 12.2.0 on every machine, and an nvcc that only starts the host
compiler. Both link with the machine's own gcc."""

import subprocess

from recording import Place

# The options by which cuda-cc queries a host compiler.
GCC = """#!/bin/sh
case "$*" in
  "-v -E -x "*) printf 'Target: x86_64-linux-gnu\\ngcc version 12.2.0 (fixed)\\n' >&2; exit 0 ;;
  -print-search-dirs) echo 'libraries: =/usr/lib'; exit 0 ;;
  -print-prog-name=ld) echo ld; exit 0 ;;
esac
if [ -n "${KEEP_NOTE-}" ]; then
  for word; do case $word in *.cuda-cc-note) cp "${word#-Wl,}" "$KEEP_NOTE" ;; esac; done
fi
exec /usr/bin/gcc "$@"
"""
NVCC = """#!/bin/sh
# Cuda compilation tools, release 12.4, V12.4.131
for word; do
  shift
  case $word in
    -ccbin=*) ccbin=${word#-ccbin=} ;;
    -forward-unknown-to-host-compiler) ;;
    *.cu) set -- "$@" -x c "$word" ;;
    *) set -- "$@" "$word" ;;
  esac
done
[ ! -d "${ccbin-}" ] || ccbin=$ccbin/gcc
exec "${ccbin:-gcc}" -nostdlib "$@"
"""


class FixedCompilers(Place):
    """A Place with these compilers and a toolkit 12.4 with libraries, one of 12.5 in `newer`, and k.cu, x.cpp and
    k.o in its folder."""

    def __init__(self):
        super().__init__("12.4")
        self.lib = self.toolkit / "lib64"
        self.newer = self.root / "newer"
        self.newer.mkdir()
        for path in [*self.bin.iterdir(), self.toolkit / "bin/nvcc"]:
            path.unlink()
        for name in ("gcc", "g++"):
            self.script(self.bin / name, GCC)
        self.script(self.toolkit / "bin/nvcc", NVCC)
        self.write("k.cu", "")
        self.write("x.cpp", '#include "cuda_runtime_api.h"\nextern "C" void x(void) {}\n')
        self.write("k.c", "void cudaMalloc(void);\nvoid k(void) { cudaMalloc(); }\n")
        self.gcc("-c", "-fPIC", "k.c", "-o", "k.o")
        self.library(self.lib, "cudart", "cudaMalloc")
        self.library(self.lib, "nvJitLink", "__nvJitLinkCreate_12_4")
        self.library(self.newer, "nvJitLink", "__nvJitLinkCreate_12_4", "__nvJitLinkCreate_12_5")

    def library(self, folder, name, *symbols):
        soname = f"lib{name}.so.12"
        self.write("library.c", "".join(f"void {symbol}(void) {{}}\n" for symbol in symbols))
        self.write("library.map", f"{soname} {{ global: *; }};\n")
        self.gcc("-shared", "-fPIC", "library.c", "-o", folder / soname, f"-Wl,-soname,{soname}",
                 "-Wl,--version-script=library.map")
        (folder / f"lib{name}.so").symlink_to(soname)

    def gcc(self, *words):
        subprocess.run(["/usr/bin/gcc", "-nostdlib", *words], cwd=self.work, check=True)

    @staticmethod
    def script(path, text):
        path.write_text(text)
        path.chmod(0o755)
