// SPDX-License-Identifier: Apache-2.0
// Compares headers with the payloads they describe (AV-W13).
#include "driver/binary/device/Fatbin.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::binary {

using core::Compression;
using core::ImageKind;

/// A PTX file has both relevant directives within this size (FB-25).
static constexpr uint64_t MaxHead = 64 << 10;

std::string describe(const core::DeviceImage &image) {
  switch (image.kind) {
  case ImageKind::Ptx:
    return fmt::format("{} PTX ISA {}", image.arch.str("compute_"), image.version);
  case ImageKind::Cubin:
    return fmt::format("{} cubin", image.arch);
  case ImageKind::LtoIr:
    return fmt::format("{} LTO-IR {}", image.arch.str("lto_"), image.version);
  case ImageKind::Unknown:
    break;
  }
  return "image of an unknown kind";
}

/// The word after a directive of PTX; empty if the directive is missing.
static llvm::StringRef directive(llvm::StringRef text, llvm::StringRef name) {
  for (size_t at = text.find(name); at != llvm::StringRef::npos; at = text.find(name, at + 1)) {
    llvm::StringRef rest = text.drop_front(at + name.size());
    bool starts = at == 0 || text[at - 1] == '\n';
    if (starts && (rest.starts_with(" ") || rest.starts_with("\t")))
      return rest.ltrim(" \t").take_until(
          [](char c) { return c == ',' || c == '\0' || llvm::isSpace(c); });
  }
  return "";
}

static std::string payloadOf(const core::DeviceImage &image, llvm::StringRef text) {
  if (image.kind == ImageKind::Ptx) {
    llvm::StringRef version = directive(text, ".version"), target = directive(text, ".target");
    if (version.empty() || target.empty())
      return "no PTX";
    auto arch = versions::Arch::parse(target);
    return fmt::format("PTX ISA {} for {}", version, arch ? arch->str("compute_") : target.str());
  }
  if (!text.starts_with("\xed\x43\x4e\x7f") || text.size() < 6)
    return "no LTO-IR";
  return fmt::format("LTO-IR {}", versions::CudaVersion{uint8_t(text[4]), uint8_t(text[5])});
}

static std::string expected(const core::DeviceImage &image) {
  if (image.kind == ImageKind::Ptx)
    return fmt::format("PTX ISA {} for {}", image.version, image.arch.str("compute_"));
  return fmt::format("LTO-IR {}", image.version);
}

void ContainerReader::disagree(const core::DeviceImage &image, llvm::StringRef payload,
                               uint64_t at) {
  addClause(device.disagreements, fmt::format("a header says {}, its payload is {} (at {})",
                                              describe(image), payload, bytes.where(at)));
}

llvm::Error ContainerReader::verify(const Entry &entry, const core::DeviceImage &image) {
  std::string head;
  if (entry.compression == Compression::None) {
    auto read =
        bytes.bytes(entry.payload(), std::min(entry.header.payloadSize, MaxHead), "device code");
    if (!read)
      return read.takeError();
    head = std::move(*read);
  } else {
    auto whole = inflated(entry);
    if (!whole)
      return whole.takeError();
    if (!*whole)
      return llvm::Error::success();
    head = (*whole)->take_front(MaxHead).str();
  }
  std::string payload = payloadOf(image, head);
  if (payload != expected(image))
    disagree(image, payload, entry.at);
  return llvm::Error::success();
}

} // namespace cudacc::binary
