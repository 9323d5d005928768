// SPDX-License-Identifier: Apache-2.0
#include "driver/cache/Store.h"
#include "driver/cache/StoreCodec.h"
#include "driver/core/Environment.h"
#include "tests/support/MemoryFiles.h"
#include <gmock/gmock.h>

using namespace cudacc;
using namespace cudacc::core;
using namespace cudacc::versions;
using testing::ElementsAre;

namespace {

cache::KeptTarget kept() {
  cache::KeptTarget kept;
  kept.question = "what\tis asked";
  Target &target = kept.target;
  target.line = {12, 4};
  target.release = "12.4.1";
  TargetLibrary row;
  row.soname = "libnvJitLink.so.12";
  row.dist = "nvidia-nvjitlink-cu12";
  row.version = *Version::parse("12.4.127.post1");
  row.cuda = {12, 4};
  row.floats = true;
  row.origin = "installed in .venv";
  row.folder = "nvidia/nvjitlink/lib";
  row.otherFolders = {"nvidia/cu12/lib", "lib"};
  row.path = "/a\\b/libnvJitLink.so.12";
  row.ofConda = true;
  target.libraries = {row, {}};
  target.libraries[1].soname = "libunknown.so.1";
  target.driverFloor = "525.60.13";
  target.driver = "535.104";
  target.driverCuda = {12, 2};
  target.gpus = {{80, 0}, {90, 'a'}};
  target.gpuOrigin = "sm_80 in cuda-cc.toml:3";
  target.sitePackages = {"/venv/lib/python3.11/site-packages"};
  target.torch = "2.5.1+cu124";
  target.torchReleases = {"2.5.1"};
  target.machine = 183;
  target.layout = {{Layout::Conda, ""}, {Origin::Kind::File, "pixi.lock"}};
  target.portableAs = {"torch==2.5.1"};
  Finding problem;
  problem.code = Code::EvidenceConflict;
  problem.severity = Severity::Warning;
  problem.message = "two\nsources";
  problem.facts = {{"first", "a"}, {"second", "b"}};
  problem.fixes = {"uninstall one"};
  problem.library = "libcublas.so.12";
  problem.symbol = "cublasCreate_v2";
  problem.origin = "uv.lock:3";
  target.problems = {problem, problem};
  target.waivers = {"rule: why"};
  target.dataRelease = "2026.12.0";
  target.factsPackage = "/venv/share/cuda-cc/facts";
  kept.inputs = {{"/venv", 1, 2, 3, -4}, {"/not there", 0, 0, 0, 0}};
  return kept;
}

} // namespace

TEST(TargetCodec, aTargetComesBackWhole) {
  cache::KeptTarget before = kept();
  std::string text = cache::serialise(before);
  auto after = cache::parseTarget(text);
  ASSERT_TRUE(after);
  EXPECT_EQ(cache::serialise(*after), text);
  EXPECT_EQ(after->question, before.question);
  EXPECT_EQ(after->inputs, before.inputs);
  const Target &target = after->target;
  EXPECT_EQ(target.line, (CudaVersion{12, 4}));
  EXPECT_EQ(target.release, "12.4.1");
  EXPECT_EQ(target.driverFloor, "525.60.13");
  EXPECT_EQ(target.driver, "535.104");
  EXPECT_EQ(target.driverCuda, (CudaVersion{12, 2}));
  EXPECT_EQ(target.gpus, before.target.gpus);
  EXPECT_EQ(target.gpuOrigin, before.target.gpuOrigin);
  EXPECT_EQ(target.sitePackages, before.target.sitePackages);
  EXPECT_EQ(target.torch, "2.5.1+cu124");
  EXPECT_THAT(target.torchReleases, ElementsAre("2.5.1"));
  EXPECT_EQ(target.machine, 183);
  EXPECT_EQ(target.describeLayout(), "conda (pixi.lock)");
  EXPECT_THAT(target.portableAs, ElementsAre("torch==2.5.1"));
  EXPECT_THAT(target.waivers, ElementsAre("rule: why"));
  EXPECT_EQ(target.dataRelease, "2026.12.0");
  EXPECT_EQ(target.factsPackage, "/venv/share/cuda-cc/facts");
}

