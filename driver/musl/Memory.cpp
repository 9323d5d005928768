// SPDX-License-Identifier: Apache-2.0
// Of the static program alone: memory in front of libc's. A compile makes some 500 allocations,
// nearly all of them small, and lives for half a millisecond: touching a page costs as much as 50
// of them, and malloc begins a new page for each size. Small objects of the first thread therefore
// lie side by side in one region. What does not fit there, and all other threads, have libc's
// malloc, which the linker calls __real_malloc (--wrap).
#include "driver/musl/Memory.h"
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <sys/mman.h>

extern "C" {
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *object, size_t size);
void __real_free(void *object);
}

namespace {

constexpr size_t unit = 16, largest = 1 << 14;
/// Up to this size objects that are freed are used again.
constexpr size_t mostKept = 1024;

struct Free {
  Free *next;
};

size_t rounded(size_t size) { return std::max((size + unit - 1) / unit * unit, unit); }

/// A piece of memory that is used from its beginning.
struct Region {
  char *begin;
  size_t size, used;

  bool has(const void *object) const { return uintptr_t(object) - uintptr_t(begin) < size; }
  void *take(size_t wanted) {
    if (wanted > size - used)
      return nullptr;
    used += wanted;
    return begin + used - wanted;
  }
  /// Gives \p object another size if it is the newest one and there is room.
  bool resize(void *object, size_t old, size_t wanted) {
    size_t at = static_cast<char *>(object) - begin;
    if (at + old != used || wanted > size - at)
      return false;
    used = at + wanted;
    return true;
  }
};

/// What is written first lies in the first page.
struct alignas(4096) Memory {
  Region objects;
  /// For large arrays, after makeRoom().
  Region room;
  Free *freed[mostKept / unit + 1];
  alignas(unit) char bytes[1 << 18];
};
constinit Memory memory{};
Region &objects = memory.objects, &room = memory.room;
thread_local bool isFirst;

/// Before all other initialisers.
[[gnu::constructor(101)]] void begin() {
  objects = {memory.bytes, sizeof memory.bytes, 0};
  isFirst = true;
}

/// From a region, or null.
void *take(size_t size) {
  if (!isFirst || size > room.size + largest)
    return nullptr;
  size = rounded(size);
  if (size > largest)
    return room.take(size);
  if (size <= mostKept)
    if (Free *object = memory.freed[size / unit]) {
      memory.freed[size / unit] = object->next;
      return object;
    }
  return objects.take(size);
}

/// Of a region. Another thread cannot make use of it.
void giveBack(Region &region, void *object, size_t size) {
  size = rounded(size);
  if (isFirst && !region.resize(object, size, 0) && size <= mostKept)
    memory.freed[size / unit] = new (object) Free{memory.freed[size / unit]};
}

bool isOurs(const void *object) { return objects.has(object) || room.has(object); }

} // namespace

void cudacc::makeRoom(size_t words) {
  constexpr size_t perWord = 50, many = 500;
  if (words < many)
    return;
  size_t size = words * perWord;
  void *mapped = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
  if (mapped != MAP_FAILED)
    room = {static_cast<char *>(mapped), size, 0};
}

extern "C" {

void *__wrap_malloc(size_t size) {
  void *object = take(size);
  return object ? object : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size) {
  size_t all;
  if (__builtin_mul_overflow(count, size, &all))
    return nullptr;
  void *object = take(all);
  return object ? memset(object, 0, all) : __real_calloc(count, size);
}

/// Without its size an object of a region is not used again.
void __wrap_free(void *object) {
  if (!isOurs(object))
    __real_free(object);
}

void *__wrap_realloc(void *object, size_t size) {
  if (!isOurs(object))
    return object ? __real_realloc(object, size) : __wrap_malloc(size);
  // Its size is not known: what lies behind it may be read.
  Region &region = objects.has(object) ? objects : room;
  void *copy = __wrap_malloc(size);
  if (copy)
    memcpy(copy, object,
           std::min<size_t>(size, region.begin + region.size - static_cast<char *>(object)));
  return copy;
}

} // extern "C"

void *operator new(size_t size) {
  if (void *object = __wrap_malloc(size))
    return object;
  abort();
}
void *operator new[](size_t size) { return operator new(size); }
void *operator new(size_t size, const std::nothrow_t &) noexcept { return __wrap_malloc(size); }
void *operator new[](size_t size, const std::nothrow_t &) noexcept { return __wrap_malloc(size); }
void operator delete(void *object) noexcept { __wrap_free(object); }
void operator delete[](void *object) noexcept { __wrap_free(object); }
void operator delete(void *object, size_t size) noexcept {
  if (objects.has(object))
    giveBack(objects, object, size);
  else if (room.has(object))
    giveBack(room, object, size);
  else
    __real_free(object);
}
void operator delete[](void *object, size_t size) noexcept { operator delete(object, size); }

// The alignment of each is a power of two.
void *operator new(size_t size, std::align_val_t alignment) {
  if (alignment <= std::align_val_t(unit))
    return operator new(size);
  if (void *object = take(size + size_t(alignment)))
    return reinterpret_cast<void *>((uintptr_t(object) + size_t(alignment) - 1) &
                                    ~(size_t(alignment) - 1));
  if (void *object = aligned_alloc(size_t(alignment), size))
    return object;
  abort();
}
void *operator new[](size_t size, std::align_val_t alignment) {
  return operator new(size, alignment);
}
void operator delete(void *object, std::align_val_t) noexcept { __wrap_free(object); }
void operator delete[](void *object, std::align_val_t) noexcept { __wrap_free(object); }
void operator delete(void *object, size_t, std::align_val_t) noexcept { __wrap_free(object); }
void operator delete[](void *object, size_t, std::align_val_t) noexcept { __wrap_free(object); }
