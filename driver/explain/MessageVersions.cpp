// SPDX-License-Identifier: Apache-2.0
#include "driver/explain/MessageVersions.h"
#include "driver/policy/rules/BinaryCase.h"
#include "driver/policy/rules/TorchImports.h"
#include "driver/resolve/Runtimes.h"
#include "driver/support/Demangled.h"
#include "driver/tables/lookup/Device.h"
#include "driver/tables/lookup/Libraries.h"
#include "driver/tables/lookup/Providers.h"
#include "driver/tables/lookup/Toolkits.h"
#include "driver/versions/Arch.h"
#include "driver/versions/CudaVersion.h"
#include "driver/versions/Format.h"
#include "driver/versions/Version.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::explain {

using llvm::StringRef;
using tables::PlaceholderType;
using versions::CudaVersion;

std::string eachOf(llvm::ArrayRef<std::string> texts, StringRef last) {
  std::vector<StringRef> once;
  for (StringRef text : texts)
    if (!text.empty() && !llvm::is_contained(once, text))
      once.push_back(text);
  std::string out;
  for (size_t i = 0; i < once.size(); ++i)
    out += fmt::format("{}{}", i == 0 ? "" : i + 1 == once.size() ? last : ", ", once[i]);
  return out;
}

llvm::SmallVector<unsigned, 4> knownMajors() {
  llvm::SmallVector<unsigned, 4> majors;
  for (CudaVersion line : tables::toolkitLines())
    if (majors.empty() || majors.back() != line.major)
      majors.push_back(line.major);
  return majors;
}

static std::string cudaValue(CudaVersion cuda, StringRef key) {
  if (key.empty())
    return cuda.str();
  if (key == "major")
    return fmt::format("{}", cuda.major);
  if (key == "torch")
    return resolve::firstTorchWith(cuda);
  if (key == "driver")
    return tables::driverFloor(cuda.major).str();
  if (key == "ptxdriver")
    return tables::firstDriverOf(cuda).str();
  CudaVersion ptx = tables::ptxOf(cuda);
  return ptx.known() ? ptx.str() : "";
}

static std::string ptxValue(CudaVersion isa, StringRef key) {
  auto cuda = tables::minCudaOfPtx(isa);
  if (!cuda)
    return "";
  return key == "cuda" ? cuda->str() : tables::firstDriverOf(*cuda).str();
}

static std::string driverValue(const versions::Version &driver) {
  auto cuda = tables::cudaOfDriver(driver);
  return cuda ? fmt::format("{}{}", cuda->cuda, cuda->exact ? "" : " or newer") : "";
}

/// The first or last toolkit line that supports the architecture; empty if that is the oldest or
/// newest known line.
static std::string archValue(versions::Arch arch, StringRef key) {
  if (key == "sm")
    return arch.str();
  if (key == "ptx") {
    auto first = tables::firstPtxOf(arch);
    return first && !first->atMost ? first->isa.str() : "";
  }
  std::vector<CudaVersion> lines = tables::toolkitLines();
  auto knows = [&](CudaVersion line) {
    return tables::knowsArch(line, arch) == tables::Works::Yes;
  };
  auto first = llvm::find_if(lines, knows);
  bool isDropped = first == lines.begin() && !knows(lines.back());
  if (key == "old") {
    bool isUnknown = tables::knowsArch(lines.front(), arch) == tables::Works::Unknown;
    return isDropped || (first == lines.end() && !isUnknown) ? arch.str() : "";
  }
  if (first == lines.end())
    return "";
  bool isNew = first != lines.begin();
  if (key == "everywhere")
    return llvm::all_of(lines, knows) ? first->str() : "";
  if (key == "first")
    return isNew ? first->str() : "";
  if (key == "index")
    return isNew ? fmt::format("cu{}{}", first->major, first->minor) : "";
  auto end = std::find_if_not(first, lines.end(), knows);
  return end == lines.end() ? "" : std::prev(end)->str();
}

/// The library of each CUDA major that a development name such as `libnvrtc.so` refers to, or its
/// wheel.
static std::string developmentValue(StringRef linkName, StringRef key) {
  if (key == "name")
    return linkName.str();
  std::vector<std::string> texts;
  for (unsigned major : knownMajors())
    for (StringRef soname : tables::sonamesOf(linkName, major))
      texts.push_back(key == "wheels" ? tables::distOf(soname, major).str() : soname.str());
  return eachOf(texts);
}

