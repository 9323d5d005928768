// SPDX-License-Identifier: Apache-2.0
// CC4118: a file that cannot run in the default layout, which nobody declared, but runs in another.
#include "driver/policy/rules/BinaryCase.h"
#include "driver/tables/lookup/Libraries.h"
#include "driver/versions/Format.h"
#include "driver/versions/Requirement.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::policy {

using namespace core;
using namespace versions;
using llvm::StringRef;

/// Whether only CUDA is declared. `cuda==13.0` says which libraries, but not where they are
/// installed. A framework is installed from wheels, so its extensions must find the wheels'
/// libraries.
static bool declaresCudaAlone(const Target &target) {
  return llvm::all_of(target.declaredAs, [](const Setting<std::string> &each) {
    StringRef name = StringRef(each.value).trim().take_while([](char c) {
      return llvm::isAlnum(c) || c == '-' || c == '_' || c == '.' || c == ':' || c == '[';
    });
    return name == "cuda" || name == "driver" || name == "sm";
  });
}

bool asksHere(const FileCase &input) {
  const Target &target = *input.target;
  if (!input.load || input.load->ok() || target.layout.origin || !target.asWheels())
    return false;
  // Files in a wheel or in site-packages are meant for other machines.
  if (!target.find(input.load->missing) || depthOf(input.facts->path, target))
    return false;
  return input.facts->kind == BinaryKind::Executable ||
         (input.facts->kind == BinaryKind::SharedObject && declaresCudaAlone(target));
}

/// A range such as `cuda>=12.4` allows releases newer than its floor.
static bool isDeclared(const Target &target, CudaVersion release) {
  auto version = Version::parse(release.str());
  return version && llvm::any_of(target.declaredAs, [&](const Setting<std::string> &each) {
           auto requirement = Requirement::parse(each.value);
           return requirement && requirement->name == "cuda" &&
                  requirement->specifiers.contains(*version);
         });
}

/// Libraries outside the toolkit (cuDNN, NCCL) have no CUDA release; their SONAME suffices.
static bool isOfLine(const BinaryCase &judged, const LoadStep &step, CudaVersion found) {
  const Target &target = judged.target;
  const TargetLibrary *row = target.find(step.name);
  if (row && !row->cuda.known())
    return true;
  CudaVersion wanted = row ? row->cuda : target.line;
  return found.known() && (found == wanted || (found > wanted && isDeclared(target, found)));
}

bool judgeHere(BinaryCase &judged) {
  const LoadedHere *here = judged.input.here;
  if (!here || !here->load.ok())
    return false;
  std::vector<Fact> taken;
  std::vector<std::string> entries;
  for (const LoadStep &step : here->load.steps) {
    if (!tables::runtimeLibrary(step.name) || step.by == LoadedBy::Root ||
        step.by == LoadedBy::AlreadyLoaded)
      continue;
    auto known = here->releases.find(step.path);
    CudaVersion release = known == here->releases.end() ? CudaVersion() : known->second;
    if (!isOfLine(judged, step, release))
      return false;
    bool ofFile = step.elementOf.empty() || step.elementOf == judged.file.path;
    bool absolute = StringRef(step.element).starts_with("/");
    if (!ofFile || !absolute || !llvm::is_contained(judged.file.needed, step.name))
      continue;
    taken.push_back(
        {"taken", step.path + (release.known() ? fmt::format(", CUDA {}", release) : "")});
    if (!llvm::is_contained(entries, step.element))
      entries.push_back(step.element);
  }
  // The libraries were found only through the linker's cache, not through the file's search path.
  if (entries.empty())
    return false;
  const LoadResult &beside = *judged.input.load;
  Finding &finding =
      judged.add(Code::OtherLayout, "runs here, and not beside the runtime's wheels");
  finding.library = beside.missing;
  finding.origin = judged.target.find(beside.missing)->origin;
  finding.facts = std::move(taken);
  finding.addFact("through", llvm::join(entries, ", "));
  finding.addFact("layout", judged.target.describeLayout());
  finding.addFact("beside wheels", beside.failure);
  finding.addFix(
      fmt::format("layout = \"system:{}\", where it is to run with these", entries.front()));
  finding.addFix("layout = \"wheels\", and link through cuda-cc, where it is to run "
                 "beside wheels");
  judged.entriesOfHere = std::move(entries);
  return true;
}

} // namespace cudacc::policy
