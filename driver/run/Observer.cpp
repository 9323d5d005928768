// SPDX-License-Identifier: Apache-2.0
#include "driver/run/Observer.h"
#include "driver/support/Paths.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include <cerrno>
#include <climits>
#include <cstddef>
#include <cstring>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <unistd.h>
#include <vector>

namespace cudacc::run {

using namespace core;

namespace {
/// A system call that is reported, and where its arguments are; -1: it has none of that kind.
struct ReportedCall {
  enum Effect {
    /// Asks whether the path exists; reads its size and times, too.
    Look,
    Stat,
    /// Reads, or makes, a file.
    Open,
    /// Reads the entries of a directory, given by its descriptor.
    List,
    Start,
    /// Makes what the path names.
    Make,
    /// May do things that are not reported.
    Escape,
  };
  unsigned number;
  Effect effect;
  int folder, path, flags;
  /// The bit of `flags` with which an empty path means the descriptor, and no path is looked up.
  uint32_t descriptorFlag = 0;
};
} // namespace

static constexpr ReportedCall reportedCalls[] = {
    {__NR_openat, ReportedCall::Open, 0, 1, 2},
#ifdef __NR_openat2
    // Its flags are in memory.
    {__NR_openat2, ReportedCall::Open, 0, 1, -1},
#endif
    {__NR_newfstatat, ReportedCall::Stat, 0, 1, 3, AT_EMPTY_PATH},
    {__NR_statx, ReportedCall::Stat, 0, 1, 2, AT_EMPTY_PATH},
    {__NR_faccessat, ReportedCall::Look, 0, 1, -1},
    {__NR_readlinkat, ReportedCall::Look, 0, 1, -1},
#ifdef __NR_faccessat2
    {__NR_faccessat2, ReportedCall::Look, 0, 1, -1},
#endif
    {__NR_getdents64, ReportedCall::List, 0, -1, -1},
    {__NR_execve, ReportedCall::Start, -1, 0, -1},
    {__NR_execveat, ReportedCall::Start, 0, 1, -1},
    {__NR_mkdirat, ReportedCall::Make, 0, 1, -1},
    {__NR_mknodat, ReportedCall::Make, 0, 1, -1},
    {__NR_symlinkat, ReportedCall::Make, 1, 2, -1},
    {__NR_linkat, ReportedCall::Make, 2, 3, -1},
    {__NR_renameat2, ReportedCall::Make, 2, 3, -1},
#ifdef __NR_renameat
    {__NR_renameat, ReportedCall::Make, 2, 3, -1},
#endif
    {__NR_connect, ReportedCall::Escape, -1, -1, -1},
    {__NR_open_by_handle_at, ReportedCall::Escape, -1, -1, -1},
    // From then on paths mean other files.
    {__NR_chroot, ReportedCall::Escape, -1, -1, -1},
    {__NR_pivot_root, ReportedCall::Escape, -1, -1, -1},
    {__NR_mount, ReportedCall::Escape, -1, -1, -1},
    {__NR_setns, ReportedCall::Escape, -1, -1, -1},
#ifdef __NR_move_mount
    {__NR_move_mount, ReportedCall::Escape, -1, -1, -1},
#endif
#ifdef __NR_io_uring_setup
    {__NR_io_uring_setup, ReportedCall::Escape, -1, -1, -1},
#endif
#ifdef __NR_open
    {__NR_open, ReportedCall::Open, -1, 0, 1},
    {__NR_creat, ReportedCall::Make, -1, 0, -1},
    {__NR_stat, ReportedCall::Stat, -1, 0, -1},
    {__NR_lstat, ReportedCall::Stat, -1, 0, -1},
    {__NR_access, ReportedCall::Look, -1, 0, -1},
    {__NR_readlink, ReportedCall::Look, -1, 0, -1},
    {__NR_getdents, ReportedCall::List, 0, -1, -1},
    {__NR_mkdir, ReportedCall::Make, -1, 0, -1},
    {__NR_mknod, ReportedCall::Make, -1, 0, -1},
    {__NR_symlink, ReportedCall::Make, -1, 1, -1},
    {__NR_link, ReportedCall::Make, -1, 1, -1},
    {__NR_rename, ReportedCall::Make, -1, 1, -1},
#endif
};

#if defined(__x86_64__)
static constexpr uint32_t nativeCalls = AUDIT_ARCH_X86_64;
/// x32 has its numbers above this one.
static constexpr uint32_t lastNumber = 0x3fffffff;
#elif defined(__aarch64__)
static constexpr uint32_t nativeCalls = AUDIT_ARCH_AARCH64;
static constexpr uint32_t lastNumber = 0x7fffffff;
#endif

static const ReportedCall *find(const seccomp_data &data) {
  const auto *row = llvm::find_if(
      reportedCalls, [&](const ReportedCall &each) { return int(each.number) == data.nr; });
  return data.arch == nativeCalls && row != std::end(reportedCalls) ? row : nullptr;
}

/// Allows every call but the reported ones, and those of other tables of calls, which are reported
/// as well.
static std::vector<sock_filter> makeFilter() {
  auto load = [](size_t offset) {
    return sock_filter BPF_STMT(BPF_LD | BPF_W | BPF_ABS, uint32_t(offset));
  };
  auto skipIf = [](uint16_t condition, uint32_t value, uint8_t ifTrue, uint8_t ifFalse) {
    return sock_filter BPF_JUMP(uint16_t(BPF_JMP | condition | BPF_K), value, ifTrue, ifFalse);
  };
  const sock_filter report = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF);
  const sock_filter allow = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  std::vector<sock_filter> filter = {
      load(offsetof(seccomp_data, arch)), skipIf(BPF_JEQ, nativeCalls, 1, 0), report,
      load(offsetof(seccomp_data, nr)),   skipIf(BPF_JGT, lastNumber, 0, 1),  report};
  for (const ReportedCall &call : reportedCalls) {
    if (!call.descriptorFlag) {
      filter.insert(filter.end(), {skipIf(BPF_JEQ, call.number, 0, 1), report});
      continue;
    }
    // The lower half of a little-endian word.
    size_t flags = offsetof(seccomp_data, args) + sizeof(uint64_t) * call.flags;
    filter.insert(filter.end(), {skipIf(BPF_JEQ, call.number, 0, 4), load(flags),
                                 skipIf(BPF_JSET, call.descriptorFlag, 1, 0), report, allow});
  }
  filter.push_back(allow);
  return filter;
}

