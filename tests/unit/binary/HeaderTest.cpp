// SPDX-License-Identifier: Apache-2.0
#include "driver/binary/elf/Header.h"
#include "llvm/BinaryFormat/ELF.h"
#include <gmock/gmock.h>

using namespace cudacc;
using namespace llvm::ELF;
using binary::headerFault;
using binary::HeaderFault;

static std::string header() {
  std::string bytes(64, '\0');
  bytes.replace(0, 7,
                std::string("\x7f"
                            "ELF\x02\x01\x01",
                            7));
  bytes[16] = ET_DYN;
  bytes[18] = EM_X86_64;
  bytes[20] = 1;
  bytes[54] = 56;
  return bytes;
}

static std::optional<HeaderFault> fault(size_t at, unsigned value) {
  std::string bytes = header();
  bytes[at] = char(value);
  return headerFault(bytes, EM_X86_64);
}

TEST(Header, ofALibraryIsGood) {
  EXPECT_FALSE(headerFault(header(), EM_X86_64));
  EXPECT_FALSE(fault(7, 3)) << "GNU";
}

// LS-17
TEST(Header, ofAnotherClassOrMachineIsForeign) {
  EXPECT_TRUE(fault(4, ELFCLASS32)->isForeign);
  EXPECT_EQ(fault(4, ELFCLASS32)->words, "wrong ELF class: ELFCLASS32");
  EXPECT_TRUE(fault(18, EM_AARCH64)->isForeign);
  EXPECT_EQ(fault(18, EM_AARCH64)->words, "ELF of machine 183");
  EXPECT_TRUE(headerFault(header(), EM_AARCH64)->isForeign);
}

// LS-18
TEST(Header, thatIsNoneEndsTheSearch) {
  for (size_t size : {0, 1, 4, 16, 63}) {
    auto found = headerFault(llvm::StringRef(header()).take_front(size), EM_X86_64);
    ASSERT_TRUE(found);
    EXPECT_FALSE(found->isForeign);
    EXPECT_EQ(found->words, "file too short");
  }
  struct Case {
    size_t at;
    unsigned value;
    const char *reason;
  };
  for (auto [at, value, reason] :
       {Case{0, '/', "invalid ELF header"}, Case{5, 2, "ELF file data encoding not little-endian"},
        Case{6, 0, "ELF file version ident does not match current one"},
        Case{7, 9, "ELF file OS ABI invalid"}, Case{8, 1, "ELF file ABI version invalid"},
        Case{9, 1, "nonzero padding in e_ident"},
        Case{20, 2, "ELF file version does not match current one"},
        Case{16, ET_REL, "only ET_DYN and ET_EXEC can be loaded"},
        Case{54, 32, "ELF file's phentsize not the expected size"}}) {
    ASSERT_TRUE(fault(at, value)) << at;
    EXPECT_FALSE(fault(at, value)->isForeign) << at;
    EXPECT_EQ(fault(at, value)->words, reason);
    EXPECT_FALSE(fault(at, value)->isProgram);
  }
}

TEST(Header, ofAnExecutableIsSaidOfTheNameThatWasAskedFor) {
  EXPECT_EQ(fault(16, ET_EXEC)->words, "cannot dynamically load executable");
  EXPECT_TRUE(fault(16, ET_EXEC)->isProgram);
}

TEST(Header, classIsLookedAtBeforeByteOrder) {
  std::string bytes = header();
  bytes[4] = ELFCLASS32;
  bytes[5] = 2;
  EXPECT_TRUE(headerFault(bytes, EM_X86_64)->isForeign);
}
