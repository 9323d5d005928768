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

/// The elements of \p ours that the command line does not have yet; the caller's keep their place
/// (R17).
static std::vector<std::string> missing(llvm::ArrayRef<std::string> ours,
                                        llvm::ArrayRef<std::string> theirs) {
  std::vector<std::string> left;
  for (const std::string &element : ours)
    if (!llvm::is_contained(theirs, element))
      left.push_back(element);
  return left;
}

/// A CMake build pads its search path with an empty element. At installation CMake removes all that
/// it put there, which may include an absolute element of ours (V14, V15).
static bool isReplaced(const LinkParts &parts) {
  return parts.declaration->layout.value.kind == Layout::System &&
         llvm::is_contained(parts.call->rpaths, "");
}

static void addSearchPath(const LinkParts &parts, Edits &edits, Plan &plan) {
  std::vector<std::string> elements =
      isReplaced(parts) ? parts.searchPath : missing(parts.searchPath, parts.call->rpaths);
  const auto &dtags = parts.declaration->dtags;
  llvm::StringRef flag = dtagsWord(*parts.declaration);
  // The last of the two flags wins in ld, so a default goes before the caller's arguments and a
  // declared value behind them, unless the last option there lacks its value (R41).
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
  // Some gcc pass --as-needed by default; --push-state restores that for the caller's libraries
  // (T1).
  edits.prefix.push_back("-Wl,--push-state,--no-as-needed");
  for (const std::string &file : parts.needed) {
    passFileToLinker(edits.prefix, file);
    plan.reasons.push_back("direct NEEDED on " + file);
  }
  edits.prefix.push_back("-Wl,--pop-state");
}

/// ld resolves the undefined symbols of a program's libraries, and follows their search paths for
/// that. Those paths are relative to where the libraries will be installed, and the driver, which
/// cuBLASMp needs, may not be installed here. -rpath-link, behind the caller's, adds nothing to the
/// output.
static void addLinkFolders(const LinkParts &parts, Edits &edits) {
  bool mayNeed = llvm::any_of(parts.call->linkInputs, [](const LinkInput &input) {
    return input.kind == LinkInput::Kind::Library || input.text.contains(".so");
  });
  if (mayNeed && !parts.call->shared && !parts.call->danglingOption)
    for (const std::string &folder : parts.linkFolders)
      passToLinker(edits.suffix, "-rpath-link", folder);
}

/// The items of a linker argument list with \p library replaced by its path: `-lX`, `--library=X`,
/// and the item pairs `-l,X` and `--library,X`.
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

/// Replaces the library within an argument: an item of a `-Wl,` list, whose other items stay, or
/// the value of an -Xlinker. All other arguments are left unchanged.
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

/// After clang's `--` every argument is an input.
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
    addRecord(*parts.call, parts.recordHeader, edits.suffix);
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
    // `-l X` is two arguments; the path replaces both.
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
