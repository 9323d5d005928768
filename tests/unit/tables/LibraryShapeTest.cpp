// SPDX-License-Identifier: Apache-2.0
#include "driver/tables/lookup/Libraries.h"
#include <gmock/gmock.h>

using namespace cudacc;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

std::optional<tables::LibraryShape> shape(const char *soname, const char *dist,
                                          const char *version) {
  return tables::shapeOf(soname, dist, *versions::Version::parse(version));
}

auto needed(const char *soname, const char *dist, const char *version) {
  return tables::neededBy(soname, dist, *versions::Version::parse(version));
}

} // namespace

TEST(LibraryShape, NodesNeedsAndPaths) {
  auto cusolver = *shape("libcusolver.so.11", "nvidia-cusolver-cu12", "11.6.1.9");
  EXPECT_THAT(cusolver.nodes, ElementsAre("libcusolver.so.11"));
  EXPECT_THAT(cusolver.needed, ElementsAre("libnvJitLink.so.12", "libcusparse.so.12",
                                           "libcublas.so.12", "libcublasLt.so.12"));
  EXPECT_TRUE(cusolver.hasRunpath);
  EXPECT_FALSE(cusolver.hasRpath);
  EXPECT_THAT(cusolver.runpath,
              ElementsAre("$ORIGIN", "$ORIGIN/../../cublas/lib", "$ORIGIN/../../nvjitlink/lib",
                          "$ORIGIN/../../cusparse/lib"));
  EXPECT_TRUE(cusolver.exact);
}

TEST(LibraryShape, FollowsTheVersion) {
  // RUNPATH up to 13.5.1.27, DT_RPATH from 13.6.0.2 on.
  auto older = *shape("libcublasLt.so.13", "nvidia-cublas", "13.5.1.27");
  EXPECT_THAT(older.runpath, ElementsAre("$ORIGIN"));
  EXPECT_FALSE(older.hasRpath);
  auto newer = *shape("libcublasLt.so.13", "nvidia-cublas", "13.10.0.20");
  EXPECT_THAT(newer.rpath, ElementsAre("$ORIGIN"));
  EXPECT_FALSE(newer.hasRunpath);
  auto jit = *shape("libnvJitLink.so.12", "nvidia-nvjitlink-cu12", "12.4.127");
  EXPECT_FALSE(jit.hasRunpath || jit.hasRpath);
}

TEST(LibraryShape, EmptyElementsAreKept) { // LS-15
  auto nvrtc = *shape("libnvrtc.so.12", "nvidia-cuda-nvrtc-cu12", "12.8.93");
  EXPECT_THAT(nvrtc.runpath, ElementsAre("$ORIGIN", ""));
}

TEST(LibraryShape, LibrariesWithoutNode) { // SY-1
  EXPECT_THAT(shape("libnccl.so.2", "nvidia-nccl-cu12", "2.21.5")->nodes, IsEmpty());
  EXPECT_GT(shape("libcutensor.so.2", "cutensor-cu12", "2.3.0")->nodes.size(), 5u);
}

TEST(LibraryShape, VersionsThatWereNotOpened) {
  EXPECT_FALSE(shape("libcudart.so.12", "nvidia-cuda-runtime-cu12", "11.9"));
  EXPECT_FALSE(shape("libcudart.so.12", "nvidia-cuda-runtime", "13.0.96"));
  EXPECT_FALSE(shape("libz.so.1", "nvidia-cuda-runtime-cu12", "12.4.127"));
  auto behind = *shape("libcudart.so.12", "nvidia-cuda-runtime-cu12", "12.99");
  EXPECT_FALSE(behind.exact);
  EXPECT_THAT(behind.nodes, ElementsAre("libcudart.so.12"));
  // Inside a run, and a .postN of its last version.
  EXPECT_TRUE(shape("libcudart.so.12", "nvidia-cuda-runtime-cu12", "12.4.99")->exact);
  EXPECT_TRUE(shape("libcudart.so.12", "nvidia-cuda-runtime-cu12", "12.9.79.post1")->exact);
}

TEST(LibraryShape, CoupledByMinor) {
  EXPECT_THAT(needed("libcusparse.so.12", "nvidia-cusparse-cu12", "12.3.1.170"),
              ElementsAre("libnvJitLink.so.12"));
  EXPECT_THAT(needed("libcusolver.so.11", "nvidia-cusolver-cu12", "11.6.1.9"),
              ElementsAre("libnvJitLink.so.12", "libcusparse.so.12", "libcublas.so.12",
                          "libcublasLt.so.12"));
  EXPECT_THAT(needed("libnvblas.so.13", "nvidia-cublas", "13.1.0.3"), Contains("libcublas.so.13"));
  EXPECT_THAT(needed("libcusparse.so.12", "nvidia-cusparse", "12.6.3.3"),
              ElementsAre("libnvJitLink.so.13"));
  EXPECT_THAT(needed("libcublas.so.12", "nvidia-cublas-cu12", "12.9.99"),
              ElementsAre("libcublasLt.so.12"));
  EXPECT_THAT(needed("libcublas.so.12", "nvidia-cublas-cu12", "11.0"), IsEmpty());
  EXPECT_THAT(needed("libcublas.so.12", "no-such", "12.4.5.8"), IsEmpty());
  EXPECT_THAT(needed("libcudart.so.12", "nvidia-cuda-runtime-cu12", "12.4.127"), IsEmpty());
}

TEST(LibraryShape, OpenedInPlaceOfNeeded) {
  EXPECT_THAT(needed("libcusparse.so.12", "nvidia-cusparse", "12.8.1.7"), IsEmpty());
  // 13.1 and 13.2 open libnvJitLink.so, which no wheel has (LS-5); later ones open .13.
  EXPECT_THAT(shape("libcusparse.so.12", "nvidia-cusparse", "12.7.2.19")->dlopens,
              ElementsAre("libnvJitLink.so"));
  EXPECT_THAT(shape("libcusparse.so.12", "nvidia-cusparse", "12.8.1.7")->dlopens,
              Contains("libnvJitLink.so.13"));
}
