#include "driver/facts/Coupling.h"
#include <gmock/gmock.h>

using namespace cudacc;
using facts::Reach;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

/// Sonames with `~` in front of one that is only opened by name.
std::vector<std::string> needs(const char *soname, const char *dist, const char *version) {
  std::vector<std::string> all;
  for (const facts::Need &need : facts::needsOf(soname, dist, *core::Version::parse(version)))
    all.push_back((need.reach == Reach::Dlopen ? "~" : "") + need.soname.str());
  return all;
}

} // namespace

TEST(Coupling, CoupledByMinor) {
  EXPECT_THAT(needs("libcusparse.so.12", "nvidia-cusparse-cu12", "12.3.1.170"),
              ElementsAre("libnvJitLink.so.12"));
  EXPECT_THAT(needs("libcusolver.so.11", "nvidia-cusolver-cu12", "11.6.1.9"),
              ElementsAre("libnvJitLink.so.12", "libcusparse.so.12", "libcublas.so.12",
                          "libcublasLt.so.12"));
  EXPECT_THAT(needs("libcublas.so.12", "nvidia-cublas-cu12", "12.4.5.8"),
              ElementsAre("libcublasLt.so.12"));
  EXPECT_THAT(needs("libnvblas.so.13", "nvidia-cublas", "13.1.0.3"),
              testing::Contains("libcublas.so.13"));
}

TEST(Coupling, FollowsTheVersion) {
  EXPECT_THAT(needs("libcusparse.so.12", "nvidia-cusparse", "12.6.3.3"),
              ElementsAre("libnvJitLink.so.13"));
  // 13.1 and 13.2 open libnvJitLink.so, which no wheel has (LS-5); later ones .13.
  EXPECT_THAT(needs("libcusparse.so.12", "nvidia-cusparse", "12.7.2.19"), IsEmpty());
  EXPECT_THAT(needs("libcusparse.so.12", "nvidia-cusparse", "12.8.1.7"),
              ElementsAre("~libnvJitLink.so.13"));
}

TEST(Coupling, VersionsThatWereNotOpened) {
  EXPECT_THAT(needs("libcublas.so.12", "nvidia-cublas-cu12", "12.9.99"),
              ElementsAre("libcublasLt.so.12"));
  EXPECT_THAT(needs("libcublas.so.12", "nvidia-cublas-cu12", "11.0"), IsEmpty());
  EXPECT_THAT(needs("libcublas.so.12", "no-such", "12.4.5.8"), IsEmpty());
  EXPECT_THAT(needs("libz.so.1", "nvidia-cublas-cu12", "12.4.5.8"), IsEmpty());
}

TEST(Coupling, LibrariesThatNeedNothing) {
  EXPECT_THAT(needs("libcudart.so.12", "nvidia-cuda-runtime-cu12", "12.4.127"), IsEmpty());
}
