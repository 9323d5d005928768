#include "driver/commands/simulation/Simulation.h"
#include "driver/policy/rules/LoadFailure.h"
#include "driver/support/Paths.h"
#include "driver/versions/ModuleName.h"

namespace cudacc::commands {

using namespace core;
using namespace versions;
using support::nameOf;

/// Python finds the function by name in a module that was loaded.
void Simulation::judgeModule() {
  std::string function = initFunctionOf(subject.path);
  // Of a package the only file in it may be a library that its Python code opens.
  llvm::StringRef imported = subject.module;
  imported = imported.substr(imported.rfind('.') + 1);
  bool isImported = !imported.empty() && function == ("PyInit_" + imported).str();
  bool isModule = isImported || pythonOfModule(nameOf(subject.path));
  if (!isModule || function.empty() || !outcome.ok() || facts.kind != BinaryKind::SharedObject ||
      simulator.fileCache.exported(subject.path, function, "") != Exported::No)
    return;
  diagnosis.judgement.verdict.add(policy::lacksInitFunction(subject.path, function, isImported));
  if (!isImported)
    return;
  diagnosis.ends = Diagnosis::Ends::Fails;
  diagnosis.predicted = policy::lacksInitFunctionWords(function);
}

} // namespace cudacc::commands
