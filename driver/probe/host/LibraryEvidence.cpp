// SPDX-License-Identifier: Apache-2.0
#include "driver/probe/host/LibraryEvidence.h"
#include "driver/probe/python/Record.h"
#include "driver/probe/toolkit/HeaderVersion.h"
#include "driver/support/Paths.h"
#include "driver/tables/lookup/Libraries.h"
#include "driver/tables/lookup/Toolkits.h"
#include "driver/versions/Format.h"
#include "driver/versions/Requirement.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::probe {

using namespace core;
using namespace versions;
using namespace support;

/// The RECORD of the largest wheel that contains a library has some 100 KB; that of cccl has 400.
static constexpr uint64_t largestEvidence = 4 << 20;

static llvm::SmallVector<llvm::StringRef, 3> distsOf(llvm::StringRef soname) {
  llvm::SmallVector<llvm::StringRef, 3> dists;
  for (unsigned major : tables::majorsOf(soname))
    if (llvm::StringRef dist = tables::distOf(soname, major); !dist.empty())
      dists.push_back(dist);
  return dists;
}

const std::string &LibraryEvidence::siteOf(llvm::StringRef path) {
  auto [it, fresh] = sites.try_emplace(parentOf(path).str());
  if (fresh)
    it->second = sitePackagesOf(path, files);
  return it->second;
}

const std::vector<Package> &LibraryEvidence::packagesIn(const std::string &site) {
  auto [it, fresh] = packages.try_emplace(site);
  if (fresh)
    it->second = distributionsIn(site, files);
  return it->second;
}

bool LibraryEvidence::fromOwner(LinkedLibrary &library, llvm::StringRef path) {
  const std::string &site = siteOf(path);
  if (site.empty())
    return false;
  llvm::StringRef relative = path.drop_front(site.size()).ltrim('/');
  auto dists = distsOf(library.soname);
  const Package *owner = nullptr;
  for (const Package &package : packagesIn(site)) {
    // The tables map SONAMEs to wheels. An archive has none, so any NVIDIA wheel may contain it.
    if (library.isArchive ? !llvm::StringRef(package.name).starts_with("nvidia-")
                          : !llvm::is_contained(dists, package.name))
      continue;
    auto record = llvm::expectedToOptional(
        files.read(joinPath(site, package.metadata + "/RECORD"), largestEvidence));
    if (!record || !recordHas(*record, relative))
      continue;
    if (owner)
      library.conflict = fmt::format("both {} and {} own it", owner->metadata, package.metadata);
    owner = &package;
  }
  if (!owner)
    return false;
  library.dist = owner->name;
  library.version = owner->version;
  if (auto version = Version::parse(owner->version))
    library.cuda = tables::lineOf(owner->name, *version, reader.more);
  library.evidence =
      fmt::format("RECORD of {}", llvm::StringRef(owner->metadata).split(".dist-info").first);
  return true;
}

/// `==13.2.78.*` or `==13.2.78`; a range does not identify the release (EV-3).
static bool isExact(const SpecifierSet &specifiers) {
  return llvm::any_of(specifiers.clauses, [](const Specifier &clause) {
    return clause.op == Specifier::Op::Equal || clause.op == Specifier::Op::Arbitrary;
  });
}

static bool pins(llvm::StringRef metadata, llvm::StringRef dist, const Version &version) {
  for (llvm::StringRef line : llvm::split(metadata, '\n')) {
    // An empty line ends the headers; the free-form description follows.
    if (line.trim().empty())
      return false;
    if (!line.consume_front("Requires-Dist:"))
      continue;
    auto requirement = Requirement::parse(line.trim());
    if (requirement && requirement->name == dist && isExact(requirement->specifiers) &&
        requirement->specifiers.contains(version, /*pre=*/true))
      return true;
  }
  return false;
}

void LibraryEvidence::fromMetapackages(LinkedLibrary &library) {
  auto version = Version::parse(library.version);
  const std::string &site = siteOf(library.path);
  if (!version || site.empty() || library.dist.empty())
    return;
  for (const std::string &name : files.list(site)) {
    llvm::StringRef stem = name;
    if (!stem.consume_front("cuda_toolkit-") || !stem.consume_back(".dist-info"))
      continue;
    auto cuda = CudaVersion::parse(stem);
    auto metadata =
        llvm::expectedToOptional(files.read(joinPath(site, name + "/METADATA"), largestEvidence));
    if (!metadata || !cuda || !pins(*metadata, library.dist, *version))
      continue;
    std::string evidence = fmt::format("the pin of cuda_toolkit-{}", stem);
    if (library.cuda.known() && library.cuda != *cuda)
      library.conflict =
          fmt::format("{} says {}, {} says {}", library.evidence, library.cuda, evidence, *cuda);
    library.cuda = *cuda;
    library.evidence = evidence;
  }
  if (!library.conflict.empty())
    library.cuda = {};
}

