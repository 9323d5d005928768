// SPDX-License-Identifier: Apache-2.0
#include "driver/binary/elf/Exports.h"
#include "Support.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"

using namespace cudacc;
using namespace cudacc::binary;
using namespace cudacc::binary::test;
using versions::Exported;

namespace {
class ReadingExports : public testing::Test {
protected:
  Scratch scratch;

  std::string built(std::vector<std::string> words, const std::string &name) {
    std::string out = scratch / name;
    words.insert(words.begin(), "gcc");
    words.insert(words.end(), {"-o", out});
    Ran ran = run(words);
    EXPECT_EQ(ran.status, 0) << llvm::join(words, " ") << ran.text;
    return out;
  }
  /// libp.so.13 of \p source with \p map as version script, "" for none.
  std::string library(const std::string &source, const std::string &map,
                      std::vector<std::string> flags = {}, const std::string &name = "libp.so.13") {
    std::vector<std::string> words{"-shared", "-fPIC", scratch.write("p.c", source),
                                   "-Wl,-soname,libp.so.13"};
    if (!map.empty())
      words.push_back("-Wl,--version-script=" + scratch.write("p.map", map));
    words.insert(words.end(), flags.begin(), flags.end());
    return built(words, name);
  }
  std::string stripped(const std::string &path) {
    std::string out = path + ".stripped";
    EXPECT_EQ(run({"llvm-objcopy", "--strip-sections", path, out}).status, 0);
    return out;
  }
};

std::unique_ptr<ExportTable> table(const std::string &bytes) {
  auto opened = ExportTable::open(std::make_unique<MemoryFile>(bytes), "dir/libp.so.13");
  if (opened)
    return std::move(*opened);
  ADD_FAILURE() << core::toFinding(opened.takeError()).message;
  return nullptr;
}
std::unique_ptr<ExportTable> tableOf(const std::string &path) { return table(slurp(path)); }

core::BinaryFacts exportsOf(const std::string &bytes) {
  MemoryFile file(bytes);
  ReadOptions options;
  options.exports = true;
  auto facts = read(file, "dir/file.so", options);
  if (facts)
    return *facts;
  ADD_FAILURE() << core::toFinding(facts.takeError()).message;
  return {};
}

const core::Export *find(const core::BinaryFacts &facts, llvm::StringRef symbol,
                         llvm::StringRef version) {
  for (const core::Export &entry : facts.exports)
    if (entry.symbol == symbol && entry.version == version)
      return &entry;
  return nullptr;
}

const char versionedSource[] =
    "int plain(void) { return 1; }\n"
    "int data = 3;\n"
    "__attribute__((weak)) int weak(void) { return 2; }\n"
    "__attribute__((visibility(\"hidden\"))) int unseen(void) { return 4; }\n"
    "int oldF(void) { return 5; }\nint newF(void) { return 6; }\n"
    "__asm__(\".symver oldF,f@OLD_1\");\n__asm__(\".symver newF,f@@libp.so.13\");\n"
    "int puts(const char *);\nint user(void) { return puts(\"\"); }\n";
const char versionedMap[] = "OLD_1 { local: unseen; };\n"
                            "libp.so.13 { global: plain; data; weak; user; f; local: *; } OLD_1;\n";
} // namespace

TEST_F(ReadingExports, NamesNodesBindingsWithEveryLinkerAndHashTable) { // SY-5
  NEED_TOOL("llvm-objcopy");
  for (const char *linker : {"bfd", "gold", "lld", "mold"})
    for (const char *hash : {"sysv", "gnu", "both"}) {
      if (tool(std::string("ld.") + linker).empty())
        continue;
      SCOPED_TRACE(std::string(linker) + " " + hash);
      std::string so =
          library(versionedSource, versionedMap,
                  {std::string("-fuse-ld=") + linker, std::string("-Wl,--hash-style=") + hash});
      // PF-A9: the tables alone must do.
      for (const std::string &path : {so, stripped(so)}) {
        core::BinaryFacts facts = exportsOf(slurp(path));
        EXPECT_TRUE(facts.hasVersionTable);
        EXPECT_EQ(facts.definedVersions, (std::vector<std::string>{"OLD_1", "libp.so.13"}));
        EXPECT_EQ(facts.versionFiles, std::vector<std::string>{"libc.so.6"});
        const core::Export *plain = find(facts, "plain", "libp.so.13"),
                           *data = find(facts, "data", "libp.so.13"),
                           *weak = find(facts, "weak", "libp.so.13"),
                           *older = find(facts, "f", "OLD_1"),
                           *newer = find(facts, "f", "libp.so.13");
        ASSERT_TRUE(plain && data && weak && older && newer);
        EXPECT_TRUE(plain->isFunction && !plain->isWeak && !plain->isHidden);
        EXPECT_FALSE(data->isFunction);
        EXPECT_TRUE(weak->isWeak);
        EXPECT_TRUE(older->isHidden);
        EXPECT_FALSE(newer->isHidden);
        for (const core::Export &entry : facts.exports) {
          EXPECT_NE(entry.symbol, "puts");
          EXPECT_NE(entry.symbol, "unseen");
          // SY-5: the node's own symbol.
          EXPECT_NE(entry.symbol, "libp.so.13");
          EXPECT_NE(entry.symbol, "OLD_1");
        }
      }
    }
}

