// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/link/FindLinker.h"
#include "driver/binary/Reader.h"
#include "driver/cache/Store.h"
#include "driver/pipeline/Compilers.h"
#include "driver/probe/host/Driver.h"
#include "driver/process/DiskTree.h"
#include "driver/process/LibraryOutline.h"
#include "driver/process/Process.h"
#include "driver/support/Paths.h"
#include "driver/tables/lookup/Device.h"
#include "driver/tables/lookup/Libraries.h"
#include "driver/tables/lookup/Toolkits.h"
#include "driver/versions/Format.h"
#include "driver/versions/Machine.h"

namespace cudacc::commands {

using namespace core;
using namespace versions;
using support::joinPath;

/// An nvJitLink without this function is older than 12.3 (PB-2).
static constexpr llvm::StringLiteral versionFunction = "nvJitLinkVersion";
/// What 12.0 to 12.2 export, which have no version function.
static constexpr llvm::StringLiteral firstCreate = "__nvJitLinkCreate_12_0";

namespace {

class LinkerSearch {
public:
  LinkerSearch(pipeline::System &system, const Declaration &declaration, const Target *target,
               const ToolchainDirectory *directory)
      : system(system), declaration(declaration), target(target), directory(directory),
        disk(system.files), process(disk, ownMachine().elf, system.files.workingDirectory()) {
    process.surround(loader::libraryPath(system.environment.get("LD_LIBRARY_PATH").value_or("")),
                     {});
  }
  FoundLinkers run();

private:
  pipeline::System &system;
  const Declaration &declaration;
  const Target *target;
  const ToolchainDirectory *directory;
  process::DiskTree disk;
  process::Process process;
  std::optional<Toolkit> toolkit;
  FoundLinkers found;

