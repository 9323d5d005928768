// SPDX-License-Identifier: Apache-2.0
#include "driver/probe/python/PythonLink.h"
#include "driver/support/PathSearch.h"
#include "driver/support/Paths.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::probe {

using namespace support;
using llvm::StringRef;

/// _sysconfigdata of CPython 3.13 has 40 KB.
static constexpr uint64_t largestData = 1 << 20;

/// Whether the flags contain `-Wl,-rpath,FOLDER`, ended by white space, a comma or a quote.
static bool hasRpath(StringRef data, StringRef folder) {
  for (StringRef option : {"-rpath,", "-rpath=", "-R"})
    for (size_t at = 0; (at = data.find(option, at)) != StringRef::npos;) {
      StringRef rest = data.drop_front(at += option.size());
      if (rest.consume_front(folder)) {
        rest.consume_front("/");
        if (rest.empty() || StringRef(" ,'\"\n").contains(rest.front()))
          return true;
      }
    }
  return false;
}

/// Checks LDFLAGS and LDSHARED of the Python below \p prefix in the file that `sysconfig` reads.
static bool addsRpath(StringRef prefix, StringRef folder, core::Files &files) {
  std::string lib = joinPath(prefix, "lib");
  for (const std::string &name : files.list(lib)) {
    if (!StringRef(name).starts_with("python3."))
      continue;
    for (const std::string &file : files.list(joinPath(lib, name))) {
      if (!StringRef(file).starts_with("_sysconfigdata") || !StringRef(file).ends_with(".py"))
        continue;
      auto data = files.read(joinPath(joinPath(lib, name), file), largestData);
      if (!data)
        llvm::consumeError(data.takeError());
      else if (hasRpath(*data, folder))
        return true;
    }
  }
  return false;
}

/// The prefix of a virtual environment's Python, from `home` in pyvenv.cfg, which is its `bin`.
static std::string baseOf(StringRef prefix, core::Files &files) {
  constexpr uint64_t largestSettings = 64 << 10;
  auto settings =
      llvm::expectedToOptional(files.read(joinPath(prefix, "pyvenv.cfg"), largestSettings));
  if (!settings)
    return {};
  for (StringRef line : llvm::split(*settings, '\n')) {
    auto [key, value] = line.split('=');
    if (key.trim() == "home")
      return parentOf(value.trim().rtrim('/')).str();
  }
  return {};
}

std::optional<bool> isAddedByPython(StringRef folder, StringRef prefix,
                                    const core::Environment &environment, core::Files &files) {
  folder = folder.rtrim('/');
  std::vector<std::string> prefixes = {parentOf(folder).str()};
  if (!prefix.empty()) {
    prefixes.push_back(prefix.str());
    prefixes.push_back(baseOf(prefix, files));
  }
  for (StringRef program : {"python3", "python"})
    searchProgram(program, environment, files, [&](const std::string &path) {
      prefixes.push_back(grandparentOf(files.realPath(path).value_or(path)).str());
      return true;
    });
  if (llvm::any_of(prefixes, [&](const std::string &each) {
        return !each.empty() && addsRpath(each, folder, files);
      }))
    return true;
  return files.stat(folder).exists() ? std::optional(false) : std::nullopt;
}

} // namespace cudacc::probe
