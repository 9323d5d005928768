// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace cudacc::tables {

/// Sonames of NVIDIA's libraries of which some opened version of that CUDA major exports the name,
/// ascending: who an unversioned import may bind to. libcuda.so.1 belongs to every major; major 0:
/// any. Names that are everywhere (`_init`) are in no table. Empty: no table has it, which is no
/// proof where internal names were left out.
std::vector<llvm::StringRef> sonamesExporting(llvm::StringRef symbol, unsigned major);

/// What a program calls instead of a name that vanished, by NVIDIA's headers:
/// cudaDeviceSynchronize for cudaThreadSynchronize; empty: not known.
llvm::StringRef replacementOf(llvm::StringRef symbol);

/// `glibc 2.34` of GLIBC_2.34, `gcc 11.1` of GLIBCXX_3.4.29: the first release of the system's
/// library that has a version node; empty: not known.
std::string systemReleaseOf(llvm::StringRef node);

} // namespace cudacc::tables