  bool isFile(const std::string &path) {
    return system.files.stat(path).kind == FileStatus::Kind::Regular;
  }
  std::vector<llvm::StringRef> wantedNames(llvm::StringRef linkName) const;
  void findToolkit();
  std::string inToolkit(llvm::StringRef soname);
  std::string onSystem(llvm::StringRef soname) const;
  void findNvJitLink();
  void readNvJitLink();
  void findPackers();
  void findDriver();
};

} // namespace

/// SONAMEs of the library, newest CUDA major first.
std::vector<llvm::StringRef> LinkerSearch::wantedNames(llvm::StringRef linkName) const {
  std::vector<llvm::StringRef> names;
  auto add = [&](unsigned major) {
    for (llvm::StringRef soname : tables::sonamesOf(linkName, major))
      if (!llvm::is_contained(names, soname))
        names.push_back(soname);
  };
  if (target && target->line.known()) {
    add(target->line.major);
    return names;
  }
  const std::vector<CudaVersion> lines = tables::toolkitLines();
  for (CudaVersion line : llvm::reverse(lines))
    add(line.major);
  return names;
}

/// A missing toolkit is no error: nvJitLink may lie elsewhere.
void LinkerSearch::findToolkit() {
  auto nvcc = llvm::expectedToOptional(
      pipeline::findCompiler(system, Invocation(), declaration, directory));
  if (!nvcc)
    return;
  cache::Store store(system.environment, system.files, system.uid);
  toolkit = llvm::expectedToOptional(
      pipeline::readToolkit(system, store, nvcc->compiler, nvcc->foundBy, nvcc->driver));
}

std::string LinkerSearch::inToolkit(llvm::StringRef soname) {
  if (!toolkit)
    return {};
  std::vector<std::string> folders = toolkit->libraryDirs;
  for (const char *folder : {"lib64", "lib"})
    folders.push_back(joinPath(toolkit->root, folder));
  for (const std::string &folder : folders)
    if (std::string path = joinPath(folder, soname); isFile(path))
      return path;
  return {};
}

std::string LinkerSearch::onSystem(llvm::StringRef soname) const {
  LoadResult load = process.find(soname, "");
  return load.ok() && !load.steps.empty() ? load.steps.front().path : std::string();
}

void LinkerSearch::findNvJitLink() {
  policy::NvJitLinkFacts &facts = found.nvJitLink;
  std::vector<llvm::StringRef> names = wantedNames("nvJitLink");
  for (llvm::StringRef soname : names)
    if (const TargetLibrary *row = target ? target->find(soname) : nullptr;
        row && !row->path.empty() && isFile(row->path)) {
      facts.path = row->path;
      facts.origin = row->dist;
      if (!row->version.release.empty())
        facts.origin = fmt::format("{} {}", row->dist, row->version);
      return;
    }
  for (llvm::StringRef soname : names)
    if (std::string path = inToolkit(soname); !path.empty()) {
      facts.path = std::move(path);
      facts.origin = fmt::format("toolkit {}", toolkit->root);
      return;
    }
  for (llvm::StringRef soname : names)
    if (std::string path = onSystem(soname); !path.empty()) {
      facts.path = std::move(path);
      facts.origin = "found by the loader";
      return;
    }
  if (target)
    facts.wanted = target->line;
  if (names.empty() && target && target->line.known())
    facts.reason = fmt::format("CUDA {} has none", target->line);
  else if (!names.empty())
    facts.reason =
        fmt::format("no {} in the runtime, the toolkit or the loader's directories", names.front());
}

/// The release by the exported names; the library itself is asked by the process that links.
void LinkerSearch::readNvJitLink() {
  policy::NvJitLinkFacts &facts = found.nvJitLink;
  if (facts.path.empty())
    return;
  auto fail = [&](std::string reason) {
    facts.state = policy::NvJitLinkFacts::State::Failed;
    facts.reason = std::move(reason);
  };
  auto file = system.files.open(facts.path);
  if (!file)
    return fail(toFinding(file.takeError()).message);
  binary::ReadOptions options;
  options.exports = true;
  options.imports = options.thorough = false;
  auto read = binary::read(**file, facts.path, options);
  if (!read)
    return fail(toFinding(read.takeError()).message);
  if (read->machine != ownMachine().elf)
    return fail("it is for another machine");
  auto exports = [&](llvm::StringRef symbol) {
    return llvm::any_of(read->exports, [&](const Export &each) { return each.symbol == symbol; });
  };
  if (!exports(versionFunction)) {
    if (!exports(firstCreate))
      return fail("it has no functions of nvJitLink");
    facts.state = policy::NvJitLinkFacts::State::TooOld;
    return;
  }
  CudaVersion version = process::newestNvJitLink(system.files, facts.path);
  if (!version.known())
    return fail("its release cannot be determined");
  facts.state = policy::NvJitLinkFacts::State::Known;
  facts.version = version;
}

void LinkerSearch::findPackers() {
  std::vector<llvm::StringRef> names = wantedNames("nvfatbin");
  auto use = [&](std::string path) {
    if (found.nvFatbin.empty() && !path.empty() && isFile(path))
      found.nvFatbin = std::move(path);
  };
  for (llvm::StringRef soname : names) {
    const TargetLibrary *row = target ? target->find(soname) : nullptr;
    use(row ? row->path : std::string());
    use(inToolkit(soname));
    use(onSystem(soname));
  }
  if (toolkit)
    if (std::string path = joinPath(toolkit->root, "bin/fatbinary"); system.files.executable(path))
      found.fatbinary = std::move(path);
}

void LinkerSearch::findDriver() {
  probe::RunningDriver running = probe::readDriver(onSystem("libcuda.so.1"), system.files);
  if (running.present())
    found.driverLibrary = running.path;
  using State = policy::DriverFacts::State;
  policy::DriverFacts &facts = found.driver;
  if (target && !target->driver.empty()) {
    facts = {State::Known, target->driverCuda, target->driver, true};
    found.driverOrigin = "declared";
    return;
  }
  facts.state = running.present() ? State::Known : State::Absent;
  facts.release = running.release;
  found.driverOrigin = running.evidence;
  if (auto release = Version::parse(running.release))
    if (auto cuda = tables::cudaOfDriver(*release))
      facts.cuda = cuda->cuda;
}

FoundLinkers LinkerSearch::run() {
  findToolkit();
  findNvJitLink();
  readNvJitLink();
  findPackers();
  findDriver();
  return std::move(found);
}

FoundLinkers findLinkers(pipeline::System &system, const Declaration &declaration,
                         const Target *target, const ToolchainDirectory *directory) {
  return LinkerSearch(system, declaration, target, directory).run();
}

} // namespace cudacc::commands
