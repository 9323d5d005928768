// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/coherence/GuardEnvironment.h"
#include "driver/policy/advice/RuntimeFixes.h"
#include "driver/resolve/InstalledCuda.h"
#include "driver/support/ShellWord.h"
#include "driver/tables/lookup/Libraries.h"
#include "driver/tables/lookup/Toolkits.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::policy {

using namespace core;
using namespace versions;
using llvm::StringRef;
using tables::LibraryOrigin;

/// EV-5: the SONAME contains the minor version and takes precedence over the wheel's metadata.
static CudaVersion lineOfBuiltins(StringRef soname) {
  if (!soname.consume_front("libnvrtc-builtins.so."))
    return {};
  return CudaVersion::parse(soname).value_or(CudaVersion{});
}

static Item itemOf(const resolve::PlacedLibrary &placed) {
  const InstalledLibrary &library = *placed.library;
  Item item;
  item.name = tables::libraryByFileName(library.soname)->name.str();
  item.path = library.path;
  item.soname = library.soname;
  item.dist = placed.dist.str();
  item.version = placed.version;
  item.cuda = placed.line;
  item.major = placed.major;
  item.evidence = library.metadata;
  if (CudaVersion line = lineOfBuiltins(library.soname); line.known()) {
    item.cuda = line;
    item.evidence = library.soname;
  }
  return item;
}

/// Drops NVRTC built-ins of another minor if a copy that matches NVRTC exists: nothing loads them.
static void dropIdleBuiltins(std::vector<Item> &items) {
  auto nvrtc = llvm::find_if(items, [](const Item &item) { return item.name == "nvrtc"; });
  if (nvrtc == items.end())
    return;
  CudaVersion line = nvrtc->cuda;
  auto isBuiltins = [](const Item &item) { return item.name == "nvrtc-builtins"; };
  if (llvm::any_of(items, [&](const Item &item) { return isBuiltins(item) && item.cuda == line; }))
    llvm::erase_if(items, [&](const Item &item) { return isBuiltins(item) && item.cuda != line; });
}

/// Run-time compilation finds the CUDA headers in the runtime's wheel.
static void addHeaders(const PythonEnvironment &environment, const Target &target,
                       const tables::UserTables *more, std::vector<Item> &items) {
  for (const InstalledDistribution &each : environment.distributions) {
    auto version = Version::parse(each.version);
    if (!StringRef(each.name).starts_with("nvidia-cuda-runtime") || !version)
      continue;
    Item item;
    item.kind = tables::PartKind::Header;
    item.name = "cudart";
    item.path = fmt::format("{}/{}", each.where, each.metadata);
    item.dist = each.name;
    item.version = *version;
    item.cuda = tables::lineOf(each.name, *version, more);
    item.evidence = each.metadata;
    if (item.cuda.major == target.line.major)
      items.push_back(std::move(item));
  }
}

/// The line that puts the wheel of the runtime's CUDA major in the place of another major's, which
/// writes the same files.
static std::string replacing(const Item &wrong, const PythonEnvironment &environment,
                             const Target &target) {
  StringRef right = tables::distOf(wrong.soname, target.line.major);
  auto there = llvm::find_if(environment.distributions,
                             [&](const InstalledDistribution &each) { return each.name == right; });
  bool isThere = there != environment.distributions.end();
  std::string version = versionFor(target, right, target.line);
  if (version.empty() && isThere)
    version = there->version;
  return fmt::format(
      "pip uninstall -y {}{}{} && pip install --force-reinstall --no-deps {}",
      support::shellWord(wrong.dist), isThere ? " " : "", isThere ? right : "",
      support::shellWord(fmt::format("{}{}{}", right, version.empty() ? "" : "==", version)));
}

/// Adds the command to a finding that a wheel is of another CUDA major.
static void addReplacing(llvm::ArrayRef<Item> items, const PythonEnvironment &environment,
                         const Target &target, Finding &finding) {
  for (const Item &item : items)
    if (item.soname == finding.library && item.major && item.major != target.line.major &&
        !tables::distOf(item.soname, target.line.major).empty())
      return finding.addFix(replacing(item, environment, target));
  finding.addFix(
      fmt::format("install the wheel of {} for CUDA {}", finding.library, target.line.major));
}

std::vector<Finding> judgeEnvironment(const PythonEnvironment &environment, const Target &target,
                                      const tables::UserTables *more) {
  std::vector<Item> items;
  auto libraries = resolve::placedLibraries(environment, more);
  for (const resolve::PlacedLibrary &placed : libraries) {
    const InstalledLibrary &library = *placed.library;
    const TargetLibrary *row = target.find(library.soname);
    // Only the library that is loaded, or one of another major that took its place; nothing loads
    // other copies.
    bool stranger = !row && placed.major && placed.major != target.line.major &&
                    tables::libraryByFileName(library.soname)->origin == LibraryOrigin::Other;
    if (stranger || (row && row->path == library.path))
      items.push_back(itemOf(placed));
  }
  dropIdleBuiltins(items);
  addHeaders(environment, target, more, items);
  auto findings = judgeItems(tables::Side::Run, items, target);
  // At most warnings: the target's rows state the installed versions, which are loaded in any case.
  for (Finding &finding : findings)
    if (finding.code == Code::Variant)
      addReplacing(items, environment, target, finding);
    else
      finding.severity = std::min(finding.severity, Severity::Warning);
  return findings;
}

} // namespace cudacc::policy
