// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/wheel/Bundled.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::policy {

using llvm::StringRef;

std::string nameBeforeGraft(StringRef file) {
  static constexpr size_t hashSize = 8;
  auto isHash = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
  auto [base, rest] = file.split('.');
  auto [stem, hash] = base.rsplit('-');
  bool grafted = base.starts_with("lib") && hash.size() == hashSize && llvm::all_of(hash, isHash);
  return grafted ? fmt::format("{}.{}", stem, rest) : file.str();
}

std::string broughtAs(StringRef file, const core::Target &target) {
  std::string name = nameBeforeGraft(file);
  for (const core::TargetLibrary &library : target.libraries) {
    StringRef rest = name;
    // The file of a SONAME may have the whole version in its name.
    if (rest.consume_front(library.soname) && (rest.empty() || rest.front() == '.'))
      return library.soname;
  }
  return {};
}

} // namespace cudacc::policy
