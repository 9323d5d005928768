// SPDX-License-Identifier: Apache-2.0
#include "driver/support/Paths.h"
#include "driver/versions/Format.h"
#include "plugins/audit/Findings.h"

namespace cudacc::audit {

using namespace core;

static bool bypasses(const BuildCommand &command, const AuditContext &around) {
  return llvm::none_of(command.programs,
                       [&](const std::string &program) { return around.program(program).isOurs; });
}

static bool readsCuda(const BuildCommand &command) {
  return command.isCuda || llvm::any_of(command.inputs, isNvidia);
}

/// `ccache /usr/bin/c++ -o libext.so`: enough to see what was started, and for which output.
static std::string line(const BuildCommand &command, const AuditContext &around) {
  std::string out = llvm::join(command.programs, " ");
  if (!command.sources.empty())
    out += fmt::format(" {}", support::nameOf(command.sources.front()));
  if (!command.output.empty())
    out += fmt::format(" -o {}", around.shown(command.output));
  return out;
}

namespace {
struct Wording {
  Code code;
  llvm::StringLiteral step, message;
  FixKind remedy;
};
} // namespace

static Wording wordingOf(const BuildCommand &command) {
  if (command.isOwn)
    return {Code::CommandRound, "command", "a command of its own bypasses cuda-cc",
            FixKind::OwnCommand};
  switch (command.kind) {
  case BuildCommand::Kind::Compile:
    break;
  case BuildCommand::Kind::DeviceLink:
    return {Code::DeviceLinkRound, "device link", "its device link is not cuda-cc's",
            FixKind::Front};
  case BuildCommand::Kind::Link:
    return {Code::LinkRound, "link", "its link is not cuda-cc's", FixKind::Launcher};
  }
  return {Code::CompileRound, "compile", "its CUDA compile is not cuda-cc's", FixKind::Front};
}

/// CUDA targets are linked by the program that nvcc named; launchers do not apply to it.
static FixKind linkRemedy(const Findings &out, const BuildCommand &command) {
  const Toolchain *cuda = out.model.toolchain("CUDA");
  if (!cuda || cuda->linkDriver.empty() || command.programs.empty() ||
      command.programs.back() != cuda->linkDriver)
    return FixKind::Launcher;
  bool sameForCxx = llvm::any_of(out.model.toolchains, [&](const Toolchain &each) {
    return each.language != "CUDA" && each.compiler == cuda->linkDriver;
  });
  return sameForCxx ? FixKind::Launcher : FixKind::NewTree;
}

static void addBypass(Findings &out, const BuildCommand &command, AuditedTarget *subject) {
  Wording wording = wordingOf(command);
  const BuildTarget *target = subject ? subject->target : nullptr;
  FixKind remedy = wording.remedy;
  if (wording.code == Code::LinkRound) {
    // The link of a CUDA target follows its compiler: with cuda-cc as nvcc, cuda-cc links it.
    bool followsFront = target && target->language == "CUDA";
    remedy = followsFront ? FixKind::Front : linkRemedy(out, command);
  }
  size_t index = out.add(wording.code, target, wording.step, wording.message.str(), remedy,
                         {{wording.step.str(), line(command, out.around)}});
  if (wording.code == Code::LinkRound && subject)
    subject->bypassingLink = index;
}

/// For build systems that do not show their commands: uses the compilers of the configuration.
static void auditToolchain(Findings &out, std::vector<AuditedTarget> &subjects) {
  const Toolchain *cuda = out.model.toolchain("CUDA");
  if (!cuda)
    return;
  bool frontIsOurs = out.around.program(cuda->compiler).isOurs;
  bool driverIsOurs = cuda->linkDriver.empty() || out.around.program(cuda->linkDriver).isOurs;
  for (AuditedTarget &subject : subjects) {
    const BuildTarget &target = *subject.target;
    bool compiles = llvm::any_of(
        target.groups, [](const CompileGroup &group) { return group.language == "CUDA"; });
    BuildCommand command;
    command.programs = {cuda->compiler};
    command.isCuda = true;
    if (compiles && !frontIsOurs)
      addBypass(out, command, &subject);
    if (!target.isLinked() || target.language != "CUDA" || driverIsOurs)
      continue;
    command.kind = BuildCommand::Kind::Link;
    command.programs = {cuda->linkDriver};
    addBypass(out, command, &subject);
  }
}

void auditCommands(Findings &out, std::vector<AuditedTarget> &subjects) {
  if (!out.model.hasCommands)
    return auditToolchain(out, subjects);
  for (const BuildCommand &command : out.model.commands) {
    AuditedTarget *subject = command.target ? &subjects[*command.target] : nullptr;
    bool isCuda = readsCuda(command);
    if (command.kind == BuildCommand::Kind::Link && !command.isOwn)
      isCuda |= subject && subject->isCuda;
    if (isCuda && bypasses(command, out.around))
      addBypass(out, command, subject);
  }
}

/// Reports a CUDA compiler that is gone, that refuses to run because its toolchain directory is
/// outdated, or whose version is not the configured one.
static void auditCompiler(Findings &out, const Toolchain &cuda) {
  const ProgramFacts &now = out.around.program(cuda.compiler);
  std::string was = fmt::format("the tree was configured with nvcc {}",
                                cuda.version.empty() ? "of an unknown version" : cuda.version);
  auto stale = [&](std::string text) -> Finding & {
    return out.at(out.add(Code::StaleTree, nullptr, "configure", was, FixKind::NewTree,
                          {{"compiler", cuda.compiler}, {"now", std::move(text)}}));
  };
  if (!now.exists) {
    stale("it is gone");
  } else if (now.problem) {
    Finding &finding = stale(now.problem->message);
    llvm::append_range(finding.facts, now.problem->facts);
    finding.fixes.insert(finding.fixes.begin(), now.problem->fixes.begin(),
                         now.problem->fixes.end());
  } else if (!now.version.empty() && !cuda.version.empty() && now.version != cuda.version) {
    stale(now.version);
  }
}

static void auditDriver(Findings &out, const Toolchain &cuda) {
  if (cuda.linkDriver.empty() || !out.around.program(cuda.compiler).isOurs ||
      out.around.program(cuda.linkDriver).isOurs)
    return;
  out.add(Code::LinkDriver, nullptr, "configure", "links of CUDA targets are not cuda-cc's",
          FixKind::NewTree, {{"driver", cuda.linkDriver}, {"compiler", cuda.compiler}});
}

void auditTree(Findings &out) {
  const BuildModel &model = out.model;
  if (const Toolchain *cuda = model.toolchain("CUDA")) {
    auditCompiler(out, *cuda);
    auditDriver(out, *cuda);
  }
  if (!model.newer.empty()) {
    size_t count = model.newer.size();
    std::vector<Fact> facts;
    for (const std::string &path : llvm::ArrayRef(model.newer).take_front(5))
      facts.push_back({"changed", out.around.shown(path)});
    out.add(Code::OutdatedTree, nullptr, "configure",
            fmt::format("{} newer than the configuration",
                        count == 1 ? "1 file is" : fmt::format("{} files are", count)),
            FixKind::Refresh, std::move(facts));
  }
  if (!model.isDescribed) {
    // Targets may still be known from the commands.
    bool isKnown = !model.targets.empty(), isCopy = !model.configuredAs.empty();
    std::vector<Fact> facts;
    if (isCopy)
      facts.push_back({"configured as", model.configuredAs});
    // CMake refuses to configure a copy again.
    out.add(isKnown ? Code::NoDescription : Code::NothingDescribed, nullptr, "configure",
            isKnown ? "no description of the targets" : "no target of it is known",
            isCopy ? FixKind::NewTree : FixKind::Describe, std::move(facts));
  }
  for (const BuildTarget &target : model.targets)
    if (target.isBuild)
      out.add(Code::OtherBuild, &target, "command", "a build of its own, which is not seen here",
              FixKind::Reach);
}

} // namespace cudacc::audit
