#include "driver/cache/TargetForm.h"
#include "driver/cache/StoreForm.h"
#include "llvm/ADT/StringSwitch.h"

namespace cudacc::cache {

using namespace core;
using namespace support;
using namespace versions;
using llvm::StringRef;

static constexpr llvm::StringLiteral targetMagic = "cuda-cc-target 2";

static std::string textOf(CudaVersion cuda) { return cuda.known() ? cuda.str() : ""; }

static bool readCuda(CudaVersion &cuda, const std::string &text) {
  auto read = CudaVersion::parse(text);
  cuda = read.value_or(CudaVersion{});
  return read || text.empty();
}

static void write(FieldWriter &out, const TargetLibrary &row) {
  // As many names as fields: a field that is not kept does not compile.
  const auto &[soname, dist, version, cuda, floats, origin, folder, others, path] = row;
  out.line({"library", soname, dist, version.release.empty() ? "" : version.str(), textOf(cuda),
            floats ? "1" : "0", origin, folder, path});
  for (const std::string &other : others)
    out.line({"other-folder", other});
}

static void write(FieldWriter &out, const Target &target) {
  // As above. The first three, `asWheels` and the layout are the declaration's.
  const auto &[declared, declaredAs, enforce, line, release, libraries, driverFloor, driver,
               driverCuda, gpus, gpuOrigin, asWheels, layout, layoutOrigin, systemPath, machine,
               sitePackages, torch, torchReleases, portableAs, problems, waivers] = target;
  out.line({"line", textOf(line)});
  out.line({"release", release});
  out.line({"driver-floor", driverFloor});
  out.line({"driver", driver});
  out.line({"driver-cuda", textOf(driverCuda)});
  out.line({"gpu-origin", gpuOrigin});
  out.line({"torch", torch});
  out.line({"machine", std::to_string(machine)});
  for (const Arch &arch : gpus)
    out.line({"gpu", arch.str()});
  writeAll(out, "site", sitePackages);
  writeAll(out, "torch-release", torchReleases);
  writeAll(out, "portable", portableAs);
  writeAll(out, "waiver", waivers);
  for (const TargetLibrary &row : libraries)
    write(out, row);
  for (const Finding &problem : problems)
    writeProblem(out, problem);
}

std::string serialise(const KeptTarget &kept) {
  FieldWriter out(targetMagic);
  out.line({"question", kept.question});
  write(out, kept.target);
  for (const FileId &id : kept.inputs)
    writeInput(out, id);
  return out.take();
}

static bool readLibrary(Target &target, llvm::ArrayRef<std::string> fields) {
  TargetLibrary &row = target.libraries.emplace_back();
  row.soname = fields[1];
  row.dist = fields[2];
  row.floats = fields[5] == "1";
  row.origin = fields[6];
  row.folder = fields[7];
  row.path = fields[8];
  if (!fields[3].empty()) {
    auto version = Version::parse(fields[3]);
    if (!version)
      return false;
    row.version = std::move(*version);
  }
  return readCuda(row.cuda, fields[4]);
}

static bool readGpu(Target &target, const std::string &text) {
  auto arch = Arch::parse(text);
  if (arch)
    target.gpus.push_back(*arch);
  return arch.has_value();
}

static bool readOther(Target &target, const std::string &folder) {
  if (target.libraries.empty())
    return false;
  target.libraries.back().otherFolders.push_back(folder);
  return true;
}

static bool readValue(Target &target, StringRef key, const std::string &value) {
  if (key == "line")
    return readCuda(target.line, value);
  if (key == "driver-cuda")
    return readCuda(target.driverCuda, value);
  if (key == "machine")
    return !StringRef(value).getAsInteger(10, target.machine);
  if (key == "gpu")
    return readGpu(target, value);
  if (key == "other-folder")
    return readOther(target, value);
  std::string *text = llvm::StringSwitch<std::string *>(key)
                          .Case("release", &target.release)
                          .Case("driver-floor", &target.driverFloor)
                          .Case("driver", &target.driver)
                          .Case("gpu-origin", &target.gpuOrigin)
                          .Case("torch", &target.torch)
                          .Default(nullptr);
  auto *list = llvm::StringSwitch<std::vector<std::string> *>(key)
                   .Case("site", &target.sitePackages)
                   .Case("torch-release", &target.torchReleases)
                   .Case("portable", &target.portableAs)
                   .Case("waiver", &target.waivers)
                   .Default(nullptr);
  if (text)
    *text = value;
  else if (list)
    list->push_back(value);
  return text || list;
}

static bool readEntry(KeptTarget &kept, llvm::ArrayRef<std::string> fields) {
  StringRef key = fields[0];
  if (key == "library" && fields.size() == 9)
    return readLibrary(kept.target, fields);
  if (key == "input" && fields.size() == 6) {
    auto id = readInput(fields);
    if (id)
      kept.inputs.push_back(std::move(*id));
    return id.has_value();
  }
  if (key == "problem" || key == "fact" || key == "fix")
    return readProblem(kept.target.problems, fields);
  if (fields.size() != 2)
    return false;
  if (key == "question") {
    kept.question = fields[1];
    return true;
  }
  return readValue(kept.target, key, fields[1]);
}

std::optional<KeptTarget> parseTarget(StringRef text) {
  KeptTarget kept;
  kept.target.libraries.reserve(64);
  kept.inputs.reserve(64);
  bool good = readKept(text, targetMagic,
                       [&](llvm::ArrayRef<std::string> fields) { return readEntry(kept, fields); });
  if (!good || kept.inputs.empty())
    return std::nullopt;
  return kept;
}

} // namespace cudacc::cache
