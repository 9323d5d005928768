// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/rules/JudgeRunning.h"
#include "driver/policy/advice/Versions.h"
#include "driver/policy/rules/BinaryCase.h"
#include "driver/policy/rules/LoadFailure.h"
#include "driver/policy/rules/StableAbi.h"
#include "driver/policy/rules/TorchWords.h"
#include "driver/support/Demangled.h"
#include "driver/support/Paths.h"
#include "driver/tables/lookup/Libraries.h"
#include "driver/tables/lookup/Providers.h"
#include "driver/tables/lookup/Symbols.h"
#include "driver/tables/lookup/Torch.h"
#include "driver/versions/Format.h"
#include "driver/versions/Machine.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::policy {

using namespace core;
using namespace versions;
using llvm::StringRef;

std::string blamed(const ProcessCase &process) {
  const BindingFailure *binding = process.binding;
  if (!binding)
    return {};
  if (isNvidiaLibrary(binding->file))
    return binding->file;
  if (!binding->node.empty())
    return {};
  auto names = tables::sonamesExporting(binding->symbol, process.target->line.major);
  return names.empty() ? std::string() : names.front().str();
}

/// The copy of that name that the process loaded; null if none.
static const LoadedCopy *copyOf(const ProcessCase &process, StringRef name) {
  auto found =
      llvm::find_if(process.loaded, [&](const LoadedCopy &copy) { return copy.name == name; });
  return found == process.loaded.end() ? nullptr : &*found;
}

/// "12.0.140 at /old/libnvJitLink.so.12".
static std::string described(const LoadedCopy &copy) {
  return copy.version.empty() ? copy.path : fmt::format("{} at {}", copy.version, copy.path);
}

/// Adds which copy of the library was taken, why, and instead of which.
static void addTaken(const ProcessCase &process, StringRef soname, Finding &finding) {
  const LoadedCopy *copy = copyOf(process, soname);
  if (!copy)
    return;
  finding.addFact("taken", described(*copy));
  finding.addFact("because", reasonOf(*copy));
  const TargetLibrary *own = process.installed ? process.installed->find(soname) : nullptr;
  if (own && own->path != copy->path)
    finding.addFact("instead of", fmt::format("{} at {}", own->version, own->path));
}

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

/// What the failed binding of the process means: a symbol or a version was not bound.
static Finding bindingFinding(const ProcessCase &process) {
  const BindingFailure &binding = *process.binding;
  bool isVersion = binding.symbol.empty() || binding.ends == BindingFailure::Ends::Process;
  return isVersion ? versionFinding(process) : symbolFinding(process);
}

/// Whether an error among the findings already says the same.
static bool isSaid(llvm::ArrayRef<Finding> findings, const Finding &wanted) {
  return llvm::any_of(findings, [&](const Finding &each) {
    bool about = each.library == wanted.library &&
                 (wanted.symbol.empty() || each.symbol == wanted.symbol ||
                  llvm::any_of(each.facts, [&](const Fact &fact) {
                    return fact.label == "symbols" && StringRef(fact.text).contains(wanted.symbol);
                  }));
    return each.severity == Severity::Error && each.code == wanted.code && about;
  });
}

static void addBinding(const ProcessCase &process, std::vector<Finding> &findings) {
  const BindingFailure &binding = *process.binding;
  Finding own = bindingFinding(process);
  if (binding.ends == BindingFailure::Ends::FirstCall)
    own.addFact("when", "at its first call: functions are bound lazily");
  auto said = llvm::find_if(findings, [&](const Finding &each) { return isSaid(each, own); });
  if (said == findings.end()) {
    findings.insert(findings.begin(), std::move(own));
    return;
  }
  const LoadedCopy *copy = copyOf(process, own.library);
  auto has = llvm::find_if(said->facts, [](const Fact &fact) { return fact.label == "has"; });
  bool isNamed = copy && has != said->facts.end() && StringRef(has->text).contains(copy->path);
  auto isRepeated = [&](const Fact &fact) {
    return llvm::any_of(said->facts, [&](const Fact &each) {
      return each.label == fact.label && each.text == fact.text;
    });
  };
  for (Fact &fact : own.facts)
    if ((fact.label == "taken" && !isNamed) || fact.label == "instead of" || fact.label == "when" ||
        (fact.label == "because" && !isRepeated(fact)))
      said->facts.push_back(std::move(fact));
  std::rotate(findings.begin(), said, said + 1);
}

