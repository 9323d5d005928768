// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Diagnostic.h"
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace cudacc::explain {

/// A message of a loader, a CUDA library or a build tool, and its explanation.
struct Explanation {
  /// The ID of its row in messages.json, and the class of failures it belongs to.
  std::string id, family;
  /// The message as found, on one line.
  std::string message;
  /// Line of the first occurrence, from 1, and number of occurrences.
  uint64_t line = 0, count = 1;
  /// The explanation: one clause without a full stop.
  std::string what;
  /// The values of the message's placeholders (`symbol`, `library`), and what they mean.
  std::vector<std::pair<std::string, std::string>> values;
  std::vector<core::Fact> facts;
  /// Likeliest cause and best fix first.
  std::vector<std::string> causes, fixes;
  std::string source;
};

/// The known messages in a text, each distinct one once, in the order of the text.
struct Explained {
  /// The declared runtime; empty if none.
  std::string runtime;
  std::vector<Explanation> messages;
  /// Number of further matches that were not collected.
  uint64_t more = 0;
};

} // namespace cudacc::explain
