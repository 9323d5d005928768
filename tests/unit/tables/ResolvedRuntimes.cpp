// SPDX-License-Identifier: Apache-2.0
#include "driver/core/Diagnostic.h"
#include "driver/resolve/Resolve.h"
#include "driver/tables/lookup/Frameworks.h"
#include "driver/tables/lookup/Torch.h"
#include "driver/tables/lookup/UserTables.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace cudacc;

// Prints the target of every known release: `resolved_runtimes [FACTS-FILE]`.

static std::vector<std::string> runtimes(const tables::UserTables *more) {
  std::vector<std::string> all;
  for (const tables::TorchRelease &torch : tables::torchReleases(more)) {
    all.push_back("torch>=" + torch.str());
    all.push_back("torch==" + torch.str());
    for (const tables::TorchLine &line : tables::torchLines(torch))
      all.push_back("torch==" + torch.str() + "+" + line.tag.str());
  }
  for (versions::CudaVersion line : tables::toolkitLines(more)) {
    all.push_back("cuda>=" + line.str());
    all.push_back("cuda==" + line.str());
  }
  for (const tables::ToolkitRelease &release : tables::toolkitReleases(more))
    all.push_back("cuda==" + release.str());
  for (const tables::FrameworkName &name : tables::frameworkNames())
    for (const tables::FrameworkRun &run : tables::frameworkRuns(name, more)) {
      all.push_back(name.str() + "==" + run.first.str());
      for (llvm::StringRef release : run.read)
        all.push_back(name.str() + "==" + release.str());
    }
  return all;
}

static void print(const core::Target &target, const tables::UserTables *more) {
  llvm::outs() << "  " << target.line.str() << ' ' << target.release << ' ' << target.torch << ' '
               << target.driverFloor << ' ' << llvm::join(target.portableAs, ",") << ' '
               << llvm::join(target.torchReleases, ",") << '\n';
  for (const core::TargetLibrary &each : target.libraries) {
    llvm::outs() << "  " << each.soname << ' ' << each.dist << ' ' << each.version.str() << ' '
                 << each.cuda.str() << ' ' << each.floats << ' ' << each.origin << ' '
                 << each.folder << ' ' << llvm::join(each.otherFolders, ",") << ", of";
    for (const tables::ToolkitRelease &release : tables::releasesOf(each.dist, each.version, more))
      llvm::outs() << ' ' << release.str();
    llvm::outs() << '\n';
  }
}

int main(int argc, char **argv) {
  std::optional<tables::UserTables> more;
  if (argc > 1) {
    auto text = llvm::MemoryBuffer::getFile(argv[1]);
    auto read = tables::readUserTables(text ? (*text)->getBuffer() : "", argv[1]);
    if (!read) {
      core::Finding finding = core::toFinding(read.takeError());
      llvm::errs() << finding.message << ": " << finding.facts.front().text << '\n';
      return 1;
    }
    more = std::move(*read);
  }
  const tables::UserTables *rows = more ? &*more : nullptr;
  for (const tables::TorchRelease &torch : tables::torchReleases(rows))
    llvm::outs() << torch.str() << ' ' << torch.defaultLine.str() << ' ' << torch.withoutCuda
                 << '\n';
  for (const std::string &runtime : runtimes(rows)) {
    llvm::outs() << runtime << '\n';
    core::Declaration declaration;
    declaration.runtime.push_back({runtime, {}});
    if (auto target = resolve::resolve(declaration, rows))
      print(*target, rows);
    else
      llvm::outs() << "  " << core::toFinding(target.takeError()).message << '\n';
  }
  return 0;
}
