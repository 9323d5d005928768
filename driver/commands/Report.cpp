#include "driver/commands/Tools.h"
#include "driver/report/html/Html.h"
#include "driver/support/ShellWord.h"

namespace cudacc::commands {

using namespace core;
using namespace support;

std::optional<Finding> readOnly(pipeline::System &system, const std::string &path) {
  constexpr unsigned anybody = 0222, owner = 0200;
  FileStatus status = system.files.stat(path);
  bool isOwner = system.uid != 0 && status.owner == system.uid;
  if (!status.exists() || (status.mode & (isOwner ? owner : anybody)))
    return std::nullopt;
  return takeFinding(fail(Code::CannotWrite, "cannot write " + path + ": it is read-only", {},
                          {"chmod u+w " + shellWord(path)}));
}

/// `--report ext.so` is a forgotten name, and the file must live.
std::optional<Finding> notReplaced(pipeline::System &system, llvm::StringRef path) {
  FileStatus status = system.files.stat(path);
  if (!status.exists())
    return std::nullopt;
  if (status.kind != FileStatus::Kind::Regular)
    return takeFinding(
        fail(Code::CannotWrite, ("cannot write " + path + ": not a regular file").str()));
  auto file = system.files.open(path);
  if (!file)
    return takeFinding(file.takeError());
  static constexpr llvm::StringLiteral begins = "<!doctype html>";
  char start[begins.size()];
  auto got = (*file)->readAt(0, start);
  if (!got)
    return takeFinding(got.takeError());
  if (*got == 0 || llvm::StringRef(start, *got) == begins)
    return readOnly(system, path.str());
  return takeFinding(fail(Code::Usage, (path + " exists and is not a page").str(), {},
                          {"--report report.html " + path.str()}));
}

/// Whoever reads sees the old or the new page; a link to it stays one.
int writeReport(pipeline::System &system, const Arguments &arguments,
                const report::HtmlReport &page, int status) {
  std::string path = system.files.realPath(*arguments.report).value_or(*arguments.report);
  if (llvm::Error error = system.files.write(path, report::html(page)))
    return stop(system, takeFinding(std::move(error)));
  return status;
}

} // namespace cudacc::commands
