// SPDX-License-Identifier: Apache-2.0
#include "driver/resolve/FetchPlan.h"
#include "driver/core/Diagnostic.h"
#include "driver/tables/lookup/Fetched.h"
#include "gmock/gmock.h"

using namespace cudacc;
using namespace cudacc::core;
using namespace cudacc::resolve;
using llvm::StringRef;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;
using versions::CudaVersion;

namespace {

Target runtime(CudaVersion line) {
  Target target;
  target.declared = true;
  target.line = line;
  return target;
}

FetchPlan planned(const Target &target, const FetchRequest &request = {},
                  const char *machine = "x86_64") {
  auto plan = planFetch(target, request, *versions::machineNamed(machine));
  if (!plan) {
    ADD_FAILURE() << toFinding(plan.takeError()).message;
    return {};
  }
  return *plan;
}

Finding refused(const Target &target, const FetchRequest &request) {
  auto plan = planFetch(target, request, *versions::machineNamed("x86_64"));
  return plan ? Finding() : toFinding(plan.takeError());
}

std::vector<std::string> names(const FetchPlan &plan) {
  std::vector<std::string> all;
  for (const FetchPart &each : plan.parts)
    all.push_back(each.name + " " + each.version);
  return all;
}

} // namespace

TEST(FetchPlan, WheelsOfCuda13) {
  FetchPlan plan = planned(runtime({13, 0}));
  EXPECT_EQ(plan.release, "13.0.3");
  EXPECT_THAT(names(plan), ElementsAre("nvidia-cuda-nvcc 13.0.88", "nvidia-cuda-crt 13.0.88",
                                       "nvidia-nvvm 13.0.88", "nvidia-cuda-runtime 13.0.96",
                                       "nvidia-cuda-cccl 13.0.85"));
  uint64_t bytes = 0;
  for (const FetchPart &each : plan.parts) {
    EXPECT_EQ(each.source, FetchPart::Source::Wheel);
    bytes += each.bytes;
  }
  // The goal of a first compile.
  EXPECT_GT(bytes, 100000000u);
  EXPECT_LT(bytes, 120000000u);
  EXPECT_THAT(plan.key, StartsWith("cuda-13.0.3-x86_64-"));
}

TEST(FetchPlan, EveryWheelOfEveryMinorHasAHash) {
  for (unsigned minor = 0; minor <= 5; ++minor)
    for (const char *machine : {"x86_64", "aarch64"}) {
      FetchPlan plan = planned(runtime({13, minor}), {}, machine);
      EXPECT_EQ(plan.parts.size(), 5u) << minor;
      EXPECT_EQ(plan.line.minor, minor);
      for (const FetchPart &each : plan.parts)
        EXPECT_EQ(each.sha256.size(), 64u) << each.name << " " << each.version << machine;
    }
}

TEST(FetchPlan, ArchivesBefore) {
  FetchPlan plan = planned(runtime({12, 4}));
  EXPECT_EQ(plan.release, "12.4.1");
  EXPECT_THAT(names(plan),
              ElementsAre("cuda_nvcc 12.4.131", "cuda_cudart 12.4.127", "cuda_cccl 12.4.127"));
  EXPECT_EQ(plan.parts[0].path,
            "cuda_nvcc/linux-x86_64/cuda_nvcc-linux-x86_64-12.4.131-archive.tar.xz");
  EXPECT_EQ(plan.parts[0].bytes, 51184484u);
  EXPECT_EQ(planned(runtime({12, 4}), {}, "aarch64").parts[0].path,
            "cuda_nvcc/linux-sbsa/cuda_nvcc-linux-sbsa-12.4.131-archive.tar.xz");
}

