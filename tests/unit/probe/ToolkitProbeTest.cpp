// SPDX-License-Identifier: Apache-2.0
#include "driver/probe/toolkit/ToolkitProbe.h"
#include "driver/core/Diagnostic.h"
#include "tests/support/MemoryFiles.h"
#include <gmock/gmock.h>

using namespace cudacc;
using namespace cudacc::core;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

/// A CUDA program: only the text that names its release.
std::string tool(const std::string &version) {
  return std::string("\x7f"
                     "ELF") +
         std::string(3000, '\0') + "Cuda compilation tools, release %d.%d," +
         std::string(100, '\0') + "Cuda compilation tools, release " +
         version.substr(0, version.rfind('.')) + ", V" + version + std::string(5000, '\0');
}

constexpr const char *profile13 = R"PROFILE(
TOP              = $(_HERE_)/..

CICC_PATH        = $(TOP)/nvvm/bin
PATH            += $(CICC_PATH):$(_HERE_):

INCLUDES        +=  "-I$(TOP)/$(_TARGET_DIR_)/include" $(_SPACE_)
SYSTEM_INCLUDES +=  "-isystem" "$(TOP)/$(_TARGET_DIR_)/include/cccl" $(_SPACE_)

LIBRARIES        =+ $(_SPACE_) "-L$(TOP)/$(_TARGET_DIR_)/lib$(_TARGET_SIZE_)/stubs" \
"-L$(TOP)/$(_TARGET_DIR_)/lib$(_TARGET_SIZE_)"
)PROFILE";

struct ToolkitProbe : testing::Test {
  test::MemoryFiles files;

  /// Programs and headers of one release at \p root; its headers are in \p target below it.
  void tree(const std::string &root, const std::string &nvcc, unsigned header,
            const std::string &cicc = "", const std::string &target = "") {
    files.program(root + "/bin/nvcc", tool(nvcc)).file(root + "/bin/nvcc.profile", profile13);
    files.program(root + "/bin/ptxas", tool(nvcc));
    files.program(root + "/nvvm/bin/cicc", tool(cicc.empty() ? nvcc : cicc));
    std::string include = root + target + "/include";
    files.file(include + "/cuda.h", "#define CUDA_VERSION " + std::to_string(header) + "\n");
    files.file(include + "/cuda_runtime_api.h",
               "#define CUDART_VERSION  " + std::to_string(header) + "\n");
    files.file(include + "/crt/host_config.h");
    files.directory(root + target + (target.empty() ? "/lib64" : "/lib"));
  }
  Toolkit probe(llvm::StringRef nvcc) {
    auto toolkit = probe::probeToolkit(nvcc, "first on PATH", files);
    if (!toolkit) {
      Finding finding = toFinding(toolkit.takeError());
      ADD_FAILURE() << str(finding.code) << " " << finding.message;
      return {};
    }
    return *toolkit;
  }
  static std::string part(const Toolkit &toolkit, llvm::StringRef name) {
    const Component *found = toolkit.find(name);
    return found ? found->cuda.str() + " " + found->version + " (" + found->evidence + ")" : "none";
  }
  static std::vector<std::string> inputs(const Toolkit &toolkit) {
    std::vector<std::string> paths;
    for (const FileId &id : toolkit.inputs)
      paths.push_back(id.path);
    return paths;
  }
};

// V-EV-01
TEST_F(ToolkitProbe, installer) {
  tree("/opt/cuda-12.8", "12.8.93", 12080);
  Toolkit toolkit = probe("/opt/cuda-12.8/bin/nvcc");
  EXPECT_EQ(toolkit.layout, ToolkitLayout::Installer);
  EXPECT_EQ(toolkit.root, "/opt/cuda-12.8");
  EXPECT_EQ(toolkit.nvcc, "/opt/cuda-12.8/bin/nvcc");
  EXPECT_EQ(toolkit.driver, toolkit.nvcc);
  EXPECT_EQ(toolkit.version().str(), "12.8");
  EXPECT_EQ(part(toolkit, "nvcc"), "12.8 12.8.93 (its own text)");
  EXPECT_EQ(part(toolkit, "cicc"), "12.8 12.8.93 (its own text)");
  EXPECT_EQ(part(toolkit, "ptxas"), "12.8 12.8.93 (its own text)");
  EXPECT_EQ(part(toolkit, "cuda.h"), "12.8  (CUDA_VERSION in /opt/cuda-12.8/include/cuda.h)");
  EXPECT_EQ(part(toolkit, "cudart"),
            "12.8  (CUDART_VERSION in /opt/cuda-12.8/include/cuda_runtime_api.h)");
  // The release of the crt headers cannot be determined.
  EXPECT_EQ(part(toolkit, "crt"), "unknown  ()");
  EXPECT_THAT(toolkit.includeDirs, ElementsAre("/opt/cuda-12.8/include"));
  EXPECT_THAT(toolkit.systemIncludeDirs, IsEmpty());
  EXPECT_THAT(toolkit.libraryDirs, ElementsAre("/opt/cuda-12.8/lib64"));
  EXPECT_THAT(toolkit.conflicts, IsEmpty());
}

