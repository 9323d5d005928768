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

/// Understands a call. argv[0] is included; it and the environment's strings must outlive the
/// result, whose words refer to them. Fails on an option of ours that does not exist or has a bad
/// value, and on response files nested too deep or too large; everything else is the compiler's to
/// complain about.
///
/// The words of an options file named by two arguments (`--options-file F`) all carry the index of
/// the first; the second has no words.
llvm::Expected<core::Invocation> parse(llvm::ArrayRef<llvm::StringRef> argv,
                                       const core::Environment &env, core::Files &files);

/// Names of the subcommands, the only list of them.
llvm::ArrayRef<llvm::StringRef> subcommands();

/// What a compiler's name says it understands; nothing when the name, a directory in front allowed,
/// is none of nvcc, gcc, g++, cc, c++, clang, clang++ with a target in front or a version behind.
std::optional<core::Dialect> dialectOf(llvm::StringRef compiler);

} // namespace cudacc::cli
