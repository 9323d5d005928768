// SPDX-License-Identifier: Apache-2.0
/* Device links by nvJitLink alone: what `cuda-cc link` is compared with, in tests and in the
   benchmark.

     barelink LIBRARY VERSION OUT FILE... [-OPTION...]

   LIBRARY is a path; VERSION is the end of its functions' names (12_4). What a FILE is follows from
   the end of its name, what is written to OUT from that of OUT. The error log is printed on stderr.
   Exit status: 0 linked, 3 refused by the library, 2 anything else. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *library;
static const char *version;

static void stop(const char *what, const char *which) {
  fprintf(stderr, "barelink: %s %s\n", what, which);
  exit(2);
}

static void *function(const char *name) {
  char full[64];
  snprintf(full, sizeof full, "__nvJitLink%s_%s", name, version);
  void *found = dlsym(library, full);
  if (!found)
    stop("no function", full);
  return found;
}

/* As one word: the type of the functions differs. */
#define CALL(name, type, ...) ((int(*) type)function(name))(__VA_ARGS__)

static int ends(const char *name, const char *with) {
  size_t length = strlen(name), end = strlen(with);
  return length >= end && !strcmp(name + length - end, with);
}

/* nvJitLinkInputType. */
static int kind(const char *name) {
  static const char *const endings[] = {".cubin", ".ptx", ".ltoir", ".fatbin", ".o", ".a"};
  for (int i = 0; i < 6; ++i)
    if (ends(name, endings[i]))
      return i + 1;
  stop("unknown kind of file:", name);
  return 0;
}

/* With a NUL behind it. */
static char *contents(const char *name, size_t *size) {
  FILE *file = fopen(name, "rb");
  if (!file)
    stop("cannot open", name);
  fseek(file, 0, SEEK_END);
  *size = ftell(file);
  rewind(file);
  char *bytes = calloc(1, *size + 1);
  if (!bytes || fread(bytes, 1, *size, file) != *size)
    stop("cannot read", name);
  fclose(file);
  return bytes;
}

static int refused(const char *call, int result, void *handle) {
  size_t size = 0;
  fprintf(stderr, "%s: %d\n", call, result);
  if (handle && !CALL("GetErrorLogSize", (void *, size_t *), handle, &size) && size) {
    char *log = calloc(1, size + 1);
    if (!CALL("GetErrorLog", (void *, char *), handle, log))
      fprintf(stderr, "%s\n", log);
    free(log);
  }
  return 3;
}

static int output(void *handle, const char *name) {
  const char *what = ends(name, ".ptx") ? "Ptx" : ends(name, ".ltoir") ? "LTOIR" : "Cubin";
  char size_of[32], get[32];
  size_t size = 0;
  snprintf(size_of, sizeof size_of, "GetLinked%sSize", what);
  snprintf(get, sizeof get, "GetLinked%s", what);
  int result = CALL(size_of, (void *, size_t *), handle, &size);
  if (result)
    return refused(size_of, result, handle);
  char *bytes = calloc(1, size + 1);
  if ((result = CALL(get, (void *, char *), handle, bytes)))
    return refused(get, result, handle);
  /* The NUL behind a text is counted. */
  if (ends(name, ".ptx") && size && !bytes[size - 1])
    --size;
  FILE *file = fopen(name, "wb");
  if (!file || fwrite(bytes, 1, size, file) != size || fclose(file))
    stop("cannot write", name);
  free(bytes);
  return 0;
}

int main(int argc, char **argv) {
  if (argc < 5)
    stop("usage:", "LIBRARY VERSION OUT FILE... [-OPTION...]");
  int files = 4;
  while (files < argc && argv[files][0] != '-')
    ++files;
  version = argv[2];
  library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  if (!library)
    stop("cannot load:", dlerror());
  void *handle = NULL;
  int result = CALL("Create", (void **, unsigned, char **), &handle, argc - files, argv + files);
  if (result)
    return refused("Create", result, NULL);
  for (int i = 4; i < files; ++i) {
    size_t size;
    char *bytes = contents(argv[i], &size);
    int what = kind(argv[i]);
    result = CALL("AddData", (void *, int, const void *, size_t, const char *), handle, what, bytes,
                  size + (what == 2), argv[i]);
    if (result)
      return refused("AddData", result, handle);
  }
  if ((result = CALL("Complete", (void *), handle)))
    return refused("Complete", result, handle);
  return output(handle, argv[3]);
}
