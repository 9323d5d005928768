// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/PythonEnvironment.h"
#include "driver/core/Target.h"
#include "driver/core/Toolkit.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace cudacc::cache {

/// Text format of cached facts about toolkits, host compilers and environments (Codec.h). Parsing
/// returns std::nullopt for damaged text or another version of the format.
std::string serialise(const core::Toolkit &toolkit);
std::optional<core::Toolkit> parseToolkit(llvm::StringRef text);
std::string serialise(const core::HostCompiler &compiler);
std::optional<core::HostCompiler> parseHostCompiler(llvm::StringRef text);
std::string serialise(const core::PythonEnvironment &environment);
std::optional<core::PythonEnvironment> parseEnvironment(llvm::StringRef text);

/// A target resolved from files, as it is kept.
struct KeptTarget {
  /// Identifies what was resolved, in one line; the target is valid only for the same question.
  std::string question;
  core::Target target;
  /// The files it was resolved from, including ones that did not exist. The target is valid while
  /// they are unchanged.
  std::vector<core::FileId> inputs;
};

/// Text format of a kept target (Codec.h), without what the declaration says: the caller sets
/// `declared`, `declaredAs`, `enforce`, `asWheels` and the layout. Parsing returns std::nullopt for
/// damaged text or another version of the format.
std::string serialise(const KeptTarget &kept);
std::optional<KeptTarget> parseTarget(llvm::StringRef text);

} // namespace cudacc::cache
