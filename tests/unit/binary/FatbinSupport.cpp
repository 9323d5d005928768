// SPDX-License-Identifier: Apache-2.0
#include "FatbinSupport.h"
#include "driver/binary/elf/Layout.h"
#include "llvm/Support/MathExtras.h"
#include <lz4.h>
#include <zstd.h>

namespace cudacc::binary::test {

using namespace llvm::ELF;

static constexpr uint64_t Base = 0x400000;

std::string TestEntry::bytes() const {
  EntryHeader whole = header;
  std::string padded = payload;
  padded.resize(llvm::alignTo(padded.size(), 8));
  whole.headerSize += extension.size();
  whole.payloadSize += padded.size();
  std::string out;
  appendStruct(out, whole);
  return out + extension + padded;
}

TestEntry ptx(unsigned arch, unsigned major, unsigned minor, uint64_t flags) {
  TestEntry entry;
  entry.header.major = major;
  entry.header.minor = minor;
  entry.header.arch = arch;
  entry.header.flags |= flags;
  const char *suffix = flags & SuffixA ? "a" : flags & SuffixF ? "f" : "";
  entry.payload = "\n\n//\n.version " + std::to_string(major) + "." + std::to_string(minor) +
                  "\n.target sm_" + std::to_string(arch) + suffix + "\n.address_size 64\n";
  entry.payload.push_back('\0');
  return entry;
}

TestEntry cubin(unsigned arch, const std::string &payload, uint64_t flags) {
  TestEntry entry = ptx(arch, 1, 8, flags);
  entry.header.kind = CubinEntry;
  entry.payload = payload;
  return entry;
}

TestEntry zstd(TestEntry entry) {
  std::string out(ZSTD_compressBound(entry.payload.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), entry.payload.data(), entry.payload.size(), 3));
  entry.header.compressedSize = out.size();
  entry.header.plainSize = entry.payload.size();
  entry.header.flags |= ZstdPayload;
  entry.payload = out;
  return entry;
}

TestEntry lz4(TestEntry entry) {
  std::string out(LZ4_compressBound(entry.payload.size()), '\0');
  out.resize(
      LZ4_compress_default(entry.payload.data(), out.data(), entry.payload.size(), out.size()));
  entry.header.compressedSize = out.size();
  entry.header.plainSize = entry.payload.size();
  entry.header.flags |= Lz4Payload;
  entry.payload = out;
  return entry;
}

TestEntry group(const std::vector<std::pair<unsigned, std::string>> &cubins) {
  TestEntry entry = ptx(0, 0, 1);
  entry.header.kind = GroupEntry;
  entry.header.optionsAt = sizeof(EntryHeader);
  entry.payload.clear();
  auto put = [&](auto value) { appendStruct(entry.extension, value); };
  put(uint32_t(cubins.size()));
  put(uint32_t(8 + 64 * cubins.size()));
  for (const auto &[arch, payload] : cubins) {
    put(uint16_t(CubinEntry));
    put(uint16_t(0x0101));
    put(uint32_t(entry.payload.size()));
    put(uint64_t(payload.size()));
    put(uint64_t(0));
    put(uint16_t(8));
    put(uint16_t(1));
    put(uint32_t(arch));
    for (uint64_t word : {0, 0x11, 0, 0})
      put(word);
    entry.payload += payload;
  }
  return entry;
}

std::string container(const std::vector<TestEntry> &entries) {
  std::string body, out;
  for (const TestEntry &entry : entries)
    body += entry.bytes();
  appendStruct(out, ContainerStart);
  appendStruct(out, uint64_t(body.size()));
  return out + body;
}

std::string cubinFile(unsigned arch, uint16_t type, size_t code, unsigned abi) {
  std::vector<OutSection> sections;
  sections.push_back({".nv.info", SHT_PROGBITS, 0, 4, "information"});
  sections.push_back(
      {".text.twice", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 8, std::string(code, '\x5a')});
  Elf64_Ehdr header = fileHeader(type, EM_CUDA);
  header.e_ident[EI_ABIVERSION] = abi;
  header.e_flags = abi == 7 ? 0x500 | arch | arch << 16 : 0x6000004 | arch << 8;
  return assemble(header, {}, std::move(sections));
}

namespace {
/// Sections by their index in the file; the null section is 0.
struct Layout {
  std::vector<OutSection> sections;

  uint32_t add(OutSection section) {
    sections.push_back(std::move(section));
    return sections.size();
  }
  OutSection &operator[](uint32_t index) { return sections[index - 1]; }
};
} // namespace

static Elf64_Phdr segment(uint32_t type, uint64_t offset, uint64_t size) {
  Elf64_Phdr header{};
  header.p_type = type;
  header.p_flags = PF_R | PF_W;
  header.p_offset = offset;
  header.p_vaddr = header.p_paddr = Base + offset;
  header.p_filesz = header.p_memsz = size;
  return header;
}

