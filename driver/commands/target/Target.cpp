// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/Declaration.h"
#include "driver/commands/Subcommands.h"
#include "driver/commands/target/TargetDiff.h"
#include "driver/policy/advice/Installer.h"
#include "driver/probe/python/Pip.h"
#include "driver/report/json/Json.h"
#include "driver/report/text/TargetTable.h"
#include "driver/report/text/Text.h"

namespace cudacc::commands {

using namespace core;

namespace {

struct TargetArguments : Arguments {
  /// `words` holds two declarations to compare.
  bool diff = false;
  bool check = false;
};

} // namespace

static llvm::Expected<int> show(pipeline::System &system, const TargetArguments &arguments) {
  config::SearchNotes searched;
  auto declaration =
      requireDeclaration(system, arguments, "cuda-cc target --runtime torch==2.5.1", &searched);
  if (!declaration)
    return declaration.takeError();
  auto resolved = resolveOnce(system, *declaration);
  if (!resolved)
    return resolved.takeError();
  llvm::append_range(resolved->problems, searched.findings());
  if (!resolved->sitePackages.empty())
    policy::nameInstaller(probe::pipInstallBeside(resolved->sitePackages.front(), system.files),
                          resolved->problems);
  auto table = arguments.check ? report::targetLine : report::targetTable;
  system.console.out(arguments.json ? report::print(report::toJson(*resolved))
                                    : table(*resolved, pipeline::outStyle(system)));
  if (!arguments.json)
    system.console.err(report::text(resolved->problems, pipeline::errStyle(system)));
  return 0;
}

static constexpr llvm::StringLiteral diffExample =
    "cuda-cc target --diff torch==2.5.1 torch==2.7.0";

/// The target of one side of `--diff`: requirements separated by `;`, with the other settings as
/// declared.
static llvm::Expected<Target> side(pipeline::System &system, Declaration declaration,
                                   llvm::StringRef text) {
  declaration.runtime = requirementsIn(text, {Origin::Kind::Option, "--diff"});
  if (!declaration.declared())
    return makeError(Code::Usage, "--diff has an empty declaration", {}, {diffExample.str()});
  auto target = resolveOnce(system, declaration);
  // The output says which side it is; where it was declared is obvious.
  if (target)
    for (Setting<std::string> &each : target->declaredAs)
      each.origin = {};
  return target;
}

static llvm::Expected<int> compare(pipeline::System &system, const TargetArguments &arguments) {
  if (!arguments.runtime.empty())
    return makeError(Code::Usage, "--diff takes two declarations and no --runtime", {},
                     {diffExample.str()});
  if (arguments.check)
    return makeError(Code::Usage, "--diff and --check exclude each other", {}, {diffExample.str()});
  if (arguments.words.size() != 2)
    return makeError(Code::Usage,
                     fmt::format("--diff needs two declarations, not {}", arguments.words.size()),
                     {}, {diffExample.str()});
  config::SearchNotes searched;
  auto declaration = readDeclaration(system, arguments, "", &searched);
  if (!declaration)
    return declaration.takeError();
  auto a = side(system, *declaration, arguments.words[0]);
  if (!a)
    return a.takeError();
  auto b = side(system, *declaration, arguments.words[1]);
  if (!b)
    return b.takeError();
  system.console.err(report::text(searched.findings(), pipeline::errStyle(system)));
  TargetDiff diff = commands::diff(*a, *b);
  system.console.out(arguments.json ? report::print(targetDiffJson(*a, *b, diff))
                                    : targetDiffText(*a, *b, diff, pipeline::outStyle(system)));
  return diff.equal() ? 0 : 1;
}

static llvm::Expected<int> target(pipeline::System &system, const TargetArguments &arguments) {
  return arguments.diff ? compare(system, arguments) : show(system, arguments);
}

static constexpr Option<TargetArguments> targetOptions[] = {
    {"--format", &TargetArguments::format, "text json"},
    {"--runtime", &TargetArguments::runtime, "REQ"},
    {"--diff", &TargetArguments::diff, "REQ"},
    {"--check", &TargetArguments::check},
};

constexpr SubcommandBody targetSubcommand = bodyOf<targetOptions, target>();

} // namespace cudacc::commands
