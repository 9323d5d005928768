// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/rules/JudgeBinary.h"
#include "driver/policy/advice/RuntimeSubstitute.h"
#include "driver/policy/rules/BinaryCase.h"
#include "driver/policy/rules/LoadFailure.h"
#include "driver/support/Demangled.h"
#include "driver/support/Paths.h"
#include "driver/tables/lookup/Libraries.h"
#include "driver/tables/lookup/Symbols.h"
#include "driver/tables/lookup/Torch.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::policy {

using namespace core;
using namespace versions;
using llvm::StringRef;

Finding &BinaryCase::add(Code code, std::string message) {
  Finding &finding = ++counts[code] > most ? beyond : findings.emplace_back();
  return finding = makeFinding(code, std::move(message));
}

Finding &BinaryCase::addAbout(Code code, std::string message, StringRef library, StringRef origin,
                              llvm::ArrayRef<StringRef> names) {
  Finding &finding = add(code, std::move(message));
  finding.library = library.str();
  finding.origin = origin.str();
  finding.symbol = names.empty() ? "" : names.front().str();
  if (names.size() > 1)
    finding.addFact("symbols", listOf(names));
  else if (support::isMangled(finding.symbol))
    finding.addFact("symbol", finding.symbol);
  return finding;
}

bool BinaryCase::rejected() const {
  return llvm::any_of(findings, [](const Finding &finding) {
    return finding.severity == Severity::Error && info(finding.code).codeClass == CodeClass::Reject;
  });
}

bool BinaryCase::isLinked() const {
  return file.kind != BinaryKind::Relocatable && file.kind != BinaryKind::Archive &&
         file.kind != BinaryKind::DeviceCode;
}

bool BinaryCase::accepts(StringRef requirement) {
  if (!input.otherRuntimes)
    return false;
  auto [it, isNew] = tried.try_emplace(requirement.str(), false);
  if (!isNew)
    return it->second;
  std::optional<Target> other = substituteRuntime(target, requirement);
  return it->second = other && areAccepted(input.otherRuntimes->judge(*other));
}

std::string BinaryCase::textOf(const RuntimeFix &fix) {
  return input.package.empty() || fix.pip.empty() ? fix.text : fix.pip;
}

void BinaryCase::forBuilders(Finding &finding, std::string fix) {
  if (input.package.empty() || findings.empty() || &finding != &findings.back())
    finding.addFix(std::move(fix));
  else
    builders[findings.size() - 1].push_back(std::move(fix));
}

/// Whether a build of the package for another CUDA would serve. It would not where the library is
/// there and not reached, or is the package's own.
static bool isOfOtherCuda(const BinaryCase &judged, const Finding &finding) {
  if (finding.code != Code::NotFound)
    return true;
  auto majors = tables::majorsOf(finding.library);
  return !majors.empty() && !judged.target.find(finding.library);
}

static void addPackage(BinaryCase &judged) {
  for (auto &[index, fixes] : judged.builders) {
    const Finding &finding = judged.findings[index];
    std::vector<std::string> &all = judged.findings[index].fixes;
    if (isOfOtherCuda(judged, finding))
      llvm::append_range(all, fixesOfPackage(judged.input.package, judged.target.line));
    else
      all.push_back(
          fmt::format("ask the maintainers of {} to mend its search path", judged.input.package));
    for (std::string &fix : fixes)
      all.push_back("build it again: " + std::move(fix));
  }
}

std::string ungrafted(StringRef name) {
  auto [stem, rest] = name.split('.');
  auto [base, hash] = stem.rsplit('-');
  bool hashed = base.starts_with("lib") && hash.size() == 8 && !rest.empty() &&
                llvm::all_of(hash, [](char each) { return llvm::isHexDigit(each); });
  return hashed ? fmt::format("{}.{}", base, rest) : "";
}

bool isNvidiaLibrary(StringRef soname) { return tables::libraryByFileName(soname).has_value(); }

bool isSystemLibrary(StringRef soname) {
  static constexpr StringRef names[] = {
      "libc",      "libm",    "libdl",    "libpthread", "librt",       "libutil", "libresolv",
      "libanl",    "libmvec", "libgcc_s", "libstdc++",  "libgfortran", "libgomp", "libquadmath",
      "libatomic", "libitm",  "libc++",   "libc++abi",  "libunwind",   "libnsl"};
  StringRef stem = soname.split(".so").first;
  return soname.starts_with("ld-linux") || stem.starts_with("libpython") ||
         llvm::is_contained(names, stem);
}

Exported exportedByRuntime(const BinaryCase &judged, const TargetLibrary &library,
                           const LibraryImports::Name &name) {
  if (!library.path.empty())
    return judged.input.exports->exported(library.path, name.symbol, name.node);
  auto table = tables::SymbolTable::find(library.soname, judged.target.line.major, library.dist);
  return table ? table->exported(library.version, name.symbol, judged.file.machine)
               : Exported::Unknown;
}

int depthToSearch(const BinaryCase &judged) {
  if (std::optional<int> depth = depthOf(judged))
    return *depth;
  StringRef place = installedAt(judged);
  return place.empty() ? 1 : int(place.count('/'));
}

std::optional<int> depthOf(StringRef path, const Target &target) {
  size_t member = path.rfind('!');
  if (member != StringRef::npos) {
    StringRef name = path.substr(member + 1);
    // `x-1.data/platlib/` is the root too.
    return int(name.count('/')) - (name.split('/').first.ends_with(".data") ? 2 : 0);
  }
  for (StringRef root : target.sitePackages)
    if (StringRef rest = support::pathBelow(path, root); !rest.empty())
      return int(rest.count('/'));
  return std::nullopt;
}

