// SPDX-License-Identifier: Apache-2.0
#include "driver/tables/lookup/Coupling.h"
#include <gmock/gmock.h>

using namespace cudacc;
using tables::Reach;
using testing::IsEmpty;

namespace {

using tables::CouplingFit;

tables::Coupling coupling(const char *soname, const char *dist, const char *version,
                          const char *needs) {
  for (const tables::Coupling &each :
       tables::couplingsOf(soname, dist, *versions::Version::parse(version)))
    if (each.soname == needs)
      return each;
  ADD_FAILURE() << soname << " " << version << " asks nothing of " << needs;
  return {};
}

CouplingFit fits(const tables::Coupling &coupling, const char *version) {
  return tables::fits(coupling, *versions::Version::parse(version));
}

} // namespace

TEST(Coupling, FloorsBySymbol) { // RL-9, SY-9
  auto cublas =
      coupling("libcusolver.so.11", "nvidia-cusolver-cu12", "11.7.4.40", "libcublas.so.12");
  EXPECT_EQ(cublas.minVersion, "12.9.0.13");
  EXPECT_EQ(cublas.dist, "nvidia-cublas-cu12");
  EXPECT_FALSE(cublas.sameWheel || cublas.oldestOpened);
  EXPECT_FALSE(cublas.deciding.empty());
  EXPECT_EQ(fits(cublas, "12.8.4.1"), CouplingFit::TooOld);
  EXPECT_EQ(fits(cublas, "12.9.0.13"), CouplingFit::Holds);
  // V-RL-10 and V-RL-11.
  auto jit =
      coupling("libcusparse.so.12", "nvidia-cusparse-cu12", "12.5.10.65", "libnvJitLink.so.12");
  EXPECT_EQ(fits(jit, "12.8.93"), CouplingFit::TooOld);
  EXPECT_EQ(fits(jit, "12.9.86"), CouplingFit::Holds);
  EXPECT_THAT(jit.deciding, testing::Contains("__nvJitLinkCreate_12_9"));
  // V-RL-18.
  auto nccl = coupling("libcutensorMp.so.2", "cutensor-cu12", "2.8.0", "libnccl.so.2");
  EXPECT_EQ(fits(nccl, "2.28.9"), CouplingFit::TooOld);
  EXPECT_THAT(nccl.deciding, testing::Contains("ncclPutSignal"));
  // V-RL-19: one wheel.
  auto lt = coupling("libcublas.so.12", "nvidia-cublas-cu12", "12.9.1.4", "libcublasLt.so.12");
  EXPECT_TRUE(lt.sameWheel);
  EXPECT_EQ(fits(lt, "12.8.4.1"), CouplingFit::TooOld);
}

TEST(Coupling, FloorsWithExceptions) { // RL-9: not_in_later
  auto fft = coupling("libcufftw.so.11", "nvidia-cufft-cu12", "11.0.0.21", "libcufft.so.11");
  EXPECT_EQ(fits(fft, "11.0.8.103"), CouplingFit::Holds);
  EXPECT_EQ(fits(fft, "11.0.11.19"), CouplingFit::TooNew);
  // A version that only `...` includes.
  EXPECT_EQ(fits(fft, "11.2.0.44"), CouplingFit::TooNew);
  EXPECT_EQ(fits(fft, "11.4.1.4"), CouplingFit::TooNew);
  EXPECT_EQ(fits(fft, "11.4.1.4.post1"), CouplingFit::TooNew);
  EXPECT_THAT(fft.missingLater, testing::Contains("cufftEnterCS"));
  EXPECT_TRUE(fft.oldestOpened);
  EXPECT_EQ(fits(fft, "10.9"), CouplingFit::Unknown);
}

TEST(Coupling, WithoutFloor) {
  auto dlopened = coupling("libcudnn.so.9", "nvidia-cudnn-cu12", "9.1.0.70", "libcudnn_graph.so");
  EXPECT_EQ(dlopened.minVersion, "");
  EXPECT_EQ(dlopened.reach, Reach::Dlopen);
  EXPECT_EQ(fits(dlopened, "9.1.0.70"), CouplingFit::Unknown);
  EXPECT_THAT(tables::couplingsOf("libcusolver.so.11", "nvidia-cusolver-cu12",
                                  *versions::Version::parse("99.0")),
              IsEmpty());
}
