#include "driver/elf/Layout.h"
#include "driver/elf/NoteObject.h"

namespace cudacc::elf {

using namespace llvm::ELF;

static constexpr unsigned SegmentCount = 3;
enum Index : uint32_t { DynSym = 1, Hash, DynStr, DynamicTable };

static std::string dynamicTable(const std::vector<OutSection> &sections) {
  std::string out;
  auto entry = [&](int64_t tag, uint64_t value) {
    Elf64_Dyn dyn{};
    dyn.d_tag = tag;
    dyn.d_un.d_val = value;
    appendStruct(out, dyn);
  };
  auto offset = [&](Index index) { return sections.empty() ? 0 : sections[index - 1].offset; };
  entry(DT_SONAME, 1);
  entry(DT_HASH, offset(Hash));
  entry(DT_STRTAB, offset(DynStr));
  entry(DT_SYMTAB, offset(DynSym));
  entry(DT_STRSZ, sections.empty() ? 0 : sections[DynStr - 1].data.size());
  entry(DT_SYMENT, sizeof(Elf64_Sym));
  entry(DT_NULL, 0);
  return out;
}

static Elf64_Phdr segment(uint32_t type, uint32_t flags, uint64_t offset, uint64_t size,
                          uint64_t align) {
  Elf64_Phdr header{};
  header.p_type = type;
  header.p_flags = flags;
  header.p_offset = header.p_vaddr = header.p_paddr = offset;
  header.p_filesz = header.p_memsz = size;
  header.p_align = align;
  return header;
}

std::string stubLibrary(llvm::StringRef soname, uint16_t machine) {
  std::vector<OutSection> sections;
  sections.push_back({".dynsym", SHT_DYNSYM, SHF_ALLOC, 8, std::string(sizeof(Elf64_Sym), '\0'),
                      DynStr, 1, sizeof(Elf64_Sym)});
  std::string hash;
  // One bucket, one symbol, the bucket empty, the null symbol's chain.
  for (uint32_t word : {1u, 1u, 0u, 0u})
    appendStruct(hash, word);
  sections.push_back({".hash", SHT_HASH, SHF_ALLOC, 8, hash, DynSym, 0, 4});
  std::string names(1, '\0');
  names += soname;
  names.push_back('\0');
  sections.push_back({".dynstr", SHT_STRTAB, SHF_ALLOC, 1, names});
  sections.push_back({".dynamic", SHT_DYNAMIC, SHF_ALLOC | SHF_WRITE, 8, dynamicTable({}), DynStr,
                      0, sizeof(Elf64_Dyn)});
  uint64_t end = place(sections, sizeof(Elf64_Ehdr) + SegmentCount * sizeof(Elf64_Phdr));
  OutSection &table = sections[DynamicTable - 1];
  table.data = dynamicTable(sections);
  return assemble(fileHeader(ET_DYN, machine),
                  {segment(PT_LOAD, PF_R | PF_W, 0, end, 0x10000),
                   segment(PT_DYNAMIC, PF_R | PF_W, table.offset, table.data.size(), 8),
                   segment(PT_GNU_STACK, PF_R | PF_W, 0, 0, 16)},
                  std::move(sections));
}

} // namespace cudacc::elf