TEST_F(ReadingExports, UnaskedForTheyStayOut) {
  NEED_TOOL("gcc");
  core::BinaryFacts facts = readFile(library(versionedSource, versionedMap));
  EXPECT_TRUE(facts.exports.empty());
  EXPECT_FALSE(facts.imports.empty());
  EXPECT_EQ(facts.definedVersions.size(), 2u);
}

TEST_F(ReadingExports, LibrariesWithoutVersions) {
  NEED_TOOL("gcc");
  core::BinaryFacts facts =
      exportsOf(slurp(library("int plain(void) { return 1; }\n", "", {"-nostdlib"})));
  EXPECT_FALSE(facts.hasVersionTable);
  EXPECT_TRUE(facts.definedVersions.empty());
  EXPECT_TRUE(facts.versionFiles.empty());
  ASSERT_TRUE(find(facts, "plain", ""));
}

TEST_F(ReadingExports, TheTableAnswersAsTheListDoes) {
  NEED_TOOL("llvm-objcopy");
  for (const char *hash : {"sysv", "gnu", "both"}) {
    SCOPED_TRACE(hash);
    std::string source = versionedSource, map = versionedMap;
    for (unsigned i = 0; i != 300; ++i)
      source += "int many" + std::to_string(i) + "(void) { return 0; }\n";
    map.insert(map.find("plain;"), "many*; ");
    std::string so = library(source, map, {std::string("-Wl,--hash-style=") + hash});
    for (const std::string &path : {so, stripped(so)}) {
      core::BinaryFacts facts = exportsOf(slurp(path));
      EXPECT_GT(facts.exports.size(), 300u);
      auto exports = tableOf(path);
      ASSERT_TRUE(exports);
      EXPECT_TRUE(exports->versioned());
      for (const core::Export &entry : facts.exports)
        EXPECT_EQ(exports->find(entry.symbol, entry.version), Exported::Yes) << entry.symbol;
      for (const core::Import &import : facts.imports)
        EXPECT_EQ(exports->find(import.symbol, import.version), Exported::No) << import.symbol;
      for (unsigned i = 300; i != 600; ++i)
        EXPECT_EQ(exports->find("many" + std::to_string(i), "libp.so.13"), Exported::No);
      EXPECT_EQ(exports->find("unseen", ""), Exported::No);
      EXPECT_EQ(exports->find("", ""), Exported::No);
      EXPECT_EQ(exports->find("plai", ""), Exported::No);
      EXPECT_EQ(exports->find("plain1", ""), Exported::No);
      EXPECT_EQ(exports->find(std::string(1 << 16, 'x'), ""), Exported::No);
    }
  }
}

TEST_F(ReadingExports, LongNamesAreComparedWhole) {
  NEED_TOOL("gcc");
  std::string longName(700, 'n');
  auto exports = tableOf(library("int " + longName + "(void) { return 0; }\n", ""));
  ASSERT_TRUE(exports);
  EXPECT_EQ(exports->find(longName, ""), Exported::Yes);
  EXPECT_EQ(exports->find(longName + "n", ""), Exported::No);
  EXPECT_EQ(exports->find(llvm::StringRef(longName).drop_back(), ""), Exported::No);
}

