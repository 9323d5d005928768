// SPDX-License-Identifier: Apache-2.0
#include "Support.h"
#include "driver/binary/elf/Damage.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include <gmock/gmock.h>

using namespace cudacc;
using namespace cudacc::binary;
using namespace cudacc::binary::test;
using namespace llvm::ELF;
using Ends = Damage::Ends;

namespace {
class Truncated : public testing::Test {
protected:
  Scratch scratch;

  std::string library(std::vector<std::string> words) {
    // Data of several pages, so that a truncated file can have intact tables.
    std::string c = scratch.write(
        "a.c", "#include <stdio.h>\nint data[9000] = {1}, zero[3000];\nconst char text[9000] = "
               "\"x\";\nint f(void) { return puts(\"x\") + data[3] + zero[4] + text[2]; }\n"
               "int lonely[9000] = {1};\n");
    words.insert(words.begin(), {"gcc", "-shared", "-fPIC", c});
    words.insert(words.end(), {"-o", scratch / "liba.so"});
    Ran ran = run(words);
    EXPECT_EQ(ran.status, 0) << ran.text;
    return slurp(scratch / "liba.so");
  }

  /// Offsets around every boundary in the headers, and some between them.
  static std::vector<uint64_t> cuts(const std::string &bytes) {
    Elf64_Ehdr header;
    std::memcpy(&header, bytes.data(), sizeof(header));
    std::vector<uint64_t> at{0, 1, 19, 20, 63, 64, 65, header.e_shoff, header.e_shoff + 1};
    at.push_back(header.e_phoff + header.e_phnum * sizeof(Elf64_Phdr));
    at.push_back(at.back() - 1);
    for (unsigned i = 0; i != header.e_phnum; ++i) {
      Elf64_Phdr segment;
      std::memcpy(&segment, bytes.data() + header.e_phoff + i * sizeof(segment), sizeof(segment));
      uint64_t begin = segment.p_offset, end = begin + segment.p_filesz;
      for (uint64_t each : {begin, end, (begin + end) / 2, begin & -4096, end & -4096})
        for (int more : {-1, 0, 1})
          at.push_back(each + more);
    }
    for (uint64_t each = 4096; each < bytes.size(); each += std::max<size_t>(bytes.size() / 60, 1))
      at.push_back(each);
    at.push_back(bytes.size() - 1);
    at.push_back(bytes.size());
    llvm::erase_if(at, [&](uint64_t each) { return each > bytes.size(); });
    llvm::sort(at);
    at.erase(llvm::unique(at), at.end());
    return at;
  }

  static std::optional<Damage> found(llvm::StringRef content) {
    MemoryFile file(content.str());
    Bytes bytes(file, "/x/cut.so", 0, file.size());
    return llvm::cantFail(findTruncation(bytes));
  }

  /// \p zeros: the number of offsets at which only the rest of a page is missing, so that both
  /// results are possible.
  void holdsAgainstTheLoader(const std::string &bytes) {
    std::string whole = opened(scratch.write("cut.so", bytes));
    ASSERT_EQ(whole, "") << "the whole file has to load";
    std::map<Ends, unsigned> seen;
    unsigned loads = 0;
    for (uint64_t size : cuts(bytes)) {
      llvm::StringRef part = llvm::StringRef(bytes).take_front(size);
      if (size < 4)
        continue;
      SCOPED_TRACE("0x" + llvm::utohexstr(size));
      std::optional<Damage> truncation = found(part);
      std::string said = opened(scratch.write("cut.so", part));
      MemoryFile file(part.str());
      std::string problem = problemOf(file);
      if (!truncation) {
        EXPECT_EQ(said, "");
        EXPECT_EQ(problem, "");
        ++loads;
        continue;
      }
      EXPECT_EQ(problem, "cut.so is truncated");
      ++seen[truncation->ends];
      switch (truncation->ends) {
      case Ends::Refused:
        EXPECT_EQ(said, truncation->words);
        break;
      case Ends::Loading:
        EXPECT_THAT(said, testing::AnyOf("signal 7", "signal 11"));
        break;
      case Ends::Later:
        loadsThough += said.empty();
        break;
      case Ends::Unknown:
        break;
      }
    }
    EXPECT_GE(loads, 2u) << "cut behind the last segment";
    EXPECT_GE(seen[Ends::Refused], 3u);
    EXPECT_GE(seen[Ends::Loading], 5u);
    ends = seen;
  }
  std::map<Ends, unsigned> ends;
  unsigned loadsThough = 0;

