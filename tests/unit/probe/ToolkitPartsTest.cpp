// SPDX-License-Identifier: Apache-2.0
#include "driver/probe/toolkit/NvccScript.h"
#include "driver/probe/toolkit/Packages.h"
#include "driver/probe/toolkit/Profile.h"
#include "driver/probe/toolkit/ToolVersion.h"
#include "tests/support/MemoryFiles.h"
#include <gmock/gmock.h>

using namespace cudacc;
using testing::ElementsAre;

namespace {

TEST(NvccScript, forms) {
  auto called = [](llvm::StringRef script) { return probe::nvccCalledBy(script).value_or("-"); };
  EXPECT_EQ(called("#!/bin/sh\nexec /a/nvcc \"$@\"\n"), "/a/nvcc");
  EXPECT_EQ(called("#!/bin/bash\nexec -a nvcc /a/bin/nvcc $*"), "/a/bin/nvcc");
  EXPECT_EQ(called("#!/bin/bash\nexec -a /b/nvcc \"/a/bin/nvcc\" \"$@\""), "/a/bin/nvcc");
  EXPECT_EQ(called("#!/bin/sh\nexec ccache /a/nvcc-12 \"$@\""), "/a/nvcc-12");
  EXPECT_EQ(called("#!/bin/sh\n/a/nvcc \"$@\"\n"), "/a/nvcc");
  EXPECT_EQ(called("#!/bin/sh\n# exec /a/nvcc \"$@\"\n"), "-");
  EXPECT_EQ(called("#!/bin/sh\nexec /a/nvcc --version\n"), "-");
  EXPECT_EQ(called("#!/bin/sh\nif x; then exec /a/nvcc \"$@\"\nelse exec /b/nvcc \"$@\"\nfi"), "-");
  EXPECT_EQ(called("#!/bin/sh\nexec $CUDA/nvcc \"$@\"\n"), "-");
  EXPECT_EQ(called(""), "-");
}

TEST(Profile, operatorsQuotesAndBounds) {
  auto profile = probe::parseProfile(
      "A = 1\nA ?= 2\nB ?= x\nINCLUDES += -I/last\n"
      "INCLUDES += \"-I/with blank/$(A)$(B)\" $(_SPACE_)\n"
      "INCLUDES =+ $(_SPACE_)-I /apart\nnonsense\n= \n$(\nLIBRARIES = -L$(NONE)/x",
      "/h", "");
  EXPECT_THAT(profile.includes, ElementsAre("/with blank/1x", "/last", "/apart"));
  EXPECT_THAT(profile.libraries, ElementsAre("/x"));
  std::string bomb = "A = xxxxxxxxxxxxxxxx\n";
  for (unsigned i = 0; i < 500; ++i)
    bomb += "A = $(A)$(A)\n";
  probe::parseProfile(bomb + "INCLUDES = -I$(A)", "/h", "");
}

TEST(ToolVersion, textAcrossChunks) {
  std::string text = "Cuda compilation tools, release 13.0, V13.0.88";
  for (size_t back : {1u, 20u, 45u, 46u, 47u, 100u}) {
    test::MemoryFiles files;
    files.file("/nvcc", std::string(500, '\0') + text + std::string((1 << 20) - back, '\0'));
    EXPECT_EQ(probe::readToolVersion("/nvcc", files).version, "13.0.88") << back;
  }
  test::MemoryFiles files;
  files.file("/a", "").file("/b", text).file("/c", "Cuda compilation tools, release ");
  EXPECT_FALSE(probe::readToolVersion("/a", files).cuda.known());
  EXPECT_EQ(probe::readToolVersion("/b", files).cuda.str(), "13.0");
  EXPECT_FALSE(probe::readToolVersion("/c", files).cuda.known());
}

TEST(Packages, versionInJson) {
  auto versionOf = [](const char *text) {
    test::MemoryFiles files;
    files.file("/cuda/version.json", text);
    return probe::versionInJson(probe::readVersionJson("/cuda", files), "cuda").str();
  };
  EXPECT_EQ(versionOf(R"({"cuda" : {"name": "a", "version" : "12.4.1"}})"), "12.4.1");
  EXPECT_EQ(versionOf(R"({"cuda": {"name": "a"}, "b": {"version": "1"}})"), "");
  EXPECT_EQ(versionOf("{\"cuda\": {\"version\": \"12.4.1\"}"), "") << "it is cut short";
  EXPECT_EQ(versionOf("\"cuda\""), "");
}

} // namespace
