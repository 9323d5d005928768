// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/commands/Arguments.h"
#include "driver/pipeline/System.h"
#include "llvm/ADT/StringExtras.h"
#include <variant>

namespace cudacc::commands {

/// Appended with its value to `kept` of the arguments, where another reads it.
struct Kept {
  bool takesValue;
};
inline constexpr Kept keptFlag{false}, keptValue{true};

/// An option of the subcommand with the arguments \c Own.
template <typename Own> struct Option {
  using Arguments = Own;
  llvm::StringLiteral name;
  /// Where its value goes. All but a bool and keptFlag take one; that of a std::string is one of
  /// the words in `values`.
  std::variant<bool Own::*, std::string Own::*, std::optional<std::string> Own::*,
               std::vector<std::string> Own::*, llvm::Error (*)(llvm::StringRef, Own &), Kept>
      target;
  /// See OptionInfo.
  llvm::StringLiteral values = "";

  OptionInfo info() const {
    const Kept *kept = std::get_if<Kept>(&target);
    return {name, values, kept ? kept->takesValue : target.index() != 0};
  }

  llvm::Error take(llvm::StringRef value, Own &own) const {
    if (auto *flag = std::get_if<bool Own::*>(&target))
      own.**flag = true;
    else if (auto *text = std::get_if<std::optional<std::string> Own::*>(&target))
      own.**text = value.str();
    else if (auto *list = std::get_if<std::vector<std::string> Own::*>(&target))
      (own.**list).push_back(value.str());
    else if (auto *read = std::get_if<llvm::Error (*)(llvm::StringRef, Own &)>(&target))
      return (*read)(value, own);
    else if (auto *word = std::get_if<std::string Own::*>(&target)) {
      if (!llvm::is_contained(llvm::split(values, ' '), value))
        return notOneOf(name, values, value);
      own.**word = value.str();
    } else if constexpr (requires { own.kept; })
      own.kept.emplace_back(name.str(), value.str());
    return llvm::Error::success();
  }
};

/// What the folder of a subcommand defines: its options, and its function, which returns the exit
/// status; an error is printed instead of a result.
struct SubcommandBody {
  std::vector<OptionInfo> (*options)();
  llvm::Expected<int> (*run)(pipeline::System &system, const core::Invocation &call,
                             const core::ToolchainDirectory *directory);
};

/// Answers `--help`, refuses words that \p tool does not take and a page that cannot be written,
/// and calls \p function with a system that shows progress.
llvm::Expected<int>
runRead(pipeline::System &system, llvm::StringRef tool, const Arguments &arguments,
        llvm::function_ref<llvm::Expected<int>(pipeline::System &system)> function);

template <const auto &rows> std::vector<OptionInfo> infosOf() {
  std::vector<OptionInfo> infos;
  for (const auto &row : rows)
    infos.push_back(row.info());
  return infos;
}

/// \p rows: an array of Option<Own>. \p function: takes a System and an Own.
template <const auto &rows, auto function> constexpr SubcommandBody bodyOf() {
  auto run = [](pipeline::System &system, const core::Invocation &call,
                const core::ToolchainDirectory *directory) -> llvm::Expected<int> {
    typename std::decay_t<decltype(rows[0])>::Arguments own;
    auto take = [&](size_t row, llvm::StringRef value) { return rows[row].take(value, own); };
    if (llvm::Error error = readArguments(call, directory, infosOf<rows>(), take, own))
      return error;
    return runRead(system, call.tool, own,
                   [&](pipeline::System &shown) { return function(shown, own); });
  };
  return {infosOf<rows>, run};
}

} // namespace cudacc::commands
