// SPDX-License-Identifier: Apache-2.0
#include "plugins/devlink/RunLinker.h"
#include "driver/versions/Format.h"
#include <csignal>

namespace cudacc::devlink {

using namespace core;

/// Of what a library printed, what is shown at its death.
static constexpr size_t linesShown = 5;

static std::string signalName(int signal) {
  static const std::pair<int, const char *> names[] = {
      {SIGHUP, "SIGHUP"},   {SIGINT, "SIGINT"},   {SIGQUIT, "SIGQUIT"}, {SIGILL, "SIGILL"},
      {SIGTRAP, "SIGTRAP"}, {SIGABRT, "SIGABRT"}, {SIGBUS, "SIGBUS"},   {SIGFPE, "SIGFPE"},
      {SIGKILL, "SIGKILL"}, {SIGSEGV, "SIGSEGV"}, {SIGPIPE, "SIGPIPE"}, {SIGTERM, "SIGTERM"},
      {SIGXCPU, "SIGXCPU"}, {SIGSYS, "SIGSYS"}};
  for (const auto &[number, name] : names)
    if (number == signal)
      return name;
  return fmt::format("signal {}", signal);
}

static std::string libraryOf(const Job &job) {
  if (!job.library.empty())
    return job.library;
  return job.backend == JobBackend::Driver ? "libcuda.so.1" : "libnvJitLink.so";
}

static void addText(Finding &finding, llvm::StringRef label, llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef> lines;
  text.split(lines, '\n', -1, false);
  if (lines.size() > linesShown)
    lines.erase(lines.begin(), lines.end() - linesShown);
  for (llvm::StringRef line : lines)
    finding.addFact(label, line.rtrim().str());
}

static llvm::Error died(const Job &job, const ExitStatus &ended, llvm::StringRef printed) {
  std::string how = ended.signal   ? fmt::format("was ended by {}", signalName(ended.signal))
                    : ended.status ? fmt::format("ended with exit status {}", ended.status)
                                   : "ended without an answer";
  Finding finding = makeFinding(Code::LinkerDied, fmt::format("the device linker {}", how));
  finding.addFact("library", libraryOf(job));
  addText(finding, "printed", printed);
  return makeError(std::move(finding));
}

/// Of a symbol that is defined twice, nvJitLink of 12.9 to 13.5 prints an error and reports
/// success.
static bool printsErrors(llvm::StringRef printed) {
  return llvm::any_of(llvm::split(printed, '\n'), [](llvm::StringRef line) {
    // In 12.x a line starts with its severity.
    line.consume_front("@E@");
    return line.starts_with_insensitive("error");
  });
}

/// What was printed does not say of which link it speaks.
static void refuseAll(Reply &reply) {
  for (LinkResult &result : reply.results)
    if (result.ok) {
      result.ok = false;
      result.output.clear();
      result.failure = "success, with errors printed";
    }
  reply.fatbin.clear();
}

llvm::Expected<Reply> runLinker(const Job &job, llvm::StringRef helperPath, Runner &runner,
                                std::string &printed) {
  Command command;
  command.program = helperPath.str();
  command.argv = {"devlink"};
  command.input = encode(job);
  // Images are as large as they are; the decoder notices one that is cut off.
  command.outputLimit = SIZE_MAX;
  printed.clear();
  auto answer = runner.ask(command);
  if (!answer)
    return answer.takeError();
  printed = std::move(answer->err);
  if (!answer->ended.ok())
    return died(job, answer->ended, printed);
  std::optional<Reply> reply = decodeReply(answer->out);
  // One result for each link, or none at all.
  if (!reply || (!reply->results.empty() && reply->results.size() != job.links.size()))
    return died(job, answer->ended, printed);
  if (printsErrors(printed))
    refuseAll(*reply);
  return std::move(*reply);
}

static std::string reasonOf(const Job &job, const Reply &reply) {
  if (reply.opening != Opening::Ok)
    return reply.failure;
  LibraryVersion expected = job.expected.value_or(LibraryVersion());
  return fmt::format("it reports {}.{}, and {}.{} was decided for", reply.version.major,
                     reply.version.minor, expected.major, expected.minor);
}

Finding unusable(const Job &job, const Reply &reply) {
  bool isDriver = job.backend == JobBackend::Driver;
  Finding finding =
      makeFinding(Code::LinkerUnusable,
                  fmt::format("{} cannot be used to link", isDriver ? "the driver" : "nvJitLink"));
  finding.addFact("library", libraryOf(job));
  addText(finding, "reason", reasonOf(job, reply));
  return finding;
}

Finding refusal(const Job &job, const LinkResult &result, llvm::StringRef printed) {
  Finding finding = makeFinding(Code::LinkFailed, "the device linker refused the link");
  finding.addFact("reason", result.failure);
  if (result.refused && *result.refused < job.inputs.size())
    finding.addFact("input", job.inputs[*result.refused].name);
  finding.addFact("library", libraryOf(job));
  addText(finding, "log", result.errorLog);
  addText(finding, "printed", printed);
  return finding;
}

} // namespace cudacc::devlink
