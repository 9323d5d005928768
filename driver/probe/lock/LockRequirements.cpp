// SPDX-License-Identifier: Apache-2.0
#include "driver/probe/lock/LockReader.h"
#include "driver/support/Paths.h"
#include "driver/support/Text.h"
#include "driver/tables/lookup/Torch.h"
#include "driver/versions/Format.h"
#include "driver/versions/Requirement.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

namespace cudacc::probe {

using namespace core;
using namespace versions;
using namespace support;
using llvm::StringRef;

namespace {

constexpr unsigned deepestFile = 16, mostFiles = 256;

/// Reads pip's requirements format: lines of requirements and options, joined at a backslash.
class Requirements {
public:
  Requirements(Files &files, LockCollector &collector) : files(files), collector(collector) {}

  llvm::Error file(const std::string &path, const std::string &shown, bool constraint,
                   unsigned depth);
  llvm::Error finish();

private:
  struct Place {
    const std::string &path, &shown;
    bool constraint;
    unsigned depth, line;
  };

  Files &files;
  LockCollector &collector;
  llvm::StringSet<> seen;
  /// Packages required by name, with the truth of their marker: a constraint applies to these.
  llvm::StringMap<Truth> required;
  struct Pin {
    LockedPackage package;
    /// The installer chooses the build: the requirement names neither a file nor a label.
    bool anyBuild = false;
  };
  std::vector<Pin> pins, constraints;
  /// The newest of the builds to which the indexes belong (`cu126`); empty if to none.
  std::string build;

