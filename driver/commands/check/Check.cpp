// SPDX-License-Identifier: Apache-2.0
#include "driver/report/text/Check.h"
#include "driver/Version.h"
#include "driver/commands/Page.h"
#include "driver/commands/Subcommands.h"
#include "driver/commands/check/Against.h"
#include "driver/commands/check/JudgedRows.h"
#include "driver/commands/check/Relink.h"
#include "driver/commands/inputs/WheelPackage.h"
#include "driver/config/Settings.h"
#include "driver/policy/rules/JudgeManifest.h"
#include "driver/report/html/Html.h"
#include "driver/report/json/Json.h"
#include "driver/report/sarif/Sarif.h"
#include "driver/report/text/Text.h"
#include "driver/support/ShellWord.h"
#include <memory>

namespace cudacc::commands {

using namespace core;
using namespace versions;

namespace {

/// The stages of one call of `check`.
class Check {
public:
  Check(pipeline::System &system, const CheckArguments &arguments)
      : system(system), arguments(arguments) {}
  llvm::Expected<int> run();

private:
  pipeline::System &system;
  const CheckArguments &arguments;
  Declaration declaration;
  std::vector<Runtime> runtimes;
  Inputs inputs;
  binary::ReadOptions options;
  std::vector<ReadFile> files;
  /// Runtimes of the manifests, by index of the argument (F9).
  std::vector<std::vector<Runtime>> ofManifests;
  std::unique_ptr<JudgedRows> rows;

