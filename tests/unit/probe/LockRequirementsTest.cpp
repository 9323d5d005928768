// SPDX-License-Identifier: Apache-2.0
#include "driver/core/Diagnostic.h"
#include "driver/probe/lock/Lock.h"
#include "tests/support/MemoryFiles.h"
#include <gmock/gmock.h>

using namespace cudacc;
using namespace cudacc::core;
using namespace cudacc::versions;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

struct RequirementsLock : testing::Test {
  test::MemoryFiles files;
  MarkerEnvironment environment = MarkerEnvironment::linux("x86_64");

  llvm::Expected<LockReading> ask(const std::string &text) {
    files.file("/w/requirements.txt", text);
    return probe::readLock("/w/requirements.txt", environment, files);
  }
  std::vector<std::string> pins(const std::string &text) {
    std::vector<std::string> all;
    auto lock = ask(text);
    if (!lock) {
      ADD_FAILURE() << toFinding(lock.takeError()).message;
      return all;
    }
    for (const LockedPackage &each : lock->packages)
      all.push_back(each.name + " " + each.version.str() + " " + each.place() +
                    (each.applies == Truth::Unknown ? "?" : ""));
    return all;
  }
  std::string refusal(const std::string &text) {
    auto lock = ask(text);
    if (!lock) {
      Finding finding = toFinding(lock.takeError());
      EXPECT_EQ(finding.code, Code::BrokenConfig);
      return finding.message + ": " + (finding.facts.empty() ? "" : finding.facts[0].text);
    }
    ADD_FAILURE() << "was read";
    return {};
  }
};

} // namespace

TEST_F(RequirementsLock, PinsWithHashesMarkersAndComments) {
  EXPECT_THAT(pins("\xEF\xBB\xBF# made by pip-compile\r\n"
                   "--index-url https://index.example.org/simple\n-f /wheels\n-e ./here\n"
                   "NVIDIA_nvjitlink.cu12==12.4.127 \\\n    --hash=sha256:aa \\\n"
                   "    --hash=sha256:bb\n    # via torch\n"
                   "torch[opt] == 2.5.1 ; sys_platform == 'linux' # why\n"
                   "gone==1; sys_platform == 'win32'\n"
                   "later===1.0 ; python_version >= '3.12'\n"
                   "ranged>=2,<3\nprefix==2.*\n"),
              ElementsAre("nvidia-nvjitlink-cu12 12.4.127 requirements.txt:5",
                          "torch 2.5.1 requirements.txt:9", "later 1.0 requirements.txt:11?"));
}

TEST_F(RequirementsLock, FilesAndUrlsSayTheirVersions) {
  EXPECT_THAT(
      pins("torch @ https://x/cu124/torch-2.5.1%2Bcu124-cp311-cp311-linux_x86_64.whl#sha256=aa\n"
           "https://x/nvidia_nccl_cu12-2.21.5-py3-none-manylinux2014_x86_64.whl\n"
           "./wheels/nvidia_cublas_cu12-12.4.5.8-py3-none-manylinux2014_x86_64.whl ; "
           "platform_machine == 'x86_64'\n"
           "./wheels/gone-1-py3-none-any.whl ; platform_machine == 'aarch64'\n"
           "../other\ngit+https://x/y.git\n"),
      ElementsAre("torch 2.5.1+cu124 requirements.txt:1",
                  "nvidia-nccl-cu12 2.21.5 requirements.txt:2",
                  "nvidia-cublas-cu12 12.4.5.8 requirements.txt:3"));
}

TEST_F(RequirementsLock, IndexesOfPyTorchSayTheBuild) {
  std::string torch = "torch==2.9.0\nnvidia-nccl-cu12==2.21.5\n";
  auto first = [&](const std::string &text) { return pins(text).at(0); };
  EXPECT_EQ(first("--index-url https://x/whl/cu126\n" + torch),
            "torch 2.9.0+cu126 requirements.txt:2");
  EXPECT_EQ(first(torch + "-i https://x/whl/cpu/\n"), "torch 2.9.0+cpu requirements.txt:1");
  EXPECT_EQ(first("--extra-index-url=https://x/cu130\n--find-links https://x/cu126\n" + torch),
            "torch 2.9.0+cu130 requirements.txt:3");
  files.file("/w/limits.txt", "torch==2.9.0\n");
  EXPECT_EQ(first("-f https://x/rocm6.4\n-c limits.txt\ntorch\n"),
            "torch 2.9.0+rocm6.4 limits.txt:1");
  EXPECT_THAT(pins("-i https://x/cu126\n" + torch).at(1), HasSubstr("nccl-cu12 2.21.5 "));
  // The last --index-url replaces those before it; a label or a file leaves no choice.
  EXPECT_EQ(first("-i https://x/cu126\n-i https://x/simple\n" + torch),
            "torch 2.9.0 requirements.txt:3");
  EXPECT_EQ(first("-i https://x/cu126\ntorch==2.9.0+cu128\n"),
            "torch 2.9.0+cu128 requirements.txt:2");
  EXPECT_EQ(first("-i https://x/cu126\n./torch-2.9.0-cp311-cp311-linux_x86_64.whl\n"),
            "torch 2.9.0 requirements.txt:2");
}

