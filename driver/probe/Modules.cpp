#include "driver/probe/Modules.h"
#include "driver/probe/Paths.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::probe {

using namespace core;
using llvm::StringRef;

bool isModuleName(StringRef text) {
  bool plain = llvm::all_of(text, [](char c) { return llvm::isAlnum(c) || c == '_' || c == '.'; });
  if (text.empty() || !plain || text.ends_with(".so") || text.contains(".so."))
    return false;
  return llvm::all_of(llvm::split(text, '.'),
                      [](StringRef part) { return !part.empty() && !llvm::isDigit(part.front()); });
}

/// What Python adds to a module's name (importlib.machinery.EXTENSION_SUFFIXES of CPython 3.7 to
/// 3.14 on Linux), best first; of a Python that is not known any of them.
static bool isSuffix(StringRef suffix, StringRef python) {
  if (suffix == ".so" || suffix == ".abi3.so")
    return true;
  if (!suffix.consume_back("-linux-gnu.so"))
    return false;
  // `.cpython-311-x86_64`, of a build without lock `.cpython-313t-x86_64`.
  StringRef version;
  if (python.consume_front("python3."))
    version = python;
  if (!suffix.consume_front(".cpython-3"))
    return false;
  StringRef minor = suffix.split('-').first.rtrim("mtd");
  return version.empty() || minor == version;
}

static int rankOf(StringRef suffix) { return suffix == ".so" ? 2 : suffix == ".abi3.so" ? 1 : 0; }

static std::optional<std::string> fileIn(StringRef folder, StringRef stem, StringRef python,
                                         Files &files) {
  std::string best;
  int bestRank = 3;
  for (const std::string &name : files.list(folder)) {
    StringRef suffix = name;
    if (!suffix.consume_front(stem) || !isSuffix(suffix, python) || rankOf(suffix) >= bestRank)
      continue;
    best = name;
    bestRank = rankOf(suffix);
  }
  if (best.empty())
    return std::nullopt;
  return joinPath(folder, best);
}

std::optional<std::string> findModule(llvm::ArrayRef<std::string> sites, StringRef name,
                                      StringRef python, Files &files) {
  std::string path = name.str();
  std::replace(path.begin(), path.end(), '.', '/');
  for (const std::string &site : sites) {
    std::string whole = joinPath(site, path);
    // A package goes before a module of its name.
    if (files.stat(whole).kind == FileStatus::Kind::Directory)
      if (auto found = fileIn(whole, "__init__", python, files))
        return found;
    std::string folder = parentOf(whole).str();
    if (files.stat(folder).kind == FileStatus::Kind::Directory)
      if (auto found = fileIn(folder, nameOf(whole), python, files))
        return found;
  }
  return std::nullopt;
}

std::vector<std::string> modulesIn(llvm::ArrayRef<std::string> sites, StringRef name,
                                   StringRef python, Files &files) {
  std::vector<std::string> found;
  std::string path = name.str();
  std::replace(path.begin(), path.end(), '.', '/');
  for (const std::string &site : sites) {
    std::string folder = joinPath(site, path);
    if (files.stat(folder).kind != FileStatus::Kind::Directory)
      continue;
    for (const std::string &each : files.list(folder)) {
      size_t dot = each.find('.');
      if (dot != std::string::npos && isSuffix(StringRef(each).drop_front(dot), python) &&
          !StringRef(each).starts_with("lib"))
        found.push_back(joinPath(folder, each));
    }
    return found;
  }
  return found;
}

/// Folders of one package that are looked into.
static constexpr size_t mostFolders = 8192;

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
