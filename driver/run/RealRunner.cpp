// SPDX-License-Identifier: Apache-2.0
#include "driver/run/RealRunner.h"
#include "driver/core/Diagnostic.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/StringRef.h"
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
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

pid_t waitedFor = 0;

void passOn(int signal, siginfo_t *info, void *) {
  // The terminal signals the whole process group, so the child already has it.
  bool fromTerminal = info->si_code == SI_KERNEL && (signal == SIGINT || signal == SIGQUIT);
  if (waitedFor > 0 && !fromTerminal)
    kill(waitedFor, signal);
}

/// While alive, forwards signals that would end this process to the child, so that it can clean up.
/// Signals that were ignored before stay ignored in both processes.
class SignalsPassed {
public:
  SignalsPassed() {
    // Blocked until the child's PID is known, so that no signal is lost.
    sigset_t held;
    sigemptyset(&held);
    for (int signal : signals)
      sigaddset(&held, signal);
    sigprocmask(SIG_BLOCK, &held, &mask);
    struct sigaction action{};
    action.sa_sigaction = passOn;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    for (size_t i = 0; i < std::size(signals); ++i) {
      sigaction(signals[i], nullptr, &old[i]);
      if (old[i].sa_handler != SIG_IGN)
        sigaction(signals[i], &action, nullptr);
    }
  }
  /// Called when the child has started, with this process's original mask.
  void begun(pid_t pid) {
    waitedFor = pid;
    sigprocmask(SIG_SETMASK, &mask, nullptr);
  }
  const sigset_t &callersMask() const { return mask; }
  ~SignalsPassed() {
    sigprocmask(SIG_SETMASK, &mask, nullptr);
    for (size_t i = 0; i < std::size(signals); ++i)
      sigaction(signals[i], &old[i], nullptr);
    waitedFor = 0;
  }

private:
  static constexpr int signals[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2};
  struct sigaction old[std::size(signals)];
  sigset_t mask;
};
} // namespace

static llvm::Error notStarted(const Command &command, int error) {
  return makeError(Code::SpawnFailed,
                   fmt::format("cannot start {}: {}", command.program, strerror(error)));
}

/// If the parent process left SIGCHLD ignored, the kernel would reap children before their status
/// is read.
static void keepChildren() { signal(SIGCHLD, SIG_DFL); }

static llvm::Expected<ExitStatus> await(pid_t pid, const Command &command) {
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

llvm::Expected<Runner::Answer> RealRunner::ask(const Command &command) {
  Vectors vectors(command);
  keepChildren();
  int out[2], err[2];
  if (pipe2(out, O_CLOEXEC) != 0)
    return notStarted(command, errno);
  if (pipe2(err, O_CLOEXEC) != 0) {
    close(out[0]), close(out[1]);
    return notStarted(command, errno);
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, out[1], 1);
  posix_spawn_file_actions_adddup2(&actions, err[1], 2);
  pid_t pid;
  int error = posix_spawn(&pid, command.program.c_str(), &actions, nullptr, vectors.argv,
                          vectors.envp.data());
  posix_spawn_file_actions_destroy(&actions);
  close(out[1]), close(err[1]);
  Answer answer;
  pollfd ends[2] = {{out[0], POLLIN, 0}, {err[0], POLLIN, 0}};
  std::string *texts[2] = {&answer.out, &answer.err};
  for (int open = error ? 0 : 2; open > 0 && (poll(ends, 2, -1) >= 0 || errno == EINTR);) {
    for (int i = 0; i < 2; ++i) {
      if (!(ends[i].revents & (POLLIN | POLLHUP | POLLERR)) || ends[i].fd < 0)
        continue;
      char buffer[1 << 16];
      ssize_t got = ::read(ends[i].fd, buffer, sizeof buffer);
      if (got > 0 && texts[i]->size() < command.outputLimit)
        texts[i]->append(buffer, got);
      if (got == 0 || (got < 0 && errno != EINTR)) {
        ends[i].fd = -1;
        --open;
      }
    }
  }
  close(out[0]), close(err[0]);
  if (error)
    return notStarted(command, error);
  auto ended = await(pid, command);
  if (!ended)
    return ended.takeError();
  answer.ended = *ended;
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
