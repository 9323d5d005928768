// SPDX-License-Identifier: Apache-2.0
#include "driver/loader/search/Candidate.h"
#include "driver/versions/Format.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/Endian.h"

namespace cudacc::loader {

using namespace llvm::ELF;
using Kind = Candidate::Kind;

static Candidate fatal(const char *reason, bool namesRequest = false) {
  Candidate result;
  result.kind = Kind::Fatal;
  result.reason = reason;
  result.namesRequest = namesRequest;
  return result;
}

static Candidate foreign(std::string reason) {
  Candidate result;
  result.kind = Kind::Foreign;
  result.reason = std::move(reason);
  return result;
}

Candidate directoryCandidate() { return fatal("cannot read file data: Is a directory"); }

/// Checks e_ident in glibc's order.
static std::optional<Candidate> judgeIdent(llvm::StringRef ident) {
  auto byte = [&](size_t at) { return static_cast<unsigned char>(ident[at]); };
  if (!ident.starts_with(ElfMagic))
    return fatal("invalid ELF header");
  if (byte(EI_CLASS) != ELFCLASS64)
    return foreign("wrong ELF class: ELFCLASS32");
  if (byte(EI_DATA) != ELFDATA2LSB)
    return fatal("ELF file data encoding not little-endian");
  if (byte(EI_VERSION) != EV_CURRENT)
    return fatal("ELF file version ident does not match current one");
  if (byte(EI_OSABI) != ELFOSABI_NONE && byte(EI_OSABI) != ELFOSABI_GNU)
    return fatal("ELF file OS ABI invalid");
  // Up to LIBC_ABI_MAX of glibc 2.36: unique symbols, IFUNC, absolute symbols.
  unsigned abi = byte(EI_ABIVERSION);
  if (abi != 0 && (byte(EI_OSABI) != ELFOSABI_GNU || abi > 3))
    return fatal("ELF file ABI version invalid");
  if (ident.substr(EI_PAD, EI_NIDENT - EI_PAD).find_first_not_of('\0') != llvm::StringRef::npos)
    return fatal("nonzero padding in e_ident");
  return std::nullopt;
}

Candidate judgeHeader(llvm::StringRef start, uint16_t machine) {
  if (start.size() < sizeof(Elf64_Ehdr))
    return fatal(TooShort);
  if (std::optional<Candidate> judged = judgeIdent(start.take_front(EI_NIDENT)))
    return *judged;
  auto half = [&](size_t at) { return llvm::support::endian::read16le(start.data() + at); };
  if (llvm::support::endian::read32le(start.data() + offsetof(Elf64_Ehdr, e_version)) != EV_CURRENT)
    return fatal("ELF file version does not match current one");
  uint16_t found = half(offsetof(Elf64_Ehdr, e_machine));
  if (found != machine)
    return foreign(fmt::format("ELF of machine {}", found));
  uint16_t type = half(offsetof(Elf64_Ehdr, e_type));
  if (type != ET_DYN && type != ET_EXEC)
    return fatal("only ET_DYN and ET_EXEC can be loaded");
  if (half(offsetof(Elf64_Ehdr, e_phentsize)) != sizeof(Elf64_Phdr))
    return fatal("ELF file's phentsize not the expected size");
  if (type == ET_EXEC)
    return fatal("cannot dynamically load executable", true);
  Candidate good;
  good.kind = Kind::Good;
  return good;
}

} // namespace cudacc::loader
