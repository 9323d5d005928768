// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/probe/LinkedFiles.h"
#include "llvm/ADT/StringExtras.h"

using namespace cudacc;
using namespace cudacc::core;
using test::Libraries;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

TEST_F(Libraries, onlyNvidias) {
  files.file("/l/libm.so").file("/l/libnvJitLink.so").file("/o/libfoo.a");
  call.libraryDirs = {"/l"};
  l("m").l("nvJitLink").l("stdc++").input("/o/libfoo.a").input("a.o").l("nvjitlink");
  EXPECT_THAT(paths(), ElementsAre("-lnvJitLink /l/libnvJitLink.so"));
}

TEST_F(Libraries, orderOfDirectories) {
  for (auto *dir : {"/a", "/b", "/env", "/own", "/last"})
    files.file(std::string(dir) + "/libcublas.so");
  host.emplace();
  host->libraryDirs = {"/own", "/last"};
  host->libraryPathAt = 1;
  variables.push_back("LIBRARY_PATH=/env");
  call.libraryDirs = {"/none", "/a", "/b"};
  l("cublas");
  EXPECT_THAT(paths(), ElementsAre("-lcublas /a/libcublas.so"));
  call.libraryDirs.clear();
  EXPECT_THAT(paths(), ElementsAre("-lcublas /own/libcublas.so"));
  host->libraryPathAt = 0;
  EXPECT_THAT(paths(), ElementsAre("-lcublas /env/libcublas.so"));
  host->libraryPathAt = 9;
  variables.pop_back();
  files.remove("/own/libcublas.so");
  EXPECT_THAT(paths(), ElementsAre("-lcublas /last/libcublas.so"));
}

// A toolchain directory's own folder: after the line's, before all others, and by path (R18).
TEST_F(Libraries, foldersThatAreNotOnTheLinkLine) {
  for (auto *dir : {"/a", "/td", "/env", "/own"})
    files.file(std::string(dir) + "/libcublas.so");
  host.emplace();
  host->libraryDirs = {"/own"};
  variables.push_back("LIBRARY_PATH=/env");
  behind = {"/td", "/td/stubs"};
  call.libraryDirs = {"/a"};
  l("cublas");
  EXPECT_THAT(paths(), ElementsAre("-lcublas /a/libcublas.so"));
  call.libraryDirs.clear();
  EXPECT_THAT(paths(), ElementsAre("-lcublas /td/libcublas.so by path"));
  behind.clear();
  EXPECT_THAT(paths(), ElementsAre("-lcublas /env/libcublas.so"));
}

// RP-7: a stub's folder is not a folder of the line; the stub is found anyway.
TEST_F(Libraries, theDriversStubOfAToolchainDirectory) {
  files.file("/td/stubs/libcuda.so");
  behind = {"/td", "/td/stubs"};
  l("cuda");
  EXPECT_THAT(paths(), ElementsAre("-lcuda /td/stubs/libcuda.so by path"));
}

TEST_F(Libraries, sharedBeforeArchivePerDirectory) {
  files.file("/a/libcusolver.a").file("/b/libcusolver.so").file("/b/libcusolver.a");
  call.libraryDirs = {"/b", "/a"};
  l("cusolver");
  EXPECT_THAT(paths(), ElementsAre("-lcusolver /b/libcusolver.so"));
  call.libraryDirs = {"/a", "/b"};
  EXPECT_THAT(paths(), ElementsAre("-lcusolver /a/libcusolver.a"));
  call.staticLink = true;
  call.libraryDirs = {"/b"};
  EXPECT_THAT(paths(), ElementsAre("-lcusolver /b/libcusolver.a"));
}

// P29, R38: a default directory must not take precedence over one that the line names.
TEST_F(Libraries, namedFolderWithSonameOnly) { // P29
  files.file("/w/libnvJitLink.so.12").file("/usr/local/lib/libnvJitLink.so");
  host.emplace();
  host->libraryDirs = {"/usr/local/lib"};
  variables.push_back("LIBRARY_PATH=/usr/local/lib");
  call.libraryDirs = {"/w"};
  l("nvJitLink");
  EXPECT_THAT(paths(), ElementsAre("-lnvJitLink /w/libnvJitLink.so.12 by path"));
  // A later -L that has the name does not take precedence either: /w comes first.
  call.libraryDirs = {"/w", "/usr/local/lib"};
  EXPECT_THAT(paths(), ElementsAre("-lnvJitLink /w/libnvJitLink.so.12 by path"));
  // A default directory that has only the soname is not a match.
  files.remove("/w/libnvJitLink.so.12");
  files.remove("/usr/local/lib/libnvJitLink.so");
  files.file("/usr/local/lib/libnvJitLink.so.12");
  call.libraryDirs.clear();
  variables.clear();
  EXPECT_THAT(paths(), ElementsAre("-lnvJitLink "));
  // LIBRARY_PATH is the user's choice.
  variables.push_back("LIBRARY_PATH=/usr/local/lib");
  EXPECT_THAT(paths(), ElementsAre("-lnvJitLink /usr/local/lib/libnvJitLink.so.12 by path"));
}

