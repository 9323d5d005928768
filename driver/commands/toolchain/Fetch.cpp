// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/toolchain/Fetch.h"
#include "driver/pipeline/AddedFacts.h"
#include "driver/pipeline/Compilers.h"
#include "driver/pipeline/Declared.h"
#include "driver/pipeline/Environments.h"
#include "driver/pipeline/Fetched.h"
#include "driver/pipeline/System.h"
#include "driver/probe/toolkit/LinkHelper.h"
#include "driver/report/json/Json.h"
#include "driver/resolve/FetchPlan.h"
#include "driver/support/FetchSize.h"
#include "driver/support/Json.h"
#include "driver/support/PathSearch.h"
#include "driver/support/Paths.h"
#include "driver/support/Text.h"
#include "driver/tables/lookup/Fetched.h"
#include "driver/versions/Format.h"
#include "driver/versions/Machine.h"
#include "driver/versions/PlaceRequirement.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::commands {

using namespace core;
using llvm::StringRef;

static constexpr unsigned deepest = 3;
/// A build file is no larger; another is none.
static constexpr uint64_t largest = 1 << 20;

static bool isBuildFile(StringRef name) {
  static constexpr StringRef names[] = {"CMakeLists.txt", "GNUmakefile", "Makefile",
                                        "makefile",       "meson.build", "pyproject.toml",
                                        "setup.cfg",      "setup.py"};
  return llvm::is_contained(names, name) || name.ends_with(".cmake") || name.ends_with(".mk");
}

static bool isWordCharacter(char c) { return llvm::isAlnum(c) || c == '_'; }

/// Whether what stands before and behind a word makes it a library's name.
static bool isNamedAs(StringRef before, StringRef behind) {
  if (before.ends_with("CUDA::") || before.ends_with("-l"))
    return true;
  for (StringRef quote : {"'", "\""})
    if (before.ends_with(quote) && behind.starts_with(quote))
      return true;
  return false;
}

namespace {

class Search {
public:
  Search(pipeline::System &system, const std::string &project, unsigned major)
      : system(system), project(project), major(major) {}

  void enter(const std::string &folder, unsigned depth);
  std::vector<NamedPart> found;

private:
  pipeline::System &system;
  const std::string &project;
  unsigned major;

  void readFile(const std::string &path);
  void readLine(StringRef line, StringRef path, size_t number);
};

} // namespace

void Search::readLine(StringRef line, StringRef path, size_t number) {
  line = line.take_until([](char c) { return c == '#'; });
  bool isComponents = line.contains("find_package(CUDAToolkit");
  for (size_t at = 0; at < line.size();) {
    StringRef word = line.substr(at).take_while(isWordCharacter);
    // -lcublas is one word of letters.
    bool isOption = at > 0 && line[at - 1] == '-' && word.starts_with("l");
    StringRef name = word.drop_front(isOption ? 1 : 0);
    StringRef before = line.take_front(at + (isOption ? 1 : 0));
    if (!name.empty() && (isComponents || isNamedAs(before, line.substr(at + word.size()))))
      if (StringRef part = tables::partOfLibrary(name, major);
          !part.empty() &&
          llvm::none_of(found, [&](const auto &each) { return each.part == part; }))
        found.push_back({part.str(), fmt::format("{}:{}", path, number)});
    at += std::max<size_t>(word.size(), 1);
  }
}

void Search::readFile(const std::string &path) {
  auto text = llvm::expectedToOptional(system.files.read(path, largest));
  if (!text)
    return;
  StringRef shown = StringRef(path).drop_front(project.size()).ltrim('/');
  size_t number = 0;
  for (StringRef line : llvm::split(*text, '\n'))
    readLine(line, shown, ++number);
}

void Search::enter(const std::string &folder, unsigned depth) {
  std::vector<std::string> names = system.files.list(folder);
  // Those of builds and environments.
  for (StringRef name : {"CMakeCache.txt", "pyvenv.cfg", "build.ninja", "cuda-cc.facts"})
    if (llvm::is_contained(names, name))
      return;
  for (const std::string &name : names) {
    std::string path = support::joinPath(folder, name);
    if (isBuildFile(name))
      readFile(path);
    else if (depth < deepest && name.front() != '.' &&
             system.files.stat(path).kind == FileStatus::Kind::Directory)
      enter(path, depth + 1);
  }
}

