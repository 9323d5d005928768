// SPDX-License-Identifier: Apache-2.0
#include "Support.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"

using namespace cudacc;
using namespace cudacc::binary;
using namespace cudacc::binary::test;
using namespace llvm::ELF;

namespace {
class Kinds : public testing::Test {
protected:
  Scratch scratch;

  std::string built(std::vector<std::string> words) {
    std::string out = scratch / "out";
    words.insert(words.end(), {"-o", out});
    Ran ran = run(words);
    EXPECT_EQ(ran.status, 0) << llvm::join(words, " ") << ran.text;
    return out;
  }
  std::string source(const std::string &text = "int a(void) { return 1; }\n") {
    return scratch.write("a.c", text);
  }
};

core::BinaryFacts thoroughly(const std::string &path) {
  MemoryFile file(slurp(path));
  ReadOptions options;
  options.exports = options.device = true;
  auto facts = read(file, path, options);
  if (facts)
    return *facts;
  ADD_FAILURE() << core::toFinding(facts.takeError()).message;
  return {};
}
} // namespace

TEST_F(Kinds, OtherMachinesAreNotAudited) { // FB-29
  NEED_TOOL("clang");
  for (auto [target, why] :
       {std::pair("i386-linux-gnu", "32-bit ELF"), std::pair("x86_64-linux-gnux32", "32-bit ELF"),
        std::pair("armv7-linux-gnueabi", "32-bit ELF"),
        std::pair("powerpc64-linux-gnu", "big-endian ELF"),
        std::pair("s390x-linux-gnu", "big-endian ELF"),
        std::pair("aarch64_be-linux-gnu", "big-endian ELF"),
        std::pair("powerpc64le-linux-gnu", "ELF of machine 21"),
        std::pair("riscv64-linux-gnu", "ELF of machine 243")}) {
    core::BinaryFacts facts =
        thoroughly(built({"clang", std::string("--target=") + target, "-c", source()}));
    EXPECT_EQ(facts.notAudited, why) << target;
    EXPECT_EQ(facts.kind, core::BinaryKind::Other);
    EXPECT_NE(facts.machine, 0);
  }
}

TEST_F(Kinds, Aarch64IsReadFully) {
  NEED_TOOL("ld.lld");
  core::BinaryFacts facts =
      thoroughly(built({"clang", "--target=aarch64-linux-gnu", "-shared", "-nostdlib",
                        "-fuse-ld=lld", "-Wl,-soname,liba.so.1,-rpath,$ORIGIN", "-fPIC",
                        source("int puts(const char *);\nint a(void) { return puts(\"\"); }\n")}));
  EXPECT_EQ(facts.notAudited, "");
  EXPECT_EQ(facts.kind, core::BinaryKind::SharedObject);
  EXPECT_EQ(facts.machine, EM_AARCH64);
  EXPECT_EQ(facts.soname, "liba.so.1");
  EXPECT_EQ(facts.runpath, std::vector<std::string>{"$ORIGIN"});
  ASSERT_EQ(facts.imports.size(), 1u);
  EXPECT_EQ(facts.imports[0].symbol, "puts");
  ASSERT_EQ(facts.exports.size(), 1u);
  EXPECT_EQ(facts.exports[0].symbol, "a");
}

TEST_F(Kinds, WhatIsNoElfFileHasNoReason) {
  for (const char *text : {"", "text", "\x7f",
                           "\x7f"
                           "EL"}) {
    core::BinaryFacts facts = readBytes(text);
    EXPECT_EQ(facts.kind, core::BinaryKind::Other);
    EXPECT_EQ(facts.notAudited, "");
  }
  EXPECT_EQ(readError("\x7f"
                      "ELF\2\1\1"),
            "file.so is truncated");
}

TEST_F(Kinds, LtoObjectsHideTheirCode) {
  NEED_TOOL("clang");
  using Words = std::vector<std::string>;
  struct Case {
    Words words;
    bool ir;
  };
  for (const Case &row : {Case{{"gcc"}, false}, Case{{"gcc", "-flto"}, true},
                          Case{{"gcc", "-flto", "-ffat-lto-objects"}, false},
                          Case{{"clang", "-flto"}, true}, Case{{"clang", "-flto=thin"}, true},
                          Case{{"clang-19", "-flto", "-ffat-lto-objects"}, false}}) {
    // Older clang has no fat objects.
    if (tool(row.words[0]).empty())
      continue;
    Words words = row.words;
    words.insert(words.end(), {"-c", source()});
    core::BinaryFacts facts = thoroughly(built(words));
    EXPECT_EQ(facts.compilerIr, row.ir) << llvm::join(words, " ");
    EXPECT_EQ(facts.kind, core::BinaryKind::Relocatable);
  }
}

