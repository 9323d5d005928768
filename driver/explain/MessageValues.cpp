// SPDX-License-Identifier: Apache-2.0
#include "driver/explain/MessageValues.h"
#include "driver/core/BinaryFacts.h"
#include "driver/explain/MessageVersions.h"
#include "driver/policy/advice/RuntimeFixes.h"
#include "driver/policy/advice/RuntimeSubstitute.h"
#include "driver/policy/advice/Versions.h"
#include "driver/policy/advice/Words.h"
#include "driver/policy/rules/JudgeBinary.h"
#include "driver/tables/lookup/Device.h"
#include "driver/tables/lookup/Libraries.h"
#include "driver/tables/lookup/Providers.h"
#include "driver/tables/lookup/Symbols.h"
#include "driver/tables/lookup/Torch.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::explain {

using namespace core;
using namespace versions;
using llvm::StringRef;
using tables::PlaceholderType;

MessageValues::MessageValues(llvm::ArrayRef<MessagePlaceholder> placeholders, const Target *runtime,
                             policy::AskTorch torchTable)
    : placeholders(placeholders), runtime(runtime), torch(runtime, torchTable), says(ask()) {}

const MessagePlaceholder *MessageValues::find(StringRef name) const {
  const auto *it = llvm::find_if(placeholders, [&](const MessagePlaceholder &placeholder) {
    return placeholder.name == name;
  });
  return it == placeholders.end() ? nullptr : it;
}

static const MessagePlaceholder *ofType(llvm::ArrayRef<MessagePlaceholder> placeholders,
                                        std::initializer_list<PlaceholderType> types) {
  const auto *it = llvm::find_if(placeholders, [&](const MessagePlaceholder &placeholder) {
    return llvm::is_contained(types, placeholder.type);
  });
  return it == placeholders.end() ? nullptr : it;
}

static const MessagePlaceholder *libraryOf(llvm::ArrayRef<MessagePlaceholder> placeholders) {
  const MessagePlaceholder *library =
      ofType(placeholders, {PlaceholderType::CudaLibrary, PlaceholderType::Soname});
  return library && !tables::majorsOf(library->value).empty() ? library : nullptr;
}

/// The CUDA majors that a symbol may belong to: the one in its suffix, else the one of the library
/// in the message, else the runtime's, else any.
static llvm::SmallVector<unsigned, 4> majorsOf(llvm::ArrayRef<MessagePlaceholder> placeholders,
                                               StringRef symbol, const Target *runtime) {
  if (auto suffix = tables::nvJitLinkSuffix(symbol))
    return {suffix->major};
  llvm::SmallVector<unsigned, 4> majors;
  if (const MessagePlaceholder *library = libraryOf(placeholders))
    llvm::append_range(majors, tables::majorsOf(library->value));
  else
    majors = knownMajors();
  if (runtime && llvm::is_contained(majors, runtime->line.major))
    return {runtime->line.major};
  return majors;
}

static SymbolFloor floorOf(llvm::ArrayRef<MessagePlaceholder> placeholders, StringRef symbol,
                           const Target *runtime) {
  const MessagePlaceholder *library = libraryOf(placeholders);
  SymbolFloor found;
  for (unsigned major : majorsOf(placeholders, symbol, runtime)) {
    BinaryFacts file;
    file.imports.push_back({symbol.str(), "", "", false});
    if (library)
      file.imports[0].version = file.imports[0].file = library->value;
    for (LibraryFloor &floor : policy::floorsOf(file, major)) {
      if (!floor.known() || floor.dist.empty())
        continue;
      if (floor.cuda.known())
        return {std::move(floor), major, false};
      // Released separately from the toolkit: its versions continue across CUDA majors.
      found.ambiguous = !found.floor.soname.empty();
      if (!found.ambiguous || floor.least < found.floor.least)
        found.floor = std::move(floor), found.major = major;
    }
  }
  return found;
}

