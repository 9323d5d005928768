#include "driver/commands/Tools.h"
#include "driver/commands/target/TargetDiff.h"
#include "driver/commands/target/TargetDiffJson.h"
#include "driver/commands/target/TargetDiffText.h"
#include "driver/config/Config.h"
#include "driver/pipeline/Declared.h"
#include "driver/report/json/Json.h"
#include "driver/report/text/TargetTable.h"
#include "driver/report/text/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::commands {

using namespace core;

static int show(pipeline::System &system, const Arguments &arguments,
                const ToolchainDirectory *directory) {
  config::SearchNotes searched;
  auto declaration = declarationOf(system, arguments, directory,
                                   "cuda-cc target --runtime torch==2.5.1", &searched);
  if (!declaration)
    return stop(system, takeFinding(declaration.takeError()));
  cache::Store store(system.environment, system.files, system.uid);
  auto resolved = pipeline::resolveDeclaration(system, store, *declaration);
  if (!resolved)
    return stop(system, takeFinding(resolved.takeError()));
  llvm::append_range(resolved->problems, searched.findings());
  system.console.out(arguments.json ? report::print(report::toJson(*resolved))
                                    : report::targetTable(*resolved, pipeline::outStyle(system)));
  if (!arguments.json) {
    system.console.err(report::text(resolved->problems, pipeline::errStyle(system)));
  }
  return 0;
}

/// One side of `--diff`: requirements separated by `;`, the other settings as they are declared.
static llvm::Expected<Target> side(pipeline::System &system, cache::Store &store,
                                   Declaration declaration, llvm::StringRef text) {
  declaration.runtime.clear();
  for (llvm::StringRef part : llvm::split(text, ';'))
    if (!part.trim().empty())
      declaration.runtime.push_back({part.trim().str(), {Origin::Kind::Option, "--diff"}});
  if (!declaration.declared())
    return fail(Code::Usage, "--diff has an empty declaration", {},
                {"cuda-cc target --diff torch==2.5.1 torch==2.7.0"});
  auto target = pipeline::resolveDeclaration(system, store, declaration);
  // The line says which side it is; where it was written is plain.
  if (target)
    for (Setting<std::string> &each : target->declaredAs)
      each.origin = {};
  return target;
}

static int compare(pipeline::System &system, const Arguments &arguments,
                   const ToolchainDirectory *directory) {
  static constexpr llvm::StringLiteral example = "cuda-cc target --diff torch==2.5.1 torch==2.7.0";
  Finding usage{Code::Usage, Severity::Error, "", {}, {example.str()}, "", "", ""};
  if (!arguments.runtime.empty()) {
    usage.message = "--diff takes two declarations and no --runtime";
    return stop(system, usage);
  }
  if (arguments.words.size() != 2) {
    usage.message = "--diff needs two declarations, not " + std::to_string(arguments.words.size());
    return stop(system, usage);
  }
  config::SearchNotes searched;
  auto declaration = config::readDeclaration(arguments.own, system.environment, system.files,
                                             directory ? &directory->declaration : nullptr,
                                             system.uid, "", &searched);
  if (!declaration)
    return stop(system, takeFinding(declaration.takeError()));
  cache::Store store(system.environment, system.files, system.uid);
  auto a = side(system, store, *declaration, arguments.words[0]);
  if (!a)
    return stop(system, takeFinding(a.takeError()));
  auto b = side(system, store, *declaration, arguments.words[1]);
  if (!b)
    return stop(system, takeFinding(b.takeError()));
  system.console.err(report::text(searched.findings(), pipeline::errStyle(system)));
  TargetDiff diff = commands::diff(*a, *b);
  system.console.out(arguments.json ? report::print(targetDiffJson(*a, *b, diff))
                                    : targetDiffText(*a, *b, diff, pipeline::outStyle(system)));
  return diff.equal() ? 0 : 1;
}

int target(pipeline::System &system, const Arguments &arguments,
           const ToolchainDirectory *directory) {
  return arguments.diff ? compare(system, arguments, directory)
                        : show(system, arguments, directory);
}

} // namespace cudacc::commands
