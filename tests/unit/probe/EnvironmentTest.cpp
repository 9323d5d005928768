// SPDX-License-Identifier: Apache-2.0
#include "driver/core/Environment.h"
#include "driver/config/ActiveEnvironment.h"
#include "tests/unit/probe/PythonEnvironments.h"

using namespace cudacc;
using namespace cudacc::core;
using test::PythonEnvironments;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

TEST_F(PythonEnvironments, wheelsOfAVirtualEnvironment) {
  venv();
  wheel("nvidia_nvjitlink_cu12", "12.4.127", "nvidia/nvjitlink/lib/libnvJitLink.so.12");
  wheel("nvidia_cuda_runtime_cu12", "12.4.127", "nvidia/cuda_runtime/lib/libcudart.so.12");
  wheel("numpy", "1.26.4", "numpy.libs/libopenblas.so.0");
  PythonEnvironment environment = read();
  EXPECT_THAT(environment.sitePackages, ElementsAre(site));
  EXPECT_THAT(libraries(environment),
              ElementsAre("libcudart.so.12 nvidia-cuda-runtime-cu12 12.4.127",
                          "libnvJitLink.so.12 nvidia-nvjitlink-cu12 12.4.127"));
  const InstalledLibrary &library = environment.libraries[1];
  EXPECT_EQ(library.path, std::string(site) + "/nvidia/nvjitlink/lib/libnvJitLink.so.12");
  EXPECT_EQ(library.folder, "nvidia/nvjitlink/lib");
  EXPECT_EQ(library.metadata, "nvidia_nvjitlink_cu12-12.4.127.dist-info");
  EXPECT_EQ(environment.distributions.size(), 2u);
  EXPECT_THAT(environment.problems, IsEmpty());
  EXPECT_FALSE(environment.torch);
}

TEST_F(PythonEnvironments, cuda13WheelsShareAFolder) {
  venv();
  wheel("nvidia_nvjitlink", "13.0.88", "nvidia/cu13/lib/libnvJitLink.so.13");
  wheel("nvidia_cusparse", "12.6.3.3", "nvidia/cu13/lib/libcusparse.so.12");
  EXPECT_THAT(libraries(read()), ElementsAre("libcusparse.so.12 nvidia-cusparse 12.6.3.3",
                                             "libnvJitLink.so.13 nvidia-nvjitlink 13.0.88"));
  EXPECT_EQ(read().libraries[0].folder, "nvidia/cu13/lib");
}

TEST_F(PythonEnvironments, folderThatPackagesWereUnpackedInto) {
  wheel("nvidia_nvjitlink_cu12", "12.4.127", "nvidia/nvjitlink/lib/libnvJitLink.so.12", 4, "/t");
  EXPECT_THAT(read("/t").sitePackages, ElementsAre("/t"));
  EXPECT_EQ(read("/t").libraries.size(), 1u);
}

// `env:PATH`: the platform's folder, and a link to the other one.
TEST_F(PythonEnvironments, lib64IsSearchedToo) {
  venv();
  files.symlink("/venv/lib64", "lib");
  EXPECT_THAT(read().sitePackages, ElementsAre(site));
  files.remove("/venv/lib64");
  files.directory("/venv/lib64/python3.11/site-packages");
  EXPECT_THAT(read().sitePackages, ElementsAre(site, "/venv/lib64/python3.11/site-packages"));
}

// A directory that cannot be read may contain anything.
TEST_F(PythonEnvironments, ofWhichAPartCannotBeReadIsUnknown) {
  venv();
  wheel("nvidia_nvjitlink_cu12", "12.4.127", "nvidia/nvjitlink/lib/libnvJitLink.so.12");
  files.directory("/venv/lib64/python3.11/site-packages");
  files.file(std::string(site) + "/torch/version.py", "__version__ = '2.5.1'\n");
  files.directory(std::string(site) + "/torch/lib");
  EXPECT_EQ(read().libraries.size(), 1u);
  for (const std::string &path :
       {std::string("/venv/lib64/python3.11/site-packages"), std::string(site),
        std::string(site) + "/nvidia", std::string(site) + "/nvidia/nvjitlink/lib",
        std::string(site) + "/torch/lib"}) {
    files.unreadable = {path};
    auto environment = probe::readEnvironment("/venv", files);
    ASSERT_FALSE(environment) << path;
    Finding finding = toFinding(environment.takeError());
    EXPECT_EQ(finding.code, Code::UnreadableFile);
    EXPECT_THAT(finding.message, HasSubstr(path));
  }
  files.unreadable = {};
  files.unsearchable = {"/venv/lib64/python3.11"};
  auto environment = probe::readEnvironment("/venv", files);
  ASSERT_FALSE(environment);
  EXPECT_EQ(toFinding(environment.takeError()).code, Code::UnreadableFile);
}