// V-EV-02, N17
TEST_F(ToolkitProbe, installerWithTargets) {
  tree("/opt/cuda", "13.0.88", 13000, "", "/targets/x86_64-linux");
  files.directory("/opt/cuda/targets/x86_64-linux/include/cccl");
  Toolkit toolkit = probe("/opt/cuda/bin/nvcc");
  EXPECT_EQ(toolkit.root, "/opt/cuda");
  EXPECT_THAT(toolkit.includeDirs, ElementsAre("/opt/cuda/targets/x86_64-linux/include"));
  EXPECT_THAT(toolkit.systemIncludeDirs,
              ElementsAre("/opt/cuda/targets/x86_64-linux/include/cccl"));
  EXPECT_THAT(toolkit.libraryDirs, ElementsAre("/opt/cuda/targets/x86_64-linux/lib"));
  EXPECT_EQ(toolkit.find("cuda.h")->cuda.str(), "13.0");
}

TEST_F(ToolkitProbe, versionJsonSpeaksOnlyWhereNothingElseDoes) {
  tree("/opt/cuda", "12.4.131", 12040);
  files.program("/opt/cuda/bin/ptxas", "stripped of its text");
  files.file(
      "/opt/cuda/version.json",
      R"({"cuda": {"version": "12.9.0"}, "cuda_nvcc": {"name": "x", "version": "12.4.99"}})");
  Toolkit toolkit = probe("/opt/cuda/bin/nvcc");
  EXPECT_EQ(part(toolkit, "nvcc"), "12.4 12.4.131 (its own text)");
  EXPECT_EQ(part(toolkit, "crt"), "12.4 12.4.99 (version.json)");
  EXPECT_EQ(part(toolkit, "ptxas"), "12.4 12.4.99 (version.json)");
}

// N1: nvcc does not resolve symbolic links, so a link beside a profile is its own root.
TEST_F(ToolkitProbe, links) { // N1
  tree("/opt/cuda-12.8", "12.8.93", 12080);
  files.symlink("/opt/cuda", "cuda-12.8").symlink("/usr/bin/nvcc", "../../opt/cuda/bin/nvcc");
  EXPECT_EQ(probe("/opt/cuda/bin/nvcc").nvcc, "/opt/cuda/bin/nvcc");
  Toolkit toolkit = probe("/usr/bin/nvcc");
  EXPECT_EQ(toolkit.nvcc, "/opt/cuda/bin/nvcc");
  EXPECT_EQ(toolkit.root, "/opt/cuda");
  EXPECT_THAT(inputs(toolkit), Contains("/usr/bin/nvcc"));
}

TEST_F(ToolkitProbe, linkThatLoops) {
  files.symlink("/a", "/b").symlink("/b", "/a");
  EXPECT_FALSE(bool(llvm::expectedToOptional(probe::probeToolkit("/a", "", files))));
}

struct Wheels : ToolkitProbe {
  std::string site = "/venv/lib/python3.11/site-packages";
  void info(const std::string &name) { files.file(site + "/" + name + ".dist-info/METADATA"); }
};

TEST_F(Wheels, cu13) {
  tree(site + "/nvidia/cu13", "13.0.88", 13000);
  files.file(site + "/nvidia/cu13/include/cccl/cuda/std/version");
  for (auto *name : {"nvidia_cuda_nvcc-13.0.88", "nvidia_cuda_crt-13.0.88", "nvidia_nvvm-13.0.88",
                     "nvidia_cuda_runtime-13.0.96", "nvidia_cuda_cccl-13.0.85"})
    info(name);
  Toolkit toolkit = probe(site + "/nvidia/cu13/bin/nvcc");
  EXPECT_EQ(toolkit.layout, ToolkitLayout::WheelsCu13);
  EXPECT_EQ(toolkit.root, site + "/nvidia/cu13");
  EXPECT_EQ(part(toolkit, "crt"), "13.0 13.0.88 (nvidia_cuda_crt-13.0.88.dist-info)");
  EXPECT_THAT(part(toolkit, "cudart"), HasSubstr("13.0 13.0.96 (CUDART_VERSION in "));
  EXPECT_EQ(part(toolkit, "cccl"), "13.0 13.0.85 (nvidia_cuda_cccl-13.0.85.dist-info)");
  EXPECT_THAT(toolkit.conflicts, IsEmpty());
  EXPECT_THAT(inputs(toolkit), Contains(site));
}

