// SPDX-License-Identifier: Apache-2.0
#include "driver/binary/elf/Image.h"
#include "driver/versions/Format.h"

namespace cudacc::binary {

using namespace llvm::ELF;

/// Both are beyond what any linker makes; they bound time and memory.
static constexpr uint64_t MaxSegments = 1 << 16, MaxSections = 1 << 22;

static std::string whyNotAudited(const char *ident, uint16_t machine) {
  if (ident[EI_CLASS] == ELFCLASS32)
    return "32-bit ELF";
  if (ident[EI_CLASS] != ELFCLASS64)
    return "ELF of an unknown class";
  if (ident[EI_DATA] == ELFDATA2MSB)
    return "big-endian ELF";
  if (ident[EI_DATA] != ELFDATA2LSB)
    return "ELF of an unknown byte order";
  if (machine != EM_X86_64 && machine != EM_AARCH64)
    return fmt::format("ELF of machine {}", machine);
  return "";
}

llvm::Expected<Identity> identify(Bytes &bytes) {
  char start[20] = {};
  size_t size = std::min<uint64_t>(bytes.size(), sizeof(start));
  if (llvm::Error error = bytes.read(0, {start, size}, "the file header"))
    return error;
  llvm::StringRef text(start, size);
  Identity result;
  result.thinArchive = text.starts_with("!<thin>\n");
  result.archive = result.thinArchive || text.starts_with("!<arch>\n");
  result.bitcode = text.starts_with("BC\xc0\xde") || text.starts_with("\xde\xc0\x17\x0b");
  result.fatbin = text.starts_with("\x50\xed\x55\xba");
  result.ltoIr = text.starts_with("\xed\x43\x4e\x7f");
  result.elf = text.starts_with(ElfMagic);
  if (!result.elf)
    return result;
  if (size < sizeof(start)) {
    result.notAudited = "ELF that ends in its header";
    return result;
  }
  bool big = start[EI_DATA] == ELFDATA2MSB;
  uint8_t low = start[18 + big], high = start[19 - big];
  result.machine = low | high << 8;
  result.notAudited = whyNotAudited(start, result.machine);
  result.readable = result.notAudited.empty();
  result.cubin =
      result.machine == EM_CUDA && start[EI_CLASS] == ELFCLASS64 && start[EI_DATA] == ELFDATA2LSB;
  return result;
}

static llvm::Error readSegments(Image &image) {
  const Elf64_Ehdr &header = image.header;
  uint64_t count = header.e_phnum;
  if (!count)
    return llvm::Error::success();
  if (header.e_phentsize != sizeof(Elf64_Phdr))
    return image.bytes.broken("program headers of an unknown size",
                              offsetof(Elf64_Ehdr, e_phentsize));
  if (count == 0xffff) {
    auto first = image.section(0);
    if (!first)
      return first.takeError();
    count = first->sh_info;
  }
  if (count > MaxSegments)
    return image.bytes.broken("too many program headers", header.e_phoff);
  return image.bytes.each<Elf64_Phdr>(header.e_phoff, count, "the program header table",
                                      [&](uint64_t, const Elf64_Phdr &segment) {
                                        image.segments.push_back(segment);
                                        return llvm::Error::success();
                                      });
}

static llvm::Error countSections(Image &image) {
  const Elf64_Ehdr &header = image.header;
  if (!header.e_shoff)
    return llvm::Error::success();
  // A loader needs no section table, so a file that is cut off before it still loads.
  bool isMapped =
      header.e_machine != EM_CUDA && (header.e_type == ET_DYN || header.e_type == ET_EXEC);
  uint64_t least = std::max<uint64_t>(header.e_shnum, 1) * sizeof(Elf64_Shdr);
  if (isMapped && !image.bytes.holds(header.e_shoff, least))
    return llvm::Error::success();
  if (header.e_shentsize != sizeof(Elf64_Shdr))
    return image.bytes.broken("section headers of an unknown size",
                              offsetof(Elf64_Ehdr, e_shentsize));
  image.sectionCount = header.e_shnum;
  if (!header.e_shnum) {
    auto first = image.section(0);
    if (!first)
      return first.takeError();
    image.sectionCount = first->sh_size;
  }
  if (image.sectionCount > MaxSections ||
      !image.bytes.holds(header.e_shoff, image.sectionCount * sizeof(Elf64_Shdr)))
    return image.bytes.broken("the section header table reaches beyond the end", header.e_shoff);
  return llvm::Error::success();
}

llvm::Expected<Image> Image::open(Bytes &bytes) {
  Image image{bytes};
  auto header = bytes.get<Elf64_Ehdr>(0, "the file header");
  if (!header)
    return header.takeError();
  image.header = *header;
  if (llvm::Error error = countSections(image))
    return error;
  if (llvm::Error error = readSegments(image))
    return error;
  return image;
}

const Elf64_Phdr *Image::segment(uint32_t type) const {
  for (const Elf64_Phdr &segment : segments)
    if (segment.p_type == type)
      return &segment;
  return nullptr;
}

const Elf64_Phdr *Image::segmentAt(uint64_t address, uint64_t size) const {
  for (const Elf64_Phdr &segment : segments) {
    if (segment.p_type != PT_LOAD || address < segment.p_vaddr)
      continue;
    uint64_t into = address - segment.p_vaddr;
    if (into <= segment.p_filesz && size <= segment.p_filesz - into &&
        bytes.holds(segment.p_offset, into) && bytes.holds(segment.p_offset + into, size))
      return &segment;
  }
  return nullptr;
}

llvm::Expected<uint64_t> Image::offsetOf(uint64_t address, uint64_t size, const char *what) const {
  if (const Elf64_Phdr *segment = segmentAt(address, size))
    return segment->p_offset + (address - segment->p_vaddr);
  return bytes.broken(fmt::format("{} lies outside every segment", what), header.e_phoff);
}

llvm::Error
Image::eachSection(llvm::function_ref<llvm::Error(uint64_t, const Elf64_Shdr &)> visit) const {
  if (!sectionCount)
    return llvm::Error::success();
  return bytes.each<Elf64_Shdr>(header.e_shoff, sectionCount, "the section header table", visit);
}

llvm::Expected<Elf64_Shdr> Image::section(uint64_t index) const {
  return bytes.get<Elf64_Shdr>(header.e_shoff + index * sizeof(Elf64_Shdr), "the section header");
}

} // namespace cudacc::binary
