// SPDX-License-Identifier: Apache-2.0
#include "driver/core/Diagnostic.h"
#include "driver/explain/Explain.h"
#include "driver/policy/advice/RuntimeFixes.h"
#include "driver/resolve/Resolve.h"
#include "driver/resolve/Runtimes.h"
#include "driver/tables/lookup/Device.h"
#include "driver/tables/lookup/Libraries.h"
#include "driver/tables/lookup/Symbols.h"
#include "driver/tables/lookup/Toolkits.h"
#include "driver/tables/lookup/Torch.h"
#include <gmock/gmock.h>

using namespace cudacc;
using namespace cudacc::core;
using namespace cudacc::versions;

namespace {

Target target(const char *text) {
  Declaration declaration;
  declaration.runtime.push_back({text, {}});
  auto resolved = resolve::resolve(declaration);
  if (resolved)
    return std::move(*resolved);
  ADD_FAILURE() << toFinding(resolved.takeError()).message;
  return {};
}

} // namespace

TEST(Extended, TorchReleaseByARow) {
  EXPECT_EQ(tables::torchReleases().back().str(), "3.0.0");
  Target torch = target("torch==2.16.1");
  EXPECT_EQ(torch.line.str(), "13.6");
  EXPECT_EQ(torch.release, "13.6.1");
  EXPECT_EQ(torch.find("libcublas.so.13")->version.str(), "13.11.1.2");
  EXPECT_EQ(torch.find("libcublas.so.13")->cuda.str(), "13.6");
  EXPECT_TRUE(torch.find("libnvJitLink.so.13")->floats);
  EXPECT_EQ(torch.find("libcudart.so.13")->origin, "floor of CUDA 13.6");
  EXPECT_EQ(target("torch==2.16.0+cu132").line.str(), "13.2");
  EXPECT_EQ(resolve::firstTorchWith({13, 3}), "torch>=2.16.0,<3.0 (CUDA 13.6)");
}

TEST(Extended, FrameworkReleaseByARow) {
  Target jax = target("jax[cuda13]==0.13.0");
  EXPECT_EQ(jax.line.str(), "13.6");
  EXPECT_EQ(jax.find("libcublas.so.13")->origin, "floats in jax 0.13.0, floor");
  EXPECT_EQ(target("jax[cuda13]==0.12.0").line.str(), "13.0");
}

TEST(Extended, ToolkitReleaseByARow) {
  Target cuda = target("cuda==13.6");
  EXPECT_EQ(cuda.find("libcudart.so.13")->version.str(), "13.6.20");
  EXPECT_EQ(target("cuda==13.6.1").find("libcudart.so.13")->version.str(), "13.6.40");
  EXPECT_EQ(tables::ptxOf({13, 6}), (versions::CudaVersion{9, 6}));
  EXPECT_EQ(tables::lineOf("nvidia-cublas", *Version::parse("13.11.0.5")).str(), "13.6");
  EXPECT_EQ(tables::lineOf("nvidia-cusparse", *Version::parse("12.10.0.1")).str(), "13.6");
}

TEST(Extended, CudaMajorByRows) {
  Target torch = target("torch==3.0.0");
  EXPECT_EQ(torch.line.str(), "14.0");
  EXPECT_EQ(torch.find("libcublas.so.14")->version.str(), "14.0.0.3");
  EXPECT_FALSE(torch.find("libcublas.so.13"));
  Target cuda = target("cuda==14.0");
  EXPECT_EQ(cuda.find("libcudart.so.14")->version.str(), "14.0.10");
  EXPECT_EQ(tables::lineOf("nvidia-cublas", *Version::parse("14.0.0.3")).str(), "14.0");
  EXPECT_EQ(tables::toolkitMajors(), (std::vector<unsigned>{11, 12, 13, 14}));
}

TEST(Extended, LibraryAndDistributionByRows) {
  Target cuda = target("cuda==14.0");
  ASSERT_TRUE(cuda.find("libmadeup.so.1"));
  EXPECT_EQ(cuda.find("libmadeup.so.1")->dist, "nvidia-madeup");
  EXPECT_EQ(tables::distOf("libmadeup.so.1", 14), "nvidia-madeup");
}

TEST(Extended, DriverAndArchitectureByRows) {
  EXPECT_EQ(tables::cudaOfDriver(*Version::parse("620.10"))->cuda.str(), "14.0");
  EXPECT_EQ(tables::knowsArch({13, 6}, {130, 0}), tables::Works::Yes);
  EXPECT_EQ(tables::knowsArch({13, 5}, {130, 0}), tables::Works::No);
}

TEST(Extended, WhatHasNoRowIsUnknown) {
  EXPECT_FALSE(tables::ptxOf({14, 0}).known());
  EXPECT_EQ(tables::driverFloor(14), "");
  EXPECT_EQ(tables::knowsArch({14, 0}, {130, 0}), tables::Works::Unknown);
  EXPECT_EQ(tables::translatesPtx({14, 0}, {10, 0}), tables::Works::Unknown);
}

TEST(Extended, SymbolsByAFile) {
  auto table = tables::SymbolTable::find("libmadeup.so.13", 13);
  ASSERT_TRUE(table);
  EXPECT_EQ(table->exported(*Version::parse("13.10.0.20"), "madeupRotate"), Exported::No);
  EXPECT_EQ(table->exported(*Version::parse("13.11.0.5"), "madeupRotate"), Exported::Yes);
  EXPECT_EQ(table->exported(*Version::parse("13.10.9"), "madeupRotate"), Exported::Unknown);
  EXPECT_EQ(table->at(1).toolkit.str(), "13.6");
}

TEST(Extended, PtxByARow) {
  EXPECT_EQ(tables::translatesPtx({13, 5}, {9, 6}), tables::Works::No);
  EXPECT_EQ(tables::translatesPtx({13, 6}, {9, 6}), tables::Works::Yes);
  EXPECT_EQ(tables::knowsArch({13, 6}, {90, 'a'}), tables::Works::Yes);
}

TEST(Extended, MessageByARow) {
  auto whatOf = [](const char *text) {
    explain::Explainer explainer;
    explainer.add(text);
    auto messages = explainer.finish(true).messages;
    return messages.size() == 1 && messages[0].id == "made-up" ? messages[0].what : "";
  };
  EXPECT_EQ(whatOf("E the madeup library rotates cudaLibraryGetKernel backwards."),
            "libcudart.so.12 lacks cudaLibraryGetKernel, which came with CUDA 12.8");
  EXPECT_EQ(whatOf("MADEUP_STATUS_BACKWARDS"), "it rotates backwards");
}

TEST(Extended, WhatWasThereIsAsBefore) {
  EXPECT_EQ(target("torch==2.5.1").find("libnvJitLink.so.12")->version.str(), "12.4.127");
}
