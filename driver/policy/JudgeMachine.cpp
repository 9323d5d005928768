#include "driver/core/Machine.h"
#include "driver/policy/Judge.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::policy {

using namespace core;

bool isOtherMachine(const Target &target, uint16_t machine) {
  return target.declared && target.machine && machine && target.machine != machine;
}

Finding otherMachine(const Target &target, uint16_t machine, llvm::StringRef subject) {
  std::string has = describeMachine(target.machine), wants = describeMachine(machine);
  Finding finding;
  finding.code = Code::OtherMachine;
  finding.message = (subject + " is for " + wants + ", the runtime for " + has).str();
  finding.facts.push_back({"runtime", target.describe()});
  auto placed =
      llvm::find_if(target.libraries, [](const auto &library) { return !library.path.empty(); });
  if (placed != target.libraries.end())
    finding.facts.push_back({"library", placed->path + " is for " + has});
  if (machineOfElf(machine))
    finding.fixes.push_back("name an environment for " + wants +
                            ": pip install --platform manylinux_2_28_" + wants +
                            " --only-binary=:all: --target DIR, then env:DIR");
  finding.fixes.push_back("build for " + has + ", with a compiler whose name begins with " + has +
                          "-linux-gnu-");
  return finding;
}

std::vector<Finding> judgeMachine(const Target &target, uint16_t machine,
                                  llvm::ArrayRef<LinkedLibrary> libraries) {
  if (libraries.empty() || target.enforce == Enforce::Off || !isOtherMachine(target, machine))
    return {};
  return applyMode(target.enforce, {otherMachine(target, machine, "the link")});
}

} // namespace cudacc::policy
