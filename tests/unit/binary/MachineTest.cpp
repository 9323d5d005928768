// SPDX-License-Identifier: Apache-2.0
#include "driver/binary/elf/Machine.h"
#include "Support.h"
#include "driver/binary/manifest/NoteObject.h"
#include "llvm/BinaryFormat/ELF.h"

using namespace cudacc::binary;
using namespace cudacc::binary::test;
using namespace llvm::ELF;

namespace {
uint16_t machine(std::string content) {
  MemoryFile file(std::move(content));
  return machineOf(file);
}

std::string member(std::string name, const std::string &data) {
  std::string size = std::to_string(data.size());
  name.resize(48, ' ');
  size.resize(10, ' ');
  return name + size + "`\n" + data + (data.size() % 2 ? "\n" : "");
}
} // namespace

TEST(Machine, ofElfFiles) {
  for (uint16_t each : {EM_X86_64, EM_AARCH64})
    EXPECT_EQ(machine(noteObject("", each)), each);
  std::string big = noteObject("", EM_AARCH64);
  big[EI_DATA] = ELFDATA2MSB;
  std::swap(big[18], big[19]);
  EXPECT_EQ(machine(big), EM_AARCH64);
}

TEST(Machine, ofArchivesByTheFirstMember) {
  std::string first = noteObject("", EM_AARCH64), second = noteObject("", EM_X86_64);
  std::string members = member("a.o/", first) + member("b.o/", second);
  EXPECT_EQ(machine("!<arch>\n" + members), EM_AARCH64);
  EXPECT_EQ(machine("!<arch>\n" + member("/", "odd") + member("//", "long names") + members),
            EM_AARCH64);
  EXPECT_EQ(machine("!<arch>\n" + member("/SYM64/", "even") + members), EM_AARCH64);
  EXPECT_EQ(machine("!<arch>\n" + member("notes.txt/", "text") + members), 0);
}

TEST(Machine, couldNotBeDetermined) {
  EXPECT_EQ(machine(""), 0);
  EXPECT_EQ(machine("INPUT(libcudart.so.12)\n"), 0);
  EXPECT_EQ(machine(noteObject("", EM_X86_64).substr(0, 19)), 0);
  EXPECT_EQ(machine("!<arch>\n"), 0);
  EXPECT_EQ(machine("!<arch>\n" + member("/", "x").substr(0, 59)), 0);
  EXPECT_EQ(machine("!<arch>\n" + member("a.o/", noteObject("", EM_X86_64)).substr(0, 100)), 0);
  EXPECT_EQ(machine("!<thin>\n" + member("/", "x")), 0);
  std::string indices;
  for (int i = 0; i != 1000; ++i)
    indices += member("/", "");
  EXPECT_EQ(machine("!<arch>\n" + indices + member("a.o/", noteObject("", EM_X86_64))), 0);
  std::string huge = "!<arch>\n" + member("/", "odd");
  huge.replace(8 + 48, 10, "9999999999");
  EXPECT_EQ(machine(huge), 0);
}
