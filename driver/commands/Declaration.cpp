#include "driver/commands/Tools.h"

namespace cudacc::commands {

using namespace core;

llvm::Expected<Declaration> declarationOf(pipeline::System &system, const Arguments &arguments,
                                          const ToolchainDirectory *directory,
                                          llvm::StringRef example, config::SearchNotes *notes) {
  config::SearchNotes searched;
  OwnOptions own = arguments.own;
  std::vector<std::string> &runtime = own[Key::Runtime];
  runtime.insert(runtime.begin(), arguments.runtime.begin(), arguments.runtime.end());
  auto declaration = config::readDeclaration(own, system.environment, system.files,
                                             directory ? &directory->declaration : nullptr,
                                             system.uid, "", &searched);
  if (!declaration)
    return declaration.takeError();
  if (!declaration->declared()) {
    std::vector<Fact> facts;
    for (const std::string &path : searched.passedBy)
      facts.push_back({"passed by", path});
    return fail(Code::Usage, "no runtime is declared here", std::move(facts), {example.str()});
  }
  if (notes)
    *notes = std::move(searched);
  if (!arguments.runtime.empty())
    for (size_t i = 0; i < arguments.runtime.size(); ++i)
      declaration->runtime[i].origin.name = "--runtime";
  return declaration;
}

} // namespace cudacc::commands
