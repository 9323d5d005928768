// SPDX-License-Identifier: Apache-2.0
#include "driver/run/Jobs.h"
#include "driver/core/Diagnostic.h"
#include "driver/run/ErrorText.h"
#include "driver/run/Signals.h"
#include "driver/versions/Format.h"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace cudacc::run {

using llvm::StringRef;

namespace {

class LockedFile final : public JobSlot {
public:
  explicit LockedFile(int fd) : fd(fd) {}
  ~LockedFile() override { close(fd); }

private:
  int fd;
};

/// One byte read from a jobserver, which is written back.
class Token final : public JobSlot {
public:
  Token(int fd, char byte) : fd(fd), byte(byte) {}
  ~Token() override {
    while (write(fd, &byte, 1) < 0 && errno == EINTR)
      ;
    close(fd);
  }

private:
  int fd;
  char byte;
};

enum class LockState { Got, Taken, Impossible };

/// Descriptors of a jobserver; -1 if it cannot be reached.
struct Server {
  bool isNamed = false;
  int from = -1, to = -1;

  explicit Server(StringRef makeFlags);
  Server(const Server &) = delete;
  Server &operator=(const Server &) = delete;
  ~Server() {
    for (int fd : {from, to})
      if (fd >= 0)
        close(fd);
  }
  bool isReached() const { return from >= 0 && to >= 0; }
  std::unique_ptr<JobSlot> take();

private:
  void openFifo(StringRef path);
  void openPair(StringRef pair);
};

} // namespace

static LockState tryLock(const std::string &path, int &fd) {
  fd = open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (fd < 0)
    return LockState::Impossible;
  if (flock(fd, LOCK_EX | LOCK_NB) == 0)
    return LockState::Got;
  bool isTaken = errno == EWOULDBLOCK || errno == EINTR;
  close(fd);
  return isTaken ? LockState::Taken : LockState::Impossible;
}

static bool isPipe(int fd) {
  struct ::stat status;
  return fstat(fd, &status) == 0 && S_ISFIFO(status.st_mode);
}

Server::Server(StringRef makeFlags) {
  size_t at = makeFlags.rfind("--jobserver-auth="), old = makeFlags.rfind("--jobserver-fds=");
  if (at == StringRef::npos)
    at = old;
  if (at == StringRef::npos)
    return;
  isNamed = true;
  StringRef value = makeFlags.drop_front(at).split('=').second.split(' ').first;
  if (value.consume_front("fifo:"))
    openFifo(value);
  else
    openPair(value);
}

void Server::openFifo(StringRef path) {
  struct ::stat status;
  std::string name = path.str();
  if (::stat(name.c_str(), &status) != 0 || !S_ISFIFO(status.st_mode))
    return;
  // Opening for both never waits for the other end.
  from = open(name.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC);
  to = from >= 0 ? fcntl(from, F_DUPFD_CLOEXEC, 3) : -1;
}

void Server::openPair(StringRef pair) {
  int numbers[2];
  auto [first, second] = pair.split(',');
  if (first.getAsInteger(10, numbers[0]) || second.getAsInteger(10, numbers[1]))
    return;
  if (numbers[0] < 0 || numbers[1] < 0 || !isPipe(numbers[0]) || !isPipe(numbers[1]))
    return;
  // Opened anew, as O_NONBLOCK of the inherited descriptor would be make's, too.
  from =
      open(fmt::format("/proc/self/fd/{}", numbers[0]).c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  to = fcntl(numbers[1], F_DUPFD_CLOEXEC, 3);
}

std::unique_ptr<JobSlot> Server::take() {
  char byte;
  if (!isReached() || read(from, &byte, 1) != 1)
    return nullptr;
  int back = fcntl(to, F_DUPFD_CLOEXEC, 3);
  if (back >= 0)
    return std::make_unique<Token>(back, byte);
  // Without a descriptor to give it back later, it is given back at once.
  while (write(to, &byte, 1) < 0 && errno == EINTR)
    ;
  return nullptr;
}

/// The first free one of the caller's own place, or of all places.
static LockState tryPlaces(const JobRules &rules, bool own, int &fd) {
  if (own)
    return tryLock(rules.ownPlace, fd);
  for (unsigned i = 0; i < rules.count; ++i)
    if (LockState state = tryLock(fmt::format("{}/{}", rules.folder, i), fd);
        state != LockState::Taken)
      return state;
  return LockState::Taken;
}

std::unique_ptr<JobSlot> waitForJob(const JobRules &rules) {
  static constexpr int interval = 4;
  Server server(rules.makeFlags);
  while (true) {
    int fd = -1;
    LockState state = tryPlaces(rules, server.isNamed, fd);
    if (state == LockState::Got)
      return std::make_unique<LockedFile>(fd);
    if (state == LockState::Impossible)
      return nullptr;
    if (auto token = server.take())
      return token;
    if (SignalsHeld::received())
      return nullptr;
    pollfd end{server.from, POLLIN, 0};
    // poll() only waits if there is no server.
    poll(&end, 1, interval);
  }
}

unsigned processors() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0)
    return std::max(1, CPU_COUNT(&set));
  return std::max(1L, sysconf(_SC_NPROCESSORS_ONLN));
}

bool hasRoom(StringRef folder) {
  // The largest output of a step that was seen is a third of it.
  static constexpr off_t room = off_t(64) << 20;
  std::string path = fmt::format("{}/room-{}", folder, getpid());
  int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0)
    return false;
  int error = posix_fallocate(fd, 0, room);
  // Not every file system can reserve: a byte in each block needs the same room.
  constexpr off_t block = 4096;
  if (error == EOPNOTSUPP || error == EINVAL)
    for (off_t at = error = 0; at < room && error == 0; at += block)
      error = pwrite(fd, "", 1, at) == 1 ? 0 : ENOSPC;
  close(fd);
  unlink(path.c_str());
  return error == 0;
}

llvm::Error enterFolder(StringRef path) {
  if (chdir(path.str().c_str()) == 0)
    return llvm::Error::success();
  return core::makeError(core::Code::UnreadableFile,
                         fmt::format("cannot enter {}: {}", path, errorText(errno)));
}

} // namespace cudacc::run