/// `"nvidia-nccl-cu12>=2.19.3" or "nvidia-nccl-cu13>=2.19.3"`: what has the symbol, per CUDA major.
static std::string requirementsOf(llvm::ArrayRef<MessagePlaceholder> placeholders, StringRef symbol,
                                  const Target *runtime) {
  std::vector<std::string> texts;
  for (unsigned major : majorsOf(placeholders, symbol, runtime)) {
    BinaryFacts file;
    file.imports.push_back({symbol.str(), "", "", false});
    for (const LibraryFloor &floor : policy::floorsOf(file, major))
      if (floor.known() && !floor.requirement.empty())
        texts.push_back(fmt::format("\"{}\"", floor.requirement));
  }
  return eachOf(texts);
}

/// What `-l` takes for the library with that SONAME, or else for one that exports the symbol.
static std::string linkNameOf(StringRef soname, StringRef symbol) {
  auto sonames = tables::sonamesExporting(symbol, 0);
  if (soname.empty() && !sonames.empty())
    soname = sonames.back();
  auto known = tables::libraryByFileName(soname);
  return known ? known->name.str() : "";
}

/// Whether the symbol was added within the CUDA major. If the oldest opened version exports it,
/// older ones may too, unless the library of the previous major was opened and does not.
static bool isNewInMajor(const LibraryFloor &floor, StringRef symbol, unsigned major) {
  if (!floor.oldestOpened)
    return true;
  auto known = tables::libraryByFileName(floor.soname);
  if (!known || !llvm::is_contained(knownMajors(), major - 1))
    return false;
  auto sonames = tables::sonamesOf(known->name, major - 1);
  return !sonames.empty() && llvm::none_of(sonames, [&](StringRef soname) {
    auto table = tables::SymbolTable::find(soname, major - 1);
    return !table || table->anyExports(symbol) ||
           table->exported(table->size() - 1, symbol) != Exported::No;
  });
}

/// Whether the floor is the first version that has the SONAME: no older copy is called so.
static bool hasEveryCopy(const LibraryFloor &floor, unsigned major) {
  auto majors = tables::majorsOf(floor.soname);
  return floor.oldestOpened && floor.cuda == CudaVersion{major, 0} && majors.size() == 1;
}

/// The libraries of all CUDA majors that export the symbol.
static std::string librariesOf(StringRef symbol) {
  std::vector<std::string> texts;
  for (StringRef soname : tables::sonamesExporting(symbol, 0))
    texts.push_back(soname.str());
  return eachOf(texts);
}

/// Whether the library belongs only to other CUDA majors than the runtime's, so that the runtime
/// lacks it.
static bool isOfOtherMajor(StringRef soname, const Target &runtime) {
  auto majors = tables::majorsOf(soname);
  return !majors.empty() && !llvm::is_contained(majors, runtime.line.major) &&
         !runtime.find(soname);
}

std::string textOf(const std::optional<policy::RuntimeFix> &fix) {
  if (!fix || fix->pip.empty())
    return fix ? fix->text : "";
  return fmt::format("{}: {}", fix->text, fix->pip);
}

bool MessageValues::isHadBy(StringRef requirement) const {
  const Target undeclared;
  auto other = policy::substituteRuntime(runtime ? *runtime : undeclared, requirement);
  return other && MessageValues(placeholders, &*other, nullptr).says == RuntimeSays::Has;
}

std::string MessageValues::frameworkLoading(StringRef dist) const {
  bool hasTorch = !runtime || !runtime->torch.empty();
  return hasTorch && tables::isRequiredByTorch(dist) ? "torch" : "";
}

