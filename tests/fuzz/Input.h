// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Diagnostic.h"
#include "driver/core/Files.h"
#include <cstring>

namespace cudacc::fuzz {

/// The bytes that the fuzzer made up, as a file.
class Input final : public core::ReadableFile {
public:
  Input(const uint8_t *data, size_t count) : data(data), count(count) {}
  uint64_t size() const override { return count; }
  llvm::Expected<size_t> readAt(uint64_t offset, llvm::MutableArrayRef<char> out) override {
    if (offset >= count)
      return 0;
    size_t size = std::min<uint64_t>(out.size(), count - offset);
    std::memcpy(out.data(), data + offset, size);
    return size;
  }

private:
  const uint8_t *data;
  size_t count;
};

/// An error must be one of a failing world, with a message.
inline void expectFinding(llvm::Error error) {
  core::Finding finding = core::toFinding(std::move(error));
  if (finding.code == core::Code::Internal || finding.message.empty())
    __builtin_trap();
}

} // namespace cudacc::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
