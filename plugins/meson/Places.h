// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

namespace cudacc::meson {

/// The lines of a meson.build that make targets, which Meson does not report: calls of its target
/// functions whose first argument is a string literal.
class Places {
public:
  explicit Places(llvm::StringRef text);
  /// 0 if no call, or more than one, makes a target of that name.
  unsigned line(llvm::StringRef target) const;

private:
  llvm::StringMap<unsigned> lines;
};

} // namespace cudacc::meson