TEST_F(ReadingExports, AnotherNodeIsNoAnswer) { // SY-12, SY-13
  NEED_TOOL("gcc");
  auto exports = tableOf(library(versionedSource, versionedMap));
  ASSERT_TRUE(exports);
  EXPECT_EQ(exports->find("plain", "libp.so.13"), Exported::Yes);
  EXPECT_EQ(exports->find("plain", "OLD_1"), Exported::No);
  EXPECT_EQ(exports->find("plain", "libp.so.12"), Exported::No);
  EXPECT_EQ(exports->find("plain", ""), Exported::Yes);
  EXPECT_EQ(exports->find("f", "OLD_1"), Exported::Yes);
  EXPECT_EQ(exports->find("f", "libp.so.13"), Exported::Yes);
  EXPECT_EQ(exports->find("f", "NEW_2"), Exported::No);
}

TEST_F(ReadingExports, WithoutANodeTheOnlyDefaultOrTheFirstNode) {
  NEED_TOOL("gcc");
  // Nodes have the indices 2, 3 and 4; only names under the last two can be ambiguous.
  auto exports =
      tableOf(library("int a(void) { return 1; }\nint b(void) { return 1; }\n"
                      "int g3(void) { return 1; }\nint g4(void) { return 1; }\n"
                      "int h3(void) { return 1; }\n"
                      "__asm__(\".symver g3,g@N3\");\n__asm__(\".symver g4,g@@N4\");\n"
                      "__asm__(\".symver h3,h@N3\");\n",
                      "N2 { global: a; local: *; };\nN3 { global: b; } N2;\nN4 { } N3;\n"));
  ASSERT_TRUE(exports);
  EXPECT_EQ(exports->find("a", ""), Exported::Yes);
  EXPECT_EQ(exports->find("b", ""), Exported::Yes);
  EXPECT_EQ(exports->find("g", ""), Exported::Yes);
  EXPECT_EQ(exports->find("h", ""), Exported::No);
  EXPECT_EQ(exports->find("h", "N3"), Exported::Yes);
}

namespace {
/// SY-10 to SY-17: the result of this machine's loader, compared with that of the table.
class Loaded : public ReadingExports {
protected:
  /// Links an importer against one provider and loads it with another.
  struct Outcome {
    bool loads = false;
    std::string text;
    Exported answer = Exported::Unknown;
  };
  Outcome outcome(const std::string &linkSource, const std::string &linkMap,
                  const std::string &source, const std::string &map, llvm::StringRef node,
                  std::vector<std::string> flags = {}) {
    std::string at = library(linkSource, linkMap, {}, "link.so");
    std::string user = built({"-shared", "-fPIC",
                              scratch.write("u.c", "int p(void);\nint u(void) { return p(); }\n"),
                              at, "-Wl,-rpath,$ORIGIN"},
                             "u.so");
    std::string provider = library(source, map, flags);
    std::string probe = built({scratch.write("m.c", "#include <dlfcn.h>\n#include <stdio.h>\n"
                                                    "int main(int c, char **v) {\n"
                                                    "  if (dlopen(v[1], RTLD_NOW)) return 0;\n"
                                                    "  puts(dlerror());\n  return 1;\n}\n")},
                              "probe");
    Ran ran = run({probe, user});
    Outcome result{ran.status == 0, ran.text, Exported::Unknown};
    if (auto exports = tableOf(provider))
      result.answer = exports->find("p", node);
    return result;
  }
};
const char p[] = "int p(void) { return 1; }\n", q[] = "int q(void) { return 1; }\n";
const char node13[] = "libp.so.13 { global: p; q; local: *; };\n";
const char node12[] = "libp.so.12 { global: p; local: *; };\n";
} // namespace

TEST_F(Loaded, NodeAndSymbol) { // SY-10
  NEED_TOOL("gcc");
  for (const char *hash : {"sysv", "gnu"}) {
    Outcome good =
        outcome(p, node13, p, node13, "libp.so.13", {std::string("-Wl,--hash-style=") + hash});
    EXPECT_TRUE(good.loads) << good.text;
    EXPECT_EQ(good.answer, Exported::Yes);
  }
}

TEST_F(Loaded, NodeWithoutTheSymbol) { // SY-11
  NEED_TOOL("gcc");
  Outcome bad = outcome(p, node13, q, node13, "libp.so.13");
  EXPECT_FALSE(bad.loads);
  EXPECT_NE(bad.text.find("undefined symbol: p, version libp.so.13"), std::string::npos)
      << bad.text;
  EXPECT_EQ(bad.answer, Exported::No);
}