/// The parts that the build files of \p project name, each once: CMake's targets (`CUDA::cublas`),
/// `-lcublas`, components of `find_package(CUDAToolkit)`, and the library as a quoted word, as in
/// `libraries=["cublas"]`. Folders of builds and environments are left out, and what lies deeper
/// than three folders. Empty if \p project has no build file itself. \p major: of CUDA.
static std::vector<NamedPart> partsNamedBy(pipeline::System &system, const std::string &project,
                                           unsigned major) {
  Search search(system, project, major);
  // Elsewhere, such as in a home folder, it would be a long search for other projects.
  if (llvm::any_of(system.files.list(project), isBuildFile))
    search.enter(project, 0);
  return std::move(search.found);
}

static constexpr llvm::StringLiteral licenseName = "NVIDIA's license of the CUDA toolkit";
static constexpr llvm::StringLiteral licenseText = "https://docs.nvidia.com/cuda/eula/";
static constexpr llvm::StringLiteral acceptedName = "accepted-licenses";

report::FetchReport FetchedToolkit::report() const {
  report::FetchReport report;
  report.nvcc = nvcc;
  if (!nvcc.empty())
    return report;
  report.plan = &plan;
  report.named = support::joined(named, ", ", [](const NamedPart &each) {
    return fmt::format("{} in {}", each.part, each.place);
  });
  report.folder = folder;
  report.isKept = isKept;
  report.base = base;
  report.license = licenseName;
  report.licenseText = licenseText;
  report.isAccepted = isAccepted;
  return report;
}

/// Empty if the declared environment has none.
static std::string nvccOfEnvironment(pipeline::System &system, Declaration declaration) {
  auto isEnvironment = [](const Setting<std::string> &each) {
    auto place = versions::PlaceRequirement::parse(each.value);
    return place && place->kind == versions::PlaceRequirement::Kind::Environment;
  };
  if (llvm::none_of(declaration.runtime, isEnvironment))
    return "";
  declaration.toolkit.value = "env";
  auto found = llvm::expectedToOptional(pipeline::findDeclaredNvcc(system, declaration));
  if (!found || pipeline::elfMachineOf(system.files, found->path) != versions::ownMachine().elf)
    return "";
  return found->path;
}

static bool isAccepted(pipeline::System &system, StringRef cache) {
  if (system.environment.getOr("CUDA_CC_ACCEPT_LICENSE") == "1")
    return true;
  auto text = llvm::expectedToOptional(system.files.read(support::joinPath(cache, acceptedName)));
  return text && StringRef(*text).contains(licenseText);
}

static llvm::Expected<std::vector<FetchPlan>> readLock(pipeline::System &system,
                                                       const std::string &path) {
  FileStatus status = path.empty() ? FileStatus() : system.files.stat(path);
  if (!status.exists() && !status.unreachable)
    return std::vector<FetchPlan>();
  auto text = system.files.read(path);
  if (!text)
    return text.takeError();
  return resolve::readFetchLock(*text, path);
}

/// Whether a locked plan has an nvcc that runs here, and libraries for \p machine.
static bool isFor(const FetchPlan &plan, const versions::Machine &machine) {
  StringRef own = versions::ownMachine().name;
  StringRef other = machine.name == own ? "" : machine.name;
  return plan.machine == own &&
         llvm::all_of(plan.parts,
                      [&](const FetchPart &part) {
                        return part.machine.empty() || part.machine == other;
                      }) &&
         (other.empty() ||
          llvm::any_of(plan.parts, [](const FetchPart &part) { return !part.machine.empty(); }));
}

