// SPDX-License-Identifier: Apache-2.0
#include "driver/report/json/Json.h"
#include "driver/report/json/JsonParts.h"

namespace cudacc::report {

using namespace core;
using llvm::json::Object;

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

} // namespace cudacc::report
