// SPDX-License-Identifier: Apache-2.0
#include "driver/explain/MessageValues.h"
#include "driver/explain/MessageVersions.h"
#include "driver/policy/advice/RuntimeFixes.h"
#include "driver/policy/advice/Words.h"
#include "driver/tables/lookup/Libraries.h"
#include "driver/tables/lookup/Torch.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::explain {

using namespace core;
using namespace versions;
using llvm::StringRef;

/// `torch 2.1.0 to 2.10.0`: releases whose PyPI wheels are for one of the majors. \p last: only the
/// newest, as a requirement; empty if newer torch releases are for these majors too.
static std::string torchOf(llvm::ArrayRef<unsigned> majors, bool last) {
  std::string first, newest;
  bool open = false;
  for (const tables::TorchRelease &release : tables::torchReleases()) {
    open = llvm::is_contained(majors, release.defaultLine.major);
    if (!open)
      continue;
    newest = release.str();
    first = first.empty() ? newest : first;
  }
  if (first.empty())
    return "";
  if (last)
    return open ? "" : "torch==" + newest;
  return open ? fmt::format("torch {} and newer", first)
              : fmt::format("torch {} to {}", first, newest);
}

/// `"nvidia-cudnn-cu12==8.*"`: the distribution that has the library in that CUDA major, with the
/// versions where others have it under another name. Empty if none has it.
static std::string wheelWith(StringRef soname, unsigned major) {
  StringRef dist = tables::distOf(soname, major);
  if (dist.empty())
    return "";
  auto versions = tables::versionsOf(dist);
  auto has = [&](const Version &version) {
    return llvm::is_contained(tables::sonamesOf(dist, version), soname);
  };
  auto last = std::find_if(versions.rbegin(), versions.rend(), has);
  if (last == versions.rbegin() || last == versions.rend())
    return dist.str();
  // As many numbers as it takes to leave out the versions without it.
  std::string prefix;
  for (size_t count = 1; count <= last->release.size(); ++count) {
    auto begin = llvm::ArrayRef(last->release).take_front(count);
    prefix += fmt::format("{}{}", prefix.empty() ? "" : ".", begin.back());
    if (llvm::all_of(versions, [&](const Version &version) {
          return llvm::ArrayRef(version.release).take_front(count) != begin || has(version);
        }))
      break;
  }
  return fmt::format("\"{}=={}.*\"", dist, prefix);
}

std::string MessageValues::libraryValue(const MessagePlaceholder &placeholder,
                                        StringRef key) const {
  StringRef soname = placeholder.value;
  auto majors = tables::majorsOf(soname);
  if (key == "runtime")
    return runtime ? fmt::format("{}: CUDA {}", runtime->describe(), runtime->line) : "";
  if (key == "name") {
    auto known = tables::libraryByFileName(soname);
    return known ? known->name.str() : "";
  }
  bool isOfRuntime = runtime && llvm::is_contained(majors, runtime->line.major);
  if (key == "change") {
    auto accepts = [&](StringRef requirement) { return isHadBy(requirement); };
    return runtime && !majors.empty()
               ? textOf(policy::runtimeServing(*runtime, {}, majors.back(), accepts))
               : "";
  }
  if (key == "framework")
    return majors.empty() ? "" : frameworkLoading(tables::distOf(soname, majors.back()));
  if (key == "otherline")
    return runtime && !isOfRuntime ? runtime->line.str() : "";
  bool isUndeclared = key == "onemajor" || key == "severalmajors" || key == "anywheel";
  if (key == "nomajor")
    return majors.empty() && !runtime ? soname.str() : "";
  if ((isUndeclared && runtime) || key == (majors.size() == 1 ? "severalmajors" : "onemajor"))
    return "";
  if ((key == "ownwheel" && !isOfRuntime) || (key == "otherwheel" && (!runtime || isOfRuntime)))
    return "";
  if (key == "other") {
    auto known = tables::libraryByFileName(soname);
    if (!runtime || !known)
      return "";
    std::vector<std::string> others;
    for (StringRef other : tables::sonamesOf(known->name, runtime->line.major))
      others.push_back(other.str());
    return eachOf(others);
  }
  std::vector<std::string> texts;
  for (unsigned major : majors)
    if (key != "ownwheel" || major == runtime->line.major)
      texts.push_back(key == "wheel"           ? tables::distOf(soname, major).str()
                      : key.ends_with("wheel") ? wheelWith(soname, major)
                                               : fmt::format("{}", major));
  if (key.ends_with("wheel") || key == "majors" || isUndeclared)
    return eachOf(texts);
  // If a CUDA line is declared, no framework is suggested.
  bool isByLine = runtime && policy::isDeclaredByLine(*runtime);
  return isByLine ? "" : torchOf(majors, key == "lasttorch");
}

} // namespace cudacc::explain
