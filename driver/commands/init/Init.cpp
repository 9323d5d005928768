// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/Page.h"
#include "driver/commands/Subcommands.h"
#include "driver/commands/init/Propose.h"
#include "driver/config/ActiveEnvironment.h"
#include "driver/config/ConfigFile.h"
#include "driver/pipeline/Compilers.h"
#include "driver/pipeline/Declared.h"
#include "driver/pipeline/Found.h"
#include "driver/pipeline/Reporter.h"
#include "driver/plan/toolchain/DeclarationText.h"
#include "driver/policy/rules/Judge.h"
#include "driver/probe/lock/Lock.h"
#include "driver/report/json/Json.h"
#include "driver/support/Paths.h"

namespace cudacc::commands {

using namespace core;
using namespace versions;

namespace {

struct InitArguments : Arguments {
  bool dryRun = false;
};

} // namespace

namespace {

class Init {
public:
  Init(pipeline::System &system, const InitArguments &arguments)
      : system(system), arguments(arguments), folder(system.files.workingDirectory()),
        store(system.environment, system.files, system.uid),
        trust(system.files, system.environment, system.uid) {}

  /// Errors: nothing was written, unless the code is Internal.
  llvm::Expected<Proposal> run();

private:
  pipeline::System &system;
  const InitArguments &arguments;
  /// The working directory, absolute.
  std::string folder;
  cache::Store store;
  support::Trust trust;
  std::optional<Project> project;
  std::string projectText;
  Declaration declaration;
  Target target;

