// SPDX-License-Identifier: Apache-2.0
#include "driver/run/RealFiles.h"
#include "driver/core/Diagnostic.h"
#include "driver/run/ErrorText.h"
#include "driver/support/ReadWhole.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace cudacc::run {

using namespace core;

static llvm::Error failed(Code code, llvm::StringRef what, llvm::StringRef path, int error) {
  return makeError(code, fmt::format("cannot {} {}: {}", what, path, errorText(error)));
}

/// Converts the \p status of a system call: 0, or -1 with errno set.
static llvm::Error checked(int status, llvm::StringRef what, llvm::StringRef path) {
  return status == 0 ? llvm::Error::success() : failed(Code::CannotWrite, what, path, errno);
}

static int64_t nanoseconds(const timespec &time) {
  return int64_t(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

static FileStatus toStatus(const struct ::stat &st, llvm::StringRef path) {
  FileStatus status;
  status.kind = S_ISREG(st.st_mode)   ? FileStatus::Kind::Regular
                : S_ISDIR(st.st_mode) ? FileStatus::Kind::Directory
                                      : FileStatus::Kind::Other;
  status.id.path = path.str();
  status.id.device = st.st_dev;
  status.id.inode = st.st_ino;
  status.id.size = st.st_size;
  status.id.mtime = nanoseconds(st.st_mtim);
  status.id.ctime = nanoseconds(st.st_ctim);
  status.mode = st.st_mode & 07777;
  status.owner = st.st_uid;
  status.group = st.st_gid;
  return status;
}

/// A C string for a call; paths are short, so the buffer stays on the stack.
namespace {
struct CPath {
  llvm::SmallString<256> text;
  explicit CPath(llvm::StringRef path) : text(path) { text.c_str(); }
  operator const char *() { return text.c_str(); }
};

class RealFile final : public ReadableFile {
public:
  RealFile(RealFiles &files, int fd, FileStatus status)
      : files(files), fd(fd), opened(std::move(status)) {}
  ~RealFile() override { close(fd); }
  uint64_t size() const override { return opened.id.size; }
  FileStatus status() const override { return opened; }
  llvm::Expected<size_t> readAt(uint64_t offset, llvm::MutableArrayRef<char> out) override {
    size_t done = 0;
    while (done < out.size()) {
      ssize_t got = pread(fd, out.data() + done, out.size() - done, off_t(offset + done));
      if (got < 0 && errno == EINTR)
        continue;
      if (got < 0) {
        int error = errno;
        files.note(opened.id.path, error);
        return makeError(Code::UnreadableFile, fmt::format("read error: {}", errorText(error)));
      }
      if (got == 0)
        break;
      done += got;
    }
    return done;
  }

private:
  RealFiles &files;
  int fd;
  FileStatus opened;
};
} // namespace

void RealFiles::note(llvm::StringRef path, int error) {
  if (error != EIO && error != EMFILE && error != ENFILE && error != ENOMEM)
    return;
  std::lock_guard guard(mutex);
  if (firstFailure.empty())
    firstFailure = fmt::format("{}: {}", path, errorText(error));
  hasFailed = true;
}

llvm::Error RealFiles::unreadable(llvm::StringRef path, int error) {
  note(path, error);
  denied += error == EACCES || error == EPERM;
  return failed(Code::UnreadableFile, "read", path, error);
}

std::string RealFiles::failure() const {
  // Every compile asks.
  if (!hasFailed)
    return "";
  std::lock_guard guard(mutex);
  return firstFailure;
}

FileStatus RealFiles::stat(llvm::StringRef path) { return statusBy(::stat, path); }

FileStatus RealFiles::linkStat(llvm::StringRef path) { return statusBy(::lstat, path); }

FileStatus RealFiles::statusBy(int (*call)(const char *, struct ::stat *), llvm::StringRef path) {
  struct ::stat st;
  if (call(CPath(path), &st) == 0)
    return toStatus(st, path);
  int error = errno;
  note(path, error);
  denied += error == EACCES;
  FileStatus status;
  // A name that is too long for the system is no file's.
  status.unreachable =
      error != ENOENT && error != ENOTDIR && error != ELOOP && error != ENAMETOOLONG;
  return status;
}

bool RealFiles::executable(llvm::StringRef path) {
  struct ::stat st;
  CPath name(path);
  if (access(name, X_OK) == 0 && ::stat(name, &st) == 0)
    return S_ISREG(st.st_mode);
  note(path, errno);
  return false;
}

llvm::Expected<std::unique_ptr<ReadableFile>> RealFiles::open(llvm::StringRef path) {
  // O_NONBLOCK, as opening a FIFO must not hang; only regular files are accepted below.
  CPath name(path);
  int fd;
  do
    fd = ::open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  while (fd < 0 && errno == EINTR);
  if (fd < 0)
    return unreadable(path, errno);
  struct ::stat st;
  if (fstat(fd, &st) != 0) {
    llvm::Error error = unreadable(path, errno);
    close(fd);
    return error;
  }
  if (!S_ISREG(st.st_mode)) {
    bool directory = S_ISDIR(st.st_mode);
    close(fd);
    return makeError(Code::UnreadableFile,
                     fmt::format("cannot read {}: {}", path,
                                 directory ? "it is a directory" : "it is not a file"));
  }
  return std::make_unique<RealFile>(*this, fd, toStatus(st, path));
}

llvm::Expected<std::string> RealFiles::read(llvm::StringRef path, uint64_t limit) {
  auto file = open(path);
  if (!file)
    return file.takeError();
  return support::readWhole(**file, path, limit);
}

llvm::Expected<std::vector<std::string>> RealFiles::readDirectory(llvm::StringRef path) {
  CPath name(path);
  DIR *dir;
  do
    dir = opendir(name);
  while (!dir && errno == EINTR);
  if (!dir)
    return unreadable(path, errno);
  auto closer = llvm::make_scope_exit([dir] { closedir(dir); });
  std::vector<std::string> names;
  for (;;) {
    errno = 0;
    dirent *entry = readdir(dir);
    if (!entry)
      break;
    if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
      names.push_back(entry->d_name);
  }
  if (errno)
    return unreadable(path, errno);
  std::sort(names.begin(), names.end());
  return names;
}

std::optional<std::string> RealFiles::realPath(llvm::StringRef path) {
  char buffer[PATH_MAX];
  if (!::realpath(CPath(path), buffer)) {
    note(path, errno);
    return std::nullopt;
  }
  return std::string(buffer);
}

std::optional<std::string> RealFiles::readLink(llvm::StringRef path) {
  char buffer[PATH_MAX];
  ssize_t length = readlink(CPath(path), buffer, sizeof buffer);
  if (length < 0) {
    note(path, errno);
    return std::nullopt;
  }
  return std::string(buffer, length);
}

std::string RealFiles::workingDirectory() {
  char buffer[PATH_MAX];
  if (getcwd(buffer, sizeof buffer))
    return buffer;
  // In a folder that was removed there is nothing to find.
  if (errno != ENOENT)
    note(".", EIO);
  return "";
}

/// Returns errno, or 0.
static int writeAll(int fd, llvm::StringRef bytes) {
  while (!bytes.empty()) {
    ssize_t done = ::write(fd, bytes.data(), bytes.size());
    if (done < 0 && errno == EINTR)
      continue;
    if (done < 0)
      return errno;
    bytes = bytes.drop_front(done);
  }
  return 0;
}

/// Gives \p fd the owner of \p path, which it will replace; files created by root would else belong
/// to root.
static bool keepOwner(int fd, llvm::StringRef path, unsigned mode) {
  struct ::stat old, made;
  if (::stat(CPath(path), &old) != 0)
    return true;
  bool isOthers = fstat(fd, &made) == 0 && (made.st_uid != old.st_uid || made.st_gid != old.st_gid);
  // If the old file already has that mode, the umask must not change it.
  bool hasMode = (old.st_mode & 07777) == mode;
  return (!isOthers || fchown(fd, old.st_uid, old.st_gid) == 0) &&
         (!hasMode || fchmod(fd, mode) == 0);
}

llvm::Error RealFiles::write(llvm::StringRef path, llvm::StringRef content, unsigned mode) {
  if (size_t slash = path.rfind('/'); slash != llvm::StringRef::npos && slash != 0)
    if (llvm::Error error = makeDirectories(path.take_front(slash), 0755))
      return error;
  // A process killed while writing may have left a file of this name.
  std::string aside;
  int fd = -1;
  for (int attempt = 0; attempt < 100 && fd < 0; ++attempt) {
    aside = fmt::format("{}.{}-{}.tmp", path, getpid(), attempt);
    fd = ::open(aside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (fd < 0 && errno != EEXIST)
      break;
  }
  if (fd < 0)
    return failed(Code::CannotWrite, "write", path, errno);
  int error = writeAll(fd, content);
  if (!error && !keepOwner(fd, path, mode))
    error = errno;
  if (close(fd) != 0 && !error)
    error = errno;
  if (!error && ::rename(aside.c_str(), CPath(path)) != 0)
    error = errno;
  if (!error)
    return llvm::Error::success();
  unlink(aside.c_str());
  return failed(Code::CannotWrite, "write", path, error);
}

/// Closes a file that was written, with \p error or 0. A network file system may report a full disk
/// only then.
static llvm::Error closed(int fd, int error, const char *action, llvm::StringRef path) {
  if (close(fd) != 0 && !error)
    error = errno;
  return error ? failed(Code::CannotWrite, action, path, error) : llvm::Error::success();
}

llvm::Error RealFiles::overwrite(llvm::StringRef path, llvm::StringRef content, unsigned mode) {
  int fd = ::open(CPath(path), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);
  if (fd < 0)
    return failed(Code::CannotWrite, "write", path, errno);
  return closed(fd, writeAll(fd, content), "write", path);
}

bool RealFiles::touch(llvm::StringRef path) {
  return utimensat(AT_FDCWD, CPath(path), nullptr, 0) == 0;
}

llvm::Error RealFiles::patch(llvm::StringRef path, uint64_t offset, llvm::StringRef bytes) {
  int fd = ::open(CPath(path), O_WRONLY | O_CLOEXEC);
  if (fd < 0)
    return failed(Code::CannotWrite, "seal", path, errno);
  int error = lseek(fd, off_t(offset), SEEK_SET) < 0 ? errno : writeAll(fd, bytes);
  return closed(fd, error, "seal", path);
}

llvm::Error RealFiles::append(llvm::StringRef path, llvm::StringRef line) {
  int fd = ::open(CPath(path), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0644);
  if (fd < 0)
    return failed(Code::CannotWrite, "write", path, errno);
  // One write per line, which O_APPEND makes atomic among processes.
  return closed(fd, writeAll(fd, line), "write", path);
}

bool RealFiles::remove(llvm::StringRef path) {
  CPath name(path);
  struct ::stat st;
  if (lstat(name, &st) == 0 && S_ISDIR(st.st_mode))
    return rmdir(name) == 0;
  return unlink(name) == 0;
}

llvm::Error RealFiles::makeDirectories(llvm::StringRef path, unsigned mode) {
  CPath name(path);
  if (mkdir(name, mode) == 0 || errno == EEXIST)
    return llvm::Error::success();
  if (errno != ENOENT)
    return failed(Code::CannotWrite, "make directory", path, errno);
  size_t slash = path.rtrim('/').rfind('/');
  if (slash == llvm::StringRef::npos || slash == 0)
    return failed(Code::CannotWrite, "make directory", path, ENOENT);
  if (llvm::Error error = makeDirectories(path.take_front(slash), mode))
    return error;
  if (mkdir(name, mode) == 0 || errno == EEXIST)
    return llvm::Error::success();
  return failed(Code::CannotWrite, "make directory", path, errno);
}

llvm::Expected<std::string> RealFiles::makeTemporary(llvm::StringRef prefix) {
  std::string path = fmt::format("{}XXXXXX", prefix);
  if (!mkdtemp(path.data()))
    return failed(Code::CannotWrite, "make directory", path, errno);
  return path;
}

llvm::Error RealFiles::link(llvm::StringRef existing, llvm::StringRef path) {
  return checked(::link(CPath(existing), CPath(path)), "write", path);
}

llvm::Error RealFiles::makeSymlink(llvm::StringRef path, llvm::StringRef target) {
  CPath to(target), name(path);
  if (::symlink(to, name) == 0)
    return llvm::Error::success();
  if (errno == ENOENT)
    if (size_t slash = path.rfind('/'); slash != llvm::StringRef::npos && slash != 0) {
      if (llvm::Error error = makeDirectories(path.take_front(slash), 0755))
        return error;
      return checked(::symlink(to, name), "write", path);
    }
  return failed(Code::CannotWrite, "write", path, errno);
}

llvm::Error RealFiles::rename(llvm::StringRef from, llvm::StringRef to) {
  return checked(::rename(CPath(from), CPath(to)), "write", to);
}

llvm::Error RealFiles::exchange(llvm::StringRef one, llvm::StringRef other) {
  // glibc has a function for it since 2.28, musl not even the constant RENAME_EXCHANGE.
  constexpr unsigned exchanged = 1 << 1;
  CPath from(one), to(other);
  return checked(int(syscall(SYS_renameat2, AT_FDCWD, static_cast<const char *>(from), AT_FDCWD,
                             static_cast<const char *>(to), exchanged)),
                 "exchange", other);
}

namespace {
class RealLock final : public FileLock {
public:
  RealLock(int fd, llvm::StringRef path) : fd(fd), path(path) {}
  /// A process that waits for the lock then sees that the file has no name, and tries again.
  ~RealLock() override {
    unlink(path.c_str());
    close(fd);
  }

private:
  int fd;
  std::string path;
};
} // namespace

std::unique_ptr<FileLock> RealFiles::lock(llvm::StringRef path, bool waits) {
  CPath name(path);
  llvm::consumeError(makeDirectories(path.take_front(path.rfind('/')), 0700));
  while (true) {
    int fd;
    do
      fd = ::open(name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    while (fd < 0 && errno == EINTR);
    if (fd < 0) {
      // Else it would seem to be held.
      if (!waits)
        note(path, errno);
      return nullptr;
    }
    int status;
    do
      status = flock(fd, waits ? LOCK_EX : LOCK_EX | LOCK_NB);
    while (status != 0 && errno == EINTR);
    if (status != 0) {
      // Where there are no locks nobody holds it.
      if (errno == EOPNOTSUPP || errno == ENOSYS)
        unlink(name);
      close(fd);
      return nullptr;
    }
    struct ::stat held, named;
    bool isNamed = fstat(fd, &held) == 0 && ::stat(name, &named) == 0;
    if (isNamed && held.st_ino == named.st_ino && held.st_dev == named.st_dev)
      return std::make_unique<RealLock>(fd, path);
    bool isGone = isNamed || errno == ENOENT;
    // Else the previous holder removed the file meanwhile.
    if (!isGone && !waits)
      note(path, errno);
    close(fd);
    if (!isGone)
      return nullptr;
  }
}

} // namespace cudacc::run
