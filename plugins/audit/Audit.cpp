// SPDX-License-Identifier: Apache-2.0
#include "plugins/audit/Audit.h"
#include "driver/support/Paths.h"
#include "driver/tables/lookup/Libraries.h"
#include "plugins/audit/Findings.h"
#include "llvm/ADT/StringSet.h"

namespace cudacc::audit {

using namespace core;
using llvm::StringRef;

bool isNvidia(StringRef linkWord) {
  if (linkWord.consume_front("-l"))
    return linkWord.consume_front(":") ? tables::libraryByFileName(linkWord).has_value()
                                       : tables::libraryByLinkName(linkWord).has_value();
  return !linkWord.starts_with("-") &&
         tables::libraryByFileName(support::nameOf(linkWord)).has_value();
}

size_t Findings::add(Code code, const BuildTarget *target, StringRef step, std::string message,
                     FixKind remedy, std::vector<Fact> facts) {
  StringRef name = target ? StringRef(target->name) : StringRef();
  if (target) {
    auto [there, isNew] = known.try_emplace({code, name}, report.findings.size());
    if (!isNew)
      return there->second;
  }
  AuditFinding &row = report.findings.emplace_back();
  row.finding.code = code;
  row.finding.severity = severityOf(code);
  row.finding.message = std::move(message);
  row.finding.facts = std::move(facts);
  row.finding.fixes = around.fixes(remedy, directory);
  row.target = name.str();
  row.step = step.str();
  if (target && !target->place.file.empty()) {
    row.file = around.shown(target->place.file);
    row.line = target->place.line;
  }
  return report.findings.size() - 1;
}

namespace {

/// Determines which targets contain CUDA: by their sources, by what their links read, and by the
/// archives of other targets among those inputs.
class CudaUse {
public:
  explicit CudaUse(const BuildModel &model) : model(model), uses(model.targets.size()) {}

  std::vector<bool> find() {
    for (const BuildCommand &command : model.commands)
      if (command.kind != BuildCommand::Kind::Link && command.isCuda)
        files.insert(command.output);
    for (size_t i = 0; i != model.targets.size(); ++i)
      if (bySources(model.targets[i]))
        mark(i);
    for (size_t i = 0; i != model.targets.size(); ++i)
      if (!uses[i] && byWords(model.targets[i].linkWords))
        mark(i);
    for (const BuildCommand &command : model.commands)
      if (command.target && command.kind == BuildCommand::Kind::Link && byWords(command.inputs))
        mark(*command.target);
    for (const BuildCommand &command : model.commands)
      if (command.target && command.isCuda && !command.isOwn)
        mark(*command.target);
    return std::move(uses);
  }

private:
  const BuildModel &model;
  std::vector<bool> uses;
  /// Objects of CUDA sources, and archives of targets that contain CUDA.
  llvm::StringSet<> files;

  static bool bySources(const BuildTarget &target) {
    return target.language == "CUDA" ||
           llvm::any_of(target.groups, [](const auto &group) { return group.language == "CUDA"; });
  }
  bool byWords(llvm::ArrayRef<std::string> words) const {
    return llvm::any_of(words,
                        [&](StringRef word) { return isNvidia(word) || files.contains(word); });
  }
  /// A shared library of the project stays a file of its own; an archive becomes part of what links
  /// it.
  void mark(size_t index) {
    uses[index] = true;
    const BuildTarget &target = model.targets[index];
    if (target.type == TargetType::Static || target.type == TargetType::Objects)
      for (const std::string &artefact : target.artefacts)
        files.insert(artefact);
  }
};

} // namespace

std::vector<std::string> artefactsOf(const BuildModel &model) {
  std::vector<std::string> out;
  llvm::StringSet<> seen;
  for (const BuildTarget &target : model.targets)
    if (target.isLinked())
      for (const std::string &path : target.artefacts)
        if (seen.insert(path).second)
          out.push_back(path);
  return out;
}

/// The CUDA compiler if it belongs to a toolchain directory, else any program that does; null if
/// none does.
static const ProgramFacts *directoryProgram(const BuildModel &model, const AuditContext &around) {
  if (const Toolchain *cuda = model.toolchain("CUDA"))
    if (const ProgramFacts &found = around.program(cuda->compiler); !found.directory.empty())
      return &found;
  for (const BuildCommand &command : model.commands)
    for (const std::string &program : command.programs)
      if (const ProgramFacts &found = around.program(program); !found.directory.empty())
        return &found;
  return nullptr;
}

AuditReport audit(const BuildModel &model, const AuditContext &around) {
  AuditReport report;
  report.build = model.build;
  report.system = model.system;
  Findings out(model, around, report);
  if (const ProgramFacts *program = directoryProgram(model, around)) {
    out.directory = program->directory;
    report.runtime = program->runtime;
  }
  if (report.runtime.empty())
    report.runtime = around.runtime.str();
  auditTree(out);
  std::vector<AuditedTarget> subjects(model.targets.size());
  std::vector<bool> uses = CudaUse(model).find();
  // A target with several configurations counts once.
  llvm::StringSet<> all, cuda;
  for (size_t i = 0; i != subjects.size(); ++i) {
    subjects[i].target = &model.targets[i];
    subjects[i].isCuda = uses[i];
    all.insert(model.targets[i].name);
    if (uses[i])
      cuda.insert(model.targets[i].name);
  }
  report.targets = all.size();
  report.cudaTargets = cuda.size();
  auditCommands(out, subjects);
  auditArtefacts(out, subjects, report);
  return report;
}

} // namespace cudacc::audit
