// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/simulation/Disputes.h"
#include "driver/support/Paths.h"
#include "driver/tables/lookup/Libraries.h"
#include "driver/tables/lookup/Symbols.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::commands {

using namespace core;
using namespace versions;
using llvm::StringRef;

bool isDispute(const Finding &problem) {
  auto isClaim = [](const Fact &fact) { return fact.label == "claimed by"; };
  return problem.code == Code::EvidenceConflict && llvm::count_if(problem.facts, isClaim) > 1;
}

bool isAbout(const Finding &dispute, StringRef library) {
  return llvm::any_of(dispute.facts, [&](const Fact &fact) {
    return fact.label == "library" &&
           (fact.text == library || support::nameOf(fact.text) == library);
  });
}

/// Whether what the command installs last, `NAME==VERSION`, lacks the name that the error is about.
static bool lacksName(StringRef command, const Finding &error) {
  auto [dist, text] = command.rsplit(' ').second.split("==");
  auto version = Version::parse(text);
  if (error.symbol.empty() || !version)
    return false;
  for (unsigned major : tables::majorsOf(error.library))
    if (auto table = tables::SymbolTable::find(error.library, major, dist);
        table && tables::distOf(error.library, major) == dist)
      return table->exported(*version, error.symbol) == Exported::No;
  return false;
}

void addCures(llvm::ArrayRef<Finding> problems, llvm::MutableArrayRef<Finding> findings) {
  for (const Finding &problem : problems) {
    auto error = llvm::find_if(findings, [&](const Finding &each) {
      return each.severity == Severity::Error && isAbout(problem, each.library);
    });
    if (error == findings.end() || (!isDispute(problem) && problem.code != Code::Variant))
      continue;
    std::vector<std::string> fixes = problem.fixes;
    llvm::erase_if(fixes, [&](const std::string &each) { return lacksName(each, *error); });
    error->fixes.insert(error->fixes.begin(), fixes.begin(), fixes.end());
  }
}

} // namespace cudacc::commands
