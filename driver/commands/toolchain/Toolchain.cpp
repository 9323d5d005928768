#include "driver/report/text/Toolchain.h"
#include "driver/commands/Tools.h"
#include "driver/commands/toolchain/ToolchainPlan.h"
#include "driver/config/Config.h"
#include "driver/config/Settings.h"
#include "driver/pipeline/Directory.h"
#include "driver/plan/command/Nvcc.h"
#include "driver/plan/toolchain/DirectoryForm.h"
#include "driver/report/json/Json.h"
#include "driver/report/text/Text.h"
#include "driver/run/Toolchain.h"
#include "driver/support/MadeFiles.h"
#include "driver/support/Paths.h"
#include "driver/support/ShellWord.h"

namespace cudacc::commands {

using namespace core;
using namespace support;
using Input = ToolchainDirectory::Input;

namespace {

class Tool {
public:
  Tool(pipeline::System &system, const Arguments &arguments)
      : system(system), arguments(arguments), store(system.environment, system.files, system.uid) {}
  int make(const std::string &path);
  int check(const ToolchainDirectory &directory);

private:
  llvm::Expected<Declaration> declare();
  std::vector<std::string> madeWith() const;
  /// Nothing: \p path is free. A directory of ours, by its fingerprint. Error: something else lies
  /// there.
  llvm::Expected<std::optional<ToolchainDirectory>> existing(const std::string &path);
  /// An error where making \p planned would take something that is not cuda-cc's, or the folder
  /// that the caller stands in.
  llvm::Error checkPlace(const PlannedDirectory &planned, bool replaces);
  llvm::Error put(const PlannedDirectory &planned, bool replaces);
  int show(const PlannedDirectory &planned, llvm::StringRef did);
  int tell(const Verdict &verdict, bool strict);

  pipeline::System &system;
  const Arguments &arguments;
  cache::Store store;
};

} // namespace

llvm::Expected<Declaration> Tool::declare() {
  OwnOptions own = arguments.own;
  std::vector<std::string> &runtime = own[Key::Runtime];
  runtime.insert(runtime.begin(), arguments.runtime.begin(), arguments.runtime.end());
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
  for (size_t i = 0; i < arguments.runtime.size(); ++i)
    declaration->runtime[i].origin.name = "--runtime";
  if (arguments.toolkit)
    declaration->toolkit.origin.name = "--toolkit";
  if (arguments.hostCompiler)
    declaration->hostCompiler.origin.name = "--host-compiler";
  if (!arguments.launcher.empty())
    for (Setting<std::string> &each : declaration->launcher)
      each.origin.name = "--launcher";
  if (llvm::Error error = config::checkTogether(*declaration))
    return error;
  if (!declaration->declared() && declaration->require.value)
    return fail(Code::RuntimeRequired, "no runtime is declared",
                {{"required", "by " + declaration->require.origin.str()}},
                {"cuda-cc toolchain DIR --runtime " + runtimeForHere(system)});
  return declaration;
}

/// The options of this call, so that the directory can say how it is made again.
std::vector<std::string> Tool::madeWith() const {
  std::vector<std::string> words;
  auto add = [&](llvm::StringRef option, llvm::StringRef value) {
    words.push_back((option + "=" + value).str());
  };
  for (const std::string &each : arguments.runtime)
    add("--runtime", each);
  if (arguments.toolkit)
    add("--toolkit", *arguments.toolkit);
  if (arguments.hostCompiler)
    add("--host-compiler", *arguments.hostCompiler);
  for (const std::string &each : arguments.launcher)
    add("--launcher", each);
  return words;
}

llvm::Expected<std::optional<ToolchainDirectory>> Tool::existing(const std::string &path) {
  FileStatus status = system.files.stat(path);
  if (!status.exists())
    return std::nullopt;
  FileStatus facts;
  auto found = pipeline::directoryAt(system.files, path, &facts);
  if (!found)
    return found.takeError();
  if (*found && !(**found).anonymous) {
    if (auto refused = pipeline::refuseDirectory(system, **found, facts))
      return fail(std::move(*refused));
    return found;
  }
  if (status.kind == FileStatus::Kind::Directory && system.files.list(path).empty())
    return std::nullopt;
  return fail(Code::Usage, "there is something else in the toolchain directory's place",
              {{"path", path}}, {"name a directory that does not exist yet"});
}

/// What a directory without a list (of a version that kept none) is held against.
static MadeFiles namesIn(const PlannedDirectory &planned) {
  return MadeFiles::of(planned.content.entries, planned.content.programs, "").namesOnly();
}

/// The command of this call, for another place.
static std::string commandFor(const PlannedDirectory &planned, const std::string &path) {
  ToolchainDirectory directory = planned.directory;
  directory.path = path;
  return plan::remake(directory);
}

static Finding foreignFiles(const PlannedDirectory &planned, const run::ForeignFiles &foreign) {
  constexpr size_t most = 5;
  const std::string &path = planned.directory.path;
  Finding finding;
  finding.code = Code::ForeignFiles;
  finding.message = "the toolchain directory holds files of others";
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
    finding.facts.push_back({"and", std::to_string(shown - most) + " more"});
  finding.fixes.push_back("move them elsewhere, then run the command again");
  finding.fixes.push_back("make another directory: " + commandFor(planned, path + "-2"));
  return finding;
}

llvm::Error Tool::checkPlace(const PlannedDirectory &planned, bool replaces) {
  const std::string &path = planned.directory.path;
  std::string parent = support::parentOf(path).str();
  FileStatus place = system.files.stat(path);
  if (!place.exists())
    return llvm::Error::success();
  // It is made beside its place and renamed: neither works on these.
  std::string working = system.files.workingDirectory();
  llvm::StringRef below = working;
  if (below.consume_front(path) && (below.empty() || below.front() == '/'))
    return fail(Code::Usage, "the toolchain directory is the working directory", {{"path", path}},
                {"cd " + shellWord(parent) + " && " + commandFor(planned, path)});
  if (place.id.device != system.files.stat(parent).id.device)
    return fail(Code::Usage, "the toolchain directory's place is a mount point", {{"path", path}},
                {commandFor(planned, path + "/cuda")});
  if (!replaces)
    return llvm::Error::success();
  auto foreign = run::findForeignFiles(system.files, path, namesIn(planned));
  return foreign.empty() ? llvm::Error::success() : fail(foreignFiles(planned, foreign));
}

llvm::Error Tool::put(const PlannedDirectory &planned, bool replaces) {
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
    // Another process may have been first, with another declaration.
    auto made = existing(path);
    if (!made)
      return made.takeError();
    if (*made && (**made).fingerprint == planned.directory.fingerprint)
      return llvm::Error::success();
  }
  return run::replaceDirectory(system.files, path, content, namesIn(planned));
}

