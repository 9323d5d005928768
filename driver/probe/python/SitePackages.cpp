// SPDX-License-Identifier: Apache-2.0
#include "driver/probe/python/SitePackages.h"
#include "driver/support/Paths.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

namespace cudacc::probe {

using namespace core;
using namespace support;
using llvm::StringRef;

/// For all directories together; a real environment has fewer than ten.
static constexpr size_t mostSites = 128;
static constexpr uint64_t largestText = 64 << 10;

FileStatus look(StringRef path, PythonEnvironment &environment, Files &files) {
  FileStatus status = files.stat(path);
  FileId id = status.id;
  id.path = path.str();
  environment.inputs.push_back(std::move(id));
  return status;
}

llvm::Expected<std::optional<std::vector<std::string>>>
listDirectory(StringRef path, PythonEnvironment &environment, Files &files) {
  FileStatus status = look(path, environment, files);
  if (status.kind != FileStatus::Kind::Directory && !status.unreachable)
    return std::nullopt;
  auto names = files.readDirectory(path);
  if (names)
    return std::move(*names);
  Finding finding = toFinding(names.takeError());
  finding.addFact("environment", environment.prefix);
  return makeError(std::move(finding));
}

Finding &addProblem(PythonEnvironment &environment, Code code, Severity severity,
                    std::string message) {
  Finding &finding = environment.problems.emplace_back(makeFinding(code, std::move(message)));
  finding.severity = severity;
  finding.addFact("environment", environment.prefix);
  return finding;
}

namespace {

/// The contents of pyvenv.cfg.
struct Venv {
  bool found = false;
  bool systemSite = false;
  /// Prefix of the base installation; empty if not stated.
  std::string base;
  /// `python3.11`; empty if not stated.
  std::string python;
};

class Sites {
public:
  Sites(PythonEnvironment &environment, Files &files) : environment(environment), files(files) {}
  llvm::Expected<std::vector<SiteDirectory>> read();

private:
  Venv readVenv();
  llvm::Expected<std::string> pythonOf(StringRef prefix, const Venv &venv);
  bool addPrefix(StringRef prefix, StringRef python);
  bool add(StringRef path);
  void addPathFiles(size_t from);
  void addLines(StringRef text, StringRef folder);
  llvm::Error none();
  llvm::Expected<std::vector<SiteDirectory>> take();

