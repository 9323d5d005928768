// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/advice/RuntimeFixes.h"
#include "driver/policy/advice/Versions.h"
#include "driver/policy/advice/Words.h"
#include "driver/policy/rules/BinaryCase.h"
#include "driver/support/Demangled.h"
#include "driver/tables/lookup/Libraries.h"
#include "driver/tables/lookup/Providers.h"
#include "driver/tables/lookup/Symbols.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::policy {

using namespace core;
using namespace versions;
using llvm::StringRef;
using tables::SymbolTable;

namespace {

using Names = std::vector<StringRef>;

/// The symbols of one library that the runtime lacks, by the rule they break, or for which that is
/// not known.
struct Missing {
  /// nvJitLink's names whose suffix is newer than the runtime's library (SY-3).
  Names newer;
  Names others;
  /// Removed: older versions exported them.
  Names gone;
  Names unknown;
  /// A library that could not be read may define them; `guessed` were attributed by their prefix
  /// only.
  Names elsewhere, guessed;

  bool none() const {
    return newer.empty() && others.empty() && gone.empty() && unknown.empty() &&
           elsewhere.empty() && guessed.empty();
  }
};

CudaVersion reachOf(const BinaryCase &judged, const TargetLibrary &library) {
  return library.cuda.known() ? library.cuda : judged.target.line;
}

/// Whether another library of the runtime exports the name. For imports attributed by name only.
bool elsewhere(const BinaryCase &judged, const LibraryImports::Name &name) {
  for (StringRef soname : tables::sonamesExporting(name.symbol, judged.target.line.major))
    if (const TargetLibrary *library = judged.target.find(soname))
      if (exportedByRuntime(judged, *library, name) == Exported::Yes)
        return true;
  return false;
}

/// What a file NEEDs, as far as it can define unversioned names.
class NeededLibraries {
public:
  explicit NeededLibraries(const BinaryCase &judged) : judged(judged) {
    for (const std::string &needed : judged.file.needed) {
      if (const TargetLibrary *library = judged.target.find(needed))
        ofRuntime.push_back(library);
      areKnown &= isNvidiaLibrary(needed) || isSystemLibrary(needed);
    }
  }

