// SPDX-License-Identifier: Apache-2.0
#include "driver/probe/python/Modules.h"
#include "driver/support/Paths.h"
#include "driver/versions/ModuleName.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::probe {

using namespace core;
using namespace versions;
using namespace support;
using llvm::StringRef;

bool isModuleName(StringRef text) {
  bool plain = llvm::all_of(text, [](char c) { return llvm::isAlnum(c) || c == '_' || c == '.'; });
  if (text.empty() || !plain || isSharedObjectName(text))
    return false;
  return llvm::all_of(llvm::split(text, '.'),
                      [](StringRef part) { return !part.empty() && !llvm::isDigit(part.front()); });
}

/// Whether Python adds this suffix to a module's name (importlib.machinery.EXTENSION_SUFFIXES of
/// CPython 3.7 to 3.15 on Linux). If the Python version is unknown, the suffixes of all versions
/// match.
static bool isSuffix(StringRef suffix, StringRef python) {
  if (suffix == ".so")
    return true;
  // `13`, or `13t` for a free-threaded build.
  if (!python.consume_front("python3."))
    python = "";
  unsigned minor = 0;
  bool is315 = python.empty() || (!python.rtrim('t').getAsInteger(10, minor) && minor >= 15);
  StringRef abi = stableAbiOf(suffix);
  // Objects have another layout in a free-threaded build: 3.15 does not look for the name, older
  // ones crash.
  if (abi == "abi3")
    return !python.ends_with("t") && (suffix == ".abi3.so" || is315);
  if (abi == "abi3t")
    return is315;
  if (!suffix.consume_back("-linux-gnu.so"))
    return false;
  if (!suffix.consume_front(".cpython-3"))
    return false;
  return python.empty() || suffix.split('-').first.rtrim("md") == python;
}

static int rankOf(StringRef suffix) {
  return suffix == ".so" ? 2 : stableAbiOf(suffix).empty() ? 0 : 1;
}

namespace {
/// The files in one directory that may implement a module.
struct Named {
  std::string extension, code;
  std::vector<std::string> others;
};
} // namespace

static Named filesIn(StringRef folder, StringRef stem, StringRef python, Files &files) {
  Named found;
  int bestRank = 3;
  for (const std::string &name : files.list(folder)) {
    StringRef suffix = name;
    if (!suffix.consume_front(stem) || !suffix.starts_with("."))
      continue;
    if (suffix == ".py" || (suffix == ".pyc" && found.code.empty()))
      found.code = joinPath(folder, name);
    else if (!isSuffix(suffix, python) && pythonOfModule(name))
      found.others.push_back(joinPath(folder, name));
    else if (isSuffix(suffix, python) && rankOf(suffix) < bestRank) {
      found.extension = joinPath(folder, name);
      bestRank = rankOf(suffix);
    }
  }
  return found;
}

namespace {
/// Resolves the import of one dotted name.
class Import {
public:
  Import(StringRef python, Files &files) : python(python), files(files) {}
  FoundModule find(llvm::ArrayRef<std::string> path, StringRef name);

private:
  StringRef python;
  Files &files;

  bool isFolder(const std::string &path) {
    return files.stat(path).kind == FileStatus::Kind::Directory;
  }
};
} // namespace