static void moveSections(std::string &bytes) {
  Elf64_Ehdr header;
  std::memcpy(&header, bytes.data(), sizeof(header));
  for (unsigned i = 1; i != header.e_shnum; ++i) {
    char *place = bytes.data() + header.e_shoff + i * sizeof(Elf64_Shdr);
    Elf64_Shdr section;
    std::memcpy(&section, place, sizeof(section));
    if (section.sh_flags & SHF_ALLOC)
      section.sh_addr += Base;
    std::memcpy(place, &section, sizeof(section));
  }
}

static Elf64_Rela relocation(uint64_t offset, uint32_t symbol, uint32_t type, uint64_t addend) {
  Elf64_Rela result{};
  result.r_offset = offset;
  result.setSymbolAndType(symbol, type);
  result.r_addend = addend;
  return result;
}

static std::string wrapper(uint32_t version, uint64_t container) {
  std::string out;
  appendStruct(out, Wrapper{WrapperMagic, version, container, 0});
  return out;
}

static Elf64_Sym symbolOf(uint16_t section, uint64_t value) {
  Elf64_Sym symbol{};
  symbol.setBindingAndType(STB_LOCAL, STT_SECTION);
  symbol.st_shndx = section;
  symbol.st_value = value;
  return symbol;
}

static std::string object(const TestFile &file) {
  bool arm = file.machine == EM_AARCH64;
  std::string wrappers, relocations, symbols(sizeof(Elf64_Sym), '\0');
  appendStruct(symbols, symbolOf(1, 0));
  appendStruct(symbols, symbolOf(2, 0));
  for (const TestFile::To &to : file.wrappers) {
    appendStruct(relocations,
                 relocation(wrappers.size() + 8, to.inRelocatable ? 2 : 1,
                            arm ? unsigned(R_AARCH64_ABS64) : unsigned(R_X86_64_64), to.offset));
    wrappers += wrapper(to.version, 0);
  }
  Layout layout;
  layout.add({".nv_fatbin", SHT_PROGBITS, SHF_ALLOC, 8, file.fatbin});
  layout.add({"__nv_relfatbin", SHT_PROGBITS, SHF_ALLOC, 8, file.relocatable});
  layout.add({".rodata", SHT_PROGBITS, SHF_ALLOC, 8, file.data});
  uint32_t at = layout.add({".nvFatBinSegment", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, 8, wrappers});
  layout.add({".rela.nvFatBinSegment", SHT_RELA, SHF_INFO_LINK, 8, relocations, at + 2, at,
              sizeof(Elf64_Rela)});
  layout.add({".symtab", SHT_SYMTAB, 0, 8, symbols, 0, 3, sizeof(Elf64_Sym)});
  return assemble(fileHeader(ET_REL, file.machine), {}, std::move(layout.sections));
}

static std::string dynamicTable(uint64_t relocations, size_t count, size_t relative,
                                uint64_t symbols) {
  std::string out;
  auto entry = [&](int64_t tag, uint64_t value) {
    appendStruct(out, tag);
    appendStruct(out, value);
  };
  if (count) {
    entry(DT_RELA, Base + relocations);
    entry(DT_RELASZ, count * sizeof(Elf64_Rela));
    entry(DT_RELAENT, sizeof(Elf64_Rela));
  }
  if (relative)
    entry(DT_RELACOUNT, relative);
  entry(DT_SYMTAB, Base + symbols);
  // The first symbol is all zeros: one empty name, and a table without hashes.
  entry(DT_STRTAB, Base + symbols);
  entry(DT_STRSZ, 1);
  entry(DT_HASH, Base + symbols);
  entry(DT_NULL, 0);
  return out;
}

