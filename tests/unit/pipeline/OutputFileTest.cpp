// SPDX-License-Identifier: Apache-2.0
#include "driver/pipeline/OutputFile.h"
#include "tests/support/MemoryFiles.h"
#include <gmock/gmock.h>

using namespace cudacc;
using namespace cudacc::pipeline;
using core::LinkInput;

namespace {
struct Output : testing::Test {
  test::MemoryFiles files;
  core::Invocation call;
  Output() {
    call.kind = core::CallKind::Link;
    call.output = "out";
    files.file("/project/main.o");
    call.linkInputs.push_back({LinkInput::Kind::File, "main.o", 0, false});
  }
  void written(OutputFile &output) { EXPECT_FALSE(llvm::errorToBool(output.written())); }
  bool exists(llvm::StringRef path) { return files.stat(path).exists(); }
};
} // namespace

TEST_F(Output, whatTheLinkMadeIsRemoved) {
  files.file("/project/out", "old");
  OutputFile output(files, call);
  files.file("/project/out", "new and longer");
  written(output);
  EXPECT_TRUE(output.isMade());
  output.remove();
  EXPECT_FALSE(exists("out"));
}

TEST_F(Output, whatLayThereAlreadyStays) {
  files.file("/project/out", "old");
  OutputFile output(files, call);
  written(output);
  EXPECT_FALSE(output.isMade());
  output.remove();
  EXPECT_TRUE(exists("out"));
}

TEST_F(Output, whatWasWrittenOverWithinOneTimeStepIsRemovedIfItsContentShowsIt) {
  files.file("/project/out", "old");
  OutputFile output(files, call);
  files.node("/project/out")->content = "new";
  written(output);
  EXPECT_FALSE(output.isMade());
  output.confirmMade();
  output.remove();
  EXPECT_FALSE(exists("out"));
}

TEST_F(Output, aFileOfWhichNothingCouldBeDeterminedStaysAndIsAnError) {
  OutputFile output(files, call);
  files.file("/project/out", "new");
  files.unsearchable.insert("/project");
  EXPECT_TRUE(llvm::errorToBool(output.written()));
  files.unsearchable.clear();
  output.confirmMade();
  output.remove();
  EXPECT_TRUE(exists("out"));

  files.unsearchable.insert("/project");
  OutputFile before(files, call);
  files.unsearchable.clear();
  written(before);
  EXPECT_FALSE(before.isMade());
}

TEST_F(Output, theFileBehindALinkIsRemovedAndTheLinkStays) {
  files.file("/project/real/out", "old").symlink("/project/out", "real/out");
  OutputFile output(files, call);
  files.file("/project/real/out", "new");
  written(output);
  output.remove();
  EXPECT_FALSE(exists("real/out"));
  EXPECT_TRUE(files.readLink("out").has_value());
}

TEST_F(Output, theDefaultNameIsAnOutputToo) {
  call.output.reset();
  OutputFile output(files, call);
  files.file("/project/a.out", "new");
  written(output);
  output.remove();
  EXPECT_FALSE(exists("a.out"));
}

TEST_F(Output, aFileOfAnotherProcessStays) {
  OutputFile output(files, call);
  files.file("/project/out", "ours");
  written(output);
  files.remove("/project/out");
  files.file("/project/out", "theirs");
  files.node("/project/out")->inode += 1000;
  output.remove();
  EXPECT_TRUE(exists("out"));
}

TEST_F(Output, anInputStays) {
  call.output = "main.o";
  OutputFile object(files, call);
  files.file("/project/main.o", "written over");
  written(object);
  object.remove();
  EXPECT_TRUE(exists("main.o"));

  files.file("/project/k.cu").symlink("/project/link", "k.cu");
  call.sources.push_back("k.cu");
  call.output = "link";
  OutputFile source(files, call);
  files.file("/project/k.cu", "written over");
  written(source);
  source.remove();
  EXPECT_TRUE(exists("k.cu"));
  EXPECT_TRUE(exists("link"));
}

TEST_F(Output, whatIsNoRegularFileStays) {
  files.other("/project/out");
  OutputFile output(files, call);
  written(output);
  EXPECT_FALSE(output.isMade());
  output.remove();
  EXPECT_TRUE(exists("out"));
}