// N26, R38: the files that `pip install nvidia-cuda-nvcc==13.0.88` installs.
TEST_F(Wheels, mixedReleases) { // N26
  tree(site + "/nvidia/cu13", "13.0.88", 13050, "13.5.37");
  for (auto *name : {"nvidia_cuda_nvcc-13.0.88", "nvidia_cuda_crt-13.5.37", "nvidia_nvvm-13.5.37",
                     "nvidia_cuda_runtime-13.5.37"})
    info(name);
  Toolkit toolkit = probe(site + "/nvidia/cu13/bin/nvcc");
  EXPECT_EQ(toolkit.version().str(), "13.0");
  EXPECT_EQ(part(toolkit, "cicc"), "13.5 13.5.37 (its own text)");
  EXPECT_EQ(part(toolkit, "ptxas"), "13.0 13.0.88 (its own text)");
  EXPECT_EQ(part(toolkit, "crt"), "13.5 13.5.37 (nvidia_cuda_crt-13.5.37.dist-info)");
  EXPECT_EQ(toolkit.find("cudart")->cuda.str(), "13.5");
  EXPECT_THAT(toolkit.conflicts, IsEmpty());
}

// V-EV-15, V-TG-08
TEST_F(Wheels, runtimeAndNvccOfTwoReleases) { // V-EV-15
  tree(site + "/nvidia/cu13", "13.2.78", 13000);
  info("nvidia_cuda_nvcc-13.2.78");
  info("nvidia_cuda_runtime-13.0.96");
  Toolkit toolkit = probe(site + "/nvidia/cu13/bin/nvcc");
  EXPECT_EQ(toolkit.version().str(), "13.2");
  EXPECT_EQ(toolkit.find("cudart")->cuda.str(), "13.0");
  EXPECT_THAT(toolkit.conflicts, IsEmpty());
}

// EV-8
TEST_F(Wheels, textAndOwnerDisagree) { // EV-8
  tree(site + "/nvidia/cu13", "13.0.88", 13000);
  info("nvidia_cuda_nvcc-13.2.78");
  Toolkit toolkit = probe(site + "/nvidia/cu13/bin/nvcc");
  ASSERT_FALSE(toolkit.conflicts.empty());
  EXPECT_THAT(toolkit.conflicts[0], HasSubstr("its own text says 13.0"));
  EXPECT_THAT(toolkit.conflicts[0], HasSubstr("nvidia_cuda_nvcc-13.2.78.dist-info says 13.2"));
}

TEST_F(Wheels, twoOwners) { // EV-8
  tree(site + "/nvidia/cu13", "13.0.88", 13000);
  info("nvidia_cuda_crt-13.0.88");
  info("nvidia_cuda_crt-13.5.37");
  EXPECT_THAT(probe(site + "/nvidia/cu13/bin/nvcc").conflicts, Contains(HasSubstr("both ")));
}

TEST_F(Wheels, pipTarget) {
  site = "/tmp/t";
  tree(site + "/nvidia/cu13", "13.0.88", 13000);
  info("nvidia_cuda_crt-13.0.88");
  EXPECT_THAT(part(probe(site + "/nvidia/cu13/bin/nvcc"), "crt"), HasSubstr("13.0.88.dist-info"));
}

// N27: Debian's nvcc beside headers from CUDA 12 wheels.
TEST_F(Wheels, cu12CompilerFolder) {
  std::string root = site + "/nvidia/cuda_nvcc";
  files.program(root + "/bin/nvcc", tool("12.4.131"))
      .program(root + "/bin/ptxas", tool("12.4.131"));
  files.file(root + "/bin/nvcc.profile", profile13).file(root + "/include/crt/host_config.h");
  info("nvidia_cuda_nvcc_cu12-12.4.131");
  Toolkit toolkit = probe(root + "/bin/nvcc");
  EXPECT_EQ(toolkit.layout, ToolkitLayout::WheelsCu12);
  EXPECT_EQ(part(toolkit, "crt"), "12.4 12.4.131 (nvidia_cuda_nvcc_cu12-12.4.131.dist-info)");
  EXPECT_THAT(toolkit.conflicts, IsEmpty());
}

