#include "driver/commands/Tools.h"
#include "driver/report/html/Html.h"
#include "driver/support/ShellWord.h"

namespace cudacc::commands {

using namespace core;
using namespace support;

std::optional<Finding> readOnly(pipeline::World &world, const std::string &path) {
  constexpr unsigned anybody = 0222, owner = 0200;
  FileStatus status = world.files.stat(path);
  bool isOwner = world.uid != 0 && status.owner == world.uid;
  if (!status.exists() || (status.mode & (isOwner ? owner : anybody)))
    return std::nullopt;
  return takeFinding(fail(Code::CannotWrite, "cannot write " + path + ": it is read-only", {},
                          {"chmod u+w " + shellWord(path)}));
}

/// `--report ext.so` is a forgotten name, and the file must live.
std::optional<Finding> notReplaced(pipeline::World &world, llvm::StringRef path) {
  FileStatus status = world.files.stat(path);
  if (!status.exists())
    return std::nullopt;
  if (status.kind != FileStatus::Kind::Regular)
    return takeFinding(
        fail(Code::CannotWrite, ("cannot write " + path + ": not a regular file").str()));
  auto file = world.files.open(path);
  if (!file)
    return takeFinding(file.takeError());
  static constexpr llvm::StringLiteral begins = "<!doctype html>";
  char start[begins.size()];
  auto got = (*file)->readAt(0, start);
  if (!got)
    return takeFinding(got.takeError());
  if (*got == 0 || llvm::StringRef(start, *got) == begins)
    return readOnly(world, path.str());
  return takeFinding(fail(Code::Usage, (path + " is there and is no page").str(), {},
                          {"--report report.html " + path.str()}));
}

/// Whoever reads sees the old or the new page; a link to it stays one.
int writeReport(pipeline::World &world, const Arguments &arguments, const report::HtmlReport &page,
                int status) {
  std::string path = world.files.realPath(*arguments.report).value_or(*arguments.report);
  if (llvm::Error error = world.files.write(path, report::html(page)))
    return stop(world, takeFinding(std::move(error)));
  return status;
}

} // namespace cudacc::commands
