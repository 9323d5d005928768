#include "driver/report/text/DeviceNames.h"

namespace cudacc::report {

llvm::StringRef str(core::ImageKind kind) {
  switch (kind) {
  case core::ImageKind::Ptx:
    return "ptx";
  case core::ImageKind::Cubin:
    return "cubin";
  case core::ImageKind::LtoIr:
    return "ltoir";
  case core::ImageKind::Unknown:
    break;
  }
  return "unknown";
}

llvm::StringRef str(core::Compression compression) {
  switch (compression) {
  case core::Compression::None:
    return "none";
  case core::Compression::Zstd:
    return "zstd";
  case core::Compression::Lz4:
    return "lz4";
  case core::Compression::Unknown:
    break;
  }
  return "unknown";
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
