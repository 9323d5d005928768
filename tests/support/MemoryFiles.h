// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Diagnostic.h"
#include "driver/core/Files.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include <map>
#include <set>

namespace cudacc::test {

/// A disk in memory. Paths are normalised (`.`, `..` after links, repeated slashes); relative ones
/// are relative to `cwd`. Adding a path creates its parent directories.
class MemoryFiles : public core::Files {
public:
  struct Node {
    core::FileStatus::Kind kind = core::FileStatus::Kind::Regular;
    std::string content;
    /// Target of a symbolic link; empty if it is none.
    std::string target;
    unsigned mode = 0644;
    unsigned owner = 0;
    unsigned group = 0;
    int64_t inode = 0;
    int64_t mtime = 0, ctime = 0;
  };

  std::string cwd = "/project";
  /// Owner of files written through the interface; files that the test adds belong to root.
  unsigned user = 0;
  /// Paths (as stored) whose write, rename or makeDirectories fails.
  std::set<std::string> readOnly;
  /// Paths (as stored) that exist and cannot be read.
  std::set<std::string> unreadable;
  /// Directories (as stored) that can be listed, but not searched.
  std::set<std::string> unsearchable;
  /// What failure() and denials() say.
  std::string failed;
  size_t denied = 0;
  /// Number of accesses of each kind, so that tests can limit those of frequently run code.
  unsigned stats = 0, reads = 0, lists = 0;

  MemoryFiles() { directory("/"); }

  MemoryFiles &file(llvm::StringRef path, llvm::StringRef content = "", unsigned mode = 0644) {
    put(absolute(path), {core::FileStatus::Kind::Regular, content.str(), "", mode});
    return *this;
  }
  MemoryFiles &program(llvm::StringRef path, llvm::StringRef content = "") {
    return file(path, content, 0755);
  }
  MemoryFiles &directory(llvm::StringRef path, unsigned mode = 0755) {
    put(absolute(path), {core::FileStatus::Kind::Directory, "", "", mode});
    return *this;
  }
  MemoryFiles &symlink(llvm::StringRef path, llvm::StringRef target) {
    put(absolute(path), {core::FileStatus::Kind::Regular, "", target.str(), 0777});
    return *this;
  }
  MemoryFiles &other(llvm::StringRef path) {
    put(absolute(path), {core::FileStatus::Kind::Other, "", "", 0666});
    return *this;
  }
  /// The node itself, without following links; null if there is none.
  Node *node(llvm::StringRef path) {
    auto it = nodes.find(absolute(path));
    return it == nodes.end() ? nullptr : &it->second;
  }
  /// All existing paths, sorted.
  std::vector<std::string> paths() const {
    std::vector<std::string> result;
    for (auto &[path, node] : nodes)
      result.push_back(path);
    return result;
  }

  std::string failure() const override { return failed; }
  size_t denials() const override { return denied; }
  core::FileStatus stat(llvm::StringRef path) override {
    ++stats;
    bool denied = false;
    auto real = resolve(path, &denied);
    if (!real) {
      core::FileStatus status;
      status.unreachable = denied;
      return status;
    }
    const Node &found = nodes.at(*real);
    return statusOf(found, path);
  }
  core::FileStatus linkStat(llvm::StringRef path) override {
    const Node *found = node(path);
    if (!found || found->target.empty())
      return stat(path);
    core::FileStatus status = statusOf(*found, path);
    status.kind = core::FileStatus::Kind::Other;
    return status;
  }
  bool executable(llvm::StringRef path) override {
    ++stats;
    auto real = resolve(path);
    return real && nodes.at(*real).kind == core::FileStatus::Kind::Regular &&
           (nodes.at(*real).mode & 0111);
  }
  llvm::Expected<std::string> read(llvm::StringRef path, uint64_t limit = 16 << 20) override {
    ++reads;
    const Node *found = readable(path);
    if (!found)
      return unreadableError(path);
    if (found->content.size() > limit)
      return core::makeError(core::Code::UnreadableFile, path.str() + " is too large");
    return found->content;
  }
  llvm::Expected<std::unique_ptr<core::ReadableFile>> open(llvm::StringRef path) override {
    ++reads;
    const Node *found = readable(path);
    if (!found)
      return unreadableError(path);
    return std::make_unique<Opened>(found->content, statusOf(*found, path));
  }
  llvm::Expected<std::vector<std::string>> readDirectory(llvm::StringRef path) override {
    ++lists;
    auto real = resolve(path);
    if (!real || unreadable.count(*real) ||
        nodes.at(*real).kind != core::FileStatus::Kind::Directory)
      return unreadableError(path);
    std::vector<std::string> names;
    std::string prefix = *real == "/" ? "/" : *real + "/";
    for (auto it = nodes.lower_bound(prefix); it != nodes.end(); ++it) {
      llvm::StringRef rest = it->first;
      if (!rest.consume_front(prefix))
        break;
      if (!rest.empty() && !rest.contains('/'))
        names.push_back(rest.str());
    }
    return names;
  }
  std::optional<std::string> realPath(llvm::StringRef path) override {
    ++stats;
    return resolve(path);
  }
  std::optional<std::string> readLink(llvm::StringRef path) override {
    ++stats;
    auto [parent, name] = split(absolute(path));
    auto real = resolve(parent);
    if (!real)
      return std::nullopt;
    auto it = nodes.find(join(*real, name));
    if (it == nodes.end() || it->second.target.empty())
      return std::nullopt;
    return it->second.target;
  }
  std::string workingDirectory() override { return cwd; }

