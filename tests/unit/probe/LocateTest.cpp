// SPDX-License-Identifier: Apache-2.0
#include "driver/probe/toolkit/Locate.h"
#include "driver/core/Diagnostic.h"
#include "tests/support/MemoryFiles.h"
#include <gmock/gmock.h>

using namespace cudacc;
using namespace cudacc::core;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

struct Locate : testing::Test {
  test::MemoryFiles files;
  std::vector<std::string> variables = {"PATH=/usr/local/bin:/usr/bin", "HOME=/home/u"};
  Setting<std::string> toolkit{"auto", {}};
  std::string self = "/opt/cuda-cc/bin/cuda-cc";
  std::string ours = std::string(4096, 'c') + "rest";

  Locate() { files.program(self, ours); }

  Environment env() {
    Environment env;
    for (const std::string &entry : variables)
      env.entries.push_back(entry);
    return env;
  }
  static std::string show(llvm::Expected<probe::Located> located) {
    if (located)
      return located->path + " (" + located->foundBy + ")";
    Finding finding = toFinding(located.takeError());
    return str(finding.code) + " " + finding.message + ": " + finding.facts.front().text;
  }
  std::string nvcc() {
    probe::Self me(self, files);
    return show(probe::locateNvcc(toolkit, env(), files, me));
  }
  std::string compiler(llvm::StringRef name) {
    probe::Self me(self, files);
    return show(probe::locateCompiler(name, env(), files, me));
  }
};

TEST_F(Locate, firstOnPath) {
  files.program("/usr/bin/nvcc").program("/usr/local/cuda/bin/nvcc");
  EXPECT_EQ(nvcc(), "/usr/bin/nvcc (first on PATH)");
  files.file("/usr/local/bin/nvcc", "not executable");
  EXPECT_EQ(nvcc(), "/usr/bin/nvcc (first on PATH)");
}

TEST_F(Locate, skipsItself) {
  files.symlink("/usr/local/bin/nvcc", self);
  files.program("/usr/bin/nvcc", "real");
  EXPECT_EQ(nvcc(), "/usr/bin/nvcc (first on PATH)");
  // A copy, as in toolchain directories, followed by other bytes.
  files.program("/usr/local/bin/nvcc", std::string(4096, 'c') + "fingerprint");
  EXPECT_EQ(nvcc(), "/usr/bin/nvcc (first on PATH)");
  // Another program.
  files.program("/usr/local/bin/nvcc", std::string(5000, 'd'));
  EXPECT_EQ(nvcc(), "/usr/local/bin/nvcc (first on PATH)");
}

TEST_F(Locate, relativeAndEmptyElementsOfPath) { // T20
  files.program("/project/nvcc").program("/project/bin/g++-12");
  variables = {"PATH=/nothing:"};
  EXPECT_THAT(nvcc(), HasSubstr("/nvcc (first on PATH)"));
  variables = {"PATH=bin"};
  EXPECT_EQ(compiler("g++-12"), "/project/bin/g++-12 (first on PATH)");
}

// RP-10
TEST_F(Locate, variablesInOrder) {
  files.program("/p/bin/nvcc").program("/h/bin/nvcc").program("/usr/local/cuda/bin/nvcc");
  EXPECT_EQ(nvcc(), "/usr/local/cuda/bin/nvcc (/usr/local/cuda)");
  variables.push_back("CUDA_HOME=/h");
  EXPECT_EQ(nvcc(), "/h/bin/nvcc (CUDA_HOME)");
  variables.push_back("CUDA_PATH=/p");
  EXPECT_EQ(nvcc(), "/p/bin/nvcc (CUDA_PATH)");
  variables.back() = "CUDA_PATH=";
  EXPECT_EQ(nvcc(), "/h/bin/nvcc (CUDA_HOME)");
}

TEST_F(Locate, aToolchainDirectoryInCudaHomeIsPassedBy) {
  files.program("/td/bin/nvcc", ours).program("/usr/local/cuda/bin/nvcc", "real");
  variables.push_back("CUDA_HOME=/td");
  EXPECT_EQ(nvcc(), "/usr/local/cuda/bin/nvcc (/usr/local/cuda)");
}

