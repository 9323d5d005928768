// SPDX-License-Identifier: Apache-2.0
#include "driver/ninja/graph/TemporaryName.h"
#include "driver/support/Paths.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::ninja {

using llvm::StringRef;
using support::nameOf;

StringRef temporaryIn(StringRef path) {
  StringRef name = nameOf(path);
  if (!name.consume_front("tmpxft_"))
    return "";
  for (char end : {'_', '-'}) {
    StringRef number = name.take_while(llvm::isHexDigit);
    name = name.drop_front(number.size());
    if (number.empty() || !name.consume_front(StringRef(&end, 1)))
      return "";
  }
  StringRef number = name.take_while(llvm::isDigit);
  name = name.drop_front(number.size());
  return !number.empty() && (name.starts_with("_") || name.starts_with(".")) ? name.drop_front()
                                                                             : "";
}

std::string withoutArchs(StringRef name) {
  llvm::SmallVector<StringRef, 8> parts;
  name.split(parts, '.');
  std::string out = parts[0].str();
  for (StringRef part : llvm::drop_begin(parts))
    if (!part.starts_with("compute_") && !part.starts_with("sm_"))
      out += fmt::format(".{}", part);
  return out;
}

std::string tagged(StringRef name, StringRef tag) {
  if (tag.empty())
    return name.str();
  auto [stem, extension] = name.rsplit('.');
  return fmt::format("{}.{}.{}", stem, tag, extension);
}

} // namespace cudacc::ninja
