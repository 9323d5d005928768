// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/Arguments.h"
#include "driver/core/Diagnostic.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::commands {

using namespace core;
using llvm::StringRef;

llvm::Error usageError(std::string message) {
  return makeError(Code::Usage, std::move(message), {}, {"cuda-cc help"});
}

llvm::Error notOneOf(StringRef option, StringRef words, StringRef value) {
  llvm::SmallVector<StringRef, 4> known(llvm::split(words, ' '));
  std::string last = known.pop_back_val().str();
  std::string list = known.empty() ? last : fmt::format("{} or {}", llvm::join(known, ", "), last);
  return usageError(fmt::format("{} is {}, not '{}'", option, list, value));
}

static bool asksForHelp(StringRef word) { return word == "--help" || word == "-h"; }

llvm::Error readArguments(const Invocation &call, const ToolchainDirectory *directory,
                          llvm::ArrayRef<OptionInfo> options,
                          llvm::function_ref<llvm::Error(size_t, StringRef)> take,
                          Arguments &arguments) {
  auto optionOf = [&](StringRef name) {
    return llvm::find_if(options, [&](const OptionInfo &each) { return each.name == name; });
  };
  // The text after `explain` may begin with a dash, and contain words that do: it is a pasted error
  // message.
  auto isText = [&](StringRef word) {
    if (call.tool != "explain" || word == "--" || (asksForHelp(word) && call.args.size() == 1))
      return false;
    return optionOf(word.split('=').first) == options.end();
  };
  arguments.directory = directory;
  bool onlyWords = false;
  for (size_t i = 0; i < call.args.size(); ++i) {
    StringRef word = call.args[i];
    if (onlyWords || !word.starts_with("-") || word == "-" || isText(word)) {
      arguments.words.push_back(word.str());
      // Words after the name of a program are its own arguments.
      onlyWords |= call.tool == "trace";
      continue;
    }
    if (word == "--") {
      onlyWords = true;
      continue;
    }
    if (asksForHelp(word)) {
      arguments.help = true;
      return llvm::Error::success();
    }
    auto [name, value] = word.split('=');
    bool joined = name.size() != word.size();
    const auto *option = optionOf(name);
    if (option == options.end() || (joined && !option->takesValue))
      return usageError(fmt::format("cuda-cc {} has no option '{}'", call.tool, word));
    if (option->takesValue && !joined) {
      if (i + 1 == call.args.size())
        return usageError(fmt::format("{} needs a value", option->name));
      value = call.args[++i];
    }
    arguments.takesWords |= !option->takesValue && !option->values.empty();
    if (llvm::Error error = take(option - options.begin(), value))
      return error;
  }
  arguments.json |= arguments.format == "json";
  arguments.sarif = arguments.format == "sarif";
  arguments.own = call.own;
  return llvm::Error::success();
}

} // namespace cudacc::commands
