// SPDX-License-Identifier: Apache-2.0
// libnvJitLink.so.12 and, with -DDRIVER, libcuda.so.1, as badly behaved as they may be: they keep pointers to all that
// they are given, read it at the end, and overwrite it when a link is destroyed. FAKE in the environment says what
// goes wrong; with -DFATBIN it is libnvfatbin.so.12.
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { most = 16, logSize = 4 << 20 };

struct link {
  unsigned count, added;
  const char *options[most];
  void **values;
  char *buffers[2];
  const char *names[most], *data[most];
  size_t sizes[most];
  char *output;
  size_t size;
  char log[200];
};

static int asks(const char *what) {
  const char *fake = getenv("FAKE");
  return fake && !strcmp(fake, what);
}

// The ways in which a function can end: FAKE=crash-complete.
static void misbehave(const char *function) {
  char what[80];
  snprintf(what, sizeof what, "crash-%s", function);
  if (asks(what)) {
    fprintf(stderr, "about to crash in %s\n", function);
    signal(SIGSEGV, SIG_DFL);
    raise(SIGSEGV);
  }
  snprintf(what, sizeof what, "abort-%s", function);
  if (asks(what))
    abort();
  snprintf(what, sizeof what, "exit-%s", function);
  if (asks(what))
    exit(5);
  snprintf(what, sizeof what, "leave-%s", function);
  if (asks(what))
    exit(0);
  snprintf(what, sizeof what, "hang-%s", function);
  if (asks(what)) {
    fprintf(stderr, "hanging\n");
    for (;;)
      pause();
  }
  snprintf(what, sizeof what, "print-%s", function);
  if (asks(what)) {
    printf("by printf in %s\n", function);
    if (write(1, "by write\n", 9) != 9)
      abort();
  }
}

__attribute__((constructor)) static void load(void) { misbehave("load"); }

static void add(struct link *link, const void *data, size_t size, const char *name) {
  link->data[link->added] = data;
  link->sizes[link->added] = size;
  link->names[link->added++] = name;
}

// The option strings, and each input with its name, all of which have to be there still.
__attribute__((unused)) static void make(struct link *link) {
  size_t size = 0;
  for (unsigned i = 0; i < link->count && link->options[i]; ++i)
    size += strlen(link->options[i]) + 1;
  for (unsigned i = 0; i < link->added; ++i)
    size += strlen(link->names[i]) + 1 + link->sizes[i];
  char *at = link->output = malloc(size);
  for (unsigned i = 0; i < link->count && link->options[i]; ++i)
    at += sprintf(at, "%s", link->options[i]), *at++ = '\n';
  for (unsigned i = 0; i < link->added; ++i) {
    at += sprintf(at, "%s", link->names[i]), *at++ = ':';
    memcpy(at, link->data[i], link->sizes[i]);
    at += link->sizes[i];
  }
  link->size = size;
}

static void end(struct link *link) {
  misbehave("destroy");
  if (link->output)
    memset(link->output, '#', link->size);
  free(link->output);
  memset(link, '#', sizeof *link);
  free(link);
}

#if defined(DRIVER)
static void say(struct link *link, int which, const char *text) {
  uintptr_t *slot = (uintptr_t *)&link->values[1 + 2 * which];
  uint32_t size = (uint32_t)*slot == logSize ? 0 : (uint32_t)*slot;
  strcpy(link->buffers[which] + size, text);
  *slot = 0xabcd000000000000u + size + strlen(text);
}

