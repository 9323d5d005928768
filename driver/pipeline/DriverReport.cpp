#include "driver/Version.h"
#include "driver/binary/manifest/Note.h"
#include "driver/pipeline/Colours.h"
#include "driver/pipeline/Driver.h"
#include "driver/plan/command/Link.h"
#include "driver/plan/command/Nvcc.h"
#include "driver/plan/toolchain/Toolchain.h"
#include "driver/policy/advice/Overrides.h"
#include "driver/policy/advice/WaysOut.h"
#include "driver/probe/toolkit/Locate.h"
#include "driver/probe/toolkit/TorchTable.h"
#include "driver/report/json/Json.h"
#include "driver/report/text/Text.h"
#include "driver/run/Log.h"
#include "driver/run/Toolchain.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::pipeline {

using namespace core;
using namespace versions;

bool Driver::printed(llvm::StringRef stage, llvm::function_ref<llvm::json::Value()> value) {
  if (printStage != stage)
    return false;
  system.console.out(report::print(value()));
  return true;
}

void Driver::tell(llvm::ArrayRef<Finding> findings) {
  if (findings.empty())
    return;
  report::Style style = errStyle(system);
  // One call says a thing once, whichever of its steps finds it.
  std::vector<Finding> fresh;
  for (const Finding &finding : findings)
    if (told.insert(report::text({finding}, report::Style())).second)
      fresh.push_back(finding);
  if (!fresh.empty())
    system.console.err(report::text(fresh, style));
}

void Driver::tellNoStore(llvm::StringRef without) {
  Finding finding;
  finding.code = Code::NoStore;
  finding.severity = Severity::Remark;
  finding.message = "no usable place for cuda-cc's own files";
  finding.facts.push_back(
      {"so", ("this link gets " + without + "; it is judged all the same").str()});
  llvm::append_range(finding.facts, store.refusedPlaces());
  finding.fixes.push_back("set HOME, XDG_DATA_HOME or TMPDIR to a writable place");
  tell(finding);
}

int Driver::stop(const Finding &finding) {
  tell(withDisable({finding}));
  Verdict verdict;
  verdict.add(finding);
  log("stopped", &verdict);
  return int(exitOf(finding, declaration.strict.value));
}

void Driver::settle(Verdict &verdict) {
  if (!policy::overrides(declaration))
    return;
  auto settled =
      policy::settle(declaration, plan::filesOf(call), std::move(verdict.findings)).findings;
  // What is no more than a remark is for `check`.
  llvm::erase_if(settled,
                 [](const Finding &finding) { return finding.severity == Severity::Remark; });
  verdict.findings = std::move(settled);
}

int Driver::unread(Finding finding) {
  if (enforced()) {
    output->remove();
    return stop(std::move(finding));
  }
  // What gcc linked and nothing was declared about is not ours to take away.
  finding.severity = Severity::Warning;
  tell(finding);
  log("linked, not sealed");
  return 0;
}

Finding Driver::runtimeRequired() const {
  Finding finding;
  finding.code = Code::RuntimeRequired;
  finding.message = "no runtime is declared";
  finding.facts = {{"required", "by " + declaration.require.origin.str()}};
  for (const std::string &path : searched.passedBy)
    finding.facts.push_back({"passed by", path});
  std::string runtime = policy::buildableHere(
      probe::otherToolkits(system.environment, system.files, system.selfFile));
  finding.fixes = {"declare one: --cudacc-runtime=" + runtime +
                   ", CUDA_CC_RUNTIME, or runtime = \"" + runtime + "\" in cuda-cc.toml"};
  return finding;
}

std::vector<Finding> Driver::withDisable(std::vector<Finding> findings) const {
  if (!system.environment.isOn("CUDA_CC_DISABLE") || disabled())
    return findings;
  auto error = llvm::find_if(
      findings, [](const Finding &finding) { return finding.severity == Severity::Error; });
  if (error == findings.end())
    return findings;
  std::string by = declaration.require.value         ? declaration.require.origin.str()
                   : !call.own[Key::Require].empty() ? info(Key::Require).optionName()
                                                     : info(Key::Require).variable.str();
  error->facts.push_back({"CUDA_CC_DISABLE", "ignored: a runtime is required by " + by});
  if (declaration.declared())
    error->fixes.push_back("CUDA_CC_ENFORCE=off, instead of CUDA_CC_DISABLE: the manifest says so");
  else
    error->fixes.push_back("take back what requires a runtime: " + by);
  return findings;
}

