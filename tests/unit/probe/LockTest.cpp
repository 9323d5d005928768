// SPDX-License-Identifier: Apache-2.0
#include "driver/probe/lock/Lock.h"
#include "driver/core/Diagnostic.h"
#include "tests/support/MemoryFiles.h"
#include <gmock/gmock.h>

using namespace cudacc;
using namespace cudacc::core;
using namespace cudacc::versions;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

struct Locks : testing::Test {
  test::MemoryFiles files;
  MarkerEnvironment environment = MarkerEnvironment::linux("x86_64");

  LockReading read(const std::string &name, const std::string &text) {
    files.file("/w/" + name, text);
    auto lock = probe::readLock("/w/" + name, environment, files);
    if (lock)
      return std::move(*lock);
    Finding finding = toFinding(lock.takeError());
    ADD_FAILURE() << finding.message << (finding.facts.empty() ? "" : finding.facts[0].text);
    return {};
  }
  /// `torch 2.5.1 uv.lock:3`, followed by `?` if it may or may not be installed.
  std::vector<std::string> pins(const std::string &name, const std::string &text) {
    std::vector<std::string> all;
    for (const LockedPackage &each : read(name, text).packages)
      all.push_back(each.name + " " + each.version.str() + " " + each.place() +
                    (each.applies == Truth::Unknown ? "?" : ""));
    return all;
  }
  /// The message and the reason.
  std::string refusal(const std::string &name, const std::string &text,
                      Code code = Code::BrokenConfig) {
    files.file("/w/" + name, text);
    auto lock = probe::readLock("/w/" + name, environment, files);
    if (!lock) {
      Finding finding = toFinding(lock.takeError());
      EXPECT_EQ(finding.code, code) << finding.message;
      return finding.message + ": " + (finding.facts.empty() ? "" : finding.facts[0].text);
    }
    ADD_FAILURE() << name << " was read";
    return {};
  }
};

std::string repeated(const std::string &text, size_t times) {
  std::string all;
  for (size_t i = 0; i < times; ++i)
    all += text;
  return all;
}

} // namespace

TEST_F(Locks, TheFileNameSaysOfWhichTool) {
  EXPECT_THAT(refusal("yarn.lock", "", Code::BadRequirement), HasSubstr("is not a lock file"));
  EXPECT_THAT(pins("requirements-dev.txt", "torch==2.5.1\n"),
              ElementsAre("torch 2.5.1 requirements-dev.txt:1"));
  EXPECT_THAT(pins("pylock.gpu.toml", "lock-version = \"1.0\"\n"), IsEmpty());
  auto missing = probe::readLock("/w/nothing/uv.lock", environment, files);
  ASSERT_FALSE(bool(missing));
  EXPECT_EQ(toFinding(missing.takeError()).code, Code::UnreadableFile);
}

// The files that the result depends on, with their identity.
TEST_F(Locks, theFilesThatWereReadAreItsInputs) {
  LockReading lock = read("uv.lock", "version = 1\n");
  ASSERT_EQ(lock.inputs.size(), 1u);
  EXPECT_EQ(lock.inputs[0].path, "/w/uv.lock");
  EXPECT_EQ(lock.inputs[0].size, 12u);
  EXPECT_EQ(lock.inputs[0].inode, files.stat("/w/uv.lock").id.inode);
  files.file("/w/below/more.txt", "numpy==1.26.4\n");
  files.file("/w/limits.txt", "");
  std::vector<std::string> paths;
  for (const FileId &id :
       read("dev.txt", "-r below/more.txt\n-c limits.txt\ntorch==2.5.1\n").inputs)
    paths.push_back(id.path);
  EXPECT_THAT(paths, ElementsAre("/w/dev.txt", "/w/below/more.txt", "/w/limits.txt"));
}