  llvm::Error write(llvm::StringRef path, llvm::StringRef content, unsigned mode = 0644) override {
    std::string where = absolute(path);
    if (blocked(where))
      return core::makeError(core::Code::CannotWrite, "cannot write " + path.str());
    put(where, {core::FileStatus::Kind::Regular, content.str(), "", mode, user, user});
    return llvm::Error::success();
  }
  llvm::Error overwrite(llvm::StringRef path, llvm::StringRef content, unsigned mode) override {
    auto real = resolve(path);
    if (!real)
      return write(path, content, mode);
    if (blocked(*real))
      return core::makeError(core::Code::CannotWrite, "cannot write " + path.str());
    Node &node = nodes[*real];
    node.content = content.str();
    touch(*real);
    return llvm::Error::success();
  }
  bool touch(llvm::StringRef path) override {
    auto real = resolve(path);
    if (real)
      nodes[*real].mtime = ++lastInode;
    return real.has_value();
  }
  llvm::Error patch(llvm::StringRef path, uint64_t offset, llvm::StringRef bytes) override {
    auto real = resolve(path);
    if (!real || blocked(*real) || offset > nodes[*real].content.size() ||
        bytes.size() > nodes[*real].content.size() - offset)
      return core::makeError(core::Code::CannotWrite, "cannot patch " + path.str());
    nodes[*real].content.replace(offset, bytes.size(), bytes.str());
    return llvm::Error::success();
  }
  llvm::Error append(llvm::StringRef path, llvm::StringRef line) override {
    std::string where = resolve(path).value_or(absolute(path));
    if (blocked(where))
      return core::makeError(core::Code::CannotWrite, "cannot write " + path.str());
    if (!nodes.count(where))
      put(where, {});
    nodes[where].content += line;
    return llvm::Error::success();
  }
  bool remove(llvm::StringRef path) override { return nodes.erase(absolute(path)) != 0; }
  llvm::Error makeDirectories(llvm::StringRef path, unsigned mode = 0755) override {
    std::string where = absolute(path);
    if (blocked(where))
      return core::makeError(core::Code::CannotWrite, "cannot make directory " + path.str());
    if (!nodes.count(where))
      put(where, {core::FileStatus::Kind::Directory, "", "", mode, user, user});
    return llvm::Error::success();
  }
  llvm::Expected<std::string> makeTemporary(llvm::StringRef prefix) override {
    std::string path = prefix.str() + std::to_string(++lastInode);
    if (llvm::Error error = makeDirectories(path, 0700))
      return error;
    return path;
  }
  llvm::Error link(llvm::StringRef existing, llvm::StringRef path) override {
    auto real = resolve(existing);
    std::string where = absolute(path);
    if (!real || nodes.count(where) || blocked(where))
      return core::makeError(core::Code::CannotWrite, "cannot link " + path.str());
    nodes[where] = nodes[*real];
    return llvm::Error::success();
  }
  llvm::Error makeSymlink(llvm::StringRef path, llvm::StringRef target) override {
    std::string where = absolute(path);
    if (nodes.count(where) || blocked(where))
      return core::makeError(core::Code::CannotWrite, "cannot link " + path.str());
    put(where, {core::FileStatus::Kind::Regular, "", target.str(), 0777});
    return llvm::Error::success();
  }
  llvm::Error rename(llvm::StringRef from, llvm::StringRef to) override {
    std::string source = absolute(from), where = absolute(to);
    if (!nodes.count(source) || blocked(where))
      return core::makeError(core::Code::CannotWrite, "cannot rename " + from.str());
    std::map<std::string, Node> moved;
    for (auto it = nodes.lower_bound(source); it != nodes.end();) {
      llvm::StringRef rest = it->first;
      if (!rest.consume_front(source))
        break;
      if (rest.empty() || rest.front() == '/') {
        moved[where + rest.str()] = std::move(it->second);
        it = nodes.erase(it);
      } else {
        ++it;
      }
    }
    for (auto &[path, node] : moved)
      nodes[path] = std::move(node);
    return llvm::Error::success();
  }
  llvm::Error exchange(llvm::StringRef one, llvm::StringRef) override {
    return core::makeError(core::Code::CannotWrite, "cannot exchange " + one.str());
  }
  std::unique_ptr<core::FileLock> lock(llvm::StringRef path, bool /*waits*/ = true) override {
    return readOnly.count(absolute(path)) ? nullptr : std::make_unique<core::FileLock>();
  }

private:
  struct Opened : core::ReadableFile {
    std::string content;
    core::FileStatus opened;
    Opened(std::string content, core::FileStatus opened)
        : content(std::move(content)), opened(std::move(opened)) {}
    core::FileStatus status() const override { return opened; }
    uint64_t size() const override { return content.size(); }
    llvm::Expected<size_t> readAt(uint64_t offset, llvm::MutableArrayRef<char> out) override {
      if (offset >= content.size())
        return size_t(0);
      size_t count = std::min<uint64_t>(out.size(), content.size() - offset);
      std::copy_n(content.data() + offset, count, out.data());
      return count;
    }
  };

