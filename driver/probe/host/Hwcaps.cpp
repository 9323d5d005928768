// SPDX-License-Identifier: Apache-2.0
#include "driver/probe/host/Hwcaps.h"
#include "driver/support/Paths.h"
#include "driver/support/ReadWhole.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace cudacc::probe {

using llvm::StringRef;

/// The levels of the x86-64 psABI, lowest first, by the names that Linux gives to their features.
static constexpr std::pair<StringRef, StringRef> levels[] = {
    {"glibc-hwcaps/x86-64-v2", "cx16 lahf_lm popcnt pni sse4_1 sse4_2 ssse3"},
    {"glibc-hwcaps/x86-64-v3", "avx avx2 bmi1 bmi2 f16c fma abm movbe xsave"},
    {"glibc-hwcaps/x86-64-v4", "avx512f avx512bw avx512cd avx512dq avx512vl"},
};

static llvm::SmallVector<StringRef, 128> wordsOf(StringRef text) {
  llvm::SmallVector<StringRef, 128> words;
  text.split(words, ' ', -1, /*KeepEmpty=*/false);
  return words;
}

std::optional<std::vector<std::string>> parseHwcaps(StringRef cpuinfo) {
  size_t at = cpuinfo.find("\nflags");
  if (at == StringRef::npos)
    return std::nullopt;
  auto flags = wordsOf(cpuinfo.drop_front(at + 1).split('\n').first.split(':').second);
  std::vector<std::string> found;
  for (auto [directory, needed] : levels) {
    if (!llvm::all_of(wordsOf(needed),
                      [&](StringRef each) { return llvm::is_contained(flags, each); }))
      break;
    found.insert(found.begin(), directory.str());
  }
  return found;
}

/// glibc 2.33 was the first that looks into them. Until then libc.so.6 was a link to a file with
/// the version in its name: `libc-2.31.so`.
static bool isLoaderTooOld(core::Files &files) {
  for (StringRef libc : {"/lib64/libc.so.6", "/lib/x86_64-linux-gnu/libc.so.6"}) {
    std::string target = files.readLink(libc).value_or("");
    StringRef name = support::nameOf(target);
    unsigned minor = 0;
    if (name.consume_front("libc-2.") && name.consume_back(".so") &&
        !name.getAsInteger(10, minor) && minor < 33)
      return true;
  }
  return false;
}

std::optional<std::vector<std::string>> readHwcaps(core::Files &files) {
  if (isLoaderTooOld(files))
    return std::vector<std::string>();
  // The first processor's flags are within the first page or two.
  auto text = llvm::expectedToOptional(support::readStart(files, "/proc/cpuinfo", 16 << 10));
  return text ? parseHwcaps(*text) : std::nullopt;
}

} // namespace cudacc::probe
