#include "driver/config/ConfigFile.h"
#include "driver/core/Diagnostic.h"
#include "driver/support/Paths.h"
#include "driver/support/Toml.h"
#include "driver/versions/PlaceRequirement.h"

namespace cudacc::config {

using namespace core;

static constexpr uint64_t largest = 1 << 20;

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
static llvm::Error take(const support::TomlEntry &entry, llvm::StringRef shown, ConfigFile &config,
                        Files &files) {
  auto originAt = [&](support::TomlPlace at) {
    return Origin{Origin::Kind::File, shown.str(), at.line, at.column};
  };
  const KeyInfo *row = findKey(entry.key);
  if (!row)
    return unknownKey(entry.key, originAt(entry.keyAt));
  using Kind = support::TomlEntry::Kind;
  using Form = KeyInfo::Form;
  bool fits = row->form == Form::Flag
                  ? entry.kind == Kind::Boolean
                  : entry.kind == Kind::String || (row->isList() && entry.kind == Kind::Strings) ||
                        (row->form == Form::Pairs && entry.kind == Kind::Pairs);
  if (!fits || entry.texts.empty())
    return wrongType(row->key, fits ? "an empty list" : entry.kindName, originAt(entry.valueAt));
  Given &given = config.given[size_t(row->key)];
  for (const auto &[text, at] : entry.texts) {
    // Of a launcher the first word is a program, the others are its own.
    bool pathLike = row->key == Key::Toolkit || row->key == Key::HostCompiler ||
                    (row->key == Key::Launcher && given.empty());
    bool relative = pathLike && isPath(text) && text[0] != '/' && text[0] != '~';
    std::string value = relative ? support::joinPath(support::parentOf(config.path), text) : text;
    if (row->key == Key::Runtime)
      value = standing(text, support::parentOf(config.path), files);
    if (row->key == Key::Facts)
      value = standingPath(text, support::parentOf(config.path), files);
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
  auto entries = support::readTomlTable(*text, shown, llvm::ArrayRef(table, pyproject ? 2 : 0));
  if (!entries)
    return entries.takeError();
  if (!*entries)
    return std::nullopt;
  ConfigFile config;
  config.path = path.str();
  config.status = status;
  for (const support::TomlEntry &entry : **entries)
    if (llvm::Error error = take(entry, shown, config, files))
      return error;
  return config;
}

/// A pyproject.toml that has nothing about us is no declaration, wherever it lies.
static bool mayDeclare(llvm::StringRef path, const FileStatus &status, bool pyproject,
                       Files &files) {
  if (!pyproject)
    return true;
  auto text = readConfig(path, status, files);
  if (text)
    return llvm::StringRef(*text).contains("cuda-cc");
  llvm::consumeError(text.takeError());
  return true;
}

llvm::Expected<std::optional<ConfigFile>> findConfigFile(llvm::StringRef from, Files &files,
                                                         support::Trust &trust,
                                                         std::vector<std::string> *passedBy) {
  for (llvm::StringRef folder = from; folder.starts_with("/"); folder = support::parentOf(folder)) {
    for (bool pyproject : {false, true}) {
      llvm::StringRef name = pyproject ? "pyproject.toml" : "cuda-cc.toml";
      std::string path = support::joinPath(folder, name);
      FileStatus status = files.stat(path);
      if (!status.exists())
        continue;
      // Anybody could put one there that hides the declaration above, or stops what others build.
      if (support::Trust::isShared(files.stat(folder)) && !trust.isListed(path)) {
        if (passedBy && mayDeclare(path, status, pyproject, files))
          passedBy->push_back(path);
        continue;
      }
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

std::optional<Finding> refuse(const GivenKeys &given, llvm::StringRef path,
                              const FileStatus &status, const Environment &environment,
                              Files &files, support::Trust &trust) {
  std::vector<std::pair<const KeyInfo *, const Setting<std::string> *>> asked;
  for (const KeyInfo &row : allKeys())
    for (const Setting<std::string> &each : given[size_t(row.key)])
      if (!onlyRestricts(row.key, each.value))
        asked.emplace_back(&row, &each);
  if (asked.empty())
    return std::nullopt;
  auto doubt = trust.doubt(path, status);
  if (!doubt)
    return std::nullopt;
  std::vector<Fact> refused;
  for (const auto &[row, each] : asked) {
    std::string text = (row->name + " = " + each->value + " in " + placeOf(each->origin)).str();
    auto named = versions::PlaceRequirement::parse(each->value);
    if (named && row->key == Key::Runtime) {
      std::string place = support::tidy(
          support::absolute(support::expandHome(named->path, environment.getOr("HOME")), files),
          files);
      auto theirs = trust.doubt(place);
      if (!theirs)
        continue;
      text += ": " + theirs->because;
    }
    refused.push_back({"refused", std::move(text)});
  }
  if (refused.empty())
    return std::nullopt;
  return doubt->finding("a declaration from a file that others can write", std::move(refused));
}

} // namespace cudacc::config
