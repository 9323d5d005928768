// SPDX-License-Identifier: Apache-2.0
#include "driver/pipeline/MountedFiles.h"
#include "driver/support/ReadWhole.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"

namespace cudacc::pipeline {

using namespace core;
using namespace support;

/// Removes `.` and `..` as text: correct for mounted folders, which contain no links.
static std::string normalized(llvm::StringRef path) {
  llvm::SmallString<256> plain(path);
  llvm::sys::path::remove_dots(plain, true);
  return plain.str().str();
}

void MountedFiles::mount(std::string path, FileId id, Opener open) {
  llvm::StringRef folder = llvm::sys::path::parent_path(path);
  for (; !folder.empty() && !below.stat(folder).exists();
       folder = llvm::sys::path::parent_path(folder))
    made.insert(folder.str());
  files.try_emplace(std::move(path), Mounted{std::move(id), std::move(open)});
}

void MountedFiles::mountFolder(std::string folder, std::string root) {
  folders.try_emplace(std::move(folder), std::move(root));
}

const MountedFiles::Mounted *MountedFiles::find(llvm::StringRef path) const {
  if (files.empty())
    return nullptr;
  auto found = files.find(normalized(path));
  return found == files.end() ? nullptr : &found->second;
}

bool MountedFiles::leavesMade(llvm::StringRef path) const {
  if (made.empty())
    return false;
  for (size_t at = path.find("/.."); at != llvm::StringRef::npos; at = path.find("/..", at + 1))
    if (made.count(normalized(path.take_front(at))))
      return true;
  return false;
}

std::string MountedFiles::translated(llvm::StringRef path) {
  bool leaves = leavesMade(path);
  if (folders.empty() && !leaves)
    return path.str();
  std::string plain = normalized(path), there = leaves ? plain : path.str();
  if (below.stat(there).exists())
    return there;
  for (const auto &[folder, root] : folders) {
    llvm::StringRef rest = plain;
    if (!rest.consume_front(folder) || !rest.starts_with("/"))
      continue;
    return root + rest.str();
  }
  return there;
}

FileStatus MountedFiles::stat(llvm::StringRef path) {
  const Mounted *mounted = find(path);
  if (!mounted)
    return below.stat(translated(path));
  FileStatus status;
  status.kind = FileStatus::Kind::Regular;
  status.id = mounted->id;
  status.mode = 0644;
  return status;
}

llvm::Expected<std::string> MountedFiles::read(llvm::StringRef path, uint64_t limit) {
  const Mounted *mounted = find(path);
  if (!mounted)
    return below.read(translated(path), limit);
  auto file = mounted->open();
  if (!file)
    return file.takeError();
  return readWhole(**file, path, limit);
}

llvm::Expected<std::unique_ptr<ReadableFile>> MountedFiles::open(llvm::StringRef path) {
  const Mounted *mounted = find(path);
  return mounted ? mounted->open() : below.open(translated(path));
}

std::optional<std::string> MountedFiles::realPath(llvm::StringRef path) {
  if (find(path))
    return normalized(path);
  if (auto real = below.realPath(leavesMade(path) ? normalized(path) : path.str()))
    return real;
  // A parent folder of a mounted file.
  std::string plain = normalized(path);
  auto first = files.lower_bound(plain + "/");
  bool isFolder = first != files.end() && llvm::StringRef(first->first).starts_with(plain + "/");
  return isFolder || below.stat(translated(path)).exists() ? std::optional(plain) : std::nullopt;
}

/// Anything mounted below the folder, at any depth, adds its first component as a name.
llvm::Expected<std::vector<std::string>> MountedFiles::readDirectory(llvm::StringRef path) {
  std::set<std::string> names;
  std::string prefix = normalized(path) + "/";
  for (auto it = files.lower_bound(prefix); it != files.end(); ++it) {
    llvm::StringRef rest = it->first;
    if (!rest.consume_front(prefix))
      break;
    names.insert(rest.split('/').first.str());
  }
  for (const auto &[folder, root] : folders)
    if (llvm::StringRef rest = folder; rest.consume_front(prefix))
      names.insert(rest.split('/').first.str());
  auto real = below.readDirectory(path);
  if (!real && names.empty() && translated(path) != path)
    return llvm::consumeError(real.takeError()), below.readDirectory(translated(path));
  if (!real && names.empty())
    return real.takeError();
  if (real)
    names.insert(real->begin(), real->end());
  else
    llvm::consumeError(real.takeError());
  return std::vector<std::string>(names.begin(), names.end());
}

std::optional<std::string> MountedFiles::readLink(llvm::StringRef path) {
  return find(path) ? std::nullopt : below.readLink(translated(path));
}

} // namespace cudacc::pipeline
