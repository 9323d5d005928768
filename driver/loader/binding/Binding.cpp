// SPDX-License-Identifier: Apache-2.0
#include "driver/loader/binding/Binding.h"
#include "driver/tables/lookup/Libraries.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

namespace cudacc::loader {

using core::BindingFailure;
using core::Import;
using versions::Exported;
using Ends = BindingFailure::Ends;

/// Assertions of glibc; the line numbers are those of glibc 2.36.
static constexpr char noFile[] =
    "Inconsistency detected by ld.so: dl-version.c: 204: _dl_check_map_versions: Assertion "
    "`needed != NULL' failed!";
static constexpr char noVersions[] =
    "Inconsistency detected by ld.so: dl-lookup.c: 106: check_match: Assertion "
    "`version->filename == NULL || ! _dl_name_match_p (version->filename, map)' failed!";

/// Whether the process ends at a version of a file that has none. glibc 2.41 binds it.
static bool endsWithoutVersions(llvm::ArrayRef<Mapped> objects) {
  return llvm::none_of(objects, [](const Mapped &each) {
    return each.facts && llvm::is_contained(each.facts->definedVersions, "GLIBC_2.41");
  });
}

namespace {

/// Checks the versions and symbols of one load.
class Binder {
public:
  Binder(llvm::ArrayRef<Mapped> objects, llvm::ArrayRef<size_t> group,
         llvm::ArrayRef<size_t> global, bool now, Tree &tree)
      : objects(objects), group(group), isStart(global.empty()), now(now),
        endsUnversioned(endsWithoutVersions(objects)), tree(tree) {
    scope.assign(global.begin(), global.end());
    for (size_t object : group)
      if (!llvm::is_contained(global, object))
        scope.push_back(object);
    recent = scope;
  }

  BindingResult run();

private:
  llvm::ArrayRef<Mapped> objects;
  llvm::ArrayRef<size_t> group;
  bool isStart, now, endsUnversioned;
  Tree &tree;
  static constexpr size_t mostUnknown = 16;
  /// The objects searched for a symbol; `recent` has those that matched last first.
  std::vector<size_t> scope, recent;
  BindingResult result;