std::string MessageValues::symbolValue(const MessagePlaceholder &placeholder, StringRef key) const {
  StringRef symbol = placeholder.value;
  auto suffix = tables::nvJitLinkSuffix(symbol);
  if (key == "built")
    return suffix ? suffix->str() : "";
  if (!floorKept)
    floorKept = floorOf(placeholders, symbol, runtime);
  const auto &[floor, major, ambiguous] = *floorKept;
  bool named = libraryOf(placeholders) != nullptr;
  if (key == "library")
    return named || suffix ? floor.soname : librariesOf(symbol);
  if (key == "soname")
    return floor.soname;
  if (key == "link")
    return linkNameOf(floor.soname, symbol);
  if (key == "gone")
    return gone();
  if (key == "instead")
    return tables::replacementOf(symbol).str();
  // The symbol was removed again: a version that had it is no fix.
  if (says == RuntimeSays::Gone)
    return "";
  if (!floor.known()) {
    // A suffix newer than every known version is trusted.
    return key == "since" && suffix ? fmt::format("CUDA {}", *suffix) : "";
  }
  if (key == "wheel")
    return floor.dist;
  std::string least = floor.cuda.known() ? fmt::format("CUDA {}", floor.cuda)
                                         : fmt::format("version {}", floor.least);
  bool isNew = isNewInMajor(floor, symbol, major) && !(named && hasEveryCopy(floor, major));
  if (key == "since")
    return isNew ? least : "";
  if (key == "always")
    return isNew || !named ? "" : least;
  if (key == "everywhere")
    return isNew || named || !floor.cuda.known() ? "" : least;
  if (key == "runtime")
    return runtime ? policy::runtimeFact(*runtime, floor.soname).text : "";
  if (key == "line")
    return runtime ? runtime->line.str() : "";
  if (key == "framework")
    return frameworkLoading(floor.dist);
  bool isOther = runtime && isOfOtherMajor(floor.soname, *runtime);
  if (key == "major" || key == "otherline")
    return !isOther ? "" : key == "major" ? fmt::format("{}", major) : runtime->line.str();
  if (key == "owncopy")
    return isOther ? "" : floor.soname;
  if (key == "sincehere")
    return isOther || !isNew ? "" : least;
  // If every version exports it, a newer one is no fix.
  if (!isNew)
    return "";
  if (key == "requirements")
    return requirementsOf(placeholders, symbol, runtime);
  if (ambiguous)
    return "";
  return newerValue(*floorKept, isOther, key);
}

std::string MessageValues::newerValue(const SymbolFloor &symbol, bool isOther,
                                      StringRef key) const {
  const auto &[floor, major, ambiguous] = symbol;
  if (key == "requirement")
    return floor.requirement;
  bool isByLine = runtime && policy::isDeclaredByLine(*runtime);
  auto accepts = [&](StringRef requirement) { return isHadBy(requirement); };
  // With a declared runtime, the key `raise` names the runtime that has it.
  if (key == "torch")
    return runtime ? "" : policy::firstTorchServing(floor, major, accepts);
  std::string pinned = isByLine || isOther ? "" : policy::torchPinningOlder(floor, major);
  if (key == "pinned")
    return pinned;
  if (key == "unpinned")
    return pinned.empty() ? floor.requirement : "";
  return runtime ? textOf(policy::runtimeServing(*runtime, floor, major, accepts)) : "";
}

std::string MessageValues::gone() const {
  const MessagePlaceholder *symbol =
      ofType(placeholders, {PlaceholderType::Cudart, PlaceholderType::Export});
  if (!symbol)
    return "";
  const MessagePlaceholder *library = libraryOf(placeholders);
  std::string since;
  for (StringRef soname : tables::sonamesExporting(symbol->value, 0)) {
    auto known = tables::runtimeLibrary(soname);
    if (!known)
      continue;
    llvm::SmallVector<unsigned, 4> majors = knownMajors();
    if (library)
      majors.assign(1, tables::majorsOf(library->value).back());
    if (runtime)
      majors.assign(1, runtime->line.major);
    for (const TargetLibrary &row : runtime ? runtime->libraries : std::vector<TargetLibrary>())
      if (auto table = tables::SymbolTable::find(row.soname, majors.back(), row.dist);
          table && table->exported(row.version, symbol->value) == Exported::Yes)
        return "";
    since = policy::goneSince(known->name, majors.back(), symbol->value);
    // This library still exports it.
    if (since.empty())
      return "";
  }
  return since;
}

