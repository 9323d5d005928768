// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/rules/Preloading.h"
#include "driver/support/Paths.h"
#include "driver/support/ShellWord.h"
#include "driver/tables/lookup/Opens.h"
#include "driver/versions/Format.h"
#include "driver/versions/Version.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

namespace cudacc::policy {

using namespace core;
using namespace support;
using namespace versions;
using llvm::StringRef;

/// Whether the library lies in `nvidia/cu13/lib`, the folder of another CUDA major.
static bool isOfOtherMajor(StringRef folder, unsigned major) {
  unsigned its = 0;
  return major && folder.consume_front("nvidia/cu") && folder.consume_back("/lib") &&
         !folder.getAsInteger(10, its) && its != major;
}

/// The path that a row's pattern finds; empty if none. A name is one of NVIDIA's libraries of the
/// environment, else any file of that name below `nvidia`, where such code searches: not the copy
/// in triton.
static std::string placeOf(StringRef pattern, const tables::Open &row, const PackageCase &file) {
  bool isPath = pattern.contains('/');
  unsigned major = row.where == tables::Where::OwnMajor ? file.major : 0;
  for (const InstalledLibrary &library : file.libraries) {
    std::string place = isPath ? support::joinPath(library.folder, library.soname) : library.soname;
    if (!library.bundled && !isOfOtherMajor(library.folder, major) &&
        tables::matchesPattern(pattern, place))
      return library.path;
  }
  for (const InstalledPackage *package : file.all)
    for (StringRef binary : package->binaries)
      if (isPath ? tables::matchesPattern(pattern, binary)
                 : binary.starts_with("nvidia/") &&
                       !isOfOtherMajor(support::parentOf(binary), major) &&
                       tables::matchesPattern(pattern, support::nameOf(binary)))
        return support::joinPath(package->site, binary);
  return {};
}

static UsedLibrary usedLibrary(const tables::Open &row, const InstalledPackage &package,
                               const PackageCase &file) {
  UsedLibrary used;
  used.isSearched = row.where == tables::Where::Search;
  for (StringRef pattern : row.opens) {
    if (used.isSearched) {
      used.names.push_back(pattern.str());
      continue;
    }
    if (std::string path = placeOf(pattern, row, file); !path.empty())
      used.names.push_back(std::move(path));
    // Such code falls back on the loader's own search.
    if (!pattern.contains('/') && !pattern.contains('*'))
      used.names.push_back(pattern.str());
  }
  used.library = support::nameOf(row.opens.front()).str();
  used.raises = row.raises;
  used.package = package.name;
  return used;
}

static void add(llvm::ArrayRef<tables::Open> rows, const InstalledPackage &package,
                const PackageCase &file, Preloading &preloading) {
  std::string self = support::joinPath(file.owner->site, file.path);
  for (const tables::Open &row : rows) {
    // Unverified rows neither accept nor reject a file.
    if (row.confidence == tables::Confidence::Unverified)
      continue;
    if (row.where == tables::Where::Modules) {
      llvm::append_range(preloading.frameworks, row.opens);
      continue;
    }
    if (row.when == tables::When::Use) {
      preloading.used.push_back(usedLibrary(row, package, file));
      continue;
    }
    bool isFallback = row.when == tables::When::FailedImport;
    std::vector<Preloaded> &steps = isFallback ? preloading.fallback : preloading.first;
    for (StringRef pattern : row.opens) {
      std::string path = placeOf(pattern, row, file);
      bool isKnown = path == self || llvm::any_of(steps, [&](const Preloaded &step) {
                       return step.path == path && step.isGlobal == row.isGlobal;
                     });
      if (!path.empty() && !isKnown)
        steps.push_back({std::move(path), row.isGlobal, package.name});
    }
  }
}

/// A package opens libraries from the same places for all its files.
static void addKnown(const InstalledPackage &package, const PackageCase &file,
                     Preloading &preloading) {
  for (const tables::Open &row : tables::allOpensOf(package.name, Version::parse(package.version)))
    for (StringRef pattern : row.opens) {
      if (row.confidence != tables::Confidence::Unverified)
        preloading.known.emplace_back(pattern.str(), placeOf(pattern, row, file));
    }
}

bool Preloading::isKnown(StringRef library) const {
  return llvm::any_of(known, [&](const auto &each) {
    return tables::matchesPattern(support::nameOf(each.first), library);
  });
}

bool Preloading::isKnownNotToOpen(StringRef library) const {
  return isKnown(library) && llvm::none_of(known, [&](const auto &each) {
           return support::nameOf(each.second) == library;
         });
}

Preloading preloadingOf(const PackageCase &file) {
  Preloading preloading;
  if (!file.owner)
    return preloading;
  for (const InstalledPackage *package : file.required) {
    add(tables::opensFor(package->name, Version::parse(package->version)), *package, file,
        preloading);
    addKnown(*package, file, preloading);
  }
  addKnown(*file.owner, file, preloading);
  add(tables::opensOf(file.owner->name, Version::parse(file.owner->version), file.path),
      *file.owner, file, preloading);
  return preloading;
}

static bool isModule(StringRef path) {
  StringRef name = support::nameOf(path);
  return pythonOfModule(name) || !name.starts_with("lib");
}

std::vector<std::string> siblingsOf(const PackageCase &file) {
  std::vector<std::string> siblings;
  if (!file.owner)
    return siblings;
  for (const std::string &binary : file.owner->binaries)
    if (binary != file.path)
      siblings.push_back(binary);
  llvm::stable_sort(siblings,
                    [](StringRef one, StringRef other) { return isModule(one) > isModule(other); });
  for (std::string &binary : siblings)
    binary = support::joinPath(file.owner->site, binary);
  return siblings;
}

std::string moduleOf(const InstalledPackage &package) {
  std::map<StringRef, unsigned> counts;
  for (StringRef source : package.sources)
    if (auto [folder, rest] = source.split('/'); !rest.empty())
      ++counts[folder];
  auto most = llvm::max_element(
      counts, [](const auto &one, const auto &other) { return one.second < other.second; });
  return most == counts.end() ? "" : most->first.str();
}

bool isForWantOf(const Finding &finding, StringRef library) {
  return info(finding.code).codeClass == CodeClass::Reject && finding.severity == Severity::Error &&
         finding.library == library;
}

static Finding byPackage(std::string message, std::string source, StringRef package,
                         StringRef library, StringRef words, StringRef file, StringRef module,
                         llvm::ArrayRef<std::string> paths) {
  Finding finding = makeFinding(Code::LoadedByPackage, std::move(message));
  finding.library = library.str();
  finding.addFact("loader", words.str());
  finding.addFact("package", package.str());
  finding.addFact("source", std::move(source));
  if (!module.empty())
    finding.addFix(fmt::format("see what it does: cuda-cc trace -- python -c 'import {}'", module));
  std::string before;
  for (const std::string &path : paths)
    before += " --before " + shellWord(path);
  if (!paths.empty() && !file.empty())
    finding.addFix(
        fmt::format("name what is loaded before: cuda-cc doctor {}{}", shellWord(file), before));
  return finding;
}

Finding loadedByPackage(const LibraryCall &call, StringRef package, StringRef library,
                        StringRef words, StringRef file, StringRef module,
                        llvm::ArrayRef<std::string> paths) {
  return byPackage(
      fmt::format("{} is opened by the package itself", library),
      fmt::format("{}:{}: {}{}", call.file, call.line, call.text,
                  call.function.empty() ? "" : fmt::format(", in {}()", call.function)),
      package, library, words, file, module, paths);
}

Finding maybeLoadedByPackage(StringRef why, StringRef package, StringRef library, StringRef words,
                             StringRef file, StringRef module, llvm::ArrayRef<std::string> paths) {
  return byPackage(fmt::format("{} may be opened by the package itself", library), why.str(),
                   package, library, words, file, module, paths);
}

} // namespace cudacc::policy
