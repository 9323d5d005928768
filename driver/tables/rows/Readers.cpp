// SPDX-License-Identifier: Apache-2.0
#include "driver/tables/rows/Readers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::tables::rows {

using llvm::StringRef;
using versions::Version;

llvm::ArrayRef<StringRef> releaseTables() {
  static constexpr StringRef tables[] = {
      "torch_wheel_pins",      "pytorch_cuda_lines", "torch_pypi_default", "ctk_component_versions",
      "nvidia_wheel_versions", "framework_targets",  "torch_platforms"};
  return tables;
}

bool isDataRelease(StringRef text) {
  auto version = Version::parse(text);
  return version && version->release.size() == 3 && version->str() == text &&
         llvm::all_of(text, [](char c) { return llvm::isDigit(c) || c == '.'; });
}

std::optional<versions::Version> Known::oldestWheel(StringRef, const versions::Version &,
                                                    const versions::SpecifierSet &) const {
  return std::nullopt;
}

PinKind pinKindOf(const Row &pin) {
  return pin.choice<PinKind>("kind", {{"direct", PinKind::Direct},
                                      {"extra", PinKind::Extra},
                                      {"transitive", PinKind::Transitive}});
}

void sortPins(const Row &owner, std::vector<OwnedPin> &pins) {
  llvm::sort(pins, [](const auto &a, const auto &b) { return a.dist < b.dist; });
  for (size_t i = 1; i < pins.size(); ++i)
    owner.require(pins[i - 1].dist != pins[i].dist, "{} appears twice", pins[i].dist);
}

std::optional<Framework> Known::framework(StringRef, unsigned, const Version &) const {
  return std::nullopt;
}

} // namespace cudacc::tables::rows
