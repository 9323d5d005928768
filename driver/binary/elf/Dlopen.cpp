#include "driver/binary/elf/Dlopen.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/JSON.h"

namespace cudacc::binary {

/// RD-6 measures these notes too.
static constexpr size_t MaxDlopenText = 64 << 10, MaxSonames = 4096;
static constexpr unsigned MaxDlopenDepth = 8;

/// Whether brackets outside strings nest no deeper than the parser, which recurses, may go.
static bool shallow(llvm::StringRef json) {
  unsigned depth = 0;
  bool inText = false;
  for (size_t i = 0; i < json.size(); ++i) {
    char c = json[i];
    if (inText) {
      i += c == '\\';
      inText = c != '"';
    } else if (c == '"') {
      inText = true;
    } else if (c == '[' || c == '{') {
      if (++depth > MaxDlopenDepth)
        return false;
    } else if ((c == ']' || c == '}') && depth) {
      --depth;
    }
  }
  return true;
}

void DlopenNotes::parse(llvm::StringRef json) {
  if (!shallow(json)) {
    problem = "a dlopen note nests too deep";
    return;
  }
  auto value = llvm::json::parse(json);
  if (!value) {
    llvm::consumeError(value.takeError());
    problem = "a dlopen note is no JSON";
    return;
  }
  const llvm::json::Array *entries = value->getAsArray();
  for (size_t i = 0; entries && i != entries->size(); ++i) {
    const llvm::json::Object *entry = (*entries)[i].getAsObject();
    const llvm::json::Array *names = entry ? entry->getArray("soname") : nullptr;
    if (!names) {
      problem = "an entry of a dlopen note has no sonames";
      continue;
    }
    for (const llvm::json::Value &name : *names) {
      auto text = name.getAsString();
      if (!text || text->empty()) {
        problem = "a soname of a dlopen note is no text";
      } else if (sonames.size() == MaxSonames) {
        problem = "more than 4096 sonames in dlopen notes";
        return;
      } else if (!llvm::is_contained(sonames, *text)) {
        sonames.push_back(text->str());
      }
    }
  }
  if (!entries)
    problem = "a dlopen note is no list";
}

void DlopenNotes::add(llvm::StringRef bytes) {
  // Type and owner; in front of them the sizes of owner and descriptor.
  static constexpr char pattern[] = {0x0a, 0x0c, 0x7c, 0x40, 'F', 'D', 'O', 0};
  llvm::StringRef mark(pattern, sizeof(pattern));
  for (size_t at = bytes.find(mark); at != llvm::StringRef::npos; at = bytes.find(mark, at)) {
    llvm::StringRef front = bytes.take_front(at);
    at += mark.size();
    if (front.size() < 8 || llvm::support::endian::read32le(front.end() - 8) != 4)
      continue;
    uint64_t size = llvm::support::endian::read32le(front.end() - 4);
    if (size > bytes.size() - at) {
      problem = "a dlopen note reaches beyond its segment";
      continue;
    }
    llvm::StringRef json = bytes.substr(at, size).rtrim('\0');
    if (json.size() > MaxDlopenText)
      problem = "a dlopen note of more than 64 KiB";
    else
      parse(json);
    at += size;
  }
}

} // namespace cudacc::binary
