// SPDX-License-Identifier: Apache-2.0
#include "driver/versions/Format.h"
#include "driver/versions/Arch.h"
#include "driver/versions/CudaVersion.h"
#include "driver/versions/Version.h"
#include <gmock/gmock.h>

using namespace cudacc;
using namespace cudacc::versions;

TEST(Format, takesTextsOfLlvm) {
  llvm::StringRef text = "torch and more";
  EXPECT_EQ(fmt::format("{}=={}", text.take_front(5), std::string("2.6.0")), "torch==2.6.0");
  EXPECT_EQ(fmt::format("[{}]", llvm::StringRef()), "[]");
}

TEST(Format, takesWhatStrWrites) {
  EXPECT_EQ(fmt::format("CUDA {}", CudaVersion{12, 4}), "CUDA 12.4");
  EXPECT_EQ(fmt::format("torch {}", *Version::parse("2.6.0+cu126")), "torch 2.6.0+cu126");
  EXPECT_EQ(fmt::format("{} or newer", Arch{90, 'a'}), "sm_90a or newer");
}

TEST(Format, alignsAsStrings) {
  EXPECT_EQ(fmt::format("{:>6}|{:<6}|", llvm::StringRef("12"), CudaVersion{12, 4}),
            "    12|12.4  |");
}

static_assert(!fmt::is_formattable<Specifier::Op>::value);
