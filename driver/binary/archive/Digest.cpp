// SPDX-License-Identifier: Apache-2.0
#include "driver/binary/archive/Digest.h"
#include "driver/versions/Format.h"
#include "llvm/Support/Base64.h"
#include <algorithm>
#include <memory>

namespace cudacc::binary {

void RecordDigest::add(llvm::ArrayRef<char> bytes) { hash.add({bytes.data(), bytes.size()}); }

std::string RecordDigest::str() {
  std::string text = llvm::encodeBase64(hash.finish());
  std::replace(text.begin(), text.end(), '+', '-');
  std::replace(text.begin(), text.end(), '/', '_');
  return fmt::format("sha256={}", llvm::StringRef(text).rtrim('='));
}

std::string recordDigest(llvm::StringRef bytes) {
  RecordDigest digest;
  digest.add({bytes.data(), bytes.size()});
  return digest.str();
}

llvm::Expected<std::string> recordDigest(core::ReadableFile &file) {
  static constexpr size_t pieceSize = 64 << 10;
  auto piece = std::make_unique<char[]>(pieceSize);
  RecordDigest digest;
  for (uint64_t at = 0; at < file.size();) {
    auto got = file.readAt(at, {piece.get(), pieceSize});
    if (!got)
      return got.takeError();
    if (*got == 0)
      break;
    digest.add({piece.get(), *got});
    at += *got;
  }
  return digest.str();
}

} // namespace cudacc::binary