int cuGetErrorName(int result, const char **name) {
  *name = result == 100 ? "CUDA_ERROR_NO_DEVICE" : result == 209 ? "CUDA_ERROR_NO_BINARY_FOR_GPU" : NULL;
  return *name ? 0 : 1;
}
int cuDriverGetVersion(int *version) { return *version = 13000, 0; }
int cuInit(unsigned flags) { return flags ? 1 : asks("no-device") ? 100 : 0; }
int cuDeviceGet(int *device, int ordinal) { return *device = ordinal, 0; }
int cuDevicePrimaryCtxRetain(void **context, int device) { return *context = (void *)cuInit, device; }
int cuDevicePrimaryCtxRelease_v2(int device) { return device; }
int cuCtxSetCurrent(void *context) { return !context; }
int cuLinkCreate_v2(unsigned count, int *keys, void **values, struct link **state) {
  misbehave("create");
  struct link link = {.values = values, .buffers = {values[0], values[2]}};
  if (count < 4 || keys[0] != 3 || keys[3] != 6)
    return 1;
  say(&link, 0, "created\n");
  if (asks("refuse-create")) {
    say(&link, 1, "no such target\n");
    *state = (struct link *)16;
    return 1;
  }
  *state = malloc(sizeof link);
  **state = link;
  return 0;
}
int cuLinkAddData_v2(struct link *state, int kind, const void *data, size_t size, const char *name, unsigned count,
                     int *keys, void **values) {
  misbehave("add");
  if (kind == 1 && ((const char *)data)[size - 1])
    return 218;
  if (count || keys || values)
    return 1;
  add(state, data, size, name);
  if (asks("refuse-add"))
    say(state, 1, "refused\n");
  return asks("refuse-add") ? 209 : 0;
}
int cuLinkComplete(struct link *state, void **cubin, size_t *size) {
  misbehave("complete");
  if (asks("refuse-complete")) {
    say(state, 1, "undefined reference\n");
    return 209;
  }
  make(state);
  *cubin = state->output;
  *size = state->size;
  return 0;
}
int cuLinkDestroy(struct link *state) {
  say(state, 0, "destroyed\n");
  for (int which = 0; which < 2; ++which) {
    memset(state->buffers[which], '#', logSize);
    state->values[1 + 2 * which] = (void *)(uintptr_t)logSize;
  }
  end(state);
  return 0;
}
#elif defined(FATBIN)
const char *nvFatbinGetErrorString(int result) { return result ? "wrong" : NULL; }
int nvFatbinCreate(struct link **handle, const char **options, size_t count) {
  (void)options, (void)count;
  return *handle = calloc(1, sizeof **handle), 0;
}
int nvFatbinAddCubin(struct link *handle, const void *data, size_t size, const char *arch, const char *name) {
  add(handle, data, size, arch);
  (void)name;
  return asks("refuse-pack") ? 1 : 0;
}
int nvFatbinAddPTX(struct link *handle, const void *data, size_t size, const char *arch) {
  return add(handle, data, size, arch), 0;
}
int nvFatbinAddLTOIR(struct link *handle, const void *data, size_t size, const char *arch) {
  return add(handle, data, size, arch), 0;
}
int nvFatbinSize(struct link *handle, size_t *size) { return *size = strlen("FATBIN") + handle->added, 0; }
int nvFatbinGet(struct link *handle, char *to) {
  memcpy(to, "FATBIN", 6);
  memset(to + 6, '+', handle->added);
  return 0;
}
int nvFatbinDestroy(struct link **handle) { return end(*handle), *handle = NULL, 0; }
#else
#ifndef TOO_OLD
int nvJitLinkVersion(unsigned *major, unsigned *minor) {
  misbehave("version");
  *major = asks("version-13") ? 13 : 12;
  *minor = 5;
  return asks("no-version") ? 6 : 0;
}
#endif
int __nvJitLinkCreate_12_5(struct link **handle, uint32_t count, const char **options) {
  misbehave("create");
  *handle = calloc(1, sizeof **handle);
  (*handle)->count = count;
  for (unsigned i = 0; i < count; ++i)
    (*handle)->options[i] = options[i];
  if (asks("refuse-create"))
    strcpy((*handle)->log, "unrecognized option\n");
  return asks("refuse-create") ? 1 : 0;
}
int __nvJitLinkAddData_12_5(struct link *handle, int kind, const void *data, size_t size, const char *name) {
  misbehave("add");
  add(handle, data, size, name);
  (void)kind;
  if (asks("refuse-add"))
    strcpy(handle->log, "refused\n");
  return asks("refuse-add") ? 4 : 0;
}
int __nvJitLinkComplete_12_5(struct link *handle) {
  misbehave("complete");
  make(handle);
  if (asks("refuse-complete"))
    strcpy(handle->log, "error   : undefined reference\n");
  // As ptxas does with what it cannot read.
  if (asks("quote-input"))
    snprintf(handle->log, sizeof handle->log, "fatal   : %.*s\n", (int)handle->sizes[0], handle->data[0]);
  return asks("refuse-complete") || asks("quote-input") ? 6 : 0;
}
int __nvJitLinkDestroy_12_5(struct link **handle) { return end(*handle), *handle = NULL, 0; }
int __nvJitLinkGetLinkedCubinSize_12_5(struct link *handle, size_t *size) {
  return *size = asks("huge") ? (size_t)3 << 30 : asks("impossible") ? SIZE_MAX : handle->size, 0;
}
int __nvJitLinkGetLinkedCubin_12_5(struct link *handle, char *to) { return memcpy(to, handle->output, handle->size), 0; }
int __nvJitLinkGetLinkedPtxSize_12_5(struct link *handle, size_t *size) { return *size = handle->size, 0; }
int __nvJitLinkGetLinkedPtx_12_5(struct link *handle, char *to) { return memcpy(to, handle->output, handle->size), 0; }
int __nvJitLinkGetErrorLogSize_12_5(struct link *handle, size_t *size) { return *size = strlen(handle->log) + 1, 0; }
int __nvJitLinkGetErrorLog_12_5(struct link *handle, char *to) { return strcpy(to, handle->log), 0; }
int __nvJitLinkGetInfoLogSize_12_5(struct link *handle, size_t *size) { return *size = handle->added + 1, 0; }
int __nvJitLinkGetInfoLog_12_5(struct link *handle, char *to) { return memset(to, 'i', handle->added), 0; }
#endif
