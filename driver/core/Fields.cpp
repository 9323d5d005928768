#include "driver/core/Fields.h"

namespace cudacc::core {

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

static std::string unescape(llvm::StringRef field) {
  std::string text;
  text.reserve(field.size());
  for (size_t i = 0; i < field.size(); ++i) {
    char c = field[i];
    if (c == '\\' && i + 1 < field.size()) {
      c = field[++i];
      c = c == 't' ? '\t' : c == 'n' ? '\n' : c;
    }
    text += c;
  }
  return text;
}

bool readFields(llvm::StringRef text,
                llvm::function_ref<bool(llvm::ArrayRef<std::string>)> onLine) {
  llvm::SmallVector<std::string, 16> fields;
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    text = rest;
    fields.clear();
    for (;;) {
      auto [field, more] = line.split('\t');
      fields.push_back(unescape(field));
      if (field.size() == line.size())
        break;
      line = more;
    }
    if (!onLine(fields))
      return false;
  }
  return true;
}

} // namespace cudacc::core