TEST_F(RequirementsLock, NestedFilesStandOnTheFileThatNamesThem) {
  files.file("/w/more/gpu.txt", "-r deep.txt\n-c ../limits.txt\nnvidia-nccl-cu12==2.21.5\n");
  files.file("/w/more/deep.txt", "torch\n");
  files.file("/w/limits.txt", "torch==2.5.1\nnvidia-cublas-cu12==12.4.5.8\n");
  EXPECT_THAT(pins("-r more/gpu.txt\n"),
              ElementsAre("nvidia-nccl-cu12 2.21.5 more/gpu.txt:3",
                          "torch 2.5.1 more/../limits.txt:1",
                          "nvidia-cublas-cu12 12.4.5.8 more/../limits.txt:2?"));
  EXPECT_THAT(pins("--requirement=more/deep.txt\n"), IsEmpty());
  EXPECT_THAT(refusal("\n-r gone.txt\n"),
              HasSubstr("requirements.txt:2 names a file that does not exist: /w/gone.txt"));
  EXPECT_THAT(refusal("-r https://x/requirements.txt\n"), HasSubstr("requirements.txt:1"));
  auto lock = ask("-c https://x/limits.txt\n");
  ASSERT_TRUE(bool(lock));
  ASSERT_EQ(lock->problems.size(), 1u);
  EXPECT_EQ(lock->problems[0].origin, "requirements.txt:1");
}

TEST_F(RequirementsLock, CyclesEndAndChainsAreBounded) {
  files.file("/w/a.txt", "-r requirements.txt\n-r a.txt\ntorch==2.5.1\n");
  EXPECT_THAT(pins("-r a.txt\n"), ElementsAre("torch 2.5.1 a.txt:3"));
  for (int i = 0; i < 40; ++i)
    files.file("/w/chain" + std::to_string(i) + ".txt",
               "-r chain" + std::to_string(i + 1) + ".txt\n");
  files.file("/w/chain40.txt", "");
  EXPECT_THAT(refusal("-r chain0.txt\n"), HasSubstr("at most 16 deep"));
  EXPECT_THAT(pins("-r chain30.txt\n"), IsEmpty());
  std::string wide;
  for (int i = 0; i < 300; ++i) {
    files.file("/w/wide" + std::to_string(i) + ".txt", "");
    wide += "-r wide" + std::to_string(i) + ".txt\n";
  }
  EXPECT_THAT(refusal(wide), HasSubstr("256 in all"));
}

TEST_F(RequirementsLock, NonsenseIsNamedWithItsLine) {
  EXPECT_THAT(refusal("torch==2.5.1\ntorch 2.5.1\n"),
              HasSubstr("requirements.txt:2 is not a requirement"));
  EXPECT_THAT(refusal("torch==2.5.1 ; sys_platform ==\n"), HasSubstr("requirements.txt:1"));
  EXPECT_THAT(refusal(std::string("\0\0\0\xff", 4)), HasSubstr("requirements.txt:1"));
  EXPECT_THAT(pins("torch==2.5.1 \\"), ElementsAre("torch 2.5.1 requirements.txt:1"));
}

TEST_F(RequirementsLock, AMillionLinesEnd) {
  std::string comments, pinned, joined;
  for (int i = 0; i < 1000000; ++i) {
    comments += "# via x\n";
    joined += "\\\n";
    pinned += "a==1\n";
  }
  EXPECT_THAT(pins(comments + "torch==2.5.1\n"),
              ElementsAre("torch 2.5.1 requirements.txt:1000001"));
  EXPECT_THAT(pins(joined + "torch==2.5.1\n"), ElementsAre("torch 2.5.1 requirements.txt:1"));
  EXPECT_THAT(refusal(pinned), HasSubstr("it has more than 65536 packages"));
}
