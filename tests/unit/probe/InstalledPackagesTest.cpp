// SPDX-License-Identifier: Apache-2.0
#include "driver/probe/python/InstalledPackages.h"
#include "tests/support/MemoryFiles.h"
#include <gmock/gmock.h>

using namespace cudacc;
using namespace cudacc::test;
using probe::InstalledPackages;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

struct InstalledWithMetadata : testing::Test {
  MemoryFiles files;
  std::vector<std::string> sites{"/env/site", "/base/site"};

  void put(const std::string &site, const std::string &name, const std::string &version,
           const std::string &metadata, const std::string &record) {
    std::string folder = site + "/" + name + "-" + version + ".dist-info/";
    files.file(folder + "METADATA",
               "Metadata-Version: 2.1\nName: " + name + "\nVersion: " + version + "\n" + metadata);
    files.file(folder + "RECORD", record);
  }
  InstalledPackages packages() { return {sites, "x86_64", "3.11", files}; }
};

TEST_F(InstalledWithMetadata, AFileBelongsToWhomeverClaimsIt) {
  put("/env/site", "faiss_gpu_cu12", "1.14.1", "",
      "faiss/_swigfaiss.so,sha256=x,1\nfaiss/loader.py,sha256=x,1\n"
      "faiss_gpu_cu12.libs/libfaiss-6b43.so,,\n\"odd,\"\"name\"\".so\",,\n"
      "faiss/loader.pyc,,\n../../../bin/x.so,,\n");
  InstalledPackages packages = this->packages();
  auto *owner = packages.ownerOf("/env/site/faiss_gpu_cu12.libs/libfaiss-6b43.so");
  ASSERT_TRUE(owner);
  EXPECT_EQ(owner->name, "faiss-gpu-cu12");
  EXPECT_EQ(owner->version, "1.14.1");
  EXPECT_EQ(owner->site, "/env/site");
  EXPECT_THAT(owner->sources, ElementsAre("faiss/loader.py"));
  EXPECT_THAT(owner->binaries,
              ElementsAre("faiss/_swigfaiss.so", "faiss_gpu_cu12.libs/libfaiss-6b43.so",
                          "odd,\"name\".so"));
  EXPECT_EQ(packages.ownerOf("/env/site/other.so"), nullptr);
  EXPECT_EQ(packages.ownerOf("/env/faiss/_swigfaiss.so"), nullptr);
  EXPECT_EQ(packages.below("/env/site/faiss/_swigfaiss.so"), "faiss/_swigfaiss.so");
  EXPECT_EQ(packages.below("/elsewhere/x.so"), "");
}

TEST_F(InstalledWithMetadata, FilesWithoutRecordBelongToTheirFolder) {
  put("/env/site", "app", "1", "", "__editable__.app.pth,,\n");
  for (const char *path : {"app/__init__.py", "app/sub/__init__.py", "app/deep/more/load.py"})
    files.file(std::string("/src/") + path, "CDLL('a/libhidden.so.1')\n");
  files.file("/src/other/load.py", "CDLL('a/libother.so.1')\n");
  files.symlink("/src/app/again", "/src/app").symlink("/src/app/sub/up", "/src");
  InstalledPackages packages = this->packages();
  const core::InstalledPackage *app = packages.unowned("/src/app/sub/x.so");
  ASSERT_TRUE(app);
  EXPECT_EQ(app, packages.unowned("/src/app/y.so"));
  EXPECT_EQ(app->name, "/src/app");
  EXPECT_THAT(app->sources, ElementsAre("__init__.py", "deep/more/load.py", "sub/__init__.py"));
  EXPECT_EQ(packages.callsOf(*app).calls.size(), 3u);
  EXPECT_EQ(packages.unowned("/src/other/x.so"), nullptr);
  EXPECT_EQ(packages.unowned("x.so"), nullptr);
}

TEST_F(InstalledWithMetadata, WhatItRequiresHereIsKnown) {
  put("/env/site", "a", "1",
      "Requires-Dist: torch<3,>=2.4\nRequires-Dist: Nvidia.NCCL-cu12; platform_system == "
      "\"Linux\"\n"
      "Requires-Dist: pywin32; sys_platform == \"win32\"\nRequires-Dist: numpy; extra == \"test\"\n"
      "Requires-Dist: old; python_version < \"3.11\"\n\nRequires-Dist: in-the-description\n",
      "");
  put("/base/site", "torch", "2.6.0", "", "torch/_C.so,,\n");
  InstalledPackages packages = this->packages();
  const core::InstalledPackage *a = packages.find("a");
  ASSERT_TRUE(a);
  EXPECT_THAT(a->required, ElementsAre("torch", "nvidia-nccl-cu12"));
  auto required = packages.requiredBy(*a);
  ASSERT_EQ(required.size(), 1u);
  EXPECT_EQ(required[0]->name, "torch");
  EXPECT_EQ(packages.ownerOf("/base/site/torch/_C.so"), required[0]);
}

TEST_F(InstalledWithMetadata, TheFirstOfTwoSitesCounts) {
  put("/env/site", "a", "2", "", "a.so,,\n");
  put("/base/site", "a", "1", "", "a.so,,\n");
  InstalledPackages packages = this->packages();
  EXPECT_EQ(packages.find("a")->version, "2");
  EXPECT_EQ(packages.all().size(), 1u);
}

