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
  bool exists(llvm::StringRef path) { return files.stat(path).exists(); }
};
} // namespace

TEST_F(Output, whatTheLinkMadeIsRemoved) {
  files.file("/project/out", "old");
  OutputFile output(files, call);
  files.file("/project/out", "new and longer");
  output.written();
  EXPECT_TRUE(output.isMade());
  output.remove();
  EXPECT_FALSE(exists("out"));
}

TEST_F(Output, whatLayThereAlreadyStays) {
  files.file("/project/out", "old");
  OutputFile output(files, call);
  output.written();
  EXPECT_FALSE(output.isMade());
  output.remove();
  EXPECT_TRUE(exists("out"));
}

TEST_F(Output, theDefaultNameIsAnOutputToo) {
  call.output.reset();
  OutputFile output(files, call);
  files.file("/project/a.out", "new");
  output.written();
  output.remove();
  EXPECT_FALSE(exists("a.out"));
}

TEST_F(Output, aFileOfAnotherProcessStays) {
  OutputFile output(files, call);
  files.file("/project/out", "ours");
  output.written();
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
  object.written();
  object.remove();
  EXPECT_TRUE(exists("main.o"));

  files.file("/project/k.cu").symlink("/project/link", "k.cu");
  call.sources.push_back("k.cu");
  call.output = "link";
  OutputFile source(files, call);
  files.file("/project/k.cu", "written over");
  source.written();
  source.remove();
  EXPECT_TRUE(exists("k.cu"));
  EXPECT_TRUE(exists("link"));
}

TEST_F(Output, whatIsNoRegularFileStays) {
  files.other("/project/out");
  OutputFile output(files, call);
  output.written();
  EXPECT_FALSE(output.isMade());
  output.remove();
  EXPECT_TRUE(exists("out"));
}
