// SPDX-License-Identifier: Apache-2.0
#include "driver/policy/advice/Words.h"
#include "driver/policy/advice/RuntimeFixes.h"
#include "driver/resolve/FetchPlan.h"
#include "driver/support/FetchSize.h"
#include "driver/support/ShellWord.h"
#include "driver/support/Text.h"
#include "driver/versions/Format.h"
#include "driver/versions/Machine.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::policy {

using namespace core;
using namespace versions;

bool exceeds(CudaVersion version, CudaVersion line) {
  return version.major != line.major || version.minor > line.minor;
}

bool buildsFor(const FoundToolkit &toolkit, uint16_t machine) {
  if (machine == 0 || machine == ownMachine().elf)
    return true;
  const Machine *known = machineOfElf(machine);
  return known && llvm::any_of(toolkit.targets, [&](llvm::StringRef target) {
           return llvm::is_contained(known->targets, target);
         });
}

Fact runtimeFact(const Target &target, llvm::StringRef soname) {
  std::string text = target.describe();
  auto row = llvm::find_if(target.libraries, [&](const TargetLibrary &library) {
    return llvm::StringRef(library.soname).starts_with(soname);
  });
  if (row != target.libraries.end())
    text += fmt::format(", which {} {} {}{}",
                        llvm::StringRef(row->origin).starts_with("pinned") ? "pins" : "has",
                        row->dist, row->floats ? ">= " : "", row->version);
  return {"runtime", text};
}

std::string nearbyText(LookAround lookAround, CudaVersion line) {
  std::string found;
  for (const FoundToolkit &near : lookAround())
    if (near.cuda.known() && !exceeds(near.cuda, line))
      support::appendItem(found, near.root);
  return found.empty() ? "" : fmt::format(" (found: {})", found);
}

/// The command that fetches a toolkit for \p target, and what it brings; empty if none is known.
static std::string fetchFix(const Target &target) {
  auto plan = target.declared
                  ? llvm::expectedToOptional(resolve::planFetch(target, {}, versions::ownMachine()))
                  : std::nullopt;
  if (!plan)
    return "";
  std::string command = "cuda-cc toolchain build/cuda";
  for (const Setting<std::string> &each : target.declaredAs)
    if (each.origin.kind != Origin::Kind::File)
      command += fmt::format(" --runtime {}", support::shellWord(each.value));
  return fmt::format("{} --fetch    # nvcc {}: {}", command, plan->line, support::sizeText(*plan));
}

std::vector<std::string> fixesFor(const Target &target, CudaVersion version, LookAround lookAround,
                                  Accepts accepts) {
  std::vector<std::string> fixes;
  std::string use = fmt::format("use a CUDA toolkit <= {}", target.line);
  if (version.major != target.line.major)
    use = fmt::format("use a CUDA {} toolkit <= {}", target.line.major, target.line);
  std::string found = nearbyText(lookAround, target.line);
  fixes.push_back(use + found);
  if (std::string fetch = found.empty() ? fetchFix(target) : ""; !fetch.empty())
    fixes.push_back(std::move(fetch));
  if (std::string runtime = runtimeWith(target, version, accepts); !runtime.empty())
    fixes.push_back(std::move(runtime));
  if (version.major == target.line.major)
    fixes.push_back(target.enforce == Enforce::Symbols
                        ? "set enforce = \"warn\" to build anyway; the manifest records it"
                        : "set enforce = \"symbols\" to check the symbols actually used");
  return fixes;
}

} // namespace cudacc::policy
