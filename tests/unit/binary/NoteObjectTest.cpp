// SPDX-License-Identifier: Apache-2.0
#include "driver/binary/manifest/NoteObject.h"
#include "Support.h"
#include "driver/binary/elf/StubLibrary.h"
#include "llvm/BinaryFormat/ELF.h"

using namespace cudacc;
using namespace cudacc::binary;
using namespace cudacc::binary::test;
using namespace llvm::ELF;

static std::string sealable() { return llvm::cantFail(placeholder(fullLink(), {})); }

static const char *const linkers[] = {"bfd", "gold", "lld", "mold"};

class Linkers : public testing::TestWithParam<const char *> {
protected:
  Scratch scratch;

  std::string linkerProgram() const { return std::string("ld.") + GetParam(); }
  std::string compile(std::vector<std::string> flags,
                      const std::string &source = "int f(void) { return 1; }\n") {
    std::string c = scratch.write("a.c", source), o = scratch / "a.o";
    std::vector<std::string> line{"gcc", "-fPIC", "-c", c, "-o", o};
    line.insert(line.end(), flags.begin(), flags.end());
    Ran ran = run(line);
    EXPECT_EQ(ran.status, 0) << ran.text;
    return o;
  }
  /// Links a shared library and returns its path.
  std::string link(std::vector<std::string> words) {
    std::string so = scratch / "out.so";
    std::vector<std::string> line{"gcc", "-shared", std::string("-fuse-ld=") + GetParam(), "-o",
                                  so};
    line.insert(line.end(), words.begin(), words.end());
    Ran ran = run(line);
    EXPECT_EQ(ran.status, 0) << ran.text;
    EXPECT_EQ(ran.text, "");
    return so;
  }
  /// The lines of readelf about GNU properties.
  static std::string properties(const std::string &file) {
    std::string said = run({"readelf", "-nW", file}).text;
    llvm::StringRef text = said;
    size_t begin = text.find("Properties:");
    return begin == llvm::StringRef::npos ? "" : text.substr(begin).split('\n').first.str();
  }
};

INSTANTIATE_TEST_SUITE_P(All, Linkers, testing::ValuesIn(linkers),
                         [](const auto &info) { return std::string(info.param); });

TEST_P(Linkers, RecordsArriveInASegmentAlsoUnderGcSections) { // EM-5, LK-2
  NEED_TOOL(linkerProgram());
  std::string note = scratch.write("note.o", noteObject(sealable(), EM_X86_64));
  std::string user = compile({});
  for (const char *flag : {"-Wl,--no-gc-sections", "-Wl,--gc-sections", "-Wl,-s"}) {
    core::BinaryFacts facts = readFile(link({user, note, flag}));
    ASSERT_EQ(facts.manifest.links.size(), 1u) << flag;
    EXPECT_EQ(facts.manifest.links[0], fullLink());
    EXPECT_EQ(facts.manifest.summaries.size(), 1u);
    EXPECT_FALSE(facts.manifest.sealed);
    EXPECT_FALSE(facts.manifest.onlyInSections);
    // LK-9
    EXPECT_FALSE(facts.executableStack);
  }
}

TEST_P(Linkers, RecordsAreFoundBesideAForeignNoteOfAlignmentEight) { // LK-8
  NEED_TOOL(linkerProgram());
  std::string s =
      scratch.write("n.s", ".section .note.foreign,\"a\",%note\n.balign 8\n.long 4,8,9\n"
                           ".asciz \"ABC\"\n.quad 1\n.section .note.GNU-stack,\"\"\n");
  std::string foreign = scratch / "foreign.o";
  ASSERT_EQ(run({"gcc", "-c", s, "-o", foreign}).status, 0);
  std::string note = scratch.write("note.o", noteObject(sealable(), EM_X86_64));
  for (const auto &order : {std::vector{foreign, note}, std::vector{note, foreign}})
    EXPECT_EQ(readFile(link(order)).manifest.links.size(), 1u);
}

