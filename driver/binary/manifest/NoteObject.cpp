// SPDX-License-Identifier: Apache-2.0
#include "driver/binary/manifest/NoteObject.h"
#include "driver/binary/elf/Layout.h"
#include "llvm/Support/MathExtras.h"
#include <bit>
#include <cstring>

namespace cudacc::binary {

using namespace llvm::ELF;
static_assert(std::endian::native == std::endian::little, "structures are written as they lie");

Elf64_Ehdr fileHeader(uint16_t type, uint16_t machine) {
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ElfMagic, 4);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_ident[EI_VERSION] = EV_CURRENT;
  header.e_type = type;
  header.e_machine = machine;
  header.e_version = EV_CURRENT;
  header.e_ehsize = sizeof(Elf64_Ehdr);
  header.e_shentsize = sizeof(Elf64_Shdr);
  return header;
}

uint64_t place(std::vector<OutSection> &sections, uint64_t from) {
  for (OutSection &section : sections) {
    section.offset = from = llvm::alignTo(from, section.align);
    from += section.data.size();
  }
  return from;
}

static Elf64_Shdr sectionHeader(const OutSection &section, uint32_t name, bool addressed) {
  Elf64_Shdr header{};
  header.sh_name = name;
  header.sh_type = section.type;
  header.sh_flags = section.flags;
  header.sh_addr = addressed && (section.flags & SHF_ALLOC) ? section.offset : 0;
  header.sh_offset = section.offset;
  header.sh_size = section.data.size();
  header.sh_link = section.link;
  header.sh_info = section.info;
  header.sh_addralign = section.align;
  header.sh_entsize = section.entrySize;
  return header;
}

std::string assemble(Elf64_Ehdr header, const std::vector<Elf64_Phdr> &segments,
                     std::vector<OutSection> sections) {
  sections.push_back({".shstrtab", SHT_STRTAB});
  std::string names(1, '\0');
  std::vector<uint32_t> nameOffsets;
  for (const OutSection &section : sections) {
    nameOffsets.push_back(names.size());
    names.append(section.name, std::strlen(section.name) + 1);
  }
  sections.back().data = std::move(names);
  uint64_t end = place(sections, sizeof(Elf64_Ehdr) + segments.size() * sizeof(Elf64_Phdr));

  if (!segments.empty()) {
    header.e_phoff = sizeof(Elf64_Ehdr);
    header.e_phentsize = sizeof(Elf64_Phdr);
    header.e_phnum = segments.size();
  }
  header.e_shoff = llvm::alignTo(end, 8);
  header.e_shnum = sections.size() + 1;
  header.e_shstrndx = sections.size();
  std::string out;
  appendStruct(out, header);
  for (const Elf64_Phdr &segment : segments)
    appendStruct(out, segment);
  for (const OutSection &section : sections) {
    out.resize(section.offset);
    out += section.data;
  }
  out.resize(header.e_shoff);
  appendStruct(out, Elf64_Shdr{});
  for (size_t i = 0; i != sections.size(); ++i)
    appendStruct(out, sectionHeader(sections[i], nameOffsets[i], header.e_type != ET_REL));
  return out;
}

static void appendWords(std::string &out, std::initializer_list<uint32_t> words) {
  for (uint32_t word : words)
    appendStruct(out, word);
}

/// Returns a GNU property note; each property takes 16 bytes: type, size, value, padding.
static std::string properties(uint16_t machine) {
  std::string list;
  if (machine == EM_AARCH64) {
    // BTI, PAC, and GCS, which is bit 2 in LLVM 19.
    appendWords(list, {GNU_PROPERTY_AARCH64_FEATURE_1_AND, 4, 7, 0});
  } else {
    // IBT, SHSTK and the two LAM bits.
    appendWords(list, {GNU_PROPERTY_X86_FEATURE_1_AND, 4, 0xF, 0});
    // Features in use: bfd and mold keep these only if every input has them (`as -mx86-used-note`).
    appendWords(list, {GNU_PROPERTY_X86_FEATURE_2_USED, 4, 0, 0});
    appendWords(list, {GNU_PROPERTY_X86_ISA_1_USED, 4, 0, 0});
  }
  std::string out;
  appendWords(out, {4, uint32_t(list.size()), NT_GNU_PROPERTY_TYPE_0});
  out.append("GNU", 4);
  return out + list;
}

std::string noteObject(llvm::StringRef noteSectionBytes, uint16_t machine) {
  std::vector<OutSection> sections;
  sections.push_back({".note.cuda-target", SHT_NOTE, SHF_ALLOC, 4, noteSectionBytes.str()});
  sections.push_back({".note.gnu.property", SHT_NOTE, SHF_ALLOC, 8, properties(machine)});
  sections.push_back({".note.GNU-stack", SHT_PROGBITS});
  // One null symbol; its strings are in the next section, the first non-local symbol is number 1.
  sections.push_back(
      {".symtab", SHT_SYMTAB, 0, 8, std::string(sizeof(Elf64_Sym), '\0'), 5, 1, sizeof(Elf64_Sym)});
  sections.push_back({".strtab", SHT_STRTAB, 0, 1, std::string(1, '\0')});
  return assemble(fileHeader(ET_REL, machine), {}, std::move(sections));
}

} // namespace cudacc::binary
