// SPDX-License-Identifier: Apache-2.0
#include "Mutate.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/Endian.h"
#include <zlib.h>

using namespace llvm::ELF;
using llvm::StringRef;
using llvm::support::endian::read32le;
using llvm::support::endian::read64le;

namespace cudacc::fuzz {

void setNumber(uint8_t *data, size_t size, size_t offset, unsigned width, Random &random) {
  uint64_t value = 0;
  if (offset > size || width > size - offset)
    return;
  std::memcpy(&value, data + offset, width);
  uint64_t near = random() % 5 - 2;
  switch (random() % 5) {
  case 0:
    value += near;
    break;
  case 1:
    value = size + near;
    break;
  case 2:
    value = (uint64_t(1) << random() % (8 * width)) + near;
    break;
  case 3:
    value = near;
    break;
  case 4:
    std::memcpy(&value, data + random() % (size - width + 1), width);
    break;
  }
  std::memcpy(data + offset, &value, width);
}

namespace {
/// Rows of one size.
struct Table {
  uint64_t offset = 0, rowSize = 0, count = 0;
};
} // namespace

/// The file header, the tables that it names, and the tables in sections, as far as they lie in the
/// file.
static std::vector<Table> tablesOf(const uint8_t *data, size_t size) {
  Elf64_Ehdr header;
  std::memcpy(&header, data, sizeof(header));
  std::vector<Table> tables{{0, sizeof(header), 1}};
  auto add = [&](uint64_t offset, uint64_t rowSize, uint64_t count) {
    if (rowSize && offset < size && rowSize <= size - offset && count)
      tables.push_back({offset, rowSize, std::min(count, (size - offset) / rowSize)});
  };
  add(header.e_phoff, sizeof(Elf64_Phdr), header.e_phnum);
  add(header.e_shoff, sizeof(Elf64_Shdr), header.e_shnum);
  for (size_t i = 1, last = tables.size(); i < last; ++i)
    for (uint64_t row = 0; row < tables[i].count; ++row) {
      const uint8_t *at = data + tables[i].offset + row * tables[i].rowSize;
      if (tables[i].rowSize == sizeof(Elf64_Phdr)) {
        Elf64_Phdr segment;
        std::memcpy(&segment, at, sizeof(segment));
        if (segment.p_type == PT_DYNAMIC)
          add(segment.p_offset, sizeof(Elf64_Dyn), segment.p_filesz / sizeof(Elf64_Dyn));
      } else {
        Elf64_Shdr section;
        std::memcpy(&section, at, sizeof(section));
        uint64_t rowSize = section.sh_entsize ? section.sh_entsize : 4;
        add(section.sh_offset, rowSize, section.sh_size / rowSize);
      }
    }
  return tables;
}

size_t mutateElf(uint8_t *data, size_t size, size_t most, unsigned seed) {
  Random random(seed);
  if (size < sizeof(Elf64_Ehdr) || random() % 4 == 0)
    return LLVMFuzzerMutate(data, size, most);
  std::vector<Table> tables = tablesOf(data, size);
  for (unsigned count = 1 + random() % 3; count > 0; --count) {
    const Table &table = tables[random() % tables.size()];
    unsigned width = 1 << (1 + random() % 3);
    uint64_t places = std::max<uint64_t>(1, table.rowSize / width);
    setNumber(data, size,
              table.offset + random() % table.count * table.rowSize + random() % places * width,
              width, random);
  }
  return size;
}

/// Replaces the bytes from \p begin to \p end by what libFuzzer makes of them; returns the new size
/// of the whole.
static size_t mutatePart(uint8_t *data, size_t size, size_t most, size_t begin, size_t end) {
  size_t room = std::min<size_t>(most - size, 256);
  std::vector<uint8_t> part(data + begin, data + end), rest(data + end, data + size);
  part.resize(end - begin + room);
  if (part.empty())
    return size;
  size_t changed = LLVMFuzzerMutate(part.data(), end - begin, part.size());
  std::memcpy(data + begin, part.data(), changed);
  llvm::copy(rest, data + begin + changed);
  return begin + changed + rest.size();
}

size_t mutateFatbin(uint8_t *data, size_t size, size_t most, unsigned seed) {
  static constexpr uint32_t magic = 0xBA55ED50;
  static constexpr size_t headerSize = 16, entrySize = 64;
  Random random(seed);
  std::vector<size_t> containers;
  for (size_t at = 0; at + headerSize <= size; ++at)
    if (read32le(data + at) == magic)
      containers.push_back(at);
  if (containers.empty() || random() % 4 == 0)
    return LLVMFuzzerMutate(data, size, most);
  size_t container = containers[random() % containers.size()];
  // Headers of the container and of its entries.
  std::vector<size_t> entries;
  uint64_t end = container + headerSize + std::min<uint64_t>(read64le(data + container + 8), size);
  for (uint64_t at = container + headerSize; at + entrySize <= std::min<uint64_t>(end, size);) {
    entries.push_back(at);
    uint64_t next =
        at + read32le(data + at + 4) + std::min<uint64_t>(read64le(data + at + 8), size);
    if (next <= at)
      break;
    at = next;
  }
  if (entries.empty() || random() % 4 == 0) {
    setNumber(data, size, container + random() % 4 * 4, 4, random);
    return size;
  }
  size_t entry = entries[random() % entries.size()];
  uint64_t payload = read64le(data + entry + 8), from = entry + read32le(data + entry + 4);
  if (random() % 2 || from > size || payload > size - from) {
    setNumber(data, size, entry + random() % (entrySize / 4) * 4, 4, random);
    return size;
  }
  size_t changed = mutatePart(data, size, most, from, from + payload);
  for (size_t at : {container + 8, entry + 8}) {
    uint64_t stated = read64le(data + at) + changed - size;
    std::memcpy(data + at, &stated, sizeof(stated));
  }
  return changed;
}

namespace {

/// A zip file, as much of it as the mutator keeps.
struct Zip {
  struct Member {
    std::string name, content;
    uint16_t method = 0;
    uint32_t size = 0, checksum = 0, attributes = 0;
  };
  std::vector<Member> members;

