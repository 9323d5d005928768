// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string_view>

namespace cudacc::cli {

/// What cuda-cc does with an option: the groups of Options.td.
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

/// How an option takes its value: the kinds of llvm/Option/OptParser.td that are used here.
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

/// One spelling of an option, with dashes.
struct OptionRow {
  std::string_view word;
  Shape shape = Shape::Flag;
  Action action = Action::INVALID;
  /// Number of values in separate words. For JoinedOrSeparate: if no value is joined.
  uint8_t separate = 0;
  /// Index of the longest other row that is a prefix of this one; -1 if there is none.
  int16_t prefix = -1;
};

/// Rows ordered by spelling. As in OptTable, a word matches the longest row that is a prefix of it.
struct OptionTable {
  llvm::ArrayRef<OptionRow> rows;
  /// First row for each slot() of leading characters, plus one past-the-end entry.
  const uint16_t *slots;
};

enum class TableKind { Nvcc, Gcc, Clang, Linker };
const OptionTable &table(TableKind kind);

struct Match {
  /// Null if no row matches.
  const OptionRow *row = nullptr;
  /// The value joined to the option. Empty if there is none.
  llvm::StringRef joined;
  /// Number of following words that are values.
  unsigned separate = 0;
};

/// \p word must begin with a dash.
Match match(const OptionTable &table, llvm::StringRef word);

} // namespace cudacc::cli
