// SPDX-License-Identifier: Apache-2.0
#include "driver/plan/toolchain/DeclarationText.h"
#include "driver/support/Toml.h"

namespace cudacc::plan {

using support::Value;

std::string declarationLines(const std::vector<std::string> &runtime, bool inProject) {
  Value table = Value::table();
  table.add("runtime", runtime.size() == 1 ? Value::of(runtime.front()) : Value::of(runtime));
  if (inProject)
    for (llvm::StringRef above : {"cuda-cc", "tool"})
      table = Value::table().add(above, std::move(table));
  return support::writeToml(table);
}

std::string withLines(llvm::StringRef text, llvm::StringRef lines) {
  size_t first = text.find('\n');
  llvm::StringRef end =
      first != llvm::StringRef::npos && first > 0 && text[first - 1] == '\r' ? "\r\n" : "\n";
  std::string out = text.str();
  if (!text.empty() && !text.ends_with("\n"))
    out += end;
  if (!text.empty())
    out += end;
  for (char c : lines)
    if (c == '\n')
      out += end;
    else
      out += c;
  return out;
}

} // namespace cudacc::plan
