// SPDX-License-Identifier: Apache-2.0
#include "driver/tables/lookup/Libraries.h"
#include <gmock/gmock.h>

using namespace cudacc;
using tables::LibraryOrigin;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;
using versions::Version;

namespace {

std::string folder(const char *soname, const char *dist, const char *version) {
  return tables::folderOf(soname, dist, *Version::parse(version)).str();
}

std::vector<std::string> sonames(const char *dist, const char *version) {
  std::vector<std::string> all;
  for (llvm::StringRef each : tables::sonamesOf(dist, *Version::parse(version)))
    all.push_back(each.str());
  return all;
}

} // namespace

TEST(Libraries, LinkNames) {
  for (const char *name : {"cudart", "nvJitLink", "cublas", "cublasLt", "nvblas", "cusolver",
                           "cusolverMg", "cusparse", "cufft", "cufftw", "curand", "nvrtc", "nppc",
                           "npps", "nvjpeg", "nvfatbin", "cupti", "cufile", "nvToolsExt"}) {
    auto library = tables::libraryByLinkName(name);
    ASSERT_TRUE(library) << name;
    EXPECT_FALSE(library->archive) << name;
    EXPECT_EQ(library->origin, LibraryOrigin::Toolkit) << name;
  }
  for (const char *name : {"cudart_static", "cudadevrt", "culibos", "cublas_static",
                           "cublasLt_static", "nvJitLink_static", "nvrtc_static"}) {
    auto library = tables::libraryByLinkName(name);
    ASSERT_TRUE(library) << name;
    EXPECT_TRUE(library->archive) << name;
  }
  EXPECT_EQ(tables::libraryByLinkName("cudnn")->origin, LibraryOrigin::Other);
  EXPECT_EQ(tables::libraryByLinkName("cudnn_ops")->origin, LibraryOrigin::Other);
  for (const char *name : {"", "m", "stdc++", "CUBLAS", "cudartx", "torch"})
    EXPECT_FALSE(tables::libraryByLinkName(name)) << name;
}

TEST(Libraries, DriverLibraries) {
  EXPECT_EQ(tables::libraryByLinkName("cuda")->origin, LibraryOrigin::Driver);
  EXPECT_EQ(tables::libraryByFileName("libcuda.so.1")->origin, LibraryOrigin::Driver);
  EXPECT_EQ(tables::libraryByFileName("libnvidia-ml.so.1")->origin, LibraryOrigin::Driver);
}

TEST(Libraries, FileNames) {
  EXPECT_EQ(tables::libraryByFileName("libcusparse.so")->name, "cusparse");
  EXPECT_EQ(tables::libraryByFileName("libcusparse.so.12.5.1.3")->name, "cusparse");
  EXPECT_EQ(tables::libraryByFileName("libcudart_static.a")->name, "cudart_static");
  EXPECT_EQ(tables::libraryByFileName("libnvrtc-builtins.so.12.4")->name, "nvrtc-builtins");
  EXPECT_EQ(tables::libraryByFileName("libnvrtc.alt.so.12")->name, "nvrtc.alt");
  for (const char *file :
       {"", "lib", "cusparse", "libcusparse", "libcusparse.a", "libcusparse.so12",
        "libcusparse.sox", "libcudart_static.so", "libz.so.1", "xlibcuda.so.1"})
    EXPECT_FALSE(tables::libraryByFileName(file)) << file;
}

// The major of a SONAME is not a CUDA major (facts README, 7).
TEST(Libraries, MajorsOfASoname) {
  EXPECT_THAT(tables::majorsOf("libcusparse.so.12"), ElementsAre(12u, 13u));
  EXPECT_THAT(tables::majorsOf("libcudart.so.12"), ElementsAre(12u));
  EXPECT_THAT(tables::majorsOf("libcusolver.so.11"), ElementsAre(11u, 12u));
  EXPECT_THAT(tables::majorsOf("libcurand.so.10"), ElementsAre(11u, 12u, 13u));
  EXPECT_THAT(tables::majorsOf("libcudart.so.11.0"), ElementsAre(11u));
  EXPECT_THAT(tables::majorsOf("libcudart.so.99"), IsEmpty());
}

