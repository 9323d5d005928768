// SPDX-License-Identifier: Apache-2.0
#include "driver/probe/toolkit/ToolVersion.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::probe {

static constexpr llvm::StringLiteral marker = "Cuda compilation tools, release ";
static constexpr uint64_t chunk = 1 << 20;
/// cicc of 13.5 has 103 MB.
static constexpr uint64_t largestTool = 1 << 30;
static constexpr size_t textLength = marker.size() + 48;

static bool isVersionChar(char c) { return llvm::isDigit(c) || c == '.'; }

/// Parses the text after the marker, `13.0, V13.0.88`; std::nullopt for the format string `%d.%d,`.
static std::optional<ToolVersion> parse(llvm::StringRef text) {
  llvm::StringRef release = text.take_while(isVersionChar);
  auto cuda = versions::CudaVersion::parse(release);
  if (!cuda)
    return std::nullopt;
  text = text.drop_front(release.size());
  if (!text.consume_front(", V"))
    return ToolVersion{*cuda, release.str()};
  return ToolVersion{*cuda, text.take_while(isVersionChar).str()};
}

ToolVersion readToolVersion(llvm::StringRef path, core::Files &files) {
  auto file = llvm::expectedToOptional(files.open(path));
  if (!file)
    return {};
  uint64_t size = (**file).size();
  if (size > largestTool)
    return {};
  std::string buffer(std::min(size, chunk) + textLength, '\0');
  for (uint64_t end = size; end != 0;) {
    uint64_t begin = end > chunk ? end - chunk : 0;
    // Includes the start of the chunk read before, so that a text across the boundary is complete.
    size_t wanted = std::min<uint64_t>(end - begin + textLength, size - begin);
    auto got = llvm::expectedToOptional((**file).readAt(begin, {buffer.data(), wanted}));
    if (!got)
      return {};
    llvm::StringRef bytes(buffer.data(), *got);
    for (size_t at = bytes.find(marker); at != llvm::StringRef::npos;
         at = bytes.find(marker, at + marker.size()))
      if (auto version = parse(bytes.substr(at + marker.size(), 48)))
        return *version;
    end = begin;
  }
  return {};
}

} // namespace cudacc::probe
