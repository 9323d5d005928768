// SPDX-License-Identifier: Apache-2.0
#include "driver/plan/matrix/MatrixScripts.h"
#include "driver/support/ShellWord.h"
#include "driver/support/Text.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::plan {

using llvm::StringRef;
using support::shellWord;

static std::string words(llvm::ArrayRef<std::string> texts) {
  return support::joined(texts, " ", [](StringRef text) { return shellWord(text); });
}

static constexpr StringRef cmakeCommand = R"(rm -rf install
cmake -S "$CUDA_CC_MATRIX_SOURCE" -B . -G "${CMAKE_GENERATOR:-Ninja}" \
  -DCMAKE_BUILD_TYPE="${CMAKE_BUILD_TYPE:-Release}"
cmake --build . --config "${CMAKE_BUILD_TYPE:-Release}"
cmake --install . --config "${CMAKE_BUILD_TYPE:-Release}" --prefix "$PWD/install")";

static constexpr StringRef mesonCommand = R"(rm -rf install
[ ! -d meson-private ] || set -- --reconfigure
meson setup "$@" . "$CUDA_CC_MATRIX_SOURCE" --buildtype=release --prefix="$PWD/install" \
  --libdir=lib --native-file ../cuda/native.ini
meson compile
meson install)";

MatrixRecipe matrixRecipe(StringRef command, llvm::ArrayRef<std::string> artefacts,
                          bool ownPython) {
  MatrixRecipe recipe;
  recipe.artefacts = artefacts.vec();
  if (command == "pip wheel") {
    recipe.command = fmt::format("\"${{PYTHON:-python3}}\" -m pip wheel --no-deps{} -w dist .",
                                 ownPython ? " --no-build-isolation" : "");
    if (artefacts.empty())
      recipe.artefacts = {"dist/*.whl"};
  } else if (command == "cmake" || command == "meson") {
    recipe.copies = false;
    recipe.command = (command == "cmake" ? cmakeCommand : mesonCommand).str();
    if (artefacts.empty())
      recipe.artefacts = {"install"};
  } else {
    recipe.command = command.str();
  }
  return recipe;
}

/// Variables that lead to other environments and libraries.
static constexpr StringRef ownVariables =
    "unset VIRTUAL_ENV CONDA_PREFIX PYTHONHOME PYTHONPATH LD_LIBRARY_PATH\n";

/// Lines that make the environment `venv` in the working directory.
static std::string makeEnvironment(const MatrixEnvironment &environment) {
  StringRef python = environment.python;
  if (!environment.uv.empty())
    return fmt::format("{} venv --quiet --seed{} venv\n", shellWord(environment.uv),
                       python.empty() ? "" : fmt::format(" --python {}", shellWord(python)));
  return fmt::format("{} -m venv venv\n", shellWord(python.empty() ? "python3" : python));
}

/// The command that installs what follows it into that environment.
static std::string installer(const MatrixEnvironment &environment) {
  return environment.uv.empty() ? "venv/bin/python -m pip install --quiet"
                                : fmt::format("{} pip install --quiet --python venv/bin/python",
                                              shellWord(environment.uv));
}

std::string environmentScript(const MatrixEnvironment &environment) {
  std::string install;
  if (!environment.requirements.empty())
    install = fmt::format("{} {}\n", installer(environment), words(environment.requirements));
  return fmt::format("#!/bin/sh\n"
                     "# Made by cuda-cc matrix.\n"
                     "set -e\n"
                     "cd {}\n"
                     "rm -rf made venv\n"
                     "{}{}{}: > made\n",
                     shellWord(environment.folder), ownVariables, makeEnvironment(environment),
                     install);
}

static std::string enterEnvironment(StringRef environment) {
  if (environment.empty())
    return "";
  std::string folder = shellWord(environment);
  return fmt::format("export VIRTUAL_ENV={0} PYTHON={0}/bin/python PATH={0}/bin:\"$PATH\"\n",
                     folder);
}

/// A pattern for sh: everything is quoted but its wildcards.
static std::string pattern(StringRef glob) {
  std::string out;
  size_t at = 0;
  while (at < glob.size()) {
    size_t next = std::min(glob.find_first_of("*?[]", at), glob.size());
    if (next > at)
      out += shellWord(glob.slice(at, next));
    while (next < glob.size() && StringRef("*?[]").contains(glob[next]))
      out += glob[next++];
    at = next;
  }
  return out;
}

static std::string patterns(const MatrixRecipe &recipe) {
  return support::joined(recipe.artefacts, " ", [](StringRef glob) { return pattern(glob); });
}

/// Lines that make `work`. What a build system left is used again only if that build was complete
/// and nothing but sources changed: it remembers tools and variables.
static std::string makeWork(const MatrixPlaces &places, const MatrixBuildStep &step) {
  if (!step.recipe.copies)
    return fmt::format("[ \"$before\" = {0} ] || rm -rf work\n"
                       "mkdir -p work\n",
                       step.key);
  return fmt::format("rm -rf work\n"
                     "mkdir work\n"
                     "tar -C {} --null --verbatim-files-from -T ../inputs -cf work.tar\n"
                     "tar -C work -xf work.tar\n"
                     "rm work.tar\n",
                     shellWord(places.project));
}

