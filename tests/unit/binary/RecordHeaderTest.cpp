// SPDX-License-Identifier: Apache-2.0
#include "Support.h"
#include "llvm/ADT/StringExtras.h"

using namespace cudacc;
using namespace cudacc::binary;
using namespace cudacc::binary::test;

namespace {
class RecordHeader : public testing::Test {
protected:
  Scratch scratch;
  core::ObjectRecord record = fullObject();

  /// Compiles with the forced header; the object must contain the record once, and the compiler
  /// must print nothing.
  void accepts(std::vector<std::string> words, const std::string &source) {
    std::string o = scratch / "out.o", h = scratch.write("record.h", recordHeader(record));
    words.insert(words.end(), {"-include", h, "-c", source, "-o", o});
    Ran ran = run(words);
    ASSERT_EQ(ran.status, 0) << llvm::join(words, " ") << "\n" << ran.text;
    EXPECT_EQ(ran.text, "") << llvm::join(words, " ");
    core::BinaryFacts facts = readFile(o);
    EXPECT_TRUE(facts.manifest.problems.empty());
    ASSERT_EQ(facts.manifest.objects.size(), 1u) << llvm::join(words, " ");
    EXPECT_EQ(facts.manifest.objects[0].first, record);
    EXPECT_EQ(facts.manifest.objects[0].second, 1u);
  }
  std::string c() { return scratch.write("a.c", "int f(void);\nint f(void) { return 1; }\n"); }
  std::string cxx() { return scratch.write("a.cpp", "int f();\nint f() { return 1; }\n"); }
  std::string cu() {
    return scratch.write("a.cu", "__global__ void k() {}\nvoid f();\nvoid f() { }\n");
  }
};
} // namespace

TEST_F(RecordHeader, Gcc) { // EM-1
  NEED_TOOL("gcc");
  accepts({"gcc", "-std=c89", "-pedantic", "-Wall", "-Wextra", "-Werror"}, c());
  accepts({"gcc", "-O2", "-g3", "-masm=intel"}, c());
}

TEST_F(RecordHeader, Gxx) { // EM-1
  NEED_TOOL("g++");
  accepts({"g++", "-std=c++20", "-pedantic", "-Wall", "-Wextra", "-Werror"}, cxx());
  accepts({"g++", "-std=c++98", "-pedantic", "-Wall", "-Wextra", "-Werror"}, cxx());
}

TEST_F(RecordHeader, Clang) { // EM-1
  for (std::string version : {"", "-19"}) {
    if (tool("clang" + version).empty())
      continue;
    accepts({"clang" + version, "-std=c89", "-pedantic", "-Weverything", "-Werror"}, c());
    accepts({"clang++" + version, "-std=c++20", "-Weverything", "-Wno-c++98-compat", "-Werror"},
            cxx());
    accepts({"clang" + version, "--target=aarch64-linux-gnu"}, c());
    accepts({"clang" + version, "-fno-integrated-as"}, c());
  }
}

TEST_F(RecordHeader, ClangAsCudaCompiler) { // EM-1
  NEED_TOOL("clang++");
  std::string plain = scratch.write("b.cu", "int f() { return 1; }\n");
  std::vector<std::string> line{"-x",
                                "cuda",
                                "-nocudainc",
                                "-nocudalib",
                                "--cuda-gpu-arch=sm_70",
                                "-Wno-unknown-cuda-version"};
  std::vector<std::string> host{"clang++"}, device{"clang++"};
  host.insert(host.end(), line.begin(), line.end());
  host.push_back("--cuda-host-only");
  accepts(host, plain);
  device.insert(device.end(), line.begin(), line.end());
  device.insert(device.end(), {"--cuda-device-only", "-S", "-include",
                               scratch.write("record.h", recordHeader(record)), plain, "-o",
                               scratch / "out.ptx"});
  Ran ran = run(device);
  EXPECT_EQ(ran.status, 0) << ran.text;
}

TEST_F(RecordHeader, Nvcc) { // EM-1
  const char *named = getenv("CUDACC_TEST_NVCC");
  std::string nvcc = named ? named : tool("nvcc");
  if (nvcc.empty())
    GTEST_SKIP() << "no nvcc";
  accepts({nvcc}, cu());
  accepts({nvcc, "-dc", "-std=c++17", "-Xcompiler", "-Wall,-Wextra,-Werror"}, cu());
}

TEST_F(RecordHeader, LongRecordsStayPedanticallyClean) {
  NEED_TOOL("gcc");
  record.host = std::string(3000, 'h');
  accepts({"gcc", "-std=c89", "-pedantic", "-Werror"}, c());
  if (!tool("clang-19").empty())
    accepts({"clang-19", "-std=c89", "-pedantic", "-Weverything", "-Werror"}, c());
}

TEST_F(RecordHeader, IncludingItTwiceIsHarmless) {
  NEED_TOOL("gcc");
  std::string h = scratch.write("again.h", recordHeader(record));
  accepts({"gcc", "-std=c89", "-pedantic", "-Werror", "-include", h}, c());
}

TEST_F(RecordHeader, AssemblerInputsSeeNothing) {
  NEED_TOOL("gcc");
  std::string h = scratch.write("record.h", recordHeader(record)), o = scratch / "out.o";
  std::string s = scratch.write("a.S", "nop\n");
  Ran ran = run({"gcc", "-include", h, "-c", s, "-o", o});
  EXPECT_EQ(ran.status, 0) << ran.text;
  EXPECT_TRUE(readFile(o).manifest.empty());
}

TEST_F(RecordHeader, TheDeviceSideSeesTheContentsName) { // EM-1
  NEED_TOOL("gcc");
  std::string h = scratch.write("record.h", recordHeader(record));
  Ran device = run({"gcc", "-E", "-P", "-D__CUDA_ARCH__=900", "-include", h, c()});
  EXPECT_NE(device.text.find("struct cuda_cc_note_" + recordName(record) + ";"), std::string::npos);
  EXPECT_EQ(device.text.find("pushsection"), std::string::npos);
  core::ObjectRecord other = record;
  other.headers = "12.5";
  EXPECT_NE(recordName(other), recordName(record));
  EXPECT_EQ(recordName(record).size(), 16u);
}

TEST_F(RecordHeader, QuotesAndOtherBytesOfARecordStayText) {
  NEED_TOOL("gcc");
  record.host = "gcc %s {a|b} /* */ $x";
  accepts({"gcc", "-std=c89", "-pedantic", "-Werror"}, c());
  if (!tool("clang").empty())
    accepts({"clang", "-std=c89", "-pedantic", "-Werror"}, c());
}
