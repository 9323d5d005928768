// SPDX-License-Identifier: Apache-2.0
#include "Traced.h"
#include "gmock/gmock.h"

namespace cudacc::test {

static std::vector<std::string> namesIn(const rtld::TraceReport &report) {
  std::vector<std::string> names;
  for (const rtld::TracedProcess &process : report.processes)
    for (const rtld::TracedLibrary &library : process.libraries)
      names.push_back(library.name);
  return names;
}

TEST(TraceModule, keepsWhatItAskedForAndPulledIn) {
  MixedMinors mixed;
  rtld::TraceReport torch = mixed.trace("torch");
  EXPECT_THAT(namesIn(torch), testing::ElementsAre("cusparse", "nvJitLink"));
  // Only ext requested it, so it is not reported for torch.
  const rtld::TracedCopy &copy = torch.processes.at(0).libraries.at(1).copies.at(0);
  EXPECT_EQ(copy.requests.size(), 1u);
  EXPECT_TRUE(copy.missing.empty());
  EXPECT_EQ(torch.processes[0].libraries[1].copies.size(), 1u);
}

TEST(TraceModule, showsWhoWasFirstAllTheSame) {
  MixedMinors mixed;
  rtld::TraceReport ext = mixed.trace("ext");
  EXPECT_THAT(namesIn(ext), testing::ElementsAre("nvJitLink"));
  const rtld::TracedLibrary &library = ext.processes.at(0).libraries.at(0);
  ASSERT_EQ(library.copies.size(), 2u);
  ASSERT_EQ(library.copies[0].requests.size(), 2u);
  EXPECT_EQ(library.copies[0].requests[0].askedBy, MixedMinors::sparse);
  EXPECT_EQ(library.copies[0].missing.size(), 1u);
}

TEST(TraceModule, isAWholeName) {
  MixedMinors mixed;
  for (const char *name : {"tor", "nothing", "site/torch", "so", ".", "/"})
    EXPECT_TRUE(mixed.trace(name).processes.empty()) << name;
  for (const char *name : {"site", "torch_cuda", "libtorch_cuda", "lib"})
    EXPECT_FALSE(mixed.trace(name).processes.empty()) << name;
}

} // namespace cudacc::test