TEST_F(InstalledWithMetadata, AWheelTakesThePlaceOfWhatIsInstalled) {
  put("/env/site", "a", "1", "", "a/x.so,,\n");
  InstalledPackages packages = this->packages();
  core::InstalledPackage wheel;
  wheel.site = "/env/site";
  wheel.name = "a";
  wheel.version = "2";
  wheel.required = {"torch"};
  probe::readRecord("a/y.so,,\n", wheel);
  packages.add(wheel);
  EXPECT_EQ(packages.find("a")->version, "2");
  ASSERT_TRUE(packages.ownerOf("/env/site/a/y.so"));
  EXPECT_THAT(packages.ownerOf("/env/site/a/y.so")->required, ElementsAre("torch"));
}

TEST_F(InstalledWithMetadata, AWheelAloneKnowsNamesOfWhatItRequires) {
  put("/env/site", "b", "1", "", "b/x.so,,\n");
  core::InstalledPackage wheel;
  wheel.name = "a";
  wheel.site = "/env/site";
  wheel.required = {"b", "c"};
  wheel.binaries = {"a/y.so"};
  InstalledPackages packages(wheel, files);
  ASSERT_TRUE(packages.ownerOf("/env/site/a/y.so"));
  EXPECT_FALSE(packages.ownerOf("/env/site/b/x.so"));
  EXPECT_EQ(packages.requiredBy(*packages.find("a")).size(), 2u);
  EXPECT_EQ(packages.find("b")->version, "");
}

TEST_F(InstalledWithMetadata, SourcesAreRead) {
  put("/env/site", "a", "1", "", "a/__init__.py,,\na/load.py,,\na/gone.py,,\n");
  files.file("/env/site/a/__init__.py", "x = 1\n");
  files.file("/env/site/a/load.py", "import ctypes\nctypes.CDLL('libfoo.so')\n");
  InstalledPackages packages = this->packages();
  auto &found = packages.callsOf(*packages.find("a"));
  ASSERT_EQ(found.calls.size(), 1u);
  EXPECT_EQ(found.calls[0].file, "/env/site/a/load.py");
  EXPECT_EQ(found.calls[0].line, 2u);
  EXPECT_EQ(found.unreadable, "");
}

TEST_F(InstalledWithMetadata, ASourceThatCannotBeReadIsSaid) {
  put("/env/site", "a", "1", "", "a/load.py,,\n");
  files.file("/env/site/a/load.py", "x");
  files.unreadable.insert("/env/site/a/load.py");
  InstalledPackages packages = this->packages();
  EXPECT_EQ(packages.callsOf(*packages.find("a")).unreadable, "cannot read /env/site/a/load.py");
}

TEST_F(InstalledWithMetadata, ASourceInAnUnknownEncodingIsSaid) {
  put("/env/site", "a", "1", "", "a/load.py,,\na/more.py,,\n");
  files.file("/env/site/a/load.py", "CDLL('libfoo.so')  # \xe9\n");
  files.file("/env/site/a/more.py", "# coding: utf-7\n");
  InstalledPackages packages = this->packages();
  auto &found = packages.callsOf(*packages.find("a"));
  // The files that were read are part of the key.
  EXPECT_EQ(found.calls.size(), 1u);
  EXPECT_EQ(found.unreadable, "cannot read /env/site/a/load.py: it is not UTF-8");
}

TEST_F(InstalledWithMetadata, ASourceBeyondTheLimitIsSaid) {
  put("/env/site", "a", "1", "", "a/load.py,,\n");
  files.file("/env/site/a/load.py", std::string((32 << 20) + 1, ' '));
  InstalledPackages packages = this->packages();
  EXPECT_EQ(packages.callsOf(*packages.find("a")).unreadable, "/env/site/a/load.py is too large");
}

TEST_F(InstalledWithMetadata, MetadataThatCannotBeReadIsSaid) {
  put("/env/site", "a", "1", "", "a/x.so,,\n");
  put("/env/site", "b", "1", "", "b/x.so,,\n");
  files.unreadable.insert("/env/site/a-1.dist-info/RECORD");
  InstalledPackages packages = this->packages();
  EXPECT_EQ(packages.ownerOf("/env/site/a/x.so"), nullptr);
  auto *unread = packages.unreadFor("", "/env/site/a/x.so");
  ASSERT_TRUE(unread);
  EXPECT_EQ(unread->package, "a");
  EXPECT_EQ(unread->why, "cannot read /env/site/a-1.dist-info/RECORD");
  EXPECT_EQ(packages.unreadFor("", "/base/site/a/x.so"), nullptr);
  EXPECT_EQ(packages.unreadFor("b", "/env/site/b/x.so"), nullptr);
}

TEST_F(InstalledWithMetadata, MetadataThatIsBrokenClaimsNothing) {
  files.directory("/env/site/b-1.dist-info");
  InstalledPackages packages = this->packages();
  ASSERT_TRUE(packages.find("b"));
  EXPECT_EQ(packages.find("b")->version, "1");
  EXPECT_THAT(packages.find("b")->required, IsEmpty());
}

} // namespace
