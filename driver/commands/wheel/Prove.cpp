// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/Subcommands.h"
#include "driver/commands/WorkFolder.h"
#include "driver/commands/check/JudgedRows.h"
#include "driver/commands/inputs/WheelPackage.h"
#include "driver/commands/wheel/Installer.h"
#include "driver/commands/wheel/Proof.h"
#include "driver/commands/wheel/ReadWheel.h"
#include "driver/commands/wheel/WheelArguments.h"
#include "driver/pipeline/AddedFacts.h"
#include "driver/policy/wheel/Pins.h"
#include "driver/report/json/Json.h"
#include "driver/support/Paths.h"
#include "driver/support/Text.h"
#include "driver/tables/lookup/Libraries.h"
#include "driver/versions/Format.h"
#include "driver/versions/WheelName.h"
#include <map>

namespace cudacc::commands {

using namespace core;
using llvm::StringRef;

namespace {

/// The proofs of one wheel.
class Prove {
public:
  Prove(pipeline::System &system, const WheelArguments &arguments, const std::string &path)
      : system(system), arguments(arguments), path(path) {}
  llvm::Expected<int> run();

private:
  pipeline::System &system;
  const WheelArguments &arguments;
  const std::string &path;
  Declaration declaration;
  std::optional<tables::UserTables> tables;
  /// Those, or null.
  const tables::UserTables *more = nullptr;
  std::unique_ptr<ReadWheel> opened;
  std::vector<Proof> proofs;

