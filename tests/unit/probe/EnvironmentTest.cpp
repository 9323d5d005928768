#include "driver/probe/Environment.h"
#include "driver/core/Diagnostic.h"
#include "driver/probe/Store.h"
#include "tests/support/MemoryFiles.h"
#include <gmock/gmock.h>

using namespace cudacc;
using namespace cudacc::core;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

constexpr const char *site = "/venv/lib/python3.11/site-packages";

struct PythonEnvironments : testing::Test {
  test::MemoryFiles files;

  /// A wheel with one library of \p size bytes.
  void wheel(const std::string &dist, const std::string &version, const std::string &library,
             size_t size = 4, const std::string &where = site) {
    std::string file = where + "/" + library;
    if (!files.node(file))
      files.file(file, std::string(size, 'x'));
    std::string info = dist + "-" + version + ".dist-info";
    files.file(where + "/" + info + "/METADATA", "Name: x\nVersion: 0\n\n");
    files.file(where + "/" + info + "/RECORD", library + ",sha256=abc," + std::to_string(size) +
                                                   "\n" + info + "/METADATA,sha256=d,20\n" + info +
                                                   "/RECORD,,\n");
  }
  void venv() {
    files.file("/venv/pyvenv.cfg", "home = /usr/bin\nversion = 3.11.2\n");
    files.directory(site);
  }
  void torch(const std::string &version, const std::string &cuda, const std::string &where = site) {
    files.file(where + "/torch/version.py",
               "from typing import Optional\n\n__all__ = ['__version__']\n__version__ = '" +
                   version + "'\ndebug = False\ncuda: Optional[str] = " + cuda +
                   "\ngit_version = 'a'\nhip: Optional[str] = None\n");
  }
  PythonEnvironment read(llvm::StringRef prefix = "/venv") {
    auto environment = probe::readEnvironment(prefix, files);
    if (environment)
      return std::move(*environment);
    ADD_FAILURE() << takeFinding(environment.takeError()).message;
    return {};
  }
  Finding refusal(llvm::StringRef prefix = "/venv") {
    auto environment = probe::readEnvironment(prefix, files);
    if (!environment)
      return takeFinding(environment.takeError());
    ADD_FAILURE() << "was read";
    return {};
  }
  /// `libnvJitLink.so.12 nvidia-nvjitlink-cu12 12.4.127`.
  static std::vector<std::string> libraries(const PythonEnvironment &environment) {
    std::vector<std::string> all;
    for (const InstalledLibrary &each : environment.libraries)
      all.push_back(each.soname + " " + each.dist + " " + each.version);
    return all;
  }
  static std::vector<std::string> problems(const PythonEnvironment &environment) {
    std::vector<std::string> all;
    for (const Finding &each : environment.problems)
      all.push_back((each.severity == Severity::Error ? "error: " : "warning: ") + each.message);
    return all;
  }
};

} // namespace

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

TEST_F(PythonEnvironments, cuda13WheelsShareAFolder) {
  venv();
  wheel("nvidia_nvjitlink", "13.0.88", "nvidia/cu13/lib/libnvJitLink.so.13");
  wheel("nvidia_cusparse", "12.6.3.3", "nvidia/cu13/lib/libcusparse.so.12");
  EXPECT_THAT(libraries(read()), ElementsAre("libcusparse.so.12 nvidia-cusparse 12.6.3.3",
                                             "libnvJitLink.so.13 nvidia-nvjitlink 13.0.88"));
  EXPECT_EQ(read().libraries[0].folder, "nvidia/cu13/lib");
}

TEST_F(PythonEnvironments, otherVendorsNamesThatTheTablesKnow) {
  venv();
  wheel("custatevec_cu12", "1.7.0", "cuquantum/lib/libcustatevec.so.1");
  wheel("cupy_cuda12x", "13.3.0", "cupy/libcudart.so.12");
  EXPECT_THAT(libraries(read()), ElementsAre("libcustatevec.so.1 custatevec-cu12 1.7.0"));
}

TEST_F(PythonEnvironments, folderThatPackagesWereUnpackedInto) {
  wheel("nvidia_nvjitlink_cu12", "12.4.127", "nvidia/nvjitlink/lib/libnvJitLink.so.12", 4, "/t");
  EXPECT_THAT(read("/t").sitePackages, ElementsAre("/t"));
  EXPECT_EQ(read("/t").libraries.size(), 1u);
}

