#include "driver/support/Paths.h"
#include "plugins/audit/Findings.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::audit {

using namespace core;
using llvm::StringRef;

static bool isRound(const Command &command, const Surroundings &around) {
  return llvm::none_of(command.programs,
                       [&](const std::string &program) { return around.program(program).isOurs; });
}

static bool readsCuda(const Command &command) {
  return command.isCuda || llvm::any_of(command.inputs, isNvidia);
}

/// `ccache /usr/bin/c++ -o libext.so`, as much as tells what was started for what.
static std::string line(const Command &command, const Surroundings &around) {
  std::string out = llvm::join(command.programs, " ");
  if (!command.sources.empty())
    out += " " + support::nameOf(command.sources.front()).str();
  if (!command.output.empty())
    out += " -o " + around.shown(command.output);
  return out;
}

namespace {
struct Wording {
  Code code;
  llvm::StringLiteral step, message;
  Remedy remedy;
};
} // namespace

static Wording wordingOf(const Command &command) {
  if (command.isOwn)
    return {Code::CommandRound, "command", "a command of its own bypasses cuda-cc",
            Remedy::OwnCommand};
  switch (command.kind) {
  case Command::Kind::Compile:
    break;
  case Command::Kind::DeviceLink:
    return {Code::DeviceLinkRound, "device link", "its device link is not cuda-cc's",
            Remedy::Front};
  case Command::Kind::Link:
    return {Code::LinkRound, "link", "its link is not cuda-cc's", Remedy::Launcher};
  }
  return {Code::CompileRound, "compile", "its CUDA compile is not cuda-cc's", Remedy::Front};
}

/// CUDA targets are linked by what nvcc named; a launcher does not reach them.
static Remedy linkRemedy(const Findings &out, const Command &command) {
  const Toolchain *cuda = out.model.toolchain("CUDA");
  if (!cuda || cuda->linkDriver.empty() || command.programs.empty() ||
      command.programs.back() != cuda->linkDriver)
    return Remedy::Launcher;
  bool sameForCxx = llvm::any_of(out.model.toolchains, [&](const Toolchain &each) {
    return each.language != "CUDA" && each.compiler == cuda->linkDriver;
  });
  return sameForCxx ? Remedy::Launcher : Remedy::NewTree;
}

static void addRound(Findings &out, const Command &command, Subject *subject) {
  Wording wording = wordingOf(command);
  const Target *target = subject ? subject->target : nullptr;
  Remedy remedy = wording.remedy;
  if (wording.code == Code::LinkRound) {
    // The link of a CUDA target follows the compiler: with another nvcc it is cuda-cc's.
    bool followsFront = target && target->language == "CUDA";
    remedy = followsFront ? Remedy::Front : linkRemedy(out, command);
  }
  auto added = out.add(wording.code, target, wording.step, std::string(wording.message), remedy);
  if (added.isNew)
    added.finding->facts.push_back({wording.step.str(), line(command, out.around)});
  if (wording.code == Code::LinkRound && subject)
    subject->roundLink = added.index;
}

/// What a build system that keeps its commands to itself still says.
static void auditToolchain(Findings &out, std::vector<Subject> &subjects) {
  const Toolchain *cuda = out.model.toolchain("CUDA");
  if (!cuda)
    return;
  bool frontIsOurs = out.around.program(cuda->compiler).isOurs;
  bool driverIsOurs = cuda->linkDriver.empty() || out.around.program(cuda->linkDriver).isOurs;
  for (Subject &subject : subjects) {
    const Target &target = *subject.target;
    bool compiles = llvm::any_of(
        target.groups, [](const CompileGroup &group) { return group.language == "CUDA"; });
    Command command;
    command.programs = {cuda->compiler};
    command.isCuda = true;
    if (compiles && !frontIsOurs)
      addRound(out, command, &subject);
    if (!target.isLinked() || target.language != "CUDA" || driverIsOurs)
      continue;
    command.kind = Command::Kind::Link;
    command.programs = {cuda->linkDriver};
    addRound(out, command, &subject);
  }
}

