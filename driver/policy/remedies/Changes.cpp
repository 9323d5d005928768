// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/advice/Words.h"
#include "driver/policy/remedies/Remedies.h"
#include "driver/tables/lookup/Libraries.h"
#include "driver/tables/lookup/Symbols.h"
#include "driver/tables/lookup/Toolkits.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::policy {

using namespace core;
using namespace versions;
using llvm::StringRef;

BinaryFacts relinked(const BinaryFacts &file, const Change &change) {
  BinaryFacts out = file;
  for (const auto &[from, to] : change.renamed) {
    std::replace(out.needed.begin(), out.needed.end(), from, to);
    std::replace(out.versionFiles.begin(), out.versionFiles.end(), from, to);
    for (Import &import : out.imports)
      if (import.file == from)
        import.file = to;
  }
  for (const std::string &name : change.needed)
    if (!llvm::is_contained(out.needed, name))
      out.needed.insert(out.needed.begin(), name);
  if (!change.rpath.empty()) {
    out.rpath = change.rpath;
    out.runpath.clear();
    out.hasRpath = true;
    out.hasRunpath = false;
  }
  return out;
}

/// The SONAME of the same library in another major; the name itself if it is in that major already
/// or not a CUDA library.
static std::string inMajor(StringRef soname, unsigned major) {
  auto known = tables::runtimeLibrary(soname);
  auto majors = tables::majorsOf(soname);
  if (!known || llvm::is_contained(majors, major))
    return soname.str();
  auto names = tables::sonamesOf(known->name, major);
  return names.empty() ? soname.str() : names.front().str();
}

/// Whether the import was added by a release newer than the toolkit.
static bool isNewer(const Import &import, StringRef soname, CudaVersion toolkit) {
  if (auto suffix = tables::nvJitLinkSuffix(import.symbol))
    return exceeds(*suffix, toolkit);
  auto release = tables::newestRelease(toolkit);
  StringRef dist = tables::distOf(soname, toolkit.major);
  auto table = tables::SymbolTable::find(soname, toolkit.major, dist);
  if (!release || !table)
    return false;
  auto version = Version::parse(tables::componentVersion(*release, dist));
  return version && table->exported(*version, import.symbol) == Exported::No;
}

BinaryFacts rebuilt(const BinaryFacts &file, CudaVersion toolkit, const Target &) {
  BinaryFacts out = file;
  for (std::string &needed : out.needed)
    needed = inMajor(needed, toolkit.major);
  for (std::string &name : out.versionFiles)
    name = inMajor(name, toolkit.major);
  for (Import &import : out.imports) {
    std::string name = inMajor(import.file, toolkit.major);
    // The version node of NVIDIA's libraries equals their SONAME (SY-1).
    if (import.version == import.file)
      import.version = name;
    import.file = name;
  }
  llvm::erase_if(out.imports, [&](const Import &import) {
    return tables::libraryByFileName(import.file) && isNewer(import, import.file, toolkit);
  });
  return out;
}

} // namespace cudacc::policy