TEST_F(Locks, UvIsWhatIsReachedFromTheProject) {
  const char *text = R"(version = 1
[[package]]
name = "extension"
source = { virtual = "." }
dependencies = [
    { name = "jax", extra = ["cuda12"] },
    { name = "colorama", marker = "sys_platform == 'win32'" },
    { name = "later", marker = "python_full_version >= '3.12'" },
]
[package.optional-dependencies]
gpu = [{ name = "torch" }]
[[package]]
name = "jax"
version = "0.4.35"
[package.optional-dependencies]
cuda12 = [{ name = "nvidia-nccl-cu12", marker = "platform_machine == 'x86_64'" }]
cuda13 = [{ name = "nvidia-nccl-cu13" }]
[[package]]
name = "nvidia-nccl-cu12"
version = "2.21.5"
[[package]]
name = "nvidia-nccl-cu13"
version = "2.28.3"
[[package]]
name = "colorama"
version = "0.4.6"
[[package]]
name = "later"
version = "1"
[[package]]
name = "torch"
version = "2.5.1+cu124"
)";
  EXPECT_THAT(pins("uv.lock", text),
              ElementsAre("extension  uv.lock:2", "jax 0.4.35 uv.lock:14",
                          "nvidia-nccl-cu12 2.21.5 uv.lock:20", "later 1 uv.lock:29?",
                          "torch 2.5.1+cu124 uv.lock:32?"));
  environment = MarkerEnvironment::linux("aarch64", "3.12.1");
  EXPECT_THAT(pins("uv.lock", text),
              ElementsAre("extension  uv.lock:2", "jax 0.4.35 uv.lock:14", "later 1 uv.lock:29",
                          "torch 2.5.1+cu124 uv.lock:32?"));
}

TEST_F(Locks, UvForksByEnvironmentAndTakesVersionsFromFiles) {
  EXPECT_THAT(pins("uv.lock",
                   "version = 1\n"
                   "[[package]]\nname = \"torch\"\nversion = \"2.5.1\"\n"
                   "resolution-markers = [\"sys_platform == 'darwin'\"]\n"
                   "[[package]]\nname = \"torch\"\n"
                   "source = { url = \"https://x/torch-2.5.1%2Bcu124-cp311-cp311-linux_x86_64."
                   "whl\" }\nresolution-markers = [\"sys_platform == 'linux'\"]\n"),
              ElementsAre("torch 2.5.1+cu124 uv.lock:6"));
}

TEST_F(Locks, BrokenUvIsNamedWithItsLine) {
  EXPECT_THAT(refusal("uv.lock", "version = 1\n[[package]]\nname = \"torch"),
              HasSubstr("uv.lock:3 is not valid TOML"));
  EXPECT_THAT(refusal("uv.lock", "\n[[package]]\nname = \"torch\"\n"),
              HasSubstr("uv.lock:1 is not a lock file of uv"));
  EXPECT_THAT(refusal("uv.lock", "# new\nversion = 2\n"), HasSubstr("uv.lock:2"));
  EXPECT_THAT(refusal("uv.lock", "version = 1\n[[package]]\nversion = \"1\"\n"),
              HasSubstr("a package has no name"));
  // F24: rejected before the recursive parser reads it.
  EXPECT_THAT(refusal("uv.lock", "version = 1\na = " + repeated("[", 1 << 20)),
              HasSubstr("nested more than 64 deep"));
  EXPECT_THAT(refusal("uv.lock", "version = 1\na = [" + repeated("1,", 1 << 20) + "]"),
              HasSubstr("values"));
}

TEST_F(Locks, UvCyclesEnd) {
  EXPECT_THAT(pins("uv.lock", "version = 1\n"
                              "[[package]]\nname = \"a\"\nversion = \"1\"\n"
                              "source = { editable = \".\" }\ndependencies = [{ name = \"b\" }]\n"
                              "[[package]]\nname = \"b\"\nversion = \"1\"\n"
                              "dependencies = [{ name = \"a\" }, { name = \"b\" }]\n"),
              ElementsAre("a 1 uv.lock:4", "b 1 uv.lock:9"));
}

TEST_F(Locks, PylockHasMarkersExtrasAndFiles) {
  EXPECT_THAT(pins("pylock.toml",
                   "lock-version = \"1.0\"\nenvironments = [\"sys_platform == 'linux'\"]\n"
                   "[[packages]]\nname = \"NVIDIA_nvjitlink.cu12\"\nversion = \"12.4.127\"\n"
                   "marker = \"platform_machine == 'x86_64'\"\n"
                   "[[packages]]\nname = \"gone\"\nversion = \"1\"\nmarker = \"os_name == 'nt'\"\n"
                   "[[packages]]\nname = \"torch\"\nmarker = \"'gpu' in extras\"\n"
                   "wheels = [{ name = \"torch-2.5.1+cu124-cp311-cp311-linux_x86_64.whl\" }]\n"),
              ElementsAre("nvidia-nvjitlink-cu12 12.4.127 pylock.toml:5",
                          "torch 2.5.1+cu124 pylock.toml:11?"));
  EXPECT_THAT(refusal("pylock.toml", "lock-version = \"2.0\"\n"), HasSubstr("pylock.toml:1"));
  EXPECT_THAT(refusal("pylock.toml", "x = 1"), HasSubstr("is not a lock file of PEP 751"));
  LockReading elsewhere = read("pylock.toml", "lock-version = \"1.0\"\n"
                                              "environments = [\"sys_platform == 'win32'\"]\n"
                                              "[[packages]]\nname = \"a\"\nversion = \"1\"\n");
  EXPECT_THAT(elsewhere.packages, IsEmpty());
  ASSERT_EQ(elsewhere.problems.size(), 1u);
  EXPECT_EQ(elsewhere.problems[0].message, "the lock is for other machines");
}

