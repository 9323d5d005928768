// SPDX-License-Identifier: Apache-2.0
#include "plugins/audit/Audit.h"
#include "driver/Version.h"
#include "driver/binary/Reader.h"
#include "driver/commands/Declaration.h"
#include "driver/commands/Subcommands.h"
#include "driver/pipeline/Declared.h"
#include "driver/pipeline/Directory.h"
#include "driver/pipeline/Parallel.h"
#include "driver/report/json/Json.h"
#include "driver/report/sarif/Sarif.h"
#include "driver/report/text/Audit.h"
#include "driver/report/text/Layout.h"
#include "driver/support/PathSearch.h"
#include "driver/support/Paths.h"
#include "driver/support/ShellWord.h"
#include "plugins/cmake/Build.h"
#include "plugins/meson/Build.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Path.h"
#include <atomic>

namespace cudacc::commands {

using namespace core;
using namespace versions;

namespace {

struct AuditArguments : Arguments {
  bool strict = false, prepare = false;
};

} // namespace

namespace {

/// Reads a build into a model, examines its programs and artefacts, and applies the rules.
class Audit {
public:
  Audit(pipeline::System &system, const AuditArguments &arguments)
      : system(system), arguments(arguments), store(system.environment, system.files, system.uid) {}
  llvm::Expected<int> run(llvm::StringRef named);
  llvm::Expected<int> prepare(llvm::StringRef named);

private:
  pipeline::System &system;
  const AuditArguments &arguments;
  cache::Store store;
  /// Absolute.
  std::string build;
  std::string runtime;
  bool isStrict = false;
  /// The build was configured by Meson; otherwise by CMake.
  bool isMeson = false;
  llvm::StringMap<std::unique_ptr<audit::ProgramFacts>> programs;
  llvm::StringMap<std::unique_ptr<audit::Artefact>> artefacts;