/// From Linux 5.9 on, poll() of a listener says that no process has the filter any more.
static bool saysWhenAllEnded() {
  utsname system;
  int major = 0, minor = 0;
  return uname(&system) == 0 && sscanf(system.release, "%d.%d", &major, &minor) == 2 &&
         (major > 5 || (major == 5 && minor >= 9));
}

/// The listener; -1 if the system refuses.
static int installFilter() {
  std::vector<sock_filter> filter = makeFilter();
  sock_fprog program = {uint16_t(filter.size()), filter.data()};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
    return -1;
  return int(
      syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program));
}

int Observer::beginIn(int channel) {
  int made = saysWhenAllEnded() ? installFilter() : -1;
  // Says whether a listener comes with it.
  char byte = made >= 0;
  iovec text = {&byte, 1};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof made)] = {};
  msghdr message = {};
  message.msg_iov = &text;
  message.msg_iovlen = 1;
  if (made >= 0) {
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof made);
    memcpy(CMSG_DATA(header), &made, sizeof made);
  }
  int error = sendmsg(channel, &message, MSG_NOSIGNAL) < 0 ? errno : 0;
  if (made >= 0)
    ::close(made);
  return error;
}

int Observer::receive(int channel) {
  char byte = 0;
  iovec text = {&byte, 1};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof listener)] = {};
  msghdr message = {};
  message.msg_iov = &text;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  ssize_t got;
  do
    got = recvmsg(channel, &message, MSG_CMSG_CLOEXEC);
  while (got < 0 && errno == EINTR);
  if (got < 0)
    return errno;
  cmsghdr *header = CMSG_FIRSTHDR(&message);
  if (!header || header->cmsg_type != SCM_RIGHTS)
    return byte ? EMFILE : 0;
  memcpy(&listener, CMSG_DATA(header), sizeof listener);
  areAll = true;
