// SPDX-License-Identifier: Apache-2.0
#include "driver/loader/search/Candidate.h"
#include "llvm/BinaryFormat/ELF.h"
#include <gmock/gmock.h>

using namespace cudacc;
using namespace llvm::ELF;
using loader::Candidate;
using Kind = Candidate::Kind;

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

static Candidate judged(size_t at, unsigned value) {
  std::string bytes = header();
  bytes[at] = char(value);
  return loader::judgeHeader(bytes, EM_X86_64);
}

TEST(Header, ofALibraryIsGood) {
  EXPECT_EQ(loader::judgeHeader(header(), EM_X86_64).kind, Kind::Good);
  EXPECT_EQ(judged(7, 3).kind, Kind::Good) << "GNU";
}

// LS-17
TEST(Header, ofAnotherClassOrMachineIsForeign) {
  EXPECT_EQ(judged(4, ELFCLASS32).kind, Kind::Foreign);
  EXPECT_EQ(judged(4, ELFCLASS32).reason, "wrong ELF class: ELFCLASS32");
  EXPECT_EQ(judged(18, EM_AARCH64).kind, Kind::Foreign);
  EXPECT_EQ(judged(18, EM_AARCH64).reason, "ELF of machine 183");
  EXPECT_EQ(loader::judgeHeader(header(), EM_AARCH64).kind, Kind::Foreign);
}

// LS-18
TEST(Header, thatIsNoneEndsTheSearch) {
  for (size_t size : {0, 1, 4, 16, 63}) {
    Candidate found = loader::judgeHeader(llvm::StringRef(header()).take_front(size), EM_X86_64);
    EXPECT_EQ(found.kind, Kind::Fatal);
    EXPECT_EQ(found.reason, "file too short");
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
    EXPECT_EQ(judged(at, value).kind, Kind::Fatal) << at;
    EXPECT_EQ(judged(at, value).reason, reason);
    EXPECT_FALSE(judged(at, value).namesRequest);
  }
}

TEST(Header, ofAnExecutableIsSaidOfTheNameThatWasAskedFor) {
  EXPECT_EQ(judged(16, ET_EXEC).kind, Kind::Fatal);
  EXPECT_EQ(judged(16, ET_EXEC).reason, "cannot dynamically load executable");
  EXPECT_TRUE(judged(16, ET_EXEC).namesRequest);
}

TEST(Header, classIsLookedAtBeforeByteOrder) {
  std::string bytes = header();
  bytes[4] = ELFCLASS32;
  bytes[5] = 2;
  EXPECT_EQ(loader::judgeHeader(bytes, EM_X86_64).kind, Kind::Foreign);
}
