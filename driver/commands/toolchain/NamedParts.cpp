// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/toolchain/NamedParts.h"
#include "driver/support/Paths.h"
#include "driver/tables/lookup/Fetched.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::commands {

using namespace core;
using llvm::StringRef;

static constexpr unsigned deepest = 3;
/// A build file is no larger; another is none.
static constexpr uint64_t largest = 1 << 20;

static bool isBuildFile(StringRef name) {
  static constexpr StringRef names[] = {"CMakeLists.txt", "GNUmakefile", "Makefile",
                                        "makefile",       "meson.build", "pyproject.toml",
                                        "setup.cfg",      "setup.py"};
  return llvm::is_contained(names, name) || name.ends_with(".cmake") || name.ends_with(".mk");
}

static bool isWordCharacter(char c) { return llvm::isAlnum(c) || c == '_'; }

/// Whether what stands before and behind a word makes it a library's name.
static bool isNamedAs(StringRef before, StringRef behind) {
  if (before.ends_with("CUDA::") || before.ends_with("-l"))
    return true;
  for (StringRef quote : {"'", "\""})
    if (before.ends_with(quote) && behind.starts_with(quote))
      return true;
  return false;
}

namespace {

class Search {
public:
  Search(pipeline::System &system, const std::string &project, unsigned major)
      : system(system), project(project), major(major) {}

  void enter(const std::string &folder, unsigned depth);
  std::vector<NamedPart> found;

private:
  pipeline::System &system;
  const std::string &project;
  unsigned major;

  void readFile(const std::string &path);
  void readLine(StringRef line, StringRef path, size_t number);
};

} // namespace

void Search::readLine(StringRef line, StringRef path, size_t number) {
  line = line.take_until([](char c) { return c == '#'; });
  bool isComponents = line.contains("find_package(CUDAToolkit");
  for (size_t at = 0; at < line.size();) {
    StringRef word = line.substr(at).take_while(isWordCharacter);
    // -lcublas is one word of letters.
    bool isOption = at > 0 && line[at - 1] == '-' && word.starts_with("l");
    StringRef name = word.drop_front(isOption ? 1 : 0);
    StringRef before = line.take_front(at + (isOption ? 1 : 0));
    if (!name.empty() && (isComponents || isNamedAs(before, line.substr(at + word.size()))))
      if (StringRef part = tables::partOfLibrary(name, major);
          !part.empty() &&
          llvm::none_of(found, [&](const auto &each) { return each.part == part; }))
        found.push_back({part.str(), fmt::format("{}:{}", path, number)});
    at += std::max<size_t>(word.size(), 1);
  }
}

void Search::readFile(const std::string &path) {
  auto text = llvm::expectedToOptional(system.files.read(path, largest));
  if (!text)
    return;
  StringRef shown = StringRef(path).drop_front(project.size()).ltrim('/');
  size_t number = 0;
  for (StringRef line : llvm::split(*text, '\n'))
    readLine(line, shown, ++number);
}

void Search::enter(const std::string &folder, unsigned depth) {
  std::vector<std::string> names = system.files.list(folder);
  // Those of builds and environments.
  for (StringRef name : {"CMakeCache.txt", "pyvenv.cfg", "build.ninja", "cuda-cc.facts"})
    if (llvm::is_contained(names, name))
      return;
  for (const std::string &name : names) {
    std::string path = support::joinPath(folder, name);
    if (isBuildFile(name))
      readFile(path);
    else if (depth < deepest && name.front() != '.' &&
             system.files.stat(path).kind == FileStatus::Kind::Directory)
      enter(path, depth + 1);
  }
}

std::vector<NamedPart> partsNamedBy(pipeline::System &system, const std::string &project,
                                    unsigned major) {
  Search search(system, project, major);
  // Elsewhere, such as in a home folder, it would be a long search for other projects.
  if (llvm::any_of(system.files.list(project), isBuildFile))
    search.enter(project, 0);
  return std::move(search.found);
}

} // namespace cudacc::commands