TEST_F(Locks, AMarkerThatIsNoneCountsAsOpen) {
  LockReading lock = read("pylock.toml", "lock-version = \"1.0\"\n[[packages]]\nname = \"a\"\n"
                                         "version = \"1\"\nmarker = \"sys_platform ==\"\n");
  ASSERT_EQ(lock.packages.size(), 1u);
  EXPECT_EQ(lock.packages[0].applies, Truth::Unknown);
  ASSERT_EQ(lock.problems.size(), 1u);
  EXPECT_EQ(lock.problems[0].origin, "pylock.toml:4");
}

TEST_F(Locks, PoetryHasMarkersForAllGroupsOrForEach) {
  EXPECT_THAT(pins("poetry.lock",
                   "[[package]]\nname = \"a\"\nversion = \"1\"\ngroups = [\"main\"]\n"
                   "markers = \"sys_platform == \\\"win32\\\"\"\n"
                   "[[package]]\nname = \"b\"\nversion = \"2\"\ngroups = [\"main\", \"dev\"]\n"
                   "markers = {main = \"sys_platform == \\\"win32\\\"\"}\n"
                   "[[package]]\nname = \"c\"\nversion = \"3\"\noptional = true\n"
                   "[[package]]\nname = \"d\"\nversion = \"4\"\n"
                   "[metadata]\nlock-version = \"2.1\"\n"),
              ElementsAre("b 2 poetry.lock:8?", "c 3 poetry.lock:13?", "d 4 poetry.lock:17"));
  EXPECT_THAT(refusal("poetry.lock", "[metadata]\nlock-version = \"9\"\n"),
              HasSubstr("poetry.lock:2"));
  EXPECT_THAT(refusal("poetry.lock", ""), HasSubstr("is not a lock file of Poetry"));
}

TEST_F(Locks, PdmHasGroupsAndMarkers) {
  EXPECT_THAT(pins("pdm.lock", "[metadata]\nlock_version = \"4.5.0\"\n"
                               "[[package]]\nname = \"a\"\nversion = \"1\"\n"
                               "groups = [\"default\"]\nmarker = \"os_name == \\\"nt\\\"\"\n"
                               "[[package]]\nname = \"b\"\nversion = \"2\"\ngroups = [\"dev\"]\n"
                               "[[package]]\nname = \"c\"\nversion = \"3\"\n"
                               "groups = [\"default\", \"dev\"]\n"),
              ElementsAre("b 2 pdm.lock:10?", "c 3 pdm.lock:14"));
  EXPECT_THAT(refusal("pdm.lock", "[metadata]\n"), HasSubstr("is not a lock file of PDM"));
}

TEST_F(Locks, PipenvHasCategoriesWithLines) {
  EXPECT_THAT(pins("Pipfile.lock", R"({
  "_meta": {"pipfile-spec": 6, "default": "torch"},
  "default": {
    "nvidia-nvjitlink-cu12": {
      "version": "==12.4.127", "markers": "sys_platform == 'linux'"},
    "gone": {"version": "==1", "markers": "sys_platform == 'win32'"},
    "torch": {"file": "https://x/torch-2.5.1%2Bcu124-cp311-cp311-linux_x86_64.whl"}
  },
  "develop": {
    "nvidia-nvjitlink-cu12": {"version": "==12.6.85"}
  }
})"),
              ElementsAre("nvidia-nvjitlink-cu12 12.4.127 Pipfile.lock:4",
                          "torch 2.5.1+cu124 Pipfile.lock:7",
                          "nvidia-nvjitlink-cu12 12.6.85 Pipfile.lock:10?"));
  EXPECT_THAT(refusal("Pipfile.lock", "{\n \"_meta\": {\n"),
              HasSubstr("Pipfile.lock:3 is not valid JSON"));
  EXPECT_THAT(refusal("Pipfile.lock", "[]"), HasSubstr("is not a lock file"));
  EXPECT_THAT(refusal("Pipfile.lock", "{}"), HasSubstr("is not a lock file of Pipenv"));
  EXPECT_THAT(refusal("Pipfile.lock", "\n" + repeated("[", 1 << 20)),
              HasSubstr("Pipfile.lock:2 is not valid JSON: nested more than 64 deep"));
  EXPECT_THAT(refusal("Pipfile.lock", "{\"a"), HasSubstr("is not valid JSON"));
}

