// SPDX-License-Identifier: Apache-2.0
#include "plugins/rtld/Names.h"
#include "driver/support/Paths.h"
#include "driver/tables/lookup/Libraries.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

namespace cudacc::rtld {

using llvm::StringRef;
namespace path = llvm::sys::path;

/// Subdirectories for processor types; the loader also tries the directory itself.
static constexpr llvm::StringLiteral kinds[] = {"glibc-hwcaps", "tls",      "x86_64", "haswell",
                                                "xeon_phi",     "avx512_1", "aarch64"};

std::string libraryName(StringRef file) {
  file = support::nameOf(file);
  std::string plain = file.str();
  auto [front, behind] = file.split('.');
  auto [stem, hash] = front.rsplit('-');
  if (hash.size() == 8 && llvm::all_of(hash, llvm::isHexDigit))
    plain = fmt::format("{}.{}", stem, behind);
  auto known = tables::libraryByFileName(plain);
  return known && !known->archive ? known->name.str() : "";
}

std::string plainPath(StringRef path) {
  llvm::SmallString<256> plain(path);
  path::remove_dots(plain, true);
  return plain.str().str();
}

bool isForKind(StringRef tried, StringRef other) {
  StringRef folder = tried.take_front(tried.rfind('/') + 1);
  if (!folder.consume_front(other.take_front(other.rfind('/') + 1)) || folder.empty())
    return false;
  return llvm::is_contained(kinds, folder.split('/').first);
}

} // namespace cudacc::rtld
