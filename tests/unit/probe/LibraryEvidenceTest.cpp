// SPDX-License-Identifier: Apache-2.0
#include "driver/probe/host/LibraryEvidence.h"
#include "tests/unit/probe/LinkedFiles.h"
#include "llvm/ADT/StringExtras.h"

using namespace cudacc;
using namespace cudacc::core;
using namespace cudacc::versions;
using test::Libraries;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

// V-EV-01, V-EV-02
TEST_F(Libraries, headersOfTheRoot) { // V-EV-01, V-EV-02
  files.directory("/opt/c/nvvm").file("/opt/c/lib64/libcublas.so.12");
  cudaH("/opt/c/include", 12080);
  input("/opt/c/lib64/libcublas.so.12");
  EXPECT_EQ(one().cuda.str(), "12.8");
  call.linkInputs.clear();
  files.file("/opt/d/targets/x86_64-linux/lib/libcublas.so.13");
  cudaH("/opt/d/targets/x86_64-linux/include", 13000);
  input("/opt/d/targets/x86_64-linux/lib/libcublas.so.13");
  EXPECT_EQ(one().cuda.str(), "13.0");
}

// EV-4, EV-8.
TEST_F(Libraries, headersThatDisagree) { // V-EV-03
  files.file("/opt/c/lib64/libcublas.so.12").directory("/opt/c/nvvm");
  cudaH("/opt/c/targets/x86_64-linux/include", 12040);
  cudaH("/opt/c/targets/sbsa-linux/include", 12050);
  cudaH("/opt/include", 12080);
  input("/opt/c/lib64/libcublas.so.12");
  LinkedLibrary library = one();
  EXPECT_FALSE(library.cuda.known());
  EXPECT_THAT(library.conflict, HasSubstr("12.4"));
  EXPECT_THAT(library.conflict, HasSubstr("12.5"));
}

TEST_F(Libraries, nothingSpeaks) { // V-EV-04
  files.file("/x/libcublas.so.12");
  input("/x/libcublas.so.12");
  LinkedLibrary library = one();
  EXPECT_FALSE(library.cuda.known());
  EXPECT_EQ(library.conflict, "");
  EXPECT_EQ(library.evidence, "");
}

TEST_F(Libraries, owner) { // V-EV-05
  wheel("nvidia_nvjitlink-13.2.78", "nvidia/cu13/lib/libnvJitLink.so.13");
  // V-EV-07: the metapackage's requirements are not used.
  files.file(site + "/cuda_toolkit-13.0.3.dist-info/METADATA", "Requires-Dist: nvidia-nvjitlink\n");
  call.libraryDirs.push_back("/venv/lib/python3.11/site-packages/nvidia/cu13/lib");
  l("nvJitLink");
  LinkedLibrary library = one();
  EXPECT_EQ(library.cuda.str(), "13.2");
  EXPECT_EQ(library.dist, "nvidia-nvjitlink");
  EXPECT_EQ(library.version, "13.2.78");
  EXPECT_EQ(library.evidence, "RECORD of nvidia_nvjitlink-13.2.78");
  EXPECT_TRUE(library.byPathOnly);
}

TEST_F(Libraries, ownerOfAVersionThatAFactsFileAdds) { // F16
  wheel("nvidia_cusparse-12.99.0.1", "nvidia/cu13/lib/libcusparse.so.12");
  call.libraryDirs.push_back("/venv/lib/python3.11/site-packages/nvidia/cu13/lib");
  l("cusparse");
  EXPECT_FALSE(one().cuda.known());
  tables::UserTables rows;
  rows.toolkits.push_back({{13, 9, 0}, {}});
  rows.dists["nvidia-cusparse"].releases[*Version::parse("12.99.0.1")] = {{13, 9, 0}};
  more = &rows;
  EXPECT_EQ(one().cuda.str(), "13.9");
}

// V-EV-08, 09, 10: by the table of components.
TEST_F(Libraries, versionsInTheTable) { // V-EV-08 to V-EV-10
  wheel("nvidia_cublas-13.1.0.3", "nvidia/cu13/lib/libcublas.so.13");
  wheel("nvidia_cufft-12.0.0.61", "nvidia/cu13/lib/libcufft.so.12");
  wheel("nvidia_cublas_cu12-12.4.5.8", "nvidia/cublas/lib/libcublas.so.12");
  std::string a = site + "/nvidia/cu13/lib/libcublas.so.13",
              b = site + "/nvidia/cu13/lib/libcufft.so.12",
              c = site + "/nvidia/cublas/lib/libcublas.so.12";
  input(a).input(b).input(c);
  auto all = find();
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].cuda.str(), "13.0");
  EXPECT_EQ(all[1].cuda.str(), "13.0");
  EXPECT_EQ(all[2].cuda.str(), "12.4");
}

TEST_F(Libraries, ownerOfTheExactVersion) { // V-EV-12
  wheel("nvidia_nvjitlink_cu12-12.9.86", "nvidia/nvjitlink/lib/libnvJitLink.so.12");
  std::string path = site + "/nvidia/nvjitlink/lib/libnvJitLink.so.12";
  input(path);
  EXPECT_EQ(one().cuda.str(), "12.9");
}

