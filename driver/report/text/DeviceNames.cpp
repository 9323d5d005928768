// SPDX-License-Identifier: Apache-2.0
#include "driver/report/text/DeviceNames.h"
#include "driver/versions/EnumWords.h"

namespace cudacc::report {

llvm::StringRef str(core::ImageKind kind) {
  static constexpr llvm::StringLiteral words[] = {"ptx", "cubin", "ltoir", "unknown"};
  return versions::entryOf<core::ImageKind::Unknown>(words, kind);
}

llvm::StringRef str(core::Compression compression) {
  static constexpr llvm::StringLiteral words[] = {"none", "zstd", "lz4", "unknown"};
  return versions::entryOf<core::Compression::Unknown>(words, compression);
}

std::string archOf(const core::DeviceImage &image) {
  if (!image.arch.known())
    return {};
  switch (image.kind) {
  case core::ImageKind::Ptx:
    return image.arch.str("compute_");
  case core::ImageKind::LtoIr:
    return image.arch.str("lto_");
  default:
    return image.arch.str();
  }
}

} // namespace cudacc::report