  llvm::Error findRuntimes();
  void read();
  llvm::Error findManifestTargets();
  llvm::ArrayRef<Runtime> runtimesFor(const Input &input) const;
  bool printsMatrix() const {
    return !arguments.against.empty() && !arguments.json && !arguments.sarif;
  }
  void judgeProblems();
  llvm::Error judgeAll();
  bool isStrict() const { return arguments.strict || declaration.strict.value; }
  bool isOfNothing() const;
  int exit() const;
  void addDetails(report::HtmlFile &file);
  std::string versionOf(llvm::StringRef runtime, llvm::StringRef soname) const;
  llvm::Error writePage();
  std::vector<Finding> problems() const;
  report::Manifests manifests() const;
  bool hasFolderOrWheel() const;
  void print();
};

} // namespace

llvm::Error Check::findRuntimes() {
  if (llvm::Error error = readDeclaration(system, arguments).moveInto(declaration))
    return error;
  if (arguments.layout)
    if (auto error =
            config::apply(core::Key::Layout,
                          {{*arguments.layout, {Origin::Kind::Option, "--layout"}}}, declaration))
      return error;
  if (llvm::Error error = runtimesOf(system, arguments, declaration).moveInto(runtimes))
    return error;
  auto isEnvironment = [](const Runtime &each) { return !each.environment.empty(); };
  if (!arguments.before.empty() && llvm::none_of(runtimes, isEnvironment))
    return makeError(Code::Usage, "--before is about an environment, and none is declared", {},
                     {fmt::format("cuda-cc check --runtime env:PATH --before {}",
                                  support::shellWord(arguments.before.front()))});
  return arguments.relink ? requireGpus(runtimes) : llvm::Error::success();
}

void Check::read() {
  std::optional<std::string> installDir;
  if (declaration.installDir)
    installDir = declaration.installDir->value;
  inputs = findInputs(system, arguments.words, installDir);
  options.device = true;
  options.deep = arguments.deep;
  options.verify = arguments.verify;
  files = readInputs(system, inputs, options);
  for (OpenedWheel &wheel : inputs.wheels)
    wheel.metadata = readMetadata(wheel);
}

/// The files of one argument belong together: those without a target of their own are judged
/// against the targets of the others.
llvm::Error Check::findManifestTargets() {
  ofManifests.resize(arguments.words.size());
  std::vector<bool> judged(arguments.words.size());
  for (size_t i = 0; i != files.size(); ++i) {
    if (files[i].state != ReadFile::State::Read)
      continue;
    const Input &input = inputs.files[i];
    judged[input.argument] = true;
    addRuntimesOfManifest(ofManifests[input.argument], system, arguments, declaration, input.name,
                          files[i].facts);
  }
  for (size_t i = 0; i != judged.size(); ++i)
    if (judged[i] && ofManifests[i].empty())
      return makeError(
          Code::Usage, fmt::format("no runtime is declared for {}", arguments.words[i]),
          {{"manifest", "none that names a runtime"}},
          {"cuda-cc check --runtime torch==2.5.1 " + support::shellWord(arguments.words[i]),
           "cuda-cc check --against all " + support::shellWord(arguments.words[i])});
  return llvm::Error::success();
}

llvm::ArrayRef<Runtime> Check::runtimesFor(const Input &input) const {
  if (!runtimes.empty())
    return runtimes;
  return ofManifests[input.argument];
}

/// Adds rows for arguments that are not files. They come first.
void Check::judgeProblems() {
  for (const auto &[name, problem] : inputs.problems) {
    Judgement judgement;
    judgement.path = name;
    judgement.verdict.add(problem);
    if (runtimes.empty())
      rows->judgements.push_back(judgement);
    for (const Runtime &runtime : runtimes) {
      judgement.runtime = runtime.name;
      judgement.line = runtime.target.line;
      rows->judgements.push_back(judgement);
    }
  }
}

/// A folder without binaries: the wrong one, or that of a build that has not run. A wheel without
/// any is whole, and loads anywhere.
bool Check::isOfNothing() const { return rows->judgements.empty() && inputs.wheels.empty(); }

int Check::exit() const {
  if (isOfNothing())
    return int(isStrict() ? Exit::Rejected : Exit::Undetermined);
  if (!arguments.against.empty())
    return exitOfRows(rows->judgements, arguments, isStrict());
  Exit worst = Exit::Ok;
  for (const Judgement &judgement : rows->judgements)
    worst = worse(worst, judgement.verdict.exit(isStrict()));
  // Files may be fine in an environment about which something could not be determined.
  for (const Runtime &runtime : runtimes)
    for (const Finding &problem : runtime.target.problems)
      if (problem.severity == Severity::Error)
        worst = worse(worst, exitOf(problem, isStrict()));
  return int(worst);
}

/// Findings about the environments, unused waivers and skipped files: no verdicts on files.
std::vector<Finding> Check::problems() const {
  std::vector<Finding> all;
  for (const Runtime &runtime : runtimes)
    llvm::copy_if(runtime.target.problems, std::back_inserter(all), [&](const Finding &finding) {
      // The same packages for every runtime.
      return finding.code != Code::UnusedFacts || llvm::none_of(all, [&](const Finding &each) {
               return each.message == finding.message &&
                      each.facts.front().text == finding.facts.front().text;
             });
    });
  llvm::append_range(all, rows->judging.unusedWaivers());
  llvm::append_range(all, rows->skipped);
  return all;
}

static report::MetadataLines linesOf(const policy::Needs &needs) {
  report::MetadataLines lines{needs.requirements(), needs.declaredHigher(), "", ""};
  TorchRange serving = needs.torchServing();
  if (serving.any())
    lines.torch = serving.text();
  else if (needs.torch.any())
    lines.noTorch = "no release on PyPI has all names and brings the CUDA that the files need";
  else if (needs.torch.known())
    lines.noTorch = "no release that was read exports all that is imported";
  return lines;
}

/// Of all files that were read, also those that the runtime's Python does not load.
report::Manifests Check::manifests() const {
  report::Manifests all;
  for (size_t i = 0; i != files.size(); ++i) {
    if (files[i].state != ReadFile::State::Read)
      continue;
    if (auto has = policy::hasLinkRecord(files[i].facts); has && *has)
      ++all.with;
    else if (has)
      all.without.push_back(inputs.files[i].name);
  }
  return all;
}

bool Check::hasFolderOrWheel() const {
  return llvm::any_of(inputs.files, [](const Input &input) { return !input.named; });
}

void Check::print() {
  std::vector<Finding> aside = problems();
  llvm::ArrayRef<Judgement> judgements = rows->judgements;
  if (arguments.json)
    return system.console.out(report::print(report::withManifests(
        report::checkJson(judgements, aside, rows->needs.requirements()), manifests())));
  if (arguments.sarif)
    return system.console.out(
        report::print(report::sarif(judgements, aside, cudacc::version, exit())));
  system.console.err(report::text(aside, pipeline::errStyle(system)));
  report::Style style = pipeline::outStyle(system);
  if (judgements.empty())
    return system.console.out(fmt::format("{}nothing to check: no shared object, no program\n",
                                          isOfNothing() ? "unknown: " : ""));
  if (printsMatrix())
    return system.console.out(report::matrix(judgements, style, linesOf(rows->needs)));
  system.console.out(report::check(judgements, style));
  if (arguments.requireManifest || hasFolderOrWheel())
    system.console.out(report::manifestLine(manifests()));
}

/// Adds what the text does not show. Judges the file again, since rows of a matrix are shortened.
void Check::addDetails(report::HtmlFile &file) {
  auto [unit, runtime] = rows->of(file.shown);
  if (!unit || runtime->problem)
    return;
  std::optional<size_t> read = rows->judging.fileOf(*unit, *runtime);
  if (!read || files[*read].state != ReadFile::State::Read)
    return;
  file.judgement = rows->judgeOne(*unit, *runtime);
  file.facts = &files[*read].facts;
  file.load = rows->judging.load(*read, rows->installedWith(*unit, *runtime));
}

std::string Check::versionOf(llvm::StringRef runtime, llvm::StringRef soname) const {
  std::string version = versionIn(runtimes, runtime, soname);
  for (const std::vector<Runtime> &of : ofManifests)
    if (version.empty())
      version = versionIn(of, runtime, soname);
  return version;
}

llvm::Error Check::writePage() {
  report::HtmlReport page;
  page.version = cudacc::version;
  page.judgements = rows->judgements;
  page.files = report::filesInFull(rows->judgements);
  for (report::HtmlFile &file : page.files)
    addDetails(file);
  auto has = [&](llvm::StringRef runtime, llvm::StringRef soname) {
    return versionOf(runtime, soname);
  };
  page.has = has;
  return commands::writePage(system, *arguments.report, page);
}

llvm::Error Check::judgeAll() {
  if (llvm::Error error = findRuntimes())
    return error;
  read();
  if (runtimes.empty())
    if (llvm::Error error = findManifestTargets())
      return error;
  rows = std::make_unique<JudgedRows>(
      system, arguments, declaration, inputs, files, options,
      [this](const Input &input) { return runtimesFor(input); },
      /*wantsFixes=*/!printsMatrix() || arguments.report);
  judgeProblems();
  rows->judge(/*shortened=*/printsMatrix());
  return llvm::Error::success();
}

llvm::Expected<int> Check::run() {
  if (llvm::Error error = judgeAll()) {
    Finding finding = toFinding(std::move(error));
    failWith(system, finding);
    return int(exitOf(finding, isStrict()));
  }
  print();
  if (arguments.report)
    if (llvm::Error error = writePage())
      return error;
  return exit();
}

static llvm::Expected<int> check(pipeline::System &system, const CheckArguments &arguments) {
  if (arguments.words.empty())
    return makeError(Code::Usage, "cuda-cc check takes files", {},
                     {"cuda-cc check --runtime torch==2.5.1 ext.so"});
  if (arguments.minAccepted && arguments.against.empty())
    return makeError(
        Code::Usage, "--min-accepted counts releases of --against", {},
        {"cuda-cc check --against all --min-accepted 1 " + support::shellWord(arguments.words[0])});
  if (!arguments.against.empty() && !arguments.runtime.empty())
    return makeError(Code::Usage, "--against and --runtime exclude one another");
  return Check(system, arguments).run();
}

static llvm::Error readMinAccepted(llvm::StringRef value, CheckArguments &arguments) {
  arguments.minAccepted.emplace();
  if (value.getAsInteger(10, *arguments.minAccepted) || !*arguments.minAccepted)
    return usageError(fmt::format("--min-accepted is a number of releases, not '{}'", value));
  return llvm::Error::success();
}

static constexpr Option<CheckArguments> checkOptions[] = {
    {"--format", &CheckArguments::format, "text json sarif"},
    {"--runtime", &CheckArguments::runtime, "REQ"},
    {"--against", &CheckArguments::against, "all REQ"},
    {"--only", &CheckArguments::only, "cuda"},
    {"--min-accepted", readMinAccepted},
    {"--gpu", &CheckArguments::gpu, "SM"},
    {"--driver", &CheckArguments::driver},
    {"--layout", &CheckArguments::layout, "wheels system:PATH conda none"},
    {"--deep", &CheckArguments::deep},
    {"--verify", &CheckArguments::verify},
    {"--strict", &CheckArguments::strict},
    {"--relink", &CheckArguments::relink},
    {"--require-manifest", &CheckArguments::requireManifest},
    {"--before", &CheckArguments::before},
    {"--as-here", &CheckArguments::asHere},
    {"--report", &CheckArguments::report, "HTML"},
};

constexpr SubcommandBody checkSubcommand = bodyOf<checkOptions, check>();

} // namespace cudacc::commands
