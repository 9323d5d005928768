// SPDX-License-Identifier: Apache-2.0
// libcuda-cc-rtld.so: the functions that glibc's loader calls (rtld-audit(7)). It uses no libc and
// allocates nothing; if anything fails here, the program runs unchanged.
#include "plugins/rtld/AuditFlags.h"
#include "plugins/rtld/TraceBuffer.h"
#include "plugins/rtld/auditor/Kernel.h"
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace cudacc::rtld;

static_assert(searchedName == LA_SER_ORIG && searchedLibraryPath == LA_SER_LIBPATH &&
              searchedRunpath == LA_SER_RUNPATH && searchedCache == LA_SER_CONFIG &&
              searchedDefault == LA_SER_DEFAULT && searchedSecure == LA_SER_SECURE);
static_assert(listConsistent == LA_ACT_CONSISTENT && listGrows == LA_ACT_ADD &&
              listShrinks == LA_ACT_DELETE);

namespace {

constexpr unsigned long longestText = 4096, longestRecord = 16384;
constexpr unsigned mostWords = 64;

TraceBuffer *buffer;
char **environment;
char **words;
long process;
/// Number of the last opened object.
unsigned long objects;
/// Number of records of this process, in private memory, so that a forked child knows how many
/// there were.
unsigned long written;

unsigned long lengthOf(const char *text) {
  unsigned long length = 0;
  while (text[length] && length < longestText)
    ++length;
  return length;
}

const char *lookUp(const char *name) {
  if (!environment)
    return nullptr;
  for (char **entry = environment; *entry; ++entry) {
    const char *at = *entry, *wanted = name;
    while (*wanted && *at == *wanted)
      ++at, ++wanted;
    if (!*wanted && *at == '=')
      return at + 1;
  }
  return nullptr;
}

/// Reserves space for a record once its length is known; readers see nothing of it before `finish`.
class Record {
public:
  explicit Record(Mark mark, long pid) {
    put(char(mark));
    number(pid);
  }
  void number(unsigned long value) {
    char digits[20];
    unsigned count = 0;
    do
      digits[count++] = char('0' + value % 10);
    while (value /= 10);
    put('\t');
    while (count)
      put(digits[--count]);
  }
  void text(const char *value) {
    static constexpr char hex[] = "0123456789abcdef";
    put('\t');
    for (unsigned long i = 0; i < longestText && value[i]; ++i) {
      auto byte = static_cast<unsigned char>(value[i]);
      if (byte > 0x20 && byte < 0x7f && byte != '%') {
        put(value[i]);
        continue;
      }
      put('%');
      put(hex[byte >> 4]);
      put(hex[byte & 15]);
    }
  }
  void finish() {
    put('\n');
    if (length > sizeof bytes)
      return;
    unsigned long at = __atomic_fetch_add(&buffer->used, length, __ATOMIC_RELAXED);
    if (at > buffer->size || length > buffer->size - at)
      return;
    char *place = reinterpret_cast<char *>(buffer) + at;
    for (unsigned long i = 1; i < length; ++i)
      place[i] = bytes[i];
    __atomic_store_n(place, bytes[0], __ATOMIC_RELEASE);
    __atomic_add_fetch(&written, 1, __ATOMIC_RELAXED);
  }

private:
  void put(char c) {
    if (length < sizeof bytes)
      bytes[length] = c;
    ++length;
  }

