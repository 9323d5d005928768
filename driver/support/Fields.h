// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace cudacc::support {

/// Lines of tab-separated fields, the format of all files that cuda-cc keeps for itself. Backslash,
/// tab and line feed in a field are written as `\\`, `\t`, `\n`. Such files are read on every
/// compile, so the format is cheaper to parse than JSON. A file that does not parse is treated as
/// missing and written again.
class FieldWriter {
public:
  FieldWriter() = default;
  /// Starts a stored value, for readKept.
  explicit FieldWriter(llvm::StringRef magic) : kept(true) { line({magic}); }
  void line(llvm::ArrayRef<llvm::StringRef> fields);
  std::string take() {
    if (kept)
      line({"end"});
    return std::move(text);
  }

private:
  bool kept = false;
  std::string text;
};

/// Reads a stored value: a line with \p magic, lines, and `end`, which detects truncation. Calls \p
/// onLine for the lines between. False if the text is malformed or \p onLine returned false.
bool readKept(llvm::StringRef text, llvm::StringRef magic,
              llvm::function_ref<bool(llvm::ArrayRef<std::string>)> onLine);

/// Calls \p onLine with the fields of each line. False if \p onLine returned false.
bool readFields(llvm::StringRef text, llvm::function_ref<bool(llvm::ArrayRef<std::string>)> onLine);

} // namespace cudacc::support