TEST_F(Libraries, theToolkitServesALineWithoutFolder) {
  toolkit.emplace();
  toolkit->libraryDirs = {"/cuda/lib64"};
  toolkit->components = {{"nvcc", "", {12, 4}, "", ""}};
  files.file("/cuda/lib64/libcusolver.so.11").file("/cuda/lib64/libcublas.so");
  l("cusolver").l("cublas");
  EXPECT_THAT(paths(), ElementsAre("-lcusolver /cuda/lib64/libcusolver.so.11 by path",
                                   "-lcublas /cuda/lib64/libcublas.so by path"));
  // A library that the linker finds by itself is left to it.
  files.file("/usr/lib/libcublas.so");
  host.emplace();
  host->libraryDirs = {"/usr/lib"};
  EXPECT_THAT(paths()[1], "-lcublas /usr/lib/libcublas.so");
}

TEST_F(Libraries, nvccsOwnFoldersComeBehindTheCallers) {
  call.dialect = Dialect::Nvcc;
  toolkit.emplace();
  toolkit->libraryDirs = {"/cuda/lib64"};
  files.file("/cuda/lib64/libcublas.so").file("/mine/libcublas.so.12");
  files.file("/usr/lib/libcublas.so");
  host.emplace();
  host->libraryDirs = {"/usr/lib"};
  l("cublas");
  EXPECT_THAT(paths(), ElementsAre("-lcublas /cuda/lib64/libcublas.so"));
  call.libraryDirs = {"/mine"};
  EXPECT_THAT(paths(), ElementsAre("-lcublas /mine/libcublas.so.12 by path"));
}

// N17: nvcc 13.0 and 13.1 of the wheels search lib64, which is missing.
TEST_F(Libraries, libInPlaceOfAMissingLib64) { // N17
  files.file("/cu13/lib/libcublas.so.13").file("/cu13/lib/libcudart_static.a");
  files.file("/usr/lib/libcublas.so").file("/usr/lib/libcudart_static.a");
  host.emplace();
  host->libraryDirs = {"/usr/lib"};
  call.libraryDirs = {"/cu13/bin/..//lib64"};
  files.directory("/cu13/bin");
  l("cublas").l("cudart_static");
  EXPECT_THAT(paths(), ElementsAre("-lcublas /cu13/lib/libcublas.so.13 by path",
                                   "-lcudart_static /cu13/lib/libcudart_static.a by path"));
  call.libraryDirs.clear();
  call.dialect = Dialect::Nvcc;
  toolkit.emplace();
  toolkit->root = "/cu13";
  EXPECT_THAT(paths(), ElementsAre("-lcublas /cu13/lib/libcublas.so.13 by path",
                                   "-lcudart_static /cu13/lib/libcudart_static.a by path"));
}

TEST_F(Libraries, theToolkitsMajorIsPreferred) {
  files.file("/w/libnvJitLink.so.12").file("/w/libnvJitLink.so.13");
  call.libraryDirs = {"/w"};
  l("nvJitLink");
  EXPECT_THAT(paths(), ElementsAre("-lnvJitLink /w/libnvJitLink.so.13 by path"));
  toolkit.emplace();
  toolkit->components = {{"nvcc", "", {12, 4}, "", ""}};
  EXPECT_THAT(paths(), ElementsAre("-lnvJitLink /w/libnvJitLink.so.12 by path"));
}

TEST_F(Libraries, exactFileNames) {
  files.file("/w/libcusparse.so.12");
  call.libraryDirs = {"/w"};
  l(":libcusparse.so.12").l(":libcusparse.so.11").input("/w/libcusparse.so.12");
  EXPECT_THAT(paths(),
              ElementsAre("-l:libcusparse.so.12 /w/libcusparse.so.12", "-l:libcusparse.so.11 ",
                          "/w/libcusparse.so.12 /w/libcusparse.so.12"));
  EXPECT_EQ(find()[1].soname, "libcusparse.so.11");
}

// ld skips a library for another machine, by every name (binutils 2.40).
TEST_F(Libraries, anotherMachinesFilesArePassedOver) {
  files.file("/x/libnvJitLink.so").file("/x/libnvJitLink.so.12").file("/x/libcudart_static.a");
  files.file("/a/libnvJitLink.so").file("/b/libnvJitLink.so.12").file("/b/libcudart_static.a");
  foreign = {"/x/libnvJitLink.so", "/x/libnvJitLink.so.12", "/x/libcudart_static.a"};
  l("nvJitLink").l(":libnvJitLink.so.12").l("cudart_static");
  call.libraryDirs = {"/x", "/a", "/b"};
  EXPECT_THAT(paths(), ElementsAre("-lnvJitLink /a/libnvJitLink.so",
                                   "-l:libnvJitLink.so.12 /b/libnvJitLink.so.12",
                                   "-lcudart_static /b/libcudart_static.a"));
  call.libraryDirs = {"/x", "/b"};
  EXPECT_EQ(paths()[0], "-lnvJitLink /b/libnvJitLink.so.12 by path");
  call.libraryDirs = {"/x"};
  EXPECT_EQ(paths()[0], "-lnvJitLink ");
  // Given by its path, it is rejected by the linker.
  call.linkInputs.clear();
  input("/x/libnvJitLink.so.12");
  EXPECT_EQ(paths()[0], "/x/libnvJitLink.so.12 /x/libnvJitLink.so.12");
}

