// SPDX-License-Identifier: Apache-2.0
#include "driver/plan/command/Edit.h"
#include "tests/unit/plan/Calls.h"
#include <gmock/gmock.h>

using namespace cudacc;
using namespace cudacc::plan;
using testing::ElementsAre;

static std::vector<std::string> applied(const core::Invocation &call, const Edits &edits) {
  core::ArgList words;
  apply(call, edits, words);
  return words.strings();
}

TEST(Edit, leavesEveryWordInPlace) {
  core::Invocation call = callOf({"-DS=\"x y\"", "", "a b.cpp", "@args.rsp"});
  Edits edits;
  edits.prefix = {"-first"};
  edits.suffix = {"-last"};
  EXPECT_THAT(applied(call, edits),
              ElementsAre("-first", "-DS=\"x y\"", "", "a b.cpp", "@args.rsp", "-last"));
}

TEST(Edit, replacesAndDropsByIndex) {
  core::Invocation call = callOf({"-ccbin", "g++", "a.o", "-lX"});
  Edits edits;
  edits.drop = {0, 1};
  edits.replace[3] = {"/lib/libX.so.12"};
  EXPECT_THAT(applied(call, edits), ElementsAre("a.o", "/lib/libX.so.12"));
}

// R9: arguments in a response file are checked and edited like those of the line.
TEST(Edit, writesOutAResponseFileOnlyWhenItIsTouched) {
  core::Invocation call = callOf({"@untouched.rsp", "@touched.rsp", "-o", "x"});
  spread(call, 0, {"a.o", "b.o"});
  spread(call, 1, {"c.o", "-lnvJitLink"});
  Edits edits;
  edits.replace[3] = {"/n/libnvJitLink.so.12"};
  EXPECT_THAT(applied(call, edits),
              ElementsAre("@untouched.rsp", "c.o", "/n/libnvJitLink.so.12", "-o", "x"));
}

// `--options-file F` is two arguments; the words of F are counted to the first.
TEST(Edit, writesOutAnOptionsFileOfTwoArguments) {
  core::Invocation call = callOf({"--options-file", "f.txt", "a.o"});
  call.words = {{"-ccbin", core::Word::Source::ResponseFile, 0},
                {"g++", core::Word::Source::ResponseFile, 0},
                {"b.o", core::Word::Source::ResponseFile, 0},
                {"a.o", core::Word::Source::Argv, 2}};
  Edits edits;
  edits.drop = {0, 1};
  EXPECT_THAT(applied(call, edits), ElementsAre("b.o", "a.o"));
  EXPECT_THAT(applied(call, Edits{}), ElementsAre("--options-file", "f.txt", "a.o"));
}

// R10: PREPEND goes before the line, APPEND after it.
TEST(Edit, mergesVariables) {
  core::Invocation call = callOf({"a.cu"});
  call.words.insert(call.words.begin(), {"-O2", core::Word::Source::Prepend, 0});
  call.words.push_back({"-ccbin=g++", core::Word::Source::Append, 0});
  Edits edits;
  edits.mergeVariables = true;
  edits.drop = {2};
  EXPECT_THAT(applied(call, edits), ElementsAre("-O2", "a.cu"));
  EXPECT_THAT(applied(call, Edits{}), ElementsAre("a.cu"));
}

// A long response file stays one, because the kernel limits the length of the command line.
TEST(Edit, writesALongResponseFileAnew) {
  core::Invocation call = callOf({"@long.rsp", "-o", "x"});
  std::vector<llvm::StringRef> words(9000, "directory/object.o");
  words.push_back("a b\\\"c'.o");
  words.push_back("-lnvJitLink");
  spread(call, 0, words);
  Edits edits;
  edits.scratch = "/tmp/cuda-cc-7-";
  edits.replace[9001] = {"/n/libnvJitLink.so.12"};
  core::ArgList out;
  std::vector<core::PlannedFile> files;
  apply(call, edits, out, &files);
  EXPECT_THAT(out.strings(), ElementsAre("@/tmp/cuda-cc-7-0.rsp", "-o", "x"));
  ASSERT_EQ(files.size(), 1u);
  EXPECT_EQ(files[0].path, "/tmp/cuda-cc-7-0.rsp");
  EXPECT_TRUE(llvm::StringRef(files[0].content)
                  .ends_with("object.o\na\\ b\\\\\\\"c\\'.o\n/n/libnvJitLink.so.12\n"))
      << files[0].content.substr(files[0].content.size() - 60);
}