/// Fills `plan` and `named` of \p toolkit, and `isLocked`.
static llvm::Error choosePlan(pipeline::System &system, cache::Store &store,
                              const Declaration &declaration, const FetchOptions &options,
                              FetchedToolkit &toolkit) {
  const versions::Machine *other = options.request.compilesFor;
  const versions::Machine &machine = other ? *other : versions::ownMachine();
  auto target = pipeline::resolveDeclaration(system, store, declaration, machine);
  if (!target)
    return target.takeError();
  auto locked = readLock(system, options.lock);
  if (!locked)
    return locked.takeError();
  for (FetchPlan &each : *locked)
    if (isFor(each, machine)) {
      if (llvm::Error error = resolve::checkLocked(each, *target, options.request, options.lock))
        return error;
      toolkit.isLocked = true;
      toolkit.plan = std::move(each);
      return llvm::Error::success();
    }
  auto more = pipeline::readUserTables(system, declaration);
  if (!more)
    return more.takeError();
  resolve::FetchRequest request = options.request;
  if (!llvm::is_contained(request.with, "none")) {
    toolkit.named = partsNamedBy(system, system.files.workingDirectory(), target->line.major);
    for (const NamedPart &each : toolkit.named)
      request.named.push_back(each.part);
  }
  if (llvm::Error error =
          resolve::planFetch(*target, request, versions::ownMachine(), *more ? &**more : nullptr)
              .moveInto(toolkit.plan))
    return error;
  return llvm::Error::success();
}

llvm::Expected<FetchedToolkit> planToolkit(pipeline::System &system, cache::Store &store,
                                           const Declaration &declaration,
                                           const FetchOptions &options) {
  FetchedToolkit toolkit;
  toolkit.lock = options.lock;
  toolkit.nvcc = nvccOfEnvironment(system, declaration);
  if (!toolkit.nvcc.empty())
    return toolkit;
  if (llvm::Error error = choosePlan(system, store, declaration, options, toolkit))
    return error;
  std::string cache = pipeline::cachePlace(system.environment);
  if (cache.empty())
    return makeError(Code::FetchFailed, "there is no place for a toolkit",
                     {{"searched", "XDG_CACHE_HOME, HOME"}}, {"set XDG_CACHE_HOME"});
  auto kept = pipeline::fetchedToolkit(system, cache, toolkit.plan);
  if (!kept)
    return kept.takeError();
  toolkit.isKept = !kept->empty();
  toolkit.folder = support::joinPath(pipeline::toolkitsPlace(cache), toolkit.plan.key);
  toolkit.isAccepted = options.accepts || isAccepted(system, cache);
  toolkit.base = system.environment.getOr("CUDA_CC_REDIST_URL").str();
  return toolkit;
}

static llvm::Error notAccepted(const FetchedToolkit &toolkit, StringRef again) {
  return makeError(Code::LicenseNotAccepted, "NVIDIA's license is not accepted yet",
                   {{"license", fmt::format("{}, {}", licenseName, licenseText)},
                    {"would fetch", fmt::format("CUDA {}: {}", toolkit.plan.release,
                                                support::sizeText(toolkit.plan))}},
                   {fmt::format("{} --accept-license", again), "CUDA_CC_ACCEPT_LICENSE=1"});
}

static llvm::Error noBase(const FetchedToolkit &toolkit) {
  return makeError(
      Code::FetchFailed, "where NVIDIA's archives lie is not set",
      {{"needed for",
        fmt::format("nvcc of CUDA {}, of which there are no wheels", toolkit.plan.release)},
       {"archives",
        "NVIDIA's redistributable archives: the folder with redistrib_*.json, or a mirror"}},
      {"export CUDA_CC_REDIST_URL=URL (https://, http:// or file://)",
       "install nvcc otherwise, such as by apt-get install nvidia-cuda-toolkit, then: --toolkit "
       "PATH"});
}

/// The error that the helper reports.
static llvm::Error reported(const support::Value &error) {
  std::vector<Fact> facts;
  for (const support::Value &fact : error.listAt("facts"))
    if (auto pair = fact.texts(); pair.size() == 2)
      facts.push_back({pair[0].str(), pair[1].str()});
  std::vector<std::string> fixes;
  if (const support::Value *list = error.find("fixes"))
    for (StringRef fix : list->texts())
      fixes.push_back(fix.str());
  return makeError(Code::FetchFailed, error.textAt("message").str(), std::move(facts),
                   std::move(fixes));
}

