// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/matrix/MatrixRequest.h"
#include "driver/config/Settings.h"
#include "driver/core/Diagnostic.h"
#include "driver/plan/matrix/MatrixScripts.h"
#include "driver/support/Paths.h"
#include "driver/support/ShellWord.h"
#include "driver/support/Text.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/StringSwitch.h"

namespace cudacc::commands {

using namespace core;
using config::MatrixTable;
using llvm::StringRef;

/// Below the project, as .tox and .nox are.
static constexpr StringRef usualFolder = ".cuda-cc/matrix";

static std::optional<plan::TorchAbi> abiOf(StringRef text) {
  return llvm::StringSwitch<std::optional<plan::TorchAbi>>(text)
      .Cases("", "minor", plan::TorchAbi::Minor)
      .Case("stable", plan::TorchAbi::Stable)
      .Case("none", plan::TorchAbi::None)
      .Default(std::nullopt);
}

/// A value on the line, where relative paths start at the working directory.
static std::string resolved(StringRef name, StringRef value, Files &files) {
  std::string here = files.workingDirectory();
  if (name == "--runtime")
    return config::resolveAgainst(value, here, files);
  bool isPath =
      name == "--input" || ((name == "--toolkit" || name == "--python") && value.contains('/'));
  return isPath ? config::resolvePathAgainst(value, here, files) : value.str();
}

namespace {

/// The options of one call.
class Options {
public:
  Options(pipeline::System &system, MatrixRequest &request) : system(system), request(request) {}
  llvm::Error read(StringRef name, StringRef value);

private:
  pipeline::System &system;
  MatrixRequest &request;
  /// Keys that the line has.
  std::vector<MatrixTable::Texts *> lists;

  llvm::Error add(MatrixTable::Texts &list, StringRef name, StringRef value);
};

} // namespace

llvm::Error Options::add(MatrixTable::Texts &list, StringRef name, StringRef value) {
  if (!llvm::is_contained(lists, &list)) {
    lists.push_back(&list);
    list.clear();
  }
  list.push_back({resolved(name, value, system.files), {Origin::Kind::Option, name.str()}});
  return llvm::Error::success();
}

llvm::Error Options::read(StringRef name, StringRef value) {
  MatrixTable &table = request.table;
  using Prints = MatrixRequest::Prints;
  for (auto [option, prints] : {std::pair(StringRef("--plan"), Prints::Plan),
                                {"--github", Prints::Github},
                                {"--gitlab", Prints::Gitlab}})
    if (name == option) {
      request.prints = prints;
      return llvm::Error::success();
    }
  if (value.trim().empty())
    return usageError(fmt::format("{} is empty", name));
  if (name != "--dir" && name != "--jobs" && name != "--toolkit")
    support::appendItem(request.options, fmt::format("{}={}", name, support::shellWord(value)),
                        " ");
  for (auto [option, list] : {std::pair(StringRef("--runtime"), &table.runtimes),
                              {"--toolkit", &table.toolkits},
                              {"--python", &table.pythons},
                              {"--input", &table.inputs},
                              {"--artefact", &table.artefacts}})
    if (name == option)
      return add(*list, name, value);
  for (auto [option, text] : {std::pair(StringRef("--build"), &table.build),
                              {"--test", &table.test},
                              {"--torch-abi", &table.torchAbi}})
    if (name == option)
      *text = {value.str(), {Origin::Kind::Option, name.str()}};
  if (name == "--dir")
    request.folder = support::normalizePath(support::absolute(value, system.files), system.files);
  if (name == "--jobs" && (value.getAsInteger(10, request.jobs) || !request.jobs))
    return usageError(fmt::format("--jobs is a number of builds, not '{}'", value));
  return llvm::Error::success();
}

static llvm::Error missing(StringRef key, StringRef example) {
  return makeError(Code::Usage, fmt::format("a matrix needs {}", key),
                   {{"searched", "[tool.cuda-cc.matrix] of pyproject.toml, [matrix] of "
                                 "cuda-cc.toml, and the options"}},
                   {fmt::format("write {}", example), "cuda-cc help matrix"});
}

/// Errors: a key is missing, or a pattern or an ABI that there is not.
static llvm::Error check(MatrixRequest &request) {
  const MatrixTable &table = request.table;
  if (table.runtimes.empty())
    return missing("runtimes", "runtimes = [\"cuda==12.4\", \"all torch>=2.5\"]");
  if (table.build.value.empty())
    return missing("build", "build = \"pip wheel\", \"cmake\", \"meson\" or a command line");
  if (table.artefacts.empty() && plan::matrixRecipe(table.build.value, {}, false).artefacts.empty())
    return missing("artefacts", "artefacts = [\"lib/*.so\"]");
  for (const Setting<std::string> &each : table.artefacts) {
    StringRef glob = each.value;
    if (glob.starts_with("/") || glob.contains("..") || glob.contains("**"))
      return makeError(Code::BadValue,
                       fmt::format("artefacts cannot be {}", support::quoted(glob, 24)),
                       {{"where", config::placeOf(each.origin)},
                        {"allowed", "patterns as in sh, relative to the folder of the build: *, ? "
                                    "and [...]; a folder stands for all that is in it"}});
  }
  auto abi = abiOf(table.torchAbi.value);
  if (!abi)
    return makeError(
        Code::BadValue,
        fmt::format("torch-abi cannot be {}", support::quoted(table.torchAbi.value, 24)),
        {{"where", config::placeOf(table.torchAbi.origin)},
         {"allowed", "minor, stable, none"},
         {"default", "minor"}});
  request.abi = *abi;
  return llvm::Error::success();
}

llvm::Expected<MatrixRequest> readMatrixRequest(pipeline::System &system,
                                                const MatrixArguments &arguments) {
  MatrixRequest request;
  auto table = config::findMatrixTable(system.environment, system.files, system.uid);
  if (!table)
    return table.takeError();
  request.table = std::move(*table);
  Options options(system, request);
  for (const auto &[name, value] : arguments.kept)
    if (llvm::Error error = options.read(name, value))
      return error;
  if (llvm::Error error = check(request))
    return error;
  request.project =
      request.table.folder.empty() ? system.files.workingDirectory() : request.table.folder;
  if (request.folder.empty())
    request.folder = support::joinPath(request.project, usualFolder);
  request.names = arguments.words;
  request.acceptsLicense = arguments.acceptLicense;
  return request;
}

} // namespace cudacc::commands
