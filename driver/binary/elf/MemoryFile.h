// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Files.h"
#include <algorithm>
#include <cstring>
#include <string>

namespace cudacc::binary {

/// Bytes in memory, read as a file.
class MemoryFile : public core::ReadableFile {
public:
  explicit MemoryFile(std::string bytes) : bytes(std::move(bytes)) {}

  uint64_t size() const override { return bytes.size(); }
  llvm::Expected<size_t> readAt(uint64_t offset, llvm::MutableArrayRef<char> out) override {
    if (offset >= bytes.size())
      return 0;
    size_t count = std::min<uint64_t>(out.size(), bytes.size() - offset);
    std::memcpy(out.data(), bytes.data() + offset, count);
    return count;
  }

private:
  std::string bytes;
};

} // namespace cudacc::binary
