// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/rules/JudgeManifest.h"
#include "driver/support/Paths.h"
#include "driver/tables/lookup/Libraries.h"
#include "driver/tables/lookup/Symbols.h"
#include "driver/tables/lookup/Toolkits.h"
#include "driver/versions/Format.h"
#include "plugins/audit/Findings.h"
#include "llvm/ADT/StringMap.h"

namespace cudacc::audit {

using namespace core;
using llvm::StringRef;

/// Searches all known CUDA majors, since the file does not say for which it was compiled.
static bool isCudartName(StringRef symbol) {
  if (!symbol.starts_with("cuda") && !symbol.starts_with("__cuda"))
    return false;
  for (unsigned major : tables::toolkitMajors())
    for (StringRef soname : tables::sonamesOf("cudart", major))
      if (auto table = tables::SymbolTable::find(soname, major); table && table->anyExports(symbol))
        return true;
  return false;
}

/// Linkers accept undefined symbols in a shared library without a warning.
static void auditCudart(Findings &out, const BuildTarget &target, const BinaryFacts &facts) {
  bool hasCudart = facts.staticCudart || llvm::any_of(facts.needed, [](StringRef soname) {
                     return soname.starts_with("libcudart.so");
                   });
  if (hasCudart)
    return;
  constexpr size_t most = 4;
  std::vector<std::string> missing;
  for (const Import &import : facts.imports)
    if (!import.weak && import.file.empty() && isCudartName(import.symbol))
      missing.push_back(import.symbol);
  if (missing.empty())
    return;
  std::string more =
      missing.size() > most ? fmt::format(" and {} more", missing.size() - most) : "";
  missing.resize(std::min(missing.size(), most));
  out.add(Code::CudartUndefined, &target, "artefact",
          fmt::format("{} lacks the CUDA runtime", support::nameOf(facts.path)),
          FixKind::LinkCudart, {{"undefined", llvm::join(missing, ", ") + more}});
}

namespace {

/// The rules about files that were built.
class Artefacts {
public:
  Artefacts(Findings &out, AuditReport &report) : out(out), report(report) {
    for (const BuildCommand &command : out.model.commands)
      if (command.kind == BuildCommand::Kind::Link && command.target && !command.isOwn)
        links.emplace(*command.target, &command);
    for (const PathEdit &edit : out.model.edits)
      edits[edit.artefact].push_back(&edit);
  }

  /// Returns whether the file exists.
  bool audit(size_t index, AuditedTarget &subject, StringRef path);

private:
  Findings &out;
  AuditReport &report;
  /// The link of each target, by the target's index.
  std::map<size_t, const BuildCommand *> links;
  llvm::StringMap<std::vector<const PathEdit *>> edits;

  std::string expected(size_t index) const;
  void auditMark(size_t index, AuditedTarget &subject, const BinaryFacts &facts);
};

} // namespace

/// The runtime declared for the link of this target.
std::string Artefacts::expected(size_t index) const {
  auto link = links.find(index);
  if (link != links.end()) {
    if (!link->second->declared.empty())
      return out.around.portable(link->second->declared);
    for (const std::string &program : link->second->programs)
      if (const ProgramFacts &facts = out.around.program(program); !facts.directory.empty())
        return facts.runtime;
  }
  return report.runtime;
}

void Artefacts::auditMark(size_t index, AuditedTarget &subject, const BinaryFacts &facts) {
  std::string cuda = policy::cudaIn(facts), shown = out.around.shown(facts.path);
  const std::vector<LinkRecord> &links = facts.manifest.links;
  if (links.empty() && !cuda.empty()) {
    // One finding per cause: the link that bypasses cuda-cc explains the missing manifest.
    if (subject.bypassingLink)
      return void(out.at(*subject.bypassingLink)
                      .facts.push_back(
                          {"artefact", fmt::format("{} {}, and has no manifest", shown, cuda)}));
    out.add(Code::ArtefactUnmarked, subject.target, "artefact",
            fmt::format("{} has no manifest", support::nameOf(facts.path)), FixKind::Relink,
            {{"artefact", fmt::format("{} {}", shown, cuda)}});
    return;
  }
  std::string declared = expected(index);
  for (const LinkRecord &link : links) {
    if (declared.empty() || link.targetSpec == declared || cuda.empty())
      continue;
    out.add(Code::ArtefactOther, subject.target, "artefact",
            fmt::format("{} was made for {}", support::nameOf(facts.path),
                        link.targetSpec.empty() ? "no target" : link.targetSpec),
            FixKind::Relink, {{"artefact", shown}, {"declared", declared}});
    return;
  }
}

bool Artefacts::audit(size_t index, AuditedTarget &subject, StringRef path) {
  const Artefact *artefact = out.around.artefact(path);
  if (!artefact)
    return false;
  if (artefact->problem) {
    out.add(artefact->problem->code, subject.target, "artefact", artefact->problem->message,
            FixKind::Build, artefact->problem->facts);
    return true;
  }
  ++report.artefacts;
  auditMark(index, subject, artefact->facts);
  auditCudart(out, *subject.target, artefact->facts);
  auditInstallation(out, *subject.target, artefact->facts, edits.lookup(path));
  return true;
}

void auditArtefacts(Findings &out, std::vector<AuditedTarget> &subjects, AuditReport &report) {
  Artefacts artefacts(out, report);
  // One built configuration is enough: nobody builds all of them.
  std::map<StringRef, std::pair<const BuildTarget *, bool>> unbuilt;
  for (size_t i = 0; i != subjects.size(); ++i) {
    AuditedTarget &subject = subjects[i];
    if (!subject.target->isLinked())
      continue;
    for (const std::string &path : subject.target->artefacts) {
      bool isThere = artefacts.audit(i, subject, path);
      if (!subject.isCuda)
        continue;
      auto &row = unbuilt.try_emplace(subject.target->name, subject.target, false).first->second;
      row.second |= isThere;
    }
  }
  for (const auto &[name, row] : unbuilt)
    if (const auto &[target, isThere] = row; !isThere)
      out.add(Code::NotBuilt, target, "artefact",
              fmt::format("{} is not built", support::nameOf(target->artefacts.front())),
              FixKind::Build);
}

} // namespace cudacc::audit