llvm::ArrayRef<LibraryFloor> floorsFor(BinaryCase &judged) {
  if (judged.input.floors)
    return *judged.input.floors;
  if (!judged.floors) {
    unsigned major = majorOf(judged.file);
    judged.floors = floorsOf(judged.file, major ? major : judged.target.line.major);
  }
  return *judged.floors;
}

std::string searchedText(const LoadResult &load) {
  std::vector<StringRef> folders;
  for (StringRef folder : load.searched)
    if (!llvm::is_contained(folders, folder))
      folders.push_back(folder);
  return folders.empty() ? "no directory" : llvm::join(folders, ", ");
}

std::string listOf(llvm::ArrayRef<StringRef> names) {
  constexpr size_t shown = 512;
  std::string text = llvm::join(names.take_front(shown), ", ");
  return names.size() <= shown ? text : fmt::format("{}, and {} more", text, names.size() - shown);
}

static bool usesCuda(const BinaryFacts &file) {
  return !file.device.empty() || isNvidiaLibrary(file.soname) ||
         llvm::any_of(file.needed, [](const std::string &name) {
           return isNvidiaLibrary(name) || tables::isTorchLibrary(name);
         });
}

Exported definedBy(Exports &exports, const Others &others, StringRef symbol) {
  Exported answer = others.isComplete ? Exported::No : Exported::Unknown;
  for (const std::string &path : others.paths) {
    Exported here = exports.exported(path, symbol, "");
    if (here == Exported::Yes)
      return here;
    if (here == Exported::Unknown)
      answer = here;
  }
  return answer;
}

std::optional<Exported> definedByOthers(const BinaryCase &judged, StringRef symbol) {
  if (const auto &unbound = judged.input.unbound) {
    if (unbound->empty())
      return Exported::Yes;
    return llvm::is_contained(*unbound, symbol) ? Exported::No : Exported::Unknown;
  }
  if (!judged.input.others)
    return std::nullopt;
  return definedBy(*judged.input.exports, *judged.input.others, symbol);
}

Exported definedBesideTorch(const BinaryCase &judged, StringRef symbol) {
  if (judged.input.besideTorch)
    return definedBy(*judged.input.exports, *judged.input.besideTorch, symbol);
  bool areKnown = llvm::all_of(judged.file.needed, [](StringRef needed) {
    return isNvidiaLibrary(needed) || isSystemLibrary(needed) || tables::isTorchLibrary(needed);
  });
  return areKnown ? Exported::No : Exported::Unknown;
}

/// Drops imports that were attributed to NVIDIA by name only and that another library of the
/// process defines.
static void dropDefined(BinaryCase &judged) {
  for (LibraryImports &imports : judged.imports)
    llvm::erase_if(imports.names, [&](const LibraryImports::Name &name) {
      return name.node.empty() && definedByOthers(judged, name.symbol) == Exported::Yes;
    });
  llvm::erase_if(judged.imports,
                 [](const LibraryImports &imports) { return imports.names.empty(); });
}

/// Adds the number of findings that were only counted to the last finding of their code.
static void sayWhatIsBeyond(BinaryCase &judged) {
  for (const auto &[code, count] : judged.counts) {
    if (count <= BinaryCase::most)
      continue;
    auto last = llvm::find_if(llvm::reverse(judged.findings),
                              [code = code](const Finding &each) { return each.code == code; });
    last->addFact("and", fmt::format("{} more of this kind", count - BinaryCase::most));
  }
}

std::vector<Finding> judgeBinary(const FileCase &input, LookAround lookAround) {
  const BinaryFacts &file = *input.facts;
  auto serving = [&] {
    std::vector<FoundToolkit> toolkits = lookAround();
    llvm::erase_if(toolkits,
                   [&](const FoundToolkit &each) { return !buildsFor(each, file.machine); });
    return toolkits;
  };
  BinaryCase judged{file, *input.target, input, serving, {}};
  if (!file.notAudited.empty()) {
    judged.add(Code::BrokenBinary, "not audited: " + file.notAudited);
    return std::move(judged.findings);
  }
  if (std::optional<Finding> failure = kindFailure(file)) {
    judged.findings.push_back(std::move(*failure));
    return std::move(judged.findings);
  }
  if (usesCuda(file) && isOtherMachine(*input.target, file.machine)) {
    // For another machine no other rule can be applied.
    judged.findings.push_back(otherMachine(*input.target, file.machine, "the file"));
    return std::move(judged.findings);
  }
  judged.ofNvidia = isNvidiaLibrary(file.soname);
  // In an environment without torch the file cannot rely on torch being loaded first.
  bool canHaveTorch = judged.target.sitePackages.empty() || !judged.target.torch.empty();
  judged.inFramework =
      canHaveTorch && (input.afterTorch || llvm::any_of(file.needed, tables::isTorchLibrary));
  if (judged.target.declared) {
    judged.imports = importsByLibrary(file, judged.target.line.major, input.target);
    dropDefined(judged);
    judgeNeeds(judged);
    judgeImports(judged);
    judgeTorchNames(judged);
    judgeCouplings(judged);
    judgeDriver(judged);
    judgeCoverage(judged);
    judgeLto(judged);
  }
  judgeDevice(judged);
  if (input.load)
    judgeLoading(judged);
  judgePathEntries(judged);
  judgeIntegrity(judged);
  judgeStableAbi(judged);
  addPackage(judged);
  sayWhatIsBeyond(judged);
  return std::move(judged.findings);
}

} // namespace cudacc::policy
