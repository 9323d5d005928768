// SPDX-License-Identifier: Apache-2.0
#include "driver/binary/device/FatbinCubin.h"
#include "llvm/BinaryFormat/ELF.h"
#include <array>
#include <cstring>
#include <optional>

namespace cudacc::binary {

using namespace llvm::ELF;

template <typename T> static llvm::MutableArrayRef<char> charsOf(T &value) {
  return {reinterpret_cast<char *>(&value), sizeof(T)};
}

/// The architecture in e_flags. Compared: cubins of nvcc 11.8 and 12.4 (ABI 7) for sm_52, 80, 90,
/// and of 13.0 (ABI 8) for sm_80, 90, 100f, 120a.
static unsigned archOf(const Elf64_Ehdr &header) {
  switch (header.e_ident[EI_ABIVERSION]) {
  case 7:
    return header.e_flags & 0xff;
  case 8:
    return header.e_flags >> 8 & 0xff;
  default:
    return 0;
  }
}

/// Whether a section with instructions is not empty; std::nullopt if the table is out of bounds.
static llvm::Expected<std::optional<bool>> hasInstructions(const Elf64_Ehdr &header, uint64_t size,
                                                           ReadCubin read) {
  uint64_t at = header.e_shoff, count = header.e_shnum;
  if (!at)
    return false;
  if (header.e_shentsize != sizeof(Elf64_Shdr) || at > size || size - at < sizeof(Elf64_Shdr))
    return std::nullopt;
  if (!count) {
    Elf64_Shdr first;
    if (auto error = read(at, charsOf(first)))
      return error;
    count = first.sh_size;
  }
  if (count > (size - at) / sizeof(Elf64_Shdr))
    return std::nullopt;
  std::array<Elf64_Shdr, 16> some;
  for (uint64_t done = 0; done != count;) {
    uint64_t now = std::min<uint64_t>(count - done, some.size());
    if (auto error = read(at + done * sizeof(Elf64_Shdr),
                          {reinterpret_cast<char *>(some.data()), now * sizeof(Elf64_Shdr)}))
      return error;
    for (uint64_t i = 0; i != now; ++i)
      if (some[i].sh_flags & SHF_EXECINSTR && some[i].sh_size && some[i].sh_type != SHT_NOBITS)
        return true;
    done += now;
  }
  return false;
}

llvm::Expected<Cubin> readCubin(uint64_t size, ReadCubin read) {
  Cubin cubin;
  Elf64_Ehdr header;
  if (size < sizeof(header))
    return cubin;
  if (auto error = read(0, charsOf(header)))
    return error;
  if (!header.checkMagic() || header.getFileClass() != ELFCLASS64 ||
      header.getDataEncoding() != ELFDATA2LSB)
    return cubin;
  cubin.arch = archOf(header);
  if (header.e_type != ET_EXEC && header.e_type != ET_REL)
    return cubin;
  auto instructions = hasInstructions(header, size, read);
  if (!instructions)
    return instructions.takeError();
  if (!*instructions)
    return cubin;
  cubin.readable = true;
  cubin.relocatable = header.e_type == ET_REL;
  cubin.code = **instructions && !cubin.relocatable ? core::HasCode::Yes : core::HasCode::No;
  return cubin;
}

Cubin readCubin(llvm::StringRef text) {
  return llvm::cantFail(
      readCubin(text.size(), [&](uint64_t offset, llvm::MutableArrayRef<char> out) {
        std::memcpy(out.data(), text.data() + offset, out.size());
        return llvm::Error::success();
      }));
}

} // namespace cudacc::binary
