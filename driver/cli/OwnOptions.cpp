// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/OwnOptions.h"
#include "driver/core/Diagnostic.h"
#include "driver/versions/EnumWords.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace cudacc::core;
using llvm::Error;
using llvm::StringRef;

namespace cudacc::cli {

constexpr StringRef prefix = "--cudacc-";
constexpr llvm::StringLiteral stages[] = {"",        "invocation", "target", "toolkit",
                                          "verdict", "plan",       "facts"};

/// Options that are not settings.
constexpr StringRef printOption = "--cudacc-print", helpOption = "--cudacc-help",
                    noManifest = "--cudacc-no-manifest";

std::vector<std::string> ownOptionNames() {
  std::vector<std::string> names{printOption.str(), helpOption.str(), noManifest.str()};
  for (const KeyInfo &row : allKeys())
    names.push_back(row.optionName());
  return names;
}

StringRef str(Stage stage) { return versions::entryOf<Stage::Facts>(stages, stage); }

std::optional<Stage> stageOf(StringRef name) {
  const auto *found = llvm::find(stages, name);
  return found == std::end(stages) ? std::nullopt : std::optional(Stage(found - stages));
}

std::string stageNames(StringRef separator) {
  return llvm::join(llvm::drop_begin(stages), separator);
}

static Error unknown(StringRef name) {
  std::vector<std::string> names = ownOptionNames();
  llvm::SmallVector<StringRef, 32> known(names.begin(), names.end());
  StringRef near = nearest(name, known);
  std::vector<std::string> fixes;
  if (!near.empty())
    fixes.push_back(fmt::format("did you mean {}?", near));
  return makeError(Code::UnknownOption, fmt::format("unknown option {}", name), {},
                   std::move(fixes));
}

static Error needsValue(StringRef name) {
  return makeError(Code::Usage, fmt::format("{} needs a value", name), {},
                   {fmt::format("write it as one word: {}=VALUE", name)});
}

static Error takesNone(StringRef name) {
  return makeError(Code::Usage, fmt::format("{} takes no value", name));
}

static Error checkPrint(StringRef stage) {
  if (!stage.empty() && stageOf(stage))
    return Error::success();
  return makeError(Code::BadValue, fmt::format("--cudacc-print={} names no stage", stage), {},
                   {fmt::format("one of {}", stageNames(", "))});
}

static Error take(StringRef word, OwnOptions &own) {
  size_t equals = word.find('=');
  StringRef name = word.take_front(equals);
  bool hasValue = equals != StringRef::npos;
  StringRef value = hasValue ? word.substr(equals + 1) : "true";
  if (name == printOption) {
    if (!hasValue)
      return needsValue(name);
    own.print = value.str();
    return checkPrint(value);
  }
  if (name == helpOption || name == noManifest) {
    if (hasValue)
      return takesNone(name);
    if (name == helpOption)
      own.help = true;
    else
      own[Key::Manifest].push_back("never");
    return Error::success();
  }
  StringRef key = name.drop_front(prefix.size());
  for (const KeyInfo &row : allKeys()) {
    if (row.name != key)
      continue;
    if (!hasValue && row.option == KeyInfo::Option::Joined)
      return needsValue(name);
    if (hasValue && row.option == KeyInfo::Option::On)
      return takesNone(name);
    own[row.key].push_back(value.str());
    return Error::success();
  }
  return unknown(name);
}

llvm::Expected<llvm::ArrayRef<StringRef>> takeOwnOptions(llvm::ArrayRef<StringRef> words,
                                                         size_t count, OwnOptions &own,
                                                         llvm::BumpPtrAllocator &arena) {
  auto isOwn = [](StringRef word) { return word.starts_with(prefix); };
  llvm::ArrayRef<StringRef> searched = words.take_front(count);
  if (llvm::none_of(searched, isOwn))
    return words;
  auto *rest = arena.Allocate<StringRef>(words.size());
  size_t left = 0;
  for (StringRef word : searched)
    if (!isOwn(word))
      new (rest + left++) StringRef(word);
    else if (Error error = take(word, own))
      return error;
  for (StringRef word : words.drop_front(count))
    new (rest + left++) StringRef(word);
  return llvm::ArrayRef(rest, left);
}

} // namespace cudacc::cli