/// In the second pass, when offsets are known, the contents are written; the first only adds sizes.
static void fill(const TestFile &file, Layout &layout, uint32_t wrappers, uint32_t relocations,
                 uint32_t symbols, uint32_t dynamic) {
  bool arm = file.machine == EM_AARCH64;
  bool inPlace = file.form == Form::InPlace || file.form == Form::Executable;
  std::string slots, table;
  std::vector<Elf64_Rela> entries;
  for (const TestFile::To &to : file.wrappers) {
    uint64_t target = Base + layout[to.inRelocatable ? 2 : 1].offset + to.offset;
    uint64_t place = Base + layout[wrappers].offset + slots.size() + 8;
    if (file.form == Form::Symbolic)
      entries.push_back(relocation(place, 1,
                                   arm ? unsigned(R_AARCH64_ABS64) : unsigned(R_X86_64_64),
                                   target - Base - layout[1].offset));
    else if (!inPlace)
      entries.push_back(relocation(
          place, 0, arm ? unsigned(R_AARCH64_RELATIVE) : unsigned(R_X86_64_RELATIVE), target));
    slots += wrapper(to.version, inPlace ? target : 0);
  }
  if (file.form == Form::Relative) {
    // Other tables of a library that refer to it.
    for (uint64_t i = 0; i != 200; ++i)
      entries.push_back(relocation(
          Base + i * 8, 0, arm ? unsigned(R_AARCH64_RELATIVE) : unsigned(R_X86_64_RELATIVE), Base));
    llvm::sort(entries, [](auto &a, auto &b) { return a.r_offset < b.r_offset; });
  }
  if (file.form == Form::RelativeUnsorted)
    std::reverse(entries.begin(), entries.end());
  for (const Elf64_Rela &entry : entries)
    appendStruct(table, entry);
  std::string names(sizeof(Elf64_Sym), '\0');
  appendStruct(names, symbolOf(1, Base + layout[1].offset));
  layout[wrappers].data = slots;
  layout[relocations].data = table;
  layout[symbols].data = names;
  layout[dynamic].data =
      dynamicTable(layout[relocations].offset, entries.size(),
                   file.form == Form::Relative ? entries.size() : 0, layout[symbols].offset);
}

std::string TestFile::bytes() const {
  if (form == Form::Object)
    return object(*this);
  Layout layout;
  layout.add({".nv_fatbin", SHT_PROGBITS, SHF_ALLOC, 8, fatbin});
  layout.add({"__nv_relfatbin", SHT_PROGBITS, SHF_ALLOC, 8, relocatable});
  layout.add({".rodata", SHT_PROGBITS, SHF_ALLOC, 8, data});
  uint32_t segmentIndex = layout.add({".nvFatBinSegment", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, 8});
  uint32_t relocations = layout.add({".rela.dyn", SHT_RELA, SHF_ALLOC, 8});
  uint32_t symbols = layout.add({".dynsym", SHT_DYNSYM, SHF_ALLOC, 8, "", 0, 1, 24});
  uint32_t dynamic = layout.add({".dynamic", SHT_DYNAMIC, SHF_ALLOC | SHF_WRITE, 8});
  uint64_t end = 0;
  for (int pass = 0; pass != 2; ++pass) {
    fill(*this, layout, segmentIndex, relocations, symbols, dynamic);
    end = place(layout.sections, sizeof(Elf64_Ehdr) + 2 * sizeof(Elf64_Phdr));
  }
  fill(*this, layout, segmentIndex, relocations, symbols, dynamic);
  std::vector<Elf64_Phdr> segments{
      segment(PT_LOAD, 0, end),
      segment(PT_DYNAMIC, layout[dynamic].offset, layout[dynamic].data.size())};
  std::string out = assemble(fileHeader(form == Form::Executable ? ET_EXEC : ET_DYN, machine),
                             segments, std::move(layout.sections));
  moveSections(out);
  return out;
}

std::string withoutSections(std::string bytes) {
  Elf64_Ehdr header;
  std::memcpy(&header, bytes.data(), sizeof(header));
  bytes.resize(header.e_shoff);
  header.e_shoff = header.e_shnum = header.e_shstrndx = 0;
  std::memcpy(bytes.data(), &header, sizeof(header));
  return bytes;
}

core::DeviceCode deviceOf(const std::string &content, const DeviceOptions &options) {
  MemoryFile file(content);
  Bytes bytes(file, "dir/file.so", 0, file.size());
  core::DeviceCode device;
  auto image = Image::open(bytes);
  llvm::Error error = image ? readDevice(*image, options, device) : image.takeError();
  if (error)
    ADD_FAILURE() << core::toFinding(std::move(error)).message;
  return device;
}

core::DeviceCode fatbin(std::string bytes, const DeviceOptions &options) {
  TestFile file;
  file.fatbin = std::move(bytes);
  return deviceOf(file.bytes(), options);
}

std::vector<std::string> unitsOf(const core::DeviceCode &device) {
  static const char *homes[] = {"fatbin", "relocatable", "elsewhere"};
  static const char *codes[] = {" no", " yes", " unknown"};
  std::vector<std::string> result;
  for (const core::DeviceUnit &unit : device.units) {
    std::string text = homes[unsigned(unit.home)];
    text += unit.linked ? " linked [" : " [";
    for (const core::DeviceImage &image : unit.images) {
      text += &image == &unit.images.front() ? "" : ", ";
      text += describe(image);
      if (image.kind == core::ImageKind::Cubin)
        text += codes[unsigned(image.code)];
      text += image.relocatable ? " relocatable" : "";
    }
    text += "]";
    result.push_back(unit.count == 1 ? text : text + " x" + std::to_string(unit.count));
  }
  return result;
}

std::vector<std::string> unitsOf(const std::string &bytes, const DeviceOptions &options) {
  return unitsOf(deviceOf(bytes, options));
}

} // namespace cudacc::binary::test