  // Not initialised: clearing it would cost more than everything else here.
  char bytes[longestRecord];
  unsigned long length = 0;
};

void writeStart() {
  static char program[longestText], folder[longestText];
  long got =
      call(SYS_readlinkat, AT_FDCWD, long("/proc/self/exe"), long(program), sizeof program - 1);
  program[got > 0 ? got : 0] = 0;
  if (call(SYS_getcwd, long(folder), sizeof folder) <= 0)
    folder[0] = 0;
  Record record(Mark::Start, process);
  record.number(call(SYS_getppid));
  record.text(program);
  record.text(folder);
  const char *path = lookUp("LD_LIBRARY_PATH"), *preload = lookUp("LD_PRELOAD");
  record.text(path ? path : "");
  record.number(path != nullptr);
  record.text(preload ? preload : "");
  unsigned long room = longestText;
  for (unsigned i = 0; words && words[i] && i < mostWords; ++i) {
    unsigned long length = lengthOf(words[i]);
    if (length > room)
      break;
    room -= length;
    record.text(words[i]);
  }
  record.finish();
}

/// The ID of the writing process; a forked child first records its parent.
long writer() {
  long now = call(SYS_getpid);
  if (now != process) {
    Record record(Mark::Fork, now);
    record.number(process);
    record.number(written);
    record.finish();
    process = now;
    written = 0;
  }
  return now;
}

bool isBuffer(const TraceBuffer *found, unsigned long size) {
  for (unsigned i = 0; i < sizeof magic; ++i)
    if (found->magic[i] != magic[i])
      return false;
  return found->size == size && found->names >= sizeof(TraceBuffer) &&
         found->names <= found->namesEnd && found->namesEnd <= size;
}

void map() {
  const char *path = lookUp(variable);
  if (!path || !*path)
    return;
  long file = call(SYS_openat, AT_FDCWD, long(path), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (file < 0)
    return;
  long size = call(SYS_lseek, file, 0, SEEK_END);
  long place = -1;
  if (size >= long(sizeof(TraceBuffer)))
    place = call(SYS_mmap, 0, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  call(SYS_close, file);
  if (place < 0 && place > -4096)
    return;
  auto *found = reinterpret_cast<TraceBuffer *>(place);
  if (isBuffer(found, size))
    buffer = found;
  else
    call(SYS_munmap, place, size);
}

/// Matches `libNAME.so...`, and `libNAME-96c42e41.so...` as auditwheel writes it (LS-44).
bool isCalled(const char *file, const char *name, const char *end) {
  while (name != end && *file == *name)
    ++file, ++name;
  if (name != end)
    return false;
  if (*file == '-')
    while (*file && *file != '.')
      ++file;
  return file[0] == '.' && file[1] == 's' && file[2] == 'o';
}

bool isNvidias(const char *path) {
  const char *file = path;
  for (const char *at = path; *at; ++at)
    if (*at == '/')
      file = at + 1;
  if (file[0] != 'l' || file[1] != 'i' || file[2] != 'b')
    return false;
  const char *base = reinterpret_cast<const char *>(buffer);
  const char *last = base + buffer->namesEnd;
  for (const char *name = base + buffer->names; name < last;) {
    const char *end = name;
    while (end < last && *end != '\n')
      ++end;
    if (isCalled(file + 3, name, end))
      return true;
    name = end + 1;
  }
  return false;
}

/// The number in an object's cookie, whose lowest bit says whether it is NVIDIA's.
unsigned long numberOf(uintptr_t cookie) { return cookie >> 1; }

/// The loader passes argv and the environment to every initialiser.
__attribute__((constructor)) void remember(int, char **argv, char **envp) {
  words = argv;
  environment = envp;
}

} // namespace

extern "C" {

/// Returns the loader's own version: all functions used here are the same in glibc 2.4 and later,
/// and some loaders reject any other version than theirs (aarch64). 0 if there is nothing to
/// record.
__attribute__((visibility("default"))) unsigned la_version(unsigned version) {
  map();
  if (!buffer)
    return 0;
  process = call(SYS_getpid);
  writeStart();
  written = 0;
  return version;
}

__attribute__((visibility("default"))) char *la_objsearch(const char *name, uintptr_t *cookie,
                                                          unsigned flag) {
  if (flag == LA_SER_ORIG || isNvidias(name)) {
    Record record(Mark::Search, writer());
    record.number(numberOf(*cookie));
    record.number(flag);
    record.text(name);
    record.finish();
  }
  return const_cast<char *>(name);
}

__attribute__((visibility("default"))) unsigned la_objopen(struct link_map *map, Lmid_t space,
                                                           uintptr_t *cookie) {
  bool isOurs = isNvidias(map->l_name);
  *cookie = __atomic_add_fetch(&objects, 1, __ATOMIC_RELAXED) << 1 | isOurs;
  Record record(Mark::Open, writer());
  record.number(numberOf(*cookie));
  record.number(space);
  record.text(map->l_name);
  record.finish();
  return isOurs ? LA_FLG_BINDTO | LA_FLG_BINDFROM : LA_FLG_BINDFROM;
}

__attribute__((visibility("default"))) unsigned la_objclose(uintptr_t *cookie) {
  Record record(Mark::Close, writer());
  record.number(numberOf(*cookie));
  record.finish();
  return 0;
}

__attribute__((visibility("default"))) void la_activity(uintptr_t *, unsigned flag) {
  Record record(Mark::Activity, writer());
  record.number(flag);
  record.finish();
}

__attribute__((visibility("default"))) void la_preinit(uintptr_t *) {
  Record(Mark::Ready, writer()).finish();
}

__attribute__((visibility("default"))) uintptr_t la_symbind64(Elf64_Sym *symbol, unsigned,
                                                              uintptr_t *from, uintptr_t *to,
                                                              unsigned *flags, const char *name) {
  // For dlsym the loader calls this even if only one of the two objects is watched (glibc 2.36).
  if (*from != *to && (*to & 1)) {
    Record record(Mark::Bind, writer());
    record.number(numberOf(*from));
    record.number(numberOf(*to));
    record.number(*flags);
    record.text(name);
    record.finish();
  }
  *flags |= LA_SYMB_NOPLTENTER | LA_SYMB_NOPLTEXIT;
  return symbol->st_value;
}

// Functions that the compiler may call implicitly.
void *memcpy(void *to, const void *from, unsigned long size) {
  for (unsigned long i = 0; i < size; ++i)
    static_cast<volatile char *>(to)[i] = static_cast<const char *>(from)[i];
  return to;
}
void *memset(void *to, int byte, unsigned long size) {
  for (unsigned long i = 0; i < size; ++i)
    static_cast<volatile char *>(to)[i] = char(byte);
  return to;
}
}
