#include "driver/binary/Reader.h"
#include "driver/binary/elf/Machine.h"
#include "driver/commands/Tools.h"
#include "driver/commands/trace/TraceFiles.h"
#include "driver/commands/trace/TraceJson.h"
#include "driver/commands/trace/TraceText.h"
#include "driver/report/json/Json.h"
#include "driver/run/RealRunner.h"
#include "driver/support/PathSearch.h"
#include "driver/support/Paths.h"
#include "driver/tables/lookup/Libraries.h"
#include "plugins/rtld/Place.h"
#include "plugins/rtld/Sheet.h"

namespace cudacc::commands {

using namespace core;
using namespace rtld;
using namespace support;

/// As shells say it: a command that is not there, one that cannot be executed.
static constexpr int notThere = 127, notStarted = 126;
/// Room for records: 60,000 or more, the imports of some hundred processes that load torch.
static constexpr uint64_t sheetSize = 8 << 20;

namespace {

/// One traced run.
class Tracing {
public:
  Tracing(pipeline::System &system, const Arguments &arguments)
      : system(system), arguments(arguments) {}
  int run();

private:
  pipeline::System &system;
  const Arguments &arguments;
  std::string auditor, sheet, program;

  llvm::Error findAuditor();
  llvm::Error makeSheet();
  Command command() const;
  void explainSilence(TraceReport &report) const;
  void tell(const Ended &ended);
  llvm::Error deliver(const TraceReport &report);
};

} // namespace

llvm::Error Tracing::findAuditor() {
  auditor = support::normalizePath(support::joinPath(support::parentOf(system.self), rtld::place),
                                   system.files);
  if (system.files.stat(auditor).kind != FileStatus::Kind::Regular)
    return fail(Code::UnreadableFile, "the audit library of trace is missing",
                {{"wanted", auditor}}, {"install cuda-cc completely: cmake --install BUILD"});
  if (auditor.find(':') != std::string::npos)
    return fail(Code::UnreadableFile, "LD_AUDIT cannot name a path with a colon",
                {{"path", auditor}}, {"install cuda-cc in another folder"});
  return llvm::Error::success();
}

llvm::Error Tracing::makeSheet() {
  std::string folder = system.environment.getOr("TMPDIR", "/tmp").str();
  // The process, as /proc has it.
  std::string process = system.files.readLink("/proc/self").value_or("0");
  sheet = support::absolute(folder, system.files) + "/cuda-cc-trace-" + process;
  // Every byte is written, so that no page of it can fail to be there in the program.
  return system.files.write(sheet, rtld::emptySheet(tables::linkNames(), sheetSize), 0600);
}

Command Tracing::command() const {
  Command command;
  command.program = program;
  for (const std::string &word : arguments.words)
    command.argv.add(word);
  // Behind the caller's own: they are asked in this order, and may change what is searched.
  llvm::StringRef others = system.environment.getOr("LD_AUDIT");
  command.set = {{"LD_AUDIT", (others + (others.empty() ? "" : ":") + auditor).str()},
                 {rtld::variable, sheet}};
  return command;
}

/// Why a program left no record, as far as its file tells.
void Tracing::explainSilence(TraceReport &report) const {
  constexpr unsigned setId = 06000;
  std::string name = system.files.realPath(program).value_or(program);
  if (system.files.stat(program).mode & setId) {
    report.unknown.push_back(name + " runs with another user's rights: its loader takes no library "
                                    "of the caller's");
    return;
  }
  auto file = system.files.open(program);
  auto facts = llvm::expectedToOptional(file ? binary::read(**file, program)
                                             : llvm::Expected<BinaryFacts>(file.takeError()));
  if (!facts) {
    report.unknown.push_back(name + " left no record");
    return;
  }
  bool isAlone = facts->kind == BinaryKind::Executable && facts->needed.empty();
  if (isAlone)
    report.unknown.push_back(name + " NEEDs no library: a static program has no loader to ask");
  else if (!facts->notAudited.empty())
    report.unknown.push_back(name + " is a " + facts->notAudited + ": our library is not for it");
  else
    report.unknown.push_back(name + " left no record: its loader is not glibc's, or the file of "
                                    "records could not be opened there");
}

llvm::Error Tracing::deliver(const TraceReport &report) {
  bool toFile = arguments.output.has_value();
  report::Style style = toFile ? report::Style() : pipeline::errStyle(system);
  std::string text = arguments.json ? report::print(traceJson(report)) : traceText(report, style);
  if (toFile) {
    if (auto problem = readOnly(system, *arguments.output))
      return fail(std::move(*problem));
    return system.files.write(*arguments.output, text);
  }
  system.console.err(text);
  return llvm::Error::success();
}

/// Whatever goes wrong here, the status is the program's.
void Tracing::tell(const Ended &ended) {
  auto bytes = system.files.read(sheet, sheetSize);
  system.files.remove(sheet);
  if (!bytes) {
    stop(system, takeFinding(bytes.takeError()));
    return;
  }
  auto own = system.files.open(system.self);
  if (!own) {
    stop(system, takeFinding(own.takeError()));
    return;
  }
  TraceFiles files(system, binary::machineOf(**own));
  TraceReport report = files.trace(rtld::readSheet(*bytes), arguments.module.value_or(""));
  report.words = arguments.words;
  report.status = ended.status;
  report.signal = ended.signal;
  if (!report.allProcesses)
    explainSilence(report);
  if (llvm::Error error = deliver(report))
    stop(system, takeFinding(std::move(error)));
}

int Tracing::run() {
  if (llvm::Error error = findAuditor())
    return stop(system, takeFinding(std::move(error)));
  program = support::findProgram(arguments.words.front(), system.environment, system.files);
  if (program.empty()) {
    Finding finding;
    finding.code = Code::SpawnFailed;
    finding.message = "cannot start " + arguments.words.front() + ": it is not on PATH";
    stop(system, finding);
    return notThere;
  }
  if (llvm::Error error = makeSheet())
    return stop(system, takeFinding(std::move(error)));
  auto ended = system.runner.spawn(command());
  if (!ended) {
    system.files.remove(sheet);
    bool isThere = system.files.stat(program).exists();
    stop(system, takeFinding(ended.takeError()));
    return isThere ? notStarted : notThere;
  }
  tell(*ended);
  if (ended->signal)
    run::endLike(*ended);
  return ended->status;
}

int trace(pipeline::System &system, const Arguments &arguments) {
  if (!arguments.words.empty())
    return Tracing(system, arguments).run();
  Finding finding;
  finding.code = Code::Usage;
  finding.message = "trace needs a command";
  finding.fixes = {"cuda-cc trace -- python -c 'import torch'"};
  return stop(system, finding);
}

} // namespace cudacc::commands
