// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/rules/Imports.h"
#include "driver/tables/lookup/Libraries.h"
#include "driver/tables/lookup/Providers.h"
#include "driver/tables/lookup/Symbols.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <set>

namespace cudacc::policy {

using namespace core;
using namespace versions;
using llvm::StringRef;

namespace {

/// One of NVIDIA's libraries in NEEDED.
struct Candidate {
  StringRef soname, stem;
  std::optional<tables::SymbolTable> table;
};

/// A file may NEED any number of libraries; those without a table differ only by their stem.
std::vector<Candidate> candidatesOf(const BinaryFacts &file, unsigned major) {
  std::vector<Candidate> candidates;
  std::set<StringRef> seen;
  for (StringRef needed : file.needed) {
    auto known = tables::libraryByFileName(needed);
    if (!known)
      continue;
    auto table = tables::SymbolTable::find(needed, major);
    if (seen.insert(table ? needed : known->name).second)
      candidates.push_back({needed, known->name, std::move(table)});
  }
  return candidates;
}

/// Whether the name has one of NVIDIA's prefixes. Some of NVIDIA's libraries export names of other
/// libraries (nvblas those of BLAS), so without a NEEDED library only such a name identifies
/// NVIDIA's.
bool soundsLikeNvidia(StringRef symbol) {
  symbol = symbol.ltrim('_');
  return symbol.starts_with("cu") || symbol.starts_with("nv") || symbol.starts_with("nccl");
}

class Attribution {
public:
  Attribution(const BinaryFacts &file, unsigned major, const Target *target)
      : major(major), target(target), candidates(candidatesOf(file, major)) {
    for (const Import &import : file.imports)
      if (!import.weak)
        add(import);
  }

  std::vector<LibraryImports> take() {
    std::vector<LibraryImports> all;
    for (auto &[soname, group] : groups) {
      group.soname = soname;
      all.push_back(std::move(group));
    }
    return all;
  }

private:
  using Because = LibraryImports::Because;

  void add(const Import &import) {
    if (!import.version.empty() || !import.file.empty()) {
      StringRef file = import.file.empty() ? import.version : import.file;
      if (tables::libraryByFileName(file))
        put(file, import, true);
      return;
    }
    if (isOfCxxRuntime(import.symbol))
      return;
    for (const Candidate &each : candidates)
      if (each.table && each.table->anyExports(import.symbol))
        return put(each.soname, import, true);
    if (tables::generatedName(import.symbol))
      return;
    if (soundsLikeNvidia(import.symbol) && addUnneeded(import))
      return;
    addAbsent(import);
  }

  /// Attributes the import to a library that the file does not NEED; false if no library exports
  /// it.
  bool addUnneeded(const Import &import) {
    auto sonames = tables::sonamesExporting(import.symbol, major);
    auto has = llvm::find_if(sonames, [&](StringRef each) { return target && target->find(each); });
    if (has == sonames.end())
      has = llvm::find_if(sonames, tables::isDriverLibrary);
    std::string owner;
    auto suffix = tables::nvJitLinkSuffix(import.symbol);
    if (has != sonames.end())
      owner = has->str();
    // If several libraries export it and the runtime has none of them, the import is ambiguous.
    else if (sonames.size() == 1)
      owner = sonames.front().str();
    else if (suffix)
      owner = fmt::format("libnvJitLink.so.{}", suffix->major);
    if (!owner.empty())
      put(owner, import, false);
    return !owner.empty() || !sonames.empty();
  }

  /// For an import that no library of this major exports: attributes it to a NEEDED library that
  /// exported it in another major, or whose prefix it has.
  void addAbsent(const Import &import) {
    auto others = tables::sonamesExporting(import.symbol, 0);
    auto hadIt = [&](const Candidate &each) {
      return llvm::any_of(others, [&](StringRef soname) {
        auto known = tables::libraryByFileName(soname);
        return known && known->name == each.stem;
      });
    };
    auto of = llvm::find_if(candidates, hadIt);
    if (of != candidates.end())
      return put(of->soname, import, true, Because::OtherMajor);
    of = llvm::find_if(candidates, [&](const Candidate &each) {
      return tables::isInFashionOf(each.stem, import.symbol);
    });
    if (of != candidates.end())
      put(of->soname, import, true, Because::Fashion);
  }

  void put(StringRef soname, const Import &import, bool named,
           Because because = Because::Exported) {
    auto [it, isNew] = groups.try_emplace(soname.str());
    it->second.named = isNew ? named : it->second.named || named;
    it->second.names.push_back({import.symbol, import.version, because});
  }

  unsigned major;
  const Target *target;
  std::vector<Candidate> candidates;
  std::map<std::string, LibraryImports> groups;
};

} // namespace

bool isOfCxxRuntime(StringRef symbol) {
  static constexpr StringRef plain[] = {"__cxa_", "__gxx_", "_Unwind_", "_Znw",
                                        "_Zna",   "_Zdl",   "_Zda"};
  // Names in std, whose abbreviations begin with S; in __gnu_cxx; in __cxxabiv1 (Itanium ABI 5.1).
  static constexpr StringRef scopes[] = {"St", "Sa", "Ss",         "Sb",          "Si",
                                         "So", "Sd", "9__gnu_cxx", "10__cxxabiv1"};
  auto begins = [&](StringRef prefix) { return symbol.starts_with(prefix); };
  if (llvm::any_of(plain, begins))
    return true;
  if (!symbol.consume_front("_Z"))
    return false;
  for (StringRef special : {"GV", "GR", "TI", "TS", "TV", "TT"})
    symbol.consume_front(special);
  symbol.consume_front("Z");
  symbol.consume_front("N");
  symbol.consume_front("K");
  return llvm::any_of(scopes, begins);
}

std::vector<LibraryImports> importsByLibrary(const BinaryFacts &facts, unsigned major,
                                             const Target *target) {
  return Attribution(facts, major, target).take();
}

} // namespace cudacc::policy
