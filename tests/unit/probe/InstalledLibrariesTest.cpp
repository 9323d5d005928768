// SPDX-License-Identifier: Apache-2.0
#include "driver/versions/Format.h"
#include "tests/unit/probe/PythonEnvironments.h"

using namespace cudacc;
using namespace cudacc::core;
using namespace cudacc::versions;
using test::PythonEnvironments;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

TEST_F(PythonEnvironments, metadataIsReadOnlyWhereTheNameDoesNotSay) {
  venv();
  for (int i = 0; i < 300; ++i)
    files.file(std::string(site) + "/p" + std::to_string(i) + "-1.0.dist-info/METADATA", "Name: p");
  wheel("nvidia_nvjitlink_cu12", "12.4.127", "nvidia/nvjitlink/lib/libnvJitLink.so.12");
  files.reads = files.stats = files.lists = 0;
  read();
  EXPECT_LE(files.reads, 2u);
  EXPECT_LE(files.lists, 12u);
  EXPECT_LE(files.stats, 60u);
  std::string info = std::string(site) + "/nvidia_nccl_cu12-unknown.dist-info";
  files.file(
      info + "/METADATA",
      "Metadata-Version: 2.1\r\nName: nvidia.nccl_cu12\r\nVersion: 2.21.5\r\n\r\nVersion: 9");
  EXPECT_EQ(read().distributions.front().name, "nvidia-nccl-cu12");
  EXPECT_EQ(read().distributions.front().version, "2.21.5");
}

TEST_F(PythonEnvironments, releasesOfFrameworksAreKnownAndTheirFilesAreNotRead) {
  venv();
  files.file(std::string(site) + "/jax-0.4.35.dist-info/METADATA", "Name: jax\n");
  files.file(std::string(site) + "/tensorflow-2.18.0.dist-info/RECORD",
             "nvidia/nvjitlink/lib/libnvJitLink.so.12,sha256=a,4\n");
  files.file(std::string(site) + "/numpy-1.26.4.dist-info/METADATA", "Name: numpy\n");
  wheel("nvidia_nvjitlink_cu12", "12.4.127", "nvidia/nvjitlink/lib/libnvJitLink.so.12");
  PythonEnvironment environment = read();
  std::vector<std::string> names;
  for (const InstalledDistribution &each : environment.distributions)
    names.push_back(each.name + " " + each.version);
  EXPECT_THAT(names, testing::UnorderedElementsAre("jax 0.4.35", "tensorflow 2.18.0",
                                                   "nvidia-nvjitlink-cu12 12.4.127"));
  EXPECT_THAT(libraries(environment),
              ElementsAre("libnvJitLink.so.12 nvidia-nvjitlink-cu12 12.4.127"));
  EXPECT_THAT(problems(environment), IsEmpty());
}

TEST_F(PythonEnvironments, whatAnIndexHasIsToldFromOtherBuilds) {
  venv();
  auto isPublished = [&](const char *tag, const char *requires_, const char *installer) {
    std::string info = std::string(site) + "/torch-2.5.1.dist-info/";
    files.file(info + "RECORD", "");
    files.file(info + "WHEEL", fmt::format("Wheel-Version: 1.0\r\nTag: {}\r\n", tag));
    files.file(info + "METADATA", fmt::format("Name: torch\nRequires-Dist: {}\n", requires_));
    files.file(info + "INSTALLER", fmt::format("{}\n", installer));
    return read().distributions.front().isPublished;
  };
  const char *tag = "cp311-cp311-manylinux_2_28_x86_64";
  EXPECT_TRUE(isPublished(tag, "sympy", "pip"));
  EXPECT_TRUE(isPublished("cp39-cp39-manylinux_2_17_x86_64", "sympy", ""));
  EXPECT_FALSE(isPublished(tag, "sympy", "conda"));
  EXPECT_FALSE(isPublished("cp311-cp311-manylinux_2_28_aarch64", "nvidia-cudnn-cu12", "pip"));
  EXPECT_FALSE(isPublished("", "nvidia-cudnn-cu12", "pip"));
  // torch's tags before 2.7, and those of a build on the user's machine.
  const char *own = "cp311-cp311-linux_x86_64";
  EXPECT_TRUE(
      isPublished(own, "nvidia-cudnn-cu12==9.1.0.70 ; platform_machine == \"x86_64\"", "pip"));
  EXPECT_FALSE(isPublished(own, "sympy", "pip"));
  EXPECT_FALSE(isPublished(own, "nvidia-cudnn-cu12 ; extra == 'and-cuda'", "uv"));
}