/// The CUDA release in which a wheel of the component has this version; 0.0 if there is none or if
/// wheels of two releases have it.
static CudaVersion lineOfComponent(llvm::StringRef soname, const Version &version,
                                   const tables::UserTables *more) {
  CudaVersion cuda;
  for (llvm::StringRef dist : distsOf(soname)) {
    CudaVersion line = tables::lineOf(dist, version, more);
    if (line.known() && cuda.known() && line != cuda)
      return {};
    if (line.known())
      cuda = line;
  }
  return llvm::is_contained(tables::majorsOf(soname), cuda.major) ? cuda : CudaVersion{};
}

/// EV-2: in a conda prefix, each package's list of files shows which package owns the library; the
/// package's version is that of the component.
bool LibraryEvidence::fromCondaPackage(LinkedLibrary &library, llvm::StringRef path) {
  std::string prefix = rootOf(path);
  if (prefix.empty() || !siteOf(path).empty())
    return false;
  std::string meta = support::joinPath(prefix, "conda-meta");
  std::string listed = fmt::format("\"{}\"", path.drop_front(prefix.size()).ltrim('/'));
  for (const std::string &name : files.list(meta)) {
    llvm::StringRef stem = name;
    if (!stem.consume_back(".json"))
      continue;
    // Files are named NAME-VERSION-BUILD; only versions that the component can have are read.
    llvm::StringRef number = stem.rsplit('-').first.rsplit('-').second;
    auto version = Version::parse(number);
    CudaVersion cuda =
        version ? lineOfComponent(library.soname, *version, reader.more) : CudaVersion{};
    if (!cuda.known())
      continue;
    auto text = llvm::expectedToOptional(files.read(joinPath(meta, name), largestEvidence));
    if (!text || !llvm::StringRef(*text).contains(listed))
      continue;
    library.version = number.str();
    library.cuda = cuda;
    library.evidence = "conda-meta/" + name;
    return true;
  }
  return false;
}

/// EV-1: the installation root, above which no file counts as evidence; empty if there is none.
std::string LibraryEvidence::rootOf(llvm::StringRef path) {
  std::string conda;
  for (llvm::StringRef folder = parentOf(path); folder.size() > 1; folder = parentOf(folder)) {
    if (folder == "/usr" || folder == home)
      break;
    for (llvm::StringRef mark : {"bin/nvcc", "nvvm", "targets"})
      if (files.stat(joinPath(folder, mark)).exists())
        return folder.str();
    if (conda.empty() && files.stat(joinPath(folder, "conda-meta")).exists())
      conda = folder.str();
  }
  return conda;
}

const LibraryEvidence::HeaderFact &LibraryEvidence::headersAt(const std::string &folder) {
  auto [it, fresh] = headers.try_emplace(folder);
  HeaderFact &fact = it->second;
  if (!fresh)
    return fact;
  llvm::SmallVector<std::string, 3> places = {joinPath(folder, "include/cuda.h")};
  std::string targets = joinPath(folder, "targets");
  for (const std::string &target : files.list(targets))
    places.push_back(joinPath(targets, target + "/include/cuda.h"));
  for (const std::string &place : places) {
    if (!files.stat(place).exists())
      continue;
    HeaderVersion version = readHeaderVersion(place, files);
    // Another package's cuda.h is no evidence.
    fact.found |= version.saysCuda || version.unreadable;
    CudaVersion cuda = version.cuda;
    if (!cuda.known())
      continue;
    if (fact.cuda.known() && fact.cuda != cuda)
      fact.conflict = fmt::format("{} says {}, CUDA_VERSION in {} says {}", fact.evidence,
                                  fact.cuda, place, cuda);
    fact.cuda = cuda;
    fact.evidence = "CUDA_VERSION in " + place;
  }
  return fact;
}

