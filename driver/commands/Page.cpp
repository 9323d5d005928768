// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/Page.h"
#include "driver/pipeline/Reporter.h"
#include "driver/support/ReadWhole.h"
#include "driver/support/ShellWord.h"
#include "driver/versions/Format.h"

namespace cudacc::commands {

using namespace core;

llvm::Error checkWritable(pipeline::System &system, const std::string &path) {
  constexpr unsigned anybody = 0222, owner = 0200;
  FileStatus status = system.files.stat(path);
  bool isOwner = system.uid != 0 && status.owner == system.uid;
  if (!status.exists() || (status.mode & (isOwner ? owner : anybody)))
    return llvm::Error::success();
  return makeError(Code::CannotWrite, fmt::format("cannot write {}: it is read-only", path), {},
                   {fmt::format("chmod u+w {}", support::shellWord(path))});
}

/// `--report ext.so` is a call without the page's name: ext.so must not be overwritten.
llvm::Error checkReplaceable(pipeline::System &system, const std::string &path) {
  FileStatus status = system.files.stat(path);
  if (!status.exists())
    return llvm::Error::success();
  if (status.kind != FileStatus::Kind::Regular)
    return makeError(Code::CannotWrite, fmt::format("cannot write {}: not a regular file", path));
  static constexpr llvm::StringLiteral begins = "<!doctype html>";
  auto start = support::readStart(system.files, path, begins.size());
  if (!start)
    return start.takeError();
  if (start->empty() || *start == begins)
    return checkWritable(system, path);
  return makeError(Code::Usage, fmt::format("{} exists and is not a page", path), {},
                   {fmt::format("--report report.html {}", path)});
}

/// Readers see the old or the new page, never a part. A link to the page stays a link.
llvm::Error writePage(pipeline::System &system, const std::string &path,
                      const report::HtmlReport &page) {
  // Else the page would say what the call takes back.
  bool isUnknown = llvm::any_of(page.judgements, [](const Judgement &each) {
    return each.verdict.exit() == Exit::Undetermined;
  });
  if (!isUnknown)
    if (llvm::Error error = pipeline::failedSearch(system))
      return error;
  return system.files.write(system.files.realPath(path).value_or(path), report::html(page));
}

} // namespace cudacc::commands
