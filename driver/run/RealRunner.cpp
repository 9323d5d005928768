// SPDX-License-Identifier: Apache-2.0
#include "driver/run/RealRunner.h"
#include "driver/core/Diagnostic.h"
#include "driver/run/ErrorText.h"
#include "driver/run/Observer.h"
#include "driver/run/Signals.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/StringRef.h"
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace cudacc::run {

using namespace core;

namespace {
/// argv and envp of a command for execve.
struct Vectors {
  std::vector<std::string> added;
  /// Not copied, as a call may have 10,000 arguments.
  char *const *argv;
  std::vector<char *> envp;

  explicit Vectors(const Command &command)
      : argv(const_cast<char *const *>(command.argv.terminated())) {
    added.reserve(command.set.size());
    for (const auto &[name, value] : command.set)
      added.push_back(fmt::format("{}={}", name, value));
    for (char **entry = environ; *entry; ++entry)
      if (!replaced(command, *entry))
        envp.push_back(*entry);
    for (std::string &entry : added)
      envp.push_back(entry.data());
    envp.push_back(nullptr);
  }

  static bool replaced(const Command &command, llvm::StringRef entry) {
    llvm::StringRef name = entry.take_until([](char c) { return c == '='; });
    for (const std::string &unset : command.unset)
      if (name == unset)
        return true;
    for (const auto &[set, value] : command.set)
      if (name == set)
        return true;
    return false;
  }
};
} // namespace

static llvm::Error notStarted(const Command &command, int error) {
  // So for glibc's programs on a system of another libc.
  bool isThere = error == ENOENT && access(command.program.c_str(), F_OK) == 0;
  return makeError(
      Code::SpawnFailed,
      fmt::format("cannot start {}: {}", command.program,
                  isThere ? "its loader or interpreter does not exist" : errorText(error)));
}

/// If the parent process left SIGCHLD ignored, the kernel would reap children before their status
/// is read.
static void keepChildren() { signal(SIGCHLD, SIG_DFL); }

/// Waits for the end of the child. \p observer may be null: it answers until then.
static llvm::Expected<ExitStatus> await(pid_t pid, const Command &command,
                                        Observer *observer = nullptr) {
  if (observer)
    observer->answerUntilEnd(pid);
  int status = 0;
  while (waitpid(pid, &status, 0) < 0)
    if (errno != EINTR)
      return notStarted(command, errno);
  ExitStatus ended;
  if (WIFSIGNALED(status))
    ended.signal = WTERMSIG(status);
  else
    ended.status = WEXITSTATUS(status);
  return ended;
}

llvm::Error RealRunner::exec(const Command &command) {
  Vectors vectors(command);
  execve(command.program.c_str(), vectors.argv, vectors.envp.data());
  return notStarted(command, errno);
}

llvm::Expected<ExitStatus> RealRunner::spawn(const Command &command) {
  Vectors vectors(command);
  keepChildren();
  SignalsPassed passed;
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  posix_spawnattr_setsigmask(&attributes, &passed.callersMask());
  pid_t pid;
  int error = posix_spawn(&pid, command.program.c_str(), nullptr, &attributes, vectors.argv,
                          vectors.envp.data());
  posix_spawnattr_destroy(&attributes);
  if (error)
    return notStarted(command, error);
  passed.begun(pid);
  return await(pid, command);
}

namespace {
/// A descriptor that is closed at the end, or before.
class Descriptor {
public:
  int number = -1;

  Descriptor() = default;
  Descriptor(const Descriptor &) = delete;
  Descriptor &operator=(const Descriptor &) = delete;
  ~Descriptor() { reset(); }
  void reset() {
    if (number >= 0)
      ::close(number);
    number = -1;
  }
};

/// When a child is killed.
class Deadline {
public:
  /// \p seconds: 0: never.
  Deadline(pid_t child, unsigned seconds) : child(child), seconds(seconds), begun(Clock::now()) {}
  /// Those left, at least one until there are none; negative: never.
  int milliseconds() const {
    if (!seconds)
      return -1;
    auto left = begun + std::chrono::seconds(seconds) - Clock::now();
    return int(std::max<int64_t>(0, std::chrono::ceil<std::chrono::milliseconds>(left).count()));
  }
  void kill() const { ::kill(child, SIGKILL); }

private:
  using Clock = std::chrono::steady_clock;
  pid_t child;
  unsigned seconds;
  Clock::time_point begun;
};

/// The ends of what connects this process with a child: `ours` and `childs` of each of its
/// descriptors 0 to 2. The child's stdin is a socket, since a pipe whose reader has ended would
/// send this process a signal.
struct Streams {
  Descriptor ours[3], childs[3];
  /// Of a child that is observed: where it says why its program does not start.
  Descriptor channel;
  /// Why what the child prints could not be read to its end; 0 if it was.
  int failure = 0;

  /// False and errno if the system refuses.
  bool open(bool withInput, bool withErrors) {
    int ends[2];
    if (withInput) {
      if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return false;
      ours[0].number = ends[0], childs[0].number = ends[1];
    }
    for (int i : {1, 2}) {
      if (i == 2 && !withErrors)
        continue;
      if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
      ours[i].number = ends[0], childs[i].number = ends[1];
    }
    return true;
  }

  /// Starts the child so that \p observer learns of its calls; its error.
  int spawnObserved(const Command &command, const Vectors &vectors, Observer &observer,
                    pid_t &pid) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
      return errno;
    Descriptor childsChannel;
    channel.number = ends[0], childsChannel.number = ends[1];
    pid = fork();
    if (pid < 0)
      return errno;
    if (pid == 0)
      become(command, vectors, childsChannel.number);
    childsChannel.reset();
    for (Descriptor &end : childs)
      end.reset();
    int error = observer.receive(channel.number);
    if (error) {
      // Its calls would wait for an answer, or fail.
      kill(pid, SIGKILL);
      while (waitpid(pid, nullptr, 0) < 0 && errno == EINTR)
        ;
    }
    return error;
  }

  /// In the child.
  [[noreturn]] void become(const Command &command, const Vectors &vectors, int toParent) {
    if (childs[0].number < 0)
      childs[0].number = ::open("/dev/null", O_RDONLY);
    bool isReady = childs[0].number >= 0;
    for (int i : {0, 1, 2})
      isReady = isReady && (childs[i].number < 0 || dup2(childs[i].number, i) >= 0);
    int error = errno;
    // The parent waits for it in any case.
    if (int lost = Observer::beginIn(toParent)) {
      error = lost;
      isReady = false;
    }
    if (isReady) {
      execve(command.program.c_str(), vectors.argv, vectors.envp.data());
      error = errno;
    }
    ::send(toParent, &error, sizeof error, MSG_NOSIGNAL);
    _exit(127);
  }

  /// Why the program of a child that has ended did not start; 0 if it did.
  int startError() const {
    int error = 0;
    bool isTold =
        channel.number >= 0 && ::read(channel.number, &error, sizeof error) == sizeof error;
    return isTold ? error : 0;
  }

  /// Starts the child; its error.
  int spawn(const Command &command, const Vectors &vectors, pid_t &pid) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    if (childs[0].number < 0)
      posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    for (int i : {0, 1, 2})
      if (childs[i].number >= 0)
        posix_spawn_file_actions_adddup2(&actions, childs[i].number, i);
    int error = posix_spawn(&pid, command.program.c_str(), &actions, nullptr, vectors.argv,
                            const_cast<char **>(vectors.envp.data()));
    posix_spawn_file_actions_destroy(&actions);
    for (Descriptor &end : childs)
      end.reset();
    return error;
  }

  /// Sends a part of the input; nothing more if that was the rest, or if the child reads no more.
  void send(llvm::StringRef &input) {
    ssize_t sent = ::send(ours[0].number, input.data(), input.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent > 0)
      input = input.drop_front(sent);
    bool mayGoOn = sent >= 0 || errno == EINTR || errno == EAGAIN;
    if (input.empty() || !mayGoOn)
      ours[0].reset();
  }

  /// Appends what is there, as far as it may be kept.
  void receive(Descriptor &end, std::string &text, size_t limit) {
    char buffer[1 << 16];
    ssize_t got = ::read(end.number, buffer, sizeof buffer);
    if (got > 0 && text.size() < limit)
      text.append(buffer, got);
    bool failed = got < 0 && errno != EINTR;
    if (failed)
      failure = errno;
    if (got == 0 || failed)
      end.reset();
  }

  /// Until the child has closed its stdout and stderr, or until \p end, when it is killed. \p
  /// observer may be null.
  void exchange(llvm::StringRef input, size_t limit, Observer *observer, const Deadline &end,
                Runner::Answer &answer) {
    while (ours[1].number >= 0 || ours[2].number >= 0) {
      // poll() passes over those that are closed.
      pollfd ends[4] = {{ours[0].number, POLLOUT, 0},
                        {ours[1].number, POLLIN, 0},
                        {ours[2].number, POLLIN, 0},
                        {observer ? observer->descriptor() : -1, POLLIN, 0}};
      int left = end.milliseconds();
      if (left == 0)
        return end.kill();
      if (poll(ends, 4, left) < 0) {
        if (errno == EINTR)
          continue;
        failure = errno;
        return end.kill();
      }
      if (ends[0].revents)
        send(input);
      if (ends[1].revents)
        receive(ours[1], answer.out, limit);
      if (ends[2].revents)
        receive(ours[2], answer.err, limit);
      if (ends[3].revents & POLLIN)
        observer->answer();
    }
  }
};
} // namespace

