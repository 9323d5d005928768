// SPDX-License-Identifier: Apache-2.0
#include "driver/report/json/Json.h"
#include "driver/report/json/JsonParts.h"
#include "driver/report/text/Layout.h"
#include "driver/versions/EnumWords.h"
#include "driver/versions/Machine.h"
#include "llvm/Support/raw_ostream.h"

namespace cudacc::report {

using llvm::json::Object;
using llvm::json::Value;

std::string print(const Value &value, bool compact) {
  std::string out;
  llvm::raw_string_ostream os(out);
  llvm::json::OStream(os, compact ? 0 : 2).value(value);
  os << '\n';
  return printableJson(std::move(out));
}

template <typename T> static Value settingJson(const core::Setting<T> &setting, Value value) {
  Object out{{"value", std::move(value)}};
  put(out, "origin", setting.origin);
  return out;
}

static Value settingJson(const core::KeyInfo &row, const core::Setting<std::string> &setting) {
  bool isFlag = row.type == core::KeyInfo::ValueType::Flag;
  return settingJson(setting, isFlag ? Value(setting.value == "true") : fixed(setting.value));
}

Value toJson(const core::Declaration &declaration) {
  Object out{{"schema", 1}, {"declared", declaredJson(declaration.runtime)}};
  for (const core::KeyInfo &row : core::allKeys()) {
    std::vector<core::Setting<std::string>> values = core::valuesOf(row.key, declaration);
    // Omit settings that nobody set.
    bool isSet = !values.empty() && (values[0].origin || row.shown == core::KeyInfo::Shown::Always);
    if (row.key == core::Key::Runtime || !isSet)
      continue;
    if (row.isList())
      out[row.name] = array(values, [&](const auto &each) { return settingJson(row, each); });
    else
      out[row.name] = settingJson(row, values[0]);
  }
  put(out, "file", declaration.file);
  return out;
}

Value toJson(const core::TargetLibrary &library) {
  Object out{{"floats", library.floats}};
  put(out, "soname", library.soname);
  put(out, "dist", library.dist);
  if (!library.version.release.empty())
    out["version"] = fixed(library.version.str());
  put(out, "cuda", library.cuda);
  put(out, "origin", library.origin);
  put(out, "folder", library.folder);
  putList(out, "other_folders", library.otherFolders);
  put(out, "path", library.path);
  return out;
}

Value toJson(const core::Target &target) {
  Object out{{"schema", 1},
             {"declared", declaredJson(target.declaredAs)},
             {"enforce", core::str(target.enforce)},
             {"libraries", array(target.libraries,
                                 [](const core::TargetLibrary &each) { return toJson(each); })},
             {"waivers", strings(target.waivers)}};
  put(out, "line", target.line);
  put(out, "release", target.release);
  put(out, "driver", target.driver.empty() ? target.driverFloor : target.driver);
  if (!target.driver.empty())
    put(out, "driver_floor", target.driverFloor);
  put(out, "driver_cuda", target.driverCuda);
  put(out, "torch", target.torch);
  if (const versions::Machine *machine = versions::machineOfElf(target.machine))
    put(out, "machine", machine->name);
  putList(out, "gpu", target.gpus, [](versions::Arch arch) { return Value(arch.str()); });
  if (target.declared && (target.sitePackages.empty() || target.layout.origin))
    out["layout"] =
        Object{{"value", fixed(target.layout.value.str())}, {"assumed", !target.layout.origin}};
  putList(out, "site_packages", target.sitePackages);
  if (!target.dataRelease.empty()) {
    Object data{{"release", target.dataRelease}};
    put(data, "package", target.factsPackage);
    out["facts"] = std::move(data);
  }
  putList(out, "problems", target.problems, findingJson);
  return out;
}

static llvm::StringRef layoutWord(core::ToolkitLayout layout) {
  static constexpr llvm::StringLiteral words[] = {"installer", "wheels-cu12", "wheels-cu13",
                                                  "debian",    "conda",       ""};
  return versions::entryOf<core::ToolkitLayout::Unknown>(words, layout);
}

static Value componentJson(const core::Component &component) {
  Object out;
  put(out, "name", component.name);
  put(out, "path", component.path);
  put(out, "cuda", component.cuda);
  put(out, "version", component.version);
  put(out, "evidence", component.evidence);
  return out;
}

static Value headerJson(const core::FoundHeader &header) {
  Object out;
  put(out, "name", header.name);
  put(out, "path", header.path);
  put(out, "cuda", header.cuda);
  put(out, "from", header.foundBy);
  put(out, "problem", header.problem);
  return out;
}

static Value hostJson(const core::HostCompiler &host) {
  Object out{
      {"includes", Object{{"c", strings(host.cIncludes)}, {"c++", strings(host.cxxIncludes)}}},
      {"library_dirs", strings(host.libraryDirs)}};
  put(out, "path", host.path);
  put(out, "family", host.family);
  put(out, "version", host.version);
  put(out, "machine", host.machine);
  return out;
}

static Value torchHeaderJson(const core::FoundTorch &torch) {
  Object out{{"path", fixed(torch.path)}, {"from", fixed(torch.foundBy)}};
  if (torch.known())
    out["release"] = torch.release.str();
  put(out, "label", torch.label);
  put(out, "evidence", torch.evidence);
  put(out, "problem", torch.problem);
  return out;
}

Value toJson(const core::Toolkit *toolkit, llvm::ArrayRef<core::FoundHeader> headers,
             const core::HostCompiler *host, llvm::ArrayRef<core::FoundTorch> torch) {
  Object out{{"schema", 1}, {"headers", array(headers, headerJson)}};
  putList(out, "torch_headers", torch, torchHeaderJson);
  if (host)
    out["host"] = hostJson(*host);
  if (!toolkit)
    return out;
  put(out, "cuda", toolkit->version());
  put(out, "nvcc", toolkit->nvcc);
  put(out, "driver", toolkit->driver);
  put(out, "root", toolkit->root);
  put(out, "layout", layoutWord(toolkit->layout));
  put(out, "from", toolkit->foundBy);
  out["components"] = array(toolkit->components, componentJson);
  out["include_dirs"] = strings(toolkit->includeDirs);
  out["system_include_dirs"] = strings(toolkit->systemIncludeDirs);
  out["library_dirs"] = strings(toolkit->libraryDirs);
  out["conflicts"] = strings(toolkit->conflicts);
  out["inputs"] = array(toolkit->inputs, [](const core::FileId &id) { return fixed(id.path); });
  return out;
}

Value toJson(const core::Finding &finding) {
  Object out{{"code", core::str(finding.code)},
             {"severity", core::str(finding.severity)},
             {"message", fixed(finding.message)},
             {"fixes", strings(finding.fixes)}};
  out["facts"] = array(finding.facts, [](const core::Fact &fact) {
    return Value(Object{{"label", fixed(fact.label)}, {"text", fixed(fact.text)}});
  });
  put(out, "library", finding.library);
  put(out, "symbol", finding.symbol);
  put(out, "origin", finding.origin);
  return out;
}

Value toJson(const core::Verdict &verdict, bool strict) {
  return Object{{"schema", 1},
                {"verdict", core::str(verdict.outcome())},
                {"exit", static_cast<int>(verdict.exit(strict))},
                {"findings", array(verdict.findings, findingJson)}};
}

} // namespace cudacc::report