TEST_F(PythonEnvironments, systemSitePackagesWhereTheyAreIncluded) {
  venv();
  wheel("nvidia_nvjitlink_cu12", "12.4.127", "nvidia/nvjitlink/lib/libnvJitLink.so.12", 4,
        "/usr/lib/python3/dist-packages");
  EXPECT_THAT(read().libraries, IsEmpty());
  files.file("/venv/pyvenv.cfg",
             "home = /usr/bin\ninclude-system-site-packages = true\nversion = 3.11.2\n");
  EXPECT_THAT(read().sitePackages, ElementsAre(site, "/usr/lib/python3/dist-packages"));
  EXPECT_EQ(read().libraries.size(), 1u);
  // virtualenv names the prefix itself.
  files.file("/venv/pyvenv.cfg", "base-prefix = /opt/py\ninclude-system-site-packages = True\n");
  files.directory("/opt/py/lib/python3.11/site-packages");
  EXPECT_THAT(read().sitePackages, ElementsAre(site, "/opt/py/lib/python3.11/site-packages"));
  files.file("/venv/pyvenv.cfg", "home = /gone/bin\ninclude-system-site-packages = true\n");
  EXPECT_THAT(problems(read()),
              ElementsAre("warning: the base installation of the environment has no packages"));
}

TEST_F(PythonEnvironments, theDirectoryInFrontWins) {
  files.file("/venv/pyvenv.cfg", "home = /usr/bin\ninclude-system-site-packages = true\n");
  wheel("nvidia_nvjitlink_cu12", "12.4.127", "nvidia/nvjitlink/lib/libnvJitLink.so.12");
  wheel("nvidia_nvjitlink_cu12", "12.6.85", "nvidia/nvjitlink/lib/libnvJitLink.so.12", 5,
        "/usr/lib/python3.11/site-packages");
  EXPECT_THAT(libraries(read()), ElementsAre("libnvJitLink.so.12 nvidia-nvjitlink-cu12 12.4.127",
                                             "libnvJitLink.so.12 nvidia-nvjitlink-cu12 12.6.85"));
  EXPECT_THAT(problems(read()),
              ElementsAre("warning: two site directories have libnvJitLink.so.12"));
}

TEST_F(PythonEnvironments, pathsInPthFilesAndNoCode) {
  venv();
  files.directory("/src/torch-src").directory("/src/other").directory("/never");
  files.file(std::string(site) + "/easy.pth",
             "# comment\n/src/torch-src\r\n\nimport sys; sys.path.append('/never')\n/missing\n"
             "import\t/never\nrelative\n");
  files.directory(std::string(site) + "/relative");
  files.file(std::string(site) + "/.hidden.pth", "/never\n");
  files.file("/src/torch-src/more.pth", "/never\n");
  torch("2.7.0a0+git1", "'12.6'", "/src/torch-src");
  PythonEnvironment environment = read();
  EXPECT_THAT(environment.sitePackages,
              ElementsAre(site, "/src/torch-src", std::string(site) + "/relative"));
  ASSERT_TRUE(environment.torch);
  EXPECT_EQ(environment.torch->version, "2.7.0a0+git1");
}

