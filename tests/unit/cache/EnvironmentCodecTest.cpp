// SPDX-License-Identifier: Apache-2.0
#include "driver/cache/Store.h"
#include "driver/cache/StoreCodec.h"
#include "tests/unit/probe/PythonEnvironments.h"

using namespace cudacc;
using namespace cudacc::core;
using test::PythonEnvironments;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

TEST_F(PythonEnvironments, formRoundTrips) {
  venv();
  torch("2.5.1+cu124", "'12.4'");
  wheel("nvidia_nvjitlink_cu12", "12.4.127", "nvidia/nvjitlink/lib/libnvJitLink.so.12", 40);
  wheel("nvidia_nvjitlink_cu12", "12.6.85", "nvidia/nvjitlink/lib/libnvJitLink.so.12", 60);
  PythonEnvironment before = read();
  before.machine = 183;
  std::string text = cache::serialise(before);
  auto after = cache::parseEnvironment(text);
  ASSERT_TRUE(after);
  EXPECT_EQ(cache::serialise(*after), text);
  EXPECT_EQ(libraries(*after), libraries(before));
  EXPECT_EQ(problems(*after), problems(before));
  EXPECT_EQ(after->torch->cuda, "12.4");
  EXPECT_EQ(after->machine, 183);
  EXPECT_EQ(after->inputs, before.inputs);
  for (size_t cut = 0; cut + 1 < text.size(); ++cut)
    EXPECT_FALSE(cache::parseEnvironment(llvm::StringRef(text).take_front(cut))) << cut;
  std::string head = "cuda-cc-environment 5\n", foot = "input\t/a\t1\t1\t1\t1\t1\nend\n";
  EXPECT_TRUE(cache::parseEnvironment(head + foot));
  for (const std::string &bad :
       {std::string(), std::string("x"), head, head + "end\n", head + "fact\ta\tb\n" + foot,
        head + "machine\tx\n" + foot, head + "problem\t9\t9\ta\tb\tc\td\n" + foot,
        "cuda-cc-environment 1\n" + foot})
    EXPECT_FALSE(cache::parseEnvironment(bad)) << bad;
}

TEST_F(PythonEnvironments, keptWhileNothingChanges) {
  venv();
  wheel("nvidia_nvjitlink_cu12", "12.4.127", "nvidia/nvjitlink/lib/libnvJitLink.so.12");
  Environment environment;
  environment.entries = {"HOME=/home"};
  files.directory("/home");
  cache::Store store(environment, files, 0);
  unsigned made = 0;
  auto ask = [&] {
    auto kept = store.environment("/venv", [&] {
      ++made;
      return probe::readEnvironment("/venv", files);
    });
    return kept ? libraries(*kept).front() : toFinding(kept.takeError()).message;
  };
  EXPECT_EQ(ask(), "libnvJitLink.so.12 nvidia-nvjitlink-cu12 12.4.127");
  EXPECT_EQ(ask(), "libnvJitLink.so.12 nvidia-nvjitlink-cu12 12.4.127");
  EXPECT_EQ(made, 1u);
  // pip replaces the folder of the metadata, which changes its parent on a real disk.
  files.remove(std::string(site) + "/nvidia_nvjitlink_cu12-12.4.127.dist-info/RECORD");
  files.remove(std::string(site) + "/nvidia_nvjitlink_cu12-12.4.127.dist-info/METADATA");
  files.remove(std::string(site) + "/nvidia_nvjitlink_cu12-12.4.127.dist-info");
  wheel("nvidia_nvjitlink_cu12", "12.6.85", "nvidia/nvjitlink/lib/libnvJitLink.so.12");
  EXPECT_EQ(ask(), "libnvJitLink.so.12 nvidia-nvjitlink-cu12 12.6.85");
  EXPECT_EQ(made, 2u);
  // cp -p and tar x keep size and time.
  files.node(std::string(site) + "/nvidia_nvjitlink_cu12-12.6.85.dist-info")->ctime = 5;
  ask();
  EXPECT_EQ(made, 3u);
  // So does a file that is as new as the answer, which is read again until it is older.
  auto &metadata = *files.node(std::string(site) + "/nvidia_nvjitlink_cu12-12.6.85.dist-info");
  metadata.ctime = INT64_MAX;
  ask();
  ask();
  EXPECT_EQ(made, 5u);
  metadata.ctime = 5;
  ask();
  EXPECT_EQ(made, 5u);
  made = 2;
  // A file that did not exist is part of the key too.
  files.file(std::string(site) + "/torch/version.py", "__version__ = '2.6.0'\n");
  ask();
  EXPECT_EQ(made, 3u);
  EXPECT_EQ(store.environment("/gone", [&] { return probe::readEnvironment("/gone", files); })
                ? ""
                : "refused",
            std::string("refused"));
}

} // namespace