  static std::string problemOf(MemoryFile &file) {
    ReadOptions options;
    options.exports = true;
    auto facts = read(file, "cut.so", options);
    return facts ? "" : core::toFinding(facts.takeError()).message;
  }
};

TEST_F(Truncated, asLdSoHasIt) {
  NEED_TOOL("gcc");
  holdsAgainstTheLoader(library({}));
}

// Without .bss nothing accesses the last pages while the file is loaded.
TEST_F(Truncated, whatIsTouchedLaterLoads) {
  NEED_TOOL("gcc");
  std::string c = scratch.write("b.c", "int data[9000] = {1};\n");
  Ran ran = run({"gcc", "-shared", "-fPIC", "-nostdlib", c, "-o", scratch / "libb.so"});
  ASSERT_EQ(ran.status, 0) << ran.text;
  holdsAgainstTheLoader(slurp(scratch / "libb.so"));
  EXPECT_GE(ends[Ends::Later], 3u);
  // The others are truncated within the dynamic section, whose rest then reads as zeros.
  EXPECT_GE(loadsThough, ends[Ends::Later] * 3 / 4);
}

TEST_F(Truncated, withOneSegmentForAll) {
  NEED_TOOL("gcc");
  holdsAgainstTheLoader(library({"-Wl,-z,noseparate-code", "-Wl,-z,norelro"}));
}

TEST_F(Truncated, ofOtherLinkers) {
  for (const char *linker : {"gold", "lld"}) {
    NEED_TOOL(std::string("ld.") + linker);
    holdsAgainstTheLoader(library({std::string("-fuse-ld=") + linker}));
  }
}

TEST_F(Truncated, facts) {
  NEED_TOOL("gcc");
  std::string bytes = library({});
  core::BinaryFacts whole = readBytes(bytes);
  Elf64_Ehdr header;
  std::memcpy(&header, bytes.data(), sizeof(header));
  core::BinaryFacts cut = readBytes(bytes.substr(0, header.e_shoff + 100));
  EXPECT_EQ(cut.needed, whole.needed);
  EXPECT_EQ(cut.imports.size(), whole.imports.size());
  EXPECT_EQ(readError(bytes.substr(0, 9000)), "file.so is truncated");
}

TEST_F(Truncated, messages) {
  auto text = [](Damage truncation) {
    core::Finding finding = damageFinding(truncation, "/w/libx.so");
    std::string out = str(finding.code) + " " + finding.message;
    for (const core::Fact &fact : finding.facts)
      out += "; " + fact.label + " " + fact.text;
    return out;
  };
  EXPECT_EQ(text({Ends::Refused, "file too short", "", 3}),
            "CC4123 libx.so is truncated; file /w/libx.so; size 3 bytes; "
            "loader /w/libx.so: file too short");
  EXPECT_EQ(text({Ends::Loading, "", "", 4096, 9000}),
            "CC4123 libx.so is truncated; file /w/libx.so; size 4096 bytes; its segments end at "
            "9000; loader maps it and gets SIGBUS or SIGSEGV, which ends the process");
  EXPECT_THAT(text({Ends::Later, "", "", 4096, 9000}), testing::StartsWith("CC4123"));
  EXPECT_THAT(text({Ends::Unknown, "", "", 8999, 9000}), testing::StartsWith("CC2014"));
  EXPECT_EQ(text({Ends::Refused, "ELF file OS ABI invalid", "the loader refuses its headers"}),
            "CC4123 libx.so is damaged; file /w/libx.so; because the loader refuses its headers; "
            "loader /w/libx.so: ELF file OS ABI invalid");
  EXPECT_EQ(text({Ends::Unknown, "", "it has more than one dynamic section"}),
            "CC2014 libx.so is damaged; file /w/libx.so; because it has more than one dynamic "
            "section");
}

// A device's ELF file, a relocatable object, a core dump are not mapped by a loader.
TEST_F(Truncated, otherFilesAreNotMeant) {
  NEED_TOOL("gcc");
  std::string bytes = library({});
  for (auto [at, value] : {std::pair(16, 1), {16, 4}, {18, 190}, {4, 1}}) {
    std::string other = bytes.substr(0, 5000);
    other[at] = char(value);
    EXPECT_FALSE(found(other)) << at;
  }
  EXPECT_FALSE(found("text"));
  EXPECT_FALSE(found(""));
}
} // namespace
