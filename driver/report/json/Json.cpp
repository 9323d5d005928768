// SPDX-License-Identifier: Apache-2.0
#include "driver/report/json/Json.h"
#include "driver/report/json/JsonParts.h"
#include "driver/report/text/Audit.h"
#include "driver/report/text/Check.h"
#include "driver/report/text/Layout.h"
#include "driver/versions/EnumWords.h"
#include "driver/versions/Machine.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace cudacc::report {

using llvm::json::Object;
using llvm::json::Value;
using namespace core;

std::string print(const Value &value, bool compact) {
  std::string out;
  llvm::raw_string_ostream os(out);
  llvm::json::OStream(os, compact ? 0 : 2).value(value);
  os << '\n';
  return printableJson(std::move(out));
}

/// With sorted keys, as values are printed.
static void write(llvm::json::OStream &out, const Value &value, const RowsDocument &document) {
  if (const llvm::json::Array *array = value.getAsArray())
    return out.array([&] {
      for (const Value &each : *array)
        write(out, each, document);
    });
  const Object *object = value.getAsObject();
  if (!object)
    return out.value(value);
  std::vector<llvm::StringRef> keys;
  for (const auto &entry : *object)
    keys.push_back(entry.first);
  llvm::sort(keys);
  out.object([&] {
    for (llvm::StringRef key : keys) {
      out.attributeBegin(key);
      if (key == document.key && object->get(key)->getAsNull())
        out.array([&] {
          for (size_t i = 0; i != document.count; ++i)
            out.value(document.row(i));
        });
      else
        write(out, *object->get(key), document);
      out.attributeEnd();
    }
  });
}

