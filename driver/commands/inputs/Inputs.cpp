// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/inputs/Inputs.h"
#include "driver/process/DiskTree.h"
#include "driver/support/Paths.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"
#include <map>
#include <set>

namespace cudacc::commands {

using namespace core;
namespace path = llvm::sys::path;

namespace {

/// Walks directories. A file with several names below one argument is listed once; another argument
/// may be a copy made of hard links, which is judged separately.
class InputFinder {
public:
  InputFinder(pipeline::System &system, const std::optional<std::string> &installDir,
              Inputs &inputs)
      : system(system), installDir(installDir), inputs(inputs) {}

  void argument(const std::string &word);

private:
  using Identity = std::pair<uint64_t, uint64_t>;
  /// A directory that is being walked.
  struct Level {
    std::string path;
    /// Site-packages folder above it, or the directory itself; empty if none so far.
    std::string sitePackages;
    unsigned depth = 0;
  };
  static constexpr unsigned maxDepth = 256;

  pipeline::System &system;
  const std::optional<std::string> &installDir;
  Inputs &inputs;
  size_t arguments = 0;
  /// The directory named by the user; empty for a file.
  std::string root;
  std::map<Identity, std::vector<size_t>> files;
  std::set<Identity> directories;

  void file(const std::string &word, const FileStatus &status);
  bool wheel(const std::string &word);
  void addMember(const OpenedWheel &wheel, size_t entry);
  void addUnopened(const OpenedWheel &wheel, llvm::ArrayRef<size_t> members);
  void walk(const Level &level);
  /// The contents of a directory, except files.
  struct Listed {
    std::vector<std::string> directories;
    /// Names whose type could not be determined.
    std::vector<std::string> unreachable;
  };
  void entry(const Level &level, const std::string &name, Listed &listed);
  void addUnreachable(const Level &level, llvm::ArrayRef<std::string> names);
  Input *sameFile(llvm::ArrayRef<size_t> known, const Input &input);
  void add(Input input, const FileStatus &status);
  void placeBesideOthers(Input &input) const;
};

} // namespace

static std::string join(llvm::StringRef folder, llvm::StringRef name) {
  return name.empty() ? folder.str() : support::joinPath(folder, name);
}

static bool isSitePackages(llvm::StringRef name) {
  return name == "site-packages" || name == "dist-packages";
}

/// The site-packages folder above \p absolute; empty if there is none.
static std::string sitePackagesAbove(llvm::StringRef absolute) {
  for (llvm::StringRef folder = path::parent_path(absolute); folder.size() > 1;
       folder = path::parent_path(folder))
    if (isSitePackages(path::filename(folder)))
      return folder.str();
  return {};
}

static llvm::SmallString<256> withoutDots(llvm::StringRef absolute) {
  llvm::SmallString<256> out(absolute);
  path::remove_dots(out);
  return out;
}

Input *InputFinder::sameFile(llvm::ArrayRef<size_t> known, const Input &input) {
  for (size_t each : known) {
    Input &other = inputs.files[each];
    if (other.argument == input.argument ||
        withoutDots(support::absolute(other.path, system.files)) ==
            withoutDots(support::absolute(input.path, system.files)))
      return &other;
  }
  return nullptr;
}

void InputFinder::add(Input input, const FileStatus &status) {
  std::vector<size_t> &known = files[{status.id.device, status.id.inode}];
  input.device = status.id.device;
  input.inode = status.id.inode;
  Input *other = sameFile(known, input);
  if (!other) {
    known.push_back(inputs.files.size());
    inputs.files.push_back(std::move(input));
    return;
  }
  // A file is known by the name that is not a link.
  input.named |= other->named;
  if (system.files.readLink(other->path) && !system.files.readLink(input.path))
    *other = std::move(input);
  else
    other->named = input.named;
}

/// The file goes where the project is installed, together with what lies beside it.
void InputFinder::placeBesideOthers(Input &input) const {
  llvm::StringRef folder = path::parent_path(input.path);
  std::string name = path::filename(input.path).str();
  std::string below;
  input.root = root.empty() ? (folder.empty() ? "." : folder.str()) : root;
  if (!root.empty())
    below = llvm::StringRef(input.path).drop_front(root.size()).ltrim('/').str();
  else
    below = name;
  std::string package =
      root.empty() ? "" : path::filename(support::absolute(root, system.files)).str();
  if (package.empty() || package == "." || package == "..")
    package = "package";
  std::vector<std::string> folders{package, ""};
  if (installDir)
    folders = {*installDir};
  for (const std::string &each : folders) {
    input.rootPlaces.push_back(each);
    input.places.push_back(join(each, below));
  }
}

void InputFinder::file(const std::string &word, const FileStatus &status) {
  if (wheel(word))
    return;
  Input input;
  input.name = input.path = word;
  input.named = true;
  input.argument = arguments;
  std::string place = support::absolute(word, system.files);
  // A link in a build directory is judged where the link lies (LS-14).
  input.sitePackages = sitePackagesAbove(place);
  if (input.sitePackages.empty())
    placeBesideOthers(input);
  else
    input.places = {place.substr(input.sitePackages.size() + 1)};
  add(std::move(input), status);
}

std::optional<std::string> placeOfMember(llvm::StringRef name) {
  auto [first, rest] = name.split('/');
  if (!first.ends_with(".data") || rest.empty())
    return name.str();
  auto [scheme, below] = rest.split('/');
  if (scheme == "purelib" || scheme == "platlib")
    return below.str();
  if (scheme == "scripts")
    return fmt::format("../../../bin/{}", below);
  if (scheme == "data")
    return fmt::format("../../../{}", below);
  return std::nullopt;
}

static bool canBeOpened(const binary::WheelEntry &entry) {
  constexpr uint16_t stored = 0, deflated = 8;
  return !entry.encrypted && (entry.method == stored || entry.method == deflated);
}

void InputFinder::addMember(const OpenedWheel &wheel, size_t entry) {
  const std::string &name = wheel.entries[entry].name;
  Input input;
  input.name = fmt::format("{}!{}", wheel.path, name);
  input.member = true;
  input.wheel = inputs.wheels.size();
  input.entry = entry;
  input.argument = arguments;
  if (auto place = placeOfMember(name))
    input.places = {std::move(*place)};
  inputs.files.push_back(std::move(input));
}

/// Adds one problem for all members, with the reason of the first.
void InputFinder::addUnopened(const OpenedWheel &wheel, llvm::ArrayRef<size_t> members) {
  if (members.empty())
    return;
  auto opened = binary::openEntry(*wheel.file, wheel.entries[members.front()]);
  if (opened)
    return;
  Finding finding = toFinding(opened.takeError());
  if (members.size() > 1)
    finding.facts.push_back({"likewise", fmt::format("{} more of {} members", members.size() - 1,
                                                     wheel.entries.size())});
  inputs.problems.emplace_back(wheel.path, std::move(finding));
}

/// Returns true if the file is a zip file or cannot be opened, so that nothing is left to do.
bool InputFinder::wheel(const std::string &word) {
  auto file = system.files.open(word);
  if (!file) {
    Finding problem = toFinding(file.takeError());
    if (FileStatus status = system.files.stat(word); status.kind == FileStatus::Kind::Regular)
      problem.facts.push_back({"where", process::permissionsOf(status)});
    inputs.problems.emplace_back(word, std::move(problem));
    return true;
  }
  if (!binary::looksLikeWheel(**file))
    return false;
  OpenedWheel wheel;
  wheel.path = word;
  auto entries = binary::readWheel(**file, word);
  if (!entries) {
    inputs.problems.emplace_back(word, toFinding(entries.takeError()));
    return true;
  }
  wheel.entries = std::move(*entries);
  wheel.file = std::move(*file);
  std::vector<size_t> unopened;
  for (size_t i = 0; i != wheel.entries.size(); ++i)
    if (canBeOpened(wheel.entries[i]))
      addMember(wheel, i);
    else
      unopened.push_back(i);
  addUnopened(wheel, unopened);
  inputs.wheels.push_back(std::move(wheel));
  return true;
}

void InputFinder::entry(const Level &level, const std::string &name, Listed &listed) {
  std::string path = join(level.path, name);
  FileStatus status = system.files.stat(path);
  if (status.kind == FileStatus::Kind::Directory)
    listed.directories.push_back(name);
  if (status.unreachable)
    listed.unreachable.push_back(name);
  if (status.kind != FileStatus::Kind::Regular)
    return;
  if (llvm::StringRef(name).ends_with(".whl") && wheel(path))
    return;
  Input input;
  input.name = input.path = path;
  input.argument = arguments;
  input.sitePackages = level.sitePackages;
  if (level.sitePackages.empty())
    placeBesideOthers(input);
  else
    input.places = {support::absolute(path, system.files).substr(level.sitePackages.size() + 1)};
  add(std::move(input), status);
}

/// Adds the entries of a directory that can be listed but not searched, and links into one.
void InputFinder::addUnreachable(const Level &level, llvm::ArrayRef<std::string> names) {
  if (names.empty())
    return;
  std::string path = join(level.path, names.front());
  auto file = system.files.open(path);
  Finding finding = file ? toFinding(makeError(Code::UnreadableFile, "cannot read " + path))
                         : toFinding(file.takeError());
  if (names.size() > 1)
    finding.facts.push_back(
        {"likewise", fmt::format("{} more in {}", names.size() - 1, level.path)});
  inputs.problems.emplace_back(path, std::move(finding));
}

void InputFinder::walk(const Level &level) {
  FileStatus status = system.files.stat(level.path);
  auto names = system.files.readDirectory(level.path);
  // A directory that cannot be read must not be accepted unseen; it may also have been removed
  // since its name was read.
  if (!names) {
    inputs.problems.emplace_back(level.path, toFinding(names.takeError()));
    return;
  }
  if (!directories.insert({status.id.device, status.id.inode}).second)
    return;
  if (level.depth > maxDepth) {
    inputs.problems.emplace_back(
        level.path, toFinding(makeError(Code::LimitReached,
                                        fmt::format("directories lie more than {} deep", maxDepth),
                                        {{"not read", level.path}})));
    return;
  }
  Level here = level;
  bool unpacked = here.sitePackages.empty() && llvm::any_of(*names, [](llvm::StringRef name) {
                    return name.ends_with(".dist-info");
                  });
  if (unpacked || isSitePackages(path::filename(here.path)))
    here.sitePackages = support::absolute(llvm::StringRef(here.path).rtrim('/'), system.files);
  Listed listed;
  for (const std::string &name : *names)
    entry(here, name, listed);
  addUnreachable(here, listed.unreachable);
  for (const std::string &name : listed.directories)
    walk({join(here.path, name), here.sitePackages, here.depth + 1});
}

void InputFinder::argument(const std::string &word) {
  FileStatus status = system.files.stat(word);
  directories.clear();
  if (status.kind == FileStatus::Kind::Directory) {
    root = word;
    // A link to a folder above leads to all that is not asked about: `x -> /`.
    for (std::string at = system.files.realPath(word).value_or("/"); at.size() > 1;) {
      at = support::parentOf(at).str();
      FileId above = system.files.stat(at).id;
      directories.insert({above.device, above.inode});
    }
    std::string place = support::absolute(llvm::StringRef(word).rtrim('/'), system.files);
    walk({word, sitePackagesAbove(place), 0});
    root.clear();
  } else {
    file(word, status);
  }
  ++arguments;
}

Inputs findInputs(pipeline::System &system, llvm::ArrayRef<std::string> words,
                  const std::optional<std::string> &installDir) {
  Inputs inputs;
  InputFinder finder(system, installDir, inputs);
  for (const std::string &word : words)
    finder.argument(word);
  return inputs;
}

llvm::Expected<std::unique_ptr<ReadableFile>> open(pipeline::System &system, const Inputs &inputs,
                                                   const Input &input,
                                                   binary::MemberFile **member) {
  if (!input.member)
    return system.files.open(input.path);
  const OpenedWheel &wheel = inputs.wheels[input.wheel];
  auto file = binary::openEntry(*wheel.file, wheel.entries[input.entry]);
  if (!file)
    return file.takeError();
  if (member)
    *member = file->get();
  return std::move(*file);
}

} // namespace cudacc::commands
