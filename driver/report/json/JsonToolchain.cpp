#include "driver/report/json/JsonToolchain.h"
#include "driver/report/json/Json.h"
#include "driver/report/json/JsonParts.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::report {

using namespace core;

llvm::json::Value toJson(const DirectoryReport &report, bool all) {
  using llvm::json::fixUTF8;
  const ToolchainDirectory &directory = *report.directory;
  llvm::json::Object out{{"schema", 1},
                         {"directory", fixUTF8(directory.path)},
                         {"did", report.did},
                         {"fingerprint", directory.fingerprint}};
  if (report.toolkit) {
    out["nvcc"] = fixUTF8(directory.nvcc);
    if (const Component *nvcc = report.toolkit->find("nvcc"); nvcc && !nvcc->version.empty())
      out["version"] = nvcc->version;
  }
  if (!directory.machine.empty())
    out["machine"] = directory.machine;
  llvm::json::Array declared;
  for (const Setting<std::string> &each : directory.declaration.runtime)
    declared.push_back(fixUTF8(each.value));
  out["declared"] = std::move(declared);
  llvm::json::Object compilers;
  for (const auto &[name, real] : directory.compilers)
    compilers[fixUTF8(name)] = fixUTF8(real);
  out["compilers"] = std::move(compilers);
  if (!all)
    return out;
  llvm::json::Array entries;
  for (const TreeEntry &entry : report.entries) {
    bool isLink = entry.kind == TreeEntry::Kind::Link;
    llvm::json::Object row{{"path", fixUTF8(entry.path)}, {"kind", isLink ? "link" : "file"}};
    if (isLink)
      row["target"] = fixUTF8(entry.text);
    entries.push_back(std::move(row));
  }
  for (const std::string &program : report.programs)
    entries.push_back(llvm::json::Object{{"path", fixUTF8(program)}, {"kind", "program"}});
  out["entries"] = std::move(entries);
  return out;
}

} // namespace cudacc::report
