// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>
#include <vector>

namespace cudacc::binary {

/// SONAMEs from `.note.dlopen` (UAPI.12 "dlopen metadata": owner FDO, type 0x407c0c0a, a JSON array
/// of objects whose `soname` lists alternatives). Each once, in the order of the notes; what cannot
/// be decoded is left out.
struct DlopenNotes {
  std::vector<std::string> sonames;

  /// Reads every such note in \p bytes at any offset, as linkers align notes differently (RD-10).
  void add(llvm::StringRef bytes);

private:
  void parse(llvm::StringRef json);
};

} // namespace cudacc::binary