FoundModule Import::find(llvm::ArrayRef<std::string> path, StringRef name) {
  auto [first, rest] = name.split('.');
  FoundModule found;
  std::vector<std::string> portions;
  for (const std::string &folder : path) {
    std::string whole = joinPath(folder, first);
    if (isFolder(whole)) {
      Named init = filesIn(whole, "__init__", python, files);
      bool isPackage = !init.extension.empty() || !init.code.empty();
      if (isPackage && !rest.empty()) {
        found = find({whole}, rest);
        if (found.package.empty())
          found.package = whole;
        return found;
      }
      if (isPackage)
        return {init.extension, whole, init.extension.empty() ? init.code : "", {}};
      portions.push_back(whole);
    }
    if (!isFolder(folder))
      continue;
    Named file = filesIn(folder, first, python, files);
    llvm::append_range(found.others, file.others);
    if (file.extension.empty() && file.code.empty())
      continue;
    // A module, unlike a package, has no submodules.
    if (!rest.empty())
      return {"", folder, file.extension.empty() ? file.code : file.extension, {}};
    return {file.extension, folder, file.extension.empty() ? file.code : "", {}};
  }
  if (portions.empty())
    return found;
  std::string package = portions.front();
  if (!rest.empty())
    found = find(portions, rest);
  if (found.package.empty())
    found.package = package;
  return found;
}

FoundModule findModule(llvm::ArrayRef<std::string> path, StringRef name, StringRef python,
                       Files &files) {
  return Import(python, files).find(path, name);
}

/// The directory of a dotted name: the first one that is in a package, else the first that exists.
static std::string folderOf(llvm::ArrayRef<std::string> path, StringRef name, Files &files) {
  std::string first;
  std::string below = name.str();
  std::replace(below.begin(), below.end(), '.', '/');
  for (const std::string &site : path) {
    std::string folder = joinPath(site, below);
    if (files.stat(folder).kind != FileStatus::Kind::Directory)
      continue;
    if (first.empty())
      first = folder;
    std::string top = joinPath(site, name.split('.').first);
    Named init = filesIn(top, "__init__", "", files);
    if (!init.code.empty() || !init.extension.empty())
      return folder;
  }
  return first;
}

/// Upper limit for the directories searched in one package.
static constexpr size_t mostFolders = 8192;

std::vector<std::string> modulesIn(llvm::ArrayRef<std::string> path, StringRef name,
                                   StringRef python, Files &files) {
  std::vector<std::string> found, folders{folderOf(path, name, files)};
  for (size_t i = 0; i != folders.size() && i != mostFolders && !folders[0].empty(); ++i) {
    for (const std::string &each : files.list(folders[i])) {
      std::string whole = joinPath(folders[i], each);
      size_t dot = each.find('.');
      if (dot != std::string::npos && isSuffix(StringRef(each).drop_front(dot), python) &&
          !StringRef(each).starts_with("lib"))
        found.push_back(std::move(whole));
      else if (dot == std::string::npos && each != "tests" && !files.readLink(whole) &&
               files.stat(whole).kind == FileStatus::Kind::Directory)
        folders.push_back(std::move(whole));
    }
    // Those of subpackages only if the package itself has none.
    if (i == 0 && !found.empty())
      break;
  }
  return found;
}

static bool isBinary(StringRef name, StringRef python) {
  if (name.contains(".so."))
    return true;
  if (!name.ends_with(".so"))
    return false;
  StringRef suffix = name.drop_front(name.find('.'));
  return !suffix.starts_with(".cpython-") || isSuffix(suffix, python);
}

std::vector<std::string> binariesIn(llvm::ArrayRef<std::string> sites, StringRef name,
                                    StringRef python, Files &files) {
  std::string path = name.str();
  std::replace(path.begin(), path.end(), '.', '/');
  for (const std::string &site : sites) {
    std::vector<std::string> folders{joinPath(site, path)}, found;
    if (files.stat(folders.front()).kind != FileStatus::Kind::Directory)
      continue;
    for (size_t i = 0; i != folders.size() && i != mostFolders; ++i)
      for (const std::string &each : files.list(folders[i])) {
        std::string whole = joinPath(folders[i], each);
        FileStatus::Kind kind = files.stat(whole).kind;
        if (kind == FileStatus::Kind::Directory && !files.readLink(whole))
          folders.push_back(std::move(whole));
        else if (kind == FileStatus::Kind::Regular && isBinary(each, python))
          found.push_back(std::move(whole));
      }
    return found;
  }
  return {};
}

} // namespace cudacc::probe