#ifdef SECCOMP_IOCTL_NOTIF_SET_FLAGS
  // Each call is then answered on the processor that its process waits on; Linux 6.6.
  ioctl(listener, SECCOMP_IOCTL_NOTIF_SET_FLAGS, SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP);
#endif
  return 0;
}

namespace {
/// Newer kernels write more than the structures that this file knows.
union Notification {
  seccomp_notif call;
  seccomp_notif_resp response;
  char room[1024];
};
} // namespace

static void letGoOn(int listener, uint64_t id) {
  Notification answer;
  memset(&answer, 0, sizeof answer);
  answer.response.id = id;
  answer.response.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
  ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &answer);
}

/// The next call. False if its process was killed meanwhile.
static bool next(int listener, Notification &got) {
  memset(&got, 0, sizeof got);
  return ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &got) == 0;
}

/// Waits until a call is reported, at most \p milliseconds, or without end if negative. False if no
/// process is observed any more.
static bool isAlive(int listener, int milliseconds) {
  pollfd waiting = {listener, POLLIN, 0};
  poll(&waiting, 1, milliseconds);
  return !(waiting.revents & (POLLHUP | POLLERR | POLLNVAL));
}

Observer::~Observer() {
  if (listener < 0)
    return;
  // Without answers the calls of whatever still runs would fail.
  if (isAlive(listener, 0) && fork() == 0) {
    setsid();
    // Locks and pipes of this process must not stay with it; Linux 5.9, as poll() above.
    syscall(__NR_close_range, listener + 1, ~0U, 0);
    syscall(__NR_close_range, 0, listener - 1, 0);
    Notification got;
    while (isAlive(listener, -1))
      if (next(listener, got))
        letGoOn(listener, got.call.id);
    _exit(0);
  }
  ::close(listener);
}

/// The text at \p address in process \p pid. std::nullopt if it cannot be read.
static std::optional<std::string> textAt(pid_t pid, uint64_t address) {
  std::string text;
  char buffer[4096];
  while (text.size() < PATH_MAX) {
    // Not over the end of a page, behind which there may be none.
    size_t size = sizeof buffer - address % sizeof buffer;
    iovec ours = {buffer, size};
    iovec theirs = {reinterpret_cast<void *>(address), size};
    ssize_t got = process_vm_readv(pid, &ours, 1, &theirs, 1, 0);
    if (got <= 0)
      return std::nullopt;
    size_t length = strnlen(buffer, got);
    text.append(buffer, length);
    if (length < size_t(got))
      return text;
    address += got;
  }
  return std::nullopt;
}

/// What the link /proc/PID/NAME leads to; empty if it cannot be read.
static std::string linkOf(pid_t pid, llvm::StringRef name) {
  char buffer[PATH_MAX];
  ssize_t length = readlink(fmt::format("/proc/{}/{}", pid, name).c_str(), buffer, sizeof buffer);
  return length < 0 ? std::string() : std::string(buffer, length);
}

static std::string folderOf(const seccomp_notif &call, const ReportedCall &row) {
  int folder = row.folder < 0 ? AT_FDCWD : int(call.data.args[row.folder]);
  return linkOf(call.pid, folder == AT_FDCWD ? "cwd" : fmt::format("fd/{}", folder));
}

static bool exists(const std::string &path) {
  struct ::stat st;
  return lstat(path.c_str(), &st) == 0;
}

void Observer::noteMade(const std::string &path) {
  // What was there before and is replaced unread is no input either.
  uint8_t &use = uses[path];
  if (!(use & Looked) || !exists(path))
    use |= Made;
}

void Observer::noteOpened(const std::string &path, uint64_t flags) {
  bool isMade = (flags & O_CREAT) && ((flags & O_TRUNC) || !exists(path));
  if (isMade)
    noteMade(path);
  else
    uses[path] |= Looked;
}