TEST_F(Loaded, AnotherNode) { // SY-12
  NEED_TOOL("gcc");
  Outcome bad = outcome(p, node13, p, node12, "libp.so.13");
  EXPECT_FALSE(bad.loads);
  EXPECT_EQ(bad.answer, Exported::No);
}

TEST_F(Loaded, NoVersionInformationIsNoQuestionOfTheSymbol) { // SY-14
  NEED_TOOL("gcc");
  Outcome bad = outcome(p, node13, p, "", "libp.so.13", {"-nostdlib"});
  EXPECT_FALSE(bad.loads);
  EXPECT_EQ(bad.answer, Exported::Yes);
  auto exports = tableOf(scratch / "libp.so.13");
  ASSERT_TRUE(exports);
  EXPECT_FALSE(exports->versioned());
}

TEST_F(Loaded, VersionTableWithoutDefinitions) { // SY-17
  NEED_TOOL("gcc");
  // It needs a versioned name itself, so it has a version table, but defines no version.
  Outcome good = outcome(p, node13, "int puts(const char *);\nint p(void) { return puts(\"\"); }\n",
                         "", "libp.so.13");
  EXPECT_TRUE(good.loads) << good.text;
  EXPECT_EQ(good.answer, Exported::Yes);
  EXPECT_EQ(tableOf(scratch / "libp.so.13")->find("q", "libp.so.13"), Exported::No);
}

TEST_F(Loaded, AnUnversionedImporterBindsTheDefault) {
  NEED_TOOL("gcc");
  Outcome good = outcome(p, "", p, node13, "");
  EXPECT_TRUE(good.loads) << good.text;
  EXPECT_EQ(good.answer, Exported::Yes);
}

TEST_F(ReadingExports, CostDoesNotGrowWithTheLibrary) {
  NEED_TOOL("gcc");
  // 64 MiB of contents between the tables and the section headers.
  std::string so = library("char big[64 << 20] = {1};\n"
                           "int p(void) { return 1; }\n",
                           "", {"-Wl,-s"});
  auto file = std::make_unique<MemoryFile>(slurp(so));
  MemoryFile *counted = file.get();
  auto exports = ExportTable::open(std::move(file), "x");
  ASSERT_TRUE(bool(exports));
  for (unsigned i = 0; i != 300; ++i)
    EXPECT_EQ((*exports)->find("name" + std::to_string(i), ""), Exported::No);
  EXPECT_EQ((*exports)->find("p", ""), Exported::Yes);
  EXPECT_LT(counted->bytesRead, 1u << 20);
}

TEST_F(ReadingExports, WhatIsNoLibraryIsAnError) {
  NEED_TOOL("gcc");
  std::string object = built({"-c", scratch.write("a.c", "int a;\n")}, "a.o");
  for (const std::string &bytes : {slurp(object), std::string("text"), std::string()}) {
    auto opened = ExportTable::open(std::make_unique<MemoryFile>(bytes), "dir/x");
    ASSERT_FALSE(bool(opened));
    EXPECT_EQ(core::toFinding(opened.takeError()).code, core::Code::BrokenBinary);
  }
}

TEST_F(ReadingExports, DamagedTablesAreUnknownNeverACrash) { // RD-9
  NEED_TOOL("gcc");
  for (const char *hash : {"sysv", "gnu"}) {
    std::string so = slurp(library(versionedSource, versionedMap,
                                   {std::string("-Wl,--hash-style=") + hash, "-Wl,-s",
                                    "-Wl,-z,noseparate-code", "-nostartfiles"}));
    unsigned unknown = 0;
    auto ask = [&](std::string bytes) {
      auto opened = ExportTable::open(std::make_unique<MemoryFile>(std::move(bytes)), "x");
      if (!opened) {
        EXPECT_FALSE(core::toFinding(opened.takeError()).message.empty());
        return;
      }
      for (const char *name : {"plain", "f", "absent"})
        for (const char *node : {"", "libp.so.13"})
          unknown += (*opened)->find(name, node) == Exported::Unknown;
    };
    for (size_t i = 0; i + 4 <= so.size() && i < 4096; ++i) {
      ask(so.substr(0, i));
      for (const char *value : {"\0\0\0\0", "\xff\xff\xff\xff", "\xff\xff\xff\x7f", "\1\0\0\0"}) {
        std::string bad = so;
        bad.replace(i, 4, value, 4);
        ask(std::move(bad));
      }
    }
    EXPECT_GT(unknown, 0u);
  }
}
