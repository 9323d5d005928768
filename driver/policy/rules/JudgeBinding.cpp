// SPDX-License-Identifier: Apache-2.0
// What it means that a symbol or a version of a process was not bound.
#include "driver/policy/advice/Versions.h"
#include "driver/policy/rules/BinaryCase.h"
#include "driver/policy/rules/RunningParts.h"
#include "driver/policy/rules/StableAbi.h"
#include "driver/policy/rules/TorchWords.h"
#include "driver/support/Demangled.h"
#include "driver/support/Paths.h"
#include "driver/tables/lookup/Libraries.h"
#include "driver/tables/lookup/NvJitLink.h"
#include "driver/tables/lookup/Providers.h"
#include "driver/tables/lookup/Symbols.h"
#include "driver/tables/lookup/Torch.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::policy {

using namespace core;
using namespace versions;
using llvm::StringRef;

static void addFirst(const ProcessCase &process, StringRef soname, Finding &finding) {
  const TargetLibrary *row = process.target->find(soname);
  auto table = tables::SymbolTable::find(soname, process.target->line.major, row ? row->dist : "");
  if (!table || !table->anyExports(process.binding->symbol))
    return finding.addFact("first in", "no version that is known");
  std::vector<StringRef> names;
  for (StringRef symbol : process.binding->missing)
    if (table->anyExports(symbol))
      names.push_back(symbol);
  std::string text = describe(*table, runsWith(*table, names));
  finding.addFact("first in", text.empty() ? "no version that is known" : text);
}

/// Torch is loaded and lacks one of its own names: the file was built for another release, or for
/// the other string ABI. std::nullopt if that is not the cause.
static std::optional<Finding> torchNameFinding(const ProcessCase &process) {
  const BindingFailure &binding = *process.binding;
  bool isThere = llvm::any_of(process.file->needed, tables::isTorchLibrary) ||
                 llvm::is_contained(process.before, "torch");
  if (!isThere || !tables::isInTorchFashion(binding.symbol) || process.torch.empty())
    return std::nullopt;
  TorchCause cause;
  cause.torch = process.torch;
  cause.machine = process.file->machine;
  cause.table = process.torchTable ? process.torchTable->names : nullptr;
  StringAbi has = process.torchStrings;
  StringAbi its = stringAbiOf(binding.symbol);
  if (its != StringAbi::None && its != has)
    cause.abi = has;
  cause.names = {binding.symbol};
  for (StringRef symbol : binding.missing)
    if (symbol != binding.symbol && tables::isInTorchFashion(symbol))
      cause.names.push_back(symbol);
  if (cause.table) {
    TorchRange range = torchRangeOf(torchImports(*process.file, cause.table), *cause.table,
                                    cause.machine, [](StringRef) { return Exported::Unknown; });
    std::vector<LibraryFloor> floors;
    if (unsigned major = majorOf(*process.file))
      floors = floorsOfNeeded(*process.file, major);
    setServing(cause, std::move(range), floors, {});
  }
  Finding out = torchFinding(cause);
  if (binding.importer != process.path)
    out.facts.insert(out.facts.begin(), {"imported by", binding.importer});
  return out;
}

static Finding symbolFinding(const ProcessCase &process) {
  const BindingFailure &binding = *process.binding;
  if (auto own = torchNameFinding(process))
    return std::move(*own);
  std::string soname = blamed(process);
  std::string who = fmt::format("{} imports {}", support::nameOf(binding.importer),
                                support::nameInTitle(binding.symbol));
  Finding out;
  auto generated = tables::generatedName(binding.symbol);
  bool isThere = !soname.empty() && (copyOf(process, soname) || !binding.provider.empty());
  if (isThere) {
    Code code =
        tables::nvJitLinkSuffix(binding.symbol) ? Code::NvJitLinkNewer : Code::ImportMissing;
    out = makeFinding(code, fmt::format("{}, which {} lacks", who, soname));
    addTaken(process, soname, out);
    addFirst(process, soname, out);
  } else if (generated) {
    out = makeFinding(Code::SymbolMissing, generated->means.str());
    out.addFact("imported by", binding.importer);
    out.addFact("because", generated->because.str());
    out.addFix(generated->fix.str());
    if (!generated->also.empty())
      out.addFix(generated->also.str());
  } else if (!soname.empty()) {
    out =
        makeFinding(Code::SymbolMissing, fmt::format("{}, and nothing has loaded {}", who, soname));
  } else {
    out = makeFinding(Code::NotCudas, who + ", which nothing defines");
    if (mentionsTorch(binding.symbol))
      out.addFact("because", "a name of torch's C++ interface: the file was built for "
                             "another release of torch, or torch is not imported yet");
    else if (!binding.provider.empty())
      out.addFact("asked of", binding.provider);
  }
  out.library = soname;
  out.symbol = binding.symbol;
  if (binding.missing.size() > 1) {
    std::vector<StringRef> names(binding.missing.begin(), binding.missing.end());
    out.addFact("symbols", listOf(names));
  } else if (generated || support::isMangled(binding.symbol)) {
    out.addFact("symbol", binding.symbol);
  }
  return out;
}

static Finding versionFinding(const ProcessCase &process) {
  const BindingFailure &binding = *process.binding;
  Finding out;
  if (binding.ends == BindingFailure::Ends::Process && binding.symbol.empty()) {
    out = makeFinding(Code::VersionNodes, binding.file + " has a version need and is not loaded");
  } else if (binding.ends == BindingFailure::Ends::Process) {
    out = makeFinding(Code::VersionNodes, binding.file + " has no versions there");
    out.addFact("library", binding.provider);
  } else {
    out = makeFinding(Code::VersionNodes,
                      fmt::format("{} here has no version {}", binding.file, binding.node));
    out.addFact("library", binding.provider);
    if (StringRef(binding.node).starts_with("GLIBC"))
      out.addFact("because", "the file was built on a newer system than this");
  }
  if (!isNvidiaLibrary(binding.file) && ungrafted(binding.file).empty())
    out.code = Code::NotCudas;
  out.library = binding.file;
  out.facts.insert(out.facts.begin(), {"imported by", binding.importer});
  return out;
}

Finding bindingFinding(const ProcessCase &process) {
  const BindingFailure &binding = *process.binding;
  bool isVersion = binding.symbol.empty() || binding.ends == BindingFailure::Ends::Process;
  return isVersion ? versionFinding(process) : symbolFinding(process);
}

} // namespace cudacc::policy