  /// Whether another library of the process defines an unversioned name.
  Exported define(const LibraryImports::Name &name) const {
    for (const TargetLibrary *library : ofRuntime)
      if (exportedByRuntime(judged, *library, name) == Exported::Yes)
        return Exported::Yes;
    if (auto others = cudacc::policy::definedByOthers(judged, name.symbol))
      return *others;
    return areKnown ? Exported::No : Exported::Unknown;
  }

private:
  const BinaryCase &judged;
  std::vector<const TargetLibrary *> ofRuntime;
  bool areKnown = true;
};

/// The version that removed the symbol; empty if it was not removed.
std::string goneFrom(const BinaryCase &judged, StringRef soname, StringRef symbol) {
  auto known = tables::libraryByFileName(soname);
  return known ? goneSince(known->name, judged.target.line.major, symbol) : "";
}

Missing missingOf(const BinaryCase &judged, const LibraryImports &imports,
                  const TargetLibrary &library) {
  using Because = LibraryImports::Because;
  Missing missing;
  NeededLibraries needed(judged);
  CudaVersion has = reachOf(judged, library);
  for (const LibraryImports::Name &name : imports.names) {
    Exported answer = exportedByRuntime(judged, library, name);
    if (answer == Exported::Yes || (!imports.named && elsewhere(judged, name)))
      continue;
    bool isSure = name.because == Because::Exported;
    // NVIDIA's own libraries run in processes that define their unresolved symbols.
    Exported others = isSure ? Exported::No : judged.ofNvidia ? Exported::Yes : needed.define(name);
    if (others == Exported::Yes)
      continue;
    auto suffix = tables::nvJitLinkSuffix(name.symbol);
    if (others == Exported::Unknown) {
      (name.because == Because::Fashion ? missing.guessed : missing.elsewhere)
          .push_back(name.symbol);
      continue;
    }
    if (answer != Exported::No && !(suffix && *suffix > has))
      missing.unknown.push_back(name.symbol);
    else if (suffix && exceeds(*suffix, has))
      missing.newer.push_back(name.symbol);
    else if (!goneFrom(judged, imports.soname, name.symbol).empty())
      missing.gone.push_back(name.symbol);
    else
      missing.others.push_back(name.symbol);
  }
  for (Names *names : {&missing.newer, &missing.others, &missing.gone, &missing.unknown,
                       &missing.elsewhere, &missing.guessed})
    llvm::sort(*names);
  return missing;
}

std::string versionOf(const TargetLibrary &library) {
  if (library.version.release.empty())
    return library.dist.empty() ? "of unknown version"
                                : fmt::format("{} of unknown version", library.dist);
  return library.dist.empty() ? library.version.str()
                              : fmt::format("{} {}", library.dist, library.version);
}

std::string hasText(const TargetLibrary &library) {
  std::string text = fmt::format("{}, {}", versionOf(library), library.origin);
  return library.path.empty() ? text : fmt::format("{}, at {}", text, library.path);
}

/// The versions that export all names.
struct FirstIn {
  /// "12.5", "9.2, and 9.5 on"; empty if no opened version does.
  std::string text;
  /// CUDA line of the version that `text` begins with; 0.0 for libraries outside the toolkit.
  CudaVersion since;
};

FirstIn firstIn(const BinaryCase &judged, const TargetLibrary &library, const Names &names) {
  FirstIn first;
  auto table = SymbolTable::find(library.soname, judged.target.line.major, library.dist);
  VersionRuns runs = table ? runsWith(*table, names) : VersionRuns();
  if (runs.empty())
    return first;
  first.text = describe(*table, runs);
  first.since = table->at(runs.front().first).toolkit;
  return first;
}

/// What pip is asked for a version of the library that has all names; empty if there is none.
StringRef wheelServing(BinaryCase &judged, const TargetLibrary &library) {
  for (const LibraryFloor &floor : floorsFor(judged))
    if (floor.soname == library.soname)
      return floor.requirement;
  return "";
}

std::string toolkitWay(const BinaryCase &judged) {
  CudaVersion line = judged.target.line;
  return fmt::format("use a CUDA toolkit <= {}{}", line, nearbyText(judged.lookAround, line));
}

/// Adds fixes, best first: at a link another toolkit can be used, a finished file needs another
/// runtime.
void addWays(BinaryCase &judged, const TargetLibrary &library, const FirstIn &first,
             Finding &finding) {
  // In an environment a single wheel can be replaced.
  if (StringRef wheel = wheelServing(judged, library); !library.path.empty() && !wheel.empty())
    finding.addFix(fmt::format("pip install '{}'", wheel));
  if (judged.ofNvidia)
    return;
  auto accepts = [&](StringRef requirement) { return judged.accepts(requirement); };
  auto serving =
      runtimeServing(judged.target, floorsFor(judged), judged.target.line.major, accepts);
  std::string runtime = serving ? judged.textOf(*serving) : "";
  bool isLater = first.since.known() && exceeds(first.since, reachOf(judged, library));
  if (runtime.empty() && isLater && accepts(fmt::format("cuda=={}", first.since)))
    runtime = fmt::format("raise the runtime to cuda=={}", first.since);
  std::string build;
  std::string gone = goneFrom(judged, library.soname, finding.symbol);
  if (StringRef by = tables::replacementOf(finding.symbol); !gone.empty() && !by.empty())
    build = fmt::format("build with {} instead of {}", by, finding.symbol);
  else if (!gone.empty())
    build = fmt::format("build without {}, which later versions dropped", finding.symbol);
  else if (isLater)
    build = toolkitWay(judged);
  else if (!library.version.release.empty())
    build = fmt::format("build with {} <= {}", library.dist.empty() ? library.soname : library.dist,
                        library.version);
  if (!runtime.empty() && !judged.input.atLink)
    finding.addFix(runtime);
  if (!build.empty())
    judged.forBuilders(finding, build);
  if (!runtime.empty() && judged.input.atLink)
    finding.addFix(runtime);
  if (judged.input.atLink)
    finding.addFix("set enforce = \"warn\" to build anyway; the manifest records it");
}

/// The installed version exports the names according to the tables, but the file does not: another
/// file was copied over it, which the metadata does not show.
bool isReplaced(const BinaryCase &judged, const TargetLibrary &library, const Names &names) {
  TargetLibrary asListed = library;
  asListed.path.clear();
  return llvm::all_of(names, [&](StringRef symbol) {
    return exportedByRuntime(judged, asListed, {symbol, ""}) == Exported::Yes;
  });
}

void report(BinaryCase &judged, const TargetLibrary &library, Code code, const Names &names) {
  std::string what = code == Code::NvJitLinkNewer ? "the runtime's nvJitLink" : library.soname;
  Finding &finding =
      judged.addAbout(code, fmt::format("{} lacks {}", what, support::nameInTitle(names.front())),
                      library.soname, library.origin, names);
  FirstIn first = firstIn(judged, library, names);
  std::string gone = goneFrom(judged, library.soname, finding.symbol);
  if (!gone.empty()) {
    finding.addFact("gone since", gone);
    if (StringRef by = tables::replacementOf(finding.symbol); !by.empty())
      finding.addFact("instead", by.str());
  } else if (!first.text.empty()) {
    std::string text = first.text;
    if (first.since.known() && !llvm::StringRef(text).starts_with(first.since.str()))
      text += fmt::format(" (CUDA {})", first.since);
    finding.addFact("first in", text);
  } else {
    finding.addFact("first in", "no version that is known");
  }
  finding.addFact("has", hasText(library));
  if (StringRef wheel = wheelServing(judged, library); !wheel.empty())
    finding.addFact("needs", wheel.str());
  finding.addFact("runtime", judged.target.describe());
  if (isReplaced(judged, library, names)) {
    finding.addFact("because", "the file was replaced: that version has it");
    finding.addFix(reinstalling(library));
  } else {
    addWays(judged, library, first, finding);
  }
  if (!judged.isLinked()) {
    finding.severity = Severity::Warning;
    finding.addFact("but", "not linked yet: a static library may contain it");
  }
}

void reportUnknown(BinaryCase &judged, const TargetLibrary &library, const Names &names) {
  Finding &finding = judged.addAbout(Code::NoExportList,
                                     fmt::format("not known whether {} has {}", library.soname,
                                                 support::nameInTitle(names.front())),
                                     library.soname, library.origin, names);
  finding.addFact("has", hasText(library));
  auto table = SymbolTable::find(library.soname, judged.target.line.major, library.dist);
  if (!library.path.empty())
    finding.addFact("because", "the file's own tables could not be read");
  else if (!table)
    finding.addFact("because", "no version of this library was read");
  else
    finding.addFact("because",
                    fmt::format("the tables have {} to {}; they do not prove it",
                                table->at(0).version, table->at(table->size() - 1).version));
  if (judged.target.sitePackages.empty())
    finding.addFix("declare the environment itself, env:PATH: the installed file decides");
  else
    finding.addFix(reinstalling(library));
  if (!judged.isLinked())
    finding.severity = Severity::Warning;
}

/// Reports names that the runtime's library lacks but that a library which could not be read may
/// define.
void reportElsewhere(BinaryCase &judged, const TargetLibrary &library, const Names &names,
                     bool isGuess) {
  Finding &finding = judged.addAbout(
      Code::NoExportList,
      fmt::format("not known whether anything defines {}", support::nameInTitle(names.front())),
      library.soname, library.origin, names);
  finding.addFact("lacks it", fmt::format("{} ({})", library.soname, hasText(library)));
  Names unread;
  for (StringRef needed : judged.file.needed)
    if (!isNvidiaLibrary(needed) && !isSystemLibrary(needed))
      unread.push_back(needed);
  finding.addFact("because", "not read, and may define it: " + listOf(unread));
  if (judged.target.sitePackages.empty())
    finding.addFix("declare the environment itself, env:PATH: the installed files decide");
  if (isGuess || !judged.isLinked())
    finding.severity = Severity::Warning;
}

/// Names that compilers generate for an object and that no library has: an object is not in the
/// link.
void judgeGenerated(BinaryCase &judged) {
  if (!judged.isLinked() || judged.ofNvidia)
    return;
  NeededLibraries needed(judged);
  std::map<StringRef, std::pair<tables::GeneratedName, Names>> missing, unknown;
  for (const Import &import : judged.file.imports) {
    auto name = import.weak ? std::nullopt : tables::generatedName(import.symbol);
    if (!name || !name->ofObject)
      continue;
    Exported others = needed.define({import.symbol, import.version});
    if (others == Exported::Yes)
      continue;
    auto &group = others == Exported::No ? missing : unknown;
    group.try_emplace(name->means, *name, Names()).first->second.second.push_back(import.symbol);
  }
  for (auto *groups : {&missing, &unknown})
    for (auto &[means, group] : *groups) {
      auto &[name, symbols] = group;
      llvm::sort(symbols);
      bool isSure = groups == &missing;
      Finding &finding =
          judged.addAbout(isSure ? Code::SymbolMissing : Code::NoExportList,
                          isSure ? means.str()
                                 : fmt::format("not known whether anything defines {}",
                                               support::nameInTitle(symbols.front())),
                          "", "", symbols);
      if (symbols.size() == 1)
        finding.addFact("symbol", finding.symbol);
      if (!isSure)
        finding.addFact("if nothing does", means.str());
      finding.addFact("because", name.because.str());
      judged.forBuilders(finding, name.fix.str());
      if (!name.also.empty())
        judged.forBuilders(finding, name.also.str());
    }
}

/// Reports names of a library that the file does not NEED: whoever loads the file must load the
/// library first.
void reportUnneeded(BinaryCase &judged, const LibraryImports &imports) {
  if (!judged.isLinked() || judged.ofNvidia)
    return;
  Finding &finding =
      judged.add(Code::NotFound, imports.soname + " is used and not NEEDED by the file");
  finding.severity =
      judged.inFramework || judged.input.atLink ? Severity::Remark : Severity::Warning;
  finding.library = imports.soname;
  finding.symbol = imports.names.front().symbol;
  finding.addFact("symbol", finding.symbol);
  finding.addFact("because", "the loader binds it only if something else has loaded it");
  judged.forBuilders(finding, "link against " + imports.soname);
}

/// The imports without those that have only the form of the library's names and that another
/// library may define.
LibraryImports withoutGuesses(const BinaryCase &judged, LibraryImports imports) {
  NeededLibraries needed(judged);
  llvm::erase_if(imports.names, [&](const LibraryImports::Name &name) {
    return name.because == LibraryImports::Because::Fashion && needed.define(name) != Exported::No;
  });
  return imports;
}

} // namespace

void judgeImports(BinaryCase &judged) {
  judgeGenerated(judged);
  for (const LibraryImports &imports : judged.imports) {
    if (tables::isDriverLibrary(imports.soname)) {
      judgeDriverImports(judged, withoutGuesses(judged, imports));
      continue;
    }
    const TargetLibrary *library = judged.target.find(imports.soname);
    // Libraries without a row were already reported.
    if (!library)
      continue;
    Missing missing = missingOf(judged, imports, *library);
    if (!missing.newer.empty())
      report(judged, *library, Code::NvJitLinkNewer, missing.newer);
    if (!missing.others.empty())
      report(judged, *library, Code::ImportMissing, missing.others);
    if (!missing.gone.empty())
      report(judged, *library, Code::ImportMissing, missing.gone);
    if (!missing.unknown.empty())
      reportUnknown(judged, *library, missing.unknown);
    if (!missing.elsewhere.empty())
      reportElsewhere(judged, *library, missing.elsewhere, false);
    if (!missing.guessed.empty())
      reportElsewhere(judged, *library, missing.guessed, true);
    if (!imports.named && missing.none())
      reportUnneeded(judged, imports);
  }
}

} // namespace cudacc::policy