  const OpenedWheel &wheel() const { return opened->wheel(); }
  llvm::Error read();
  std::string python() const;
  /// What is proved, each by itself: the extras that were named, else those that bring CUDA, and
  /// the wheel without extras, as the empty text, unless only its extras do.
  llvm::Expected<std::vector<std::string>> extras() const;
  llvm::Expected<std::vector<std::string>> lowered(const Installer &installer,
                                                   StringRef extra) const;
  llvm::Error proveWith(const Installer &installer, StringRef extra);
  llvm::Error prove(const Installer &installer, StringRef resolution, StringRef extra,
                    std::vector<std::string> lowered);
  llvm::Error judge(const std::string &folder, Proof &proof);
  void import(const Installer &installer, const std::string &folder, Proof &proof);
};

} // namespace

llvm::Error Prove::read() {
  if (llvm::Error error = readDeclaration(system, arguments).moveInto(declaration))
    return error;
  if (llvm::Error error = pipeline::readUserTables(system, declaration).moveInto(tables))
    return error;
  more = tables ? &*tables : nullptr;
  // The environments are the runtimes, whatever is declared.
  declaration.runtime.clear();
  if (llvm::Error error = openWheel(system, path).moveInto(opened))
    return error;
  if (!opened->inputs.problems.empty())
    return makeError(opened->inputs.problems.front().second);
  // Not every installer compares them.
  return verifySizes(*opened);
}

/// The Python that the wheel's tags ask for: `3.11` for cp311-cp311, `3.13t` for cp313-cp313t.
/// Empty if any will do.
std::string Prove::python() const {
  if (arguments.python)
    return *arguments.python;
  auto name = versions::WheelName::parse(support::nameOf(path));
  if (!name)
    return {};
  StringRef tag = name->python;
  if (!tag.consume_front("cp3") || tag.empty() || !name->abi.starts_with("cp3"))
    return {};
  return fmt::format("3.{}{}", tag, name->abi.ends_with("t") ? "t" : "");
}

/// Removes \p site, a folder of this call, in front of paths.
static void strip(std::string &text, const std::string &site) {
  for (size_t at = text.find(site); at != text.npos; at = text.find(site, at))
    text.erase(at, site.size());
}

/// Fixes change an environment, and this one is gone afterwards.
static void withoutFolder(Judgement &judgement, llvm::ArrayRef<std::string> sites) {
  for (const std::string &each : sites) {
    std::string site = each + "/";
    strip(judgement.path, site);
    for (Finding &finding : judgement.verdict.findings) {
      finding.fixes.clear();
      strip(finding.message, site);
      strip(finding.origin, site);
      for (Fact &fact : finding.facts)
        strip(fact.text, site);
    }
  }
}

llvm::Error Prove::judge(const std::string &folder, Proof &proof) {
  WheelArguments there = arguments;
  there.runtime = {fmt::format("env:{}", folder)};
  auto runtimes = runtimesOf(system, there, declaration);
  if (!runtimes)
    return runtimes.takeError();
  Runtime &runtime = runtimes->front();
  runtime.name = proof.name();
  if (runtime.problem)
    return makeError(*runtime.problem);
  std::map<std::string, std::string> installed;
  for (const TargetLibrary &library : runtime.target.libraries)
    if (!library.dist.empty() && !library.version.release.empty())
      installed[library.dist] = library.version.str();
  if (!runtime.target.torch.empty())
    installed["torch"] = runtime.target.torch;
  proof.installed.assign(installed.begin(), installed.end());
  std::vector<std::string> paths;
  for (const Input &input : opened->inputs.files)
    for (const std::string &place : input.places)
      for (const std::string &site : runtime.target.sitePackages)
        if (std::string file = support::joinPath(site, place); system.files.stat(file).exists())
          paths.push_back(std::move(file));
  Inputs inputs = findInputs(system, paths, std::nullopt);
  // Only what is compiled is judged, as in a wheel.
  for (Input &input : inputs.files)
    input.named = false;
  binary::ReadOptions options;
  options.device = true;
  std::vector<ReadFile> files = readInputs(system, inputs, options);
  JudgedRows rows(
      system, there, declaration, inputs, files, options,
      [&](const Input &) { return llvm::ArrayRef<Runtime>(*runtimes); }, /*wantsFixes=*/false);
  rows.judge(/*shortened=*/false);
  proof.judgements = std::move(rows.judgements);
  for (Judgement &judgement : proof.judgements)
    withoutFolder(judgement, runtime.target.sitePackages);
  return llvm::Error::success();
}

/// The last line of a traceback says why.
static std::string reasonOf(StringRef text) {
  llvm::SmallVector<StringRef, 32> lines;
  text.split(lines, '\n', -1, /*KeepEmpty=*/false);
  return lines.empty() ? "" : lines.back().trim().str();
}

void Prove::import(const Installer &installer, const std::string &folder, Proof &proof) {
  for (const std::string &module : arguments.imports) {
    std::string code;
    for (const std::string &first : arguments.before)
      code += fmt::format("import {}\n", first);
    code += fmt::format("import {}\n", module);
    auto answer = installer.run(folder, std::move(code));
    bool works = answer && answer->ended.ok();
    proof.imports.push_back({module, works});
    if (works)
      continue;
    Finding finding =
        answer ? makeFinding(Code::ImportFailed, fmt::format("{} cannot be imported", module))
               : toFinding(answer.takeError());
    finding.addFact("resolution", proof.name());
    if (answer && answer->ended.signal)
      finding.addFact("signal", fmt::format("{}", answer->ended.signal));
    if (answer)
      finding.addFact("Python says", reasonOf(answer->err));
    proof.findings.push_back(std::move(finding));
  }
}

/// Names between commas, normalised.
static std::vector<std::string> namesIn(StringRef extra) {
  std::vector<std::string> names;
  for (StringRef name : llvm::split(extra, ','))
    if (!name.trim().empty())
      names.push_back(versions::Requirement::normalise(name.trim()));
  return names;
}

/// As an installer takes it: an extra's marker is false outside of the wheel that has the extra.
static std::string withoutMarker(const versions::Requirement &requirement) {
  return StringRef(requirement.text).split(';').first.rtrim().str();
}

llvm::Expected<std::vector<std::string>> Prove::lowered(const Installer &installer,
                                                        StringRef extra) const {
  std::vector<versions::Requirement> declared = readMetadata(wheel(), namesIn(extra)).requirements;
  std::vector<std::string> texts;
  if (installer.findsLowest()) {
    for (const versions::Requirement &each : policy::cudaRequirements(declared, more))
      texts.push_back(withoutMarker(each));
    return texts;
  }
  policy::LowestPins lowest = policy::lowestPins(declared, more);
  if (!lowest.findings.empty())
    return makeError(lowest.findings.front());
  for (const policy::ExactPin &pin : lowest.pins)
    texts.push_back(pin.text());
  return texts;
}

llvm::Expected<std::vector<std::string>> Prove::extras() const {
  const std::vector<std::string> &known = wheel().metadata.extras;
  std::vector<std::string> chosen;
  for (StringRef extra : arguments.extras) {
    std::vector<std::string> names = namesIn(extra);
    for (const std::string &name : names)
      if (!llvm::is_contained(known, name))
        return makeError(Code::Usage,
                         fmt::format("the wheel has no extra {}", support::quoted(name)),
                         {{"extras", known.empty() ? "none" : llvm::join(known, ", ")}});
    if (!names.empty())
      chosen.push_back(llvm::join(names, ","));
  }
  if (!chosen.empty())
    return chosen;
  size_t base = policy::cudaRequirements(wheel().metadata.requirements, more).size();
  for (const std::string &extra : known)
    if (policy::cudaRequirements(readMetadata(wheel(), extra).requirements, more).size() > base)
      chosen.push_back(extra);
  // Without its extras, a wheel that leaves all of CUDA to them loads nowhere.
  if (base != 0 || chosen.empty())
    chosen.insert(chosen.begin(), "");
  return chosen;
}

llvm::Error Prove::prove(const Installer &installer, StringRef resolution, StringRef extra,
                         std::vector<std::string> lowered) {
  // One environment at a time: with torch it has several gigabytes.
  auto work = WorkFolder::makeTemporary(system);
  if (!work)
    return work.takeError();
  Proof &proof = proofs.emplace_back();
  proof.resolution = resolution.str();
  proof.extra = extra.str();
  proof.lowered = std::move(lowered);
  std::string folder = support::joinPath((*work)->path(), resolution);
  if (system.progress)
    system.progress->goOn(fmt::format("{}, {} versions", installer.name(), proof.name()));
  std::string file = support::absolute(path, system.files);
  if (!extra.empty())
    file += fmt::format("[{}]", extra);
  llvm::Error error = installer.install(folder, file, proof.lowered);
  if (!error)
    error = judge(folder, proof);
  if (error) {
    proof.findings.push_back(toFinding(std::move(error)));
    proof.findings.back().addFact("resolution", proof.name());
    return llvm::Error::success();
  }
  import(installer, folder, proof);
  return llvm::Error::success();
}

llvm::Error Prove::proveWith(const Installer &installer, StringRef extra) {
  if (arguments.resolution != "highest") {
    auto texts = lowered(installer, extra);
    if (!texts)
      return texts.takeError();
    if (llvm::Error error = prove(installer, "lowest", extra, std::move(*texts)))
      return error;
  }
  return arguments.resolution == "lowest" ? llvm::Error::success()
                                          : prove(installer, "highest", extra, {});
}

/// `pkg.native`; it becomes a part of Python code.
static bool isModule(StringRef name) {
  return llvm::all_of(llvm::split(name, '.'), [](StringRef part) {
    return !part.empty() && !llvm::isDigit(part.front()) &&
           llvm::all_of(part, [](char c) { return llvm::isAlnum(c) || c == '_'; });
  });
}

llvm::Expected<int> Prove::run() {
  for (const auto *modules : {&arguments.imports, &arguments.before})
    for (const std::string &module : *modules)
      if (!isModule(module))
        return usageError(fmt::format("no name of a module: {}", support::quoted(module)));
  if (llvm::Error error = read())
    return error;
  auto installer = Installer::find(system, python());
  if (!installer)
    return installer.takeError();
  auto chosen = extras();
  if (!chosen)
    return chosen.takeError();
  for (const std::string &extra : *chosen)
    if (llvm::Error error = proveWith(*installer, extra))
      return error;
  if (arguments.json)
    system.console.out(report::print(proofJson(path, proofs)));
  else
    system.console.out(proofText(path, proofs, pipeline::outStyle(system)));
  return int(exitOf(outcomeOf(proofs)));
}

llvm::Expected<int> proveWheel(pipeline::System &system, const WheelArguments &arguments,
                               llvm::ArrayRef<std::string> words) {
  if (words.size() != 1)
    return makeError(
        Code::Usage, "cuda-cc wheel prove takes one wheel", {},
        {"cuda-cc wheel prove wheelhouse/x-1.0-cp311-cp311-manylinux_2_34_x86_64.whl"});
  return Prove(system, arguments, words.front()).run();
}

} // namespace cudacc::commands