  PythonEnvironment &environment;
  Files &files;
  std::vector<SiteDirectory> sites;
  llvm::SmallVector<std::pair<uint64_t, uint64_t>, 8> seen;
  bool full = false;
  /// The error for the first directory that cannot be read.
  std::optional<Finding> unreadable;
};

bool isPython(StringRef name) { return name.starts_with("python3.") || name.starts_with("pypy3."); }

bool isInfo(StringRef name) { return name.ends_with(".dist-info"); }

} // namespace

bool Sites::add(StringRef path) {
  FileStatus status = files.stat(path);
  auto names = listDirectory(path, environment, files);
  if (!names) {
    Finding finding = toFinding(names.takeError());
    if (!unreadable)
      unreadable = std::move(finding);
    return true;
  }
  if (!*names)
    return false;
  // lib64 is usually a symbolic link to lib.
  std::pair id(status.id.device, status.id.inode);
  if (llvm::is_contained(seen, id))
    return true;
  if (sites.size() == mostSites) {
    if (!std::exchange(full, true))
      addProblem(environment, Code::LimitReached, Severity::Error,
                 fmt::format("more than {} site directories", mostSites));
    return true;
  }
  seen.push_back(id);
  sites.push_back({path.str(), std::move(**names)});
  return true;
}

/// Debian's own Python searches the first three (site.getsitepackages of 3.11), all others the last
/// two; lib64 is the platform directory on Fedora and its derivatives.
bool Sites::addPrefix(StringRef prefix, StringRef python) {
  bool any = false;
  for (StringRef form : {"local/lib/@/dist-packages", "lib/python3/dist-packages",
                         "lib/@/dist-packages", "lib/@/site-packages", "lib64/@/site-packages"}) {
    auto [front, back] = form.split('@');
    if (!back.empty() && python.empty())
      continue;
    any |= add(support::joinPath(
        prefix, back.empty() ? form.str() : fmt::format("{}{}{}", front, python, back)));
  }
  return any;
}

Venv Sites::readVenv() {
  Venv venv;
  std::string path = joinPath(environment.prefix, "pyvenv.cfg");
  if (look(path, environment, files).kind != FileStatus::Kind::Regular)
    return venv;
  auto text = files.read(path, largestText);
  if (!text) {
    environment.problems.push_back(toFinding(text.takeError()));
    return venv;
  }
  venv.found = true;
  std::string home;
  for (StringRef line : llvm::split(*text, '\n')) {
    auto [name, value] = line.split('=');
    name = name.trim();
    value = value.trim();
    if (name == "include-system-site-packages")
      venv.systemSite = value.equals_insensitive("true");
    else if (name == "home")
      home = value.str();
    else if (name == "base-prefix")
      venv.base = value.str();
    else if (name == "version" || name == "version_info") {
      auto [major, after] = value.split('.');
      StringRef minor = after.take_while([](char c) { return c >= '0' && c <= '9'; });
      if (major == "3" && !minor.empty())
        venv.python = fmt::format("python3.{}", minor);
    }
  }
  // `home` is the base interpreter's directory (PEP 405); only virtualenv records its prefix.
  if (venv.base.empty() && StringRef(home).starts_with("/"))
    venv.base = parentOf(home).str();
  return venv;
}

/// Name of the prefix's Python directory below lib. There may be several if an upgrade left the old
/// one; then pyvenv.cfg or the interpreter's symbolic link decides.
llvm::Expected<std::string> Sites::pythonOf(StringRef prefix, const Venv &venv) {
  llvm::SmallVector<std::string, 2> found;
  for (StringRef lib : {"lib", "lib64", "local/lib"}) {
    std::string folder = joinPath(prefix, lib);
    if (look(folder, environment, files).kind != FileStatus::Kind::Directory)
      continue;
    for (const std::string &name : files.list(folder)) {
      if (!isPython(name) || llvm::is_contained(found, name))
        continue;
      for (StringRef sub : {"site-packages", "dist-packages"})
        if (files.stat(support::joinPath(folder, fmt::format("{}/{}", name, sub))).exists()) {
          found.push_back(name);
          break;
        }
    }
  }
  if (found.size() < 2)
    return found.empty() ? venv.python : found.front();
  if (!venv.python.empty() && llvm::is_contained(found, venv.python))
    return venv.python;
  std::string named;
  for (StringRef link : {"bin/python3", "bin/python"}) {
    std::string path = joinPath(prefix, link);
    look(path, environment, files);
    auto real = files.realPath(path);
    if (real && llvm::is_contained(found, nameOf(*real)))
      named = nameOf(*real).str();
  }
  if (!named.empty())
    return named;
  return makeError(Code::EvidenceConflict, "an environment of several Python versions",
                   {{"environment", prefix.str()}, {"found", llvm::join(found, ", ")}},
                   {"name its site-packages directory: env:" +
                    support::joinPath(prefix, fmt::format("lib/{}/site-packages", found.back()))});
}

/// As site.py does: comments and code are skipped; every other line is a path, added if it exists.
void Sites::addLines(StringRef text, StringRef folder) {
  for (StringRef line : llvm::split(text, '\n')) {
    line = line.rtrim();
    if (full)
      return;
    if (line.empty() || line.starts_with("#") || line.starts_with("import ") ||
        line.starts_with("import\t") || line.size() > 4096 || line.contains('\0'))
      continue;
    add(normalizePath(joinPath(folder, line), files));
  }
}

/// Python reads .pth files only in site directories, not in the directories that they add.
void Sites::addPathFiles(size_t from) {
  for (size_t i = from, count = sites.size(); i < count; ++i) {
    std::string folder = sites[i].path;
    std::vector<std::string> paths;
    for (const std::string &name : sites[i].names)
      if (StringRef(name).ends_with(".pth") && name.front() != '.')
        paths.push_back(joinPath(folder, name));
    for (const std::string &path : paths) {
      if (look(path, environment, files).kind != FileStatus::Kind::Regular)
        continue;
      auto text = files.read(path, largestText);
      if (text)
        addLines(*text, folder);
      else
        environment.problems.push_back(toFinding(text.takeError()));
    }
  }
}

llvm::Error Sites::none() {
  bool there = files.stat(environment.prefix).exists();
  return makeError(Code::UnreadableFile,
                   (there ? "no Python environment at " : "there is no ") + environment.prefix,
                   {{"searched", "lib/python3.*/site-packages, lib64, conda-meta, *.dist-info"}});
}

llvm::Expected<std::vector<SiteDirectory>> Sites::take() {
  if (unreadable)
    return makeError(std::move(*unreadable));
  return std::move(sites);
}

llvm::Expected<std::vector<SiteDirectory>> Sites::read() {
  const std::string &prefix = environment.prefix;
  if (look(prefix, environment, files).kind != FileStatus::Kind::Directory)
    return none();
  if (llvm::any_of(files.list(prefix), isInfo)) {
    add(prefix);
    return take();
  }
  Venv venv = readVenv();
  auto python = pythonOf(prefix, venv);
  if (!python)
    return python.takeError();
  bool any = addPrefix(prefix, *python);
  bool conda =
      look(joinPath(prefix, "conda-meta"), environment, files).kind == FileStatus::Kind::Directory;
  if (!any && !conda)
    return none();
  addPathFiles(0);
  if (!venv.systemSite)
    return take();
  size_t own = sites.size();
  if (venv.base.empty() || !addPrefix(venv.base, *python))
    addProblem(environment, Code::UnreadableFile, Severity::Warning,
               "the base installation of the environment has no packages");
  addPathFiles(own);
  return take();
}

llvm::Expected<std::vector<SiteDirectory>> siteDirectories(PythonEnvironment &environment,
                                                           Files &files) {
  auto sites = Sites(environment, files).read();
  if (sites)
    for (const SiteDirectory &site : *sites)
      environment.sitePackages.push_back(site.path);
  return sites;
}

} // namespace cudacc::probe
