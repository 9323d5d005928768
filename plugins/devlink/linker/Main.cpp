// SPDX-License-Identifier: Apache-2.0
// Reads a Job from stdin to its end, links, and writes one Reply to stdout. What the libraries
// print goes to stderr, and how they crash is how this process ends: cuda-cc reports it.
#include "plugins/devlink/linker/Libraries.h"
#include "plugins/devlink/linker/Linker.h"
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <new>
#include <string_view>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

using namespace cudacc::devlink;

/// Exit::Internal of cuda-cc.
static constexpr int internalError = 70;

static bool writeAll(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    ssize_t written = write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return false;
    bytes.remove_prefix(size_t(written));
  }
  return true;
}

[[noreturn]] static void stop(std::string_view line) {
  writeAll(STDERR_FILENO, line);
  _exit(internalError);
}

[[noreturn]] static void onNoMemory() { stop("devlink: out of memory\n"); }

// The helper links no C++ library: for a glibc of that age it would have to be built first.
void *operator new(size_t size) {
  if (void *bytes = malloc(size))
    return bytes;
  onNoMemory();
}
void operator delete(void *bytes) noexcept { free(bytes); }
void operator delete(void *bytes, size_t) noexcept { free(bytes); }
#ifdef _LIBCPP_VERSION
template class std::basic_string<char>;
void std::__libcpp_verbose_abort(const char *, ...) noexcept { abort(); }
#endif

/// All of stdin; it is kept to the end. realloc() moves pages, where a string would copy them.
static std::string_view readInput() {
  char *bytes = nullptr;
  size_t room = 0, used = 0;
  for (;;) {
    if (room - used < (size_t(1) << 16)) {
      room += std::max(room, size_t(1) << 20);
      bytes = static_cast<char *>(realloc(bytes, room));
      if (!bytes)
        onNoMemory();
    }
    ssize_t got = read(STDIN_FILENO, bytes + used, room - used);
    if (got == 0)
      return {bytes, used};
    if (got > 0)
      used += size_t(got);
    else if (errno != EINTR)
      stop("devlink: cannot read stdin\n");
  }
}

/// stdout's descriptor under a number that the libraries do not know; theirs is stderr's.
static int takeOutput() {
  int output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  if (output < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
    stop("devlink: stdout and stderr have to be open\n");
  return output;
}

int main() {
  // It ends with cuda-cc, even if a library hangs.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  rlimit noCore = {0, 0};
  setrlimit(RLIMIT_CORE, &noCore);
  int output = takeOutput();
  std::optional<Job> job = decodeJob(readInput());
  if (!job)
    stop("devlink: stdin has no job of this version of cuda-cc\n");
  RealLibraries libraries;
  std::string reply = encode(link(*job, libraries));
  // What the libraries printed. They are not unloaded: all they could still do is crash.
  fflush(nullptr);
  if (!writeAll(output, reply))
    stop("devlink: cannot write the reply\n");
  _exit(0);
}
