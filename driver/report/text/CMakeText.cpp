// SPDX-License-Identifier: Apache-2.0
#include "driver/report/text/CMakeText.h"

namespace cudacc::report {

std::string quotedForCMake(llvm::StringRef text, llvm::StringRef dollar) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\' || c == ';')
      out += '\\';
    out += c == '$' ? dollar : llvm::StringRef(&c, 1);
  }
  return out + "\"";
}

} // namespace cudacc::report
