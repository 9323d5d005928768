// SPDX-License-Identifier: Apache-2.0
// What may happen at system calls of a program, its threads and its children, until these become
// another program:
//
//   syscalls short COMMAND...      each read and write is one of half of the bytes, down to one
//   syscalls N SHELL COMMAND...    before the call of this number a shell runs SHELL
#include <elf.h>
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

static void halve(pid_t thread) {
  struct user_regs_struct registers;
  struct iovec space = {&registers, sizeof registers};
  if (ptrace(PTRACE_GETREGSET, thread, NT_PRSTATUS, &space))
    return;
#ifdef __x86_64__
  unsigned long long call = registers.orig_rax, *count = &registers.rdx;
#else
  unsigned long long call = registers.regs[8], *count = &registers.regs[2];
#endif
  switch (call) {
  case SYS_read:
  case SYS_write:
  case SYS_pread64:
  case SYS_pwrite64:
  case SYS_readv: // Of these it is a number of parts.
  case SYS_writev:
  case SYS_recvfrom:
  case SYS_sendto:
    if (*count > 1) {
      *count /= 2;
      ptrace(PTRACE_SETREGSET, thread, NT_PRSTATUS, &space);
    }
  }
}

int main(int, char **argv) {
  int isShort = !strcmp(*++argv, "short");
  long left = isShort ? 0 : atol(*argv++);
  const char *shell = *argv++;
  pid_t child = fork();
  if (!child) {
    ptrace(PTRACE_TRACEME, 0, 0, 0);
    raise(SIGSTOP);
    execvp(argv[0], argv);
    perror(argv[0]);
    _exit(127);
  }
  int status, begun = 0;
  waitpid(child, &status, 0);
  ptrace(PTRACE_SETOPTIONS, child, 0,
         PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK |
             PTRACE_O_TRACEVFORK | PTRACE_O_TRACEEXEC);
  ptrace(PTRACE_SYSCALL, child, 0, 0);
  for (pid_t thread; (thread = waitpid(-1, &status, __WALL)) > 0;) {
    if (!WIFSTOPPED(status)) {
      if (thread != child)
        continue;
      if (WIFSIGNALED(status)) {
        signal(WTERMSIG(status), SIG_DFL);
        raise(WTERMSIG(status));
      }
      return WEXITSTATUS(status);
    }
    int number = WSTOPSIG(status), event = status >> 16;
    if (event == PTRACE_EVENT_EXEC && begun++) {
      ptrace(PTRACE_DETACH, thread, 0, 0);
      continue;
    }
    struct __ptrace_syscall_info info;
    if (number == (SIGTRAP | 0x80) &&
        ptrace(PTRACE_GET_SYSCALL_INFO, thread, sizeof info, &info) > 0 &&
        info.op == PTRACE_SYSCALL_INFO_ENTRY) {
      if (isShort)
        halve(thread);
      else if (begun && --left == 0 && system(shell) != 0)
        return 1;
    }
    int passed = event || number == (SIGTRAP | 0x80) || number == SIGSTOP ? 0 : number;
    ptrace(PTRACE_SYSCALL, thread, 0, passed);
  }
  return 1;
}
