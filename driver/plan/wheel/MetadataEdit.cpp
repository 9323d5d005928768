// SPDX-License-Identifier: Apache-2.0
#include "driver/plan/wheel/MetadataEdit.h"
#include "driver/versions/Format.h"

namespace cudacc::plan {

using llvm::StringRef;

/// Inserts the fields \p name with these values.
static std::string insertFields(StringRef text, StringRef name, llvm::ArrayRef<std::string> values,
                                StringRef newline) {
  // Where the last field of that name ends, and where the headers end.
  size_t behind = StringRef::npos, at = 0;
  bool inField = false;
  while (at < text.size()) {
    size_t next = std::min(text.find('\n', at), text.size() - 1) + 1;
    StringRef line = text.slice(at, next).rtrim("\r\n");
    if (line.empty())
      break;
    bool continues = line.front() == ' ' || line.front() == '\t';
    inField = continues ? inField : line.split(':').first.equals_insensitive(name);
    at = next;
    if (inField)
      behind = at;
  }
  size_t where = behind == StringRef::npos ? at : behind;
  std::string added;
  // The file may end without a line end.
  if (where != 0 && text[where - 1] != '\n')
    added += newline;
  for (const std::string &value : values)
    added += fmt::format("{}: {}{}", name, value, newline);
  return fmt::format("{}{}{}", text.take_front(where), added, text.drop_front(where));
}

std::string addRequirements(StringRef metadata, llvm::ArrayRef<std::string> requirements,
                            llvm::ArrayRef<std::string> extras) {
  StringRef first = metadata.take_front(std::min(metadata.find('\n'), metadata.size()));
  StringRef newline = first.ends_with("\r") ? "\r\n" : "\n";
  std::string out = metadata.str();
  if (!requirements.empty())
    out = insertFields(out, "Requires-Dist", requirements, newline);
  if (!extras.empty())
    out = insertFields(out, "Provides-Extra", extras, newline);
  return out;
}

} // namespace cudacc::plan
