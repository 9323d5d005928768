#include "driver/cache/EnvironmentForm.h"
#include "driver/cache/StoreForm.h"
#include "driver/support/Fields.h"

namespace cudacc::cache {

using namespace core;
using namespace support;

static constexpr llvm::StringLiteral environmentMagic = "cuda-cc-environment 3";

std::string serialise(const PythonEnvironment &environment) {
  FieldWriter out(environmentMagic);
  out.line({"prefix", environment.prefix});
  for (const std::string &site : environment.sitePackages)
    out.line({"site", site});
  for (const InstalledDistribution &dist : environment.distributions)
    out.line({"dist", dist.name, dist.version, dist.metadata, dist.where});
  for (const InstalledLibrary &each : environment.libraries)
    out.line({"library", each.soname, each.path, each.folder, each.dist, each.version,
              each.metadata, each.bundled ? "1" : "0"});
  if (environment.torch)
    out.line(
        {"torch", environment.torch->version, environment.torch->cuda, environment.torch->path});
  out.line({"machine", std::to_string(environment.machine)});
  for (const Finding &problem : environment.problems)
    writeProblem(out, problem);
  for (const FileId &id : environment.inputs)
    writeInput(out, id);
  return out.take();
}

static bool readLine(PythonEnvironment &environment, llvm::ArrayRef<std::string> fields) {
  llvm::StringRef key = fields[0];
  if (key == "input" && fields.size() == 6) {
    auto id = readInput(fields);
    if (id)
      environment.inputs.push_back(std::move(*id));
    return id.has_value();
  }
  if (key == "library" && fields.size() == 8) {
    environment.libraries.push_back(
        {fields[1], fields[2], fields[3], fields[4], fields[5], fields[6], fields[7] == "1"});
    return true;
  }
  if (key == "dist" && fields.size() == 5) {
    environment.distributions.push_back({fields[1], fields[2], fields[3], fields[4]});
    return true;
  }
  if (key == "torch" && fields.size() == 4) {
    environment.torch = InstalledTorch{fields[1], fields[2], fields[3]};
    return true;
  }
  if (key == "machine" && fields.size() == 2)
    return !llvm::StringRef(fields[1]).getAsInteger(10, environment.machine);
  if (key == "prefix" && fields.size() == 2)
    environment.prefix = fields[1];
  else if (key == "site" && fields.size() == 2)
    environment.sitePackages.push_back(fields[1]);
  else
    return readProblem(environment.problems, fields);
  return true;
}

std::optional<PythonEnvironment> parseEnvironment(llvm::StringRef text) {
  PythonEnvironment environment;
  bool good = readKept(text, environmentMagic, [&](llvm::ArrayRef<std::string> fields) {
    return readLine(environment, fields);
  });
  if (!good || environment.inputs.empty())
    return std::nullopt;
  return environment;
}

} // namespace cudacc::cache