TEST(Libraries, SonamesOfALinkName) {
  EXPECT_THAT(tables::sonamesOf("cusolver", 12), ElementsAre("libcusolver.so.11"));
  EXPECT_THAT(tables::sonamesOf("nvJitLink", 13), ElementsAre("libnvJitLink.so.13"));
  EXPECT_THAT(tables::sonamesOf("nvJitLink", 11), IsEmpty());
  EXPECT_THAT(tables::sonamesOf("cudnn", 12), ElementsAre("libcudnn.so.8", "libcudnn.so.9"));
}

TEST(Libraries, DistributionOfASoname) {
  EXPECT_EQ(tables::distOf("libcublasLt.so.12", 12), "nvidia-cublas-cu12");
  EXPECT_EQ(tables::distOf("libcusparse.so.12", 12), "nvidia-cusparse-cu12");
  EXPECT_EQ(tables::distOf("libcusparse.so.12", 13), "nvidia-cusparse");
  EXPECT_EQ(tables::distOf("libcuda.so.1", 12), "");
}

TEST(Libraries, SonamesOfAVersion) {
  EXPECT_THAT(sonames("nvidia-cublas-cu12", "12.4.5.8"),
              ElementsAre("libcublas.so.12", "libcublasLt.so.12", "libnvblas.so.12"));
  EXPECT_THAT(sonames("nvidia-nvtx-cu12", "12.4.127"), ElementsAre("libnvToolsExt.so.1"));
  EXPECT_THAT(sonames("nvidia-nvtx-cu12", "12.9.79"), ElementsAre("libnvtx3interop.so.1"));
  EXPECT_THAT(sonames("nvidia-cuda-nvrtc-cu12", "12.4.127"),
              ElementsAre("libnvrtc-builtins.so.12.4", "libnvrtc.so.12"));
  EXPECT_THAT(sonames("nvidia-cudnn-cu12", "8.9.2.26"), Not(Contains("libcudnn.so.9")));
  EXPECT_EQ(sonames("nvidia-npp-cu12", "12.2.5.2").size(), 11u);
  // Newer than every opened version: like the newest, except for a name that contains its minor.
  EXPECT_THAT(sonames("nvidia-cuda-nvrtc", "13.99.1"), ElementsAre("libnvrtc.so.13"));
}

TEST(Libraries, Folders) {
  EXPECT_EQ(folder("libcublas.so.12", "nvidia-cublas-cu12", "12.4.5.8"), "nvidia/cublas/lib");
  EXPECT_EQ(folder("libcublas.so.13", "nvidia-cublas", "13.1.0.3"), "nvidia/cu13/lib");
  EXPECT_EQ(folder("libnvvm.so.4", "nvidia-cuda-nvcc-cu12", "12.4.131"),
            "nvidia/cuda_nvcc/nvvm/lib64");
  EXPECT_EQ(folder("libnvvm.so.4", "nvidia-nvvm", "13.0.88"), "nvidia/cu13/lib");
  EXPECT_EQ(folder("libnvimgcodec.so.0", "nvidia-nvimgcodec-cu12", "0.6.0"), "nvidia/nvimgcodec");
  EXPECT_EQ(folder("libcublas.so.12", "nvidia-cublas", "13.1.0.3"), "");
  EXPECT_EQ(folder("libcublas.so.12", "no-such", "1"), "");
}

TEST(Libraries, FoldersThatMoved) {
  const char *library = "libcusparseLt.so.0";
  EXPECT_EQ(folder(library, "nvidia-cusparselt-cu12", "0.6.3"), "cusparselt/lib");
  EXPECT_EQ(folder(library, "nvidia-cusparselt-cu12", "0.7.1"), "nvidia/cusparselt/lib");
  EXPECT_EQ(folder(library, "nvidia-cusparselt-cu13", "0.8.1.post1"), "nvidia/cusparselt/lib");
  EXPECT_EQ(folder(library, "nvidia-cusparselt-cu13", "0.9.0"), "nvidia/cu13/lib");
  EXPECT_EQ(folder(library, "nvidia-cusparselt-cu13", "9.9"), "nvidia/cu13/lib");
}
