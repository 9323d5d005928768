// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Target.h"
#include "driver/core/Toolkit.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace cudacc::cache {

/// A target that was resolved from files, as it is kept.
struct KeptTarget {
  /// What was asked, as one line; another question has another answer.
  std::string question;
  core::Target target;
  /// What it was resolved from, and what was not there; while these are unchanged it holds.
  std::vector<core::FileId> inputs;
};

/// The form in which it is kept (core/Fields.h), without what the declaration itself says: whoever
/// asks sets `declared`, `declaredAs`, `enforce`, `asWheels` and the layout. Damaged text, or one
/// of another version of the form, reads as nothing.
std::string serialise(const KeptTarget &kept);
std::optional<KeptTarget> parseTarget(llvm::StringRef text);

} // namespace cudacc::cache
