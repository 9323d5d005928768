// SPDX-License-Identifier: Apache-2.0
#include "driver/binary/device/DeviceSections.h"
#include "driver/binary/device/Fatbin.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"

namespace cudacc::binary {

using namespace llvm::ELF;

namespace {
/// The table of section names in the file; size 0 if there is none.
struct NameTable {
  uint64_t offset = 0, size = 0;

  /// Reads a name, at most as many bytes as \p out has.
  llvm::Expected<llvm::StringRef> get(Bytes &bytes, uint64_t index,
                                      llvm::MutableArrayRef<char> out) const {
    if (index >= size)
      return llvm::StringRef();
    out = out.take_front(size - index);
    if (auto error = bytes.read(offset + index, out, "a section's name"))
      return error;
    llvm::StringRef text(out.data(), out.size());
    return text.take_front(text.find('\0'));
  }
};

class Finder {
public:
  Finder(const Image &image, bool deep, core::DeviceCode &device, DeviceSections &sections)
      : image(image), deep(deep), device(device), sections(sections) {}

  llvm::Error run();

private:
  const Image &image;
  bool deep;
  core::DeviceCode &device;
  DeviceSections &sections;
  NameTable names;

  llvm::Error section(uint64_t index, const Elf64_Shdr &section);
  void fatbin(const Elf64_Shdr &section, llvm::StringRef name, std::vector<ByteRange> &into);
  void hints(llvm::StringRef name);
  template <typename Range> void put(std::vector<Range> &ranges, const Range &range);
};
} // namespace

static llvm::Expected<NameTable> namesOf(const Image &image) {
  uint64_t index = image.header.e_shstrndx;
  if (index == SHN_XINDEX && image.sectionCount) {
    auto first = image.section(0);
    if (!first)
      return first.takeError();
    index = first->sh_link;
  }
  if (index == SHN_UNDEF || index >= image.sectionCount)
    return NameTable{};
  auto table = image.section(index);
  if (!table)
    return table.takeError();
  if (table->sh_type != SHT_STRTAB || !image.bytes.holds(table->sh_offset, table->sh_size))
    return NameTable{};
  return NameTable{table->sh_offset, table->sh_size};
}

llvm::Expected<std::string> sectionName(const Image &image, uint64_t index, size_t most) {
  auto names = namesOf(image);
  if (!names)
    return names.takeError();
  auto section = image.section(index);
  if (!section)
    return section.takeError();
  std::string buffer(most, '\0');
  auto name = names->get(image.bytes, section->sh_name, {buffer.data(), buffer.size()});
  if (!name)
    return name.takeError();
  return name->str();
}

void Finder::hints(llvm::StringRef name) {
  if (name == "__nv_module_id")
    device.byNvcc = true;
  else if (name == "__nv_managed_data__")
    device.managed = true;
  else if (name.starts_with(".nvHR"))
    device.relocatable = true;
}

template <typename Range> void Finder::put(std::vector<Range> &ranges, const Range &range) {
  if (ranges.size() == MaxRanges)
    addClause(device.limits, "too many sections");
  else
    ranges.push_back(range);
}

/// The range without the bytes before the first address that is a multiple of eight.
static ByteRange aligned(uint64_t offset, uint64_t size, uint64_t address, uint64_t section) {
  return {offset + std::min(-address & 7, size), offset + size, section};
}

void Finder::fatbin(const Elf64_Shdr &section, llvm::StringRef name, std::vector<ByteRange> &into) {
  if (!section.sh_size)
    return;
  if (section.sh_type == SHT_NOBITS)
    addClause(device.unknown, fmt::format("the content of section {} is in another file", name));
  else if (!image.bytes.holds(section.sh_offset, section.sh_size))
    addClause(device.unknown, fmt::format("section {} reaches beyond the end", name));
  else
    put(into, {section.sh_offset, section.sh_offset + section.sh_size});
}

llvm::Error Finder::section(uint64_t index, const Elf64_Shdr &section) {
  if (!(section.sh_flags & SHF_ALLOC))
    return llvm::Error::success();
  // All relevant names are shorter than this.
  std::array<char, 24> buffer;
  auto got = names.get(image.bytes, section.sh_name, buffer);
  if (!got)
    return got.takeError();
  llvm::StringRef name = *got;
  hints(name);
  if (name == ".nv_fatbin") {
    fatbin(section, name, sections.fatbins);
  } else if (name == "__nv_relfatbin") {
    device.relocatable = true;
    fatbin(section, name, sections.relocatable);
  } else if (name == ".nvFatBinSegment") {
    if (section.sh_type == SHT_PROGBITS && section.sh_size)
      put(sections.wrappers, {section.sh_offset, section.sh_size, section.sh_addr, index});
  } else if ((deep || !sections.named) && section.sh_type == SHT_PROGBITS &&
             !(section.sh_flags & SHF_EXECINSTR) &&
             image.bytes.holds(section.sh_offset, section.sh_size)) {
    put(sections.data, aligned(section.sh_offset, section.sh_size, section.sh_addr, index));
  }
  return llvm::Error::success();
}

llvm::Error Finder::run() {
  auto found = namesOf(image);
  if (!found)
    return found.takeError();
  names = *found;
  sections.named = names.size;
  if (sections.named || image.header.e_type == ET_REL)
    return image.eachSection(
        [&](uint64_t index, const Elf64_Shdr &header) { return section(index, header); });
  for (const Elf64_Phdr &segment : image.segments)
    if (segment.p_type == PT_LOAD && image.bytes.holds(segment.p_offset, segment.p_filesz))
      put(sections.data, aligned(segment.p_offset, segment.p_filesz, segment.p_vaddr, 0));
  return llvm::Error::success();
}

/// Sorts the ranges and merges those that overlap, so that no byte is read twice.
static void merge(std::vector<ByteRange> &ranges) {
  llvm::sort(ranges, [](const ByteRange &a, const ByteRange &b) {
    return std::tie(a.begin, a.section) < std::tie(b.begin, b.section);
  });
  std::vector<ByteRange> result;
  for (const ByteRange &range : ranges) {
    if (!result.empty() && range.begin < result.back().end)
      result.back().end = std::max(result.back().end, range.end);
    else
      result.push_back(range);
  }
  ranges = std::move(result);
}

llvm::Expected<DeviceSections> findDeviceSections(const Image &image, bool deep,
                                                  core::DeviceCode &device) {
  DeviceSections sections;
  if (auto error = Finder(image, deep, device, sections).run())
    return error;
  merge(sections.fatbins);
  merge(sections.relocatable);
  merge(sections.data);
  return sections;
}

} // namespace cudacc::binary
