// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/matrix/RunMatrix.h"
#include "driver/commands/matrix/MatrixInputs.h"
#include "driver/commands/toolchain/ToolchainPlan.h"
#include "driver/plan/matrix/MatrixScripts.h"
#include "driver/resolve/DeclaredRequirement.h"
#include "driver/run/Jobs.h"
#include "driver/support/PathSearch.h"
#include "driver/support/Paths.h"
#include "driver/support/Text.h"
#include "driver/support/Toml.h"
#include "driver/versions/Format.h"
#include "driver/versions/Requirement.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::commands {

using namespace core;
using llvm::StringRef;
using plan::MatrixEdge;

/// In the folder of results, before all else: it is no part of the project, and a matrix may write
/// there.
static constexpr StringRef ignoreFile = ".gitignore", ignoreText = "# cuda-cc matrix\n*\n";

std::string matrixTestFolder(StringRef name, StringRef runtime) {
  return fmt::format("{}/tests/{}", name, plan::matrixName(runtime));
}

std::string matrixEnvironmentFolder(const FoundMatrix &found, const plan::MatrixBuild &build) {
  StringRef torch = found.plan.torchOf(build);
  if (torch.empty() || !found.runtimes[build.base].environment.empty())
    return "";
  std::string name = fmt::format("torch{}", torch);
  if (!build.python.empty())
    name += fmt::format("-py{}", build.python);
  return fmt::format("environments/{}", plan::matrixName(name));
}

llvm::Expected<std::vector<unsigned>> chosenBuilds(const FoundMatrix &found) {
  std::vector<std::string> names;
  for (const plan::MatrixBuild &build : found.plan.builds)
    names.push_back(found.plan.nameOf(build));
  for (const std::string &name : found.request.names)
    if (!llvm::is_contained(names, name))
      return makeError(Code::Usage,
                       fmt::format("the matrix has no build {}", support::quoted(name, 32)),
                       {{"builds", names.empty() ? "none" : llvm::join(names, ", ")}},
                       {"cuda-cc matrix --plan"});
  std::vector<unsigned> chosen;
  for (unsigned at = 0; at < names.size(); ++at)
    if (found.request.names.empty() || llvm::is_contained(found.request.names, names[at]))
      chosen.push_back(at);
  return chosen;
}

namespace {

class MatrixRun {
public:
  MatrixRun(pipeline::System &system, const FoundMatrix &found, const MatrixReports &reports)
      : system(system), found(found), reports(reports), plan(found.plan),
        folder(found.request.folder) {
    places = {system.self, found.request.project, folder};
    uv = support::findProgram("uv", system.environment, system.files);
  }
  llvm::Expected<ExitStatus> run(llvm::ArrayRef<unsigned> chosen);

private:
  pipeline::System &system;
  const FoundMatrix &found;
  const MatrixReports &reports;
  const plan::MatrixPlan &plan;
  const std::string &folder;
  plan::MatrixPlaces places;
  std::string uv;
  MatrixInputFiles inputs;
  std::vector<MatrixEdge> cells;

  llvm::Error enter();
  llvm::Error write(StringRef name, const std::string &text);
  llvm::Error addCell(MatrixEdge cell, const std::string &script, StringRef key);
  plan::MatrixEnvironment environmentFor(StringRef python) const;
  std::vector<std::string> buildRequirements() const;
  llvm::Error addEnvironment(const plan::MatrixBuild &build, plan::MatrixBuildStep &step);
  llvm::Error addBuild(const plan::MatrixBuild &build);
  llvm::Error addCheck(const plan::MatrixBuildStep &step);
  std::vector<std::string> testRequirements(const Runtime &runtime) const;
  llvm::Error addTest(const plan::MatrixBuild &build, const plan::MatrixBuildStep &step,
                      unsigned at);
  std::string programsOf(const plan::MatrixBuild &build) const;
  llvm::Expected<ExitStatus> ninja(llvm::ArrayRef<unsigned> chosen);
};

} // namespace

llvm::Error MatrixRun::write(StringRef name, const std::string &text) {
  return system.files.write(support::joinPath(folder, name), text);
}

/// Errors: the folder has files and is not of a matrix.
llvm::Error MatrixRun::enter() {
  std::string ignored = support::joinPath(folder, ignoreFile);
  bool isOurs = llvm::expectedToOptional(system.files.read(ignored)) == ignoreText;
  if (!isOurs && !system.files.list(folder).empty())
    return makeError(Code::Usage, "the folder for the results contains other files",
                     {{"folder", folder}}, {"name another one: --dir DIR"});
  for (StringRef path : {StringRef(folder), StringRef(places.project)})
    if (path.contains('\n'))
      return makeError(Code::Usage, "a folder with a line feed in its name",
                       {{"folder", path.str()}});
  return write(ignoreFile, ignoreText.str());
}

llvm::Error MatrixRun::addCell(MatrixEdge cell, const std::string &script, StringRef key) {
  cell.key = plan::digest(fmt::format("{}\n{}", script, key));
  if (llvm::Error error = write(cell.script, script))
    return error;
  cells.push_back(std::move(cell));
  return llvm::Error::success();
}

