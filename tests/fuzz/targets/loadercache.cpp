// SPDX-License-Identifier: Apache-2.0
#include "driver/probe/host/LoaderCache.h"
#include "tests/fuzz/Input.h"
#include "llvm/BinaryFormat/ELF.h"

using namespace cudacc;

/// ld.so.cache. Names that are listed can be looked up.
static void run(llvm::StringRef bytes) {
  auto cache = probe::LoaderCache::read(bytes.str());
  if (!cache)
    return;
  auto entries = cache->entries();
  for (size_t i = 0; i < entries.size() && i < 32; ++i)
    for (uint16_t machine : {llvm::ELF::EM_X86_64, llvm::ELF::EM_AARCH64})
      cache->find(entries[i].name, machine, {"glibc-hwcaps/x86-64-v3", "glibc-hwcaps/x86-64-v2"});
  cache->find("libc.so.6", llvm::ELF::EM_X86_64, {});
}

static const fuzz::Target target("loadercache", run);
