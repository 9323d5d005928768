// SPDX-License-Identifier: Apache-2.0
#include "driver/binary/elf/NeededEntries.h"
#include "driver/binary/elf/Dynamic.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::binary {

using namespace llvm::ELF;

llvm::Expected<std::vector<Patch>> removeNeeded(core::ReadableFile &file, llvm::StringRef path,
                                                llvm::ArrayRef<std::string> sonames) {
  Bytes bytes(file, path, 0, file.size());
  Image image{bytes};
  auto dynamic = openDynamic(bytes, image);
  if (!dynamic)
    return dynamic.takeError();
  const Elf64_Phdr *segment = image.segment(PT_DYNAMIC);
  if (!segment)
    return std::vector<Patch>();
  uint64_t removed = 0, written = 0;
  bool ended = false;
  Patch patch;
  auto visit = [&](uint64_t, const Elf64_Dyn &entry) -> llvm::Error {
    ended |= entry.d_tag == DT_NULL;
    if (ended)
      return llvm::Error::success();
    if (entry.d_tag == DT_NEEDED) {
      auto name = dynamic->string(bytes, entry.d_un.d_val, "a NEEDED name");
      if (!name)
        return name.takeError();
      if (llvm::is_contained(sonames, *name)) {
        ++removed;
        return llvm::Error::success();
      }
    }
    if (removed)
      patch.bytes.append(reinterpret_cast<const char *>(&entry), sizeof(entry));
    else
      ++written;
    return llvm::Error::success();
  };
  if (auto error = bytes.each<Elf64_Dyn>(segment->p_offset, segment->p_filesz / sizeof(Elf64_Dyn),
                                         "the dynamic section", visit))
    return error;
  if (!removed)
    return std::vector<Patch>();
  patch.offset = segment->p_offset + written * sizeof(Elf64_Dyn);
  patch.bytes.append(removed * sizeof(Elf64_Dyn), '\0');
  return std::vector<Patch>{std::move(patch)};
}

} // namespace cudacc::binary