/// For \p python of the request; its folder and requirements are not set.
plan::MatrixEnvironment MatrixRun::environmentFor(StringRef python) const {
  plan::MatrixEnvironment environment;
  environment.uv = uv;
  auto interpreter = found.pythons.find(python.str());
  if (interpreter != found.pythons.end())
    environment.python = interpreter->second.empty() ? python.str() : interpreter->second;
  return environment;
}

/// What `[build-system]` requires, without torch: its release is the runtime's.
std::vector<std::string> MatrixRun::buildRequirements() const {
  std::string path = support::joinPath(places.project, "pyproject.toml");
  auto text = llvm::expectedToOptional(system.files.read(path));
  support::TextError error;
  auto root = text ? support::readToml(*text, error) : std::nullopt;
  const support::Value *table = root ? root->find("build-system") : nullptr;
  if (!table || !table->find("requires"))
    return {"setuptools", "wheel"};
  std::vector<std::string> requirements;
  for (const support::Value &each : table->listAt("requires")) {
    auto requirement = versions::Requirement::parse(each.text);
    if (!requirement || requirement->name != "torch")
      requirements.push_back(each.text);
  }
  return requirements;
}

/// Of a build with torch: the declared environment, or one that is made.
llvm::Error MatrixRun::addEnvironment(const plan::MatrixBuild &build, plan::MatrixBuildStep &step) {
  std::string inside = matrixEnvironmentFolder(found, build);
  if (inside.empty()) {
    if (!plan.torchOf(build).empty())
      step.environment = found.runtimes[build.base].environment;
    return llvm::Error::success();
  }
  MatrixEdge cell;
  cell.kind = MatrixEdge::Kind::Environment;
  cell.script = fmt::format("{}/make.sh", inside);
  cell.log = fmt::format("{}/{}", inside, matrixfile::makeLog);
  cell.output = fmt::format("{}/{}", inside, matrixfile::made);
  cell.description = fmt::format("make {}", inside);
  plan::MatrixEnvironment environment = environmentFor(build.python);
  environment.folder = fmt::format("{}/{}", folder, inside);
  environment.requirements = buildRequirements();
  environment.requirements.push_back(fmt::format("torch=={}", plan.torchOf(build)));
  step.environment = fmt::format("{}/venv", environment.folder);
  bool isKnown =
      llvm::any_of(cells, [&](const MatrixEdge &each) { return each.output == cell.output; });
  return isKnown ? llvm::Error::success()
                 : addCell(std::move(cell), plan::environmentScript(environment), "");
}

/// What identifies the programs that build.
std::string MatrixRun::programsOf(const plan::MatrixBuild &build) const {
  const FoundToolkit &toolkit = plan.inputs.toolkits[build.toolkit];
  const Toolkit &its = found.toolkits.at(toolkit.root);
  FileId nvcc = system.files.stat(its.driver).id;
  return fmt::format("{}\n{} {} {}\n{}", programIdentity(system), its.version(), nvcc.size,
                     nvcc.mtime, its.driver);
}

llvm::Error MatrixRun::addBuild(const plan::MatrixBuild &build) {
  const config::MatrixTable &table = found.request.table;
  plan::MatrixBuildStep step;
  step.name = plan.nameOf(build);
  step.runtime = found.runtimes[build.base].name;
  step.toolkit = plan.inputs.toolkits[build.toolkit].root;
  step.python = environmentFor(build.python).python;
  if (llvm::Error error = addEnvironment(build, step))
    return error;
  std::vector<std::string> artefacts;
  for (const Setting<std::string> &each : table.artefacts)
    artefacts.push_back(each.value);
  step.recipe = plan::matrixRecipe(table.build.value, artefacts, !step.environment.empty());
  MatrixEdge cell;
  cell.script = fmt::format("{}/build.sh", step.name);
  cell.log = fmt::format("{}/{}", step.name, matrixfile::buildLog);
  cell.output = fmt::format("{}/{}", step.name, matrixfile::built);
  cell.description = fmt::format("build {}", step.name);
  if (std::string inside = matrixEnvironmentFolder(found, build); !inside.empty())
    cell.inputs.push_back(fmt::format("{}/{}", inside, matrixfile::made));
  cell.always =
      !step.recipe.copies && isOutsideNewer(system, places, support::joinPath(folder, step.name));
  step.key = plan::digest(plan::buildScript(places, step) + programsOf(build));
  if (llvm::Error error = addCell(std::move(cell), plan::buildScript(places, step), inputs.digest))
    return error;
  if (llvm::Error error = addCheck(step))
    return error;
  if (!table.test.value.empty())
    for (unsigned at : build.runtimes)
      if (llvm::Error error = addTest(build, step, at))
        return error;
  return llvm::Error::success();
}

