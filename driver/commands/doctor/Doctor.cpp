// SPDX-License-Identifier: Apache-2.0
#include "driver/Version.h"
#include "driver/commands/Page.h"
#include "driver/commands/Subcommands.h"
#include "driver/commands/doctor/DoctorReport.h"
#include "driver/commands/inputs/ReadFile.h"
#include "driver/commands/simulation/Disputes.h"
#include "driver/commands/simulation/Simulator.h"
#include "driver/pipeline/Found.h"
#include "driver/probe/python/Modules.h"
#include "driver/report/html/Html.h"
#include "driver/report/json/Json.h"
#include "driver/support/Paths.h"
#include "driver/support/ShellWord.h"
#include "driver/versions/Machine.h"
#include "driver/versions/ModuleName.h"

namespace cudacc::commands {

using namespace core;
using namespace versions;

namespace {

struct DoctorArguments : Arguments {
  bool strict = false;
  /// `--env`.
  std::optional<std::string> environment;
  /// Modules to import first.
  std::vector<std::string> before;
  /// What this machine has of CUDA counts beside the environment.
  bool asHere = false;
};

} // namespace

namespace {

class Doctor {
public:
  Doctor(pipeline::System &system, const DoctorArguments &arguments)
      : system(system), arguments(arguments), disk(system.files, /*imports=*/true),
        inventory(disk, system.environment.getOr("HOME").str()) {}
  llvm::Expected<int> run();

private:
  pipeline::System &system;
  const DoctorArguments &arguments;
  process::DiskTree disk;
  LibraryInventory inventory;
  EnvironmentSnapshot snapshot;
  std::vector<ExaminedFile> subjects;
  /// Words that do not name a file that can be loaded.
  std::vector<Diagnosis> problems;

