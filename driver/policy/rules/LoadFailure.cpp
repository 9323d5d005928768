// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/rules/LoadFailure.h"
#include "driver/support/Paths.h"
#include "driver/support/ShellWord.h"
#include "driver/versions/Format.h"
#include "driver/versions/ModuleName.h"

namespace cudacc::policy {

using namespace core;
using namespace versions;
using llvm::StringRef;

namespace {
/// glibc's message or its beginning, and what it means.
struct Words {
  StringRef words;
  Code code;
  StringRef message;
  StringRef because = "";
  /// What LoadResult::detail says.
  StringRef detail = "where";
};
} // namespace

static constexpr Words known[] = {
    {"file too short", Code::Damaged, "is truncated", "", "size"},
    {"cannot read file data", Code::Damaged, "is truncated", "", "size"},
    {"it is truncated", Code::Damaged, "is truncated", "", "size"},
    {"it is damaged", Code::Damaged, "is damaged", "", "because"},
    {"failed to map segment from shared object", Code::NotExecutable, "cannot be mapped",
     "it lies on a file system that is mounted noexec"},
    {"object file has no dynamic section", Code::NotLoadable, "is not a library",
     "it has debug information only (objcopy --only-keep-debug)"},
    {"cannot dynamically load executable", Code::NotLoadable, "is not a library",
     "it is a program"},
    {"cannot dynamically load position-independent executable", Code::NotLoadable,
     "is not a library", "it is a program"},
    {"only ET_DYN and ET_EXEC can be loaded", Code::NotLoadable, "is not a library",
     "it is an object file that was not linked"},
    {"shared object cannot be dlopen()ed", Code::NotLoadable, "cannot be opened by dlopen",
     "it was linked with -z nodlopen"},
    {"invalid ELF header", Code::NotLoadable, "is not a library", "it is not an ELF file"},
    {"cannot read file data: Is a directory", Code::NotLoadable, "is not a library",
     "it is a directory"},
    {"ELF file", Code::Damaged, "is damaged"},
    {"ELF load command", Code::Damaged, "is damaged", "", "because"},
    {"object file has no loadable segments", Code::Damaged, "is damaged", "", "because"},
    {"nonzero padding in e_ident", Code::Damaged, "is damaged"},
    {"unsupported version", Code::Damaged, "is damaged", "", "because"},
    {"unexpected reloc type", Code::Damaged, "is damaged", "", "because"},
};

std::optional<Finding> fileFailure(const LoadResult &load) {
  StringRef failure = load.failure;
  if (failure.empty() || load.unloadable.empty())
    return std::nullopt;
  // The message follows the path, or the name that was asked for.
  if (!failure.consume_front(load.unloadable) && !failure.consume_front(load.missing))
    return std::nullopt;
  failure.consume_front(": ");
  const Words *best = nullptr;
  for (const Words &row : known)
    if (failure.starts_with(row.words) && (!best || row.words.size() > best->words.size()))
      best = &row;
  if (!best)
    return std::nullopt;
  Finding finding = makeFinding(
      best->code, fmt::format("{} {}", support::nameOf(load.unloadable), best->message));
  finding.library = support::nameOf(load.missing).str();
  finding.addFact("file", load.unloadable);
  if (!load.detail.empty())
    finding.addFact(best->detail.str(), load.detail);
  if (!best->because.empty() && best->code != Code::NotExecutable)
    finding.addFact("because", best->because.str());
  finding.addFact("loader", load.failure);
  if (!load.askedBy.empty() && support::nameOf(load.askedBy) != support::nameOf(load.unloadable))
    finding.addFact("needed by", load.askedBy);
  if (!load.package.empty())
    finding.addFix(fmt::format("pip install --force-reinstall --no-deps {}",
                               support::shellWord(load.package)));
  return finding;
}

static Finding noLibrary(StringRef path, StringRef because, StringRef words) {
  Finding finding =
      makeFinding(Code::NotLoadable, fmt::format("{} is not a library", support::nameOf(path)));
  finding.addFact("because", because.str());
  finding.addFact("loader", fmt::format("{}: {}", path, words));
  return finding;
}

bool isForDebuggers(const BinaryFacts &file) {
  StringRef name = support::nameOf(file.path);
  return file.lacksDynamic && (!isSharedObjectName(name) || name.ends_with(".debug"));
}

std::optional<Finding> kindFailure(const BinaryFacts &file) {
  StringRef name = support::nameOf(file.path);
  if (file.lacksDynamic && !isForDebuggers(file))
    return noLibrary(file.path, "it has debug information only (objcopy --only-keep-debug)",
                     "object file has no dynamic section");
  // Some programs that can be opened, too, have no SONAME.
  bool isLibrarys = isLibraryName(name);
  bool isModules = pythonOfModule(name).has_value();
  bool isProgram = file.isPie || file.isFixed;
  if (file.kind == BinaryKind::Executable && (isModules || (isLibrarys && isProgram)))
    return noLibrary(file.path,
                     fmt::format("it is a program under the name of {}",
                                 isModules ? "an extension module" : "a library"),
                     file.isPie ? "cannot dynamically load position-independent executable"
                                : "cannot dynamically load executable");
  return std::nullopt;
}

std::string lacksInitFunctionWords(StringRef function) {
  return fmt::format("dynamic module does not define module export function ({})", function);
}

Finding lacksInitFunction(StringRef path, StringRef function, bool isImported) {
  Finding finding = makeFinding(Code::NoModuleFunction,
                                fmt::format("{} exports no {}", support::nameOf(path), function));
  finding.symbol = function.str();
  finding.addFact("file", path.str());
  finding.addFact("python", "ImportError: " + lacksInitFunctionWords(function));
  if (!isImported) {
    finding.severity = Severity::Warning;
    finding.addFact("but", "ctypes and torch.ops.load_library can load it");
  }
  return finding;
}

} // namespace cudacc::policy
