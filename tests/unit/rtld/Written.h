// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "plugins/rtld/Records.h"
#include "plugins/rtld/TraceBuffer.h"
#include <algorithm>
#include <cstring>

namespace cudacc::test {

/// A file of records as a program would leave it.
class Written {
public:
  explicit Written(size_t size = 1 << 16) {
    bytes = rtld::emptyBuffer({"nvJitLink", "cusparse", "cudart"}, size);
  }
  /// As in the audit library: the used size grows even if there is no space for the record.
  Written &raw(llvm::StringRef text) {
    uint64_t at = used();
    if (at <= bytes.size() && text.size() <= bytes.size() - at)
      std::memcpy(bytes.data() + at, text.data(), text.size());
    setUsed(at + text.size());
    return *this;
  }
  /// Blanks stand for tabs.
  Written &line(llvm::StringRef text) {
    std::string tabbed = text.str();
    std::replace(tabbed.begin(), tabbed.end(), ' ', '\t');
    return raw(tabbed + "\n");
  }
  uint64_t used() const {
    uint64_t value;
    std::memcpy(&value, bytes.data() + offsetof(rtld::TraceBuffer, used), sizeof value);
    return value;
  }
  void setUsed(uint64_t value) {
    std::memcpy(bytes.data() + offsetof(rtld::TraceBuffer, used), &value, sizeof value);
  }
  rtld::Records records() const { return rtld::readBuffer(bytes); }

  std::string bytes;
};

} // namespace cudacc::test