  static core::FileStatus statusOf(const Node &found, llvm::StringRef path) {
    core::FileStatus status;
    status.kind = found.kind;
    status.mode = found.mode;
    status.owner = found.owner;
    status.group = found.group;
    status.id = {path.str(),           1,           uint64_t(found.inode),
                 found.content.size(), found.mtime, found.ctime};
    return status;
  }
  static std::string join(llvm::StringRef parent, llvm::StringRef name) {
    return parent == "/" ? "/" + name.str() : (parent + "/" + name).str();
  }
  static std::pair<std::string, std::string> split(llvm::StringRef path) {
    auto [parent, name] = path.rsplit('/');
    return {parent.empty() ? "/" : parent.str(), name.str()};
  }
  /// Lexically normalised, without following links.
  std::string absolute(llvm::StringRef path) const {
    std::string whole = path.starts_with("/") ? path.str() : join(cwd, path);
    llvm::SmallVector<llvm::StringRef, 16> parts, kept;
    llvm::StringRef(whole).split(parts, '/', -1, false);
    for (llvm::StringRef part : parts) {
      if (part == "..") {
        if (!kept.empty())
          kept.pop_back();
      } else if (part != ".") {
        kept.push_back(part);
      }
    }
    return "/" + llvm::join(kept, "/");
  }
  void put(const std::string &path, Node node) {
    for (std::string at = path; at != "/";) {
      at = split(at).first;
      if (!nodes.count(at))
        nodes[at] = {core::FileStatus::Kind::Directory,
                     "",
                     "",
                     0755,
                     node.owner,
                     node.group,
                     ++lastInode,
                     lastInode};
    }
    node.inode = ++lastInode;
    node.mtime = lastInode;
    nodes[path] = std::move(node);
  }
  /// \p denied: set if a directory on the way cannot be searched.
  std::optional<std::string> resolve(llvm::StringRef path, bool *denied = nullptr) const {
    if (path.empty())
      return std::nullopt;
    std::string whole = path.starts_with("/") ? path.str() : join(cwd, path);
    std::vector<std::string> todo;
    auto push = [&](llvm::StringRef text) {
      llvm::SmallVector<llvm::StringRef, 16> parts;
      text.split(parts, '/', -1, false);
      for (llvm::StringRef part : llvm::reverse(parts))
        todo.push_back(part.str());
    };
    push(whole);
    std::string at = "/";
    for (unsigned hops = 0; !todo.empty();) {
      std::string part = todo.back();
      todo.pop_back();
      if (part == ".")
        continue;
      if (part == "..") {
        at = split(at).first;
        continue;
      }
      if (unsearchable.count(at)) {
        if (denied)
          *denied = true;
        return std::nullopt;
      }
      std::string next = join(at, part);
      auto it = nodes.find(next);
      if (it == nodes.end())
        return std::nullopt;
      if (it->second.target.empty()) {
        if (!todo.empty() && it->second.kind != core::FileStatus::Kind::Directory)
          return std::nullopt;
        at = next;
        continue;
      }
      if (++hops > 40)
        return std::nullopt;
      if (it->second.target.front() == '/')
        at = "/";
      push(it->second.target);
    }
    return at;
  }
  const Node *readable(llvm::StringRef path) const {
    auto real = resolve(path);
    if (!real || unreadable.count(*real))
      return nullptr;
    const Node &found = nodes.at(*real);
    return found.kind == core::FileStatus::Kind::Regular ? &found : nullptr;
  }
  static llvm::Error unreadableError(llvm::StringRef path) {
    return core::makeError(core::Code::UnreadableFile, "cannot read " + path.str());
  }
  bool blocked(llvm::StringRef path) const {
    for (const std::string &prefix : readOnly) {
      llvm::StringRef rest = path;
      if (rest.consume_front(prefix) && (rest.empty() || rest.front() == '/'))
        return true;
    }
    return false;
  }

  std::map<std::string, Node> nodes;
  int64_t lastInode = 0;
};

} // namespace cudacc::test