TEST_F(PythonEnvironments, otherVendorsNamesThatTheTablesKnow) {
  venv();
  wheel("custatevec_cu12", "1.7.0", "cuquantum/lib/libcustatevec.so.1");
  wheel("cupy_cuda12x", "13.3.0", "cupy/libcudart.so.12");
  EXPECT_THAT(libraries(read()), ElementsAre("libcustatevec.so.1 custatevec-cu12 1.7.0"));
}

TEST_F(PythonEnvironments, torchIsReadAsText) {
  venv();
  struct {
    const char *text, *version, *cuda;
  } cases[] = {
      {"__version__ = '2.5.1+cu124'\ncuda: Optional[str] = '12.4'\n", "2.5.1+cu124", "12.4"},
      {"__version__ = \"1.13.1\"\r\ncuda = \"11.7\"\r\n", "1.13.1", "11.7"},
      {"__version__ = '2.9.0'\ncuda: str | None = None\n", "2.9.0", ""},
      {"__version__ = '2.9.0\ncuda = 12.4\ncudax = '1'\n", "", ""},
      {"", "", ""},
  };
  for (auto &each : cases) {
    files.file(std::string(site) + "/torch/version.py", each.text);
    PythonEnvironment environment = read();
    ASSERT_TRUE(environment.torch);
    EXPECT_EQ(environment.torch->version, each.version) << each.text;
    EXPECT_EQ(environment.torch->cuda, each.cuda) << each.text;
  }
  // The file does not contain its version: the metadata has it.
  files.file(std::string(site) + "/torch-2.5.1.dist-info/METADATA", "");
  files.file(std::string(site) + "/torch-2.5.1.dist-info/RECORD", "");
  EXPECT_EQ(read().torch->version, "2.5.1");
}

TEST_F(PythonEnvironments, torchOfAnotherReleaseThanItsMetadata) {
  venv();
  torch("2.5.1+cu124", "'12.4'");
  files.directory(std::string(site) + "/torch-2.5.1.dist-info");
  EXPECT_THAT(read().problems, IsEmpty());
  files.remove(std::string(site) + "/torch-2.5.1.dist-info");
  files.directory(std::string(site) + "/torch-2.6.0.dist-info");
  EXPECT_THAT(problems(read()), ElementsAre("warning: two sources disagree about torch"));
}

TEST_F(PythonEnvironments, librariesThatTorchBundles) {
  venv();
  torch("2.3.1+cu118", "'11.8'");
  std::string lib = std::string(site) + "/torch/lib/";
  for (const char *name : {"libtorch.so", "libc10.so", "libcublas.so.11",
                           "libcudart-d0da41ae.so.11.0", "libgomp-a34b3233.so.1"})
    files.file(lib + name);
  PythonEnvironment environment = read();
  EXPECT_THAT(libraries(environment),
              ElementsAre("libcublas.so.11 torch ", "libcudart-d0da41ae.so.11.0 torch "));
  EXPECT_TRUE(environment.libraries[0].bundled);
}

// Broken environments: they are named, and unknown if nothing decides.
TEST_F(PythonEnvironments, twoMetadataOfOneDistribution) {
  venv();
  wheel("nvidia_nvjitlink_cu12", "12.4.127", "nvidia/nvjitlink/lib/libnvJitLink.so.12", 40);
  wheel("nvidia_nvjitlink_cu12", "12.6.85", "nvidia/nvjitlink/lib/libnvJitLink.so.12", 60);
  EXPECT_THAT(libraries(read()), ElementsAre("libnvJitLink.so.12 nvidia-nvjitlink-cu12 12.4.127"));
  EXPECT_THAT(problems(read()),
              ElementsAre("warning: nvidia-nvjitlink-cu12 is installed twice",
                          "warning: libnvJitLink.so.12 is claimed by several distributions"));
  // Either is removed once, and the newer one stays.
  for (const Finding &each : read().problems)
    EXPECT_THAT(each.fixes,
                ElementsAre(testing::AllOf(HasSubstr("uninstall --system --target=/venv/"),
                                           testing::EndsWith("nvidia-nvjitlink-cu12==12.6.85")),
                            testing::EndsWith("nvidia-nvjitlink-cu12==12.4.127")));
  // A size that both have recorded, or neither, decides nothing.
  files.file(std::string(site) + "/nvidia/nvjitlink/lib/libnvJitLink.so.12", "other");
  EXPECT_THAT(libraries(read()), ElementsAre("libnvJitLink.so.12 nvidia-nvjitlink-cu12 "));
  EXPECT_EQ(read().problems.back().severity, Severity::Error);
}