// PRODUCT.md 4 `env:PATH`: the platform's folder, and a link to the other one.
TEST_F(PythonEnvironments, lib64IsSearchedToo) {
  venv();
  files.symlink("/venv/lib64", "lib");
  EXPECT_THAT(read().sitePackages, ElementsAre(site));
  files.remove("/venv/lib64");
  files.directory("/venv/lib64/python3.11/site-packages");
  EXPECT_THAT(read().sitePackages, ElementsAre(site, "/venv/lib64/python3.11/site-packages"));
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
  // The file is silent: the metadata has the release.
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

// Broken environments: named, and unknown where nothing decides.
TEST_F(PythonEnvironments, twoMetadataOfOneDistribution) {
  venv();
  wheel("nvidia_nvjitlink_cu12", "12.4.127", "nvidia/nvjitlink/lib/libnvJitLink.so.12", 40);
  wheel("nvidia_nvjitlink_cu12", "12.6.85", "nvidia/nvjitlink/lib/libnvJitLink.so.12", 60);
  EXPECT_THAT(libraries(read()), ElementsAre("libnvJitLink.so.12 nvidia-nvjitlink-cu12 12.4.127"));
  EXPECT_THAT(problems(read()),
              ElementsAre("warning: nvidia-nvjitlink-cu12 is installed twice",
                          "warning: libnvJitLink.so.12 is claimed by several distributions"));
  // A size that both recorded, or none, decides nothing.
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

TEST_F(PythonEnvironments, fileThatIsNotTheInstalledOne) {
  venv();
  wheel("nvidia_nvjitlink_cu12", "12.4.127", "nvidia/nvjitlink/lib/libnvJitLink.so.12");
  files.file(std::string(site) + "/nvidia/nvjitlink/lib/libnvJitLink.so.12", "replaced");
  EXPECT_THAT(libraries(read()), ElementsAre("libnvJitLink.so.12 nvidia-nvjitlink-cu12 "));
  EXPECT_THAT(
      problems(read()),
      ElementsAre("error: libnvJitLink.so.12 is not the file that its distribution installed"));
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
  EXPECT_EQ(exitOf(refusal("/empty")), Exit::Unlearnt);
}

// F14
TEST_F(PythonEnvironments, theActiveOne) {
  auto active = [&](std::vector<llvm::StringRef> entries) {
    Environment environment;
    environment.entries = std::move(entries);
    return probe::activeEnvironment(environment, files);
  };
  files.directory("/venv").directory("/conda").symlink("/link", "/venv");
  EXPECT_EQ(*active({"VIRTUAL_ENV=/venv"}), "/venv");
  EXPECT_EQ(*active({"CONDA_PREFIX=/conda", "VIRTUAL_ENV="}), "/conda");
  EXPECT_EQ(*active({"VIRTUAL_ENV=/venv", "CONDA_PREFIX=/link"}), "/venv");
  auto two = active({"VIRTUAL_ENV=/venv", "CONDA_PREFIX=/conda"});
  ASSERT_FALSE(two);
  Finding finding = takeFinding(two.takeError());
  EXPECT_EQ(finding.code, Code::TwoEnvironments);
  EXPECT_EQ(exitOf(finding), Exit::Usage);
  EXPECT_EQ(finding.facts.size(), 2u);
  auto none = active({});
  ASSERT_FALSE(none);
  EXPECT_EQ(takeFinding(none.takeError()).code, Code::BadRequirement);
}

TEST_F(PythonEnvironments, formRoundTrips) {
  venv();
  torch("2.5.1+cu124", "'12.4'");
  wheel("nvidia_nvjitlink_cu12", "12.4.127", "nvidia/nvjitlink/lib/libnvJitLink.so.12", 40);
  wheel("nvidia_nvjitlink_cu12", "12.6.85", "nvidia/nvjitlink/lib/libnvJitLink.so.12", 60);
  PythonEnvironment before = read();
  std::string text = probe::serialise(before);
  auto after = probe::parseEnvironment(text);
  ASSERT_TRUE(after);
  EXPECT_EQ(probe::serialise(*after), text);
  EXPECT_EQ(libraries(*after), libraries(before));
  EXPECT_EQ(problems(*after), problems(before));
  EXPECT_EQ(after->torch->cuda, "12.4");
  EXPECT_EQ(after->inputs, before.inputs);
  for (size_t cut = 0; cut + 1 < text.size(); ++cut)
    EXPECT_FALSE(probe::parseEnvironment(llvm::StringRef(text).take_front(cut))) << cut;
  std::string head = "cuda-cc-environment 2\n", foot = "input\t/a\t1\t1\t1\t1\nend\n";
  EXPECT_TRUE(probe::parseEnvironment(head + foot));
  for (const std::string &bad :
       {std::string(), std::string("x"), head, head + "end\n", head + "fact\ta\tb\n" + foot,
        head + "problem\t9\t9\ta\tb\tc\td\n" + foot, "cuda-cc-environment 1\n" + foot})
    EXPECT_FALSE(probe::parseEnvironment(bad)) << bad;
}

TEST_F(PythonEnvironments, keptWhileNothingChanges) {
  venv();
  wheel("nvidia_nvjitlink_cu12", "12.4.127", "nvidia/nvjitlink/lib/libnvJitLink.so.12");
  Environment environment;
  environment.entries = {"HOME=/home"};
  probe::Store store(environment, files, 0);
  unsigned made = 0;
  auto ask = [&] {
    auto kept = store.environment("/venv", [&] {
      ++made;
      return probe::readEnvironment("/venv", files);
    });
    return kept ? libraries(*kept).front() : takeFinding(kept.takeError()).message;
  };
  EXPECT_EQ(ask(), "libnvJitLink.so.12 nvidia-nvjitlink-cu12 12.4.127");
  EXPECT_EQ(ask(), "libnvJitLink.so.12 nvidia-nvjitlink-cu12 12.4.127");
  EXPECT_EQ(made, 1u);
  // pip replaces the folder of the metadata; on a real disk its parent changes with it.
  files.remove(std::string(site) + "/nvidia_nvjitlink_cu12-12.4.127.dist-info/RECORD");
  files.remove(std::string(site) + "/nvidia_nvjitlink_cu12-12.4.127.dist-info/METADATA");
  files.remove(std::string(site) + "/nvidia_nvjitlink_cu12-12.4.127.dist-info");
  wheel("nvidia_nvjitlink_cu12", "12.6.85", "nvidia/nvjitlink/lib/libnvJitLink.so.12");
  EXPECT_EQ(ask(), "libnvJitLink.so.12 nvidia-nvjitlink-cu12 12.6.85");
  EXPECT_EQ(made, 2u);
  // What was not there counts too.
  files.file(std::string(site) + "/torch/version.py", "__version__ = '2.6.0'\n");
  ask();
  EXPECT_EQ(made, 3u);
  EXPECT_EQ(store.environment("/gone", [&] { return probe::readEnvironment("/gone", files); })
                ? ""
                : "refused",
            std::string("refused"));
}
