// SPDX-License-Identifier: Apache-2.0
#include "Support.h"
#include "driver/binary/elf/StubLibrary.h"
#include "driver/binary/manifest/NoteObject.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"

using namespace cudacc;
using namespace cudacc::binary;
using namespace cudacc::binary::test;
using namespace llvm::ELF;

namespace {
class Hostile : public testing::Test {
protected:
  Scratch scratch;

  std::string library() {
    std::string note = scratch.write(
        "note.o", noteObject(llvm::cantFail(placeholder(fullLink(), {}, 512)), EM_X86_64));
    std::string c =
        scratch.write("a.c", "#include <stdio.h>\nint a(void) { return puts(\"x\"); }\n");
    return built({"-shared", "-fPIC", "-Wl,--hash-style=both", "-Wl,-rpath,/a:/b", "-Wl,-z,norelro",
                  "-Wl,-z,noseparate-code", "-s", c, note});
  }
  std::string object() {
    std::string c =
        scratch.write("a.c", "int puts(const char *);\nint a(void) { return puts(\"x\"); }\n");
    std::string h = scratch.write("a.h", recordHeader(fullObject()));
    return built({"-c", "-fPIC", "-include", h, c});
  }
  std::string built(std::vector<std::string> words) {
    words.insert(words.begin(), "gcc");
    words.insert(words.end(), {"-o", scratch / "out"});
    Ran ran = run(words);
    EXPECT_EQ(ran.status, 0) << ran.text;
    return slurp(scratch / "out");
  }
};

/// Reads any bytes; the test is that it returns.
bool survives(std::string content) {
  MemoryFile file(std::move(content));
  NotePositions positions;
  auto facts = read(file, "x", &positions);
  if (facts)
    return true;
  core::Finding finding = core::toFinding(facts.takeError());
  EXPECT_FALSE(finding.message.empty());
  return false;
}

Elf64_Ehdr headerOf(const std::string &bytes) {
  Elf64_Ehdr header;
  std::memcpy(&header, bytes.data(), sizeof(header));
  return header;
}

/// Changes one program header of a type.
std::string withSegment(std::string bytes, uint32_t type, void (*change)(Elf64_Phdr &)) {
  Elf64_Ehdr header = headerOf(bytes);
  for (unsigned i = 0; i != header.e_phnum; ++i) {
    char *place = bytes.data() + header.e_phoff + i * sizeof(Elf64_Phdr);
    Elf64_Phdr segment;
    std::memcpy(&segment, place, sizeof(segment));
    if (segment.p_type != type)
      continue;
    change(segment);
    std::memcpy(place, &segment, sizeof(segment));
  }
  return bytes;
}
} // namespace

TEST_F(Hostile, EveryPrefixOfALibrary) { // RD-9
  NEED_TOOL("gcc");
  std::string bytes = library();
  ASSERT_LT(bytes.size(), 32768u);
  for (size_t size = 0; size != bytes.size(); ++size)
    survives(bytes.substr(0, size));
  EXPECT_TRUE(survives(bytes));
}

TEST_F(Hostile, EveryPrefixOfAnObject) { // RD-9
  NEED_TOOL("gcc");
  std::string bytes = object();
  for (size_t size = 0; size != bytes.size(); ++size)
    survives(bytes.substr(0, size));
  EXPECT_TRUE(survives(bytes));
}

TEST_F(Hostile, EveryByteOfALibraryCorrupted) {
  NEED_TOOL("gcc");
  std::string bytes = library();
  for (size_t i = 0; i != bytes.size(); ++i)
    for (char value : {'\0', '\x01', '\x7f', '\xff'}) {
      std::string bad = bytes;
      if (bad[i] == value)
        continue;
      bad[i] = value;
      survives(std::move(bad));
    }
}

TEST_F(Hostile, EveryByteOfAnObjectCorrupted) {
  NEED_TOOL("gcc");
  std::string bytes = object();
  for (size_t i = 0; i != bytes.size(); ++i)
    for (char value : {'\0', '\x7f', '\xff'}) {
      std::string bad = bytes;
      bad[i] = value;
      survives(std::move(bad));
    }
}