// N27: usr/bin/nvcc is a script, the profile names absolute folders.
TEST_F(ToolkitProbe, debian) {
  files.program("/usr/bin/nvcc",
                "#!/bin/sh\n\nexport PATH=\"/usr/lib/nvidia-cuda-toolkit/bin:$PATH\"\n"
                "exec /usr/lib/nvidia-cuda-toolkit/bin/nvcc \"$@\"\n");
  files.program("/usr/lib/nvidia-cuda-toolkit/bin/nvcc", tool("12.4.131"));
  files.symlink("/usr/lib/nvidia-cuda-toolkit/bin/nvcc.profile", "/etc/nvcc.profile");
  files.file(
      "/etc/nvcc.profile",
      "NVVMIR_LIBRARY_DIR = /usr/lib/nvidia-cuda-toolkit/libdevice\n"
      "PATH\t\t+= /usr/lib/nvidia-cuda-toolkit/bin:\n#INCLUDES\t+= -I/wrong\n"
      "LIBRARIES\t=+ $(_SPACE_) -L/usr/lib/x86_64-linux-gnu/stubs -L/usr/lib/x86_64-linux-gnu\n");
  files.program("/usr/lib/nvidia-cuda-toolkit/bin/cicc", tool("12.4.131"));
  files.program("/usr/bin/ptxas", tool("12.4.131")).directory("/usr/lib/x86_64-linux-gnu");
  files.file("/usr/include/cuda.h", "#define CUDA_VERSION 12040\n");
  files.file("/usr/include/crt/host_config.h");
  Toolkit toolkit = probe("/usr/bin/nvcc");
  EXPECT_EQ(toolkit.layout, ToolkitLayout::Debian);
  EXPECT_EQ(toolkit.nvcc, "/usr/bin/nvcc");
  EXPECT_EQ(toolkit.driver, "/usr/lib/nvidia-cuda-toolkit/bin/nvcc");
  EXPECT_EQ(toolkit.root, "/usr/lib/nvidia-cuda-toolkit");
  EXPECT_THAT(toolkit.includeDirs, IsEmpty());
  EXPECT_THAT(toolkit.libraryDirs, ElementsAre("/usr/lib/x86_64-linux-gnu"));
  EXPECT_THAT(toolkit.pathDirs, ElementsAre("/usr/lib/nvidia-cuda-toolkit/bin"));
  EXPECT_EQ(toolkit.find("cicc")->path, "/usr/lib/nvidia-cuda-toolkit/bin/cicc");
  EXPECT_EQ(toolkit.find("ptxas")->path, "/usr/bin/ptxas");
  EXPECT_EQ(toolkit.find("cuda.h")->path, "/usr/include/cuda.h");
  EXPECT_THAT(inputs(toolkit), Contains("/usr/bin/nvcc"));
}

TEST_F(ToolkitProbe, debianUnpackedElsewhere) {
  files.program("/d/usr/bin/nvcc",
                "#!/bin/sh\nexec /usr/lib/nvidia-cuda-toolkit/bin/nvcc \"$@\"\n");
  auto toolkit = probe::probeToolkit("/d/usr/bin/nvcc", "", files);
  ASSERT_FALSE(bool(toolkit));
  Finding finding = toFinding(toolkit.takeError());
  EXPECT_EQ(finding.code, Code::NoToolkit);
  EXPECT_EQ(finding.facts[0].text, "/usr/lib/nvidia-cuda-toolkit/bin/nvcc");
  EXPECT_EQ(finding.facts[1].text, "/d/usr/bin/nvcc");
}

TEST_F(ToolkitProbe, conda) {
  tree("/conda", "12.4.131", 12040, "", "/targets/x86_64-linux");
  files.file("/conda/conda-meta/cuda-nvcc-tools-12.4.131-hd3aeb46_0.json");
  files.file("/conda/conda-meta/cuda-crt-dev_linux-64-12.4.131-ha770c72_0.json");
  files.file("/conda/conda-meta/python-3.11.4-h1_0.json");
  Toolkit toolkit = probe("/conda/bin/nvcc");
  EXPECT_EQ(toolkit.layout, ToolkitLayout::Conda);
  EXPECT_EQ(part(toolkit, "crt"), "12.4 12.4.131 (cuda-crt-dev_linux-64-12.4.131-ha770c72_0.json)");
  EXPECT_THAT(inputs(toolkit), Contains("/conda/conda-meta"));
}

