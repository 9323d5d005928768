// SPDX-License-Identifier: Apache-2.0
#include "driver/tables/lookup/Opens.h"
#include "gmock/gmock.h"

using namespace cudacc;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using versions::Version;

namespace {

TEST(Opens, StarsStandForAnyCharacters) {
  EXPECT_TRUE(tables::matchesPattern("libcublas.so.*", "libcublas.so.12"));
  EXPECT_FALSE(tables::matchesPattern("libcublas.so.*", "libcublasLt.so.12"));
  EXPECT_TRUE(tables::matchesPattern("a*b*c", "axxbyybzzc"));
  EXPECT_FALSE(tables::matchesPattern("a*b*c", "axxbyybzz"));
  EXPECT_TRUE(tables::matchesPattern("faiss/*", "faiss/"));
  EXPECT_TRUE(tables::matchesPattern("", ""));
  EXPECT_FALSE(tables::matchesPattern("", "a"));
  EXPECT_TRUE(tables::matchesPattern("**", "a"));
  // The time must not grow exponentially with the number of stars.
  EXPECT_FALSE(tables::matchesPattern("*a*a*a*a*a*a*a*a*b", std::string(4000, 'a')));
}

TEST(Opens, FaissLoadsCublasForEverybody) {
  auto rows = tables::opensOf("faiss-gpu-cu12", Version::parse("1.14.1"), "faiss/_swigfaiss.so");
  ASSERT_THAT(rows, SizeIs(1));
  EXPECT_THAT(rows[0].opens,
              ElementsAre("libcudart.so.12", "libcublas.so.12", "libcublasLt.so.12"));
  EXPECT_TRUE(rows[0].isGlobal);
  EXPECT_EQ(rows[0].when, tables::When::Import);
  EXPECT_THAT(tables::opensOf("faiss-gpu-cu12", std::nullopt, "faiss_gpu_cu12.libs/libfaiss.so"),
              IsEmpty());
  EXPECT_THAT(tables::opensOf("faiss-cpu", std::nullopt, "faiss/_swigfaiss.so"), IsEmpty());
}

TEST(Opens, ARowHoldsFromItsVersionOn) {
  const char *file = "cupy_backends/cuda/libs/cublas.cpython-311-x86_64-linux-gnu.so";
  EXPECT_THAT(tables::opensOf("cupy-cuda12x", Version::parse("13.6.0"), file), IsEmpty());
  EXPECT_THAT(tables::opensOf("cupy-cuda12x", Version::parse("14.0.0"), file), SizeIs(1));
  EXPECT_THAT(tables::opensOf("cupy-cuda12x", std::nullopt, file), SizeIs(1));
}

TEST(Opens, SomeAreForThoseWhoRequireThePackage) {
  auto rows = tables::opensFor("librmm-cu12", std::nullopt);
  ASSERT_THAT(rows, SizeIs(1));
  EXPECT_THAT(rows[0].opens,
              ElementsAre("rapids_logger/lib64/librapids_logger.so", "librmm/lib64/librmm.so"));
  EXPECT_FALSE(rows[0].isGlobal);
  EXPECT_THAT(tables::opensFor("faiss-gpu-cu12", std::nullopt), IsEmpty());
}

TEST(Opens, TorchHasASecondTry) {
  auto rows = tables::opensOf("torch", std::nullopt, "torch/lib/libtorch_global_deps.so");
  ASSERT_THAT(rows, SizeIs(1));
  EXPECT_EQ(rows[0].when, tables::When::FailedImport);
}

TEST(Opens, RapidsOpensWhatALibraryNeedsBefore) {
  auto rows = tables::opensFor("libcuml-cu12", std::nullopt);
  ASSERT_THAT(rows, SizeIs(1));
  llvm::ArrayRef<std::string> opens = rows[0].opens;
  auto place = [&](llvm::StringRef name) { return llvm::find(opens, name) - opens.begin(); };
  EXPECT_LT(place("librmm/lib64/librmm.so"), place("libraft/lib64/libraft.so"));
  EXPECT_LT(place("libraft/lib64/libraft.so"), place("libcuvs/lib64/libcuvs.so"));
  EXPECT_EQ(opens.back(), "libcuml/lib64/libcuml.so");
}

TEST(Opens, AFrameworkChecksVersionsItself) {
  auto leastOf = [](const char *package, const char *version, const char *library) {
    std::string least;
    for (const auto &rule : tables::versionRulesOf(package, *Version::parse(version)))
      if (rule.library.starts_with(library))
        least += rule.least;
    return least;
  };
  auto least = [&](const char *package, const char *version) {
    return leastOf(package, version, "libcudnn");
  };
  EXPECT_EQ(least("torch", "1.13.1"), "");
  EXPECT_EQ(least("torch", "2.0.1"), "8.5");
  EXPECT_EQ(least("torch", "2.8.0"), "9.8");
  EXPECT_EQ(least("torch", "2.10.0"), "9.10");
  EXPECT_EQ(least("torch", "2.15.0"), "9.26");
  // Neither what was not read, nor what is no release of the index.
  EXPECT_EQ(least("torch", "2.16.0"), "");
  EXPECT_EQ(least("torch", "2.8.0rc1"), "");
  EXPECT_EQ(least("torch", "2.8.0+cu128"), "");
  EXPECT_EQ(least("jax-cuda12-pjrt", "0.11.1"), "9.8");
  EXPECT_EQ(least("jax-cuda12-pjrt", "0.11.2"), "9.10");
  EXPECT_EQ(least("jax", "0.11.2"), "");
  EXPECT_EQ(least("tensorflow", "2.12.1"), "");
  EXPECT_EQ(least("tensorflow", "2.14.1"), "8.6");
  EXPECT_EQ(least("tensorflow", "2.17.1"), "8.9");
  EXPECT_EQ(least("tensorflow", "2.18.0"), "9.3");
  EXPECT_EQ(least("tensorflow-cpu", "2.18.0"), "");
  EXPECT_EQ(leastOf("jax-cuda12-pjrt", "0.6.2", "libcublas.so"), "");
  EXPECT_EQ(leastOf("jax-cuda12-pjrt", "0.7.0", "libcublas.so"), "12.1");
  EXPECT_EQ(leastOf("jax-cuda12-plugin", "0.12.0", "libcusparse.so"), "12.1");
  EXPECT_EQ(tables::versionRulesOf("torch", *Version::parse("2.8.0"))[0].line,
            (versions::CudaVersion{12, 8}));
}

TEST(Opens, TensorflowSearchesForItsLibraries) {
  const char *file = "tensorflow/libtensorflow_framework.so.2";
  auto last = [&](const char *version) {
    auto rows = tables::opensOf("tensorflow", Version::parse(version), file);
    return rows.empty() ? "" : rows[0].opens.back();
  };
  EXPECT_EQ(last("2.3.4"), "");
  EXPECT_EQ(last("2.17.1"), "libcudnn.so.8");
  EXPECT_EQ(last("2.18.0"), "libcudnn.so.9");
  EXPECT_EQ(last("2.22.0"), "");
  auto rows = tables::opensOf("tensorflow", Version::parse("2.18.0"), file);
  EXPECT_EQ(rows[0].when, tables::When::Use);
  EXPECT_EQ(rows[0].where, tables::Where::Search);
  EXPECT_EQ(rows[0].missing, tables::Missing::GoesOn);
  // Its Python code opens none of them.
  EXPECT_THAT(tables::allOpensOf("tensorflow", Version::parse("2.18.0")), IsEmpty());
}

TEST(Opens, TorchOpensMoreWithEachRelease) {
  auto count = [](const char *version) {
    auto rows = tables::opensOf("torch", Version::parse(version), "torch/lib/libtorch_python.so");
    return rows.empty() ? 0 : rows[0].opens.size();
  };
  EXPECT_EQ(count("2.5.1"), 0u);
  EXPECT_EQ(count("2.6.0"), 2u);
  EXPECT_EQ(count("2.8.0"), 2u);
  EXPECT_EQ(count("2.9.1"), 3u);
  EXPECT_EQ(count("2.10.0"), 17u);
  EXPECT_EQ(tables::opensOf("torch", std::nullopt, "torch/lib/libtorch_python.so").size(), 1u);
}

TEST(Opens, AModuleIsImportedByThoseWhoRequireIt) {
  auto rows = tables::opensFor("torch", std::nullopt);
  ASSERT_THAT(rows, SizeIs(1));
  EXPECT_EQ(rows[0].where, tables::Where::Modules);
  EXPECT_THAT(rows[0].opens, ElementsAre("torch"));
}

TEST(Opens, ALibraryOpensNamesWithItsOwnVersion) {
  auto rows =
      tables::opensOf("nvidia-cuda-nvrtc-cu12", Version::parse("12.4.127"), "libnvrtc.so.12");
  ASSERT_THAT(rows, SizeIs(1));
  EXPECT_EQ(rows[0].when, tables::When::FirstCall);
  EXPECT_EQ(rows[0].missing, tables::Missing::Fails);
  EXPECT_THAT(rows[0].opens, ElementsAre("libnvrtc-builtins.so.12.4"));
  EXPECT_EQ(rows[0].raises, "nvrtc: error: failed to open libnvrtc-builtins.so.12.4.");
  rows = tables::opensOf("nvidia-cudnn-cu12", Version::parse("9.1.0.70"), "libcudnn.so.9");
  ASSERT_THAT(rows, SizeIs(4));
  EXPECT_EQ(rows[0].missing, tables::Missing::EndsProcess);
  EXPECT_THAT(rows[0].opens, ElementsAre("libcudnn_adv.so.9.1.0", "libcudnn_adv.so.9.1",
                                         "libcudnn_adv.so.9", "libcudnn_adv.so"));
  EXPECT_THAT(tables::opensOf("nvidia-cudnn-cu12", Version::parse("9.22.0.52"), "libcudnn.so.9"),
              SizeIs(5));
  // Those are not what code of the package opens.
  EXPECT_THAT(tables::allOpensOf("nvidia-cudnn-cu12", std::nullopt), IsEmpty());
}

} // namespace