// From 13.3 on NVIDIA's archives have cccl under that name.
TEST(FetchPlan, ArchivesOfEveryMinor) {
  for (unsigned minor = 0; minor <= 4; ++minor) {
    StringRef release = tables::archivedRelease({13, minor});
    EXPECT_FALSE(release.empty()) << minor;
    for (const tables::ToolkitPart &part : tables::toolkitParts())
      EXPECT_TRUE(llvm::any_of(
          part.archives,
          [&](StringRef component) {
            return tables::publishedArchive(release, component, "linux-sbsa").has_value();
          }))
          << release.str() << part.name.str();
  }
}

TEST(FetchPlan, NvccForThisMachineAndLibrariesForAnother) {
  const versions::Machine *other = versions::machineNamed("aarch64");
  for (CudaVersion line : {CudaVersion{13, 0}, CudaVersion{12, 4}}) {
    FetchPlan plan = planned(runtime(line), {"", {"cublas"}, {}, other});
    EXPECT_EQ(plan.machine, "x86_64");
    EXPECT_NE(plan.key, planned(runtime(line), {"", {"cublas"}}).key);
    for (const FetchPart &each : plan.parts) {
      bool isTool = each.part == "nvcc" || each.part == "crt" || each.part == "nvvm";
      EXPECT_EQ(each.machine, isTool ? "" : "aarch64") << each.part;
      if (!each.path.empty())
        EXPECT_THAT(each.path, HasSubstr(isTool ? "linux-x86_64" : "linux-sbsa"));
    }
  }
  FetchPlan native = planned(runtime({13, 0}), {}, "aarch64"),
            cross = planned(runtime({13, 0}), {"", {}, {}, other});
  EXPECT_EQ(cross.parts.back().sha256, native.parts.back().sha256);
  EXPECT_NE(cross.parts.front().sha256, native.parts.front().sha256);
}

TEST(FetchPlan, TheNewestMinorThatTheRuntimeTakes) {
  // There is no CUDA 12.7, and no 11.9.
  EXPECT_EQ(planned(runtime({12, 7})).line, (CudaVersion{12, 6}));
  EXPECT_EQ(planned(runtime({11, 9})).line, (CudaVersion{11, 8}));
  EXPECT_EQ(planned(runtime({13, 2}), {"13.0", {}}).line, (CudaVersion{13, 0}));
  EXPECT_EQ(refused(runtime({10, 2}), {}).code, Code::UnknownRelease);
}

TEST(FetchPlan, NeverANewerNvcc) {
  EXPECT_THAT(refused(runtime({12, 4}), {"12.5", {}}).message,
              HasSubstr("does not take nvcc 12.5"));
  EXPECT_THAT(refused(runtime({13, 0}), {"12.4", {}}).message, HasSubstr("does not take"));
  EXPECT_THAT(refused(runtime({13, 0}), {"new", {}}).message, HasSubstr("CUDA version"));
  Target symbols = runtime({12, 4});
  symbols.enforce = Enforce::Symbols;
  EXPECT_EQ(planned(symbols, {"12.5", {}}).line, (CudaVersion{12, 5}));
}

// CUDA 11 has no nvFatbin: who asks for it is told so, a project that names it gets the rest.
TEST(FetchPlan, WhatAProjectNamesIsTakenWhereItIsKnown) {
  Target target = runtime({11, 8});
  EXPECT_EQ(refused(target, {"", {"nvfatbin"}}).code, Code::UnknownRelease);
  EXPECT_EQ(planned(target, {"", {}, {"nvfatbin"}}).key, planned(target).key);
  FetchPlan named = planned(target, {"", {"cufft"}, {"cublas", "nvfatbin"}});
  EXPECT_EQ(named.key, planned(target, {"", {"cublas,cufft"}}).key);
}