  llvm::Error find(llvm::StringRef named);
  llvm::Expected<audit::BuildModel> read();
  llvm::Error declare(const audit::BuildModel &model);
  llvm::Expected<std::string> portable(const Declaration &declaration);
  std::string portable(llvm::StringRef declared);
  const audit::ProgramFacts &program(llvm::StringRef word);
  void readDirectory(const std::string &path, audit::ProgramFacts &facts);
  void readArtefacts(const audit::BuildModel &model);
  std::string shown(llvm::StringRef path);
  AuditReport judge(const audit::BuildModel &model);
  int print(const AuditReport &report);
};

} // namespace

llvm::Error Audit::find(llvm::StringRef named) {
  build = support::normalizePath(support::absolute(named, system.files), system.files);
  isMeson = meson::isBuild(system.files, build);
  if (isMeson || cmake::isBuild(system.files, build))
    return llvm::Error::success();
  return makeError(Code::NoBuild, fmt::format("no build of CMake or Meson in {}", named),
                   {{"searched", build + "/CMakeCache.txt"}, {"", build + "/meson-info"}},
                   {"name the directory that was given to cmake -B or meson setup"});
}

/// Finds Ninja as Meson does; empty if there is none. The build directory is not asked, since
/// anybody may own it, nor is the working directory, which PATH may contain.
static std::string ninjaOf(pipeline::System &system) {
  if (llvm::StringRef named = system.environment.getOr("NINJA"); !named.empty())
    return support::findProgram(named, system.environment, system.files);
  for (llvm::StringRef name : {"ninja", "ninja-build", "samu"})
    if (std::string path = support::findProgram(name, system.environment, system.files);
        llvm::StringRef(path).starts_with("/"))
      return path;
  return "";
}

llvm::Expected<audit::BuildModel> Audit::read() {
  if (isMeson)
    return meson::readBuild(system.files, system.runner, build, ninjaOf(system));
  auto forEach = [](size_t count, llvm::function_ref<void(size_t)> work) {
    pipeline::inParallel(count, [&](size_t index, unsigned) { work(index); });
  };
  return cmake::readBuild(system.files, system.runner, build, {ninjaOf(system), system.uid},
                          forEach);
}

/// Requirements as a manifest writes them; empty if there are none.
llvm::Expected<std::string> Audit::portable(const Declaration &declaration) {
  if (!declaration.declared())
    return "";
  auto target = pipeline::resolveDeclaration(system, store, declaration);
  if (!target)
    return target.takeError();
  return llvm::join(target->portableAs, ";");
}

/// The same for a link line. Requirements that cannot be resolved are returned as written, and then
/// equal those of no manifest.
std::string Audit::portable(llvm::StringRef declared) {
  Declaration declaration;
  for (llvm::StringRef each : llvm::split(declared, ';'))
    declaration.runtime.push_back({each.str(), {Origin::Kind::Option, "--cudacc-runtime"}});
  return llvm::expectedToOptional(portable(declaration)).value_or(declared.str());
}

/// Reads the declaration that a call of cuda-cc in the build's own folder would use.
llvm::Error Audit::declare(const audit::BuildModel &model) {
  auto declaration = readDeclaration(system, arguments, model.build);
  if (!declaration)
    return declaration.takeError();
  isStrict = arguments.strict || declaration->strict.value;
  if (llvm::Error error = portable(*declaration).moveInto(runtime))
    return error;
  return llvm::Error::success();
}

/// Sets what follows from the named toolchain directory whose `bin` contains the program.
void Audit::readDirectory(const std::string &path, audit::ProgramFacts &facts) {
  llvm::StringRef bin = llvm::sys::path::parent_path(path);
  if (llvm::sys::path::filename(bin) != "bin")
    return;
  FileStatus status;
  auto directory = pipeline::directoryAt(system.files, llvm::sys::path::parent_path(bin), &status);
  if (!directory) {
    facts.problem = toFinding(directory.takeError());
    return;
  }
  if (!*directory || (**directory).anonymous)
    return;
  facts.directory = (**directory).path;
  if (auto refused = pipeline::refuseDirectory(system, **directory, status)) {
    facts.problem = std::move(*refused);
    return;
  }
  auto runtime = portable((**directory).declaration);
  if (runtime)
    facts.runtime = std::move(*runtime);
  else
    facts.problem = toFinding(runtime.takeError());
  if (llvm::Error error = pipeline::checkDirectory(system, **directory))
    facts.problem = toFinding(std::move(error));
  llvm::StringRef name = llvm::sys::path::filename(path);
  if (name != "nvcc")
    return;
  auto text = llvm::expectedToOptional(system.files.read(facts.directory + "/version.txt"));
  llvm::StringRef version = text ? llvm::StringRef(*text).trim() : "";
  if (version.consume_front("CUDA Version "))
    facts.version = version.str();
}

const audit::ProgramFacts &Audit::program(llvm::StringRef word) {
  std::unique_ptr<audit::ProgramFacts> &facts = programs[word];
  if (facts)
    return *facts;
  facts = std::make_unique<audit::ProgramFacts>();
  std::string path = support::findProgram(word, system.environment, system.files);
  if (path.empty() || !system.files.executable(path))
    return *facts;
  facts->exists = true;
  facts->isOurs = system.selfFile.is(path);
  readDirectory(path, *facts);
  // The programs of a directory made by another version of cuda-cc differ from this one.
  facts->isOurs |= !facts->directory.empty();
  return *facts;
}

static std::unique_ptr<audit::Artefact> readArtefact(pipeline::System &system,
                                                     const std::string &path) {
  if (!system.files.stat(path).exists())
    return nullptr;
  auto artefact = std::make_unique<audit::Artefact>();
  auto file = system.files.open(path);
  if (!file) {
    artefact->problem = toFinding(file.takeError());
    return artefact;
  }
  auto facts = binary::read(**file, path, binary::ReadOptions{.device = true});
  if (facts)
    artefact->facts = std::move(*facts);
  else
    artefact->problem = toFinding(facts.takeError());
  return artefact;
}

void Audit::readArtefacts(const audit::BuildModel &model) {
  std::vector<std::string> paths = audit::artefactsOf(model);
  std::vector<std::unique_ptr<audit::Artefact>> read(paths.size());
  std::atomic<size_t> begun = 0;
  pipeline::inParallel(paths.size(), [&](size_t index, unsigned) {
    if (system.progress)
      system.progress->begin("reading", ++begun, paths.size(), paths[index]);
    read[index] = readArtefact(system, paths[index]);
  });
  for (size_t i = 0; i != paths.size(); ++i)
    artefacts[paths[i]] = std::move(read[i]);
}

/// Relative to the working directory if the path lies below it, so that editors and code reviews
/// find the file.
std::string Audit::shown(llvm::StringRef path) {
  std::string here = system.files.workingDirectory();
  llvm::StringRef below = here.empty() ? "" : support::pathBelow(path, here);
  return (below.empty() ? path : below).str();
}

AuditReport Audit::judge(const audit::BuildModel &model) {
  auto program = [this](llvm::StringRef word) -> const audit::ProgramFacts & {
    return this->program(word);
  };
  auto artefact = [this](llvm::StringRef path) -> const audit::Artefact * {
    auto found = artefacts.find(path);
    return found == artefacts.end() ? nullptr : found->second.get();
  };
  auto declared = [this](llvm::StringRef text) { return portable(text); };
  std::string directory = shown(model.build);
  auto fixes = [&](audit::FixKind remedy, llvm::StringRef toolchain) {
    return isMeson ? meson::fixes(remedy, directory, toolchain, system.self)
                   : cmake::fixes(remedy, directory, toolchain, system.self);
  };
  auto shownPath = [this](llvm::StringRef path) { return shown(path); };
  AuditReport report =
      audit::audit(model, {program, artefact, declared, fixes, shownPath, runtime});
  report.build = shown(build);
  return report;
}

int Audit::print(const AuditReport &report) {
  int exit = int(report.verdict().exit(isStrict));
  if (arguments.json)
    system.console.out(report::print(report::toJson(report)));
  else if (arguments.sarif)
    system.console.out(report::print(report::sarif(report, cudacc::version, exit)));
  else
    system.console.out(report::text(report, pipeline::outStyle(system)));
  return exit;
}

llvm::Expected<int> Audit::run(llvm::StringRef named) {
  if (llvm::Error error = find(named))
    return error;
  auto model = read();
  if (!model)
    return model.takeError();
  if (llvm::Error error = declare(*model))
    return error;
  readArtefacts(*model);
  return print(judge(*model));
}

llvm::Expected<int> Audit::prepare(llvm::StringRef named) {
  build = support::normalizePath(support::absolute(named, system.files), system.files);
  std::string name = report::printable(shown(build));
  if (meson::isBuild(system.files, build)) {
    system.console.out(
        fmt::format("{}: Meson describes every build; nothing is to be prepared\n", name));
    return 0;
  }
  auto written = cmake::prepare(system.files, build);
  if (!written)
    return written.takeError();
  system.console.out(fmt::format("{0}: {1}\n  next: cmake {2}{3} && cuda-cc audit {3}\n", name,
                                 written->empty() ? "was prepared before" : "prepared",
                                 cmake::isBuild(system.files, build) ? "" : "-B ",
                                 support::shellWord(name)));
  return 0;
}

static llvm::Expected<int> audit(pipeline::System &system, const AuditArguments &arguments) {
  if (arguments.words.size() != 1 || arguments.words[0].empty())
    return makeError(Code::Usage, "cuda-cc audit takes one build directory", {},
                     {"cuda-cc audit build"});
  if (arguments.prepare && (arguments.json || arguments.sarif))
    return makeError(Code::Usage, "audit --prepare has no report to format");
  Audit tool(system, arguments);
  return arguments.prepare ? tool.prepare(arguments.words[0]) : tool.run(arguments.words[0]);
}

static constexpr Option<AuditArguments> auditOptions[] = {
    {"--format", &AuditArguments::format, "text json sarif"},
    {"--strict", &AuditArguments::strict},
    {"--prepare", &AuditArguments::prepare},
};

constexpr SubcommandBody auditSubcommand = bodyOf<auditOptions, audit>();

} // namespace cudacc::commands
