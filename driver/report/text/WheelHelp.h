// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/StringRef.h"

namespace cudacc::report {

/// The help page of `wheel`, which has a section per verb.
inline constexpr llvm::StringLiteral wheelHelp =
    R"(cuda-cc wheel: make wheels that leave CUDA's libraries to NVIDIA's wheels

  cuda-cc wheel show wheelhouse/*.whl
  cuda-cc wheel repair dist/x-1.0-cp311-cp311-linux_x86_64.whl -w wheelhouse
  cuda-cc wheel repair X.whl --runtime torch==2.5.1 --requires torch
  cuda-cc wheel repair X.whl --unbundle
  cuda-cc wheel prove wheelhouse/x-1.0-*.whl --import x.native

show: print what wheels have and need, without a change:
  files      shared objects and device code: size, CUDA major, architectures
  variants   files of which one is loaded, by the CUDA line in their names
  bundled    copies of libraries that a wheel on the index brings
  needs      CUDA's libraries and torch: the lowest version that exports what
             is imported, and which known versions satisfy
  metadata   what it requires of these; lacks: what it would have to add
and on which releases of torch and CUDA the files load, as check --against all.

repair: run auditwheel with the excludes that the files need, and write what
they require into METADATA, with the lowest versions that export what they
import; cuda-target.json and an SBOM beside it. The result is checked as by
cuda-cc check, and appears only if it is accepted.

prove: install the wheel into new environments, with the lowest and with the
highest versions of torch and NVIDIA's wheels that its metadata allow, by uv or
else pip, and check what is installed, as cuda-cc check --runtime env:PATH. The
environments lie in TMPDIR and are removed.

options:
  -w DIR                where the result goes; default: wheelhouse
  --runtime REQ         what it must load in; else the declaration, else what
                        the files were linked for
  --requires MODE       nvidia: NVIDIA's wheels by name; torch: the releases of
                        torch that bring what is needed; none: nothing. Default:
                        torch for an extension of torch, else nvidia
  --exclude NAME        a library that is not to be copied into the wheel besides
                        those; as of auditwheel; may be repeated
  --unbundle            remove bundled copies of what the runtime brings
  --variant             draft (PEP 825, 850): make the result a variant, with
                        the oldest driver and the architectures that it needs
                        in variant.json, its name and NAME-VERSION-variants.json
  --verify              show: compare files with the digests in RECORD, and
                        headers of device code with their payloads; repair does
  --resolution WHICH    prove: lowest, highest, or both (default)
  --import MODULE       prove: import it there, too; may be repeated
  --before MODULE       prove: import this first (torch); may be repeated
  --extra NAME          repair: require NVIDIA's wheels by this extra alone
  --extra NAME[,NAME]   prove: with these extras; may be repeated, and each is
                        proved by itself. Default: each that brings CUDA
  --python PROGRAM      prove: the Python of the environments; default: the
                        version that the wheel is for, else any
  --format=text|json    text (default), or JSON: docs/schema
  -h, --help            print this page

exit status:
  0  written; or it loads on a release that the metadata allow, or with each
     resolution; 2 usage;
  3  rejected: the metadata exclude what the files need, or they load nowhere,
     or not with one of the resolutions;
  4  it could not be determined, or the file is no sound wheel
)";

} // namespace cudacc::report