llvm::Error MatrixRun::addCheck(const plan::MatrixBuildStep &step) {
  std::vector<std::string> runtimes;
  for (const Runtime &runtime : found.runtimes)
    if (!runtime.problem)
      runtimes.push_back(runtime.name);
  MatrixEdge cell;
  cell.kind = MatrixEdge::Kind::Check;
  cell.always = true;
  cell.script = fmt::format("{}/check.sh", step.name);
  cell.log = fmt::format("{}/{}", step.name, matrixfile::checkLog);
  cell.output = fmt::format("{}/{}", step.name, matrixfile::checked);
  cell.inputs = {fmt::format("{}/{}", step.name, matrixfile::built)};
  cell.description = fmt::format("check {}", step.name);
  return addCell(std::move(cell), plan::checkScript(places, step, runtimes), "");
}

/// What pip installs of a runtime: frameworks. A CUDA line is brought by the artefact's own
/// requirements.
std::vector<std::string> MatrixRun::testRequirements(const Runtime &runtime) const {
  std::vector<std::string> requirements;
  for (const Setting<std::string> &each : runtime.target.declaredAs) {
    auto requirement = llvm::expectedToOptional(resolve::parseRequirement(each));
    if (requirement && (requirement->kind == resolve::RequirementKind::Torch ||
                        requirement->kind == resolve::RequirementKind::Framework))
      requirements.push_back(each.value);
  }
  return requirements;
}

llvm::Error MatrixRun::addTest(const plan::MatrixBuild &build, const plan::MatrixBuildStep &step,
                               unsigned at) {
  const Runtime &runtime = found.runtimes[at];
  std::string inside = matrixTestFolder(step.name, runtime.name);
  plan::MatrixTestStep test;
  test.name = plan::matrixName(runtime.name);
  test.runtime = runtime.name;
  test.command = found.request.table.test.value;
  test.installs = runtime.environment.empty();
  if (test.installs) {
    test.environment = environmentFor(build.python);
    test.environment.folder = fmt::format("{}/{}/venv", folder, inside);
    test.environment.requirements = testRequirements(runtime);
  } else {
    test.environment.folder = runtime.environment;
  }
  MatrixEdge cell;
  cell.kind = MatrixEdge::Kind::Test;
  cell.script = fmt::format("{}/test.sh", inside);
  cell.log = fmt::format("{}/{}", inside, matrixfile::testLog);
  cell.output = fmt::format("{}/{}", inside, matrixfile::passed);
  cell.inputs = {fmt::format("{}/{}", step.name, matrixfile::built)};
  cell.description = fmt::format("test {} on {}", step.name, test.name);
  return addCell(std::move(cell), plan::testScript(places, step, test), "");
}

llvm::Expected<ExitStatus> MatrixRun::ninja(llvm::ArrayRef<unsigned> chosen) {
  std::string program = support::findProgram("ninja", system.environment, system.files);
  if (program.empty())
    return makeError(Code::SpawnFailed, "a matrix is run by ninja, which is not on PATH",
                     {{"searched", support::programPath(system.environment).str()}},
                     {"install ninja 1.11 or newer"});
  std::string jobs = fmt::format("{}", std::max(run::processors(), found.request.jobs));
  // Ninja prints on stdout alone, where the result goes.
  Command command{"/bin/sh", {"sh", "-c", "exec \"$@\" >&2", "sh", program}, {}, {}};
  command.argv.append({"-C", folder, "-k", "0", "-j", jobs});
  for (unsigned at : chosen) {
    std::string prefix = fmt::format("{}/", plan.nameOf(plan.builds[at]));
    for (const MatrixEdge &cell : cells)
      if (StringRef(cell.output).starts_with(prefix))
        command.argv.add(cell.output);
  }
  command.set = {{"NINJA_STATUS", "[%f/%t] "}};
  return system.runner.spawn(command);
}

llvm::Expected<ExitStatus> MatrixRun::run(llvm::ArrayRef<unsigned> chosen) {
  if (llvm::Error error = enter())
    return error;
  std::unique_ptr<FileLock> lock = system.files.lock(support::joinPath(folder, ".lock"));
  if (!lock)
    return makeError(Code::CannotWrite, "the folder for the results cannot be locked",
                     {{"folder", folder}});
  std::vector<std::string> beside;
  for (const Setting<std::string> &each : found.request.table.inputs)
    beside.push_back(each.value);
  inputs = matrixInputs(system, places.project, beside, folder, reports);
  std::string list;
  for (const std::string &path : inputs.paths)
    list += path + '\0';
  if (llvm::Error error = write("inputs", list))
    return error;
  for (const plan::MatrixBuild &build : plan.builds)
    if (llvm::Error error = addBuild(build))
      return error;
  if (llvm::Error error = write("build.ninja", plan::matrixBuildFile(cells, found.request.jobs)))
    return error;
  return ninja(chosen);
}

llvm::Expected<ExitStatus> runMatrix(pipeline::System &system, const FoundMatrix &found,
                                     llvm::ArrayRef<unsigned> chosen,
                                     const MatrixReports &reports) {
  return MatrixRun(system, found, reports).run(chosen);
}

} // namespace cudacc::commands