TEST_F(PythonEnvironments, hostilePthIsBounded) {
  venv();
  std::string text;
  for (int i = 0; i < 1000; ++i) {
    files.directory("/d/" + std::to_string(i));
    text += "/d/" + std::to_string(i) + "\n";
  }
  files.file(std::string(site) + "/a.pth", text + std::string(10000, 'x') + "\n");
  PythonEnvironment environment = read();
  EXPECT_LE(environment.sitePackages.size(), 128u);
  EXPECT_THAT(problems(environment), ElementsAre("error: more than 128 site directories"));
  files.file(std::string(site) + "/a.pth", std::string(1 << 20, '/'));
  EXPECT_EQ(read().problems.size(), 1u);
}

TEST_F(PythonEnvironments, condaPackages) {
  files.file("/conda/lib/libcublas.so.12").file("/conda/lib/libnvJitLink.so.12");
  files.file("/conda/lib/libz.so.1").file("/conda/lib/libcurand.so.10");
  files.file("/conda/conda-meta/libcublas-12.4.5.8-h99ab3db_1.json",
             R"({"files": ["lib/libcublas.so.12", "lib/libcublas.so.12.4.5.8"]})");
  files.file("/conda/conda-meta/libnvjitlink-12.4.127-h99ab3db_1.json",
             R"({"files": ["lib/libnvJitLink.so.12"]})");
  files.file("/conda/conda-meta/zlib-1.3-0.json", R"({"files": ["lib/libz.so.1"]})");
  EXPECT_THAT(libraries(read("/conda")),
              ElementsAre("libcublas.so.12 libcublas 12.4.5.8", "libcurand.so.10  ",
                          "libnvJitLink.so.12 libnvjitlink 12.4.127"));
  EXPECT_THAT(problems(read("/conda")),
              ElementsAre("error: no package in conda-meta has libcurand.so.10"));
}

TEST_F(PythonEnvironments, ofSeveralPythonsTheOneThatIsMeant) {
  files.directory("/p/lib/python3.10/site-packages").directory("/p/lib/python3.11/site-packages");
  Finding finding = refusal("/p");
  EXPECT_EQ(finding.code, Code::EvidenceConflict);
  EXPECT_THAT(finding.fixes.front(), HasSubstr("env:/p/lib/python3.11/site-packages"));
  files.file("/p/bin/python3.10").symlink("/p/bin/python3", "python3.10");
  EXPECT_THAT(read("/p").sitePackages, ElementsAre("/p/lib/python3.10/site-packages"));
  files.file("/p/pyvenv.cfg", "version_info = 3.11.4.final.0\n");
  EXPECT_THAT(read("/p").sitePackages, ElementsAre("/p/lib/python3.11/site-packages"));
}

TEST_F(PythonEnvironments, whatIsNone) {
  EXPECT_EQ(refusal("/gone").message, "there is no /gone");
  files.directory("/empty/lib").file("/file");
  EXPECT_EQ(refusal("/empty").message, "no Python environment at /empty");
  EXPECT_EQ(refusal("/file").code, Code::UnreadableFile);
  EXPECT_EQ(exitOf(refusal("/empty")), Exit::Undetermined);
}

// F14
TEST_F(PythonEnvironments, theActiveOne) {
  auto active = [&](std::vector<llvm::StringRef> entries) {
    Environment environment;
    environment.entries = std::move(entries);
    return config::activeEnvironment(environment, files);
  };
  files.directory("/venv").directory("/conda").symlink("/link", "/venv");
  EXPECT_EQ(*active({"VIRTUAL_ENV=/venv"}), "/venv");
  EXPECT_EQ(*active({"CONDA_PREFIX=/conda", "VIRTUAL_ENV="}), "/conda");
  EXPECT_EQ(*active({"VIRTUAL_ENV=/venv", "CONDA_PREFIX=/link"}), "/venv");
  auto two = active({"VIRTUAL_ENV=/venv", "CONDA_PREFIX=/conda"});
  ASSERT_FALSE(two);
  Finding finding = toFinding(two.takeError());
  EXPECT_EQ(finding.code, Code::TwoEnvironments);
  EXPECT_EQ(exitOf(finding), Exit::Usage);
  EXPECT_EQ(finding.facts.size(), 2u);
  auto none = active({});
  ASSERT_FALSE(none);
  EXPECT_EQ(toFinding(none.takeError()).code, Code::BadRequirement);
}

} // namespace
