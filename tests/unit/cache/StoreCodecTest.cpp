// SPDX-License-Identifier: Apache-2.0
#include "driver/cache/StoreCodec.h"
#include <gmock/gmock.h>

using namespace cudacc;
using namespace cudacc::core;
using namespace cudacc::versions;

namespace {
Toolkit toolkit() {
  Toolkit toolkit;
  toolkit.nvcc = "/opt/a b/bin/nvcc";
  toolkit.driver = "/opt/back\\slash/nvcc";
  toolkit.root = "/opt/tab\tline\nfeed";
  toolkit.layout = ToolkitLayout::Debian;
  toolkit.components = {{"nvcc", "/opt/bin/nvcc", {12, 4}, "12.4.131", "its own text"},
                        {"cccl", "/opt/include/cccl", {}, "", ""}};
  toolkit.includeDirs = {"/include"};
  toolkit.systemIncludeDirs = {"/system"};
  toolkit.libraryDirs = {"/lib", "/lib/stubs"};
  toolkit.pathDirs = {"/path"};
  toolkit.conflicts = {"one and another"};
  toolkit.inputs = {{"/opt/bin/nvcc", 1, 2, 3, -4}, {"/opt", ~0ull, ~0ull, 0, INT64_MAX}};
  return toolkit;
}

HostCompiler compiler() {
  HostCompiler compiler;
  compiler.path = "/usr/bin/g++";
  compiler.family = "gcc";
  compiler.version = "12.2.0";
  compiler.machine = "x86_64-linux-gnu";
  compiler.cIncludes = {"/c"};
  compiler.cxxIncludes = {"/c++", "/c"};
  compiler.libraryDirs = {"/lib"};
  compiler.libraryPathAt = 1;
  compiler.inputs = {{"/usr/bin/g++", 1, 2, 3, 4}};
  return compiler;
}
} // namespace

TEST(StoreCodec, aToolkitComesBackWhole) {
  Toolkit before = toolkit();
  auto after = cache::parseToolkit(cache::serialise(before));
  ASSERT_TRUE(after);
  EXPECT_EQ(after->nvcc, before.nvcc);
  EXPECT_EQ(after->driver, before.driver);
  EXPECT_EQ(after->root, before.root);
  EXPECT_EQ(after->layout, before.layout);
  ASSERT_EQ(after->components.size(), 2u);
  EXPECT_EQ(after->components[0].name, "nvcc");
  EXPECT_EQ(after->components[0].path, "/opt/bin/nvcc");
  EXPECT_EQ(after->components[0].cuda, (CudaVersion{12, 4}));
  EXPECT_EQ(after->components[0].version, "12.4.131");
  EXPECT_EQ(after->components[0].evidence, "its own text");
  EXPECT_FALSE(after->components[1].cuda.known());
  EXPECT_EQ(after->includeDirs, before.includeDirs);
  EXPECT_EQ(after->systemIncludeDirs, before.systemIncludeDirs);
  EXPECT_EQ(after->libraryDirs, before.libraryDirs);
  EXPECT_EQ(after->pathDirs, before.pathDirs);
  EXPECT_EQ(after->conflicts, before.conflicts);
  EXPECT_EQ(after->inputs, before.inputs);
}

TEST(StoreCodec, aHostCompilerComesBackWhole) {
  HostCompiler before = compiler();
  auto after = cache::parseHostCompiler(cache::serialise(before));
  ASSERT_TRUE(after);
  EXPECT_EQ(after->path, before.path);
  EXPECT_EQ(after->family, before.family);
  EXPECT_EQ(after->version, before.version);
  EXPECT_EQ(after->machine, before.machine);
  EXPECT_EQ(after->cIncludes, before.cIncludes);
  EXPECT_EQ(after->cxxIncludes, before.cxxIncludes);
  EXPECT_EQ(after->libraryDirs, before.libraryDirs);
  EXPECT_EQ(after->libraryPathAt, before.libraryPathAt);
  EXPECT_EQ(after->inputs, before.inputs);
}

TEST(StoreCodec, anotherFormOrADamagedOneIsNothing) {
  std::string good = cache::serialise(toolkit());
  size_t line = good.find('\n');
  for (const std::string &text :
       {std::string(), std::string("\n"), cache::serialise(compiler()), good.substr(0, line + 1),
        "cuda-cc-toolkit 1" + good.substr(line), good + "include\n",
        good + "input\t/x\t1\t2\t3\tfour\n", good + "part\tnvcc\t/x\ttwelve\t4\t\t\n",
        good + "layout\t6\n", good + "layout\t-1\n"})
    EXPECT_FALSE(cache::parseToolkit(text)) << text;
  // The files that were read must be recorded, or the cached facts would never become invalid.
  Toolkit forgetful = toolkit();
  forgetful.inputs.clear();
  EXPECT_FALSE(cache::parseToolkit(cache::serialise(forgetful)));
  EXPECT_FALSE(cache::parseHostCompiler(good));
  EXPECT_FALSE(cache::parseHostCompiler(cache::serialise(compiler()) + "library-path-at\tx\n"));
}
