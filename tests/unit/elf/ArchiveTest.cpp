#include "Support.h"
#include "driver/elf/NoteObject.h"
#include "llvm/BinaryFormat/ELF.h"

using namespace cudacc;
using namespace cudacc::elf;
using namespace cudacc::elf::test;

namespace {
class Archive : public testing::Test {
protected:
  Scratch scratch;
  std::string longName = "a_member_with_a_very_long_name_indeed.o";

  std::string object(llvm::StringRef name) {
    return scratch.write(
        name, noteObject(encodeJsonRecord(ObjectNote, toJson(fullObject())), llvm::ELF::EM_X86_64));
  }
  /// An archive of two objects with records, one with a long name, and a text.
  std::string made(const char *program, const char *mode, std::vector<std::string> flags = {}) {
    std::string out = scratch / "lib.a";
    std::vector<std::string> line{program};
    line.insert(line.end(), flags.begin(), flags.end());
    line.insert(line.end(), {mode, out, object("short.o"), object(longName),
                             scratch.write("notes.txt", "odd")});
    Ran ran = run(line);
    EXPECT_EQ(ran.status, 0) << ran.text;
    return out;
  }
  void holdsBoth(const core::BinaryFacts &facts) {
    EXPECT_EQ(facts.kind, core::BinaryKind::Archive);
    EXPECT_EQ(facts.memberCount, 3u);
    EXPECT_EQ(facts.elfMembers, 2u);
    ASSERT_EQ(facts.members.size(), 2u);
    EXPECT_EQ(facts.members[0].name, "short.o");
    EXPECT_EQ(facts.members[1].name, longName);
    EXPECT_EQ(facts.members[1].manifest.objects.size(), 1u);
    EXPECT_FALSE(facts.members[1].manifest.onlyInSections);
    EXPECT_EQ(facts.machine, llvm::ELF::EM_X86_64);
  }
};

std::string header(const std::string &name, const std::string &size, const char *end = "`\n") {
  auto field = [](std::string text, size_t width) {
    text.resize(width, ' ');
    return text;
  };
  return field(name, 16) + field("0", 12) + field("0", 6) + field("0", 6) + field("644", 8) +
         field(size, 10) + end;
}
} // namespace

TEST_F(Archive, RD4_GnuFormWithLongNames) {
  NEED_TOOL("ar");
  holdsBoth(readFile(made("ar", "rcs")));
}

TEST_F(Archive, RD4_BsdForm) {
  NEED_TOOL("llvm-ar");
  holdsBoth(readFile(made("llvm-ar", "rcs", {"--format=bsd"})));
}

TEST_F(Archive, ThinMembersAreCounted) {
  NEED_TOOL("ar");
  core::BinaryFacts facts = readFile(made("ar", "rcsT"));
  EXPECT_EQ(facts.memberCount, 3u);
  EXPECT_EQ(facts.elfMembers, 0u);
  EXPECT_TRUE(facts.members.empty());
}

TEST_F(Archive, EmptyOnesAndMissingPaddingAtTheEnd) {
  EXPECT_EQ(readBytes("!<arch>\n").kind, core::BinaryKind::Archive);
  EXPECT_EQ(readBytes("!<arch>\n" + header("a/", "3") + "odd").memberCount, 1u);
}

TEST_F(Archive, DamagedHeadersAreErrors) {
  EXPECT_NE(readError("!<arch>\n!"), "");
  EXPECT_NE(readError("!<arch>\n" + header("a/", "4") + "odd"), "");
  EXPECT_NE(readError("!<arch>\n" + header("a/", "x") + "odd"), "");
  EXPECT_NE(readError("!<arch>\n" + header("a/", "-1") + "odd"), "");
  EXPECT_NE(readError("!<arch>\n" + header("a/", "9999999999") + "odd"), "");
  EXPECT_NE(readError("!<arch>\n" + header("a/", "3", "xx") + "odd"), "");
  EXPECT_NE(readError("!<arch>\n" + header("/7", "0")), "");
  EXPECT_NE(readError("!<arch>\n" + header("//", "4") + "a/\n\n" + header("/4", "0")), "");
  EXPECT_NE(readError("!<arch>\n" + header("#1/9", "4") + "name"), "");
}

TEST_F(Archive, ABrokenMemberIsNamed) {
  std::string object = noteObject("", llvm::ELF::EM_X86_64).substr(0, 100);
  std::string content = "!<arch>\n" + header("bad.o/", "100") + object;
  MemoryFile file(content);
  auto facts = read(file, "lib.a");
  ASSERT_FALSE(bool(facts));
  core::Finding finding = core::takeFinding(facts.takeError());
  ASSERT_EQ(finding.facts.size(), 3u);
  EXPECT_EQ(finding.facts[1].text, "bad.o");
}
