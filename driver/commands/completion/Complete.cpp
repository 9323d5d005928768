// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/completion/Complete.h"
#include "driver/cli/Cli.h"
#include "driver/cli/OwnOptions.h"
#include "driver/commands/Subcommands.h"
#include "driver/commands/completion/Values.h"
#include "driver/support/Text.h"

namespace cudacc::commands {

using namespace core;
using llvm::StringRef;

static constexpr llvm::StringLiteral ownPrefix = "--cudacc-", printName = "--cudacc-print";

namespace {

/// Completes one command line.
class Completer {
public:
  Completer(pipeline::System &system, const Arguments &arguments, llvm::ArrayRef<std::string> words)
      : system(system), words(words), current(words.back()), values(system, arguments, out) {}
  Completions run();

private:
  pipeline::System &system;
  llvm::ArrayRef<std::string> words;
  StringRef current;
  Completions out;
  Values values;

  void addOwn();
  void addFirst();
  void addOptions(StringRef tool);
  void addForTool(StringRef tool, size_t next);
};

} // namespace

/// The values of a setting, as of an option. Placeholders name a kind of value or, such as MODE,
/// none.
static std::string valuesOf(const KeyInfo &row) {
  bool needsValue = row.option == KeyInfo::Option::Joined;
  return fmt::format("{} {}", row.words, needsValue ? StringRef(row.placeholder) : "");
}

/// Options of cuda-cc itself, or the values of one.
void Completer::addOwn() {
  size_t equals = current.find('=');
  StringRef name = current.take_front(equals);
  if (equals != StringRef::npos) {
    StringRef before = current.take_front(equals + 1), word = current.drop_front(equals + 1);
    if (name == printName)
      values.add(cli::stageNames(" "), before, word);
    for (const KeyInfo &row : allKeys())
      if (row.optionName() == name && row.option != KeyInfo::Option::On)
        values.add(valuesOf(row), before, word);
    return;
  }
  for (std::string &option : cli::ownOptionNames()) {
    const auto *row =
        llvm::find_if(allKeys(), [&](const KeyInfo &each) { return each.optionName() == option; });
    bool isKey = row != allKeys().end();
    bool isJoined = option == printName || (isKey && row->option == KeyInfo::Option::Joined);
    out.candidates.push_back(
        {fmt::format("{}{}", option, isJoined ? "=" : ""), isKey ? row->help.str() : ""});
  }
}

/// A subcommand, or the start of a compiler's command line.
void Completer::addFirst() {
  if (current.starts_with("-"))
    return addOwn();
  values.add("SUBCOMMAND", "", current);
  if (llvm::none_of(out.candidates, [&](const CompletionItem &each) {
        return StringRef(each.value).starts_with(current);
      }))
    values.add("PROGRAM FILE", "", current);
}

void Completer::addOptions(StringRef tool) {
  for (const OptionInfo &each : optionsOf(tool))
    out.candidates.push_back({each.name.str(), meaningOf(tool, each.name)});
  out.candidates.push_back({"--help", "print the help page"});
}

/// \p next: index of the word after the subcommand.
void Completer::addForTool(StringRef tool, size_t next) {
  std::vector<OptionInfo> options = optionsOf(tool);
  auto optionOf = [&](StringRef name) {
    return llvm::find_if(options, [&](const OptionInfo &each) { return each.name == name; });
  };
  const Subcommand *subcommand = subcommandOf(tool);
  std::string taken = subcommand ? subcommand->words.str() : "";
  bool onlyWords = false;
  for (; next + 1 < words.size(); ++next) {
    StringRef word = words[next];
    if (onlyWords || !word.starts_with("-")) {
      if (tool == "trace")
        out.command = next;
      continue;
    }
    if (word == "--") {
      onlyWords = true;
      continue;
    }
    auto option = optionOf(word);
    if (option == options.end())
      continue;
    if (!option->takesValue)
      support::appendItem(taken, option->values, " ");
    else if (++next + 1 == words.size())
      return values.add(option->values, "", current);
  }
  if (out.command)
    return;
  auto [name, value] = current.split('=');
  if (onlyWords || !current.starts_with("-"))
    return values.add(taken, "", current);
  if (name.size() == current.size())
    return addOptions(tool);
  if (auto option = optionOf(name); option != options.end() && option->takesValue)
    values.add(option->values, current.take_front(name.size() + 1), value);
}

Completions Completer::run() {
  size_t first = 0;
  while (first + 1 < words.size() && StringRef(words[first]).starts_with(ownPrefix))
    ++first;
  if (first + 1 == words.size()) {
    addFirst();
    return std::move(out);
  }
  // The word decides alone what is called; what follows it may be half typed.
  StringRef line[] = {"cuda-cc", words[first]};
  auto call = llvm::expectedToOptional(cli::parse(line, system.environment, system.files));
  if (call && call->role == Role::Tool)
    addForTool(call->tool, first + 1);
  else if (call && call->role == Role::Launcher)
    out.command = first;
  else
    values.add("FILE", "", current);
  // cuda-cc takes its own options anywhere, except behind the command of `trace`.
  bool isOwn = current.starts_with(ownPrefix) &&
               !(call && call->role == Role::Tool && (out.command || call->tool == "completion"));
  if (isOwn) {
    out = Completions();
    addOwn();
  }
  return std::move(out);
}

Completions complete(pipeline::System &system, const Arguments &arguments,
                     llvm::ArrayRef<std::string> words) {
  static const std::string nothing;
  return Completer(system, arguments, words.empty() ? nothing : words).run();
}

std::string printed(const Completions &completions) {
  using Kind = ShellNames::Kind;
  std::string text;
  for (const CompletionItem &each : completions.candidates)
    text += fmt::format("{}\t{}\n", each.value, each.meaning);
  for (const ShellNames &each : completions.names) {
    StringRef kind = each.kind == Kind::Files         ? "files"
                     : each.kind == Kind::Directories ? "directories"
                                                      : "programs";
    text += fmt::format(":{} {}{}{}\n", kind, each.offset, each.suffixes.empty() ? "" : " ",
                        each.suffixes);
  }
  if (completions.command)
    text += fmt::format(":command {}\n", *completions.command);
  return text;
}

} // namespace cudacc::commands