/// Runs the helper, which reads the plan from stdin and answers on stdout; its progress is on
/// stderr.
static llvm::Error runHelper(pipeline::System &system, const FetchedToolkit &toolkit) {
  std::string helper = probe::fetchHelperOf(system.self);
  std::string python = support::findProgram("python3", system.environment, system.files);
  if (python.empty() || !system.files.stat(helper).exists())
    return makeError(Code::FetchFailed,
                     python.empty() ? "fetching needs Python 3.9 or later"
                                    : "the program that fetches is not installed",
                     {{"searched", python.empty() ? "python3 on PATH" : helper}},
                     {python.empty() ? "apt-get install python3" : "install cuda-cc again"});
  llvm::json::Object request{{"plan", report::toJson(toolkit.plan)},
                             {"folder", llvm::json::fixUTF8(toolkit.folder)},
                             {"base", llvm::json::fixUTF8(toolkit.base)},
                             {"hashes", !toolkit.lock.empty()}};
  Command command;
  command.program = support::absolute(python, system.files);
  command.argv = {command.program, "-I", "-B", helper};
  command.input = report::print(std::move(request), /*compact=*/true);
  command.showsErrors = true;
  auto answer = system.runner.ask(command);
  if (!answer)
    return answer.takeError();
  support::TextError problem;
  auto reply = support::readJson(answer->out, problem);
  if (const support::Value *error = reply ? reply->find("error") : nullptr)
    return reported(*error);
  if (answer->ended.ok() && reply)
    return llvm::Error::success();
  return makeError(
      Code::FetchFailed, "fetching ended without a result",
      {{"program", fmt::format("{} {}", command.program, helper)}, {"ended", answer->ended.text()}},
      {"run the command again: what is complete is kept"});
}

/// Completes the plan with the hashes of what came, moves the folder to its place by these, and
/// writes the plan into the lock file, beside those for other machines.
static llvm::Error writeLock(pipeline::System &system, FetchedToolkit &toolkit) {
  if (toolkit.lock.empty() || toolkit.isLocked)
    return llvm::Error::success();
  std::string facts = support::joinPath(toolkit.folder, "fetched.json");
  auto text = system.files.read(facts);
  if (!text)
    return text.takeError();
  support::TextError problem;
  auto value = support::readJson(*text, problem);
  auto plan = resolve::readFetchPlan(value.value_or(support::Value()), facts);
  if (!plan)
    return plan.takeError();
  for (const FetchPart &part : plan->parts)
    if (part.sha256.empty())
      return makeError(
          Code::FetchFailed, "the sha256 of a wheel is not known, so it is not locked",
          {{"wheel", fmt::format("{} {}", part.name, part.version)}},
          {fmt::format("cuda-cc cache prune {}, then the command again", toolkit.plan.key)});
  if (plan->key != toolkit.plan.key) {
    std::string place = support::joinPath(support::parentOf(toolkit.folder), plan->key);
    if (!system.files.stat(place).exists())
      if (llvm::Error error = system.files.rename(toolkit.folder, place))
        return error;
    toolkit.folder = std::move(place);
    toolkit.plan = *plan;
  }
  auto all = readLock(system, toolkit.lock);
  if (!all)
    return all.takeError();
  all->push_back(std::move(*plan));
  llvm::json::Array toolkits;
  for (const FetchPlan &each : *all)
    toolkits.push_back(report::toJson(each));
  return system.files.write(toolkit.lock, report::print(llvm::json::Object{
                                              {"schema", 1}, {"toolkits", std::move(toolkits)}}));
}

llvm::Error fetchToolkit(pipeline::System &system, FetchedToolkit &toolkit, StringRef again) {
  if (!toolkit.nvcc.empty())
    return llvm::Error::success();
  if (toolkit.isKept)
    return writeLock(system, toolkit);
  if (!toolkit.isAccepted)
    return notAccepted(toolkit, again);
  if (support::hasArchives(toolkit.plan) && toolkit.base.empty())
    return noBase(toolkit);
  std::string cache = pipeline::cachePlace(system.environment);
  if (auto foreign = pipeline::foreignCache(system, cache))
    return makeError(std::move(*foreign));
  // Accepted once, for all that is kept here.
  if (!isAccepted(system, cache))
    if (llvm::Error error = system.files.write(support::joinPath(cache, acceptedName),
                                               fmt::format("{} {}\n", licenseName, licenseText)))
      return error;
  if (llvm::Error error = runHelper(system, toolkit))
    return error;
  auto folder = pipeline::fetchedToolkit(system, cache, toolkit.plan);
  if (!folder)
    return folder.takeError();
  if (folder->empty())
    return makeError(Code::FetchFailed, "what was fetched has no nvcc",
                     {{"searched", support::joinPath(toolkit.folder, "bin/nvcc")}});
  return writeLock(system, toolkit);
}

} // namespace cudacc::commands