// T3: shared and static cudart on one line; each is named.
TEST_F(Libraries, sharedAndStaticCudart) { // T3
  files.file("/c/libcudart.so").file("/c/libcudart_static.a").file("/c/libcudadevrt.a");
  call.libraryDirs = {"/c"};
  input("/c/libcudart.so").l("cudadevrt").l("cudart_static").input("/c/libcudart_static.a");
  auto all = find();
  ASSERT_EQ(all.size(), 4u);
  EXPECT_FALSE(all[0].isArchive);
  EXPECT_TRUE(all[2].isArchive);
  EXPECT_EQ(all[2].soname, "libcudart_static.a");
  EXPECT_EQ(all[2].word, 2u);
}

// T4: symbolic links are resolved to identify a library.
TEST_F(Libraries, generalDirectoryThatLinksIntoTheToolkit) { // T4
  files.program("/opt/cuda/bin/nvcc").file("/opt/cuda/lib64/libcudart.so.12.4.127", "elf");
  cudaH("/opt/cuda/include", 12040);
  files.symlink("/usr/local/lib/libcudart.so", "/opt/cuda/lib64/libcudart.so.12.4.127");
  cudaH("/usr/local/include", 13000);
  files.directory("/usr/local/targets");
  input("/usr/local/lib/libcudart.so");
  sonames["/usr/local/lib/libcudart.so"] = "libcudart.so.12";
  LinkedLibrary library = one();
  EXPECT_EQ(library.cuda.str(), "12.4");
  EXPECT_EQ(library.evidence, "CUDA_VERSION in /opt/cuda/include/cuda.h");
  EXPECT_EQ(library.soname, "libcudart.so.12");
}

TEST_F(Libraries, aCudaHOfSomebodyElseIsNoEvidence) {
  files.program("/opt/cuda/bin/nvcc").file("/opt/cuda/sub/lib/libcudart.so.12", "elf");
  files.file("/opt/cuda/sub/include/cuda.h", "void check_error(int status);\n");
  cudaH("/opt/cuda/include", 12040);
  input("/opt/cuda/sub/lib/libcudart.so.12");
  EXPECT_EQ(one().cuda.str(), "12.4");
  files.file("/opt/cuda/sub/include/cuda.h", "#define CUDA_VERSION X\n");
  EXPECT_FALSE(one().cuda.known());
}

TEST_F(Libraries, anotherNameForTheFile) { // T4
  files.file("/opt/l/libcusparse.so.12")
      .symlink("/project/mysparse.so", "/opt/l/libcusparse.so.12");
  input("/project/mysparse.so");
  sonames["/project/mysparse.so"] = "libcusparse.so.12";
  EXPECT_EQ(one().soname, "libcusparse.so.12");
}

TEST_F(Libraries, stubs) {
  files.file("/cuda/lib64/stubs/libcuda.so");
  call.libraryDirs = {"/cuda/lib64/stubs"};
  l("cuda");
  sonames["/cuda/lib64/stubs/libcuda.so"] = "libcuda.so.1";
  LinkedLibrary library = one();
  EXPECT_TRUE(library.isStub);
  EXPECT_EQ(library.soname, "libcuda.so.1");
  EXPECT_FALSE(library.cuda.known());
}

// Debian: no wheel, no root; only the library's own file name is known.
TEST_F(Libraries, fileNameOfDebian) {
  files.file("/usr/lib/x86_64-linux-gnu/libcusparse.so.12.3.1.170");
  files.symlink("/usr/lib/x86_64-linux-gnu/libcusparse.so", "libcusparse.so.12.3.1.170");
  input("/usr/lib/x86_64-linux-gnu/libcusparse.so");
  sonames["/usr/lib/x86_64-linux-gnu/libcusparse.so"] = "libcusparse.so.12";
  LinkedLibrary library = one();
  EXPECT_EQ(library.cuda.str(), "12.4");
  EXPECT_EQ(library.evidence, "the file's name, libcusparse.so.12.3.1.170");
}

// cuDNN copied into a toolkit is not part of it.
TEST_F(Libraries, otherLibrariesInAToolkit) {
  files.directory("/opt/c/nvvm").file("/opt/c/lib64/libcudnn.so.9");
  cudaH("/opt/c/include", 12080);
  input("/opt/c/lib64/libcudnn.so.9");
  EXPECT_FALSE(one().cuda.known());
}

} // namespace
