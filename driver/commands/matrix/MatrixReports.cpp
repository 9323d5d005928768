// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/matrix/MatrixReports.h"
#include "driver/support/Paths.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::commands {

using namespace core;
using llvm::StringRef;

MatrixReports::MatrixReports(pipeline::System &system, StringRef results,
                             const std::optional<std::string> &page)
    : system(system), list(support::joinPath(results, "reports")), page(page) {
  written = writtenNow();
  std::string text = llvm::expectedToOptional(system.files.read(list)).value_or("");
  for (StringRef line : llvm::split(text, '\n')) {
    State state;
    if (!line.consumeInteger(10, state.first) && line.consume_front(" ") &&
        !line.consumeInteger(10, state.second) && line.consume_front(" "))
      earlier[line.str()] = state;
  }
}

std::optional<MatrixReports::State> MatrixReports::stateOf(StringRef path) const {
  FileStatus status = system.files.stat(path);
  if (status.kind != FileStatus::Kind::Regular)
    return std::nullopt;
  return State(status.id.size, status.id.mtime);
}

/// The page, and what the shell leads stdout and stderr to.
std::set<std::string, std::less<>> MatrixReports::writtenNow() const {
  std::set<std::string, std::less<>> paths;
  auto add = [&](StringRef path) {
    if (auto real = system.files.realPath(path); real && stateOf(*real))
      paths.insert(*real);
  };
  add("/proc/self/fd/1");
  add("/proc/self/fd/2");
  if (page)
    add(*page);
  return paths;
}

bool MatrixReports::contains(StringRef path) const {
  if (written.count(path))
    return true;
  auto known = earlier.find(path);
  return known != earlier.end() && stateOf(path) == known->second;
}

llvm::Error MatrixReports::keep() const {
  std::string text;
  auto add = [&](StringRef path) {
    if (auto state = stateOf(path); state && !path.contains('\n'))
      text += fmt::format("{} {} {}\n", state->first, state->second, path);
  };
  std::set<std::string, std::less<>> now = writtenNow();
  for (const std::string &path : now)
    add(path);
  for (const auto &[path, state] : earlier)
    if (!now.count(path) && contains(path))
      add(path);
  bool isSame = llvm::expectedToOptional(system.files.read(list)).value_or("") == text;
  return isSame ? llvm::Error::success() : system.files.write(list, text);
}

} // namespace cudacc::commands