TEST_F(Locks, CondaLockHasPlatformsAndManagers) {
  const char *text = R"(version: 1
package:
  - name: cuda-cudart
    version: 12.4.127
    manager: conda
    platform: linux-64
    category: main
    optional: false
  - name: cuda-cudart
    version: 12.6.77
    manager: conda
    platform: linux-aarch64
  - {name: Nvidia_nccl-cu12, version: 2.21.5, manager: pip, platform: linux-64, category: dev}
  - name: openssl
    version: 9e
    manager: conda
    platform: linux-64
)";
  EXPECT_THAT(pins("conda-lock.yml", text),
              ElementsAre("cuda-cudart 12.4.127 conda-lock.yml:4",
                          "nvidia-nccl-cu12 2.21.5 conda-lock.yml:13?",
                          "openssl  conda-lock.yml:15"));
  LockReading lock = read("x.conda-lock.yml", text);
  EXPECT_TRUE(lock.packages[0].conda);
  EXPECT_FALSE(lock.packages[1].conda);
  EXPECT_THAT(refusal("conda-lock.yml", "version: 1\n"), HasSubstr("it has no packages"));
  EXPECT_THAT(refusal("conda-lock.yml", ""), HasSubstr("conda-lock.yml:1"));
  EXPECT_THAT(refusal("conda-lock.yml", "version: 1\npackage: [\n"),
              HasSubstr("is not valid YAML"));
  EXPECT_THAT(refusal("conda-lock.yml", "version: 1\npackage: [}\n"),
              HasSubstr("conda-lock.yml:2 is not valid YAML"));
}

TEST_F(Locks, HostileYamlEndsInOneError) {
  std::string begin = "version: 1\npackage: ";
  EXPECT_THAT(refusal("conda-lock.yml", begin + repeated("[", 1 << 18)),
              HasSubstr("nested more than 64 deep"));
  EXPECT_THAT(refusal("conda-lock.yml", begin + "\n" + repeated("- ", 1 << 16) + "a"),
              HasSubstr("nested more than 64 deep"));
  EXPECT_THAT(refusal("conda-lock.yml",
                      begin + "{? " + repeated("[", 5000) + repeated("]", 5000) + ": 1}\n"),
              HasSubstr("a key is not a string"));
  EXPECT_THAT(refusal("conda-lock.yml", begin + "\n" + repeated("- a\n", (1 << 20) + 1)),
              HasSubstr("values"));
}

TEST_F(Locks, PixiHasEnvironmentsOfFiles) {
  const char *text = R"(version: 6
environments:
  default:
    channels: []
    packages:
      linux-64:
      - conda: https://c/linux-64/cuda-cudart-12.4.127-he02047a_2.conda
      - conda: https://c/linux-64/libnvjitlink-12.4.127-he02047a_2.tar.bz2
      - pypi: https://f/torch-2.5.1+cu124-cp311-cp311-linux_x86_64.whl
      linux-aarch64:
      - conda: https://c/linux-aarch64/libnvjitlink-12.6.85-hac28a21_0.conda
  later:
    packages:
      linux-64:
      - conda: https://c/linux-64/libnvjitlink-12.6.85-hac28a21_0.conda
packages:
- conda: https://c/linux-64/libnvjitlink-12.4.127-he02047a_2.tar.bz2
  name: libnvjitlink
  version: 12.4.127
)";
  EXPECT_THAT(pins("pixi.lock", text),
              ElementsAre("cuda-cudart 12.4.127 pixi.lock:7", "libnvjitlink 12.4.127 pixi.lock:19",
                          "torch 2.5.1+cu124 pixi.lock:9"));
  EXPECT_THAT(pins("pixi.lock", "version: 3\npackage:\n- platform: linux-64\n  name: cuda-cudart\n"
                                "  version: 12.4.127\n  kind: conda\n  category: main\n"),
              ElementsAre("cuda-cudart 12.4.127 pixi.lock:5"));
  EXPECT_THAT(refusal("pixi.lock", "version: 8\n"), HasSubstr("pixi.lock:1"));
  EXPECT_THAT(refusal("pixi.lock", "version: 6\n"), HasSubstr("it has no environments"));
  LockReading none = read("pixi.lock", "version: 6\nenvironments:\n  default:\n    packages:\n"
                                       "      osx-64: []\npackages: []\n");
  ASSERT_EQ(none.problems.size(), 1u);
  EXPECT_THAT(none.problems[0].message, HasSubstr("linux-64"));
}
