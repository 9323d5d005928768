// SPDX-License-Identifier: Apache-2.0
#include "driver/pipeline/Reporter.h"
#include "driver/pipeline/Colours.h"
#include "driver/policy/advice/Installer.h"
#include "driver/probe/python/Pip.h"
#include "driver/report/json/Json.h"
#include "driver/report/text/Text.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::pipeline {

using namespace core;

int Reporter::print(llvm::json::Value value) {
  system.console.out(report::print(value));
  return 0;
}

void Reporter::printDiagnostics(llvm::ArrayRef<Finding> findings) {
  if (findings.empty())
    return;
  report::Style style = errStyle(system);
  std::vector<Finding> named = findings.vec();
  if (!target.sitePackages.empty() && policy::namesInstaller(named))
    policy::nameInstaller(probe::pipInstallBeside(target.sitePackages.front(), system.files),
                          named);
  std::vector<Finding> fresh;
  for (const Finding &finding : named)
    if (printed.insert(report::text({finding}, report::Style())).second)
      fresh.push_back(finding);
  if (!fresh.empty())
    system.console.err(report::text(fresh, style));
}

void Reporter::printNoStore(llvm::StringRef without, std::vector<Fact> refused) {
  Finding finding = makeFinding(Code::NoStore, "no usable place for cuda-cc's own files");
  finding.facts.push_back({"so", fmt::format("this link gets {}; it is still checked", without)});
  llvm::append_range(finding.facts, std::move(refused));
  finding.fixes.push_back("set HOME, XDG_DATA_HOME or TMPDIR to a writable place");
  printDiagnostics(finding);
}

int Reporter::failWith(const Finding &finding) {
  printDiagnostics(withDisable({finding}));
  Verdict verdict{{finding}};
  log("stopped", &verdict);
  return int(exitOf(finding, call.declaration.strict.value));
}

llvm::Error failedSearch(const std::string &failure) {
  return failure.empty() ? llvm::Error::success()
                         : makeError(Code::UnreadableFile, fmt::format("cannot read {}", failure));
}

int failWith(System &system, llvm::Error error) {
  Call none;
  Target undeclared;
  return Reporter(system, none, undeclared).failWith(std::move(error));
}

int Reporter::reject(const Verdict &verdict) {
  printDiagnostics(withDisable(verdict.findings));
  log("rejected", &verdict);
  return int(verdict.exit(call.declaration.strict.value));
}

/// For a rejected call with CUDA_CC_DISABLE set: adds why it was ignored, and what to do instead.
std::vector<Finding> Reporter::withDisable(std::vector<Finding> findings) const {
  if (!system.environment.isOn("CUDA_CC_DISABLE") || isDisabled(system, call))
    return findings;
  auto error = llvm::find_if(
      findings, [](const Finding &finding) { return finding.severity == Severity::Error; });
  if (error == findings.end())
    return findings;
  const Declaration &declaration = call.declaration;
  std::string by = declaration.require.value                    ? declaration.require.origin.str()
                   : !call.invocation.own[Key::Require].empty() ? info(Key::Require).optionName()
                                                                : info(Key::Require).variable.str();
  error->facts.push_back({"CUDA_CC_DISABLE", "ignored: a runtime is required by " + by});
  if (declaration.declared())
    error->fixes.push_back("CUDA_CC_ENFORCE=off, instead of CUDA_CC_DISABLE: the manifest says so");
  else
    error->fixes.push_back("unset what requires a runtime: " + by);
  return findings;
}

void Reporter::log(llvm::StringRef what, const Verdict *verdict, llvm::json::Object more) {
  llvm::StringRef path = system.environment.getOr("CUDA_CC_LOG");
  if (path.empty())
    return;
  llvm::json::Object entry{{"schema", 1},
                           {"did", what},
                           {"role", str(call.invocation.role)},
                           {"kind", str(call.invocation.kind)},
                           {"compiler", llvm::json::fixUTF8(call.compiler.compiler)},
                           {"enforce", str(call.declaration.enforce.value)}};
  if (target.declared) {
    entry["runtime"] = llvm::json::fixUTF8(target.describe());
    entry["line"] = target.line.str();
  }
  if (call.invocation.output)
    entry["output"] = llvm::json::fixUTF8(*call.invocation.output);
  if (!call.searched.passedBy.empty()) {
    llvm::json::Array &paths = *(entry["passedBy"] = llvm::json::Array()).getAsArray();
    for (const std::string &passed : call.searched.passedBy)
      paths.push_back(llvm::json::fixUTF8(passed));
  }
  llvm::json::Array codes;
  if (verdict)
    for (const Finding &finding : verdict->findings)
      codes.push_back(
          fmt::format("{}: {}", str(finding.code), llvm::json::fixUTF8(finding.message)));
  entry["findings"] = std::move(codes);
  for (auto &[key, value] : more)
    entry[key] = std::move(value);
  // A log must never change a build.
  llvm::consumeError(system.files.append(path, report::print(std::move(entry), /*compact=*/true)));
}

} // namespace cudacc::pipeline
