// SPDX-License-Identifier: Apache-2.0
#include "driver/report/text/Toolchain.h"
#include "driver/commands/Declaration.h"
#include "driver/commands/Subcommands.h"
#include "driver/commands/toolchain/Fetch.h"
#include "driver/commands/toolchain/ToolchainCompilers.h"
#include "driver/commands/toolchain/ToolchainPlan.h"
#include "driver/config/Settings.h"
#include "driver/pipeline/Directory.h"
#include "driver/pipeline/Found.h"
#include "driver/pipeline/Reporter.h"
#include "driver/plan/command/Nvcc.h"
#include "driver/plan/toolchain/DirectoryCodec.h"
#include "driver/report/json/Json.h"
#include "driver/report/text/Layout.h"
#include "driver/report/text/Text.h"
#include "driver/run/Toolchain.h"
#include "driver/support/MadeFiles.h"
#include "driver/support/Paths.h"
#include "driver/support/ShellWord.h"

namespace cudacc::commands {

using namespace core;
using namespace support;
using llvm::StringRef;
using RecordedInput = ToolchainDirectory::Input;

namespace {

struct ToolchainArguments : Arguments {
  std::optional<std::string> toolkit, hostCompiler;
  std::vector<std::string> launcher;
  bool check = false, print = false;
  bool fetch = false, acceptLicense = false;
  std::optional<std::string> nvcc, lock;
  std::vector<std::string> with;
  /// Parts for a directory that is there, which is made again with its own options.
  std::vector<std::string> add;
};

} // namespace

static llvm::Expected<Declaration> declare(pipeline::System &system,
                                           const ToolchainArguments &arguments) {
  OwnOptions own = withRuntime(arguments);
  if (arguments.toolkit)
    own[Key::Toolkit] = {*arguments.toolkit};
  if (arguments.hostCompiler)
    own[Key::HostCompiler] = {*arguments.hostCompiler};
  if (!arguments.launcher.empty())
    own[Key::Launcher] = arguments.launcher;
  auto declaration =
      config::readDeclaration(own, system.environment, system.files, nullptr, system.uid);
  if (!declaration)
    return declaration;
  nameRuntime(arguments, *declaration);
  if (arguments.toolkit)
    declaration->toolkit.origin.name = "--toolkit";
  if (arguments.hostCompiler)
    declaration->hostCompiler.origin.name = "--host-compiler";
  for (Setting<std::string> &each : declaration->launcher)
    if (!arguments.launcher.empty())
      each.origin.name = "--launcher";
  if (llvm::Error error = config::checkTogether(*declaration))
    return error;
  if (!declaration->declared() && declaration->require.value)
    return makeError(Code::RuntimeRequired, "no runtime is declared",
                     {{"required", fmt::format("by {}", declaration->require.origin)}},
                     {"cuda-cc toolchain DIR --runtime " + runtimeForHere(system)});
  return declaration;
}

/// The options of this call, so that the directory can say how to make it again.
static std::vector<std::string> madeWith(const ToolchainArguments &arguments) {
  std::vector<std::string> words;
  auto add = [&](llvm::StringRef option, llvm::StringRef value) {
    words.push_back(fmt::format("{}={}", option, value));
  };
  for (const std::string &each : arguments.runtime)
    add("--runtime", each);
  if (arguments.toolkit)
    add("--toolkit", *arguments.toolkit);
  if (arguments.hostCompiler)
    add("--host-compiler", *arguments.hostCompiler);
  for (const std::string &each : arguments.launcher)
    add("--launcher", each);
  if (arguments.fetch)
    words.push_back("--fetch");
  if (arguments.nvcc)
    add("--nvcc", *arguments.nvcc);
  if (arguments.lock)
    add("--lock", *arguments.lock);
  for (const std::string &each : arguments.with)
    add("--with", each);
  return words;
}

/// The toolchain directory at \p path; std::nullopt if there is none. Errors: it must not be used.
static llvm::Expected<std::optional<ToolchainDirectory>> readDirectory(pipeline::System &system,
                                                                       const std::string &path) {
  FileStatus facts;
  auto found = pipeline::directoryAt(system.files, path, &facts);
  if (!found)
    return found.takeError();
  if (!*found || (**found).anonymous)
    return std::nullopt;
  if (auto refused = pipeline::refuseDirectory(system, **found, facts))
    return makeError(std::move(*refused));
  return found;
}

/// Errors: there is none, or it must not be used.
static llvm::Expected<ToolchainDirectory> requiredDirectory(pipeline::System &system,
                                                            const std::string &path) {
  auto found = readDirectory(system, path);
  if (!found)
    return found.takeError();
  if (*found)
    return std::move(**found);
  return makeError(Code::UnreadableFile, "there is no toolchain directory",
                   {{"searched", fmt::format("{}/{}", path, ToolchainDirectory::factsName)}},
                   {"cuda-cc toolchain " + support::shellWord(path)});
}

/// The toolchain directory that cuda-cc made at \p path; std::nullopt if the path is free. Errors:
/// something else is there.
static llvm::Expected<std::optional<ToolchainDirectory>> existing(pipeline::System &system,
                                                                  const std::string &path) {
  FileStatus status = system.files.stat(path);
  if (!status.exists())
    return std::nullopt;
  auto found = readDirectory(system, path);
  if (!found || *found)
    return found;
  if (status.kind == FileStatus::Kind::Directory && system.files.list(path).empty())
    return std::nullopt;
  return makeError(Code::Usage, "another file is in the place of the toolchain directory",
                   {{"path", path}}, {"name a directory that does not exist yet"});
}

/// The names that are expected in a directory without a list of its files, made by a version that
/// wrote none.
static MadeFiles namesIn(const ToolchainPlan &planned) {
  return MadeFiles::of(planned.content.entries, planned.content.programs, "").namesOnly();
}

/// The command of this call, for another path.
static std::string commandFor(const ToolchainPlan &planned, const std::string &path) {
  ToolchainDirectory directory = planned.directory;
  directory.path = path;
  return plan::remake(directory);
}

static Finding foreignFiles(const ToolchainPlan &planned, const run::ForeignFiles &foreign) {
  constexpr size_t most = 5;
  const std::string &path = planned.directory.path;
  Finding finding = makeFinding(Code::ForeignFiles, "the toolchain directory contains other files");
  finding.facts.push_back({"directory", path});
  size_t shown = 0;
  auto show = [&](llvm::StringRef label, const std::vector<std::string> &names) {
    for (const std::string &name : names)
      if (shown++ < most)
        finding.facts.push_back({label.str(), name});
  };
  show("added", foreign.added);
  show("changed", foreign.changed);
  if (shown > most)
    finding.facts.push_back({"and", fmt::format("{} more", shown - most)});
  finding.fixes = {"move them elsewhere, then run the command again",
                   "make another directory: " + commandFor(planned, path + "-2")};
  return finding;
}

/// Errors: making \p planned would replace files that are not cuda-cc's, the caller's working
/// directory, or a mount point.
static llvm::Error checkPlace(pipeline::System &system, const ToolchainPlan &planned,
                              bool replaces) {
  const std::string &path = planned.directory.path;
  std::string parent = support::parentOf(path).str();
  FileStatus place = system.files.stat(path);
  if (!place.exists())
    return llvm::Error::success();
  // The directory is made beside its place and renamed, which works on neither of these.
  std::string working = system.files.workingDirectory();
  llvm::StringRef below = working;
  if (below.consume_front(path) && (below.empty() || below.front() == '/'))
    return makeError(Code::Usage, "the toolchain directory is the working directory",
                     {{"path", path}},
                     {fmt::format("cd {} && {}", shellWord(parent), commandFor(planned, path))});
  if (place.id.device != system.files.stat(parent).id.device)
    return makeError(Code::Usage, "the toolchain directory's place is a mount point",
                     {{"path", path}}, {commandFor(planned, path + "/cuda")});
  if (!replaces)
    return llvm::Error::success();
  auto foreign = run::findForeignFiles(system.files, path, namesIn(planned));
  return foreign.empty() ? llvm::Error::success() : makeError(foreignFiles(planned, foreign));
}

static llvm::Error putDirectory(pipeline::System &system, const ToolchainPlan &planned,
                                bool replaces) {
  run::DirectoryContent content;
  content.entries = planned.content.entries;
  content.programs = planned.content.programs;
  content.self = system.self;
  content.trailer = planned.content.fingerprint;
  content.readOnly = true;
  const std::string &path = planned.directory.path;
  if (!replaces) {
    if (llvm::Error error = run::makeDirectory(system.files, path, content))
      return error;
    // Another process may have made it first, with another declaration.
    auto made = existing(system, path);
    if (!made)
      return made.takeError();
    if (*made && (**made).fingerprint == planned.directory.fingerprint)
      return llvm::Error::success();
  }
  return run::replaceDirectory(system.files, path, content, namesIn(planned));
}

static int show(pipeline::System &system, const ToolchainArguments &arguments,
                const ToolchainPlan &planned, llvm::StringRef did) {
  report::DirectoryReport report;
  report.did = did;
  report.directory = &planned.directory;
  report.target = &planned.target;
  report.toolkit = planned.toolkit ? &*planned.toolkit : nullptr;
  report.entries = planned.content.entries;
  report.programs = planned.content.programs;
  system.console.out(arguments.json    ? report::print(report::toJson(report, arguments.print))
                     : arguments.print ? report::listing(report)
                                       : report::text(report, pipeline::outStyle(system)));
  return 0;
}

static int print(pipeline::System &system, const Verdict &verdict, bool strict) {
  system.console.err(report::text(verdict.findings, pipeline::errStyle(system)));
  return int(verdict.exit(strict));
}

/// Makes the toolkit of \p directory one that is fetched, if its environment has none. Returns the
/// exit status of `--print`; otherwise std::nullopt.
static llvm::Expected<std::optional<int>> fetch(pipeline::System &system, cache::Store &store,
                                                const ToolchainArguments &arguments,
                                                ToolchainDirectory &directory) {
  Setting<std::string> &toolkit = directory.declaration.toolkit;
  if (arguments.toolkit && toolkit.value != "fetch")
    return usageError("--fetch and --toolkit exclude one another");
  if (!directory.declaration.declared())
    return makeError(Code::RuntimeRequired, "no runtime is declared",
                     {{"required", "by --fetch, which takes a toolkit that serves it"}},
                     {plan::remake(directory) + " --runtime cuda==13.0"});
  auto machine = machineOfHost(system, store, directory);
  if (!machine)
    return machine.takeError();
  auto found =
      planToolkit(system, store, directory.declaration,
                  {{arguments.nvcc.value_or(""), arguments.with, {}, *machine},
                   arguments.acceptLicense,
                   arguments.lock ? support::absolute(*arguments.lock, system.files) : ""});
  if (!found)
    return found.takeError();
  if (arguments.print) {
    report::FetchReport report = found->report();
    system.console.out(arguments.json ? report::print(report::toJson(report))
                                      : report::text(report));
    return 0;
  }
  if (llvm::Error error = fetchToolkit(system, *found, plan::remake(directory)))
    return error;
  toolkit = {found->place(), {Origin::Kind::Option, "--fetch"}};
  return std::nullopt;
}

static llvm::Expected<int> make(pipeline::System &system, const ToolchainArguments &arguments,
                                const std::string &path) {
  auto declaration = declare(system, arguments);
  if (!declaration)
    return declaration.takeError();
  cache::Store store(system.environment, system.files, system.uid);
  bool strict = declaration->strict.value;
  ToolchainDirectory directory;
  directory.path = path;
  directory.declaration = std::move(*declaration);
  directory.madeWith = madeWith(arguments);
  if (arguments.fetch || directory.declaration.toolkit.value == "fetch") {
    auto status = fetch(system, store, arguments, directory);
    if (!status)
      return status.takeError();
    if (*status)
      return **status;
  }
  if (path.find(':') != path.npos)
    return makeError(
        Code::Usage, "the path of a toolchain directory cannot have a colon",
        {{"path", path}, {"because", "PATH, which activate sets, is split at colons"}});
  auto foundBy = resolveDirectory(system, store, directory);
  if (!foundBy)
    return foundBy.takeError();
  if (!directory.nvcc.empty() && !plan::nvccCanLieIn(path))
    return makeError(
        Code::Usage, "nvcc cannot work in a directory of this name",
        {{"path", path},
         {"because", "$, ` and line breaks mean something else to the shell that runs its steps"}});
  auto planned = planDirectory(system, store, std::move(directory), *foundBy);
  if (!planned)
    return planned.takeError();
  if (int status = print(system, planned->verdict, strict))
    return status;
  if (arguments.print)
    return show(system, arguments, *planned, "would make");
  auto there = existing(system, path);
  if (!there)
    return there.takeError();
  if (*there && (**there).fingerprint == planned->directory.fingerprint && (**there).madeAt == path)
    return show(system, arguments, *planned, "up to date");
  if (llvm::Error error = checkPlace(system, *planned, there->has_value()))
    return error;
  // What is made of a part is never made again.
  if (llvm::Error error = pipeline::failedSearch(system))
    return error;
  if (llvm::Error error = putDirectory(system, *planned, there->has_value()))
    return error;
  return show(system, arguments, *planned, there->has_value() ? "made again" : "made");
}

/// What changed since the directory was made, according to stat.
static std::vector<Fact> changes(pipeline::System &system, const ToolchainDirectory &directory) {
  constexpr size_t most = 5;
  std::vector<Fact> facts;
  for (const RecordedInput &input : directory.inputs)
    if (input.kind != RecordedInput::Kind::Declaration &&
        !pipeline::isUnchanged(system.files, input.id) && facts.size() < most)
      facts.push_back(
          {"changed",
           input.id.path + (system.files.stat(input.id.path).exists() ? "" : " is gone")});
  for (const auto &[name, real] : directory.compilers)
    if (!system.files.executable(real))
      facts.push_back({name, real + " is gone"});
  if (std::string now = programIdentity(system); now != directory.program)
    facts.push_back({"made by", fmt::format("cuda-cc {}, this is {}", directory.program, now)});
  return facts;
}

static llvm::Expected<int> checkDirectory(pipeline::System &system,
                                          const ToolchainArguments &arguments,
                                          const ToolchainDirectory &directory) {
  Verdict verdict;
  if (!directory.declarationFile.empty())
    for (const RecordedInput &input : directory.inputs)
      if (input.kind == RecordedInput::Kind::Declaration &&
          !pipeline::isUnchanged(system.files, input.id))
        if (auto finding = pipeline::changedDeclaration(system, directory))
          verdict.add(std::move(*finding));
  std::vector<Fact> facts = changes(system, directory);
  if (!facts.empty()) {
    // Installing something beside them changes folders as well, so compare with what would be made
    // now.
    cache::Store store(system.environment, system.files, system.uid);
    auto planned = planDirectory(system, store, directory, "recorded in the toolchain directory");
    if (!planned)
      return planned.takeError();
    verdict.append(std::move(planned->verdict.findings));
    if (planned->directory.fingerprint != directory.fingerprint)
      verdict.add(pipeline::outdated(directory, std::move(facts)));
  }
  if (directory.madeAt != directory.path)
    verdict.add(pipeline::outdated(directory, {{"moved", "from " + directory.madeAt}}));
  if (llvm::Error error = pipeline::failedSearch(system))
    return error;
  if (!verdict.findings.empty()) {
    print(system, verdict, false);
    if (verdict.outcome() != Outcome::Accept)
      return int(Exit::Rejected);
  }
  if (arguments.json) {
    report::DirectoryReport report;
    report.did = "matches";
    report.directory = &directory;
    system.console.out(report::print(report::toJson(report, false)));
  } else {
    system.console.out(fmt::format("{}: matches\n", report::printable(directory.path)));
  }
  return 0;
}

static llvm::Expected<int> add(pipeline::System &system, const ToolchainArguments &arguments,
                               const std::string &path);

static llvm::Expected<int> toolchain(pipeline::System &system,
                                     const ToolchainArguments &arguments) {
  const ToolchainDirectory *directory = arguments.directory;
  bool isSelf = arguments.words.empty() && arguments.check && directory && !directory->anonymous;
  if (!isSelf && (arguments.words.size() != 1 || arguments.words[0].empty()))
    return makeError(Code::Usage, "cuda-cc toolchain takes one directory", {},
                     {"cuda-cc toolchain DIR --runtime " + runtimeForHere(system)});
  if (isSelf)
    return checkDirectory(system, arguments, *directory);
  std::string path =
      support::normalizePath(support::absolute(arguments.words[0], system.files), system.files);
  path = system.files.realPath(path).value_or(path);
  if (!arguments.add.empty())
    return add(system, arguments, path);
  if (!arguments.check)
    return make(system, arguments, path);
  auto found = requiredDirectory(system, path);
  if (!found)
    return found.takeError();
  return checkDirectory(system, arguments, *found);
}

static constexpr Option<ToolchainArguments> toolchainOptions[] = {
    {"--format", &ToolchainArguments::format, "text json"},
    {"--runtime", &ToolchainArguments::runtime, "REQ"},
    {"--toolkit", &ToolchainArguments::toolkit, "auto env fetch PATH"},
    {"--host-compiler", &ToolchainArguments::hostCompiler, "PROGRAM"},
    {"--launcher", &ToolchainArguments::launcher, "PROGRAM"},
    {"--check", &ToolchainArguments::check},
    {"--print", &ToolchainArguments::print},
    {"--fetch", &ToolchainArguments::fetch},
    {"--nvcc", &ToolchainArguments::nvcc, "VERSION"},
    {"--with", &ToolchainArguments::with, "LIB"},
    {"--add", &ToolchainArguments::add, "LIB"},
    {"--lock", &ToolchainArguments::lock, "FILE"},
    {"--accept-license", &ToolchainArguments::acceptLicense},
};

llvm::Expected<int> add(pipeline::System &system, const ToolchainArguments &arguments,
                        const std::string &path) {
  auto directory = requiredDirectory(system, path);
  if (!directory)
    return directory.takeError();
  ToolchainArguments again;
  for (const std::string &word : directory->madeWith)
    for (const auto &option : toolchainOptions)
      if (auto [name, value] = StringRef(word).split('='); option.name == name)
        if (llvm::Error error = option.take(value, again))
          return error;
  for (const std::string &names : arguments.add)
    for (StringRef name : llvm::split(names, ','))
      if (!llvm::is_contained(again.with, name))
        again.with.push_back(name.str());
  again.acceptLicense = arguments.acceptLicense;
  again.print = arguments.print;
  again.format = arguments.format;
  again.json = arguments.json;
  return make(system, again, path);
}

constexpr SubcommandBody toolchainSubcommand = bodyOf<toolchainOptions, toolchain>();

} // namespace cudacc::commands
