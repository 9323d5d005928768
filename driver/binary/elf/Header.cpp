// SPDX-License-Identifier: Apache-2.0
#include "driver/binary/elf/Header.h"
#include "driver/versions/Format.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/Endian.h"

namespace cudacc::binary {

using namespace llvm::ELF;

/// Checks e_ident.
static std::optional<HeaderFault> identFault(llvm::StringRef ident) {
  auto byte = [&](size_t at) { return static_cast<unsigned char>(ident[at]); };
  if (!ident.starts_with(ElfMagic))
    return HeaderFault{"invalid ELF header"};
  if (byte(EI_CLASS) != ELFCLASS64)
    return HeaderFault{"wrong ELF class: ELFCLASS32", true};
  if (byte(EI_DATA) != ELFDATA2LSB)
    return HeaderFault{"ELF file data encoding not little-endian"};
  if (byte(EI_VERSION) != EV_CURRENT)
    return HeaderFault{"ELF file version ident does not match current one"};
  if (byte(EI_OSABI) != ELFOSABI_NONE && byte(EI_OSABI) != ELFOSABI_GNU)
    return HeaderFault{"ELF file OS ABI invalid"};
  // Up to LIBC_ABI_MAX of glibc 2.36: unique symbols, IFUNC, absolute symbols.
  unsigned abi = byte(EI_ABIVERSION);
  if (abi != 0 && (byte(EI_OSABI) != ELFOSABI_GNU || abi > 3))
    return HeaderFault{"ELF file ABI version invalid"};
  if (ident.substr(EI_PAD, EI_NIDENT - EI_PAD).find_first_not_of('\0') != llvm::StringRef::npos)
    return HeaderFault{"nonzero padding in e_ident"};
  return std::nullopt;
}

std::optional<HeaderFault> headerFault(llvm::StringRef start, uint16_t machine) {
  if (start.size() < sizeof(Elf64_Ehdr))
    return HeaderFault{TooShort};
  if (std::optional<HeaderFault> fault = identFault(start.take_front(EI_NIDENT)))
    return fault;
  auto half = [&](size_t at) { return llvm::support::endian::read16le(start.data() + at); };
  if (llvm::support::endian::read32le(start.data() + offsetof(Elf64_Ehdr, e_version)) != EV_CURRENT)
    return HeaderFault{"ELF file version does not match current one"};
  uint16_t found = half(offsetof(Elf64_Ehdr, e_machine));
  if (found != machine)
    return HeaderFault{fmt::format("ELF of machine {}", found), true};
  uint16_t type = half(offsetof(Elf64_Ehdr, e_type));
  if (type != ET_DYN && type != ET_EXEC)
    return HeaderFault{"only ET_DYN and ET_EXEC can be loaded"};
  if (half(offsetof(Elf64_Ehdr, e_phentsize)) != sizeof(Elf64_Phdr))
    return HeaderFault{"ELF file's phentsize not the expected size"};
  if (type == ET_EXEC)
    return HeaderFault{"cannot dynamically load executable", false, true};
  return std::nullopt;
}

} // namespace cudacc::binary