static bool isCudas(StringRef soname) {
  soname = support::nameOf(soname);
  return isNvidiaLibrary(soname) || !ungrafted(soname).empty();
}

/// The loader passes over files for other machines as if they were not there.
static bool isForOtherMachine(const ProcessCase &process) {
  return process.load->missing == process.path &&
         llvm::any_of(process.load->skipped, [&](StringRef skipped) {
           return skipped.consume_front(process.path) && skipped.starts_with(": ELF of machine");
         });
}

static void addMachine(const ProcessCase &process, std::vector<Finding> &findings) {
  auto isSaid = [](const Finding &each) { return each.code == Code::OtherMachine; };
  llvm::erase_if(findings,
                 [&](const Finding &each) { return each.library == process.load->missing; });
  if (llvm::any_of(findings, isSaid))
    return;
  uint16_t here = process.target->machine ? process.target->machine : ownMachine().elf;
  Finding own =
      makeFinding(Code::OtherMachine,
                  fmt::format("the file is for {}, the process for {}",
                              describeMachine(process.file->machine), describeMachine(here)));
  findings.insert(findings.begin(), std::move(own));
}

static void addLoad(const ProcessCase &process, std::vector<Finding> &findings) {
  const LoadResult &load = *process.load;
  if (isForOtherMachine(process))
    return addMachine(process, findings);
  if (std::optional<Finding> own = fileFailure(load)) {
    llvm::erase_if(findings, [&](const Finding &each) {
      return (each.code == Code::NotFound && each.library == load.missing) ||
             each.code == own->code;
    });
    findings.insert(findings.begin(), std::move(*own));
    return;
  }
  bool isDriverLibrary = tables::isDriverLibrary(load.missing);
  Finding own =
      isDriverLibrary
          ? makeFinding(Code::DriverAbsent, "this machine has no driver: no " + load.missing)
      : !load.missing.empty() && !isCudas(load.missing)
          ? makeFinding(Code::NotCudas, load.missing + " is not found")
          : makeFinding(Code::NotFound, load.missing.empty() ? "the file cannot be loaded"
                                                             : load.missing + " is not found");
  own.library = load.missing;
  if (!load.askedBy.empty() && load.askedBy != process.path)
    own.addFact("needed by", load.askedBy);
  if (!isDriverLibrary && !load.searched.empty())
    own.addFact("searched", searchedText(load));
  for (const std::string &skipped : load.skipped)
    own.addFact("passed over", skipped);
  for (const FoundCopy &copy : process.copies)
    if (copy.soname == load.missing)
      own.addFact("lies in", fmt::format("{} ({})", copy.path, copy.where));
  // A library of NVIDIA's without a search path to its siblings is opened by code that has loaded
  // them.
  bool isOfNvidia = isNvidiaLibrary(process.file->soname) && process.installed &&
                    process.installed->find(load.missing);
  bool mayBeOnDemand = own.code == Code::NotCudas || isOfNvidia;
  if (mayBeOnDemand && process.isOnDemand) {
    own.code = Code::OnDemand;
    own.severity = severityOf(Code::OnDemand);
    own.message = "opened on demand, cannot load here: no " + load.missing;
  }
  if (isSaid(findings, own))
    return;
  llvm::erase_if(findings, [&](const Finding &each) {
    return each.code == Code::NotFound && each.library == load.missing;
  });
  findings.insert(findings.begin(), std::move(own));
}

static void addStubs(const ProcessCase &process, std::vector<Finding> &findings) {
  for (const LoadedCopy &copy : process.loaded) {
    StringRef folder = StringRef(copy.path).rsplit('/').first;
    if (!tables::isDriverLibrary(copy.name) || support::nameOf(folder) != "stubs")
      continue;
    Finding own = makeFinding(Code::StubTaken, copy.name + " is the stub for linking");
    own.library = copy.name;
    own.addFact("taken", copy.path);
    own.addFact("because", reasonOf(copy));
    findings.push_back(std::move(own));
  }
}

