#include "driver/core/ReadWhole.h"
#include "driver/core/Diagnostic.h"

namespace cudacc::core {

llvm::Expected<std::string> readWhole(ReadableFile &file, llvm::StringRef path, uint64_t limit) {
  uint64_t size = file.size();
  if (size > limit)
    return fail(
        Code::UnreadableFile,
        ("cannot read " + path + ": larger than " + std::to_string(limit >> 10) + " KiB").str());
  std::string text(size, '\0');
  auto got = file.readAt(0, llvm::MutableArrayRef<char>(text.data(), text.size()));
  if (!got)
    return got.takeError();
  text.resize(*got);
  return text;
}

} // namespace cudacc::core