// RL-8: NCCL for CUDA 12 and 13 in one folder.
TEST_F(PythonEnvironments, theVariantThatWasInstalledLast) {
  venv();
  wheel("nvidia_nccl_cu13", "2.27.7", "nvidia/nccl/lib/libnccl.so.2", 7);
  wheel("nvidia_nccl_cu12", "2.21.5", "nvidia/nccl/lib/libnccl.so.2", 9);
  EXPECT_THAT(libraries(read()), ElementsAre("libnccl.so.2 nvidia-nccl-cu13 2.27.7"));
  EXPECT_EQ(read().problems.front().code, Code::EvidenceConflict);
  files.file(std::string(site) + "/nvidia/nccl/lib/libnccl.so.2", "123");
  EXPECT_THAT(libraries(read()), ElementsAre("libnccl.so.2  "));
}

// Once per set of wheels, however many libraries they share, with what pip carries out.
TEST_F(PythonEnvironments, wheelsThatOverwriteEachOtherAreOneFinding) {
  venv();
  for (const char *name : {"libcudnn.so.9", "libcudnn_ops.so.9", "libcudnn_adv.so.9"})
    files.file(std::string(site) + "/nvidia/cudnn/lib/" + name, "1234567");
  for (const char *dist : {"nvidia_cudnn_cu12-9.10.2.21", "nvidia_cudnn_cu13-9.19.0.56"}) {
    std::string info = fmt::format("{}/{}.dist-info", site, dist);
    unsigned size = llvm::StringRef(dist).contains("cu13") ? 7 : 9;
    files.program("/venv/bin/python");
    files.file(info + "/RECORD", fmt::format("nvidia/cudnn/lib/libcudnn.so.9,,{0}\n"
                                             "nvidia/cudnn/lib/libcudnn_ops.so.9,,{0}\n"
                                             "nvidia/cudnn/lib/libcudnn_adv.so.9,,{0}\n",
                                             size));
  }
  PythonEnvironment environment = read();
  ASSERT_EQ(environment.problems.size(), 1u);
  const Finding &finding = environment.problems[0];
  EXPECT_EQ(llvm::count_if(finding.facts, [](const Fact &each) { return each.label == "library"; }),
            3);
  ASSERT_EQ(finding.fixes.size(), 2u);
  EXPECT_THAT(finding.fixes[0],
              testing::AllOf(
                  HasSubstr("nvidia-cudnn-cu12 nvidia-cudnn-cu13 && "),
                  testing::EndsWith(" --force-reinstall --no-deps nvidia-cudnn-cu13==9.19.0.56")));
  // The runtime's major decides which of them is right.
  wheel("nvidia_cuda_runtime", "13.0.96", "nvidia/cu13/lib/libcudart.so.13");
  environment = read();
  ASSERT_EQ(environment.problems[0].fixes.size(), 1u);
  EXPECT_THAT(environment.problems[0].fixes[0], testing::EndsWith("nvidia-cudnn-cu13==9.19.0.56"));
  // Torch's decides before that.
  files.file(std::string(site) + "/torch/version.py", "__version__ = '2.9.1'\ncuda = '12.8'\n");
  environment = read();
  ASSERT_EQ(environment.problems[0].fixes.size(), 1u);
  EXPECT_THAT(environment.problems[0].fixes[0], testing::EndsWith("nvidia-cudnn-cu12==9.10.2.21"));
}