// V-TG-09, V-EV-04
// R4, V-EV-20: the directory is the root, its links belong to the wheels that contain their
// targets.
TEST_F(ToolkitProbe, aToolchainDirectory) {
  const std::string site = "/v/site-packages", root = site + "/nvidia/cu13";
  tree(root, "13.0.88", 13000);
  files.directory(site + "/nvidia_cuda_crt-13.0.88.dist-info");
  files.program("/td/bin/nvcc", "cuda-cc")
      .symlink("/td/bin/nvcc.profile", root + "/bin/nvcc.profile");
  files.symlink("/td/bin/ptxas", root + "/bin/ptxas").symlink("/td/nvvm/bin", root + "/nvvm/bin");
  files.symlink("/td/include", root + "/include").symlink("/td/lib64", root + "/lib64");
  auto found = probe::probeToolkit("/td/bin/nvcc", "x", files, {root + "/bin/nvcc", {}, nullptr});
  ASSERT_TRUE(bool(found));
  EXPECT_EQ(found->root, "/td");
  EXPECT_EQ(found->nvcc, "/td/bin/nvcc");
  EXPECT_EQ(found->driver, root + "/bin/nvcc");
  EXPECT_THAT(found->includeDirs, ElementsAre("/td/include"));
  EXPECT_EQ(part(*found, "nvcc"), "13.0 13.0.88 (its own text)");
  EXPECT_EQ(part(*found, "crt"), "13.0 13.0.88 (nvidia_cuda_crt-13.0.88.dist-info)");
  EXPECT_THAT(inputs(*found), Contains(root + "/bin/nvcc"));
}

TEST_F(ToolkitProbe, aToolchainDirectoryWhoseNvccIsGone) {
  files.program("/td/bin/nvcc", "cuda-cc");
  auto found = probe::probeToolkit("/td/bin/nvcc", "x", files, {"/gone/bin/nvcc", {}, nullptr});
  ASSERT_FALSE(bool(found));
  EXPECT_EQ(toFinding(found.takeError()).code, Code::NoToolkit);
}

// The compiler of one, the headers of another, as in a toolchain directory made from both.
TEST_F(ToolkitProbe, headersFromElsewhere) {
  tree("/opt/cuda", "12.8.93", 12080);
  const std::string include = "/v/site-packages/nvidia/cuda_runtime/include";
  files.file(include + "/cuda.h", "#define CUDA_VERSION 12040\n");
  Toolkit base = probe("/opt/cuda/bin/nvcc");
  files.program("/opt/cuda/bin/ptxas", "not read again");
  auto found = probe::probeToolkit("/opt/cuda/bin/nvcc", "x", files,
                                   {"", {include, "/opt/cuda/include"}, &base});
  ASSERT_TRUE(bool(found));
  EXPECT_EQ(found->find("cuda.h")->cuda.str(), "12.4");
  EXPECT_EQ(found->find("cuda.h")->path, include + "/cuda.h");
  EXPECT_EQ(found->find("cudart")->path, "/opt/cuda/include/cuda_runtime_api.h");
  EXPECT_EQ(part(*found, "ptxas"), "12.8 12.8.93 (its own text)");
}

TEST_F(ToolkitProbe, unknownVersion) { // V-TG-09
  files.program("/x/bin/nvcc", std::string("\x7f"
                                           "ELF") +
                                   std::string(100, '\0'));
  Toolkit toolkit = probe("/x/bin/nvcc");
  EXPECT_EQ(toolkit.layout, ToolkitLayout::Unknown);
  EXPECT_FALSE(toolkit.version().known());
  ASSERT_NE(toolkit.find("nvcc"), nullptr);
}

// A stand-in for nvcc, as in tests and wrappers, is identified by its own text.
TEST_F(ToolkitProbe, scriptThatCannotBeFollowed) {
  files.program("/x/bin/nvcc", "#!/bin/sh\n# Cuda compilation tools, release 12.5, V12.5.82\n"
                               "exec \"$(dirname \"$0\")/real\" \"$@\"\n");
  Toolkit toolkit = probe("/x/bin/nvcc");
  EXPECT_EQ(part(toolkit, "nvcc"), "12.5 12.5.82 (its own text)");
  EXPECT_EQ(toolkit.driver, "/x/bin/nvcc");
}

TEST_F(ToolkitProbe, notThereOrUnreadable) {
  auto absent = probe::probeToolkit("/no/nvcc", "", files);
  ASSERT_FALSE(bool(absent));
  EXPECT_EQ(toFinding(absent.takeError()).code, Code::NoToolkit);
  files.program("/x/nvcc", tool("12.4.131")).directory("/y/nvcc");
  files.unreadable.insert("/x/nvcc");
  auto unreadable = probe::probeToolkit("/x/nvcc", "", files);
  ASSERT_FALSE(bool(unreadable));
  EXPECT_EQ(toFinding(unreadable.takeError()).code, Code::UnreadableFile);
  llvm::consumeError(probe::probeToolkit("/y/nvcc", "", files).takeError());
}

} // namespace