int Tool::show(const PlannedDirectory &planned, llvm::StringRef did) {
  report::DirectoryReport report;
  report.did = did;
  report.directory = &planned.directory;
  report.target = &planned.target;
  report.toolkit = planned.toolkit ? &*planned.toolkit : nullptr;
  report.entries = planned.content.entries;
  report.programs = planned.content.programs;
  if (arguments.json)
    system.console.out(report::print(report::toJson(report, arguments.print)));
  else
    system.console.out(arguments.print ? report::listing(report)
                                       : report::text(report, pipeline::outStyle(system)));
  return 0;
}

int Tool::tell(const Verdict &verdict, bool strict) {
  system.console.err(report::text(verdict.findings, pipeline::errStyle(system)));
  return int(verdict.exit(strict));
}

int Tool::make(const std::string &path) {
  auto declaration = declare();
  if (!declaration)
    return stop(system, takeFinding(declaration.takeError()));
  bool strict = declaration->strict.value;
  ToolchainDirectory directory;
  directory.path = path;
  directory.declaration = std::move(*declaration);
  directory.madeWith = madeWith();
  auto foundBy = settleDirectory(system, store, directory);
  if (!foundBy)
    return stop(system, takeFinding(foundBy.takeError()));
  if (!directory.nvcc.empty() && !plan::nvccCanLieIn(path))
    return stop(system,
                takeFinding(fail(Code::Usage, "nvcc cannot work in a directory of this name",
                                 {{"path", path},
                                  {"because", "its steps are shell commands, to which $ and "
                                              "` mean something else"}})));
  auto planned = planDirectory(system, store, std::move(directory), *foundBy);
  if (!planned)
    return stop(system, takeFinding(planned.takeError()));
  if (int status = tell(planned->verdict, strict))
    return status;
  if (arguments.print)
    return show(*planned, "would make");
  auto there = existing(path);
  if (!there)
    return stop(system, takeFinding(there.takeError()));
  if (*there && (**there).fingerprint == planned->directory.fingerprint && (**there).madeAt == path)
    return show(*planned, "up to date");
  if (llvm::Error error = checkPlace(*planned, there->has_value()))
    return stop(system, takeFinding(std::move(error)));
  if (llvm::Error error = put(*planned, there->has_value()))
    return stop(system, takeFinding(std::move(error)));
  return show(*planned, there->has_value() ? "made again" : "made");
}

