// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Files.h"
#include "driver/support/Sha256.h"

namespace cudacc::binary {

/// SHA-256 in the form of a wheel's RECORD: `sha256=` and URL-safe base64 without padding.
class RecordDigest {
public:
  void add(llvm::ArrayRef<char> bytes);
  std::string str();

private:
  support::Sha256 hash;
};

std::string recordDigest(llvm::StringRef bytes);
/// Reads the file once, in pieces. The error is that of the read.
llvm::Expected<std::string> recordDigest(core::ReadableFile &file);

} // namespace cudacc::binary
