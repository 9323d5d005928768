// SPDX-License-Identifier: Apache-2.0
#include "plugins/rtld/Trace.h"
#include "driver/binary/Reader.h"
#include "driver/binary/elf/Machine.h"
#include "driver/commands/Page.h"
#include "driver/commands/Subcommands.h"
#include "driver/commands/WorkFolder.h"
#include "driver/commands/simulation/LibraryInventory.h"
#include "driver/commands/trace/TraceOutput.h"
#include "driver/pipeline/System.h"
#include "driver/process/DiskTree.h"
#include "driver/report/json/Json.h"
#include "driver/run/RealRunner.h"
#include "driver/support/PathSearch.h"
#include "driver/support/Paths.h"
#include "driver/tables/lookup/Libraries.h"
#include "plugins/rtld/Place.h"
#include "plugins/rtld/TraceBuffer.h"

namespace cudacc::commands {

using namespace core;
using namespace rtld;
using namespace support;

namespace {

struct TraceArguments : Arguments {
  /// `words` holds the command to run.
  std::optional<std::string> module, output;
};

} // namespace

/// Exit statuses as in shells: the command does not exist, or cannot be executed.
static constexpr int notThere = 127, notStarted = 126;
/// Bytes for records: room for at least 60,000, the imports of some hundred processes that load
/// torch.
static constexpr uint64_t recordsSize = 8 << 20;

/// Path of the library for LD_AUDIT.
static llvm::Expected<std::string> findAuditor(pipeline::System &system) {
  std::string auditor = support::normalizePath(
      support::joinPath(support::parentOf(system.self), rtld::place), system.files);
  if (system.files.stat(auditor).kind != FileStatus::Kind::Regular)
    return makeError(Code::UnreadableFile, "the audit library of trace is missing",
                     {{"wanted", auditor}}, {"install cuda-cc completely: cmake --install BUILD"});
  if (auditor.find(':') != std::string::npos)
    return makeError(Code::UnreadableFile, "LD_AUDIT cannot name a path with a colon",
                     {{"path", auditor}}, {"install cuda-cc in another folder"});
  return auditor;
}

/// Makes the file into which every traced process writes its records.
static llvm::Expected<std::string> makeBuffer(pipeline::System &system, const WorkFolder &work) {
  std::string path = support::joinPath(work.path(), "records");
  // Write every byte, so that no page of the mapping can be missing in the program.
  if (llvm::Error error =
          system.files.write(path, rtld::emptyBuffer(tables::linkNames(), recordsSize), 0600))
    return error;
  return path;
}

static Command commandFor(pipeline::System &system, const TraceArguments &arguments,
                          std::string program, const std::string &auditor,
                          const std::string &buffer) {
  Command command;
  command.program = std::move(program);
  command.argv.addAll(arguments.words);
  // After the caller's own libraries: they are called in this order, and may change the search.
  llvm::StringRef others = system.environment.getOr("LD_AUDIT");
  command.set = {{"LD_AUDIT", fmt::format("{}{}{}", others, others.empty() ? "" : ":", auditor)},
                 {rtld::variable, buffer}};
  return command;
}

/// Why a program left no record, judging by its file.
static std::string silenceOf(pipeline::System &system, const std::string &program) {
  constexpr unsigned setId = 06000;
  if (system.files.stat(program).mode & setId)
    return "runs with another user's rights: its loader takes no library of the caller's";
  auto file = system.files.open(program);
  auto facts = llvm::expectedToOptional(file ? binary::read(**file, program)
                                             : llvm::Expected<BinaryFacts>(file.takeError()));
  if (!facts)
    return "left no record";
  if (facts->kind == BinaryKind::Executable && facts->needed.empty())
    return "NEEDs no library: a static program has no loader to ask";
  if (!facts->notAudited.empty())
    return fmt::format("is a {}: our library is not for it", facts->notAudited);
  return "left no record: its loader is not glibc's, or the file of records could not be opened "
         "there";
}

/// What the records say, with the files that the program used as they are on this disk afterwards.
/// \p machine: ELF e_machine of the traced programs.
static TraceReport examine(pipeline::System &system, uint16_t machine, const Records &records,
                           llvm::StringRef module) {
  process::DiskTree disk(system.files, /*imports=*/true);
  LibraryInventory inventory(disk, system.environment.getOr("HOME").str());
  llvm::StringMap<LinkedLibrary> identified;
  auto know = [&](TracedCopy &copy) {
    auto [entry, isNew] = identified.try_emplace(copy.path);
    LinkedLibrary &library = entry->second;
    if (isNew)
      library = inventory.identify(copy.path, copy.soname);
    copy.version = library.version;
    copy.cuda = library.cuda;
    copy.evidence = library.evidence;
  };
  return rtld::trace(records, module, {disk, machine, know});
}

static llvm::Error print(pipeline::System &system, const TraceArguments &arguments,
                         const TraceReport &report) {
  bool toFile = arguments.output.has_value();
  report::Style style = toFile ? report::Style() : pipeline::errStyle(system);
  std::string text = arguments.json ? report::print(traceJson(report)) : traceText(report, style);
  if (toFile) {
    if (llvm::Error error = checkWritable(system, *arguments.output))
      return error;
    return system.files.write(*arguments.output, text);
  }
  system.console.err(text);
  return llvm::Error::success();
}

static llvm::Error reportRun(pipeline::System &system, const TraceArguments &arguments,
                             const std::string &program, const std::string &buffer,
                             const ExitStatus &ended) {
  auto bytes = system.files.read(buffer, recordsSize);
  if (!bytes)
    return bytes.takeError();
  auto own = system.files.open(system.self);
  if (!own)
    return own.takeError();
  TraceReport report = examine(system, binary::machineOf(**own), rtld::readBuffer(*bytes),
                               arguments.module.value_or(""));
  report.words = arguments.words;
  report.status = ended.status;
  report.signal = ended.signal;
  if (!report.allProcesses)
    report.unknown.push_back(fmt::format("{} {}", system.files.realPath(program).value_or(program),
                                         silenceOf(system, program)));
  return print(system, arguments, report);
}

static llvm::Expected<int> trace(pipeline::System &system, const TraceArguments &arguments) {
  if (arguments.words.empty())
    return makeError(Code::Usage, "trace needs a command", {},
                     {"cuda-cc trace -- python -c 'import torch'"});
  auto auditor = findAuditor(system);
  if (!auditor)
    return auditor.takeError();
  const std::string &name = arguments.words.front();
  std::string program = support::findProgram(name, system.environment, system.files);
  if (program.empty()) {
    failWith(system, toFinding(makeError(Code::SpawnFailed,
                                         fmt::format("cannot start {}: it is not on PATH", name))));
    return notThere;
  }
  auto work = WorkFolder::makeTemporary(system);
  if (!work)
    return work.takeError();
  auto buffer = makeBuffer(system, **work);
  if (!buffer)
    return buffer.takeError();
  auto ended = system.runner.spawn(commandFor(system, arguments, program, *auditor, *buffer));
  if (!ended) {
    bool isThere = system.files.stat(program).exists();
    failWith(system, toFinding(ended.takeError()));
    return isThere ? notStarted : notThere;
  }
  // Whatever fails here, a failure of the program counts more.
  llvm::Error error = reportRun(system, arguments, program, *buffer, *ended);
  int status = error ? failWith(system, toFinding(std::move(error))) : 0;
  work->reset();
  if (ended->signal)
    run::endLike(*ended);
  return ended->status ? ended->status : status;
}

static constexpr Option<TraceArguments> traceOptions[] = {
    {"--format", &TraceArguments::format, "text json"},
    {"--module", &TraceArguments::module},
    {"--output", &TraceArguments::output, "PATH"},
};

constexpr SubcommandBody traceSubcommand = bodyOf<traceOptions, trace>();

} // namespace cudacc::commands