  /// Finds an object in the scope by SONAME or by a name it was requested by.
  std::optional<size_t> named(llvm::StringRef name) const;
  std::optional<size_t> loaded(llvm::StringRef name) const;
  bool checkVersions(size_t object);
  bool checkSymbols(size_t object);
  /// Returns std::nullopt if the symbol is bound or may be.
  std::optional<BindingFailure> look(size_t importer, const Import &import);
  bool isDefined(const Import &import, bool &unknown);
  bool isDefinedBefore(size_t object, const Import &import);
  void stop(size_t importer, std::vector<BindingFailure> lacks);
};

} // namespace

std::optional<size_t> Binder::named(llvm::StringRef name) const {
  for (size_t object : scope)
    if (llvm::is_contained(objects[object].names, name))
      return object;
  return std::nullopt;
}

/// Versions are checked against all objects in the process, not only those in scope.
std::optional<size_t> Binder::loaded(llvm::StringRef name) const {
  for (size_t object = 0; object != objects.size(); ++object)
    if (llvm::is_contained(objects[object].names, name))
      return object;
  return std::nullopt;
}

static bool defines(const core::BinaryFacts &facts, llvm::StringRef node) {
  // The base version is a definition too; usually its name is the SONAME.
  return node == facts.soname || llvm::is_contained(facts.definedVersions, node);
}

bool Binder::checkVersions(size_t object) {
  for (const core::VersionNeed &need : tree.versionNeeds(objects[object].file)) {
    auto provider = loaded(need.file);
    BindingFailure failure;
    failure.importer = objects[object].path;
    failure.node = need.node;
    failure.file = need.file;
    if (provider)
      failure.provider = objects[*provider].path;
    if (!provider) {
      failure.ends = Ends::Process;
      failure.words = noFile;
      result.failure = std::move(failure);
      return false;
    }
    const core::BinaryFacts *facts = objects[*provider].facts;
    // If the file defines no versions, the loader only prints a warning and goes on.
    if (!facts || need.isWeak || facts->definedVersions.empty() || defines(*facts, need.node))
      continue;
    failure.words = fmt::format("{}: version `{}' not found (required by {})",
                                objects[*provider].path, need.node, objects[object].path);
    if (!result.failure)
      result.failure = std::move(failure);
    // At the start of a program the loader prints this, and looks for the other versions.
    if (!isStart)
      return false;
  }
  return true;
}

/// What the system of another machine exports is not known. A library of the driver exports only
/// names in its own style, and which of them is not known.
static Exported exportedByAssumed(llvm::StringRef path, llvm::StringRef symbol) {
  auto known = tables::libraryByFileName(llvm::sys::path::filename(path));
  if (!known)
    return Exported::Unknown;
  bool isLike = known->name == "cuda"
                    ? symbol.consume_front("cu") && !symbol.empty() && llvm::isUpper(symbol.front())
                    : symbol.starts_with_insensitive("nv");
  return isLike ? Exported::Unknown : Exported::No;
}

/// Whether any object in scope defines the symbol; which of them comes first does not matter here.
bool Binder::isDefined(const Import &import, bool &unknown) {
  for (size_t at = 0; at != recent.size(); ++at) {
    size_t object = recent[at];
    // A version node is only defined by the library that the import names.
    bool isNamed = llvm::is_contained(objects[object].names, import.file);
    if (objects[object].isAssumed) {
      bool mayBe = import.version.empty() || isNamed;
      if (mayBe && exportedByAssumed(objects[object].path, import.symbol) != Exported::No)
        return true;
      continue;
    }
    if (!objects[object].facts) {
      unknown |= import.version.empty() || isNamed;
      continue;
    }
    Exported answer = tree.exported(objects[object].file, import.symbol, import.version);
    unknown |= answer == Exported::Unknown;
    if (answer != Exported::Yes)
      continue;
    // The next symbol is usually defined by the same file.
    std::rotate(recent.begin(), recent.begin() + at, recent.begin() + at + 1);
    return true;
  }
  return false;
}

bool Binder::isDefinedBefore(size_t object, const Import &import) {
  for (size_t each : scope) {
    if (each == object)
      return false;
    if (objects[each].facts &&
        tree.exported(objects[each].file, import.symbol, import.version) == Exported::Yes)
      return true;
  }
  return false;
}

std::optional<BindingFailure> Binder::look(size_t importer, const Import &import) {
  // One past the last index: no object.
  size_t none = objects.size();
  size_t provider = import.file.empty() ? none : named(import.file).value_or(none);
  BindingFailure failure;
  failure.importer = objects[importer].path;
  failure.symbol = import.symbol;
  failure.node = import.version;
  failure.file = import.file;
  if (provider != none) {
    failure.provider = objects[provider].path;
    const core::BinaryFacts *facts = objects[provider].facts;
    const std::string &file = objects[provider].file;
    bool found = facts && tree.exported(file, import.symbol, import.version) == Exported::Yes;
    if (found && endsUnversioned && !import.version.empty() && tree.versioned(file) == false &&
        !isDefinedBefore(provider, import)) {
      failure.ends = Ends::Process;
      failure.words = noVersions;
      return failure;
    }
    if (found)
      return std::nullopt;
  }
  if (import.weak)
    return std::nullopt;
  bool unknown = false;
  if (isDefined(import, unknown))
    return std::nullopt;
  if (unknown) {
    if (result.unknown.size() < mostUnknown)
      result.unknown.push_back("whether something in the process defines " + import.symbol);
    return std::nullopt;
  }
  failure.words = fmt::format("{}: undefined symbol: {}", failure.importer, import.symbol);
  if (!import.version.empty())
    failure.words += ", version " + import.version;
  return failure;
}

/// Reports the missing symbol that the loader meets first, which ends the load.
void Binder::stop(size_t importer, std::vector<BindingFailure> lacks) {
  std::vector<llvm::StringRef> names;
  for (const BindingFailure &each : lacks)
    names.push_back(each.symbol);
  auto order = tree.order(objects[importer].file, names);
  if (!order) {
    result.unknown.push_back(fmt::format("in which order {} is bound", objects[importer].path));
    order.emplace();
    for (llvm::StringRef name : names)
      order->push_back({name.str(), false});
  }
  auto stops = [&](const Bound &bound) { return now || !bound.isLazy; };
  auto first = llvm::find_if(*order, stops);
  bool isLater = first == order->end();
  if (isLater)
    first = order->begin();
  // What would end the process later is reported only if nothing ends this load.
  if (first == order->end() || (isLater && result.failure))
    return;
  auto failure = llvm::find_if(
      lacks, [&](const BindingFailure &each) { return each.symbol == first->symbol; });
  if (isLater)
    failure->ends = Ends::FirstCall;
  for (const Bound &bound : *order)
    failure->missing.push_back(bound.symbol);
  result.failure = std::move(*failure);
}

bool Binder::checkSymbols(size_t object) {
  std::vector<BindingFailure> lacks;
  for (const Import &import : objects[object].facts->imports)
    if (auto failure = look(object, import))
      lacks.push_back(std::move(*failure));
  if (!lacks.empty())
    stop(object, std::move(lacks));
  return !result.failure || result.failure->ends == Ends::FirstCall;
}

BindingResult Binder::run() {
  auto checked = [&](size_t object) { return objects[object].isChecked && objects[object].facts; };
  for (size_t object : group)
    if (checked(object) && !checkVersions(object))
      break;
  if (result.failure)
    return std::move(result);
  std::vector<size_t> order = sorted(objects, group);
  for (size_t object : llvm::reverse(order))
    if (checked(object) && !checkSymbols(object))
      break;
  return std::move(result);
}

BindingResult bind(llvm::ArrayRef<Mapped> objects, llvm::ArrayRef<size_t> group,
                   llvm::ArrayRef<size_t> global, bool now, Tree &tree) {
  return Binder(objects, group, global, now, tree).run();
}

} // namespace cudacc::loader
