// SPDX-License-Identifier: Apache-2.0
#include "Support.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include <array>

using namespace cudacc;
using namespace cudacc::binary;
using namespace cudacc::binary::test;
using namespace llvm::ELF;

namespace {
/// Every reader of a file, run on damaged files.
class HostileTables : public testing::Test {
protected:
  Scratch scratch;

  std::string built(std::vector<std::string> words) {
    words.insert(words.begin(), "gcc");
    words.insert(words.end(), {"-o", scratch / "out"});
    Ran ran = run(words);
    EXPECT_EQ(ran.status, 0) << ran.text;
    return slurp(scratch / "out");
  }
  std::string library(const char *hash) {
    std::string c = scratch.write("a.c", "#include <stdio.h>\nint a(void) { return puts(\"x\"); }\n"
                                         "int b(void) { return 1; }\n");
    std::string map =
        scratch.write("a.map", "A_1 { global: a; local: *; };\nA_2 { global: b; };\n");
    return built({"-shared", "-fPIC", "-nostartfiles", std::string("-Wl,--hash-style=") + hash,
                  "-Wl,--version-script=" + map, "-Wl,-z,norelro", "-Wl,-z,noseparate-code", c});
  }
  std::string archive() {
    std::string object = scratch / "a.o", out = scratch / "lib.a";
    run({"gcc", "-c", scratch.write("a.c", "int b(void); int a(void) { return b(); }\n"), "-o",
         object});
    EXPECT_EQ(run({"ar", "rcs", out, object}).status, 0);
    return slurp(out);
  }
};

bool survivesThoroughly(std::string content) {
  MemoryFile file(std::move(content));
  ReadOptions options;
  options.exports = options.device = options.deep = options.verify = true;
  auto facts = read(file, "x", options);
  if (facts)
    return true;
  EXPECT_FALSE(core::toFinding(facts.takeError()).message.empty());
  return false;
}

void everyDamage(const std::string &bytes) {
  EXPECT_TRUE(survivesThoroughly(bytes));
  for (size_t i = 0; i != bytes.size(); ++i)
    survivesThoroughly(bytes.substr(0, i));
  for (size_t i = 0; i + 8 <= bytes.size(); i += 2)
    for (size_t width : {2, 4, 8})
      for (char value : {'\0', '\x01', '\x7f', '\xff'}) {
        std::string bad = bytes;
        bad.replace(i, width, width, value);
        survivesThoroughly(std::move(bad));
      }
}

/// A library of one page followed by \p count equal symbols.
std::string manySymbols(uint32_t count) {
  std::string out(0x1000, '\0');
  auto put = [&](size_t at, const auto &value) {
    std::memcpy(out.data() + at, &value, sizeof value);
  };
  uint64_t symbols = 0x1000, size = uint64_t(count) * sizeof(Elf64_Sym);
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident,
              "\x7f"
              "ELF\2\1\1",
              7);
  header.e_type = ET_DYN;
  header.e_machine = EM_X86_64;
  header.e_version = EV_CURRENT;
  header.e_phoff = sizeof(header);
  header.e_phentsize = sizeof(Elf64_Phdr);
  header.e_phnum = 2;
  put(0, header);
  Elf64_Phdr load{};
  load.p_type = PT_LOAD;
  load.p_flags = PF_R | PF_W;
  load.p_filesz = symbols + size;
  load.p_memsz = uint64_t(1) << 32;
  put(64, load);
  Elf64_Phdr dynamic{};
  dynamic.p_type = PT_DYNAMIC;
  dynamic.p_offset = dynamic.p_vaddr = 0x100;
  dynamic.p_filesz = 7 * 16;
  put(64 + 56, dynamic);
  uint64_t tags[][2] = {{DT_SYMTAB, symbols}, {DT_STRTAB, 0x300}, {DT_STRSZ, 16},
                        {DT_HASH, 0x200},     {DT_SONAME, 1},     {DT_NULL, 0}};
  put(0x100, tags);
  uint32_t hash[] = {0, count};
  put(0x200, hash);
  std::memcpy(out.data() + 0x300, "\0name", 6);
  Elf64_Sym symbol{};
  symbol.st_name = 1;
  symbol.st_info = STB_GLOBAL << 4 | STT_FUNC;
  symbol.st_shndx = 1;
  symbol.st_value = 1;
  std::string entry(reinterpret_cast<char *>(&symbol), sizeof symbol);
  for (uint32_t i = 0; i != count; ++i)
    out += entry;
  return out;
}
} // namespace

TEST_F(HostileTables, LibrariesWithEitherHashTable) { // RD-9
  NEED_TOOL("gcc");
  for (const char *hash : {"sysv", "gnu"})
    everyDamage(library(hash));
}

TEST_F(HostileTables, Archives) { // RD-9
  NEED_TOOL("ar");
  everyDamage(archive());
}