TEST_F(Libraries, wheelInsideACondaPrefix) { // V-EV-13
  site = "/conda/lib/python3.11/site-packages";
  files.directory("/conda/conda-meta");
  cudaH("/conda/targets/x86_64-linux/include", 12040);
  wheel("nvidia_nvjitlink_cu12-12.8.93", "nvidia/nvjitlink/lib/libnvJitLink.so.12");
  std::string path = site + "/nvidia/nvjitlink/lib/libnvJitLink.so.12",
              other = "/conda/lib/libcublas.so.12";
  files.file(other);
  input(path).input(other);
  EXPECT_EQ(find()[0].cuda.str(), "12.8");
  EXPECT_EQ(find()[1].cuda.str(), "12.4");
  // Without its owner the wheel's file is not assigned to the prefix either.
  files.remove(site + "/nvidia_nvjitlink_cu12-12.8.93.dist-info/RECORD");
  EXPECT_FALSE(find()[0].cuda.known());
}

TEST_F(Libraries, distributionPrefix) { // V-EV-14
  files.file("/usr/lib/x86_64-linux-gnu/libcublas.so.12").program("/usr/bin/nvcc");
  files.file("/home/u/lib/libcublas.so.12").directory("/home/u/nvvm");
  cudaH("/usr/include", 12040);
  cudaH("/home/u/include", 12040);
  input("/usr/lib/x86_64-linux-gnu/libcublas.so.12").input("/home/u/lib/libcublas.so.12");
  EXPECT_FALSE(find()[0].cuda.known());
  EXPECT_FALSE(find()[1].cuda.known());
}

TEST_F(Libraries, homeOfACallerThatIsGone) {
  files.file("/home/u/lib/libcublas.so.12").directory("/home/u/nvvm");
  cudaH("/home/u/include", 12040);
  auto names = [](llvm::StringRef) { return probe::LibraryNames(); };
  auto suffix = [](llvm::StringRef) { return CudaVersion(); };
  probe::LibraryReader reader{names, suffix};
  std::string home = "/home/u";
  probe::LibraryEvidence evidence(files, reader, home);
  home = "/home/v";
  LinkedLibrary library;
  library.path = "/home/u/lib/libcublas.so.12";
  library.soname = "libcublas.so.12";
  evidence.identify(library);
  EXPECT_FALSE(library.cuda.known());
}

TEST_F(Libraries, runtimeByItsHeadersAndOthersNot) { // V-EV-15
  wheel("nvidia_cuda_runtime-13.0.96", "nvidia/cu13/lib/libcudart.so.13");
  files.file(site + "/nvidia/cu13/lib/libcufft.so.12");
  cudaH(site + "/nvidia/cu13/include", 13000);
  std::string cudart = site + "/nvidia/cu13/lib/libcudart.so.13",
              cufft = site + "/nvidia/cu13/lib/libcufft.so.12";
  input(cudart).input(cufft);
  EXPECT_EQ(find()[0].cuda.str(), "13.0");
  // No wheel owns it, and cuda.h describes the runtime's files only.
  EXPECT_FALSE(find()[1].cuda.known());
}

TEST_F(Libraries, theFileItself) { // V-EV-16, V-EV-17
  files.file("/x/libnvrtc.so.12")
      .file("/x/libnvrtc-builtins.so.12.4")
      .file("/x/libnvJitLink.so.12");
  suffixes["/x/libnvJitLink.so.12"] = {12, 6};
  input("/x/libnvrtc.so.12").input("/x/libnvJitLink.so.12");
  auto all = find();
  EXPECT_EQ(all[0].cuda.str(), "12.4");
  EXPECT_EQ(all[0].evidence, "libnvrtc-builtins.so.12.4 beside it");
  EXPECT_EQ(all[1].cuda.str(), "12.6");
}

TEST_F(Libraries, implausibleHeader) { // V-EV-19
  files.directory("/opt/c/nvvm").file("/opt/c/lib64/libcublas.so.12");
  cudaH("/opt/c/include", 12345);
  input("/opt/c/lib64/libcublas.so.12");
  EXPECT_FALSE(one().cuda.known());
}

TEST_F(Libraries, linkedSitePackagesEntry) { // V-EV-20
  wheel("nvidia_nvjitlink_cu12-12.4.127", "nvidia/nvjitlink/lib/libnvJitLink.so.12");
  std::string real = site + "/nvidia/nvjitlink/lib/libnvJitLink.so.12";
  files.symlink("/w/libnvJitLink.so", real);
  call.libraryDirs = {"/w"};
  l("nvJitLink");
  sonames["/w/libnvJitLink.so"] = "libnvJitLink.so.12";
  EXPECT_EQ(one().cuda.str(), "12.4");
  EXPECT_EQ(one().path, "/w/libnvJitLink.so");
}

TEST_F(Libraries, ownerAndExportsDisagree) { // EV-8
  wheel("nvidia_nvjitlink_cu12-12.4.127", "nvidia/nvjitlink/lib/libnvJitLink.so.12");
  std::string path = site + "/nvidia/nvjitlink/lib/libnvJitLink.so.12";
  suffixes[path] = {12, 6};
  input(path);
  EXPECT_THAT(one().conflict,
              HasSubstr("12.4.127 says 12.4, the versioned names that it exports say 12.6"));
}

} // namespace
