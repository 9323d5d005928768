// SPDX-License-Identifier: Apache-2.0
#include "driver/plan/command/Link.h"
#include "driver/plan/command/Edit.h"
#include "driver/plan/command/SearchPath.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::plan {

using namespace core;

bool carriesNote(const Invocation &call) {
  return llvm::any_of(call.linkInputs, [](const LinkInput &input) {
    return input.kind == LinkInput::Kind::File && input.text.ends_with(noteObjectSuffix);
  });
}

std::string outputOf(const Invocation &call) { return call.output ? call.output->str() : "a.out"; }

std::vector<std::string> filesOf(const Invocation &call) {
  std::vector<std::string> files;
  for (llvm::StringRef source : call.sources)
    files.push_back(source.str());
  if (call.output || call.kind == CallKind::Link)
    files.push_back(outputOf(call));
  return files;
}

/// The elements that the line does not have yet: ours stay in front, theirs where they are (R17).
static std::vector<std::string> missing(llvm::ArrayRef<std::string> ours,
                                        llvm::ArrayRef<std::string> theirs) {
  std::vector<std::string> left;
  for (const std::string &element : ours)
    if (!llvm::is_contained(theirs, element))
      left.push_back(element);
  return left;
}

/// The search path of a build by CMake ends in the room that it keeps; the installation takes out
/// all that it put there, and it may have put an absolute element of ours (V14, V15).
static bool isReplaced(const LinkParts &parts) {
  return parts.declaration->layout.value.kind == Layout::System &&
         llvm::is_contained(parts.call->rpaths, "");
}

static void addSearchPath(const LinkParts &parts, Edits &edits, Plan &plan) {
  std::vector<std::string> elements =
      isReplaced(parts) ? parts.searchPath : missing(parts.searchPath, parts.call->rpaths);
  const auto &dtags = parts.declaration->dtags;
  llvm::StringRef flag = dtagsWord(*parts.declaration);
  // R41: the last of the two flags wins in ld, so a default goes before the caller's, a declared
  // choice behind them, unless an option there still waits for its value.
  if (dtags && !parts.call->danglingOption)
    edits.suffix.push_back(flag.str());
  else if (dtags || !parts.searchPath.empty())
    edits.prefix.push_back(flag.str());
  if (elements.empty())
    return;
  passToLinker(edits.prefix, "-rpath", llvm::join(elements, ":"));
  plan.reasons.push_back("search path " + llvm::join(elements, ":"));
}

static void addNeeded(const LinkParts &parts, Edits &edits, Plan &plan) {
  if (parts.needed.empty())
    return;
  // T1: some gcc pass --as-needed by default, and the bracket keeps that state for the caller.
  edits.prefix.push_back("-Wl,--push-state,--no-as-needed");
  for (const std::string &file : parts.needed) {
    passFileToLinker(edits.prefix, file);
    plan.reasons.push_back("direct NEEDED on " + file);
  }
  edits.prefix.push_back("-Wl,--pop-state");
}

/// ld resolves what a program's libraries leave undefined, and follows their search paths to do so;
/// those of the caller's libraries lead from where they will lie, and the driver need not be
/// installed (cuBLASMp needs it). -rpath-link, behind the caller's, leaves nothing in the output.
static void addLinkFolders(const LinkParts &parts, Edits &edits) {
  bool mayNeed = llvm::any_of(parts.call->linkInputs, [](const LinkInput &input) {
    return input.kind == LinkInput::Kind::Library || input.text.contains(".so");
  });
  if (mayNeed && !parts.call->shared && !parts.call->danglingOption)
    for (const std::string &folder : parts.linkFolders)
      passToLinker(edits.suffix, "-rpath-link", folder);
}

/// The items of a linker's list with \p library by its path: `-lX`, `--library=X`, and the two
/// items
/// `-l,X` and `--library,X`.
static std::vector<llvm::StringRef> withPath(llvm::ArrayRef<llvm::StringRef> items,
                                             const LinkedLibrary &library) {
  llvm::StringRef name = llvm::StringRef(library.spelled).drop_front(2);
  std::vector<llvm::StringRef> out;
  for (llvm::StringRef item : items) {
    llvm::StringRef rest = item;
    if (item == library.spelled || (rest.consume_front("--library=") && rest == name)) {
      out.push_back(library.path);
    } else if (item == name && !out.empty() && (out.back() == "-l" || out.back() == "--library")) {
      out.back() = library.path;
    } else {
      out.push_back(item);
    }
  }
  return out;
}

/// A word that holds more than the library: an item of a `-Wl,` list, the rest of which stays, or
/// the value of an -Xlinker. Any other is left to the linker.
static void replaceItem(llvm::StringRef word, const LinkedLibrary &library, Edits &edits) {
  if (!llvm::StringRef(library.spelled).starts_with("-l"))
    return;
  auto earlier = edits.replace.find(library.word);
  std::string text = earlier != edits.replace.end() ? earlier->second.front() : word.str();
  bool list = llvm::StringRef(text).starts_with("-Wl,");
  if (list && llvm::StringRef(library.path).contains(','))
    return;
  llvm::SmallVector<llvm::StringRef, 8> items;
  if (list)
    llvm::StringRef(text).split(items, ',');
  else
    items.push_back(text);
  std::string edited = llvm::join(withPath(items, library), ",");
  if (edited != text)
    edits.replace[library.word] = {edited};
}

/// Behind clang's `--` every word is an input.
static bool endsOptions(const Invocation &call) {
  return llvm::any_of(call.words, [](const Word &word) { return word.text == "--"; });
}

Plan planLink(const LinkParts &parts) {
  Plan plan;
  plan.command = parts.command;
  Edits edits;
  if (!parts.noteObject.empty()) {
    if (!parts.call->givesBuildId)
      edits.prefix.push_back("-Wl,--build-id");
    passFileToLinker(edits.prefix, parts.noteObject);
    plan.reasons.push_back("manifest " + parts.noteObject);
  }
  if (!parts.recordHeader.empty() && !parts.call->danglingOption)
    edits.suffix.insert(edits.suffix.end(), {"-include", parts.recordHeader});
  if (!parts.call->staticLink) {
    addSearchPath(parts, edits, plan);
    addNeeded(parts, edits, plan);
    addLinkFolders(parts, edits);
  }
  for (const LinkedLibrary &library : parts.libraries) {
    if (!library.byPathOnly || library.path.empty())
      continue;
    if (library.shared) {
      replaceItem(parts.call->words[library.word].text, library, edits);
      continue;
    }
    passFileToLinker(edits.replace[library.word], library.path);
    // `-l X` is two words; the path stands for both.
    if (library.word > 0 && parts.call->words[library.word - 1].text == "-l")
      edits.drop.insert(library.word - 1);
    plan.reasons.push_back(fmt::format("{} is {}", library.spelled, library.path));
  }
  if (endsOptions(*parts.call)) {
    llvm::append_range(edits.prefix, edits.suffix);
    edits.suffix.clear();
  }
  edits.scratch = parts.scratch;
  apply(*parts.call, edits, plan.command.argv, &plan.files);
  plan.judgesOutput = true;
  return plan;
}

} // namespace cudacc::plan
