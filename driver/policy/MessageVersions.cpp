#include "driver/policy/MessageVersions.h"
#include "driver/core/Arch.h"
#include "driver/core/CudaVersion.h"
#include "driver/core/Version.h"
#include "driver/facts/Device.h"
#include "driver/facts/Drivers.h"
#include "driver/facts/Libraries.h"
#include "driver/facts/Providers.h"
#include "driver/facts/Toolkits.h"
#include "driver/policy/BinaryCase.h"
#include "driver/policy/Runtimes.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::policy {

using core::CudaVersion;
using facts::HoleType;
using llvm::StringRef;

std::string eachOf(llvm::ArrayRef<std::string> texts, StringRef last) {
  std::vector<StringRef> once;
  for (StringRef text : texts)
    if (!text.empty() && !llvm::is_contained(once, text))
      once.push_back(text);
  std::string out;
  for (size_t i = 0; i < once.size(); ++i)
    out += (i == 0 ? "" : i + 1 == once.size() ? last : ", ").str() + once[i].str();
  return out;
}

llvm::SmallVector<unsigned, 4> knownMajors() {
  llvm::SmallVector<unsigned, 4> majors;
  for (CudaVersion line : facts::toolkitLines())
    if (majors.empty() || majors.back() != line.major)
      majors.push_back(line.major);
  return majors;
}

static std::string cudaValue(CudaVersion cuda, StringRef key) {
  if (key.empty())
    return cuda.str();
  if (key == "major")
    return std::to_string(cuda.major);
  if (key == "torch")
    return firstTorchWith(cuda);
  if (key == "driver")
    return facts::driverFloor(cuda.major).str();
  if (key == "ptxdriver")
    return facts::firstDriverOf(cuda).str();
  auto ptx = facts::ptxOf(cuda);
  return ptx ? CudaVersion{ptx->major, ptx->minor}.str() : "";
}

static std::string ptxValue(CudaVersion isa, StringRef key) {
  auto cuda = facts::minCudaOfPtx(isa);
  if (!cuda)
    return "";
  return key == "cuda" ? cuda->str() : facts::firstDriverOf(*cuda).str();
}

static std::string driverValue(const core::Version &driver) {
  auto cuda = facts::cudaOfDriver(driver);
  return cuda ? cuda->cuda.str() + (cuda->exact ? "" : " or newer") : "";
}

/// Lines of the toolkit that know the architecture: the first, where an older one does not, and the
/// last, where a newer one does not.
static std::string archValue(core::Arch arch, StringRef key) {
  if (key == "sm")
    return arch.str();
  if (key == "ptx") {
    auto first = facts::firstPtxOf(arch);
    return first && !first->atMost ? first->isa.str() : "";
  }
  std::vector<CudaVersion> lines = facts::toolkitLines();
  auto knows = [&](CudaVersion line) { return facts::knowsArch(line, arch) == facts::Works::Yes; };
  auto first = llvm::find_if(lines, knows);
  if (first == lines.end())
    return "";
  if (key == "first")
    return first == lines.begin() ? "" : first->str();
  auto end = std::find_if_not(first, lines.end(), knows);
  return end == lines.end() ? "" : std::prev(end)->str();
}

/// What a name without a number stands for in each CUDA major.
static std::string developmentValue(StringRef linkName, StringRef key) {
  if (key == "name")
    return linkName.str();
  std::vector<std::string> texts;
  for (unsigned major : knownMajors())
    for (StringRef soname : facts::sonamesOf(linkName, major))
      texts.push_back(key == "wheels" ? facts::distOf(soname, major).str() : soname.str());
  return eachOf(texts);
}

static std::string builtinsValue(CudaVersion minor, StringRef key) {
  if (key == "minor")
    return minor.str();
  if (key == "torch")
    return firstTorchWith(minor);
  StringRef dist;
  for (StringRef soname : facts::sonamesOf("nvrtc", minor.major))
    dist = facts::distOf(soname, minor.major);
  return dist.empty() ? "" : (dist + "==" + minor.str() + ".*").str();
}

std::string versionValue(const MessageHole &hole, StringRef key) {
  StringRef value = hole.value;
  switch (hole.type) {
  case HoleType::Cuda:
    return cudaValue(*CudaVersion::parse(value), key);
  case HoleType::Macro:
    return cudaValue(*macroOf(value), key == "cuda" ? "" : key);
  case HoleType::Ptx:
    return ptxValue(*CudaVersion::parse(value), key);
  case HoleType::Driver:
    return driverValue(*core::Version::parse(value));
  case HoleType::Arch: {
    value.consume_front("sm_") || value.consume_front("compute_");
    auto [whole, part] = value.split('.');
    return archValue(*core::Arch::parse((whole + part).str()), key);
  }
  case HoleType::Builtins:
    return builtinsValue(*CudaVersion::parse(value.rsplit(".so.").second), key);
  case HoleType::CudaHeader:
    return developmentValue(*libraryWithHeader(value), key);
  case HoleType::LinkName:
    return developmentValue(value, key);
  case HoleType::Grafted:
    return ungrafted(value);
  case HoleType::SystemNode:
    return facts::systemReleaseOf(value);
  case HoleType::DevelopmentName:
    return developmentValue(facts::libraryByFileName(value)->name, key);
  default:
    return "";
  }
}

} // namespace cudacc::policy
