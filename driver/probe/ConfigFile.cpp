#include "driver/probe/ConfigFile.h"
#include "driver/core/Diagnostic.h"
#include "driver/probe/Paths.h"
#include "driver/probe/Toml.h"

namespace cudacc::probe {

using namespace core;

static constexpr uint64_t largest = 1 << 20;

bool isTrusted(const FileStatus &folder, unsigned uid) {
  constexpr unsigned othersWrite = 02;
  return folder.kind == FileStatus::Kind::Directory && (folder.owner == uid || folder.owner == 0) &&
         !(folder.mode & othersWrite);
}

static llvm::Expected<std::string> readConfig(llvm::StringRef path, const FileStatus &status,
                                              Files &files) {
  if (status.kind != FileStatus::Kind::Regular)
    return fail(Code::UnreadableFile, "a configuration is no regular file",
                {{"where", path.str()}});
  if (status.id.size > largest)
    return fail(Code::UnreadableFile, "a configuration is larger than 1 MiB",
                {{"where", path.str()}});
  return files.read(path, largest);
}

static bool isPath(llvm::StringRef text) {
  return text.contains('/') || text == "." || text == "..";
}

/// \p entry's texts under its key, relative paths standing on the file's folder.
static llvm::Error take(const TomlEntry &entry, llvm::StringRef shown, ConfigFile &config,
                        Files &files) {
  auto originAt = [&](TomlPlace at) {
    return Origin{Origin::Kind::File, shown.str(), at.line, at.column};
  };
  const KeyInfo *row = findKey(entry.key);
  if (!row)
    return unknownKey(entry.key, originAt(entry.keyAt));
  using Kind = TomlEntry::Kind;
  bool isList = row->form == ValueForm::Texts || row->form == ValueForm::Pairs;
  bool fits = row->form == ValueForm::Flag
                  ? entry.kind == Kind::Boolean
                  : entry.kind == Kind::String || (isList && entry.kind == Kind::Strings) ||
                        (row->form == ValueForm::Pairs && entry.kind == Kind::Pairs);
  if (!fits || entry.texts.empty())
    return wrongType(row->key, fits ? "an empty list" : entry.kindName, originAt(entry.valueAt));
  Given &given = config.given[size_t(row->key)];
  for (const auto &[text, at] : entry.texts) {
    // Of a launcher the first word is a program, the others are its own.
    bool pathLike = row->key == Key::Toolkit || row->key == Key::HostCompiler ||
                    (row->key == Key::Launcher && given.empty());
    bool relative = pathLike && isPath(text) && text[0] != '/' && text[0] != '~';
    std::string value = relative ? joinPath(parentOf(config.path), text) : text;
    if (row->key == Key::Runtime)
      value = standing(text, parentOf(config.path), files);
    if (row->key == Key::Facts)
      value = standingPath(text, parentOf(config.path), files);
    given.push_back({std::move(value), originAt(at)});
  }
  return llvm::Error::success();
}

/// Nothing: a pyproject.toml without our table.
static llvm::Expected<std::optional<ConfigFile>>
readCandidate(llvm::StringRef path, const FileStatus &status, bool pyproject, llvm::StringRef shown,
              Files &files) {
  auto text = readConfig(path, status, files);
  if (!text)
    return text.takeError();
  // Most projects have a pyproject.toml that says nothing about us: not worth a parse.
  if (pyproject && !llvm::StringRef(*text).contains("cuda-cc"))
    return std::nullopt;
  static constexpr llvm::StringRef table[] = {"tool", "cuda-cc"};
  auto entries = readTomlTable(*text, shown, llvm::ArrayRef(table, pyproject ? 2 : 0));
  if (!entries)
    return entries.takeError();
  if (!*entries)
    return std::nullopt;
  ConfigFile config;
  config.path = path.str();
  for (const TomlEntry &entry : **entries)
    if (llvm::Error error = take(entry, shown, config, files))
      return error;
  return config;
}

llvm::Expected<std::optional<ConfigFile>> findConfigFile(llvm::StringRef from, Files &files,
                                                         unsigned uid) {
  for (llvm::StringRef folder = from; folder.starts_with("/"); folder = parentOf(folder)) {
    if (!isTrusted(files.stat(folder), uid))
      return std::nullopt;
    for (bool pyproject : {false, true}) {
      llvm::StringRef name = pyproject ? "pyproject.toml" : "cuda-cc.toml";
      std::string path = joinPath(folder, name);
      FileStatus status = files.stat(path);
      if (!status.exists())
        continue;
      auto config = readCandidate(path, status, pyproject,
                                  folder == files.workingDirectory() ? name : path, files);
      if (!config || *config)
        return config;
    }
    if (folder == "/")
      break;
  }
  return std::nullopt;
}

} // namespace cudacc::probe
