// SPDX-License-Identifier: Apache-2.0
#include "driver/support/ReadWhole.h"
#include "driver/core/Diagnostic.h"
#include "driver/versions/Format.h"

namespace cudacc::support {

llvm::Expected<std::string> readWhole(core::ReadableFile &file, llvm::StringRef path,
                                      uint64_t limit) {
  uint64_t size = file.size();
  if (size > limit)
    return makeError(core::Code::UnreadableFile,
                     fmt::format("cannot read {}: larger than {} KiB", path, limit >> 10));
  std::string text(size, '\0');
  auto got = file.readAt(0, llvm::MutableArrayRef<char>(text.data(), text.size()));
  if (!got)
    return got.takeError();
  text.resize(*got);
  return text;
}

llvm::Expected<std::string> readWithStatus(core::Files &files, llvm::StringRef path, uint64_t limit,
                                           core::FileStatus &status) {
  auto file = files.open(path);
  if (!file)
    return file.takeError();
  status = (**file).status();
  return readWhole(**file, path, limit);
}

llvm::Expected<std::string> readStart(core::Files &files, llvm::StringRef path, size_t count) {
  auto file = files.open(path);
  if (!file)
    return file.takeError();
  std::string text(count, '\0');
  auto got = (**file).readAt(0, {text.data(), text.size()});
  if (!got)
    return got.takeError();
  text.resize(*got);
  return text;
}

} // namespace cudacc::support