  llvm::Error line(StringRef text, const Place &place);
  llvm::Error option(StringRef text, const Place &place);
  llvm::Error nested(StringRef name, bool constraint, const Place &place);
  llvm::Error requirement(StringRef text, const Place &place);
  std::vector<Pin> &pinsOf(const Place &place) { return place.constraint ? constraints : pins; }
  void index(StringRef url);
  llvm::Error add(Pin pin);
};

/// As in pip, a comment begins at the start of a line or after white space; URLs contain `#`.
StringRef withoutComment(StringRef line) {
  for (size_t at = 0; (at = line.find('#', at)) != StringRef::npos; ++at)
    if (at == 0 || llvm::isSpace(line[at - 1]))
      return line.take_front(at);
  return line;
}

/// Drops ` --hash=...` and other per-requirement options.
StringRef withoutOptions(StringRef text) {
  for (size_t at = 0; (at = text.find("--", at)) != StringRef::npos; ++at)
    if (at && llvm::isSpace(text[at - 1]))
      return text.take_front(at).rtrim();
  return text;
}

/// Returns the argument of `-rFILE`, `-r FILE`, `--requirement FILE` or `--requirement=FILE`;
/// std::nullopt if the text is another option.
std::optional<StringRef> argumentOf(StringRef text, StringRef brief, StringRef full) {
  if (text.consume_front(full)) {
    if (!text.empty() && text.front() != '=' && !llvm::isSpace(text.front()))
      return std::nullopt;
    text.consume_front("=");
  } else if (text.starts_with("--") || !text.consume_front(brief)) {
    return std::nullopt;
  }
  text = text.trim();
  if (text.size() > 1 && (text.front() == '"' || text.front() == '\'') &&
      text.front() == text.back())
    text = text.drop_front().drop_back();
  return text;
}

bool isUrl(StringRef text) { return text.contains("://"); }

/// Whether PyTorch's index has a folder of that name, with the builds that carry it as their label.
bool isBuild(StringRef folder) { return folder == "cpu" || tables::isGpuLabel(folder); }

} // namespace

/// Of several indexes pip takes the newest version, which is the one with the greatest label.
void Requirements::index(StringRef url) {
  StringRef folder = nameOf(url.rtrim('/'));
  if (isBuild(folder) && folder > StringRef(build))
    build = folder.str();
}

/// PyTorch's index has torch 2.9.0 as `2.9.0+cu126`, which `torch==2.9.0` matches and PyPI's
/// `2.9.0` precedes.
llvm::Error Requirements::add(Pin pin) {
  if (pin.anyBuild && !build.empty()) {
    pin.package.version.local = {build};
    pin.package.text += "+" + build;
  }
  return collector.add(std::move(pin.package));
}

llvm::Error Requirements::nested(StringRef name, bool constraint, const Place &place) {
  if (isUrl(name) && !StringRef(name).starts_with("file://")) {
    if (!constraint)
      return brokenLock(place.shown, place.line, "names a file that does not exist",
                        name.take_front(60));
    collector.warn(Code::UnreadableFile, "constraints behind a URL were not read", place.shown,
                   place.line);
    return llvm::Error::success();
  }
  name.consume_front("file://");
  std::string folder = parentOf(place.path).str(), below = parentOf(place.shown).str();
  std::string path = normalizePath(joinPath(folder, name), files);
  if (files.stat(path).kind != FileStatus::Kind::Regular)
    return brokenLock(place.shown, place.line, "names a file that does not exist", path);
  std::string shown = below.empty() || name.starts_with("/") ? name.str() : joinPath(below, name);
  return file(path, shown, constraint || place.constraint, place.depth + 1);
}

llvm::Error Requirements::option(StringRef text, const Place &place) {
  if (auto name = argumentOf(text, "-r", "--requirement"))
    return nested(*name, false, place);
  if (auto name = argumentOf(text, "-c", "--constraint"))
    return nested(*name, true, place);
  if (auto url = argumentOf(text, "-i", "--index-url")) {
    build.clear();
    index(*url);
  }
  for (StringRef also : {"--extra-index-url", "--find-links"})
    if (auto url = argumentOf(text, "-f", also))
      index(*url);
  // `-e` names a project's sources, which pin nothing.
  return llvm::Error::success();
}

llvm::Error Requirements::requirement(StringRef text, const Place &place) {
  auto wanted = Requirement::parse(text);
  if (!wanted) {
    // A wheel or directory given by path or URL.
    auto [path, marker] = text.split(" ;");
    if (auto found = distributionOfFile(path.trim())) {
      LockedPackage package = lockedPackage(found->first, found->second, place.shown, place.line);
      package.marker = marker.trim().str();
      pinsOf(place).push_back({std::move(package)});
      return llvm::Error::success();
    }
    if (isUrl(path) || path.contains('/') || path.starts_with("."))
      return llvm::Error::success();
    return brokenLock(place.shown, place.line, "is not a requirement of PEP 508", quoted(text));
  }
  std::string marker;
  size_t at = wanted->url.empty() ? text.find(';') : text.find(" ;");
  if (wanted->marker && at != StringRef::npos)
    marker = text.substr(at).ltrim(" ;").trim().str();
  const Specifier *fixed = nullptr;
  for (const Specifier &clause : wanted->specifiers.clauses)
    if ((clause.op == Specifier::Op::Equal && !clause.prefix) ||
        clause.op == Specifier::Op::Arbitrary)
      fixed = &clause;
  std::string version = fixed ? fixed->text : "";
  if (auto found = distributionOfFile(wanted->url))
    version = found->second;
  if (!place.constraint) {
    Truth truth = collector.truthOf(marker, place.shown, place.line);
    auto entry = required.try_emplace(wanted->name, truth).first;
    entry->second = either(entry->second, truth);
  }
  if (version.empty() && wanted->url.empty())
    return llvm::Error::success();
  LockedPackage package = lockedPackage(wanted->name, version, place.shown, place.line);
  package.marker = std::move(marker);
  bool anyBuild = package.name == "torch" && wanted->url.empty() &&
                  !package.version.release.empty() && package.version.local.empty();
  pinsOf(place).push_back({std::move(package), anyBuild});
  return llvm::Error::success();
}

llvm::Error Requirements::line(StringRef text, const Place &place) {
  text = text.trim();
  if (text.empty())
    return llvm::Error::success();
  if (text.starts_with("-"))
    return option(text, place);
  return requirement(withoutOptions(text), place);
}

llvm::Error Requirements::file(const std::string &path, const std::string &shown, bool constraint,
                               unsigned depth) {
  if (!seen.insert((constraint ? "c" : "r") + path).second)
    return llvm::Error::success();
  if (depth > deepestFile || seen.size() > mostFiles)
    return brokenLock(
        shown, 1, "exceeds the limits on included files",
        fmt::format("included files: at most {} deep and {} in all", deepestFile, mostFiles));
  auto content = collector.read(path, files);
  if (!content)
    return content.takeError();
  StringRef rest = *content;
  rest.consume_front("\xEF\xBB\xBF");
  std::string joined;
  unsigned number = 0, first = 1;
  while (!rest.empty()) {
    auto [text, after] = rest.split('\n');
    rest = after;
    ++number;
    text.consume_back("\r");
    if (joined.empty())
      first = number;
    StringRef bare = withoutComment(text);
    joined += bare;
    // A joined line ends at a comment, even if the comment ends with a backslash.
    if (bare.size() == text.size() && text.ends_with("\\")) {
      joined.back() = ' ';
      if (!rest.empty())
        continue;
    }
    if (llvm::Error error = line(joined, {path, shown, constraint, depth, first}))
      return error;
    joined.clear();
  }
  return llvm::Error::success();
}

/// A constraint fixes a version but does not cause an installation: it is Unknown whether it
/// applies, unless the file itself requires the package.
llvm::Error Requirements::finish() {
  for (Pin &pin : pins)
    if (llvm::Error error = add(std::move(pin)))
      return error;
  for (Pin &pin : constraints) {
    auto asked = required.find(pin.package.name);
    pin.package.applies =
        asked == required.end() || asked->second == Truth::False ? Truth::Unknown : asked->second;
    if (llvm::Error error = add(std::move(pin)))
      return error;
  }
  return llvm::Error::success();
}

llvm::Error readRequirements(StringRef path, Files &files, LockCollector &collector) {
  Requirements requirements(files, collector);
  if (llvm::Error error = requirements.file(path.str(), collector.shown().str(), false, 0))
    return error;
  return requirements.finish();
}

} // namespace cudacc::probe
