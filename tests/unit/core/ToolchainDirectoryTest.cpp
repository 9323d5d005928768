#include "driver/core/ToolchainDirectory.h"
#include <gmock/gmock.h>

using namespace cudacc::core;
using Kind = Origin::Kind;

static Declaration declared(const char *runtime, Kind kind, Enforce enforce, Kind enforceKind) {
  Declaration declaration;
  declaration.runtime.push_back({runtime, {kind, "", 0, 0}});
  declaration.enforce = {enforce, {enforceKind, "", 0, 0}};
  return declaration;
}

TEST(ToolchainDirectory, survivesItsOwnForm) {
  ToolchainDirectory directory;
  directory.declaration = declared("torch==2.5.1", Kind::File, Enforce::Warn, Kind::Option);
  directory.declaration.installDir = {"pkg\tsub", {Kind::Variable, "X", 0, 0}};
  directory.declarationFile = "/p/cuda-cc.toml";
  directory.nvcc = "/c/bin/nvcc";
  directory.compilers = {{"g++", "/usr/bin/g++"}};
  auto read = ToolchainDirectory::parse(directory.serialise());
  ASSERT_TRUE(read);
  EXPECT_EQ(read->serialise(), directory.serialise());
  EXPECT_EQ(*read->compiler("g++"), "/usr/bin/g++");
  EXPECT_EQ(read->compiler("gcc"), nullptr);
  EXPECT_EQ(read->declaration.installDir->value, "pkg\tsub");
  EXPECT_FALSE(ToolchainDirectory::parse("cuda-cc-toolchain\t99\tanonymous\n"));
  EXPECT_FALSE(ToolchainDirectory::parse(""));
}

// F17: the file as it is now, under what the call that made the directory said by options.
TEST(ToolchainDirectory, anOptionOfTheCallWinsOverFileAndVariable) {
  ToolchainDirectory directory;
  directory.declaration = declared("torch==2.5.1", Kind::Option, Enforce::Warn, Kind::Option);
  Declaration now = declared("cuda==12.6", Kind::Variable, Enforce::Toolkit, Kind::None);
  Declaration over = directory.over(now);
  EXPECT_EQ(over.runtime[0].value, "torch==2.5.1");
  EXPECT_EQ(over.enforce.value, Enforce::Warn);
}

TEST(ToolchainDirectory, aVariableOfNowWinsOverOneOfThen) {
  ToolchainDirectory directory;
  directory.declaration = declared("cuda==12.4", Kind::Variable, Enforce::Off, Kind::Variable);
  EXPECT_EQ(directory.over(declared("cuda==12.6", Kind::Variable, Enforce::Toolkit, Kind::Variable))
                .runtime[0]
                .value,
            "cuda==12.6");
  EXPECT_EQ(directory.over({}).runtime[0].value, "cuda==12.4");
  EXPECT_EQ(directory.over({}).enforce.value, Enforce::Off);
}

TEST(ToolchainDirectory, theFileAsItIsNowWinsOverTheFileOfThen) {
  ToolchainDirectory directory;
  directory.declaration = declared("cuda==12.4", Kind::File, Enforce::Off, Kind::File);
  Declaration over =
      directory.over(declared("cuda==12.6", Kind::File, Enforce::Toolkit, Kind::None));
  EXPECT_EQ(over.runtime[0].value, "cuda==12.6");
  EXPECT_EQ(over.enforce.value, Enforce::Toolkit);
}