static void addCopies(const ProcessCase &process, std::vector<Finding> &findings) {
  for (const LoadedCopy &copy : process.loaded) {
    const TargetLibrary *own = process.installed ? process.installed->find(copy.name) : nullptr;
    if (!own || own->path.empty() || own->path == copy.path || !copy.isCuda)
      continue;
    bool isSaid = llvm::any_of(findings, [&](const Finding &each) {
      return each.library == copy.name && each.severity == Severity::Error;
    });
    if (isSaid)
      continue;
    Finding other = makeFinding(Code::OtherCopyTaken, copy.name + " is not the environment's");
    other.library = copy.name;
    addTaken(process, copy.name, other);
    findings.push_back(std::move(other));
  }
}

static StringRef plainName(StringRef soname) {
  if (auto known = tables::libraryByFileName(soname))
    return known->name;
  auto grafted = tables::libraryByFileName(ungrafted(soname));
  return grafted ? grafted->name : StringRef();
}

static void addDoubles(const ProcessCase &process, std::vector<Finding> &findings) {
  for (const LoadedCopy &copy : process.loaded) {
    StringRef name = plainName(support::nameOf(copy.path));
    if (name.empty() || !copy.isCuda)
      continue;
    auto earlier = llvm::find_if(process.loaded, [&](const LoadedCopy &each) {
      return &each == &copy ||
             (each.path != copy.path && plainName(support::nameOf(each.path)) == name);
    });
    if (&*earlier == &copy)
      continue;
    Finding two =
        makeFinding(Code::TwoCopies, fmt::format("two copies of lib{} in one process", name));
    two.library = copy.name;
    for (const LoadedCopy *each : {&*earlier, &copy}) {
      two.addFact("copy", described(*each));
      two.addFact("", reasonOf(*each));
    }
    findings.push_back(std::move(two));
  }
}

VersionCase versionCaseOf(const ProcessCase &process) {
  return {process.loaded, process.parts, process.distributions, process.installed};
}

static bool isOfLoading(Code code) {
  return code == Code::ImportMissing || code == Code::NvJitLinkNewer || code == Code::NotFound ||
         code == Code::VersionNodes || severityOf(code) != Severity::Error;
}

/// Whether the process disproves the finding: rules infer from names which library is meant, the
/// process has bound them.
static bool isContradicted(const ProcessCase &process, const Finding &finding) {
  bool isBound = process.isComplete && process.load->ok() && !process.binding;
  bool isAbout = finding.code == Code::NoExportList || finding.code == Code::NotFound ||
                 finding.code == Code::ImportMissing || finding.code == Code::NvJitLinkNewer ||
                 finding.code == Code::VersionNodes || finding.code == Code::SymbolMissing;
  if (!isBound || !isAbout)
    return false;
  // A loaded library of another major is still wrong.
  if (finding.code == Code::NotFound && finding.symbol.empty() && copyOf(process, finding.library))
    return false;
  // A name of a library that the file does not NEED was bound to one that the file's dependencies
  // load.
  bool isBoundAlone = !finding.symbol.empty() && process.before.empty();
  return finding.severity == Severity::Error || isBoundAlone;
}

std::vector<Finding> judgeProcess(const ProcessCase &process, std::vector<Finding> findings) {
  llvm::erase_if(findings, [&](const Finding &each) { return isContradicted(process, each); });
  // What a library that cannot be loaded exports means nothing.
  if (auto failed = fileFailure(*process.load))
    llvm::erase_if(findings, [&](const Finding &each) {
      return !each.symbol.empty() && each.library == failed->library;
    });
  for (Finding &each : findings) {
    // Remedies are simulated and reported separately.
    if (isOfLoading(each.code))
      each.fixes.clear();
    // The first line of the report names the runtime.
    llvm::erase_if(each.facts, [](const Fact &fact) { return fact.label == "runtime"; });
  }
  if (process.binding)
    addBinding(process, findings);
  if (!process.load->ok())
    addLoad(process, findings);
  addStubs(process, findings);
  llvm::append_range(findings, judgeVersions(versionCaseOf(process)));
  addCopies(process, findings);
  addDoubles(process, findings);
  return findings;
}

} // namespace cudacc::policy
