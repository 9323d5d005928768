// SPDX-License-Identifier: Apache-2.0
#include "driver/report/text/Trust.h"
#include "driver/commands/Subcommands.h"
#include "driver/report/json/Json.h"
#include "driver/support/Paths.h"
#include "driver/support/Trust.h"

namespace cudacc::commands {

using namespace core;

namespace {

struct TrustArguments : Arguments {
  /// What to do instead of adding directories.
  bool list = false, remove = false;
};

} // namespace

static llvm::Error trustUsage(const char *message) {
  return makeError(Code::Usage, message, {},
                   {"cuda-cc trust DIR", "cuda-cc trust --remove DIR", "cuda-cc trust --list"});
}

static llvm::Error add(pipeline::System &system, const std::string &word,
                       std::vector<std::string> &paths, report::TrustReport &report) {
  // Resolve links now: the user does not trust what a link may lead to later.
  auto path = system.files.realPath(support::absolute(word, system.files));
  if (!path)
    return makeError(Code::Usage, "there is nothing to trust", {{"searched", word}}, {});
  if (llvm::StringRef(*path).contains('\n'))
    return makeError(Code::Usage, "the list has a line for each directory, and this name has two",
                     {{"path", *path}}, {"CUDA_CC_TRUST=PATH"});
  bool known = llvm::is_contained(paths, *path);
  report.rows.push_back({*path, known ? "already trusted" : "trusted"});
  if (!known)
    paths.push_back(std::move(*path));
  return llvm::Error::success();
}

static llvm::Error remove(pipeline::System &system, const std::string &word,
                          std::vector<std::string> &paths, report::TrustReport &report) {
  std::string path = support::normalizePath(support::absolute(word, system.files), system.files);
  // The directory may no longer exist, and may be named through a link.
  auto found = llvm::find(paths, path);
  if (found == paths.end())
    found = llvm::find(paths, system.files.realPath(path).value_or(path));
  if (found == paths.end())
    return makeError(Code::Usage, "what is not in the list cannot be removed",
                     {{"path", path}, {"list", report.list}}, {"cuda-cc trust --list"});
  report.rows.push_back({*found, "removed"});
  paths.erase(found);
  return llvm::Error::success();
}

/// Replaces only lines that are paths; other lines that the user wrote are kept.
static llvm::Error write(pipeline::System &system, std::string path,
                         const std::vector<std::string> &paths) {
  std::string text;
  FileStatus status = system.files.stat(path);
  if (status.exists()) {
    auto old = system.files.read(path);
    if (!old)
      return old.takeError();
    for (llvm::StringRef line : llvm::split(*old, '\n'))
      if (!line.starts_with("/") && !line.empty())
        text += fmt::format("{}\n", line);
  }
  for (const std::string &each : paths)
    text += each + "\n";
  // Write the file that a link leads to, so that the link stays.
  path = system.files.realPath(path).value_or(path);
  constexpr unsigned own = 0600;
  return system.files.write(path, text, status.exists() ? status.mode : own);
}

/// Changes or reads the list. Errors: nothing was written.
static llvm::Expected<report::TrustReport> changeList(pipeline::System &system,
                                                      const TrustArguments &arguments) {
  support::Trust trust(system.files, system.environment, system.uid);
  std::vector<std::string> paths;
  report::TrustReport report;
  report.list = trust.listPath();
  if (arguments.list && (arguments.remove || !arguments.words.empty()))
    return trustUsage("cuda-cc trust --list takes nothing else");
  if (!arguments.list && (arguments.words.empty() || llvm::is_contained(arguments.words, "")))
    return trustUsage("cuda-cc trust takes directories");
  if (!arguments.list && report.list.empty())
    return makeError(Code::CannotWrite, "there is no place for the list of trusted directories",
                     {{"searched", "XDG_CONFIG_HOME, HOME"}}, {"set HOME", "CUDA_CC_TRUST=DIR"});
  if (!arguments.list) {
    constexpr unsigned own = 0700;
    if (llvm::Error error = system.files.makeDirectories(support::parentOf(report.list), own))
      return error;
  }
  std::string problem = trust.listProblem();
  if (problem.empty())
    paths = trust.readList(problem);
  if (!problem.empty())
    return makeError(Code::UntrustedDeclaration, "the list of trusted directories is ignored",
                     {{"because", problem}},
                     {"make it and its directory yours, writable by you alone"});
  if (arguments.list) {
    for (const std::string &each : paths)
      report.rows.push_back({each, "trusted"});
    std::string relative;
    for (const std::string &each : trust.readVariable(relative))
      report.rows.push_back({each, "CUDA_CC_TRUST"});
    return report;
  }
  for (const std::string &word : arguments.words)
    if (llvm::Error error = arguments.remove ? remove(system, word, paths, report)
                                             : add(system, word, paths, report))
      return error;
  if (llvm::Error error = write(system, report.list, paths))
    return error;
  return report;
}

static llvm::Expected<int> trust(pipeline::System &system, const TrustArguments &arguments) {
  auto report = changeList(system, arguments);
  if (!report)
    return report.takeError();
  system.console.out(arguments.json   ? report::print(report::toJson(*report))
                     : arguments.list ? report::trustList(*report)
                                      : report::trustText(*report));
  return 0;
}

static constexpr Option<TrustArguments> trustOptions[] = {
    {"--format", &TrustArguments::format, "text json"},
    {"--list", &TrustArguments::list},
    {"--remove", &TrustArguments::remove},
};

constexpr SubcommandBody trustSubcommand = bodyOf<trustOptions, trust>();

} // namespace cudacc::commands