static std::string builtinsValue(CudaVersion minor, StringRef key) {
  if (key == "minor")
    return minor.str();
  if (key == "torch")
    return resolve::firstTorchWith(minor);
  StringRef dist;
  for (StringRef soname : tables::sonamesOf("nvrtc", minor.major))
    dist = tables::distOf(soname, minor.major);
  // Only a version that exists, or one that is newer than the tables.
  auto versions = tables::versionsOf(dist);
  auto lineOf = [](const versions::Version &version) {
    return CudaVersion{unsigned(version.at(0)), unsigned(version.at(1))};
  };
  bool exists = llvm::any_of(
      versions, [&](const versions::Version &version) { return lineOf(version) == minor; });
  if (versions.empty() || (!exists && minor < lineOf(versions.back())))
    return "";
  return fmt::format("{}=={}.*", dist, minor);
}

/// `"nvidia-cudnn-cu12>=9.13.1,<10" or "nvidia-cudnn-cu13>=9.13.1,<10"`: the wheels that have a
/// version so new.
static std::string cudnnWheels(const versions::Version &least, StringRef requirement) {
  std::vector<std::string> texts;
  std::string soname = fmt::format("libcudnn.so.{}", least.at(0));
  for (unsigned major : tables::majorsOf(soname)) {
    StringRef dist = tables::distOf(soname, major);
    auto versions = tables::versionsOf(dist);
    if (!versions.empty() && versions.back() >= least)
      texts.push_back(fmt::format("\"{}{}\"", dist, requirement));
  }
  return eachOf(texts);
}

/// `_GLIBCXX_USE_CXX11_ABI=0`; empty if the name mentions no std::string.
static std::string abiOf(StringRef symbol) {
  policy::StringAbi abi = policy::stringAbiOf(symbol);
  return abi == policy::StringAbi::None ? "" : policy::definitionOf(abi);
}

std::string versionValue(const MessagePlaceholder &placeholder, StringRef key) {
  StringRef value = placeholder.value;
  switch (placeholder.type) {
  case PlaceholderType::Cuda:
    return cudaValue(*CudaVersion::parse(value), key);
  case PlaceholderType::Macro:
    return cudaValue(*macroOf(value), key == "cuda" ? "" : key);
  case PlaceholderType::Ptx:
    return ptxValue(*CudaVersion::parse(value), key);
  case PlaceholderType::Driver:
    return driverValue(*versions::Version::parse(value));
  case PlaceholderType::Cudnn: {
    versions::Version version = *cudnnVersionOf(value);
    std::string requirement = fmt::format(">={},<{}", version, version.at(0) + 1);
    return key == "version"       ? version.str()
           : key == "requirement" ? requirement
                                  : cudnnWheels(version, requirement);
  }
  case PlaceholderType::Arch: {
    value.consume_front("sm_") || value.consume_front("compute_");
    auto [whole, part] = value.split('.');
    return archValue(*versions::Arch::parse(fmt::format("{}{}", whole, part)), key);
  }
  case PlaceholderType::Builtins:
    return builtinsValue(*CudaVersion::parse(value.rsplit(".so.").second), key);
  case PlaceholderType::CudaHeader:
    return developmentValue(*libraryWithHeader(value), key);
  case PlaceholderType::LinkName:
    return developmentValue(value, key);
  case PlaceholderType::CxxSymbol:
    return key == "abi" ? abiOf(value) : support::demangled(value);
  case PlaceholderType::CxxRuntime:
  case PlaceholderType::ExtensionSymbol:
    return support::demangled(value);
  case PlaceholderType::Generated: {
    tables::GeneratedName name = *tables::generatedName(value);
    return (key == "means"     ? name.means
            : key == "because" ? name.because
            : key == "fix"     ? name.fix
                               : name.also)
        .str();
  }
  case PlaceholderType::Grafted:
    return policy::ungrafted(value);
  case PlaceholderType::SystemNode:
    return tables::systemReleaseOf(value);
  case PlaceholderType::DevelopmentName:
    return developmentValue(tables::libraryByFileName(value)->name, key);
  default:
    return "";
  }
}

} // namespace cudacc::explain