TEST_F(HostileTables, TwoMillionExportsAreReadOneMoreIsALimit) { // AV-U03
  MemoryFile fits(manySymbols(1 << 21));
  ReadOptions options;
  options.exports = true;
  auto facts = read(fits, "x", options);
  ASSERT_TRUE(bool(facts));
  EXPECT_EQ(facts->exports.size(), 1u << 21);
  MemoryFile beyond(manySymbols((1 << 21) + 1));
  auto refused = read(beyond, "x", options);
  ASSERT_FALSE(bool(refused));
  EXPECT_EQ(core::toFinding(refused.takeError()).code, core::Code::LimitReached);
}

/// \p count exports; each has a name of its own of \p size bytes, or all have the same.
static std::string longNames(uint32_t count, uint64_t size, bool same) {
  std::string bytes = manySymbols(count);
  uint64_t strings = bytes.size(), all = same ? size : size * count;
  for (uint32_t i = 0; i != (same ? 1 : count); ++i) {
    std::string name(size - 1, 'a' + i % 26);
    bytes += name + std::string(1, '\0');
  }
  auto put = [&](size_t at, uint64_t value) { std::memcpy(bytes.data() + at, &value, 8); };
  put(64 + offsetof(Elf64_Phdr, p_filesz), bytes.size());
  // DT_STRTAB and DT_STRSZ are the second and third entry.
  put(0x100 + 16 + 8, strings);
  put(0x100 + 32 + 8, all);
  for (uint32_t i = 0; i != count; ++i) {
    uint32_t name = same ? 0 : i * size;
    // 0 is no name.
    name += !name;
    std::memcpy(bytes.data() + strings - uint64_t(count - i) * sizeof(Elf64_Sym), &name, 4);
  }
  return bytes;
}

TEST_F(HostileTables, NamesOfMoreThan64MiBAreReadWhereTheTableIsAsLarge) { // AV-U03
  ReadOptions options;
  options.exports = true;
  MemoryFile large(longNames(80, 1 << 20, false));
  auto facts = read(large, "x", options);
  ASSERT_TRUE(bool(facts));
  EXPECT_EQ(facts->exports.size(), 80u);
  MemoryFile amplified(longNames(80, 1 << 20, true));
  auto refused = read(amplified, "x", options);
  ASSERT_FALSE(bool(refused));
  EXPECT_EQ(core::toFinding(refused.takeError()).message,
            "x: symbol names of more than 64 MiB, and twice their table");
}

/// A library with \p count entries that name one string of this length, and five other entries.
static std::string needing(size_t count, uint64_t length) {
  std::string bytes = manySymbols(1);
  uint64_t strings = bytes.size();
  bytes += std::string(length, 'n') + std::string(1, '\0');
  uint64_t dynamic = bytes.size();
  std::vector<std::array<uint64_t, 2>> tags(count, {DT_NEEDED, 0});
  tags.push_back({DT_SYMTAB, 0x1000});
  tags.push_back({DT_HASH, 0x200});
  tags.push_back({DT_STRTAB, strings});
  tags.push_back({DT_STRSZ, length + 1});
  tags.push_back({DT_NULL, 0});
  bytes.append(reinterpret_cast<const char *>(tags.data()), tags.size() * 16);
  auto put = [&](size_t at, uint64_t value) { std::memcpy(bytes.data() + at, &value, 8); };
  put(64 + offsetof(Elf64_Phdr, p_filesz), bytes.size());
  put(64 + 56 + offsetof(Elf64_Phdr, p_offset), dynamic);
  put(64 + 56 + offsetof(Elf64_Phdr, p_vaddr), dynamic);
  put(64 + 56 + offsetof(Elf64_Phdr, p_filesz), tags.size() * 16);
  return bytes;
}

TEST_F(HostileTables, OneNameNeededManyTimes) { // AV-U03
  EXPECT_EQ(readError(needing(65000, (1 << 20) - 1)),
            "file.so: names in the dynamic section of more than 16 MiB");
}

TEST_F(HostileTables, DynamicSectionWithoutEnd) { // AV-U03
  MemoryFile file(needing((1 << 16) - 5, 1));
  auto facts = read(file, "x", ReadOptions());
  ASSERT_TRUE(bool(facts));
  EXPECT_EQ(facts->needed.size(), (1u << 16) - 5);
  EXPECT_EQ(readError(needing((1 << 16) - 4, 1)),
            "file.so: more than 2^16 entries of the dynamic section");
}

TEST_F(HostileTables, SizesThatTheFileDoesNotHaveCostNothing) {
  std::string bytes = manySymbols(16);
  uint32_t count = 0xffffffff;
  std::memcpy(bytes.data() + 0x204, &count, 4);
  EXPECT_EQ(readError(bytes), "file.so: the symbol table lies outside every segment");
}
