// SPDX-License-Identifier: Apache-2.0
#include "driver/support/Paths.h"
#include "driver/tables/lookup/Libraries.h"
#include "driver/versions/Format.h"
#include "plugins/audit/Findings.h"

namespace cudacc::audit {

using namespace core;
using namespace versions;
using llvm::StringRef;

using Elements = std::vector<std::string>;

static Elements elementsOf(StringRef path) {
  Elements out;
  for (StringRef element : llvm::split(path, ':'))
    if (!element.empty())
      out.push_back(element.str());
  return out;
}

/// Position of \p part in \p path as whole elements; npos if it is not there.
static size_t findElements(StringRef path, StringRef part) {
  for (size_t at = path.find(part); at != StringRef::npos; at = path.find(part, at + 1)) {
    size_t end = at + part.size();
    bool begins = at == 0 || path[at - 1] == ':' || part.starts_with(":");
    bool ends = end == path.size() || path[end] == ':' || part.ends_with(":");
    if (begins && ends)
      return at;
  }
  return StringRef::npos;
}

static Elements editedByElement(llvm::ArrayRef<std::string> elements, const PathEdit &edit) {
  Elements out = elementsOf(edit.to), dropped = elementsOf(edit.from);
  for (const std::string &each : elements) {
    bool isPadding = llvm::all_of(each, [&](char c) { return c == edit.padding; });
    if (!isPadding && !llvm::is_contained(dropped, each) && !llvm::is_contained(out, each))
      out.push_back(each);
  }
  return out;
}

std::optional<Elements> installedPath(llvm::ArrayRef<std::string> elements, const PathEdit &edit) {
  if (edit.replacesAll)
    return elementsOf(edit.to);
  if (edit.byElement)
    return editedByElement(elements, edit);
  std::string path = llvm::join(elements, ":");
  size_t at = findElements(path, edit.from);
  if (at == StringRef::npos) {
    // Without the colons that pad the old path to the length of the new one, the file was linked
    // with no path of the build system's. Nothing is found then, and the installation stops, unless
    // the new path is there already.
    Elements wanted = elementsOf(edit.to);
    bool isThere = llvm::all_of(
        wanted, [&](const std::string &each) { return llvm::is_contained(elements, each); });
    if (!isThere)
      return std::nullopt;
    return elementsOf(path);
  }
  std::string rest = path.substr(at + edit.from.size());
  if (edit.dropsRest)
    return elementsOf(edit.to);
  return elementsOf(fmt::format("{}:{}:{}", path.substr(0, at), edit.to, rest));
}

/// Folders of wheels that hold the libraries the file needs, `nvidia/cu13/lib`.
static Elements runtimeFolders(const BinaryFacts &facts) {
  Elements out;
  for (const LinkRecord &link : facts.manifest.links)
    for (const auto &[soname, text] : link.targetLibs)
      for (unsigned major : tables::majorsOf(soname)) {
        auto version = Version::parse(text);
        StringRef dist = tables::distOf(soname, major);
        if (!version || dist.empty())
          continue;
        if (StringRef folder = tables::folderOf(soname, dist, *version); !folder.empty())
          out.push_back(fmt::format("/{}", folder));
      }
  return out;
}

static bool isRelative(StringRef element) {
  return element.starts_with("$ORIGIN") || element.starts_with("${ORIGIN}");
}

/// Elements below $ORIGIN that lead to the runtime: those that end in folders of wheels; if there
/// are none, those that the build system did not add.
static Elements ours(const BinaryFacts &facts, const Elements &built, StringRef from) {
  Elements folders = runtimeFolders(facts), theirs = elementsOf(from), byFolder, others;
  for (const std::string &element : built) {
    if (!isRelative(element))
      continue;
    if (llvm::any_of(folders,
                     [&](StringRef folder) { return StringRef(element).ends_with(folder); }))
      byFolder.push_back(element);
    else if (!llvm::is_contained(theirs, element))
      others.push_back(element);
  }
  return byFolder.empty() ? others : byFolder;
}

/// Whether the folder is one of this machine only: of the build, the toolkit, the toolchain
/// directory, or one from which NVIDIA's libraries were linked.
static bool isLocal(const Findings &out, const BuildTarget &target, StringRef element) {
  if (support::isBelow(element, out.model.build) || support::isBelow(element, out.directory))
    return true;
  for (const Toolchain &toolchain : out.model.toolchains)
    if (support::isBelow(element, toolchain.root))
      return true;
  return llvm::any_of(target.linkWords, [&](StringRef word) {
    return word.starts_with("/") && isNvidia(word) &&
           word.substr(0, word.rfind('/')) == element.rtrim('/');
  });
}

static void auditEdit(Findings &out, const BuildTarget &target, const BinaryFacts &facts,
                      const PathEdit *edit) {
  const Elements &built = facts.searchPath();
  Elements after = elementsOf(llvm::join(built, ":"));
  if (edit) {
    auto installed = installedPath(built, *edit);
    if (!installed)
      return;
    after = std::move(*installed);
    Elements lost;
    for (const std::string &element : ours(facts, built, edit->from))
      if (!llvm::is_contained(after, element))
        lost.push_back(element);
    if (!lost.empty() && !facts.manifest.links.empty())
      out.add(Code::InstallDropsPath, &target, "install", "install drops " + llvm::join(lost, ":"),
              FixKind::KeepPath,
              {{"built", llvm::join(built, ":")},
               {"installed", after.empty() ? "no search path" : llvm::join(after, ":")}});
  }
  Elements local;
  for (const std::string &element : after)
    if (StringRef(element).starts_with("/") && isLocal(out, target, element))
      local.push_back(element);
  if (!local.empty())
    out.add(Code::InstallAbsolute, &target, "install", "install leaves " + llvm::join(local, ":"),
            FixKind::DropAbsolute, {{"installed", llvm::join(after, ":")}});
}

void auditInstallation(Findings &out, const BuildTarget &target, const BinaryFacts &facts,
                       llvm::ArrayRef<const PathEdit *> edits) {
  if (target.destinations.empty())
    return;
  for (const PathEdit *edit : edits)
    auditEdit(out, target, facts, edit);
  if (edits.empty())
    auditEdit(out, target, facts, nullptr);
}

} // namespace cudacc::audit
