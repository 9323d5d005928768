// SPDX-License-Identifier: Apache-2.0
#include "driver/support/Trust.h"
#include "driver/support/Paths.h"
#include "driver/support/ShellWord.h"
#include "driver/support/Text.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

namespace cudacc::support {

using namespace core;
using namespace support;

static constexpr unsigned othersWrite = 02, groupWrites = 020;
static constexpr llvm::StringLiteral passwd = "/etc/passwd", groups = "/etc/group";
static constexpr uint64_t largestList = 1 << 20;

static std::string modeText(unsigned mode) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%04o", mode);
  return text;
}

/// Calls \p each with the fields of every line of /etc/passwd or /etc/group. False if the file
/// exists but cannot be read.
static bool readAccounts(Files &files, llvm::StringRef path,
                         llvm::function_ref<void(llvm::ArrayRef<llvm::StringRef>)> each) {
  auto text = llvm::expectedToOptional(files.read(path));
  if (!text)
    return !files.stat(path).exists();
  for (llvm::StringRef line : llvm::split(*text, '\n')) {
    llvm::SmallVector<llvm::StringRef, 8> fields;
    line.split(fields, ':');
    if (fields.size() >= 4)
      each(fields);
  }
  return true;
}

static bool isNumber(llvm::StringRef field, unsigned number) {
  unsigned value = 0;
  return !field.getAsInteger(10, value) && value == number;
}

static std::string named(Files &files, llvm::StringRef path, llvm::StringRef kind, unsigned id) {
  std::string name;
  readAccounts(files, path, [&](llvm::ArrayRef<llvm::StringRef> fields) {
    if (name.empty() && isNumber(fields[2], id))
      name = fields[0].str();
  });
  std::string number = fmt::format("{} {}", kind, id);
  return name.empty() ? number : fmt::format("{} ({})", name, number);
}

std::string Trust::account(unsigned id) { return named(files, passwd, "uid", id); }
std::string Trust::group(unsigned id) { return named(files, groups, "gid", id); }

/// Only the user and root are members. With directory services these files do not list every
/// account; a private group is then one whose number equals the user's, as such services assign it.
bool Trust::hasNobodyElse(unsigned group) {
  std::string own, groupName;
  bool alone = true;
  bool read = readAccounts(files, passwd, [&](llvm::ArrayRef<llvm::StringRef> fields) {
    if (isNumber(fields[2], uid))
      own = fields[0].str();
    else if (isNumber(fields[3], group) && !isNumber(fields[2], 0))
      alone = false;
  });
  read &= readAccounts(files, groups, [&](llvm::ArrayRef<llvm::StringRef> fields) {
    if (!isNumber(fields[2], group))
      return;
    groupName = fields[0].str();
    for (llvm::StringRef member : llvm::split(fields[3], ','))
      alone &= member.empty() || member == own || member == "root";
  });
  return read && alone && (group == uid || (!own.empty() && own == groupName));
}

bool Trust::isPrivate(unsigned group) {
  if (group == 0)
    return true;
  if (!lastGroup || lastGroup->first != group)
    lastGroup = {group, hasNobodyElse(group)};
  return lastGroup->second;
}

std::optional<Trust::Writers> Trust::writers(const FileStatus &status, llvm::StringRef what,
                                             bool onlyOwn) {
  if (status.owner != uid && (status.owner != 0 || onlyOwn))
    return Writers{fmt::format("{} belongs to {}", what, account(status.owner)), ""};
  std::string mode = fmt::format(" (mode {})", modeText(status.mode));
  if (status.mode & othersWrite)
    return Writers{fmt::format("everybody can write to {}{}", what, mode),
                   status.mode & groupWrites ? "go-w" : "o-w"};
  if ((status.mode & groupWrites) && !isPrivate(status.group))
    return Writers{fmt::format("the group {} can write to {}{}", group(status.group), what, mode),
                   "g-w"};
  return std::nullopt;
}

std::optional<Doubt> Trust::doubt(llvm::StringRef path, const FileStatus &status) {
  std::string real = path.str();
  if (files.readLink(path))
    real = files.realPath(path).value_or(real);
  auto doubtful = [&](llvm::StringRef where, Writers found, llvm::StringRef changed,
                      unsigned owner) {
    Doubt doubt;
    doubt.path = path.str();
    doubt.real = real;
    doubt.owner = account(status.owner);
    doubt.user = account(uid);
    doubt.because = std::move(found.because);
    doubt.directory = parentOf(where).str();
    doubt.variable = environment.getOr("CUDA_CC_TRUST").rtrim(':').str();
    support::appendItem(doubt.variable, doubt.directory, ":");
    doubt.notes = notes;
    if (!found.mode.empty() && (owner == uid || uid == 0))
      doubt.mend = fmt::format("chmod {} {}", found.mode, shellWord(changed));
    return doubt;
  };
  auto inDirectory = [&](llvm::StringRef where) -> std::optional<Doubt> {
    llvm::StringRef directory = parentOf(where);
    FileStatus parent = files.stat(directory);
    auto found = parent.exists() ? writers(parent, "its directory")
                                 : Writers{"its directory cannot be looked at", ""};
    if (!found || isListed(where))
      return std::nullopt;
    return doubtful(where, std::move(*found), directory, parent.owner);
  };
  if (!status.exists())
    return doubtful(path, {"it does not exist", ""}, "", uid);
  if (auto found = writers(status, "it"); found && !isListed(real))
    return doubtful(real, std::move(*found), real, status.owner);
  if (auto found = inDirectory(real))
    return found;
  return real == path ? std::nullopt : inDirectory(path);
}

