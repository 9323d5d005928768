// SPDX-License-Identifier: Apache-2.0
#include "Support.h"
#include "driver/binary/manifest/NoteObject.h"
#include "driver/binary/manifest/Seal.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"

using namespace cudacc;
using namespace cudacc::binary;
using namespace cudacc::binary::test;

namespace {
/// A sealed library from each linker, processed by each tool.
class Survival : public testing::TestWithParam<const char *> {
protected:
  Scratch scratch;

  std::string sealed() {
    std::string note = scratch.write(
        "note.o", noteObject(llvm::cantFail(placeholder(fullLink(), {})), llvm::ELF::EM_X86_64));
    std::string record = scratch.write("record.h", recordHeader(fullObject()));
    std::string c = scratch.write("a.c", "int answer(void);\nint answer(void) { return 42; }\n");
    std::string so = scratch / "sealed.so";
    Ran ran = run({"gcc", "-shared", "-fPIC", "-g", "-include", record, c, note, "-o", so,
                   std::string("-fuse-ld=") + GetParam()});
    EXPECT_EQ(ran.status, 0) << ran.text;
    NotePositions positions;
    readFile(so, &positions);
    std::string bytes = slurp(so);
    for (const Patch &patch : llvm::cantFail(seal(positions, fullLink(), {})))
      bytes.replace(patch.offset, patch.bytes.size(), patch.bytes);
    return scratch.write("sealed.so", bytes);
  }
  /// Runs a tool on the file (`@`); then the manifest must be unchanged and the library must load.
  void treated(std::vector<std::string> words) {
    if (tool(words[0]).empty())
      GTEST_SKIP() << "no " << words[0];
    std::string so = sealed();
    for (std::string &word : words)
      if (word == "@")
        word = so;
    Ran ran = run(words);
    ASSERT_EQ(ran.status, 0) << llvm::join(words, " ") << ran.text;
    core::BinaryFacts facts = readFile(so);
    EXPECT_TRUE(facts.manifest.sealed) << llvm::join(words, " ");
    EXPECT_FALSE(facts.manifest.onlyInSections);
    EXPECT_EQ(facts.manifest.objects.size(), 1u);
    ASSERT_EQ(facts.manifest.links.size(), 1u);
    EXPECT_EQ(facts.manifest.links[0], fullLink());
    EXPECT_EQ(opened(so, "answer"), "42");
  }
};
} // namespace

INSTANTIATE_TEST_SUITE_P(All, Survival, testing::Values("bfd", "gold", "lld", "mold"),
                         [](const auto &info) { return std::string(info.param); });

// SV-1
TEST_P(Survival, StripAll) { treated({"strip", "-s", "@"}); }
TEST_P(Survival, StripDebug) { treated({"strip", "-g", "@"}); }
TEST_P(Survival, StripLikeDebhelper) {
  treated(
      {"strip", "--remove-section=.comment", "--remove-section=.note", "--strip-unneeded", "@"});
}
TEST_P(Survival, LlvmStrip) { treated({"llvm-strip-19", "-s", "@"}); }
TEST_P(Survival, LlvmStripSections) { treated({"llvm-objcopy", "--strip-sections", "@"}); }
TEST_P(Survival, ObjcopyRoundTrip) { treated({"objcopy", "@"}); }
TEST_P(Survival, PatchelfWithALongerPath) { // SV-3
  treated({"patchelf", "--set-rpath", "$ORIGIN/" + std::string(300, 'x'), "@"});
}

TEST_P(Survival, RemovedNotesAreNoManifest) { // SV-5
  NEED_TOOL("strip");
  std::string so = sealed();
  ASSERT_EQ(run({"strip", "-R", ".note.*", so}).status, 0);
  EXPECT_TRUE(readFile(so).manifest.empty());
}

TEST_P(Survival, ANoteAddedAfterTheLinkIsSeenAsSuch) { // EM-7
  NEED_TOOL("objcopy");
  std::string c = scratch.write("a.c", "int a;\n"), so = scratch / "a.so";
  ASSERT_EQ(
      run({"gcc", "-shared", "-fPIC", c, "-o", so, std::string("-fuse-ld=") + GetParam()}).status,
      0);
  std::string bin = scratch.write("n.bin", encodeJsonRecord(ObjectNote, toJson(fullObject())));
  ASSERT_EQ(run({"objcopy", "--add-section", ".note.cuda-target=" + bin, so}).status, 0);
  core::BinaryFacts facts = readFile(so);
  EXPECT_TRUE(facts.manifest.onlyInSections);
  EXPECT_EQ(facts.manifest.objects.size(), 1u);
}

TEST_P(Survival, AScriptThatDropsNotesLeavesNoPositions) { // LK-10
  // lld's output with such a script has its symbols at address 0, and does not load.
  if (GetParam() != std::string("bfd"))
    return;
  std::string note = scratch.write(
      "note.o", noteObject(llvm::cantFail(placeholder(fullLink(), {})), llvm::ELF::EM_X86_64));
  std::string script = scratch.write("drop.ld", "SECTIONS { /DISCARD/ : { *(.note.*) } }\n");
  std::string so = scratch / "out.so";
  ASSERT_EQ(run({"gcc", "-shared", note, "-o", so, "-Wl,-T," + script,
                 std::string("-fuse-ld=") + GetParam()})
                .status,
            0);
  NotePositions positions;
  EXPECT_TRUE(readFile(so, &positions).manifest.empty());
  EXPECT_TRUE(positions.empty());
}
