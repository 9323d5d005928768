// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/Declaration.h"
#include "driver/pipeline/Declared.h"

namespace cudacc::commands {

using namespace core;

static llvm::Expected<Declaration> read(pipeline::System &system, const OwnOptions &own,
                                        const ToolchainDirectory *directory, llvm::StringRef from,
                                        config::SearchNotes *notes) {
  return config::readDeclaration(own, system.environment, system.files,
                                 directory ? &directory->declaration : nullptr, system.uid, from,
                                 notes);
}

llvm::Expected<Declaration> readDeclaration(pipeline::System &system, const Arguments &arguments,
                                            llvm::StringRef from, config::SearchNotes *notes) {
  return read(system, arguments.own, arguments.directory, from, notes);
}

OwnOptions withRuntime(const Arguments &arguments) {
  OwnOptions own = arguments.own;
  std::vector<std::string> &runtime = own[Key::Runtime];
  runtime.insert(runtime.begin(), arguments.runtime.begin(), arguments.runtime.end());
  return own;
}

void nameRuntime(const Arguments &arguments, Declaration &declaration) {
  for (size_t i = 0; i < arguments.runtime.size(); ++i)
    declaration.runtime[i].origin.name = "--runtime";
}

llvm::Expected<Declaration> requireDeclaration(pipeline::System &system, const Arguments &arguments,
                                               llvm::StringRef example,
                                               config::SearchNotes *notes) {
  config::SearchNotes searched;
  auto declaration = read(system, withRuntime(arguments), arguments.directory, "", &searched);
  if (!declaration)
    return declaration.takeError();
  if (!declaration->declared()) {
    std::vector<Fact> facts;
    for (const std::string &path : searched.passedBy)
      facts.push_back({"passed by", path});
    return makeError(Code::Usage, "no runtime is declared here", std::move(facts), {example.str()});
  }
  if (notes)
    *notes = std::move(searched);
  nameRuntime(arguments, *declaration);
  return declaration;
}

std::vector<Setting<std::string>> requirementsIn(llvm::StringRef text, const Origin &origin) {
  std::vector<Setting<std::string>> out;
  for (llvm::StringRef part : llvm::split(text, ';'))
    if (!part.trim().empty())
      out.push_back({part.trim().str(), origin});
  return out;
}

std::string runtimeName(const Declaration &declaration) {
  return llvm::join(
      llvm::map_range(declaration.runtime, [](const auto &each) { return each.value; }), ";");
}

llvm::Expected<Target> resolveOnce(pipeline::System &system, const Declaration &declaration) {
  cache::Store store(system.environment, system.files, system.uid);
  return pipeline::resolveDeclaration(system, store, declaration);
}

} // namespace cudacc::commands
