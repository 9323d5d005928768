// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/wheel/Installer.h"
#include "driver/core/Diagnostic.h"
#include "driver/support/PathSearch.h"
#include "driver/support/Paths.h"
#include "driver/versions/Format.h"

namespace cudacc::commands {

using namespace core;
using llvm::StringRef;

/// A version is the program `python3.11`.
static std::string programOf(StringRef python) {
  if (python.empty())
    return "python3";
  return llvm::isDigit(python.front()) ? fmt::format("python{}", python) : python.str();
}

llvm::Expected<Installer> Installer::find(pipeline::System &system, std::string python) {
  std::string uv = support::findProgram("uv", system.environment, system.files);
  if (!uv.empty())
    return Installer(system, std::move(uv), std::move(python));
  std::string name = programOf(python);
  std::string program = support::findProgram(name, system.environment, system.files);
  if (program.empty())
    return makeError(Code::InstallFailed, "neither uv nor Python was found",
                     {{"searched", fmt::format("PATH for uv and {}", name)}}, {"pip install uv"});
  return Installer(system, {}, std::move(program));
}

static Command commandOf(llvm::ArrayRef<std::string> words) {
  Command command;
  command.program = words.front();
  command.argv.addAll(words);
  // An active environment is another one, and what these name is not installed in this one.
  command.unset = {"VIRTUAL_ENV", "CONDA_PREFIX", "PYTHONHOME", "PYTHONPATH", "LD_LIBRARY_PATH"};
  return command;
}

llvm::Error Installer::runTool(llvm::ArrayRef<std::string> words) const {
  auto answer = system->runner.ask(commandOf(words));
  if (!answer)
    return answer.takeError();
  if (answer->ended.ok())
    return llvm::Error::success();
  std::vector<Fact> facts{{"command", llvm::join(words, " ")}};
  llvm::SmallVector<StringRef, 32> lines;
  StringRef(answer->err.empty() ? answer->out : answer->err).split(lines, '\n', -1, false);
  for (StringRef line : llvm::ArrayRef(lines).take_back(std::min<size_t>(lines.size(), 8)))
    facts.push_back({fmt::format("{} says", name()), line.trim().str()});
  return makeError(Code::InstallFailed, fmt::format("{} could not make the environment", name()),
                   std::move(facts));
}

llvm::Error Installer::install(const std::string &folder, const std::string &wheel,
                               llvm::ArrayRef<std::string> lowest) const {
  std::string inside = support::joinPath(folder, "bin/python");
  std::vector<std::string> make{python, "-I", "-m", "venv", folder};
  std::vector<std::string> install{inside, "-I", "-m", "pip", "install"};
  if (!uv.empty()) {
    make = {uv, "venv", folder};
    if (!python.empty())
      llvm::append_range(make, std::vector<std::string>{"--python", python});
    // Of what is named here, the lowest; of what that requires, the highest.
    install = {uv,
               "pip",
               "install",
               "--python",
               inside,
               "--resolution",
               lowest.empty() ? "highest" : "lowest-direct"};
  }
  install.push_back(wheel);
  llvm::append_range(install, lowest);
  if (llvm::Error error = runTool(make))
    return error;
  return runTool(install);
}

llvm::Expected<Runner::Answer> Installer::run(const std::string &folder, std::string code) const {
  // -I: the working directory often holds the project itself.
  return system->runner.ask(
      commandOf({support::joinPath(folder, "bin/python"), "-I", "-c", std::move(code)}));
}

} // namespace cudacc::commands