TEST_F(Kinds, StaticCudartByItsLocalFunctions) { // SY-25
  NEED_TOOL("gcc");
  std::string hex = "0123456789abcdef0123456789abcdef01234567";
  auto facts = [&](const std::string &name, std::vector<std::string> flags = {}) {
    std::vector<std::string> words{"gcc", "-shared", "-fPIC",
                                   source("static int " + name +
                                          "(void) { return 1; }\n"
                                          "int (*a(void))(void) { return " +
                                          name + "; }\n")};
    words.insert(words.end(), flags.begin(), flags.end());
    return thoroughly(built(words));
  };
  EXPECT_TRUE(facts("libcudart_static_" + hex).staticCudart);
  EXPECT_FALSE(facts("libcudart_static_" + hex, {"-s"}).staticCudart);
  EXPECT_FALSE(facts("libcudart_static_" + hex + "0").staticCudart);
  EXPECT_FALSE(facts("libcudart_static_" + hex.substr(1) + "g").staticCudart);
  EXPECT_FALSE(facts("cudart_static_" + hex).staticCudart);
}

// The archive is one object, so all functions of its release are in the symbol table, local ones.
TEST_F(Kinds, ReleaseOfAStaticCudartByItsFunctions) { // SY-25
  NEED_TOOL("gcc");
  auto release = [&](const std::string &names, const std::string &more = "") {
    std::string text = "#define F(x) __attribute__((used)) static int x(void) { return 1; }\n"
                       "F(libcudart_static_0123456789abcdef0123456789abcdef01234567)\n";
    core::BinaryFacts facts =
        thoroughly(built({"gcc", "-shared", "-fPIC", source(text + names + more)}));
    return facts.cudartRelease.str();
  };
  EXPECT_EQ(release("F(cudaMalloc) F(cudaFree)"), "11.7") << "the oldest that was read";
  EXPECT_EQ(release("F(cudaMalloc) F(cudaGetDriverEntryPointByVersion)"), "12.5");
  EXPECT_EQ(release("F(cudaMemGetDefaultMemPool)"), "13.0");
  EXPECT_EQ(release("F(cudaOfMyOwn) F(my_cudaMemGetDefaultMemPool)"), "unknown");
  EXPECT_EQ(release("F(cudaMalloc)", "int cudaMemGetDefaultMemPool(void) { return 1; }\n"), "11.7")
      << "not local";
}

// A link reads the symbol table only where the imports may be those of a static cudart.
TEST_F(Kinds, StaticCudartAtALink) { // SY-25
  NEED_TOOL("gcc");
  std::string text = "extern void *dlsym(void *, const char *);\n"
                     "__attribute__((used)) static int "
                     "libcudart_static_0123456789abcdef0123456789abcdef01234567(void) {\n"
                     "  return 1; }\n";
  std::string opens = "void *f(void) { return dlsym(0, \"\"); }\n";
  auto has = [&](const std::string &path, bool cudart) {
    MemoryFile file(slurp(path));
    ReadOptions options;
    options.thorough = false;
    options.cudart = cudart;
    return llvm::cantFail(read(file, path, options)).staticCudart;
  };
  auto linked = [&](const std::string &c) {
    return built({"gcc", "-shared", "-fPIC", "-Wl,--no-as-needed", source(c), "-ldl"});
  };
  std::string with = linked(text + opens);
  EXPECT_TRUE(has(with, true));
  EXPECT_FALSE(has(with, false));
  EXPECT_FALSE(has(linked(text), true));
}

TEST_F(Kinds, ExportedFunctionsOfThatNameAreNotStaticCudart) {
  NEED_TOOL("gcc");
  core::BinaryFacts facts = thoroughly(
      built({"gcc", "-shared", "-fPIC",
             source("int libcudart_static_0123456789abcdef0123456789abcdef01234567(void) "
                    "{ return 1; }\n")}));
  EXPECT_FALSE(facts.staticCudart);
}

TEST_F(Kinds, HeadersAndSearchPathCostAFewReads) { // PF-T1
  NEED_TOOL("gcc");
  MemoryFile file(
      slurp(built({"gcc", "-shared", "-fPIC", "-s", source("char big[64 << 20] = {1};\n")})));
  ReadOptions options;
  options.exports = true;
  ASSERT_TRUE(bool(read(file, "x", options)));
  EXPECT_LT(file.bytesRead, 300u << 10);
  options = {};
  options.imports = options.thorough = false;
  file.bytesRead = 0;
  auto facts = read(file, "x", options);
  ASSERT_TRUE(bool(facts));
  EXPECT_TRUE(facts->imports.empty());
  EXPECT_LT(file.bytesRead, 100u << 10);
}