TEST_F(Hostile, WordsOfAllOnesEverywhere) {
  NEED_TOOL("gcc");
  for (const std::string &bytes : {library(), object()})
    for (size_t i = 0; i + 8 <= bytes.size(); i += 4)
      for (size_t width : {4, 8}) {
        std::string bad = bytes;
        bad.replace(i, width, width, '\xff');
        survives(std::move(bad));
      }
}

TEST_F(Hostile, AFileThatShrinksWhileItIsRead) {
  NEED_TOOL("gcc");
  std::string bytes = library();
  MemoryFile file(bytes.substr(0, bytes.size() / 2));
  file.statedSize = bytes.size();
  auto facts = read(file, "x");
  ASSERT_FALSE(bool(facts));
  EXPECT_EQ(core::toFinding(facts.takeError()).code, core::Code::BrokenBinary);
}

TEST_F(Hostile, NoteSegments) { // RD-9
  NEED_TOOL("gcc");
  std::string bytes = library();
  ASSERT_EQ(readBytes(bytes).manifest.links.size(), 1u);
  // SV-5 with only the section left: AV-W11.
  core::BinaryFacts empty =
      readBytes(withSegment(bytes, PT_NOTE, [](Elf64_Phdr &note) { note.p_filesz = 0; }));
  EXPECT_TRUE(empty.manifest.onlyInSections);
  EXPECT_EQ(empty.manifest.links.size(), 1u);
  EXPECT_EQ(readError(withSegment(bytes, PT_NOTE,
                                  [](Elf64_Phdr &note) { note.p_filesz = uint64_t(1) << 40; })),
            "file.so: a note reaches beyond the end");
  EXPECT_EQ(readError(withSegment(bytes, PT_NOTE,
                                  [](Elf64_Phdr &note) { note.p_offset = UINT64_MAX - 8; })),
            "file.so: a note reaches beyond the end");
  // A second note segment over the same bytes does not count them twice.
  core::BinaryFacts twice = readBytes(withSegment(bytes, PT_GNU_STACK, [](Elf64_Phdr &segment) {
    segment.p_type = PT_NOTE;
    segment.p_offset = 0;
    segment.p_filesz = 4096;
  }));
  EXPECT_EQ(twice.manifest.links.size(), 1u);
}

TEST_F(Hostile, AStackOfWhichNothingIsSaidIsExecutableOnX86Alone) {
  for (uint16_t machine : {EM_X86_64, EM_AARCH64}) {
    std::string bytes = withSegment(stubLibrary("libx.so.1", machine), PT_GNU_STACK,
                                    [](Elf64_Phdr &segment) { segment.p_type = PT_NULL; });
    EXPECT_EQ(readBytes(bytes).executableStack, machine == EM_X86_64);
  }
}

TEST_F(Hostile, TablesThatLieOutside) {
  NEED_TOOL("gcc");
  std::string bytes = library();
  EXPECT_EQ(readError(withSegment(bytes, PT_DYNAMIC,
                                  [](Elf64_Phdr &segment) { segment.p_offset = 1 << 30; })),
            "")
      << "the loader goes by the address";
  EXPECT_EQ(readError(withSegment(bytes, PT_DYNAMIC,
                                  [](Elf64_Phdr &segment) { segment.p_vaddr = 1 << 30; })),
            "file.so is damaged");
  EXPECT_EQ(readError(withSegment(bytes, PT_LOAD,
                                  [](Elf64_Phdr &segment) { segment.p_vaddr = 1 << 30; })),
            "file.so is damaged");
}

TEST_F(Hostile, ExtendedCountOfProgramHeaders) { // RD-1
  NEED_TOOL("gcc");
  std::string bytes = library();
  Elf64_Ehdr header = headerOf(bytes);
  uint32_t count = header.e_phnum;
  header.e_phnum = 0xffff;
  std::memcpy(bytes.data(), &header, sizeof(header));
  EXPECT_EQ(readError(bytes), "file.so is damaged") << "no program headers";
  std::memcpy(bytes.data() + header.e_shoff + offsetof(Elf64_Shdr, sh_info), &count, 4);
  EXPECT_EQ(readBytes(bytes).manifest.links.size(), 1u);
}