/// Whether the runtime has the message's library, or exports the message's symbol.
RuntimeSays MessageValues::ask() const {
  if (!gone().empty())
    return RuntimeSays::Gone;
  if (!runtime)
    return RuntimeSays::Nothing;
  auto saysOf = [](Exported answer) {
    return answer == Exported::Yes  ? RuntimeSays::Has
           : answer == Exported::No ? RuntimeSays::Lacks
                                    : RuntimeSays::Nothing;
  };
  if (const MessagePlaceholder *symbol = ofType(placeholders, {PlaceholderType::TorchSymbol}))
    return saysOf(torch.runtimeHas(symbol->value));
  if (const MessagePlaceholder *symbol =
          ofType(placeholders,
                 {PlaceholderType::NvJitLink, PlaceholderType::Cudart, PlaceholderType::Export})) {
    LibraryFloor floor = floorOf(placeholders, symbol->value, runtime).floor;
    const TargetLibrary *library = runtime->find(floor.soname);
    if (isOfOtherMajor(floor.soname, *runtime))
      return RuntimeSays::Lacks;
    if (floor.soname.empty() || !library)
      return RuntimeSays::Nothing;
    auto table = tables::SymbolTable::find(library->soname, runtime->line.major, library->dist);
    if (!table || library->version.release.empty())
      return RuntimeSays::Nothing;
    return saysOf(table->exported(library->version, symbol->value));
  }
  if (const MessagePlaceholder *library =
          ofType(placeholders, {PlaceholderType::CudaLibrary, PlaceholderType::Builtins}))
    return runtime->find(library->value) ? RuntimeSays::Has : RuntimeSays::Lacks;
  return RuntimeSays::Nothing;
}

std::string MessageValues::value(StringRef name, StringRef key) const {
  const MessagePlaceholder *placeholder = find(name);
  if (!placeholder)
    return "";
  if (key.empty())
    return placeholder->value;
  switch (placeholder->type) {
  case PlaceholderType::NvJitLink:
  case PlaceholderType::Cudart:
  case PlaceholderType::Export:
    return symbolValue(*placeholder, key);
  case PlaceholderType::DriverSymbol: {
    auto since = tables::driverSince(placeholder->value);
    // Every driver for a known CUDA version exports it: the driver is not too old.
    CudaVersion oldest{knownMajors().front(), 0};
    if (!since)
      return "";
    bool isOld = since->atMost || since->cuda <= oldest;
    if (key == "everywhere")
      return isOld ? oldest.str() : "";
    if (isOld)
      return "";
    return key == "since" ? since->cuda.str() : tables::firstDriverOf(since->cuda).str();
  }
  case PlaceholderType::TorchSymbol:
    return torch.value(placeholder->value, key);
  case PlaceholderType::CudaLibrary:
    return libraryValue(*placeholder, key);
  default:
    return versionValue(*placeholder, key);
  }
}

std::optional<std::string> MessageValues::filled(StringRef text) const {
  tables::MessageCondition condition = tables::takeCondition(text);
  if (!condition.word.empty()) {
    bool isGone = says == RuntimeSays::Gone;
    bool holds = condition.word == "gone"  ? isGone
                 : condition.word == "has" ? says == RuntimeSays::Has
                                           : says == RuntimeSays::Lacks;
    // Text about what the runtime has or lacks applies only to symbols that still exist.
    if (holds == condition.negated || (isGone && condition.word != "gone"))
      return std::nullopt;
  }
  std::string out;
  auto pieces = tables::splitMessage(text);
  for (const tables::MessagePiece &piece : pieces.value_or(tables::MessagePieces())) {
    std::string part = piece.placeholder ? value(piece.text, piece.key) : piece.text.str();
    if (part.empty())
      return std::nullopt;
    out += part;
  }
  return out;
}