TEST_P(Linkers, GnuPropertiesOfTheOutputAreThoseOfTheOtherInputs) {
  NEED_TOOL(linkerProgram());
  std::string note = scratch.write("note.o", noteObject(sealable(), EM_X86_64));
  for (const char *protection : {"full", "branch", "return", "none"}) {
    std::string user = compile({std::string("-fcf-protection=") + protection});
    // Without crt files, because they may lack the property and hide the effect of our object.
    std::string plain = properties(link({"-nostdlib", user}));
    EXPECT_EQ(properties(link({"-nostdlib", user, note})), plain) << protection;
    EXPECT_EQ(properties(link({"-nostdlib", note, user})), plain) << protection;
    EXPECT_EQ(plain.empty(), std::string("none") == protection);
  }
}

/// Without gold: it has no -z cet-report, and 1.16 drops used properties whatever our object has.
class LinkersButGold : public Linkers {};
INSTANTIATE_TEST_SUITE_P(All, LinkersButGold, testing::Values("bfd", "lld", "mold"),
                         [](const auto &info) { return std::string(info.param); });

TEST_P(LinkersButGold, CetReportFindsNothingInOurObject) {
  NEED_TOOL(linkerProgram());
  std::string note = scratch.write("note.o", noteObject(sealable(), EM_X86_64));
  std::string user = compile({"-fcf-protection=full"});
  EXPECT_NE(properties(link({"-nostdlib", user, note, "-Wl,-z,cet-report=error"})), "");
}

TEST_P(LinkersButGold, UsedFeaturesAreKeptWhereTheLinkerKeepsThem) {
  NEED_TOOL(linkerProgram());
  std::string note = scratch.write("note.o", noteObject(sealable(), EM_X86_64));
  std::string user = compile({"-fcf-protection=full", "-Wa,-mx86-used-note=yes"});
  EXPECT_EQ(properties(link({"-nostdlib", user, note})), properties(link({"-nostdlib", user})));
}

TEST_P(Linkers, StubYieldsANeededEntry) {
  NEED_TOOL(linkerProgram());
  std::string user = compile({});
  std::string stub = scratch.write("stub.so", stubLibrary("libnvJitLink.so.12", EM_X86_64));
  core::BinaryFacts facts =
      readFile(link({"-Wl,--push-state,--no-as-needed", stub, "-Wl,--pop-state", user}));
  ASSERT_FALSE(facts.needed.empty());
  EXPECT_EQ(facts.needed[0], "libnvJitLink.so.12");
}

TEST_P(Linkers, StubResolvesTheNamesItExports) {
  NEED_TOOL(linkerProgram());
  std::string c =
      scratch.write("user.c", "int cuInit(unsigned); int f(void) { return cuInit(0); }\n");
  std::string user = scratch / "user.o";
  ASSERT_EQ(run({"gcc", "-fPIC", "-c", c, "-o", user}).status, 0);
  std::string stub = scratch.write(
      "libcuda.so", stubLibrary("libcuda.so.1", EM_X86_64, {"cuInit", "cuMemAlloc_v2"}));
  core::BinaryFacts facts = readFile(link({"-Wl,-z,defs", "-nostdlib", user, stub}));
  ASSERT_EQ(facts.needed.size(), 1u);
  EXPECT_EQ(facts.needed[0], "libcuda.so.1");
}

TEST_P(Linkers, StubDoesNotResolveAnotherName) {
  NEED_TOOL(linkerProgram());
  std::string c = scratch.write("user.c", "int cuNone(void); int f(void) { return cuNone(); }\n");
  std::string user = scratch / "user.o", so = scratch / "out.so";
  ASSERT_EQ(run({"gcc", "-fPIC", "-c", c, "-o", user}).status, 0);
  std::string stub =
      scratch.write("libcuda.so", stubLibrary("libcuda.so.1", EM_X86_64, {"cuInit"}));
  Ran linked = run({"gcc", std::string("-fuse-ld=") + GetParam(), "-shared", "-nostdlib", user,
                    stub, "-Wl,-z,defs", "-o", so});
  EXPECT_NE(linked.status, 0);
  EXPECT_NE(linked.text.find("cuNone"), std::string::npos) << linked.text;
}

