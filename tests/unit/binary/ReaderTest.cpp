// SPDX-License-Identifier: Apache-2.0
#include "Support.h"
#include "driver/binary/elf/NeededEntries.h"
#include "driver/binary/elf/StubLibrary.h"
#include "driver/binary/manifest/NoteObject.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/Endian.h"

using namespace cudacc;
using namespace cudacc::binary;
using namespace cudacc::binary::test;
using namespace llvm::ELF;

namespace {
class Reader : public testing::Test {
protected:
  Scratch scratch;

  /// A library with version node libp.so.13 that exports p.
  std::string provider(const char *hash = "both") {
    std::string c = scratch.write("p.c", "int p(void) { return 1; }\n");
    std::string map = scratch.write("p.map", "libp.so.13 { global: p; local: *; };\n");
    return built({"-shared", "-fPIC", c, "-Wl,-soname,libp.so.13", "-Wl,--version-script=" + map,
                  std::string("-Wl,--hash-style=") + hash},
                 "libp.so.13");
  }
  std::string built(std::vector<std::string> words, const std::string &name) {
    std::string out = scratch / name;
    words.insert(words.begin(), "gcc");
    words.insert(words.end(), {"-o", out});
    Ran ran = run(words);
    EXPECT_EQ(ran.status, 0) << llvm::join(words, " ") << ran.text;
    return out;
  }
  std::string user() {
    return scratch.write("u.c", "int p(void); extern int w(void) __attribute__((weak));\n"
                                "int u(void) { return p() + (w ? w() : 0); }\n");
  }
};

const core::Import *importOf(const core::BinaryFacts &facts, llvm::StringRef symbol) {
  for (const core::Import &import : facts.imports)
    if (import.symbol == symbol)
      return &import;
  return nullptr;
}
} // namespace

TEST_F(Reader, SharedObjectWithVersionedAndWeakImports) { // SY-1
  NEED_TOOL("gcc");
  std::string so = built({"-shared", "-fPIC", user(), provider(), "-Wl,-soname,libu.so.1"}, "u.so");
  core::BinaryFacts facts = readFile(so);
  EXPECT_EQ(facts.kind, core::BinaryKind::SharedObject);
  EXPECT_EQ(facts.machine, EM_X86_64);
  EXPECT_EQ(facts.soname, "libu.so.1");
  ASSERT_FALSE(facts.needed.empty());
  EXPECT_EQ(facts.needed[0], "libp.so.13");
  const core::Import *p = importOf(facts, "p"), *w = importOf(facts, "w");
  ASSERT_TRUE(p && w);
  EXPECT_EQ(p->version, "libp.so.13");
  EXPECT_EQ(p->file, "libp.so.13");
  EXPECT_FALSE(p->weak);
  EXPECT_TRUE(w->weak);
  EXPECT_EQ(w->version, "");
  EXPECT_FALSE(importOf(facts, "u"));
  EXPECT_FALSE(facts.executableStack);
  EXPECT_TRUE(facts.manifest.empty());
}

TEST_F(Reader, BothHashTablesEitherAndNoSectionHeaders) { // PF-A9
  NEED_TOOL("llvm-strip");
  std::string p = provider();
  for (const char *linker : {"bfd", "gold", "lld", "mold"})
    for (const char *hash : {"sysv", "gnu", "both"}) {
      if (tool(std::string("ld.") + linker).empty())
        continue;
      std::string so = built({"-shared", "-fPIC", user(), p, std::string("-fuse-ld=") + linker,
                              std::string("-Wl,--hash-style=") + hash},
                             "u.so");
      core::BinaryFacts facts = readFile(so);
      ASSERT_TRUE(importOf(facts, "p")) << linker << hash;
      ASSERT_EQ(run({"llvm-objcopy", "--strip-sections", so}).status, 0);
      core::BinaryFacts stripped = readFile(so);
      EXPECT_EQ(stripped.imports.size(), facts.imports.size()) << linker << hash;
      EXPECT_EQ(importOf(stripped, "p")->file, "libp.so.13");
    }
}