/// What differs from when the directory was made, as far as stat says it.
static std::vector<Fact> changes(pipeline::System &system, const ToolchainDirectory &directory) {
  constexpr size_t most = 5;
  std::vector<Fact> facts;
  for (const Input &input : directory.inputs)
    if (input.kind != Input::Kind::Declaration && !pipeline::isUnchanged(system.files, input.id) &&
        facts.size() < most)
      facts.push_back(
          {"changed",
           input.id.path + (system.files.stat(input.id.path).exists() ? "" : " is gone")});
  for (const auto &[name, real] : directory.compilers)
    if (!system.files.executable(real))
      facts.push_back({name, real + " is gone"});
  if (std::string now = programIdentity(system); now != directory.program)
    facts.push_back({"made by", "cuda-cc " + directory.program + ", this is " + now});
  return facts;
}

int Tool::check(const ToolchainDirectory &directory) {
  Verdict verdict;
  if (!directory.declarationFile.empty())
    for (const Input &input : directory.inputs)
      if (input.kind == Input::Kind::Declaration && !pipeline::isUnchanged(system.files, input.id))
        if (auto finding = pipeline::changedDeclaration(system, directory))
          verdict.add(std::move(*finding));
  std::vector<Fact> facts = changes(system, directory);
  if (!facts.empty()) {
    // An installation beside it changes folders, too: what counts is what would be made now.
    auto planned = planDirectory(system, store, directory, "recorded in the toolchain directory");
    if (!planned)
      return stop(system, takeFinding(planned.takeError()));
    verdict.append(std::move(planned->verdict.findings));
    if (planned->directory.fingerprint != directory.fingerprint)
      verdict.add(pipeline::outdated(directory, std::move(facts)));
  }
  if (directory.madeAt != directory.path)
    verdict.add(pipeline::outdated(directory, {{"moved", "from " + directory.madeAt}}));
  if (!verdict.findings.empty()) {
    tell(verdict, false);
    if (verdict.outcome() != Outcome::Accept)
      return int(Exit::Rejected);
  }
  if (arguments.json) {
    report::DirectoryReport report;
    report.did = "matches";
    report.directory = &directory;
    system.console.out(report::print(report::toJson(report, false)));
  } else {
    system.console.out(directory.path + ": matches\n");
  }
  return 0;
}

int toolchain(pipeline::System &system, const Arguments &arguments,
              const ToolchainDirectory *directory) {
  bool named = directory && !directory->anonymous;
  bool isSelf = arguments.words.empty() && arguments.check && named;
  if (!isSelf && (arguments.words.size() != 1 || arguments.words[0].empty())) {
    Finding finding;
    finding.code = Code::Usage;
    finding.message = "cuda-cc toolchain takes one directory";
    finding.fixes.push_back("cuda-cc toolchain DIR --runtime " + runtimeForHere(system));
    return stop(system, finding);
  }
  Tool tool(system, arguments);
  if (isSelf)
    return tool.check(*directory);
  std::string path =
      support::normalizePath(support::absolute(arguments.words[0], system.files), system.files);
  path = system.files.realPath(path).value_or(path);
  if (!arguments.check)
    return tool.make(path);
  FileStatus facts;
  auto found = pipeline::directoryAt(system.files, path, &facts);
  if (!found)
    return stop(system, takeFinding(found.takeError()));
  if (*found && !(**found).anonymous) {
    if (auto refused = pipeline::refuseDirectory(system, **found, facts))
      return stop(system, *refused);
    return tool.check(**found);
  }
  Finding finding;
  finding.code = Code::UnreadableFile;
  finding.message = "there is no toolchain directory";
  finding.facts.push_back({"searched", path + "/" + ToolchainDirectory::factsName.str()});
  finding.fixes.push_back("cuda-cc toolchain " + path);
  return stop(system, finding);
}

} // namespace cudacc::commands