TEST(StubLibrary, ReadelfFindsNoFaultAndEveryName) {
  NEED_TOOL("readelf");
  Scratch scratch;
  std::string stub =
      scratch.write("libcuda.so", stubLibrary("libcuda.so.1", EM_AARCH64,
                                              {"cuInit", "cuMemAlloc_v2", "cuCtxCreate"}));
  std::string text = run({"readelf", "-aW", stub}).text;
  EXPECT_EQ(text.find("arning"), std::string::npos) << text;
  EXPECT_EQ(text.find("rror"), std::string::npos) << text;
  for (const char *name :
       {"cuInit", "cuMemAlloc_v2", "cuCtxCreate", "Library soname: [libcuda.so.1]"})
    EXPECT_NE(text.find(name), std::string::npos) << text;
}

TEST(NoteObject, ReadelfShowsSectionsAndRecords) {
  NEED_TOOL("readelf");
  Scratch scratch;
  for (uint16_t machine : {EM_X86_64, EM_AARCH64}) {
    std::string o = scratch.write("note.o", noteObject(sealable(), machine));
    std::string text = run({"readelf", "-nSW", o}).text;
    EXPECT_EQ(text.find("Warning"), std::string::npos) << text;
    EXPECT_EQ(text.find("Error"), std::string::npos) << text;
    // EN-1: size, entry size, flags, link, info, alignment.
    EXPECT_NE(text.find("000850 00   A  0   0  4"), std::string::npos) << text;
    EXPECT_NE(text.find("0xc0da0002"), std::string::npos) << text;
    EXPECT_NE(text.find("0xc0da0003"), std::string::npos) << text;
    EXPECT_NE(text.find(".note.GNU-stack"), std::string::npos) << text;
  }
}

TEST(NoteObject, IsDeterministicAndReadsBack) {
  std::string bytes = noteObject(sealable(), EM_AARCH64);
  EXPECT_EQ(bytes, noteObject(sealable(), EM_AARCH64));
  core::BinaryFacts facts = readBytes(bytes);
  EXPECT_EQ(facts.kind, core::BinaryKind::Relocatable);
  EXPECT_EQ(facts.machine, EM_AARCH64);
  EXPECT_EQ(facts.manifest.links.size(), 1u);
  EXPECT_FALSE(facts.manifest.onlyInSections);
  EXPECT_TRUE(facts.imports.empty());
}

/// clang and lld build for aarch64 without a sysroot.
class Aarch64 : public testing::TestWithParam<const char *> {};
INSTANTIATE_TEST_SUITE_P(All, Aarch64, testing::Values("lld", "mold"),
                         [](const auto &info) { return std::string(info.param); });

TEST_P(Aarch64, BranchProtectionOfTheOutputIsThatOfTheOtherInputs) {
  NEED_TOOL("clang");
  std::string linker = std::string("ld.") + GetParam();
  NEED_TOOL(linker);
  Scratch scratch;
  std::string note = scratch.write("note.o", noteObject(sealable(), EM_AARCH64));
  std::string c = scratch.write("a.c", "int f(void) { return 1; }\n");
  std::string o = scratch / "a.o", so = scratch / "out.so";
  std::string stub = scratch.write("stub.so", stubLibrary("libcudart.so.12", EM_AARCH64));
  for (const char *protection : {"standard", "bti", "none"}) {
    Ran compiled = run({"clang", "--target=aarch64-linux-gnu", "-fPIC", "-c", c, "-o", o,
                        std::string("-mbranch-protection=") + protection});
    ASSERT_EQ(compiled.status, 0) << compiled.text;
    auto properties = [&](std::vector<std::string> inputs) {
      std::vector<std::string> line{linker, "-m", "aarch64linux", "-shared", "--no-as-needed",
                                    "-o",   so};
      line.insert(line.end(), inputs.begin(), inputs.end());
      Ran linked = run(line);
      EXPECT_EQ(linked.status, 0) << linked.text;
      EXPECT_EQ(linked.text, "");
      std::string said = run({"llvm-readelf", "-n", so}).text;
      llvm::StringRef text = said;
      return text.substr(text.find("aarch64 feature")).split('\n').first.str();
    };
    EXPECT_EQ(properties({o, note, stub}), properties({o})) << protection;
    properties({o, note, stub});
    core::BinaryFacts facts = readFile(so);
    EXPECT_EQ(facts.manifest.links.size(), 1u);
    EXPECT_EQ(facts.needed, std::vector<std::string>{"libcudart.so.12"});
  }
}
