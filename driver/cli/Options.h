// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string_view>

namespace cudacc::cli {

/// What the driver does with an option: the groups of Options.td.
enum class Action : uint8_t {
  INVALID,
#define CUDACC_Group(ID) ID,
#define CUDACC_Input(ID)
#define CUDACC_Unknown(ID)
#define CUDACC_Flag(ID)
#define CUDACC_Joined(ID)
#define CUDACC_Separate(ID)
#define CUDACC_JoinedOrSeparate(ID)
#define CUDACC_JoinedAndSeparate(ID)
#define CUDACC_MultiArg(ID)
#define OPTION(PREFIX, NAME, ID, KIND, ...) CUDACC_##KIND(ID)
#include "driver/cli/NVCC.inc"
#undef OPTION
#undef CUDACC_Group
#undef CUDACC_Input
#undef CUDACC_Unknown
#undef CUDACC_Flag
#undef CUDACC_Joined
#undef CUDACC_Separate
#undef CUDACC_JoinedOrSeparate
#undef CUDACC_JoinedAndSeparate
#undef CUDACC_MultiArg
};

/// Where an option's value stands: the kinds of llvm/Option/OptParser.td that we use.
enum class Shape : uint8_t {
  Group,
  Input,
  Unknown,
  Flag,
  Joined,
  Separate,
  JoinedOrSeparate,
  JoinedAndSeparate,
  MultiArg,
};

/// One spelling of an option, dashes included.
struct OptionRow {
  std::string_view word;
  Shape shape = Shape::Flag;
  Action action = Action::INVALID;
  /// Values in words of their own; for JoinedOrSeparate when nothing is joined.
  uint8_t separate = 0;
  /// Index of the longest other row that this one begins with; -1: none.
  int16_t prefix = -1;
};

/// Rows ordered by spelling. A word is matched as OptTable does it: the longest row that fits.
struct OptionTable {
  llvm::ArrayRef<OptionRow> rows;
  /// First row of each pair of leading characters, see slot(); one more than there are slots.
  const uint16_t *slots;
};

enum class TableKind { Nvcc, Gcc, Clang, Linker };
const OptionTable &table(TableKind kind);

struct Match {
  /// Null: no row fits.
  const OptionRow *row = nullptr;
  /// The value joined to the word; empty when there is none.
  llvm::StringRef joined;
  /// How many of the following words are values.
  unsigned separate = 0;
};

/// \p word begins with a dash.
Match match(const OptionTable &table, llvm::StringRef word);

} // namespace cudacc::cli
