// SPDX-License-Identifier: Apache-2.0
#include "driver/run/Console.h"
#include <cerrno>
#include <unistd.h>

namespace cudacc::run {

/// Returns errno, or 0.
static int put(int fd, llvm::StringRef text) {
  while (!text.empty()) {
    ssize_t done = write(fd, text.data(), text.size());
    if (done < 0 && errno == EINTR)
      continue;
    if (done <= 0)
      return done < 0 ? errno : EIO;
    text = text.drop_front(done);
  }
  return 0;
}

void RealConsole::out(llvm::StringRef text) {
  if (!failed)
    failed = put(STDOUT_FILENO, text);
}

void RealConsole::err(llvm::StringRef text) { put(STDERR_FILENO, text); }

long RealConsole::in(llvm::MutableArrayRef<char> buffer) {
  while (true) {
    ssize_t got = read(STDIN_FILENO, buffer.data(), buffer.size());
    if (got >= 0)
      return got;
    if (errno != EINTR)
      return -errno;
  }
}

bool RealConsole::inIsTerminal() { return isatty(STDIN_FILENO); }
bool RealConsole::outIsTerminal() { return isatty(STDOUT_FILENO); }
bool RealConsole::errIsTerminal() { return isatty(STDERR_FILENO); }

} // namespace cudacc::run