int Driver::reject(const Verdict &verdict) {
  if (output)
    output->remove();
  tell(withDisable(verdict.findings));
  log("rejected", &verdict);
  return int(verdict.exit(declaration.strict.value));
}

void Driver::log(llvm::StringRef what, const Verdict *verdict) {
  llvm::StringRef path = system.environment.getOr("CUDA_CC_LOG");
  if (path.empty())
    return;
  llvm::json::Object entry{{"schema", 1},
                           {"did", what},
                           {"role", str(call.role)},
                           {"kind", str(call.kind)},
                           {"compiler", llvm::json::fixUTF8(compiler.compiler)},
                           {"enforce", str(declaration.enforce.value)}};
  if (target.declared) {
    entry["runtime"] = llvm::json::fixUTF8(target.describe());
    entry["line"] = target.line.str();
  }
  if (call.output)
    entry["output"] = llvm::json::fixUTF8(*call.output);
  if (!searched.passedBy.empty()) {
    llvm::json::Array &paths = *(entry["passedBy"] = llvm::json::Array()).getAsArray();
    for (const std::string &path : searched.passedBy)
      paths.push_back(llvm::json::fixUTF8(path));
  }
  llvm::json::Array codes;
  if (verdict)
    for (const Finding &finding : verdict->findings)
      codes.push_back(str(finding.code) + ": " + llvm::json::fixUTF8(finding.message));
  entry["findings"] = std::move(codes);
  run::log(system.files, path, std::move(entry));
}

std::string Driver::shimFor(const NvccHost &host) {
  if (host.names.empty())
    return "";
  // In a toolchain directory its own compilers stand for these, if they are the ones meant.
  if (directory && plan::nvccCanName(directory->path, /*inList=*/false) &&
      llvm::all_of(host.names, [&](const auto &name) {
        const std::string *baked = directory->compiler(name.first);
        return baked && *baked == name.second;
      }))
    return directory->path + "/bin" + (host.name.empty() ? "" : "/" + host.name);
  ToolchainDirectory made;
  made.declaration = declaration;
  // A shim links: one for all launchers.
  made.declaration.launcher.clear();
  made.declarationFile = declaration.file;
  made.nvcc = compiler.compiler;
  made.compilers = host.names;
  FileId self = system.files.stat(system.self).id;
  std::string program =
      std::string(version) + " " + std::to_string(self.size) + " " + std::to_string(self.mtime);
  std::vector<TreeEntry> entries;
  if (auto table = probe::TorchTable::linkFor(system.self, system.files)) {
    // One that was made without it does not serve.
    table->namesPlace = false;
    entries.push_back(std::move(*table));
  }
  plan::ToolchainContent content = plan::planToolchain(made, program, std::move(entries));
  std::string path = store.directory(
      "directories", content.name, {content.entries, content.programs}, [&](llvm::StringRef where) {
        return run::makeDirectory(
            system.files, where,
            {content.entries, content.programs, system.self, content.fingerprint});
      });
  if (path.empty() || !plan::nvccCanName(path + host.name, /*inList=*/false))
    return "";
  return path + "/bin" + (host.name.empty() ? "" : "/" + host.name);
}

std::string Driver::recordHeader(const Toolkit *toolkit, llvm::ArrayRef<FoundHeader> headers,
                                 const HostCompiler *host) {
  ObjectRecord record;
  record.tool = toolName();
  if (toolkit)
    if (const Component *nvcc = toolkit->find("nvcc"))
      record.toolkit = nvcc->version;
  if (!headers.empty() && headers.front().cuda.known())
    record.headers = headers.front().cuda.str();
  if (host && !host->family.empty())
    record.host = host->family + "-" + host->version;
  std::string path = store.file("records", binary::recordName(record) + ".h",
                                [&] { return binary::recordHeader(record); });
  // nvcc cannot name every path (plan::nvccCanName); the unit is then counted as unnoted.
  if (call.dialect == Dialect::Nvcc && !plan::nvccCanName(path))
    return "";
  return path;
}

} // namespace cudacc::pipeline