/// `torch 2.1.0 to 2.10.0`: releases whose PyPI wheels are for one of the majors. \p last: only the
/// newest, as a requirement; empty if newer torch releases are for these majors too.
static std::string torchOf(llvm::ArrayRef<unsigned> majors, bool last) {
  std::string first, newest;
  bool open = false;
  for (const tables::TorchRelease &release : tables::torchReleases()) {
    open = llvm::is_contained(majors, release.defaultLine.major);
    if (!open)
      continue;
    newest = release.str();
    first = first.empty() ? newest : first;
  }
  if (first.empty())
    return "";
  if (last)
    return open ? "" : "torch==" + newest;
  return open ? fmt::format("torch {} and newer", first)
              : fmt::format("torch {} to {}", first, newest);
}

/// `"nvidia-cudnn-cu12==8.*"`: the distribution that has the library in that CUDA major, with the
/// versions where others have it under another name. Empty if none has it.
static std::string wheelWith(StringRef soname, unsigned major) {
  StringRef dist = tables::distOf(soname, major);
  if (dist.empty())
    return "";
  auto versions = tables::versionsOf(dist);
  auto has = [&](const Version &version) {
    return llvm::is_contained(tables::sonamesOf(dist, version), soname);
  };
  auto last = std::find_if(versions.rbegin(), versions.rend(), has);
  if (last == versions.rbegin() || last == versions.rend())
    return dist.str();
  // As many numbers as it takes to leave out the versions without it.
  std::string prefix;
  for (size_t count = 1; count <= last->release.size(); ++count) {
    auto begin = llvm::ArrayRef(last->release).take_front(count);
    prefix += fmt::format("{}{}", prefix.empty() ? "" : ".", begin.back());
    if (llvm::all_of(versions, [&](const Version &version) {
          return llvm::ArrayRef(version.release).take_front(count) != begin || has(version);
        }))
      break;
  }
  return fmt::format("\"{}=={}.*\"", dist, prefix);
}

std::string MessageValues::libraryValue(const MessagePlaceholder &placeholder,
                                        StringRef key) const {
  StringRef soname = placeholder.value;
  auto majors = tables::majorsOf(soname);
  if (key == "runtime")
    return runtime ? fmt::format("{}: CUDA {}", runtime->describe(), runtime->line) : "";
  if (key == "name") {
    auto known = tables::libraryByFileName(soname);
    return known ? known->name.str() : "";
  }
  bool isOfRuntime = runtime && llvm::is_contained(majors, runtime->line.major);
  if (key == "change") {
    auto accepts = [&](StringRef requirement) { return isHadBy(requirement); };
    return runtime && !majors.empty()
               ? textOf(policy::runtimeServing(*runtime, {}, majors.back(), accepts))
               : "";
  }
  if (key == "framework")
    return majors.empty() ? "" : frameworkLoading(tables::distOf(soname, majors.back()));
  if (key == "otherline")
    return runtime && !isOfRuntime ? runtime->line.str() : "";
  bool isUndeclared = key == "onemajor" || key == "severalmajors" || key == "anywheel";
  if (key == "nomajor")
    return majors.empty() && !runtime ? soname.str() : "";
  if ((isUndeclared && runtime) || key == (majors.size() == 1 ? "severalmajors" : "onemajor"))
    return "";
  if ((key == "ownwheel" && !isOfRuntime) || (key == "otherwheel" && (!runtime || isOfRuntime)))
    return "";
  if (key == "other") {
    auto known = tables::libraryByFileName(soname);
    if (!runtime || !known)
      return "";
    std::vector<std::string> others;
    for (StringRef other : tables::sonamesOf(known->name, runtime->line.major))
      others.push_back(other.str());
    return eachOf(others);
  }
  std::vector<std::string> texts;
  for (unsigned major : majors)
    if (key != "ownwheel" || major == runtime->line.major)
      texts.push_back(key == "wheel"           ? tables::distOf(soname, major).str()
                      : key.ends_with("wheel") ? wheelWith(soname, major)
                                               : fmt::format("{}", major));
  if (key.ends_with("wheel") || key == "majors" || isUndeclared)
    return eachOf(texts);
  // If a CUDA line is declared, no framework is suggested.
  bool isByLine = runtime && policy::isDeclaredByLine(*runtime);
  return isByLine ? "" : torchOf(majors, key == "lasttorch");
}

} // namespace cudacc::explain
