// SPDX-License-Identifier: Apache-2.0
#include "driver/tables/generate/Input.h"
#include "driver/tables/rows/Readers.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <limits>
#include <map>

namespace cudacc::tables::generate {

using llvm::StringRef;

void failWith(StringRef problem) {
  llvm::errs() << "cudacc-gen-tables: error: " << problem << '\n';
  std::exit(1);
}

static void failWith(const rows::Mistake &mistake) {
  failWith(fmt::format("{}: {}", mistake.place, mistake.what));
}

/// Tables that users may extend are kept below the limits of a user's file.
static rows::Problem limited{rows::mostRows, failWith};
static rows::Problem unlimited{std::numeric_limits<size_t>::max(), failWith};

const support::Value &Input::load(const std::string &path, rows::Problem &problem) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    failWith(fmt::format("{}: {}", path, buffer.getError().message()));
  if (&problem == &limited && (*buffer)->getBufferSize() > rows::largestFile)
    failWith(fmt::format("{}: larger than 1 MiB", path));
  auto root = rows::parseJson((*buffer)->getBuffer(), path, problem);
  if (!root->isTable())
    failWith(fmt::format("{}: it is not an object", path));
  kept.push_back(std::make_unique<support::Value>(std::move(*root)));
  return *kept.back();
}

std::vector<Row> Input::rows(StringRef name, StringRef key) {
  bool isOfReleases = llvm::is_contained(rows::releaseTables(), name);
  rows::Problem &problem = isOfReleases ? limited : unlimited;
  std::vector<Row> all;
  for (const std::string &folder : folders) {
    std::string path = fmt::format("{}/{}.json", folder, name);
    if (&folder != &folders.front() && !llvm::sys::fs::exists(path))
      continue;
    llvm::append_range(all, Row(load(path, problem), path, problem).rows(key));
  }
  if (isOfReleases)
    rows::requireSources(all);
  return all;
}

std::vector<Row> Input::files(StringRef folder) {
  std::map<std::string, std::string> paths;
  for (const std::string &each : folders) {
    std::error_code error;
    std::string inside = fmt::format("{}/{}", each, folder);
    llvm::sys::fs::directory_iterator it(inside, error), end;
    if (error && &each == &folders.front())
      failWith(fmt::format("{}: {}", inside, error.message()));
    for (; !error && it != end; it.increment(error))
      if (llvm::sys::path::extension(it->path()) == ".json")
        paths[llvm::sys::path::filename(it->path()).str()] = it->path();
  }
  std::vector<Row> all;
  for (const auto &[name, path] : paths)
    all.emplace_back(load(path, unlimited), path, unlimited);
  return all;
}

} // namespace cudacc::tables::generate