  llvm::Error readProject();
  llvm::Error refuseDeclared();
  llvm::Error refuseUnread();
  llvm::Error refuseUntrusted(const Choice &choice);
  std::vector<std::string> locks();
  std::vector<std::pair<std::string, std::string>> environments(std::vector<Fact> &passed);
  llvm::Expected<Target> resolve(const Choice &choice);
  void resolveAll(Proposal &proposal);
  void judgeToolkit(Proposal &proposal);
  llvm::Error plan(Proposal &proposal, std::string &text);
  llvm::Error write(const std::string &name, const std::string &text);
  llvm::Error readBack(const Proposal &proposal);
};

} // namespace

static constexpr unsigned usualMode = 0644;
static constexpr llvm::StringLiteral ownName = "cuda-cc.toml", projectName = "pyproject.toml";

static llvm::Error alreadyDeclared(const std::string &place) {
  return makeError(Code::Usage, "a runtime is declared here already", {{"where", place}},
                   {"change it there; cuda-cc target shows what it resolves to"});
}

llvm::Error Init::readProject() {
  std::string path = support::joinPath(folder, projectName);
  if (!system.files.stat(path).exists())
    return llvm::Error::success();
  auto text = system.files.read(path, 1 << 20);
  if (!text)
    return text.takeError();
  auto read = commands::readProject(*text, projectName);
  if (!read)
    return read.takeError();
  projectText = std::move(*text);
  project = std::move(*read);
  return llvm::Error::success();
}

/// Refuses if a declaration exists in this folder or above it, which the new one would hide.
llvm::Error Init::refuseDeclared() {
  std::string own = support::joinPath(folder, ownName);
  if (system.files.stat(own).exists() || system.files.readLink(own))
    return alreadyDeclared(ownName.str());
  if (project && project->declaredAt)
    return alreadyDeclared(fmt::format("{}:{}", projectName, project->declaredAt));
  auto above = config::findConfigFile(folder, system.files, trust);
  if (!above)
    return above.takeError();
  if (*above)
    return alreadyDeclared((**above).path);
  return llvm::Error::success();
}

/// Refuses a directory that everybody shares, where a new declaration would be ignored.
llvm::Error Init::refuseUnread() {
  if (!support::Trust::isShared(system.files.stat(folder)) ||
      trust.isListed(support::joinPath(folder, ownName)))
    return llvm::Error::success();
  return makeError(Code::Usage, "a declaration in this directory would be ignored",
                   {{"directory", folder},
                    {"because", "everybody can put a file there (sticky and world-writable)"}},
                   {"work in a directory of your own"});
}

/// Refuses a declaration that would be refused once written: others can write here, and to the
/// place that it names.
llvm::Error Init::refuseUntrusted(const Choice &choice) {
  std::string path = support::joinPath(folder, project ? projectName : ownName);
  FileStatus status = system.files.stat(path);
  if (!status.exists())
    status.mode = usualMode;
  status.kind = FileStatus::Kind::Regular;
  status.owner = system.uid;
  config::GivenKeys given;
  for (const std::string &each : choice.runtime)
    given[size_t(core::Key::Runtime)].push_back(
        {config::resolveAgainst(each, folder, system.files), {Origin::Kind::Option, "--runtime"}});
  auto refused = config::refuse(given, path, status, system.environment, system.files, trust);
  if (!refused)
    return llvm::Error::success();
  refused->message = "it would be refused here, where others can write";
  return makeError(std::move(*refused));
}

std::vector<std::string> Init::locks() {
  std::vector<std::string> found;
  for (const std::string &name : system.files.list(folder)) {
    bool requirements = llvm::StringRef(name).ends_with(".txt");
    bool named = !requirements || llvm::StringRef(name).starts_with("requirements");
    if (named && probe::isLock(name) &&
        system.files.stat(support::joinPath(folder, name)).kind == FileStatus::Kind::Regular)
      found.push_back(name);
  }
  // A list of requirements may pin versions or not; a lock file always does.
  llvm::stable_sort(found, [](llvm::StringRef a, llvm::StringRef b) {
    return !a.ends_with(".txt") && b.ends_with(".txt");
  });
  return found;
}

std::vector<std::pair<std::string, std::string>> Init::environments(std::vector<Fact> &passed) {
  std::vector<std::pair<std::string, std::string>> found;
  std::string own = support::joinPath(folder, ".venv");
  bool hasOwn = system.files.stat(own).kind == FileStatus::Kind::Directory;
  if (hasOwn)
    found.emplace_back("env:.venv", "what is installed in .venv");
  if (system.environment.getOr("VIRTUAL_ENV").empty() &&
      system.environment.getOr("CONDA_PREFIX").empty())
    return found;
  auto active = config::activeEnvironment(system.environment, system.files);
  if (!active) {
    passed.push_back({"environment", toFinding(active.takeError()).message});
    return found;
  }
  auto real = [&](const std::string &path) { return system.files.realPath(path).value_or(path); };
  if (hasOwn && real(own) == real(*active))
    return found;
  if (llvm::StringRef inside = support::pathBelow(*active, folder); !inside.empty())
    found.emplace_back(fmt::format("env:{}", inside),
                       "what is installed in the active environment");
  else
    found.emplace_back("env", "what is installed in the active environment, " + *active);
  return found;
}

llvm::Expected<Target> Init::resolve(const Choice &choice) {
  declaration.runtime.clear();
  for (const std::string &each : choice.runtime)
    declaration.runtime.push_back({each, {}});
  if (llvm::Error error = refuseUntrusted(choice))
    return error;
  auto target = pipeline::resolveDeclaration(system, store, declaration);
  if (target && (!target->line.known() || target->libraries.empty()))
    return makeError(Code::UnknownRelease, "it says nothing about CUDA");
  return target;
}

/// Keeps the choices that can be resolved, and sets their CUDA lines.
void Init::resolveAll(Proposal &proposal) {
  std::vector<Choice> good;
  for (Choice &choice : proposal.choices) {
    auto resolved = resolve(choice);
    if (!resolved) {
      std::string name = llvm::join(choice.runtime, "; ");
      proposal.passed.push_back({name, toFinding(resolved.takeError()).message});
      continue;
    }
    choice.line = resolved->line;
    if (good.empty())
      target = std::move(*resolved);
    good.push_back(std::move(choice));
  }
  proposal.choices = std::move(good);
}

void Init::judgeToolkit(Proposal &proposal) {
  Invocation call;
  auto started = llvm::expectedToOptional(
      pipeline::findCompiler(system, call, declaration, arguments.directory));
  if (!started)
    return;
  auto toolkit =
      pipeline::readToolkit(system, store, started->compiler, started->foundBy, started->driver);
  if (!toolkit) {
    proposal.toolkit = fmt::format("{} ({})", started->compiler, started->foundBy);
    proposal.verdict.add(toFinding(toolkit.takeError()));
    return;
  }
  CudaVersion version = toolkit->version();
  proposal.toolkit = fmt::format(
      "{} at {} ({})", version.known() ? fmt::format("CUDA {}", version) : "unknown version",
      toolkit->root, started->foundBy);
  proposal.verdict.append(
      policy::judgeCompile(target, &*toolkit, {}, [&] { return nearbyToolkits(system); }));
}

/// \p text: set to the whole file.
llvm::Error Init::plan(Proposal &proposal, std::string &text) {
  const std::vector<std::string> &runtime = proposal.choices.front().runtime;
  proposal.file = project ? projectName.str() : ownName.str();
  proposal.added = plan::declarationLines(runtime, project.has_value());
  text = project ? plan::withLines(projectText, proposal.added) : proposal.added;
  if (!project)
    return llvm::Error::success();
  // `tool = { ... }` allows no [tool.cuda-cc] table after it.
  auto read = commands::readProject(text, projectName);
  if (read && read->declaredAt)
    return llvm::Error::success();
  std::string why = read ? "the table is not found there" : toFinding(read.takeError()).message;
  return makeError(Code::BrokenConfig, "pyproject.toml takes no table [tool.cuda-cc] at its end",
                   {{"because", why}},
                   {fmt::format("write {} by hand",
                                llvm::StringRef(plan::declarationLines(runtime, false)).trim())});
}

llvm::Error Init::write(const std::string &name, const std::string &text) {
  std::string path = support::joinPath(folder, name);
  // Write the file that a link leads to, so that the link stays.
  if (auto real = system.files.realPath(path))
    path = std::move(*real);
  if (llvm::Error error = checkWritable(system, path))
    return error;
  FileStatus status = system.files.stat(path);
  return system.files.write(path, text, status.exists() ? status.mode : usualMode);
}

llvm::Error Init::readBack(const Proposal &proposal) {
  auto config = config::findConfigFile(folder, system.files, trust);
  if (!config)
    return config.takeError();
  std::vector<std::string> found;
  if (*config)
    for (const Setting<std::string> &each : (**config).given[size_t(core::Key::Runtime)])
      found.push_back(each.value);
  std::vector<std::string> wanted;
  for (const std::string &each : proposal.choices.front().runtime)
    wanted.push_back(config::resolveAgainst(each, folder, system.files));
  if (llvm::Error error = pipeline::failedSearch(system))
    return error;
  if (found == wanted)
    return llvm::Error::success();
  return makeError(Code::Internal,
                   fmt::format("what was written to {} is read differently", proposal.file),
                   {{"written", llvm::join(wanted, "; ")}, {"read", llvm::join(found, "; ")}});
}

llvm::Expected<Proposal> Init::run() {
  if (llvm::Error error = readProject())
    return error;
  if (llvm::Error error = refuseDeclared())
    return error;
  if (llvm::Error error = refuseUnread())
    return error;
  if (llvm::Error error = config::readDeclaration(arguments.own, system.environment, system.files,
                                                  nullptr, system.uid)
                              .moveInto(declaration))
    return error;
  Proposal proposal;
  if (!arguments.runtime.empty()) {
    Choice given{arguments.runtime, "--runtime says so", {}};
    auto resolved = resolve(given);
    if (!resolved)
      return resolved.takeError();
    given.line = resolved->line;
    target = std::move(*resolved);
    proposal.choices.push_back(std::move(given));
  } else {
    std::vector<Fact> passed;
    auto found = environments(passed);
    proposal = commands::propose(project ? &*project : nullptr, locks(), found);
    llvm::append_range(proposal.passed, passed);
    resolveAll(proposal);
  }
  if (proposal.choices.empty())
    return makeError(Code::Usage, "nothing here determines the runtime", proposal.passed,
                     {"cuda-cc init --runtime " + runtimeForHere(system)});
  declaration.runtime.clear();
  for (const std::string &each : proposal.choices.front().runtime)
    declaration.runtime.push_back({each, {}});
  judgeToolkit(proposal);
  std::string text;
  if (llvm::Error error = plan(proposal, text))
    return error;
  if (arguments.dryRun)
    return proposal;
  // What was not found may have decided.
  if (llvm::Error error = pipeline::failedSearch(system))
    return error;
  if (llvm::Error error = write(proposal.file, text))
    return error;
  proposal.written = true;
  if (llvm::Error error = readBack(proposal))
    return error;
  return proposal;
}

static llvm::Expected<int> init(pipeline::System &system, const InitArguments &arguments) {
  auto proposal = Init(system, arguments).run();
  if (!proposal)
    return proposal.takeError();
  system.console.out(arguments.json ? report::print(proposalJson(*proposal))
                                    : proposalText(*proposal, pipeline::outStyle(system)));
  return 0;
}

static constexpr Option<InitArguments> initOptions[] = {
    {"--format", &InitArguments::format, "text json"},
    {"--runtime", &InitArguments::runtime, "REQ"},
    {"--dry-run", &InitArguments::dryRun},
};

constexpr SubcommandBody initSubcommand = bodyOf<initOptions, init>();

} // namespace cudacc::commands
