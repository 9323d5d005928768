// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/rules/LoadFailure.h"
#include "driver/support/Paths.h"
#include "driver/support/ShellWord.h"
#include "driver/versions/Format.h"
#include "driver/versions/ModuleName.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::policy {

using namespace core;
using namespace versions;
using llvm::StringRef;

namespace {
/// The beginning of glibc's message, and what it means. The first row that fits counts.
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
    {"cannot read file data: Is a directory", Code::NotLoadable, "is not a library",
     "it is a directory"},
    {"cannot read file data", Code::Damaged, "is truncated", "", "size"},
    {"it is truncated", Code::Damaged, "is truncated", "", "size"},
    {"it is damaged", Code::Damaged, "is damaged", "", "because"},
    {"failed to map segment from shared object", Code::NotExecutable, "cannot be mapped"},
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
    {"ELF file", Code::Damaged, "is damaged"},
    {"ELF load command", Code::Damaged, "is damaged", "", "because"},
    {"object file has no loadable segments", Code::Damaged, "is damaged", "", "because"},
    {"nonzero padding in e_ident", Code::Damaged, "is damaged"},
    {"unsupported version", Code::Damaged, "is damaged", "", "because"},
    {"unexpected reloc type", Code::Damaged, "is damaged", "", "because"},
};

std::optional<Finding> fileFailure(const LoadResult &load) {
  // The message follows the path, or the name that was asked for.
  StringRef failure = load.failure;
  failure.consume_front(load.unloadable);
  failure.consume_front(load.missing);
  failure.consume_front(": ");
  const Words *row =
      llvm::find_if(known, [&](const Words &each) { return failure.starts_with(each.words); });
  if (row == std::end(known))
    return std::nullopt;
  Finding finding =
      makeFinding(row->code, fmt::format("{} {}", support::nameOf(load.unloadable), row->message));
  finding.library = support::nameOf(load.missing).str();
  finding.addFact("file", load.unloadable);
  if (!load.detail.empty())
    finding.addFact(row->detail.str(), load.detail);
  if (!row->because.empty())
    finding.addFact("because", row->because.str());
  finding.addFact("loader", load.failure);
  if (!load.askedBy.empty())
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
