// SPDX-License-Identifier: Apache-2.0
#include "driver/report/text/Inspect.h"
#include "driver/commands/Subcommands.h"
#include "driver/commands/inputs/ReadFile.h"
#include "driver/pipeline/TorchTables.h"
#include "driver/policy/rules/Evidence.h"
#include "driver/policy/rules/JudgeBinary.h"
#include "driver/policy/rules/StableAbi.h"
#include "driver/policy/rules/TorchImports.h"
#include "driver/report/json/Json.h"
#include "driver/tables/lookup/Libraries.h"

namespace cudacc::commands {

using namespace core;
using namespace versions;

namespace {

struct InspectArguments : Arguments {
  bool deep = false, verify = false, exports = false;
};

} // namespace

static bool isNvidia(llvm::StringRef soname) {
  return tables::libraryByFileName(soname).has_value();
}

/// Whether other files of the process define a symbol is not known here.
static TorchRange torchOf(const BinaryFacts &facts, pipeline::TorchTables &tables) {
  const tables::TorchNames *table = policy::mayUseTorch(facts) ? tables().names : nullptr;
  if (!table)
    return {};
  return policy::torchRangeOf(policy::torchImports(facts, table), *table, facts.machine,
                              [](llvm::StringRef) { return Exported::Unknown; });
}

static report::Inspected inspected(BinaryFacts facts, const InspectArguments &arguments,
                                   pipeline::TorchTables &tables) {
  report::Inspected file;
  file.torch = torchOf(facts, tables);
  if (policy::usesStableTorchOnly(facts))
    file.stableTorch = policy::stableFloorOf(file.torch);
  if (auto abi = policy::pythonAbiOf(facts)) {
    file.pythonFloor = abi->leastText();
    for (const policy::PythonAbi::Name &name : abi->beyond)
      file.beyondLimitedApi.push_back(name.text());
  }
  if (unsigned major = policy::majorOf(facts))
    file.floor = policy::floorsOf(facts, major);
  file.evidence = policy::evidenceOf(facts, file.floor);
  file.listsExports = arguments.exports;
  file.facts = std::move(facts);
  return file;
}

static llvm::Expected<int> inspect(pipeline::System &system, const InspectArguments &arguments) {
  if (arguments.words.empty())
    return makeError(Code::Usage, "cuda-cc inspect takes files");
  Inputs inputs = findInputs(system, arguments.words, std::nullopt);
  binary::ReadOptions options;
  options.exports = options.device = true;
  options.deep = arguments.deep;
  options.verify = arguments.verify;
  std::vector<ReadFile> read = readInputs(system, inputs, options);
  int status = 0;
  for (const auto &[name, problem] : inputs.problems)
    status = std::max(status, failWith(system, problem));
  report::Style style = pipeline::outStyle(system);
  pipeline::TorchTables tables(system);
  std::vector<report::Inspected> files;
  for (ReadFile &file : read) {
    if (file.state == ReadFile::State::Failed)
      status = std::max(status, failWith(system, file.problem));
    if (file.state != ReadFile::State::Read)
      continue;
    report::Inspected one = inspected(std::move(file.facts), arguments, tables);
    if (arguments.json)
      files.push_back(std::move(one));
    else
      system.console.out(report::inspect(one, isNvidia, style));
  }
  if (arguments.json)
    system.console.out(report::print(report::toJson(llvm::ArrayRef<report::Inspected>(files))));
  return status;
}

static constexpr Option<InspectArguments> inspectOptions[] = {
    {"--format", &InspectArguments::format, "text json"},
    {"--deep", &InspectArguments::deep},
    {"--verify", &InspectArguments::verify},
    {"--exports", &InspectArguments::exports},
};

constexpr SubcommandBody inspectSubcommand = bodyOf<inspectOptions, inspect>();

} // namespace cudacc::commands