TEST_F(Reader, NoHashedSymbolLeavesTheCountToSectionsOrRelocations) {
  NEED_TOOL("llvm-objcopy");
  std::string p = provider();
  // bfd writes an empty GNU hash table whose first symbol is 1 although imports follow it.
  std::string map = scratch.write("none.map", "{ local: *; };\n");
  for (const char *linker : {"bfd", "gold", "lld", "mold"}) {
    if (tool(std::string("ld.") + linker).empty())
      continue;
    std::string so =
        built({"-shared", "-fPIC", user(), p, "-Wl,--version-script=" + map, "-Wl,--hash-style=gnu",
               std::string("-fuse-ld=") + linker, "-Wl,-z,now", "-Wl,--undefined=u"},
              "u.so");
    core::BinaryFacts facts = readFile(so);
    bool imported = importOf(facts, "p");
    EXPECT_TRUE(imported) << linker;
    ASSERT_EQ(run({"llvm-objcopy", "--strip-sections", so}).status, 0);
    EXPECT_EQ(importOf(readFile(so), "p") != nullptr, imported) << linker;
  }
}

TEST_F(Reader, SearchPathsKeepTheirKindAndEmptyElements) {
  NEED_TOOL("gcc");
  std::string u = user();
  core::BinaryFacts rpath = readFile(built(
      {"-shared", "-fPIC", u, "-Wl,--disable-new-dtags", "-Wl,-rpath,$ORIGIN/../a:/b:"}, "u.so"));
  EXPECT_TRUE(rpath.hasRpath);
  EXPECT_FALSE(rpath.hasRunpath);
  EXPECT_EQ(rpath.rpath, (std::vector<std::string>{"$ORIGIN/../a", "/b", ""}));
  core::BinaryFacts runpath =
      readFile(built({"-shared", "-fPIC", u, "-Wl,--enable-new-dtags", "-Wl,-rpath,/b"}, "u.so"));
  EXPECT_FALSE(runpath.hasRpath);
  EXPECT_EQ(runpath.runpath, std::vector<std::string>{"/b"});
}

TEST_F(Reader, KindsOfFiles) {
  NEED_TOOL("gcc");
  std::string c = scratch.write("m.c", "int main(void) { return 0; }\n");
  EXPECT_EQ(readFile(built({c}, "pie")).kind, core::BinaryKind::Executable);
  EXPECT_EQ(readFile(built({c, "-no-pie"}, "exe")).kind, core::BinaryKind::Executable);
  EXPECT_EQ(readFile(built({c, "-static"}, "static")).kind, core::BinaryKind::Executable);
  EXPECT_EQ(readFile(built({c, "-static-pie"}, "static-pie")).kind, core::BinaryKind::Executable);
  core::BinaryFacts object = readFile(built({"-c", user()}, "u.o"));
  EXPECT_EQ(object.kind, core::BinaryKind::Relocatable);
  EXPECT_TRUE(importOf(object, "p"));
  EXPECT_TRUE(importOf(object, "w")->weak);
  EXPECT_FALSE(importOf(object, "u"));
}

TEST_F(Reader, TheLoaderItselfWithAnInterpreterIsASharedObject) {
  core::BinaryFacts libc = readFile("/lib/x86_64-linux-gnu/libc.so.6");
  EXPECT_EQ(libc.kind, core::BinaryKind::SharedObject);
  EXPECT_EQ(libc.soname, "libc.so.6");
}

TEST_F(Reader, ExecutableStackAsAskedOrUnstated) {
  NEED_TOOL("gcc");
  std::string c = scratch.write("a.c", "int a;\n");
  EXPECT_TRUE(readFile(built({"-shared", "-fPIC", c, "-Wl,-z,execstack"}, "x.so")).executableStack);
  EXPECT_FALSE(readFile(built({"-shared", "-fPIC", c}, "n.so")).executableStack);
}

TEST_F(Reader, WhatIsNoElfIsOther) {
  for (const std::string &text : {std::string(), std::string("\x7f"), std::string("#!/bin/sh\n"),
                                  std::string("INPUT(-lfoo)\n"), std::string(100, '\0')})
    EXPECT_EQ(readBytes(text).kind, core::BinaryKind::Other);
  std::string big("\x7f"
                  "ELF\x02\x02\x01",
                  7);
  big.resize(64);
  big[19] = 22;
  EXPECT_EQ(readBytes(big).kind, core::BinaryKind::Other);
  EXPECT_EQ(readBytes(big).machine, 22);
}