static llvm::Expected<Runner::Answer> askObserved(const Command &command, Observer *observer) {
  Vectors vectors(command);
  keepChildren();
  Streams streams;
  if (!streams.open(!command.input.empty(), !command.showsErrors))
    return notStarted(command, errno);
  pid_t pid;
  int error = observer ? streams.spawnObserved(command, vectors, *observer, pid)
                       : streams.spawn(command, vectors, pid);
  if (error)
    return notStarted(command, error);
  Runner::Answer answer;
  // Memory that is not touched costs nothing; growing text is copied into fresh pages each time.
  answer.out.reserve(std::min(command.outputLimit, size_t(4) << 20));
  waitedFor = pid;
  SignalsHeld::passOnTo(pid);
  Deadline end(pid, command.mostSeconds);
  streams.exchange(command.input, command.outputLimit, observer, end, answer);
  auto ended = await(pid, command, observer);
  waitedFor = 0;
  if (!ended)
    return ended.takeError();
  if (int notStartedBy = streams.startError())
    return notStarted(command, notStartedBy);
  if (streams.failure)
    return makeError(Code::SpawnFailed, fmt::format("cannot read what {} prints: {}",
                                                    command.program, errorText(streams.failure)));
  answer.ended = *ended;
  return answer;
}

llvm::Expected<Runner::Answer> RealRunner::ask(const Command &command) {
  return askObserved(command, nullptr);
}

llvm::Expected<Runner::Answer> RealRunner::observe(const Command &command, Accesses &accesses) {
  Observer observer;
  auto answer = askObserved(command, &observer);
  accesses = observer.take();
  return answer;
}

void endLike(const ExitStatus &ended) {
  if (ended.signal) {
    signal(ended.signal, SIG_DFL);
    sigset_t only;
    sigemptyset(&only);
    sigaddset(&only, ended.signal);
    sigprocmask(SIG_UNBLOCK, &only, nullptr);
    raise(ended.signal);
    _exit(128 + ended.signal);
  }
  _exit(ended.status);
}

} // namespace cudacc::run
