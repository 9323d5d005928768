// SPDX-License-Identifier: Apache-2.0
#include "driver/support/Fields.h"

namespace cudacc::support {

void FieldWriter::line(llvm::ArrayRef<llvm::StringRef> fields) {
  for (size_t i = 0; i < fields.size(); ++i) {
    if (i)
      text += '\t';
    for (char c : fields[i]) {
      if (c == '\\' || c == '\t' || c == '\n')
        text += '\\';
      text += c == '\t' ? 't' : c == '\n' ? 'n' : c;
    }
  }
  text += '\n';
}

static void unescape(llvm::StringRef field, std::string &text) {
  text.clear();
  for (size_t i = 0; i < field.size(); ++i) {
    char c = field[i];
    if (c == '\\' && i + 1 < field.size()) {
      c = field[++i];
      c = c == 't' ? '\t' : c == 'n' ? '\n' : c;
    }
    text += c;
  }
}

bool readFields(llvm::StringRef text,
                llvm::function_ref<bool(llvm::ArrayRef<std::string>)> onLine) {
  // Reused for all lines, because stored values are read on every compile.
  llvm::SmallVector<std::string, 16> fields;
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    text = rest;
    bool plain = !line.contains('\\');
    size_t count = 0;
    for (;;) {
      auto [field, more] = line.split('\t');
      if (count == fields.size())
        fields.emplace_back();
      std::string &to = fields[count++];
      if (plain)
        to.assign(field.data(), field.size());
      else
        unescape(field, to);
      if (field.size() == line.size())
        break;
      line = more;
    }
    if (!onLine(llvm::ArrayRef(fields).take_front(count)))
      return false;
  }
  return true;
}

bool readKept(llvm::StringRef text, llvm::StringRef magic,
              llvm::function_ref<bool(llvm::ArrayRef<std::string>)> onLine) {
  bool begun = false, ended = false;
  bool good = readFields(text, [&](llvm::ArrayRef<std::string> fields) {
    if (ended)
      return false;
    if (!begun)
      return begun = fields[0] == magic;
    ended = fields[0] == "end";
    return ended || onLine(fields);
  });
  return good && ended;
}

} // namespace cudacc::support