void auditCommands(Findings &out, std::vector<Subject> &subjects) {
  if (!out.model.hasCommands)
    return auditToolchain(out, subjects);
  for (const Command &command : out.model.commands) {
    Subject *subject = command.target ? &subjects[*command.target] : nullptr;
    bool isCuda = readsCuda(command);
    if (command.kind == Command::Kind::Link && !command.isOwn)
      isCuda |= subject && subject->isCuda;
    if (isCuda && isRound(command, out.around))
      addRound(out, command, subject);
  }
}

/// Nothing is known of compilers that an outdated directory would refuse.
static void auditCompiler(Findings &out, const Toolchain &cuda) {
  const ProgramFacts &now = out.around.program(cuda.compiler);
  std::string was = "the tree was configured with nvcc " +
                    (cuda.version.empty() ? std::string("of an unknown version") : cuda.version);
  auto stale = [&](std::string label, std::string text) {
    auto added = out.add(Code::StaleTree, nullptr, "configure", was, Remedy::NewTree);
    added.finding->facts.push_back({"compiler", cuda.compiler});
    added.finding->facts.push_back({std::move(label), std::move(text)});
    return added.finding;
  };
  if (!now.exists)
    return void(stale("now", "it is gone"));
  if (now.problem) {
    Finding *finding = stale("now", now.problem->message);
    finding->facts.insert(finding->facts.end(), now.problem->facts.begin(),
                          now.problem->facts.end());
    finding->fixes.insert(finding->fixes.begin(), now.problem->fixes.begin(),
                          now.problem->fixes.end());
    return;
  }
  if (!now.version.empty() && !cuda.version.empty() && now.version != cuda.version)
    stale("now", now.version);
}

static void auditDriver(Findings &out, const Toolchain &cuda) {
  if (cuda.linkDriver.empty() || !out.around.program(cuda.compiler).isOurs ||
      out.around.program(cuda.linkDriver).isOurs)
    return;
  auto added = out.add(Code::LinkDriver, nullptr, "configure",
                       "links of CUDA targets are not cuda-cc's", Remedy::NewTree);
  added.finding->facts.push_back({"driver", cuda.linkDriver});
  added.finding->facts.push_back({"compiler", cuda.compiler});
}

void auditTree(Findings &out) {
  const BuildModel &model = out.model;
  if (const Toolchain *cuda = model.toolchain("CUDA")) {
    auditCompiler(out, *cuda);
    auditDriver(out, *cuda);
  }
  if (!model.newer.empty()) {
    size_t count = model.newer.size();
    auto added = out.add(Code::OutdatedTree, nullptr, "configure",
                         std::to_string(count) + (count == 1 ? " file is" : " files are") +
                             " newer than the configuration",
                         Remedy::Refresh);
    for (const std::string &path : llvm::ArrayRef(model.newer).take_front(5))
      added.finding->facts.push_back({"changed", out.around.shown(path)});
  }
  if (!model.isDescribed) {
    // The commands say which targets there are, unless nothing does.
    bool isKnown = !model.targets.empty();
    auto added =
        out.add(isKnown ? Code::NoDescription : Code::NothingDescribed, nullptr, "configure",
                isKnown ? "no description of the targets" : "no target of it is known",
                // CMake refuses to configure a copy again.
                model.configuredAs.empty() ? Remedy::Describe : Remedy::NewTree);
    if (!model.configuredAs.empty())
      added.finding->facts.push_back({"configured as", model.configuredAs});
  }
  for (const Target &target : model.targets)
    if (target.isBuild)
      out.add(Code::OtherBuild, &target, "command", "a build of its own, which is not seen here",
              Remedy::Reach);
}

} // namespace cudacc::audit