TEST(FetchPlan, LibrariesOfTheRuntimesOwnVersion) {
  Target target = runtime({12, 4});
  TargetLibrary cublas;
  cublas.soname = "libcublas.so.12";
  cublas.dist = "nvidia-cublas-cu12";
  cublas.version = *versions::Version::parse("12.4.2.65");
  target.libraries = {cublas};
  FetchPlan plan = planned(target, {"", {"cublas,nvprune"}});
  ASSERT_EQ(plan.parts.size(), 5u);
  EXPECT_EQ(plan.parts[3].version, "12.4.2.65");
  EXPECT_EQ(plan.parts[3].source, FetchPart::Source::Wheel);
  EXPECT_EQ(plan.parts[3].sha256, "");
  EXPECT_EQ(plan.parts[3].bytes, 0u);
  // There is no wheel of nvprune.
  EXPECT_EQ(plan.parts[4].source, FetchPart::Source::Archive);
  EXPECT_NE(plan.key, planned(target).key);
  EXPECT_GT(planned(target, {"", {"all"}}).parts.size(), 15u);
  EXPECT_THAT(refused(target, {"", {"cublass"}}).facts[0].text, HasSubstr("cublas, "));
}

TEST(FetchPlan, LockIsReadAsWritten) {
  std::string sha(64, 'a');
  auto lock = [&](std::string part) {
    return R"({"schema": 1, "toolkits": [{"release": "12.4.1", "machine": "x86_64", "parts": [)" +
           part + "]}]}";
  };
  std::string archive = R"({"part": "nvcc", "source": "archive", "name": "cuda_nvcc", )"
                        R"("version": "12.4.131", "path": "cuda_nvcc/a.tar.xz", "bytes": 5, )"
                        R"("sha256": ")" +
                        sha + "\"}";
  auto good = readFetchLock(lock(archive), "toolkit.lock");
  ASSERT_TRUE(bool(good)) << toFinding(good.takeError()).facts[1].text;
  ASSERT_EQ(good->size(), 1u);
  EXPECT_EQ((*good)[0].key, keyOf((*good)[0]));
  EXPECT_EQ((*good)[0].parts[0].bytes, 5u);
  EXPECT_EQ((*good)[0].parts[0].path, "cuda_nvcc/a.tar.xz");

  Target target = runtime({12, 4});
  auto served = [&](const Target &of, const FetchRequest &request) {
    return llvm::errorToBool(checkLocked((*good)[0], of, request, "toolkit.lock"));
  };
  EXPECT_FALSE(served(target, {}));
  EXPECT_FALSE(served(target, {"12.4", {"nvcc"}}));
  EXPECT_TRUE(served(target, {"12.3", {}}));
  EXPECT_TRUE(served(target, {"", {"cublas"}}));
  EXPECT_TRUE(served(runtime({12, 3}), {}));
  EXPECT_TRUE(served(runtime({13, 0}), {}));

  auto with = [&](llvm::StringRef old, llvm::StringRef now) {
    std::string text = archive;
    text.replace(text.find(old.str()), old.size(), now.str());
    return lock(text);
  };
  // A wheel has no path, whatever is written there.
  auto wheel = readFetchLock(with("archive", "wheel"), "toolkit.lock");
  ASSERT_TRUE(bool(wheel));
  EXPECT_EQ((*wheel)[0].parts[0].path, "");
  for (const std::string &text :
       {std::string("{"), std::string(R"({"schema": 2, "toolkits": []})"), lock(""),
        with("cuda_nvcc/a.tar.xz", "../a"), with("cuda_nvcc/a.tar.xz", "/a"),
        with("cuda_nvcc/a.tar.xz", "a?b"), with("archive", "copy"), with("aaaa", "AAAA"),
        with("12.4.131", "new"), with("12.4.131", "12.4.131\\n"),
        with(R"("bytes": 5)", R"("bytes": 0)"), with("\"cuda_nvcc\"", "\"--index\"")}) {
    auto broken = readFetchLock(text, "toolkit.lock");
    EXPECT_FALSE(bool(broken)) << text;
    if (!broken)
      EXPECT_EQ(toFinding(broken.takeError()).code, Code::BrokenFacts);
  }
}
