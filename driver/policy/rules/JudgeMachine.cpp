// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/advice/Overrides.h"
#include "driver/policy/rules/Judge.h"
#include "driver/resolve/DeclaredRequirement.h"
#include "driver/tables/lookup/Torch.h"
#include "driver/versions/Format.h"
#include "driver/versions/Machine.h"
#include "driver/versions/WheelName.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::policy {

using namespace core;
using namespace versions;

bool isOtherMachine(const Target &target, uint16_t machine) {
  return target.declared && target.machine && machine && target.machine != machine;
}

Finding otherMachine(const Target &target, uint16_t machine, llvm::StringRef subject) {
  std::string has = describeMachine(target.machine), wants = describeMachine(machine);
  Finding finding = makeFinding(
      Code::OtherMachine, fmt::format("{} is for {}, the runtime for {}", subject, wants, has));
  finding.addFact("runtime", target.describe());
  auto placed =
      llvm::find_if(target.libraries, [](const auto &library) { return !library.path.empty(); });
  if (placed != target.libraries.end())
    finding.addFact("library", fmt::format("{} is for {}", placed->path, has));
  if (machineOfElf(machine))
    finding.addFix(
        fmt::format("name an environment for {0}: pip install --platform manylinux2014_{0} "
                    "--only-binary=:all: --target DIR, then env:DIR",
                    wants));
  finding.addFix(
      fmt::format("build for {0}, with a compiler whose name begins with {0}-linux-gnu-", has));
  return finding;
}

std::vector<Finding> judgeMachine(const Target &target, uint16_t machine,
                                  llvm::ArrayRef<LinkedLibrary> libraries) {
  if (libraries.empty() || target.enforce == Enforce::Off || !isOtherMachine(target, machine))
    return {};
  return applyMode(target.enforce, {otherMachine(target, machine, "the link")});
}

std::optional<Finding> judgeWheelName(llvm::StringRef wheel, const BinaryFacts &file) {
  auto name = WheelName::parse(wheel);
  bool isLoaded = file.kind == BinaryKind::SharedObject || file.kind == BinaryKind::Executable;
  if (!name || !isLoaded || !machineOfElf(file.machine))
    return std::nullopt;
  const Machine *other = nullptr;
  for (llvm::StringRef tag : llvm::split(name->platform, '.')) {
    other = machineOfPlatform(tag);
    if (!other || other->elf == file.machine)
      return std::nullopt;
  }
  std::string machine = describeMachine(file.machine);
  Finding finding =
      makeFinding(Code::OtherMachine, fmt::format("the file is for {}, its wheel is not", machine));
  finding.addFact("tag", name->platform.str());
  finding.addFix(fmt::format("build for {}, or give the wheel the tag of its files", other->name));
  return finding;
}

static std::optional<Finding> judgeTorch(const resolve::DeclaredRequirement &requirement,
                                         llvm::StringRef machine) {
  std::optional<tables::TorchRelease> lacking, having;
  for (const tables::TorchRelease &release : tables::torchReleases(requirement.more)) {
    bool lacks = release.withoutCuda == machine;
    auto version = Version::parse(release.str());
    if (lacks && version && requirement.specifiers.contains(*version))
      lacking = release;
    if (lacks)
      having.reset();
    else if (!having)
      having = release;
  }
  if (!lacking)
    return std::nullopt;
  Finding finding = resolve::findingAbout(
      Code::NoneForMachine, fmt::format("torch {} of PyPI has no CUDA for {}", *lacking, machine),
      requirement);
  finding.severity = Severity::Warning;
  tables::TorchLine line = tables::defaultTorchLine(*lacking);
  finding.addFact("taken", fmt::format("the build for CUDA {} of another index", line.cuda));
  if (having)
    finding.addFix(fmt::format("torch>={}", *having));
  finding.addFix(fmt::format("name the build that is installed: torch=={}+{}, or env:PATH",
                             *lacking, line.tag));
  return finding;
}

std::optional<Finding> judgeTorch(const Declaration &declaration, llvm::StringRef machine,
                                  const tables::UserTables *more) {
  for (const Setting<std::string> &setting : declaration.runtime) {
    auto requirement = resolve::parseRequirement(setting);
    if (!requirement) {
      llvm::consumeError(requirement.takeError());
      continue;
    }
    requirement->more = more;
    // An environment or a lock file has a definite build.
    if (requirement->isPlace())
      return std::nullopt;
    if (requirement->kind == resolve::RequirementKind::Torch)
      if (auto finding = judgeTorch(*requirement, machine))
        return finding;
  }
  return std::nullopt;
}

} // namespace cudacc::policy