TEST(TargetCodec, itsRowsAndProblemsToo) {
  cache::KeptTarget before = kept();
  auto after = cache::parseTarget(cache::serialise(before));
  ASSERT_TRUE(after);
  ASSERT_EQ(after->target.libraries.size(), 2u);
  const TargetLibrary &row = after->target.libraries[0], &was = before.target.libraries[0];
  EXPECT_EQ(row.soname, was.soname);
  EXPECT_EQ(row.dist, was.dist);
  EXPECT_EQ(row.version.str(), "12.4.127.post1");
  EXPECT_EQ(row.cuda, was.cuda);
  EXPECT_TRUE(row.floats);
  EXPECT_EQ(row.origin, was.origin);
  EXPECT_EQ(row.folder, was.folder);
  EXPECT_EQ(row.otherFolders, was.otherFolders);
  EXPECT_EQ(row.path, was.path);
  EXPECT_TRUE(row.ofConda);
  EXPECT_TRUE(after->target.libraries[1].version.release.empty());
  EXPECT_FALSE(after->target.libraries[1].cuda.known());
  ASSERT_EQ(after->target.problems.size(), 2u);
  const Finding &problem = after->target.problems[1];
  EXPECT_EQ(problem.code, Code::EvidenceConflict);
  EXPECT_EQ(problem.severity, Severity::Warning);
  EXPECT_EQ(problem.message, "two\nsources");
  EXPECT_EQ(problem.facts[1].label + problem.facts[1].text, "secondb");
  EXPECT_THAT(problem.fixes, ElementsAre("uninstall one"));
  EXPECT_EQ(problem.library + problem.symbol + problem.origin,
            "libcublas.so.12cublasCreate_v2uv.lock:3");
}

// A truncated text is never accepted as the whole; the target is resolved again.
TEST(TargetCodec, damagedTextIsNothing) {
  std::string text = cache::serialise(kept());
  for (size_t cut = 0; cut + 1 < text.size(); ++cut)
    EXPECT_FALSE(cache::parseTarget(llvm::StringRef(text).take_front(cut))) << cut;
  std::string head = "cuda-cc-target 5\n", foot = "input\t/a\t1\t1\t1\t1\t1\nend\n";
  EXPECT_TRUE(cache::parseTarget(head + foot));
  for (const char *line :
       {"line\tx\n", "gpu\tsm_x\n", "other-folder\ta\n", "fact\ta\tb\n", "nonsense\ta\n", "line\n",
        "library\ta\tb\tx.y\t12.4\t0\to\tf\t0\tp\n", "library\ta\tb\t1.0\tx\t0\to\tf\t0\tp\n",
        "layout\t9\t0\t\n", "layout\t0\t9\t\n", "input\t/a\tx\t1\t1\t1\n",
        "problem\t9\t9\ta\tb\tc\td\n", "end\n"})
    EXPECT_FALSE(cache::parseTarget(head + line + foot)) << line;
  for (const std::string &other : {"cuda-cc-target 0\n" + foot, head + "end\n", head, foot})
    EXPECT_FALSE(cache::parseTarget(other)) << other;
}

namespace {
struct KeptTargets : testing::Test {
  test::MemoryFiles files;
  Environment environment;
  unsigned resolved = 0;

  KeptTargets() {
    environment.entries = {"HOME=/home"};
    files.directory("/home").file("/w/uv.lock", "one");
  }
  std::string ask(const char *place, const char *question) {
    cache::Store store(environment, files, 0);
    auto target = store.target(place, question, [&]() -> llvm::Expected<cache::KeptTarget> {
      FileId id = files.stat("/w/uv.lock").id, none;
      id.path = "/w/uv.lock";
      none.path = "/w/pyvenv.cfg";
      cache::KeptTarget fresh;
      fresh.target.release = std::to_string(++resolved);
      fresh.inputs = {id, none};
      return fresh;
    });
    return target ? target->release : toFinding(target.takeError()).message;
  }
};
} // namespace

TEST_F(KeptTargets, answerTheirQuestionWhileNothingChanges) {
  EXPECT_EQ(ask("/w/uv.lock", "a"), "1");
  EXPECT_EQ(ask("/w/uv.lock", "a"), "1");
  EXPECT_EQ(ask("/w/uv.lock", "b"), "2");
  EXPECT_EQ(ask("/w/other.lock", "b"), "3");
  EXPECT_EQ(ask("/w/uv.lock", "b"), "2");
  files.file("/w/uv.lock", "other");
  EXPECT_EQ(ask("/w/uv.lock", "b"), "4");
  // A file that did not exist is part of the key too.
  files.file("/w/pyvenv.cfg", "");
  EXPECT_EQ(ask("/w/uv.lock", "b"), "5");
}

TEST_F(KeptTargets, damageIsReadAgainAndErrorsAreNotKept) {
  ask("/w/uv.lock", "a");
  std::string folder = "/home/.local/share/cuda-cc/1/targets";
  auto names = files.list(folder);
  ASSERT_EQ(names.size(), 1u);
  std::string path = folder + "/" + names[0];
  std::string text = llvm::cantFail(files.read(path));
  files.file(path, text.substr(0, text.size() / 2));
  EXPECT_EQ(ask("/w/uv.lock", "a"), "2");
  EXPECT_EQ(llvm::cantFail(files.read(path)).size(), text.size());
  cache::Store store(environment, files, 0);
  for (int i = 0; i < 2; ++i) {
    auto none = store.target("/w/x.lock", "a", []() -> llvm::Expected<cache::KeptTarget> {
      return makeError(Code::BrokenConfig, "x.lock:1 is not valid TOML");
    });
    ASSERT_FALSE(bool(none));
    EXPECT_EQ(toFinding(none.takeError()).code, Code::BrokenConfig);
  }
}