std::string buildScript(const MatrixPlaces &places, const MatrixBuildStep &step) {
  std::string runtimes;
  for (StringRef each : llvm::split(step.runtime, ';'))
    runtimes += fmt::format(" --runtime={}", shellWord(each.trim()));
  std::string folder = shellWord(fmt::format("{}/{}", places.folder, step.name));
  std::string python = step.python.empty() || !step.environment.empty()
                           ? ""
                           : fmt::format("export PYTHON={}\n", shellWord(step.python));
  std::string text =
      fmt::format("#!/bin/sh\n"
                  "# Made by cuda-cc matrix.\n"
                  "set -e\n"
                  "before=$(cat {0}/built 2> /dev/null) || before=\n"
                  "rm -f {0}/built\n"
                  ": > {0}/began\n"
                  "export CUDA_CC_RUNTIME={1} CUDA_CC_TOOLKIT={2} CUDA_CC_MATRIX_SOURCE={3}\n"
                  "cd {3}\n"
                  "{4} toolchain {0}/cuda{5} --toolkit={2} > /dev/null\n",
                  folder, shellWord(step.runtime), shellWord(step.toolkit),
                  shellWord(places.project), shellWord(places.program), runtimes);
  text += fmt::format("{}{}. {}/cuda/activate\ncd {}\n", enterEnvironment(step.environment), python,
                      folder, folder);
  text += makeWork(places, step);
  text += fmt::format("cd work\n"
                      "sh -ec {}\n"
                      "for each in {}; do\n"
                      "  [ -e \"$each\" ] || {{ echo \"no file matches $each\"; exit 1; }}\n"
                      "done\n"
                      "echo {} > {}/built\n",
                      shellWord(step.recipe.command), patterns(step.recipe), step.key, folder);
  return text;
}

std::string checkScript(const MatrixPlaces &places, const MatrixBuildStep &step,
                        llvm::ArrayRef<std::string> runtimes) {
  std::string options;
  for (StringRef runtime : runtimes)
    options += fmt::format(" --runtime={}", shellWord(runtime));
  return fmt::format("#!/bin/sh\n"
                     "# Made by cuda-cc matrix.\n"
                     "set -e\n"
                     "folder={0}\n"
                     "rm -f \"$folder/check.json\"\n"
                     "cd \"$folder/work\"\n"
                     "for each in {1}; do set -- \"$@\" \"$folder/work/$each\"; done\n"
                     "cd {2}\n"
                     "status=0\n"
                     "{3} check --format=json{4} -- \"$@\" > \"$folder/check.new\" || status=$?\n"
                     "case $status in\n"
                     "0 | 3 | 4) mv \"$folder/check.new\" \"$folder/check.json\" ;;\n"
                     "*) exit $status ;;\n"
                     "esac\n",
                     shellWord(fmt::format("{}/{}", places.folder, step.name)),
                     patterns(step.recipe), shellWord(places.project), shellWord(places.program),
                     options);
}

std::string testScript(const MatrixPlaces &places, const MatrixBuildStep &step,
                       const MatrixTestStep &test) {
  std::string folder =
      shellWord(fmt::format("{}/{}/tests/{}", places.folder, step.name, test.name));
  std::string install;
  if (test.installs)
    install = fmt::format(
        "{}{}"
        "set -- {}\n"
        "for each in {}; do\n"
        "  case $each in *.whl) set -- \"$@\" \"$each\" ;; esac\n"
        "done\n"
        "[ $# = 0 ] || {} \"$@\"\n",
        ownVariables, makeEnvironment(test.environment), words(test.environment.requirements),
        support::joined(step.recipe.artefacts, " ",
                        [](StringRef glob) { return fmt::format("../../work/{}", pattern(glob)); }),
        installer(test.environment));
  return fmt::format("#!/bin/sh\n"
                     "# Made by cuda-cc matrix.\n"
                     "set -e\n"
                     "cd {0}\n"
                     "rm -rf passed venv\n"
                     "{1}{2}"
                     "export CUDA_CC_RUNTIME={3} CUDA_CC_MATRIX_WORK={4}\n"
                     "cd {5}\n"
                     "sh -ec {6}\n"
                     ": > {0}/passed\n",
                     folder, install, enterEnvironment(test.environment.folder),
                     shellWord(test.runtime),
                     shellWord(fmt::format("{}/{}/work", places.folder, step.name)),
                     shellWord(places.project), shellWord(test.command));
}

std::string matrixBuildFile(llvm::ArrayRef<MatrixEdge> cells, unsigned jobs) {
  // Ninja takes a command that closed its output for one that ended: the shell keeps it open.
  std::string text = fmt::format("pool builds\n"
                                 "  depth = {}\n"
                                 "rule cell\n"
                                 "  command = sh $script > $log 2>&1; exit $$? # $key\n"
                                 "build always: phony\n",
                                 jobs);
  for (const MatrixEdge &cell : cells) {
    std::string inputs = llvm::join(cell.inputs, " ");
    if (cell.always)
      support::appendItem(inputs, "always", " ");
    text += fmt::format("build {}: cell{}{}\n"
                        "  script = {}\n"
                        "  key = {}\n"
                        "  log = {}\n"
                        "  description = {}\n",
                        cell.output, inputs.empty() ? "" : " ", inputs, cell.script, cell.key,
                        cell.log, cell.description);
    if (cell.kind != MatrixEdge::Kind::Check)
      text += "  pool = builds\n";
  }
  return text;
}

} // namespace cudacc::plan