std::string print(const RowsDocument &document) {
  std::string out;
  llvm::raw_string_ostream os(out);
  llvm::json::OStream stream(os, 2);
  write(stream, document.head, document);
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

static Value floorJson(const core::LibraryFloor &floor) {
  Object out{{"soname", fixed(floor.soname)},           {"imports", floor.imports},
             {"deciding", strings(floor.deciding)},     {"unknown", strings(floor.unknown)},
             {"exceptions", strings(floor.exceptions)}, {"oldest_opened", floor.oldestOpened}};
  put(out, "dist", floor.dist);
  if (floor.known())
    out["version"] = fixed(floor.least.str());
  put(out, "cuda", floor.cuda);
  put(out, "serves", floor.serves);
  put(out, "requirement", floor.requirement);
  return out;
}

static Value judgementJson(const core::Judgement &judgement) {
  Object out{{"path", fixed(judgement.path)},
             {"runtime", fixed(judgement.runtime)},
             {"verdict", core::str(judgement.verdict.outcome())},
             {"findings", array(judgement.verdict.findings, findingJson)},
             {"floor", floorsJson(judgement.floor)},
             {"libraries", array(judgement.floor, floorJson)}};
  put(out, "line", judgement.line);
  putTorch(out, judgement.torch);
  putList(out, "alternatives", judgement.alternatives);
  putList(out, "excluded_by", judgement.excludedBy);
  Object driver;
  put(driver, "code", judgement.driver.code);
  put(driver, "ptx", judgement.driver.ptx);
  if (!driver.empty())
    out["driver"] = std::move(driver);
  return out;
}

RowsDocument checkJson(llvm::ArrayRef<core::Judgement> judgements,
                       llvm::ArrayRef<core::Finding> problems,
                       std::optional<std::vector<std::string>> requirements) {
  std::vector<llvm::StringRef> runtimes;
  for (const core::Judgement &judgement : judgements)
    if (runtimes.empty() || !llvm::is_contained(runtimes, judgement.runtime))
      runtimes.push_back(judgement.runtime);
  Object out{{"schema", 1}, {"runtimes", strings(runtimes)}, {"files", nullptr}};
  if (requirements)
    out["requires_dist"] = strings(*requirements);
  putList(out, "problems", problems, findingJson);
  return {std::move(out), "files", judgements.size(),
          [=](size_t i) { return judgementJson(judgements[i]); }};
}

Value toJson(llvm::ArrayRef<core::Judgement> judgements, llvm::ArrayRef<core::Finding> problems) {
  Value document = checkJson(judgements, problems).head;
  (*document.getAsObject())["files"] = array(judgements, judgementJson);
  return document;
}

RowsDocument withManifests(RowsDocument document, const Manifests &manifests) {
  size_t files = manifests.with + manifests.without.size();
  if (files)
    (*document.head.getAsObject())["manifest"] =
        Object{{"files", files}, {"without", strings(manifests.without)}};
  return document;
}

llvm::json::Value toJson(const DirectoryReport &report, bool all) {
  const ToolchainDirectory &directory = *report.directory;
  Object compilers;
  for (const auto &[name, real] : directory.compilers)
    compilers[key(name)] = fixed(real);
  Object out{{"schema", 1},
             {"directory", fixed(directory.path)},
             {"did", report.did},
             {"fingerprint", directory.fingerprint},
             {"declared", array(directory.declaration.runtime,
                                [](const auto &each) { return fixed(each.value); })},
             {"compilers", std::move(compilers)}};
  if (report.toolkit) {
    out["nvcc"] = fixed(directory.nvcc);
    if (const Component *nvcc = report.toolkit->find("nvcc"))
      put(out, "version", nvcc->version);
  }
  put(out, "machine", directory.machine);
  if (!all)
    return out;
  auto entries = array(report.entries, [](const TreeEntry &entry) {
    bool isLink = entry.kind == TreeEntry::Kind::Link;
    Object row{{"path", fixed(entry.path)}, {"kind", isLink ? "link" : "file"}};
    if (isLink)
      row["target"] = fixed(entry.text);
    return llvm::json::Value(std::move(row));
  });
  for (const std::string &program : report.programs)
    entries.push_back(Object{{"path", fixed(program)}, {"kind", "program"}});
  out["entries"] = std::move(entries);
  return out;
}

llvm::json::Value toJson(const TrustReport &report) {
  Object out{{"schema", 1},
             {"paths", array(report.rows, [](const TrustReport::Row &row) {
                return llvm::json::Value(Object{{"path", fixed(row.path)}, {"state", row.state}});
              })}};
  put(out, "list", report.list);
  return out;
}

static llvm::json::Value partJson(const FetchPart &part) {
  bool isWheel = part.source == FetchPart::Source::Wheel;
  Object out{{"part", part.part},
             {"source", isWheel ? "wheel" : "archive"},
             {"name", part.name},
             {"version", part.version}};
  put(out, "machine", part.machine);
  if (const versions::Machine *machine = versions::machineNamed(part.machine))
    out["target"] = machine->targets.front();
  put(out, "path", part.path);
  put(out, "sha256", part.sha256);
  if (part.bytes)
    out["bytes"] = part.bytes;
  if (part.unpacked)
    out["unpacked"] = part.unpacked;
  return out;
}

llvm::json::Value toJson(const FetchPlan &plan) {
  return Object{{"schema", 1},
                {"key", plan.key},
                {"release", plan.release},
                {"machine", plan.machine},
                {"parts", array(plan.parts, partJson)}};
}

llvm::json::Value toJson(const FetchReport &report) {
  Object out{{"schema", 1}};
  put(out, "nvcc", report.nvcc);
  if (!report.plan)
    return out;
  out = std::move(*toJson(*report.plan).getAsObject());
  out["folder"] = fixed(report.folder);
  out["kept"] = report.isKept;
  put(out, "base", report.base);
  out["license"] = Object{
      {"name", report.license}, {"text", report.licenseText}, {"accepted", report.isAccepted}};
  return out;
}

/// The usual keys of a finding, and its place in the project.
static Value rowJson(const core::AuditFinding &row) {
  Value out = toJson(row.finding);
  Object &object = *out.getAsObject();
  put(object, "target", row.target);
  put(object, "step", row.step);
  put(object, "file", row.file);
  if (row.line)
    object["line"] = row.line;
  return out;
}

Value toJson(const core::AuditReport &report) {
  Object out{{"schema", 1},
             {"build", fixed(report.build)},
             {"verdict", core::str(report.verdict().outcome())},
             {"targets", report.targets},
             {"cuda_targets", report.cudaTargets},
             {"artefacts", report.artefacts},
             {"findings", array(report.findings, rowJson)}};
  put(out, "system", report.system);
  put(out, "runtime", report.runtime);
  return out;
}

} // namespace cudacc::report
