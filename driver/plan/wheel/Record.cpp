// SPDX-License-Identifier: Apache-2.0
#include "driver/plan/wheel/Record.h"
#include "llvm/ADT/StringSet.h"

namespace cudacc::plan {

using llvm::StringRef;

/// Takes a field and the comma or line end behind it. Returns whether the line goes on;
/// std::nullopt if a quote is not closed or text follows it.
static std::optional<bool> takeField(StringRef &text, std::string &field) {
  if (text.consume_front("\"")) {
    for (;;) {
      size_t end = text.find('"');
      if (end == StringRef::npos)
        return std::nullopt;
      field += text.take_front(end);
      text = text.drop_front(end + 1);
      if (!text.consume_front("\""))
        break;
      field += '"';
    }
  } else {
    StringRef plain = text.take_until([](char c) { return c == ',' || c == '\n'; });
    text = text.drop_front(plain.size());
    field = plain.rtrim('\r').str();
  }
  if (text.consume_front(","))
    return true;
  text.consume_front("\r");
  if (text.empty() || text.consume_front("\n"))
    return false;
  return std::nullopt;
}

std::optional<std::vector<RecordRow>> parseRecord(StringRef text) {
  std::vector<RecordRow> rows;
  llvm::StringSet<> paths;
  while (!text.empty()) {
    if (text.consume_front("\n") || text.consume_front("\r\n"))
      continue;
    RecordRow row;
    std::string *fields[] = {&row.path, &row.digest, &row.size};
    for (size_t i = 0; i != std::size(fields); ++i)
      if (takeField(text, *fields[i]) != (i + 1 != std::size(fields)))
        return std::nullopt;
    if (!paths.insert(row.path).second)
      return std::nullopt;
    rows.push_back(std::move(row));
  }
  return rows;
}

static std::string quotedField(StringRef field) {
  if (field.find_first_of(",\"\r\n") == StringRef::npos)
    return field.str();
  std::string out = "\"";
  for (char c : field)
    out.append(c == '"' ? 2 : 1, c);
  return out + '"';
}

std::string printRecord(llvm::ArrayRef<RecordRow> rows) {
  std::string out;
  for (const RecordRow &row : rows) {
    out += quotedField(row.path);
    out += ',';
    out += quotedField(row.digest);
    out += ',';
    out += quotedField(row.size);
    out += '\n';
  }
  return out;
}

} // namespace cudacc::plan
