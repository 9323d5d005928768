// SPDX-License-Identifier: Apache-2.0
#include "driver/binary/elf/StubLibrary.h"
#include "driver/binary/elf/Layout.h"
#include "llvm/Object/ELF.h"
#include <cstddef>
#include <cstring>
#include <utility>

namespace cudacc::binary {

using namespace llvm::ELF;

static constexpr unsigned SegmentCount = 3;
enum Index : uint32_t { DynSym = 1, Hash, DynStr, Text, DynamicTable };

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

/// One bucket per two names or so; all chains end in the null symbol.
static std::string hashTable(llvm::ArrayRef<llvm::StringRef> names) {
  uint32_t buckets = std::max<uint32_t>(1, names.size() / 2);
  std::vector<uint32_t> words(2 + buckets + 1 + names.size());
  words[0] = buckets;
  words[1] = 1 + names.size();
  uint32_t *bucket = &words[2], *chain = bucket + buckets;
  for (uint32_t symbol = 1; symbol <= names.size(); ++symbol) {
    uint32_t &head = bucket[llvm::object::hashSysV(names[symbol - 1]) % buckets];
    chain[symbol] = std::exchange(head, symbol);
  }
  return std::string(reinterpret_cast<const char *>(words.data()), words.size() * 4);
}

static Elf64_Sym function(uint32_t name) {
  Elf64_Sym symbol{};
  symbol.st_name = name;
  symbol.setBindingAndType(STB_GLOBAL, STT_FUNC);
  symbol.st_shndx = Text;
  return symbol;
}

std::string stubLibrary(llvm::StringRef soname, uint16_t machine,
                        llvm::ArrayRef<llvm::StringRef> functions) {
  std::string names(1, '\0'), symbols(sizeof(Elf64_Sym), '\0');
  names += soname;
  names.push_back('\0');
  for (llvm::StringRef name : functions) {
    appendStruct(symbols, function(names.size()));
    names += name;
    names.push_back('\0');
  }
  std::vector<OutSection> sections;
  sections.push_back(
      {".dynsym", SHT_DYNSYM, SHF_ALLOC, 8, std::move(symbols), DynStr, 1, sizeof(Elf64_Sym)});
  sections.push_back({".hash", SHT_HASH, SHF_ALLOC, 8, hashTable(functions), DynSym, 0, 4});
  sections.push_back({".dynstr", SHT_STRTAB, SHF_ALLOC, 1, std::move(names)});
  // The nominal location of the functions; this code never runs.
  sections.push_back({".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 16, std::string(16, '\0')});
  sections.push_back({".dynamic", SHT_DYNAMIC, SHF_ALLOC | SHF_WRITE, 8, dynamicTable({}), DynStr,
                      0, sizeof(Elf64_Dyn)});
  uint64_t end = place(sections, sizeof(Elf64_Ehdr) + SegmentCount * sizeof(Elf64_Phdr));
  uint64_t text = sections[Text - 1].offset;
  for (size_t at = sizeof(Elf64_Sym); at < sections[DynSym - 1].data.size();
       at += sizeof(Elf64_Sym))
    std::memcpy(&sections[DynSym - 1].data[at + offsetof(Elf64_Sym, st_value)], &text, 8);
  OutSection &table = sections[DynamicTable - 1];
  table.data = dynamicTable(sections);
  return assemble(fileHeader(ET_DYN, machine),
                  {segment(PT_LOAD, PF_R | PF_W, 0, end, 0x10000),
                   segment(PT_DYNAMIC, PF_R | PF_W, table.offset, table.data.size(), 8),
                   segment(PT_GNU_STACK, PF_R | PF_W, 0, 0, 16)},
                  std::move(sections));
}

} // namespace cudacc::binary
