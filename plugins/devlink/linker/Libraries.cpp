// SPDX-License-Identifier: Apache-2.0
#include "plugins/devlink/linker/Libraries.h"
#include <dlfcn.h>
#include <link.h>

namespace cudacc::devlink {

void *RealLibraries::open(const std::string &path, std::string &reason) {
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    if (const char *text = dlerror())
      reason = text;
  return library;
}

void *RealLibraries::symbol(void *library, const std::string &name) {
  return dlsym(library, name.c_str());
}

std::string RealLibraries::soname(void *library) {
  link_map *map = nullptr;
  if (dlinfo(library, RTLD_DI_LINKMAP, &map) != 0)
    return {};
  // glibc has relocated the address of the table of strings, but not the offset into it.
  const char *strings = nullptr;
  const ElfW(Dyn) *name = nullptr;
  for (const ElfW(Dyn) *entry = map->l_ld; entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag == DT_STRTAB)
      strings = reinterpret_cast<const char *>(entry->d_un.d_ptr);
    if (entry->d_tag == DT_SONAME)
      name = entry;
  }
  return strings && name ? strings + name->d_un.d_val : "";
}

} // namespace cudacc::devlink
