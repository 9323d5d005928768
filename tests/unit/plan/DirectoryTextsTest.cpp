// SPDX-License-Identifier: Apache-2.0
#include "driver/plan/toolchain/DirectoryTexts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <fstream>
#include <gmock/gmock.h>
#include <sstream>

using namespace cudacc;
using testing::HasSubstr;
using testing::Not;

static std::string textInDirectory(llvm::StringRef path) {
  for (const plan::DirectoryText &text : plan::directoryTexts())
    if (text.path == path)
      return text.text.str();
  return "";
}

// docs/spec/toolchain-directory.md
TEST(DirectoryTexts, areTheFilesOfTheSources) {
  for (const char *name :
       {"cmake/CudaCC.cmake", "cmake/CudaCCCross.cmake", "cmake/CudaCCProject.cmake",
        "cmake/CudaCCSearchPath.cmake", "cmake/CudaCCVerify.cmake", "meson/meson.build",
        "meson/meson_options.txt", "meson/verify_install.py"}) {
    std::ifstream file(std::string(CUDACC_SOURCE_DIR "/") + name);
    std::stringstream text;
    text << file.rdbuf();
    EXPECT_FALSE(text.str().empty()) << name;
    EXPECT_EQ(textInDirectory(name), text.str()) << name;
  }
  for (std::string language : {"C", "CXX", "OBJC", "OBJCXX"})
    EXPECT_THAT(textInDirectory("cmake/modules/Platform/Linux-" + language + ".cmake"),
                HasSubstr("_cuda_cc_find_compiler(" + language + " "))
        << language;
  EXPECT_THAT(textInDirectory("cmake/CudaCCConfig.cmake"), HasSubstr("\"../bin/cuda-cc\""));
  EXPECT_THAT(textInDirectory("cmake/CudaCCConfigVersion.cmake"), HasSubstr("PACKAGE_VERSION"));
}

// 5.4: compiler ids, caches and cross compilation are left to the project.
TEST(DirectoryTexts, theToolchainFileSetsNoOtherCompilerAndNoSystem) {
  std::string text = textInDirectory("toolchain.cmake");
  EXPECT_THAT(text, HasSubstr("set(CMAKE_CUDA_COMPILER "));
  for (const char *none :
       {"set(CMAKE_CXX_COMPILER", "set(CMAKE_C_COMPILER", "set(CMAKE_SYSTEM_NAME"})
    EXPECT_THAT(text, Not(HasSubstr(none)));
}

// If the directory is for another machine, and no other setting names one.
TEST(DirectoryTexts, aCrossDirectorySetsWhatIsNotSet) {
  EXPECT_THAT(textInDirectory("toolchain.cmake"),
              HasSubstr("if(CUDA_CC_MACHINE)\n"
                        "  include(\"${CUDA_CC_TOOLCHAIN_DIR}/cmake/CudaCCCross.cmake\")\n"));
  std::string text = textInDirectory("cmake/CudaCCCross.cmake");
  for (std::string name :
       {"CMAKE_SYSTEM_NAME", "CMAKE_C_COMPILER", "CMAKE_CXX_COMPILER", "CMAKE_FIND_ROOT_PATH"}) {
    size_t asked = text.find("if(NOT " + name), set = text.find("set(" + name + " ");
    EXPECT_LT(asked, set) << name;
    EXPECT_NE(set, std::string::npos) << name;
  }
}

TEST(DirectoryTexts, arePathsInsideEachOnce) {
  std::vector<llvm::StringRef> paths;
  for (const plan::DirectoryText &text : plan::directoryTexts()) {
    EXPECT_FALSE(text.path.starts_with("/") || text.path.contains("..")) << text.path.str();
    EXPECT_FALSE(llvm::is_contained(paths, text.path)) << text.path.str();
    paths.push_back(text.path);
  }
}