std::string Trust::place(llvm::StringRef path) const {
  llvm::StringRef directory = parentOf(path);
  std::string real = files.realPath(directory).value_or(directory.str());
  return path == "/" ? "/" : joinPath(real, nameOf(path));
}

bool Trust::covers(llvm::StringRef trusted, llvm::StringRef path) {
  trusted = trusted.rtrim('/');
  return path.consume_front(trusted) && (path.empty() || path.front() == '/');
}

bool Trust::isListed(llvm::StringRef path) {
  if (!listed) {
    std::string problem, relative;
    // The list holds the location that a directory had when it was trusted, so that a link created
    // there later has no effect.
    listed = readList(problem);
    if (!problem.empty())
      notes.push_back({"trust list", problem});
    std::vector<std::string> paths = readVariable(relative);
    if (!relative.empty())
      notes.push_back({"CUDA_CC_TRUST", relative + " does not count: it is not absolute"});
    for (std::string &each : paths) {
      if (auto real = files.realPath(each))
        listed->push_back(std::move(*real));
      listed->push_back(std::move(each));
    }
  }
  if (listed->empty())
    return false;
  std::string where = place(path);
  return llvm::any_of(*listed, [&](const std::string &each) { return covers(each, where); });
}

std::string Trust::listPath() const {
  llvm::StringRef config = environment.getOr("XDG_CONFIG_HOME");
  llvm::StringRef home = environment.getOr("HOME");
  // XDG specification: relative paths must be ignored.
  if (config.starts_with("/"))
    return fmt::format("{}/cuda-cc/trust", config.rtrim('/'));
  // A HOME that does not exist is none; a list would create it.
  if (!home.starts_with("/") || files.stat(home).kind != FileStatus::Kind::Directory)
    return "";
  return fmt::format("{}/.config/cuda-cc/trust", home.rtrim('/'));
}

std::string Trust::listProblem() {
  std::string path = listPath();
  if (path.empty())
    return "";
  std::string real = files.readLink(path) ? files.realPath(path).value_or(path) : path;
  std::optional<Writers> found;
  if (FileStatus status = files.stat(path); status.exists())
    found = writers(status, "it", /*onlyOwn=*/true);
  for (llvm::StringRef where : {llvm::StringRef(path), llvm::StringRef(real)})
    if (FileStatus status = files.stat(parentOf(where)); !found && status.exists())
      found = writers(status, "its directory", /*onlyOwn=*/true);
  return found ? fmt::format("{} does not count: {}", path, found->because) : "";
}

std::vector<std::string> Trust::readList(std::string &problem) {
  std::string path = listPath();
  std::vector<std::string> lines;
  if (path.empty() || !files.stat(path).exists())
    return lines;
  problem = listProblem();
  if (!problem.empty())
    return lines;
  auto text = files.read(path, largestList);
  if (!text) {
    problem = toFinding(text.takeError()).message;
    return lines;
  }
  for (llvm::StringRef line : llvm::split(*text, '\n'))
    if (line.starts_with("/"))
      lines.push_back(line.str());
  return lines;
}

std::vector<std::string> Trust::readVariable(std::string &relative) const {
  std::vector<std::string> paths;
  llvm::SmallVector<llvm::StringRef, 4> parts;
  environment.getOr("CUDA_CC_TRUST").split(parts, ':', -1, false);
  for (llvm::StringRef part : parts) {
    std::string path = expandHome(part, environment.getOr("HOME"));
    if (llvm::StringRef(path).starts_with("/"))
      paths.push_back(normalizePath(path, files));
    else if (relative.empty())
      relative = part.str();
  }
  return paths;
}

Finding Doubt::finding(llvm::StringRef message, std::vector<Fact> refused) const {
  Finding finding;
  finding.code = Code::UntrustedDeclaration;
  finding.message = message.str();
  finding.facts = {{"file", path}};
  if (real != path)
    finding.facts.push_back({"link to", real});
  finding.facts.push_back({"owner", fmt::format("{}; you are {}", owner, user)});
  finding.facts.push_back({"because", because});
  for (Fact &each : refused)
    finding.facts.push_back(std::move(each));
  for (const Fact &each : notes)
    finding.facts.push_back(each);
  if (!mend.empty())
    finding.fixes.push_back(mend);
  finding.fixes.push_back("cuda-cc trust " + shellWord(directory));
  // The variable has no way to escape a colon in a path.
  if (!llvm::StringRef(directory).contains(':'))
    finding.fixes.push_back("export CUDA_CC_TRUST=" + shellWord(variable));
  return finding;
}

} // namespace cudacc::support
