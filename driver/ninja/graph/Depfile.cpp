// SPDX-License-Identifier: Apache-2.0
#include "driver/ninja/graph/StepGraph.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

namespace cudacc::ninja {

using llvm::StringRef;

/// The file that a line marker `# 12 "a.h" 1 3` enters; empty if it enters none.
static std::string enteredFile(StringRef line, bool &isSystem) {
  if (!line.consume_front("# "))
    return "";
  line = line.drop_while(llvm::isDigit);
  if (!line.consume_front(" \""))
    return "";
  std::string file;
  size_t at = 0;
  for (; at < line.size() && line[at] != '"'; ++at) {
    if (line[at] == '\\' && at + 1 < line.size())
      ++at;
    file += line[at];
  }
  llvm::SmallVector<StringRef, 4> flags;
  line.drop_front(std::min(at + 1, line.size())).split(flags, ' ', -1, false);
  bool enters = false;
  isSystem = false;
  for (StringRef flag : flags) {
    enters |= flag == "1";
    isSystem |= flag == "3";
  }
  return enters ? file : "";
}

static std::string escaped(StringRef file) {
  std::string out;
  for (char c : file) {
    if (c == ' ')
      out += '\\';
    out += c;
  }
  return out;
}

std::string depfileText(llvm::ArrayRef<std::string> preprocessed, StringRef source,
                        const DepfileRequest &request) {
  std::string rule = fmt::format("{} : {}", request.target, escaped(source)), targets;
  llvm::StringSet<> seen;
  for (StringRef text : preprocessed)
    for (size_t at = 0; at < text.size();) {
      size_t end = std::min(text.find('\n', at), text.size());
      StringRef line = text.slice(at, end);
      at = end + 1;
      bool isSystem = false;
      if (!line.starts_with("# "))
        continue;
      std::string file = enteredFile(line, isSystem);
      if (file.empty() || (request.withoutSystem && isSystem) || !seen.insert(file).second)
        continue;
      rule += fmt::format(" \\\n    {}", escaped(file));
      targets += fmt::format("\n{}:\n", escaped(file));
    }
  rule += '\n';
  return request.withTargets ? rule + targets : rule;
}

} // namespace cudacc::ninja