TEST_F(PythonEnvironments, fileThatIsNotTheInstalledOne) {
  venv();
  wheel("nvidia_nvjitlink_cu12", "12.4.127", "nvidia/nvjitlink/lib/libnvJitLink.so.12");
  files.file(std::string(site) + "/nvidia/nvjitlink/lib/libnvJitLink.so.12", "replaced");
  EXPECT_THAT(libraries(read()), ElementsAre("libnvJitLink.so.12 nvidia-nvjitlink-cu12 "));
  EXPECT_THAT(
      problems(read()),
      ElementsAre("error: libnvJitLink.so.12 is not the file that its distribution installed"));
  EXPECT_THAT(read().problems.front().fixes,
              ElementsAre(testing::EndsWith(
                  " --force-reinstall --no-deps nvidia-nvjitlink-cu12==12.4.127")));
}

TEST_F(PythonEnvironments, fileThatIsShorterThanTheInstalledOne) {
  venv();
  wheel("nvidia_nvjitlink_cu12", "12.4.127", "nvidia/nvjitlink/lib/libnvJitLink.so.12", 9);
  files.file(std::string(site) + "/nvidia/nvjitlink/lib/libnvJitLink.so.12", "short");
  EXPECT_THAT(problems(read()),
              ElementsAre("error: libnvJitLink.so.12 is shorter than what was installed"));
}

TEST_F(PythonEnvironments, libraryThatIsGone) {
  venv();
  wheel("nvidia_nvjitlink_cu12", "12.4.127", "nvidia/nvjitlink/lib/libnvJitLink.so.12");
  files.remove(std::string(site) + "/nvidia/nvjitlink/lib/libnvJitLink.so.12");
  EXPECT_THAT(read().libraries, IsEmpty());
  EXPECT_THAT(problems(read()),
              ElementsAre("warning: nvidia-nvjitlink-cu12 12.4.127 lacks its libnvJitLink.so.12"));
}

TEST_F(PythonEnvironments, withoutRecordTheTablesSayWhereItsFilesAre) {
  venv();
  wheel("nvidia_nvjitlink_cu12", "12.4.127", "nvidia/nvjitlink/lib/libnvJitLink.so.12");
  files.remove(std::string(site) + "/nvidia_nvjitlink_cu12-12.4.127.dist-info/RECORD");
  EXPECT_THAT(libraries(read()), ElementsAre("libnvJitLink.so.12 nvidia-nvjitlink-cu12 12.4.127"));
  EXPECT_THAT(problems(read()),
              ElementsAre("warning: RECORD of nvidia-nvjitlink-cu12 cannot be read"));
}

TEST_F(PythonEnvironments, filesThatNothingClaims) {
  venv();
  files.file(std::string(site) + "/nvidia/nvjitlink/lib/libnvJitLink.so.12");
  files.file(std::string(site) + "/nvidia/nvjitlink/lib/libother.so.1");
  EXPECT_THAT(libraries(read()), ElementsAre("libnvJitLink.so.12  "));
  EXPECT_THAT(problems(read()),
              ElementsAre("error: nothing that is installed claims libnvJitLink.so.12"));
}

TEST_F(PythonEnvironments, hostileRecord) {
  venv();
  wheel("nvidia_nvjitlink_cu12", "12.4.127", "nvidia/nvjitlink/lib/libnvJitLink.so.12");
  std::string path = std::string(site) + "/nvidia_nvjitlink_cu12-12.4.127.dist-info/RECORD";
  files.file(path, "\"nvidia/nvjitlink/lib/libnvJitLink.so.12\",sha256=x,4\r\n\"libx.so,,,\n"
                   "libq\"\".so.1\n.so\n,,\nlib.so" +
                       std::string(1, '\0') + ",,9999999999999999999999");
  EXPECT_THAT(libraries(read()), ElementsAre("libnvJitLink.so.12 nvidia-nvjitlink-cu12 12.4.127"));
  std::string many;
  for (int i = 0; i < 20000; ++i)
    many += "nvidia/x/lib" + std::to_string(i) + ".so.1,,1\n";
  files.file(path, many);
  EXPECT_THAT(problems(read()), testing::Contains("error: more than 4096 libraries"));
  files.file(path, std::string(5 << 20, 'a'));
  EXPECT_EQ(read().problems.front().code, Code::UnreadableFile);
}

} // namespace
