// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Diagnostic.h"
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace cudacc::explain {

/// A message of a loader, a runtime or a build, and what it means.
struct Explanation {
  /// Of the row of messages.json, and the class of failures it belongs to.
  std::string id, family;
  /// As it was found, on one line.
  std::string message;
  /// Where it was found first, from 1, and how often.
  uint64_t line = 0, count = 1;
  /// One clause without final stop.
  std::string what;
  /// What the message says: `symbol`, `library`; and what that means.
  std::vector<std::pair<std::string, std::string>> values;
  std::vector<core::Fact> facts;
  /// Likeliest, and best, first.
  std::vector<std::string> causes, fixes;
  std::string source;
};

/// Whatever is known in a text, each distinct message once, in its order.
struct Explained {
  /// The declared runtime it was compared with; empty: none.
  std::string runtime;
  std::vector<Explanation> messages;
  /// Matches of further messages, beyond the most that are kept.
  uint64_t more = 0;
};

} // namespace cudacc::explain