  bool exists(llvm::StringRef word) const { return system.files.stat(word).exists(); }
  std::string shown(llvm::StringRef path) const;
  std::string firstFile() const;
  llvm::Error checkBefore() const;
  void findDeclaration();
  void findSubjects();
  std::string installingForPython(llvm::StringRef other);
  Finding noModule(const std::string &word, const probe::FoundModule &found);
  void readFiles(const std::vector<std::string> &files, llvm::StringRef module, bool isNamed);
  void leaveOtherMachines(const std::string &word, size_t from);
  void addProblem(std::string name, Finding finding);
  void addDisputes(Diagnosis &diagnosis) const;
  void diagnose();
  llvm::Error writePage() const;
  int exit() const;
};

} // namespace

/// Relative to the working directory if the path lies below it.
std::string Doctor::shown(llvm::StringRef path) const {
  llvm::StringRef below = support::pathBelow(path, system.files.workingDirectory());
  return (below.empty() ? path : below).str();
}

std::string Doctor::firstFile() const {
  for (const std::string &word : arguments.words)
    if (exists(word))
      return support::normalizePath(support::absolute(word, system.files), system.files);
  return {};
}

llvm::Error Doctor::checkBefore() const {
  for (const std::string &name : arguments.before)
    if (filesOf(system, snapshot, name).empty())
      return makeError(
          Code::NoModule, fmt::format("--before {}: no file of it was found", name),
          {{"environment", snapshot.report.prefix.empty() ? "none" : snapshot.report.prefix}},
          {"name the environment: --env PATH", "name the file: --before path/to/ext.so"});
  return llvm::Error::success();
}

/// `doctor` needs no declaration, but reports one that builds in this directory ignore.
void Doctor::findDeclaration() {
  config::SearchNotes notes;
  auto declaration = config::readDeclaration(arguments.own, system.environment, system.files,
                                             nullptr, system.uid, "", &notes);
  if (!declaration)
    if (Finding finding = toFinding(declaration.takeError());
        finding.code == Code::UntrustedDeclaration) {
      finding.severity = Severity::Warning;
      snapshot.report.problems.push_back(std::move(finding));
    }
  llvm::append_range(snapshot.report.problems, notes.findings());
}

void Doctor::addProblem(std::string name, Finding finding) {
  Diagnosis &diagnosis = problems.emplace_back();
  diagnosis.judgement.path = std::move(name);
  diagnosis.judgement.verdict.add(std::move(finding));
}

void Doctor::readFiles(const std::vector<std::string> &files, llvm::StringRef module,
                       bool isNamed) {
  Inputs inputs = findInputs(system, files, std::nullopt);
  for (auto &[name, finding] : inputs.problems)
    addProblem(name, finding);
  binary::ReadOptions options;
  options.device = true;
  std::vector<ReadFile> read = readInputs(system, inputs, options);
  for (size_t i = 0; i != read.size(); ++i) {
    const Input &input = inputs.files[i];
    if (read[i].state == ReadFile::State::Failed) {
      addProblem(input.name, read[i].problem);
      continue;
    }
    BinaryFacts &facts = read[i].facts;
    bool isLoaded = facts.kind == BinaryKind::SharedObject || facts.kind == BinaryKind::Executable;
    if (read[i].state != ReadFile::State::Read || !isLoaded || input.member) {
      if (input.named && !input.member)
        addProblem(input.name,
                   toFinding(makeError(Code::Usage, "doctor takes files that are loaded", {},
                                       {"cuda-cc check " + support::shellWord(input.name)})));
      continue;
    }
    ExaminedFile subject;
    subject.name = shown(input.name);
    subject.module = module.str();
    subject.isNamed = isNamed;
    subject.path =
        facts.kind == BinaryKind::Executable
            ? input.path
            : support::normalizePath(support::absolute(input.path, system.files), system.files);
    facts.path = subject.path;
    subject.facts = std::move(facts);
    subjects.push_back(std::move(subject));
  }
  if (!inputs.wheels.empty())
    addProblem(files.front(),
               toFinding(makeError(Code::Usage, "a wheel is not installed yet", {},
                                   {"cuda-cc check " + support::shellWord(files.front())})));
}

void Doctor::findSubjects() {
  for (const std::string &word : arguments.words) {
    if (exists(word) || !probe::isModuleName(word)) {
      readFiles({word}, "", system.files.stat(word).kind != FileStatus::Kind::Directory);
      continue;
    }
    std::vector<std::string> path = snapshot.modulePath(), files;
    probe::FoundModule found = probe::findModule(path, word, snapshot.pythonName, system.files);
    if (!found.path.empty())
      files = {found.path};
    else
      files = probe::binariesIn(path, word, snapshot.pythonName, system.files);
    if (files.empty())
      addProblem(word, noModule(word, found));
    bool isOne = files.size() == 1;
    size_t before = subjects.size();
    for (const std::string &file : files)
      readFiles({file}, isOne ? word : "", isOne);
    leaveOtherMachines(word, before);
  }
}

/// Of a package with files for several machines only those for this one are loaded here.
void Doctor::leaveOtherMachines(const std::string &word, size_t from) {
  uint16_t machine = snapshot.environment.machine;
  if (!machine)
    machine = ownMachine().elf;
  auto isOther = [&](const ExaminedFile &subject) { return subject.facts.machine != machine; };
  auto first = subjects.begin() + from;
  size_t others = std::count_if(first, subjects.end(), isOther);
  if (others == 0 || others == size_t(subjects.end() - first))
    return;
  Finding finding =
      makeFinding(Code::NotJudged, fmt::format("{} of {}: for other machines", others, word));
  for (const ExaminedFile &subject : llvm::make_range(first, subjects.end()))
    if (isOther(subject))
      finding.addFact(describeMachine(subject.facts.machine), subject.name);
  snapshot.report.problems.push_back(std::move(finding));
  subjects.erase(std::remove_if(first, subjects.end(), isOther), subjects.end());
}

/// The command that installs the package of a file for another Python again, which takes the build
/// for this one.
std::string Doctor::installingForPython(llvm::StringRef other) {
  auto recorded = disk.records().findIn(snapshot.environment.sitePackages, other);
  if (!recorded || snapshot.pip.empty())
    return "install the package with the Python that imports it";
  return fmt::format("{} --force-reinstall --no-deps {}", snapshot.pip,
                     support::shellWord(recorded->package()));
}

/// Python's own search ends at the first package of the name, even if that lacks the module.
Finding Doctor::noModule(const std::string &word, const probe::FoundModule &found) {
  Finding finding =
      makeFinding(Code::NoModule, fmt::format("no file of the module {} was found", word));
  bool isBefore = llvm::any_of(snapshot.pythonPath, [&](llvm::StringRef folder) {
    return !found.package.empty() && support::isBelow(found.package, folder);
  });
  const std::vector<std::string> &sites = snapshot.environment.sitePackages;
  // In front of an installed one that has files.
  bool hides =
      isBefore && !probe::binariesIn(sites, word, snapshot.pythonName, system.files).empty();
  if (!found.code.empty() && found.others.empty() && !hides) {
    finding.message = fmt::format("{} is Python code alone: the loader opens no file of it", word);
    finding.addFact("taken", found.code);
    finding.addFix("name a module of what it imports, or a file: cuda-cc doctor path/to/ext.so");
    return finding;
  }
  for (const std::string &other : found.others)
    finding.facts.push_back(
        {"only", fmt::format("{}, for Python {}", other,
                             pythonOfModule(support::nameOf(other)).value_or("?"))});
  if (!found.others.empty() && !snapshot.pythonName.empty())
    finding.facts.push_back(
        {"python", fmt::format("{} is {}", snapshot.report.python, snapshot.pythonName)});
  if (!found.code.empty())
    finding.facts.push_back({"taken", found.code});
  else if (!found.package.empty())
    finding.facts.push_back({"taken", found.package});
  for (const std::string &folder : snapshot.modulePath())
    finding.facts.push_back({"searched", folder});
  if (!found.others.empty())
    finding.fixes.push_back(installingForPython(found.others.front()));
  if (isBefore)
    finding.fixes.push_back(fmt::format(
        "import it elsewhere: {} comes before site-packages (working directory or PYTHONPATH)",
        found.package));
  finding.fixes.push_back("name its file: cuda-cc doctor path/to/ext.so");
  finding.fixes.push_back("name its environment: --env PATH");
  return finding;
}

/// Adds what disputes a library that the file loaded, or that an error is about: wheels that
/// overwrite each other. Of a damaged file of one wheel its own finding says all.
void Doctor::addDisputes(Diagnosis &diagnosis) const {
  std::vector<Finding> &findings = diagnosis.judgement.verdict.findings;
  for (Finding problem : snapshot.report.problems) {
    bool isOfError = llvm::any_of(findings, [&](const Finding &each) {
      return each.severity == Severity::Error && isAbout(problem, each.library);
    });
    bool isLoaded = llvm::any_of(
        diagnosis.loaded, [&](const LoadedCopy &copy) { return isAbout(problem, copy.path); });
    if (!isDispute(problem) || (!isOfError && !isLoaded))
      continue;
    // The simulated process has shown what the file itself does.
    problem.severity = std::min(problem.severity, Severity::Warning);
    problem.fixes.clear();
    findings.push_back(std::move(problem));
  }
}

void Doctor::diagnose() {
  Simulator simulator(system, disk, inventory, snapshot);
  for (const ExaminedFile &subject : subjects) {
    Diagnosis &diagnosis = snapshot.report.files.emplace_back(
        simulator.diagnose(subject, beforeFor(system, snapshot, subject)));
    addDisputes(diagnosis);
  }
  llvm::append_range(snapshot.report.files, problems);
  for (Diagnosis &each : snapshot.report.files) {
    each.judgement.runtime =
        snapshot.report.prefix.empty() ? "this machine" : "env:" + shown(snapshot.report.prefix);
    each.judgement.line = snapshot.report.line;
  }
}

int Doctor::exit() const {
  // Findings about the environment count if no file was named, or if they left the files without a
  // CUDA line.
  Exit worst = Exit::Ok;
  if (snapshot.report.files.empty() || !snapshot.report.line.known()) {
    if (Verdict{snapshot.report.problems}.exit() != Exit::Ok)
      worst = Exit::Undetermined;
  }
  for (const Diagnosis &each : snapshot.report.files) {
    for (const Finding &finding : each.judgement.verdict.findings)
      if (finding.code == Code::Usage)
        return int(Exit::Usage);
    Exit exit = each.judgement.verdict.exit(arguments.strict);
    if (exit == Exit::Rejected)
      return int(exit);
    worst = std::max(worst, exit);
  }
  return int(worst);
}

llvm::Error Doctor::writePage() const {
  std::vector<Judgement> judgements = judgementsOf(snapshot.report);
  report::HtmlReport page;
  page.version = cudacc::version;
  page.judgements = judgements;
  page.title = environmentTitle(snapshot.report);
  page.torch = snapshot.report.torch;
  auto environment = [&](report::HtmlWriter &html) { environmentHtml(html, snapshot.report); };
  page.environment = environment;
  page.files = report::filesInFull(judgements);
  for (report::HtmlFile &file : page.files) {
    const Diagnosis &diagnosis = snapshot.report.files[file.shown];
    file.process = processOf(diagnosis);
    // Files that could not be read come after the others.
    if (file.shown >= subjects.size())
      continue;
    file.facts = &subjects[file.shown].facts;
    file.load = diagnosis.load;
  }
  return commands::writePage(system, *arguments.report, page);
}

llvm::Expected<int> Doctor::run() {
  if (llvm::Error error = findSnapshot(system, arguments.environment, arguments.asHere, firstFile(),
                                       disk, inventory)
                              .moveInto(snapshot))
    return error;
  if (llvm::Error error = checkBefore())
    return error;
  snapshot.report.before = arguments.before;
  findDeclaration();
  findSubjects();
  diagnose();
  if (arguments.words.empty() || arguments.json || arguments.report)
    snapshot.report.toolkits = nearbyToolkits(system);
  snapshot.report.copies = inventory.all().vec();
  system.console.out(arguments.json ? report::print(doctorJson(snapshot.report))
                                    : doctorText(snapshot.report, pipeline::outStyle(system)));
  if (arguments.report)
    if (llvm::Error error = writePage())
      return error;
  return exit();
}

static llvm::Expected<int> doctor(pipeline::System &system, const DoctorArguments &arguments) {
  return Doctor(system, arguments).run();
}

static constexpr Option<DoctorArguments> doctorOptions[] = {
    {"--format", &DoctorArguments::format, "text json"},
    {"--strict", &DoctorArguments::strict},
    {"--env", &DoctorArguments::environment, "DIR"},
    {"--before", &DoctorArguments::before},
    {"--as-here", &DoctorArguments::asHere},
    {"--report", &DoctorArguments::report, "HTML"},
};

constexpr SubcommandBody doctorSubcommand = bodyOf<doctorOptions, doctor>();

} // namespace cudacc::commands