TEST_F(Locate, declaredToolkit) {
  files.program("/home/u/cuda/bin/nvcc");
  toolkit = {"~/cuda", {Origin::Kind::File, "cuda-cc.toml", 3}};
  EXPECT_EQ(nvcc(), "/home/u/cuda/bin/nvcc (toolkit in cuda-cc.toml:3)");
  toolkit = {"/home/u/cuda/bin/nvcc", {Origin::Kind::Option, "--cudacc-toolkit"}};
  EXPECT_EQ(nvcc(), "/home/u/cuda/bin/nvcc (--cudacc-toolkit)");
  toolkit.value = "/home/u/cuda/bin";
  EXPECT_EQ(nvcc(), "/home/u/cuda/bin/nvcc (--cudacc-toolkit)");
  // It fails with an error instead of trying the next (RP-10).
  files.program("/usr/bin/nvcc");
  toolkit.value = "/nowhere";
  EXPECT_THAT(nvcc(), HasSubstr("CC2003"));
  EXPECT_THAT(nvcc(), HasSubstr("/nowhere/bin/nvcc"));
  files.file("/plain/bin/nvcc");
  toolkit.value = "/plain/bin/nvcc";
  EXPECT_THAT(nvcc(), HasSubstr("CC2003"));
  files.program("/td/bin/nvcc", ours);
  toolkit.value = "/td";
  EXPECT_THAT(nvcc(), HasSubstr("is cuda-cc itself"));
}

TEST_F(Locate, noneNamesWhatWasSearched) {
  variables.push_back("CUDA_HOME=/h");
  EXPECT_EQ(nvcc(), "CC2003 no CUDA toolkit was found: PATH, CUDA_PATH (not set), CUDA_HOME=/h, "
                    "/usr/local/cuda");
}

TEST_F(Locate, compilers) {
  files.program("/usr/bin/g++").symlink("/usr/local/bin/g++", self);
  EXPECT_EQ(compiler("g++"), "/usr/bin/g++ (first on PATH)");
  EXPECT_EQ(compiler("/usr/bin/g++"), "/usr/bin/g++ (the command line)");
  EXPECT_THAT(compiler("/usr/local/bin/g++"), HasSubstr("is cuda-cc itself"));
  EXPECT_THAT(compiler("clang++"), HasSubstr("CC2004"));
  EXPECT_THAT(compiler("./g++"), HasSubstr("CC2004"));
}

TEST_F(Locate, otherToolkitsNewestFirstEachOnce) {
  auto tree = [&](std::string root, unsigned version) {
    files.program(root + "/bin/nvcc", "real");
    files.file(root + "/include/cuda.h", "#define CUDA_VERSION " + std::to_string(version) + "\n");
  };
  tree("/usr/local/cuda-12.4", 12040);
  tree("/usr/local/cuda-12.10", 12100);
  tree("/opt/cuda", 11080);
  files.symlink("/usr/local/cuda", "/usr/local/cuda-12.4");
  files.program("/usr/local/cuda-9.9/bin/nvcc", "real");
  files.program("/home/u/json/bin/nvcc", "real");
  files.file(
      "/home/u/json/version.json",
      "{\n \"cuda\" : {\n \"name\" : \"CUDA SDK\",\n \"version\" : \"12.6.2\"\n }, \"a\" : {}}");
  tree("/td", 13000);
  files.program("/td/bin/nvcc", ours);
  // Jetson's.
  files.program("/opt/cuda-arm/bin/nvcc", "real");
  files.file("/opt/cuda-arm/targets/aarch64-linux/include/cuda.h", "#define CUDA_VERSION 11040\n");
  variables = {"PATH=/usr/local/cuda/bin:/td/bin", "CUDA_HOME=/home/u/json"};
  probe::Self me(self, files);
  std::vector<std::string> all;
  for (const auto &each : probe::otherToolkits(env(), files, me))
    all.push_back(each.cuda.str() + " " + each.root);
  EXPECT_THAT(all,
              ElementsAre("12.10 /usr/local/cuda-12.10", "12.6 /home/u/json",
                          "12.4 /usr/local/cuda-12.4", "11.8 /opt/cuda", "11.4 /opt/cuda-arm"));
}

} // namespace
