// SPDX-License-Identifier: Apache-2.0
/* A program that stands for a compiler: it appends one JSON line about how it was called to $RECORD
   (argv as given, environment, working directory, process ids, open descriptors), then
   - becomes $RECORD_EXEC, when that is set, with the same arguments,
   - dies of signal $RECORD_SIGNAL, when that is set,
   - exits with $RECORD_STATUS, else 0.
   VERSION is text that a prober looks for in the file of a real nvcc, cicc or ptxas. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef VERSION
#define VERSION "recorder"
#endif
const char version[] = VERSION;
extern char **environ;

static void quoted(FILE *out, const char *text) {
  fputc('"', out);
  for (const unsigned char *at = (const unsigned char *)text; *at; ++at)
    if (*at < 0x20 || *at >= 0x7f || *at == '"' || *at == '\\')
      /* A byte above 0x7f becomes the surrogate that Python's file system encoding uses. */
      fprintf(out, "\\u%04x", *at < 0x80 ? *at : 0xdc00 + *at);
    else
      fputc(*at, out);
  fputc('"', out);
}

static void list(FILE *out, const char *name, char **words) {
  fprintf(out, "\"%s\": [", name);
  for (char **word = words; *word; ++word) {
    if (word != words)
      fputs(", ", out);
    quoted(out, *word);
  }
  fputs("], ", out);
}

static void record(const char *path, char **argv) {
  char *text = NULL, cwd[4096] = "", self[4096] = "";
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  if (!getcwd(cwd, sizeof cwd))
    strcpy(cwd, "gone");
  if (readlink("/proc/self/exe", self, sizeof self - 1) < 0)
    self[0] = 0;
  fputc('{', out);
  list(out, "argv", argv);
  list(out, "environment", environ);
  fputs("\"descriptors\": [", out);
  int first = 1;
  for (int fd = 0; fd < 256; ++fd)
    if (fcntl(fd, F_GETFD) >= 0) {
      fprintf(out, first ? "%d" : ", %d", fd);
      first = 0;
    }
  fputs("], \"program\": ", out);
  quoted(out, self);
  fputs(", \"cwd\": ", out);
  quoted(out, cwd);
  fprintf(out, ", \"pid\": %d, \"ppid\": %d}\n", getpid(), getppid());
  fclose(out);
  int fd = open(path, O_WRONLY | O_CREAT | O_APPEND, 0666);
  if (fd < 0 || write(fd, text, size) != (ssize_t)size)
    perror(path);
  close(fd);
  free(text);
}

int main(int argc, char **argv) {
  const char *path = getenv("RECORD"), *other = getenv("RECORD_EXEC");
  const char *status = getenv("RECORD_STATUS"), *number = getenv("RECORD_SIGNAL");
  const char *name = strrchr(argv[0], '/');
  name = name ? name + 1 : argv[0];
  // mpicxx is the compiler whose name alone does not tell what it is.
  if (argc == 2 && !strcmp(argv[1], "--version") &&
      (getenv("RECORD_ANSWERS") || !strcmp(name, "mpicxx"))) {
    if (strstr(version, "Cuda compilation tools"))
      puts("nvcc: NVIDIA (R) Cuda compiler driver");
    else if (strstr(name, "clang"))
      puts("clang version 14.0.0");
    else
      printf("%s (GCC) 12.2.0\nThis is free software; see the source for copying conditions.\n",
             name);
  }
  if (path)
    record(path, argv);
  if (other && *other && !strstr(version, "Cuda compilation tools")) {
    execv(other, argv);
    perror(other);
    return 126;
  }
  if (number && *number) {
    signal(atoi(number), SIG_DFL);
    raise(atoi(number));
  }
  return status && *status ? atoi(status) : 0;
}
