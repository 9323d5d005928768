// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Environment.h"
#include "driver/core/Files.h"
#include "driver/core/Invocation.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>

namespace cudacc::cli {

/// Parses a call. \p argv includes argv[0]. It and the environment's strings must outlive the
/// result, which refers to them. Errors: an unknown --cudacc- option, a bad value of one,
/// response files that nest too deep or are too large. All other mistakes are left to the compiler.
///
/// All words of an options file given by two arguments (`--options-file F`) carry the index of the
/// first argument; the second has no words.
llvm::Expected<core::Invocation> parse(llvm::ArrayRef<llvm::StringRef> argv,
                                       const core::Environment &env, core::Files &files);

/// Parses the line of \p call, which is open (Invocation::isOpen), as one of \p dialect. Errors: as
/// parse().
llvm::Error parseAs(core::Dialect dialect, core::Invocation &call, const core::Environment &env,
                    core::Files &files);

/// True if \p path has a folder, which is `bin` of a toolchain directory.
bool isInDirectory(llvm::StringRef path, core::Files &files);

/// True if a line of an unknown dialect may compile or link: it has an input, or names an output.
bool mayCompile(const core::Invocation &call);

/// The names of all subcommands, those in subcommands.def.
llvm::ArrayRef<llvm::StringRef> subcommands();

/// The dialect of a compiler, by its name: nvcc, gcc, g++, cc, c++, clang or clang++, with an
/// optional directory, target prefix or version suffix. std::nullopt for any other name.
std::optional<core::Dialect> dialectOf(llvm::StringRef compiler);

} // namespace cudacc::cli