  bool read(StringRef bytes);
  void seal(Member &member);
  std::string print() const;
};

} // namespace

template <typename T> static T numberAt(StringRef bytes, uint64_t at) {
  T value = 0;
  if (at + sizeof(T) <= bytes.size())
    std::memcpy(&value, bytes.data() + at, sizeof(T));
  return value;
}

template <typename... T> static void append(std::string &out, T... numbers) {
  (out.append(reinterpret_cast<const char *>(&numbers), sizeof(T)), ...);
}

bool Zip::read(StringRef bytes) {
  size_t end = bytes.rfind(StringRef("PK\5\6", 4));
  if (end == StringRef::npos)
    return false;
  uint64_t at = numberAt<uint32_t>(bytes, end + 16);
  while (bytes.substr(at).starts_with(StringRef("PK\1\2", 4))) {
    Member member;
    member.method = numberAt<uint16_t>(bytes, at + 10);
    member.checksum = numberAt<uint32_t>(bytes, at + 16);
    member.size = numberAt<uint32_t>(bytes, at + 24);
    member.attributes = numberAt<uint32_t>(bytes, at + 38);
    uint64_t local = numberAt<uint32_t>(bytes, at + 42), name = numberAt<uint16_t>(bytes, at + 28);
    uint64_t from =
        local + 30 + numberAt<uint16_t>(bytes, local + 26) + numberAt<uint16_t>(bytes, local + 28);
    member.name = bytes.substr(at + 46, name).str();
    member.content = bytes.substr(from, numberAt<uint32_t>(bytes, at + 20)).str();
    members.push_back(std::move(member));
    at += 46 + name + numberAt<uint16_t>(bytes, at + 30) + numberAt<uint16_t>(bytes, at + 32);
  }
  return !members.empty();
}

/// Sets size and checksum to those of the content, of a deflated one as far as it can be inflated.
void Zip::seal(Member &member) {
  std::vector<uint8_t> plain(member.content.begin(), member.content.end());
  if (member.method == 8) {
    plain.resize(1 << 16);
    z_stream stream = {};
    stream.next_in = reinterpret_cast<Bytef *>(member.content.data());
    stream.avail_in = member.content.size();
    stream.next_out = plain.data();
    stream.avail_out = plain.size();
    inflateInit2(&stream, -15);
    inflate(&stream, Z_FINISH);
    plain.resize(stream.total_out);
    inflateEnd(&stream);
  }
  member.size = plain.size();
  member.checksum = crc32(0, plain.data(), plain.size());
}

std::string Zip::print() const {
  std::string out, directory;
  for (const Member &each : members) {
    uint32_t offset = out.size(), packed = each.content.size();
    uint16_t name = each.name.size(), none = 0, version = 20;
    append(out, uint32_t(0x04034b50), version, none, each.method, uint32_t(0), each.checksum,
           packed, each.size, name, none);
    out += each.name + each.content;
    append(directory, uint32_t(0x02014b50), uint16_t(0x314), version, none, each.method,
           uint32_t(0), each.checksum, packed, each.size, name, none, none, none, none,
           each.attributes, offset);
    directory += each.name;
  }
  uint32_t start = out.size(), length = directory.size();
  uint16_t count = members.size();
  out += directory;
  append(out, uint32_t(0x06054b50), uint32_t(0), count, count, length, start, uint16_t(0));
  return out;
}

static void mutateText(std::string &text) {
  size_t size = text.size();
  text.resize(size + 256);
  text.resize(LLVMFuzzerMutate(reinterpret_cast<uint8_t *>(text.data()), size, text.size()));
}

size_t mutateZip(uint8_t *data, size_t size, size_t most, unsigned seed) {
  Random random(seed);
  Zip zip;
  if (random() % 4 == 0 || !zip.read({reinterpret_cast<const char *>(data), size}))
    return LLVMFuzzerMutate(data, size, most);
  size_t index = random() % zip.members.size();
  Zip::Member &member = zip.members[index];
  switch (random() % 6) {
  case 0:
    mutateText(member.name);
    break;
  case 1:
    setNumber(reinterpret_cast<uint8_t *>(&member.method), 2, 0, 2, random);
    break;
  case 2:
    zip.members.push_back(Zip::Member(member));
    break;
  case 3:
    zip.members.erase(zip.members.begin() + index);
    break;
  default:
    mutateText(member.content);
    zip.seal(member);
    break;
  }
  std::string text = zip.print();
  if (text.size() > most)
    return LLVMFuzzerMutate(data, size, most);
  std::memcpy(data, text.data(), text.size());
  return text.size();
}

} // namespace cudacc::fuzz