bool LibraryEvidence::fromHeaders(LinkedLibrary &library, llvm::StringRef path) {
  std::string root = siteOf(path);
  if (root.empty())
    root = rootOf(path);
  // EV-4: in a directory shared by wheels, cuda.h belongs to the runtime's wheel and is evidence
  // for it alone.
  else if (!llvm::any_of(distsOf(library.soname), [](llvm::StringRef dist) {
             return dist.starts_with("nvidia-cuda-runtime");
           }))
    return false;
  if (root.empty())
    return false;
  for (llvm::StringRef folder = parentOf(path); folder.size() >= root.size();
       folder = parentOf(folder)) {
    const HeaderFact &fact = headersAt(folder.str());
    if (!fact.found)
      continue;
    library.cuda = fact.conflict.empty() ? fact.cuda : CudaVersion{};
    library.evidence = fact.evidence;
    library.conflict = fact.conflict;
    return true;
  }
  return false;
}

/// EV-5: the release `M.m` in the name of libnvrtc's sibling or in nvJitLink's exported names.
static CudaVersion ownWord(const LinkedLibrary &library, Files &files, const LibraryReader &reader,
                           std::string &evidence) {
  llvm::StringRef soname = library.soname;
  if (soname.starts_with("libnvJitLink.so")) {
    evidence = "the versioned names that it exports";
    return reader.nvJitLinkSuffixOf(library.path);
  }
  // Only in CUDA 11: later SONAMEs of libcupti contain the year or the major version (EV-5).
  if (soname.consume_front("libcupti.so.11.")) {
    evidence = "the SONAME";
    return CudaVersion::parse(library.soname.substr(sizeof("libcupti.so.") - 1))
        .value_or(CudaVersion{});
  }
  if (!soname.starts_with("libnvrtc.so"))
    return {};
  std::string folder = parentOf(files.realPath(library.path).value_or(library.path)).str();
  for (const std::string &name : files.list(folder)) {
    llvm::StringRef rest = name;
    if (rest.consume_front("libnvrtc-builtins.so."))
      if (auto cuda = CudaVersion::parse(rest)) {
        evidence = name + " beside it";
        return *cuda;
      }
  }
  return {};
}

void LibraryEvidence::fromItself(LinkedLibrary &library) {
  std::string evidence;
  CudaVersion cuda = ownWord(library, files, reader, evidence);
  if (!cuda.known())
    return;
  if (!library.cuda.known() && library.conflict.empty()) {
    library.cuda = cuda;
    library.evidence = evidence;
  } else if (library.cuda.known() && library.cuda != cuda) {
    library.conflict =
        fmt::format("{} says {}, {} say {}", library.evidence, library.cuda, evidence, cuda);
  }
}

void LibraryEvidence::fromFileName(LinkedLibrary &library, llvm::StringRef realPath) {
  llvm::StringRef name = nameOf(realPath), number = name.split(".so.").second;
  auto version = Version::parse(number);
  if (!version || version->release.size() < 3)
    return;
  CudaVersion cuda = lineOfComponent(library.soname, *version, reader.more);
  if (!cuda.known())
    return;
  library.cuda = cuda;
  library.version = number.str();
  library.evidence = fmt::format("the file's name, {}", name);
}

/// NVIDIA's archives of cuDNN and others name files by version: libcudnn.so.9.1.0.
static void versionOfFileName(LinkedLibrary &library, llvm::StringRef realPath) {
  llvm::StringRef number = nameOf(realPath).split(".so.").second;
  auto version = Version::parse(number);
  if (!version || version->release.size() < 3)
    return;
  for (llvm::StringRef dist : distsOf(library.soname))
    for (const Version &each : tables::versionsOf(dist))
      if (llvm::ArrayRef(each.release).take_front(3) == llvm::ArrayRef(version->release)) {
        library.version = number.str();
        library.evidence = fmt::format("the file's name, {}", nameOf(realPath));
        return;
      }
}

void LibraryEvidence::identify(LinkedLibrary &library) {
  auto known = tables::runtimeLibrary(library.soname);
  if (!known)
    return;
  std::string real = files.realPath(library.path).value_or(library.path);
  bool owned = fromOwner(library, library.path) || fromOwner(library, real);
  // Libraries such as cuDNN are not part of the toolkit whose directory they were copied into.
  if (known->origin != tables::LibraryOrigin::Toolkit) {
    if (!owned)
      versionOfFileName(library, real);
    return;
  }
  if (!owned && !fromCondaPackage(library, library.path) && !fromCondaPackage(library, real))
    fromHeaders(library, real);
  else if (owned && !library.cuda.known() && library.conflict.empty())
    fromMetapackages(library);
  fromItself(library);
  if (!library.cuda.known() && library.conflict.empty())
    fromFileName(library, real);
}

} // namespace cudacc::probe
