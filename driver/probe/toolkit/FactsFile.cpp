// SPDX-License-Identifier: Apache-2.0
#include "driver/probe/toolkit/FactsFile.h"
#include "driver/core/Diagnostic.h"
#include "driver/support/Paths.h"
#include "driver/tables/rows/Row.h"
#include "driver/versions/Format.h"

namespace cudacc::probe {

using namespace core;
using namespace support;

static llvm::Error unusable(llvm::StringRef path, llvm::StringRef why) {
  return makeError(Code::BrokenFacts, fmt::format("the facts file {}", why),
                   {{"where", path.str()}}, {"leave it out, and declare env:PATH or cuda=="});
}

llvm::Expected<tables::UserTables> readFactsFile(llvm::StringRef path, Files &files) {
  FileStatus status = files.stat(path);
  if (!status.exists())
    return unusable(path, "does not exist");
  if (status.kind != FileStatus::Kind::Regular)
    return unusable(path, "is not a regular file");
  if (status.id.size > tables::rows::largestFile)
    return unusable(path, "is larger than 1 MiB");
  auto text = files.read(path, tables::rows::largestFile);
  if (!text)
    return unusable(path, "cannot be read: " + toFinding(text.takeError()).message);
  return tables::readUserTables(*text, nameOf(path));
}

} // namespace cudacc::probe