TEST_F(Reader, NeededEntriesAreRemovedInPlace) { // RP-5
  NEED_TOOL("gcc");
  std::string c = scratch.write("n.c", "int n;\n");
  std::string p = provider(),
              stub = scratch.write("libx.so.1", stubLibrary("libx.so.1", EM_X86_64));
  std::string path = built({"-shared", "-fPIC", "-Wl,--no-as-needed", c, stub, p}, "n.so");
  core::BinaryFacts before = readFile(path);
  using Names = std::vector<std::string>;
  const Names all = {"libx.so.1", "libp.so.13", "libc.so.6"};
  ASSERT_EQ(before.needed, all);
  auto removed = [&](const Names &names) {
    MemoryFile file(slurp(path));
    std::string bytes = file.content;
    for (const Patch &patch : llvm::cantFail(removeNeeded(file, path, names)))
      bytes.replace(patch.offset, patch.bytes.size(), patch.bytes);
    EXPECT_EQ(bytes.size(), file.content.size());
    core::BinaryFacts facts = readBytes(bytes);
    EXPECT_EQ(facts.isPie, before.isPie);
    EXPECT_EQ(facts.hasVersionTable, before.hasVersionTable);
    EXPECT_EQ(facts.imports.size(), before.imports.size());
    return facts.needed;
  };
  EXPECT_EQ(removed({"libx.so.1"}), Names({"libp.so.13", "libc.so.6"}));
  EXPECT_EQ(removed({"libx.so.1", "libc.so.6"}), Names({"libp.so.13"}));
  EXPECT_EQ(removed({"libc.so.6", "libp.so.13", "libx.so.1"}), Names());
  EXPECT_EQ(removed({"libother.so.1"}), all);
}

TEST_F(Reader, StubLibraryReadsBack) {
  core::BinaryFacts facts = readBytes(stubLibrary("libcublasLt.so.12", EM_AARCH64));
  EXPECT_EQ(facts.kind, core::BinaryKind::SharedObject);
  EXPECT_EQ(facts.soname, "libcublasLt.so.12");
  EXPECT_EQ(facts.machine, EM_AARCH64);
  EXPECT_TRUE(facts.needed.empty());
  EXPECT_TRUE(facts.imports.empty());
  EXPECT_FALSE(facts.executableStack);
}

TEST_F(Reader, ObjectRecordsAreCountedOncePerText) { // RD-7
  core::ObjectRecord first = fullObject(), second = fullObject();
  second.headers = "12.5";
  std::string notes = encodeJsonRecord(ObjectNote, toJson(second)) +
                      encodeJsonRecord(ObjectNote, toJson(first)) +
                      encodeJsonRecord(ObjectNote, toJson(second));
  core::BinaryFacts facts = readBytes(noteObject(notes, EM_X86_64));
  ASSERT_EQ(facts.manifest.objects.size(), 2u);
  EXPECT_EQ(facts.manifest.objects[0], std::make_pair(first, uint64_t(1)));
  EXPECT_EQ(facts.manifest.objects[1], std::make_pair(second, uint64_t(2)));
}

TEST_F(Reader, BrokenRecordsAreProblemsAndTheOthersAreRead) { // RD-9
  std::string notes = encodeRecord(ObjectNote, "{\"no\":1,") +
                      encodeJsonRecord(ObjectNote, "{\"kind\":\"object\",\"kind\":\"object\"}") +
                      encodeJsonRecord(ObjectNote, "{\"a\":{\"b\":{\"c\":{\"d\":{}}}}}") +
                      encodeRecord(SummaryNote, "short") + encodeRecord(0xC0DA0010, "later") +
                      encodeJsonRecord(ObjectNote, toJson(fullObject()));
  core::BinaryFacts facts = readBytes(noteObject(notes, EM_X86_64));
  EXPECT_EQ(facts.manifest.problems.size(), 4u);
  EXPECT_EQ(facts.manifest.objects.size(), 1u);
}

TEST_F(Reader, SpeedDoesNotFollowFromSize) {
  NEED_TOOL("gcc");
  std::string note =
      scratch.write("note.o", noteObject(llvm::cantFail(placeholder(fullLink(), {})), EM_X86_64));
  std::string small = scratch.write("s.c", "const char data[16] = {1};\n");
  std::string large = scratch.write("l.c", "char data[64 << 20] = {1};\n");
  for (const char *flag : {"-Wl,--build-id", "-Wl,--build-id=none"}) {
    MemoryFile smallFile(slurp(built({"-shared", "-fPIC", small, note, flag}, "s.so")));
    MemoryFile largeFile(slurp(built({"-shared", "-fPIC", large, note, flag}, "l.so")));
    ASSERT_GT(largeFile.size(), 64u << 20);
    auto one = read(smallFile, "s.so"), other = read(largeFile, "l.so");
    ASSERT_TRUE(one && other);
    EXPECT_EQ(other->manifest.links.size(), 1u);
    EXPECT_LE(largeFile.calls, smallFile.calls + 2);
    EXPECT_LT(largeFile.bytesRead, 128u << 10);
  }
}
