// SPDX-License-Identifier: Apache-2.0
#include "driver/plan/command/Nvcc.h"
#include "tests/unit/plan/Calls.h"
#include <gmock/gmock.h>

using namespace cudacc;
using namespace cudacc::plan;
using testing::ElementsAre;
using testing::IsEmpty;

static NvccParts partsOf(const core::Invocation &call) {
  NvccParts parts;
  parts.call = &call;
  parts.command.program = "/cuda/bin/nvcc";
  parts.command.argv = {"/cuda/bin/nvcc"};
  return parts;
}

// F4: a compile line gets only the record.
TEST(Nvcc, compileLineGetsTheRecordBehindTheCallersWords) {
  core::Invocation call = callOf({"-c", "a.cu"});
  call.kind = core::CallKind::Compile;
  call.hasVariableFlags = true;
  NvccParts parts = partsOf(call);
  parts.recordHeader = "/s/r.h";
  core::Plan plan = planNvcc(parts);
  EXPECT_THAT(plan.command.argv.strings(),
              ElementsAre("/cuda/bin/nvcc", "-c", "a.cu", "-include", "/s/r.h"));
  EXPECT_THAT(plan.command.unset, IsEmpty());
  EXPECT_FALSE(plan.judgesOutput);
}

// EM-9: neither make nor the object depends on the header's path.
TEST(Nvcc, nothingElseDependsOnTheRecord) {
  core::Invocation call = callOf({"-MD", "-c", "a.cu"});
  call.lacksPhonyTargets = true;
  NvccParts parts = partsOf(call);
  EXPECT_THAT(planNvcc(parts).command.argv.strings(),
              ElementsAre("/cuda/bin/nvcc", "-MD", "-c", "a.cu"));
  parts.recordHeader = "/s/r.h";
  EXPECT_THAT(planNvcc(parts).command.argv.strings(),
              ElementsAre("/cuda/bin/nvcc", "-MD", "-c", "a.cu", "-include", "/s/r.h", "-MP"));
  core::Invocation host = callOf({"-c", "a.cpp"});
  host.dialect = core::Dialect::Nvcc;
  host.hostLacksPhonyTargets = host.namesHeaders = true;
  parts.call = &host;
  EXPECT_THAT(planNvcc(parts).command.argv.strings(),
              ElementsAre("/cuda/bin/nvcc", "-c", "a.cpp", "-include", "/s/r.h", "-Xcompiler",
                          "-MP", "-Xcompiler", "-fdebug-prefix-map=/s=/cuda-cc"));
}

// N9: nvcc's own error is unchanged.
TEST(Nvcc, nothingIsAddedBehindAnOptionThatMissesItsValue) {
  core::Invocation call = callOf({"-c", "a.cu", "-o"});
  call.danglingOption = true;
  NvccParts parts = partsOf(call);
  parts.recordHeader = "/s/r.h";
  EXPECT_THAT(planNvcc(parts).command.argv.strings(),
              ElementsAre("/cuda/bin/nvcc", "-c", "a.cu", "-o"));
}

// R11: exactly one -ccbin, ours, wherever the caller's was; with R10.
TEST(Nvcc, linkLineGetsOneCcbin) {
  core::Invocation call = callOf({"a.o", "-ccbin", "g++", "-o", "a"});
  call.ccbinWords = {1, 2};
  NvccParts parts = partsOf(call);
  parts.ccbin = "/s/bin/g++";
  EXPECT_THAT(planNvcc(parts).command.argv.strings(),
              ElementsAre("/cuda/bin/nvcc", "-ccbin=/s/bin/g++", "a.o", "-o", "a"));
  call.hasVariableFlags = true;
  EXPECT_THAT(planNvcc(parts).command.unset,
              ElementsAre("NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS"));
}

// R13: lines that plain nvcc rejects may work.
TEST(Nvcc, forwardsLinkerOptionsOnLinkLines) {
  core::Invocation call = callOf({"a.o", "-Wl,-soname,x"});
  call.needsForwarding = true;
  NvccParts parts = partsOf(call);
  parts.ccbin = "/s/bin";
  EXPECT_THAT(planNvcc(parts).command.argv.strings(),
              ElementsAre("/cuda/bin/nvcc", "-ccbin=/s/bin", "-forward-unknown-to-host-compiler",
                          "a.o", "-Wl,-soname,x"));
  call.kind = core::CallKind::Compile;
  EXPECT_THAT(planNvcc(parts).command.argv.strings(),
              ElementsAre("/cuda/bin/nvcc", "-ccbin=/s/bin", "a.o", "-Wl,-soname,x"));
}

// R36: only variables that another nvcc exported are removed, and only below one.
TEST(Nvcc, leakedVariablesAreThoseOfAnOuterNvcc) {
  llvm::StringRef outer[] = {"HOME=/h", "_HERE_=/c/bin", "TOP=/c", "INCLUDES=-I", "PATH=/bin"};
  EXPECT_THAT(leakedByNvcc(outer), ElementsAre("TOP", "INCLUDES", "_HERE_"));
  llvm::StringRef users[] = {"INCLUDES=-Imine", "LIBRARIES=x"};
  EXPECT_THAT(leakedByNvcc(users), IsEmpty());
}

TEST(Nvcc, namesNoPathThatNvccWouldSplit) {
  EXPECT_TRUE(nvccCanName("/home/ü ser/$x/r.h"));
  for (const char *path : {"/a,b", "/a'b", "/a\"b", "/a\\b"})
    EXPECT_FALSE(nvccCanName(path)) << path;
  EXPECT_TRUE(nvccCanName("/a,b", /*inList=*/false));
  for (const char *path : {"/a'b", "/$x", "/$(id)", "/a\nb"})
    EXPECT_FALSE(nvccCanName(path, /*inList=*/false)) << path;
  EXPECT_FALSE(nvccCanName("/\xff\xfe/r.h"));
  EXPECT_TRUE(nvccCanName("/\xff\xfe/gcc", /*inList=*/false));
}

TEST(Nvcc, rootsThatItsShellCommandsSurvive) {
  for (const char *path : {"/a b", "/it's", "/a\"b", "/a,b", "/a\\b", "/\xc3\xa4"})
    EXPECT_TRUE(plan::nvccCanLieIn(path)) << path;
  for (const char *path : {"/a$b", "/a`b", "/a\nb"})
    EXPECT_FALSE(plan::nvccCanLieIn(path)) << path;
}