/// Whether the call reads a file by a name that leads each process elsewhere: `/dev/stdin`,
/// `/proc/self/fd/3`, `/proc/self/cwd/a.h`.
static bool dependsOnProcess(llvm::StringRef path, const seccomp_notif &call,
                             const ReportedCall &row) {
  bool isProcess = support::isBelow(path, "/proc");
  if (isProcess && (path.contains("/cwd/") || path.contains("/root/")))
    return true;
  bool isRead = row.effect == ReportedCall::Open && row.flags >= 0 &&
                (call.data.args[row.flags] & O_ACCMODE) != O_WRONLY;
  return isRead && ((isProcess && path.contains("/fd/")) || support::isBelow(path, "/dev/fd") ||
                    path == "/dev/stdin");
}

void Observer::note(const seccomp_notif &call) {
  const ReportedCall *row = find(call.data);
  if (!row || row->effect == ReportedCall::Escape) {
    areAll = false;
    return;
  }
  std::string path;
  if (row->path >= 0) {
    auto text = textAt(call.pid, call.data.args[row->path]);
    areAll &= text.has_value();
    if (!text || text->empty())
      return;
    path = std::move(*text);
  }
  if (path.empty() || path[0] != '/') {
    std::string folder = folderOf(call, *row);
    areAll &= !folder.empty();
    path = path.empty() ? folder : fmt::format("{}/{}", folder, path);
  }
  areAll &= !dependsOnProcess(path, call, *row);
  // The process may have ended, and another one may have its number.
  if (ioctl(listener, SECCOMP_IOCTL_NOTIF_ID_VALID, &call.id) != 0)
    return;
  switch (row->effect) {
  case ReportedCall::Open:
    areAll &= row->flags >= 0;
    noteOpened(path, row->flags < 0 ? 0 : call.data.args[row->flags]);
    break;
  case ReportedCall::Make:
    noteMade(path);
    break;
  case ReportedCall::Stat:
    uses[path] |= Looked | TimesRead;
    break;
  case ReportedCall::List:
    uses[path] |= Looked | Listed;
    break;
  case ReportedCall::Start:
    uses[path] |= Looked | Started;
    break;
  default:
    uses[path] |= Looked;
  }
}

void Observer::answer() {
  Notification got;
  if (!next(listener, got))
    return;
  note(got.call);
  letGoOn(listener, got.call.id);
}

void Observer::answerUntilEnd(pid_t child) {
  if (listener < 0)
    return;
  // Readable once the child has ended.
  int process = int(syscall(__NR_pidfd_open, child, 0));
  pollfd ends[2] = {{listener, POLLIN, 0}, {process, POLLIN, 0}};
  while (process >= 0 && !ends[1].revents) {
    poll(ends, 2, -1);
    if (ends[0].revents & POLLIN)
      answer();
    // All have ended, the child included.
    if (ends[0].revents & POLLHUP)
      break;
  }
  if (process >= 0)
    ::close(process);
}

/// True of /proc, /sys and devices. What users keep in /dev/shm is none of the kernel's.
static bool isKernels(const std::string &path) {
  if (support::isBelow(path, "/proc") || support::isBelow(path, "/sys") || path == "/dev")
    return true;
  struct ::stat st;
  return support::isBelow(path, "/dev") && ::stat(path.c_str(), &st) == 0 && !S_ISREG(st.st_mode) &&
         !S_ISDIR(st.st_mode);
}

Accesses Observer::take() {
  Accesses accesses;
  accesses.areAll = areAll;
  for (const auto &entry : uses) {
    std::string path = entry.first().str();
    if (isKernels(path))
      continue;
    if (entry.second & Made) {
      if (exists(path))
        accesses.made.push_back(path);
      continue;
    }
    accesses.files.push_back({path, bool(entry.second & TimesRead), bool(entry.second & Listed),
                              bool(entry.second & Started)});
  }
  llvm::sort(accesses.files, [](const auto &a, const auto &b) { return a.path < b.path; });
  llvm::sort(accesses.made);
  return accesses;
}

} // namespace cudacc::run
