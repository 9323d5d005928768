// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/completion/Complete.h"
#include "driver/cli/Cli.h"
#include "driver/cli/OwnOptions.h"
#include "driver/commands/Declaration.h"
#include "driver/commands/Subcommands.h"
#include "driver/commands/help/Help.h"
#include "driver/pipeline/Declared.h"
#include "driver/support/Text.h"
#include "driver/tables/lookup/Device.h"
#include "driver/tables/lookup/Frameworks.h"
#include "driver/tables/lookup/Libraries.h"
#include "driver/tables/lookup/Torch.h"
#include "driver/tables/lookup/UserTables.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <set>

namespace cudacc::commands {

using namespace core;
using llvm::StringRef;

namespace {

/// Adds the values that \p word may have, which begins at \p offset of the word being typed.
/// \p before stands in front of each: `--layout=`. \p kinds: see OptionInfo::values. Kinds are REQ
/// (a requirement), SM (a GPU architecture), CODE, CODE=SEVERITY, LIB, SUBCOMMAND, and names that
/// the shell completes: FILE, PATH, DIR, PROGRAM, HTML and BINARY (what `check` takes).
class Values {
public:
  Values(pipeline::System &system, const Arguments &arguments, Completions &out)
      : system(system), arguments(arguments), out(out) {}
  void add(llvm::StringRef kinds, llvm::StringRef before, llvm::StringRef word);

private:
  pipeline::System &system;
  const Arguments &arguments;
  Completions &out;

  void addKind(llvm::StringRef kind, llvm::StringRef before, llvm::StringRef word);
  bool addNames(llvm::StringRef kind, size_t offset);
  void addRequirements(llvm::StringRef before, llvm::StringRef word);
  void addReleases(llvm::StringRef before, llvm::StringRef name);
  void put(llvm::StringRef before, llvm::StringRef value, llvm::StringRef meaning = "");
};

} // namespace

/// What the help page of a subcommand says about an option. Empty if it says nothing.
/// Terms begin in column 2 of the page's list of options, meanings in column 24 or behind a gap.
static std::string meaningOf(StringRef tool, StringRef option) {
  constexpr llvm::StringLiteral meaningIndent = "                        ";
  std::string meaning;
  bool found = false;
  for (StringRef line : llvm::split(helpPage(tool).split("\noptions").second, '\n')) {
    if (found && !line.consume_front(meaningIndent))
      break;
    if (!found) {
      found = line.consume_front("  ") && line.consume_front(option) &&
              (line.empty() || line.find_first_of(" =") == 0);
      if (!found)
        continue;
      line = line.substr(line.find("  "));
    }
    if (line = line.trim(); !line.empty())
      meaning += fmt::format("{}{}", meaning.empty() ? "" : " ", line);
  }
  return meaning;
}

void Values::put(StringRef before, StringRef value, StringRef meaning) {
  out.candidates.push_back({fmt::format("{}{}", before, value), meaning.str()});
}

void Values::add(StringRef kinds, StringRef before, StringRef word) {
  for (StringRef item : llvm::split(kinds, ' ')) {
    item = item.trim('\'');
    auto isUpper = [](StringRef text) { return text == text.upper() && !text.empty(); };
    auto [front, kind] = item.rsplit(':');
    if (isUpper(item)) {
      addKind(item, before, word);
    } else if (!isUpper(kind)) {
      if (!item.empty())
        put(before, item);
    } else if (word.starts_with(item.drop_back(kind.size()))) {
      std::string all = fmt::format("{}{}:", before, front);
      addKind(kind, all, word.drop_front(front.size() + 1));
    } else {
      put(before, item.drop_back(kind.size()));
    }
  }
}

bool Values::addNames(StringRef kind, size_t offset) {
  using Kind = ShellNames::Kind;
  auto names =
      llvm::StringSwitch<std::optional<ShellNames>>(kind)
          .Cases("FILE", "PATH", ShellNames{Kind::Files, offset, ""})
          .Case("HTML", ShellNames{Kind::Files, offset, "html"})
          .Case("BINARY", ShellNames{Kind::Files, offset, "so whl a o fatbin cubin ptx ltoir"})
          .Case("DIR", ShellNames{Kind::Directories, offset, ""})
          .Case("PROGRAM", ShellNames{Kind::Programs, offset, ""})
          .Default(std::nullopt);
  if (names)
    out.names.push_back(*names);
  return names.has_value();
}

void Values::addKind(StringRef kind, StringRef before, StringRef word) {
  if (addNames(kind, before.size()))
    return;
  if (kind == "REQ")
    return addRequirements(before, word);
  if (kind == "SM")
    for (versions::Arch arch : tables::knownArchs())
      put(before, arch.str());
  if (kind == "LIB")
    for (StringRef name : tables::linkNames())
      put(before, name);
  if (kind == "SUBCOMMAND")
    for (const Subcommand &each : subcommands())
      put(before, each.name, titleOf(each.name));
  if (kind == "CODE" || (kind == "CODE=SEVERITY" && !word.contains('=')))
    for (const CodeInfo &row : allCodes())
      put(before, fmt::format("{}{}", str(row.code), kind == "CODE" ? "" : "="), row.title);
  if (kind == "CODE=SEVERITY" && word.contains('='))
    for (Severity severity : {Severity::Error, Severity::Warning, Severity::Remark})
      put(before, fmt::format("{}={}", word.split('=').first, str(severity)));
}

/// Names first, then the releases of one: all at once are hundreds.
void Values::addRequirements(StringRef before, StringRef word) {
  if (size_t equals = word.find("=="); equals != StringRef::npos)
    return addReleases(before, word.take_front(equals));
  put(before, "torch==", "a release of PyTorch");
  put(before, "cuda==", "a line of the toolkit");
  for (const tables::FrameworkName &each : tables::frameworkNames())
    put(before, fmt::format("{}{}", each.str(), each.fixesMajor() ? "" : "=="));
  add("env env:DIR lock:FILE", before, word);
}

void Values::addReleases(StringRef before, StringRef name) {
  auto declaration = llvm::expectedToOptional(readDeclaration(system, arguments));
  auto added = declaration
                   ? llvm::expectedToOptional(pipeline::readUserTables(system, *declaration))
                   : std::nullopt;
  const tables::UserTables *more = added && *added ? &**added : nullptr;
  auto release = [&](StringRef number, StringRef meaning = "") {
    put(before, fmt::format("{}=={}", name, number), meaning);
  };
  if (name == "torch")
    for (const tables::TorchRelease &each : tables::torchReleases(more))
      release(each.str(), fmt::format("CUDA {}", each.defaultLine));
  if (name == "cuda")
    for (versions::CudaVersion line : tables::toolkitLines(more))
      release(line.str());
  for (const tables::FrameworkName &each : tables::frameworkNames()) {
    std::set<StringRef> seen;
    if (each.str() == name)
      for (const tables::FrameworkRun &run : tables::frameworkRuns(each, more))
        for (StringRef number : run.read)
          if (seen.insert(number).second)
            release(number);
  }
}

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
