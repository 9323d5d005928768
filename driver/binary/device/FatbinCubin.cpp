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

/// Calls \p visit for each section until it returns false. Returns false if the table is out of
/// bounds.
static llvm::Expected<bool>
eachSection(const Elf64_Ehdr &header, uint64_t size, ReadCubin read,
            llvm::function_ref<llvm::Expected<bool>(const Elf64_Shdr &)> visit) {
  uint64_t at = header.e_shoff, count = header.e_shnum;
  if (!at)
    return true;
  if (header.e_shentsize != sizeof(Elf64_Shdr) || at > size || size - at < sizeof(Elf64_Shdr))
    return false;
  if (!count) {
    Elf64_Shdr first;
    if (auto error = read(at, charsOf(first)))
      return error;
    count = first.sh_size;
  }
  if (count > (size - at) / sizeof(Elf64_Shdr))
    return false;
  std::array<Elf64_Shdr, 16> some;
  for (uint64_t done = 0; done != count;) {
    uint64_t now = std::min<uint64_t>(count - done, some.size());
    if (auto error = read(at + done * sizeof(Elf64_Shdr),
                          {reinterpret_cast<char *>(some.data()), now * sizeof(Elf64_Shdr)}))
      return error;
    for (uint64_t i = 0; i != now; ++i) {
      auto more = visit(some[i]);
      if (!more)
        return more.takeError();
      if (!*more)
        return true;
    }
    done += now;
  }
  return true;
}

/// Whether a section with instructions is not empty; std::nullopt if the table is out of bounds.
static llvm::Expected<std::optional<bool>> hasInstructions(const Elf64_Ehdr &header, uint64_t size,
                                                           ReadCubin read) {
  bool found = false;
  auto whole = eachSection(header, size, read, [&](const Elf64_Shdr &section) {
    found = section.sh_flags & SHF_EXECINSTR && section.sh_size && section.sh_type != SHT_NOBITS;
    return !found;
  });
  if (!whole)
    return whole.takeError();
  return *whole ? std::optional(found) : std::nullopt;
}

static bool isCubinHeader(const Elf64_Ehdr &header) {
  return header.checkMagic() && header.getFileClass() == ELFCLASS64 &&
         header.getDataEncoding() == ELFDATA2LSB;
}

llvm::Expected<Cubin> readCubin(uint64_t size, ReadCubin read) {
  Cubin cubin;
  Elf64_Ehdr header;
  if (size < sizeof(header))
    return cubin;
  if (auto error = read(0, charsOf(header)))
    return error;
  if (!isCubinHeader(header))
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

/// 13.0 in `Cuda compilation tools, release 13.0, V13.0.88`; 0.0 in another text.
static versions::CudaVersion releaseIn(llvm::StringRef note) {
  llvm::StringRef said = note.split("tools, release ").second;
  return versions::CudaVersion::parse(said.take_until([](char c) { return c == ','; }))
      .value_or(versions::CudaVersion());
}

llvm::Expected<versions::CudaVersion> cubinRelease(uint64_t size, ReadCubin read) {
  // Notes of nvcc 13.0 to 13.5 have a few hundred bytes.
  constexpr uint64_t mostNote = 16 << 10;
  versions::CudaVersion release;
  Elf64_Ehdr header;
  if (size < sizeof(header))
    return release;
  if (auto error = read(0, charsOf(header)))
    return error;
  if (!isCubinHeader(header))
    return release;
  if (header.e_ident[EI_ABIVERSION] == 7)
    return versions::CudaVersion{header.e_version / 10, header.e_version % 10};
  auto whole =
      eachSection(header, size, read, [&](const Elf64_Shdr &section) -> llvm::Expected<bool> {
        uint64_t at = section.sh_offset, length = section.sh_size;
        if (section.sh_type != SHT_NOTE || length > mostNote || at > size || length > size - at)
          return true;
        std::string note(length, 0);
        if (auto error = read(at, {note.data(), note.size()}))
          return error;
        release = releaseIn(note);
        return !release.known();
      });
  if (!whole)
    return whole.takeError();
  return release;
}

/// Reads from a cubin in memory.
static auto reading(llvm::StringRef text) {
  return [text](uint64_t offset, llvm::MutableArrayRef<char> out) {
    std::memcpy(out.data(), text.data() + offset, out.size());
    return llvm::Error::success();
  };
}

Cubin readCubin(llvm::StringRef text) {
  return llvm::cantFail(readCubin(text.size(), reading(text)));
}

versions::CudaVersion cubinRelease(llvm::StringRef text) {
  return llvm::cantFail(cubinRelease(text.size(), reading(text)));
}

} // namespace cudacc::binary
