// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

namespace cudacc::meson {

/// Lines of a meson.build in which targets are made, which Meson does not say: calls of its
/// functions for that, whose first argument is a plain text.
class Places {
public:
  explicit Places(llvm::StringRef text);
  /// 0: it is made nowhere in here under that name, or in several places.
  unsigned line(llvm::StringRef target) const;

private:
  llvm::StringMap<unsigned> lines;
};

} // namespace cudacc::meson
