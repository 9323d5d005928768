// SPDX-License-Identifier: Apache-2.0
#include "Support.h"
#include "driver/binary/manifest/NoteObject.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"

using namespace cudacc;
using namespace cudacc::binary;
using namespace cudacc::binary::test;

namespace {
ReadOptions optionsFor(OpenMember open = nullptr) {
  ReadOptions options;
  options.openMember = open;
  return options;
}

core::BinaryFacts thorough(const std::string &path, OpenMember open = nullptr) {
  MemoryFile file(slurp(path));
  auto facts = read(file, path, optionsFor(open));
  if (facts)
    return *facts;
  ADD_FAILURE() << core::toFinding(facts.takeError()).message;
  return {};
}

std::vector<std::string> importsOf(const core::BinaryFacts &facts) {
  std::vector<std::string> result;
  for (const core::Import &import : facts.imports)
    result.push_back(import.symbol + (import.weak ? " weak" : ""));
  return result;
}

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

TEST_F(Archive, GnuFormWithLongNames) { // RD-4
  NEED_TOOL("ar");
  holdsBoth(readFile(made("ar", "rcs")));
}

TEST_F(Archive, BsdForm) { // RD-4
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
  core::Finding finding = core::toFinding(facts.takeError());
  ASSERT_EQ(finding.facts.size(), 3u);
  EXPECT_EQ(finding.facts[1].text, "bad.o");
}

namespace {
/// Objects that need names of each other and of others.
class Members : public Archive {
protected:
  using Names = std::vector<std::string>;
  std::string compiled(llvm::StringRef name, const std::string &source, Names flags = {},
                       const char *compiler = "gcc") {
    // Position-independent code would also need _GLOBAL_OFFSET_TABLE_.
    Names words{compiler, "-fno-pic"};
    words.insert(words.end(), flags.begin(), flags.end());
    std::string out = scratch / name;
    words.insert(words.end(), {"-c", scratch.write((name + ".c").str(), source), "-o", out});
    Ran ran = run(words);
    EXPECT_EQ(ran.status, 0) << ran.text;
    return out;
  }
  std::string first() {
    return compiled("first.o", "int f2(void), cudaFree(void *); int f1(void) "
                               "{ return f2() + cudaFree(0); }\n");
  }
  std::string second() {
    return compiled("a_second_member_with_a_long_name.o",
                    "int f1(void), cudaMalloc(void); extern int maybe(void) "
                    "__attribute__((weak));\n"
                    "__attribute__((weak)) int f2(void) { return f1() + cudaMalloc() + "
                    "(maybe ? maybe() : 0); }\n");
  }
  std::string archive(const char *program, Names flags, Names members) {
    std::string out = scratch / "lib.a";
    Names words{program};
    words.insert(words.end(), flags.begin(), flags.end());
    words.push_back(out);
    words.insert(words.end(), members.begin(), members.end());
    Ran ran = run(words);
    EXPECT_EQ(ran.status, 0) << ran.text;
    return out;
  }
  /// Opens thin members as a caller does: relative to the archive's directory.
  llvm::Expected<std::unique_ptr<core::ReadableFile>> open(llvm::StringRef name) {
    asked.push_back(name.str());
    std::string path = name.starts_with("/") ? name.str() : scratch / name;
    return std::make_unique<MemoryFile>(slurp(path));
  }
  Names asked;
};
const std::vector<std::string> needed{"cudaFree", "cudaMalloc", "maybe weak"};
} // namespace

TEST_F(Members, ImportsAreNamesThatNoMemberDefines) { // FB-28
  NEED_TOOL("llvm-ar");
  for (const char *program : {"ar", "llvm-ar"})
    for (const Names &flags : {Names{"rcs"}, Names{"--format=bsd", "rcs"}}) {
      if (flags.size() == 2 && program == std::string("ar"))
        continue;
      core::BinaryFacts facts = thorough(archive(program, flags, {first(), second()}));
      Names imports = importsOf(facts);
      llvm::sort(imports);
      EXPECT_EQ(imports, needed) << program;
      EXPECT_EQ(facts.elfMembers, 2u);
      EXPECT_EQ(facts.irMembers, 0u);
    }
}

TEST_F(Members, TheLinkStepLeavesTheirSymbolsAlone) {
  NEED_TOOL("ar");
  EXPECT_TRUE(readFile(archive("ar", {"rcs"}, {first(), second()})).imports.empty());
}

TEST_F(Members, ThinMembersAreReadThroughTheCaller) { // FB-28
  NEED_TOOL("ar");
  std::string nested = scratch / "nested.a";
  ASSERT_EQ(run({"ar", "rcs", nested, compiled("z.o", "int z;\n"), second()}).status, 0);
  first();
  std::string path = scratch / "lib.a";
  ASSERT_EQ(run({"sh", "-c", "cd " + scratch.path + " && ar rcT lib.a first.o nested.a"}).status,
            0);
  auto opener = [this](llvm::StringRef name) { return open(name); };
  core::BinaryFacts facts = thorough(path, opener);
  // ar puts the members of an archive into the thin one.
  EXPECT_EQ(facts.memberCount, 3u);
  EXPECT_EQ(facts.elfMembers, 3u);
  Names imports = importsOf(facts);
  llvm::sort(imports);
  EXPECT_EQ(imports, needed);
  EXPECT_EQ(asked, (Names{"first.o", "nested.a", "nested.a"}));
  EXPECT_EQ(thorough(path).elfMembers, 0u);
}

TEST_F(Members, AThinMemberThatIsGoneIsAnError) {
  NEED_TOOL("ar");
  MemoryFile file(slurp(archive("ar", {"rcT"}, {first()})));
  auto opener = [](llvm::StringRef name) -> llvm::Expected<std::unique_ptr<core::ReadableFile>> {
    return core::makeError(core::Code::UnreadableFile, "cannot read " + name.str());
  };
  auto facts = read(file, "lib.a", optionsFor(opener));
  ASSERT_FALSE(bool(facts));
  // Given as an absolute path, so ar keeps one.
  EXPECT_EQ(core::toFinding(facts.takeError()).message, "cannot read " + (scratch / "first.o"));
}

TEST_F(Members, ANestedMemberThatMovedIsAnError) {
  NEED_TOOL("ar");
  std::string nested = scratch / "nested.a";
  ASSERT_EQ(run({"ar", "rcs", nested, first()}).status, 0);
  MemoryFile file(slurp(archive("ar", {"rcT"}, {nested})));
  auto opener = [](llvm::StringRef) -> llvm::Expected<std::unique_ptr<core::ReadableFile>> {
    return std::make_unique<MemoryFile>(std::string(4096, 'x'));
  };
  auto facts = read(file, "lib.a", optionsFor(opener));
  ASSERT_FALSE(bool(facts));
  EXPECT_EQ(core::toFinding(facts.takeError()).code, core::Code::BrokenBinary);
}

TEST_F(Members, LtoMembersAreCounted) {
  NEED_TOOL("clang");
  core::BinaryFacts facts = thorough(
      archive("ar", {"rcS"},
              {first(), compiled("slim.o", "int slim(void) { return 1; }\n", {"-flto"}),
               compiled("fat.o", "int fat(void) { return 1; }\n", {"-flto", "-ffat-lto-objects"}),
               compiled("bitcode.o", "int b(void) { return 1; }\n", {"-flto"}, "clang")}));
  EXPECT_EQ(facts.memberCount, 4u);
  EXPECT_EQ(facts.irMembers, 2u);
  EXPECT_EQ(facts.elfMembers, 3u);
}
