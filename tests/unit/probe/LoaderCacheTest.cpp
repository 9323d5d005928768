// SPDX-License-Identifier: Apache-2.0
#include "driver/probe/host/LoaderCache.h"
#include "llvm/BinaryFormat/ELF.h"
#include <gmock/gmock.h>

using namespace cudacc;
using probe::LoaderCache;
using namespace llvm::ELF;

static std::string word(uint32_t value) {
  return {char(value), char(value >> 8), char(value >> 16), char(value >> 24)};
}

namespace {
struct Line {
  const char *name, *path;
  uint32_t flags = 0x0303;
  /// Index of the subdirectory; negative: none.
  int subdirectory = -1;
  uint32_t legacy = 0;
};
} // namespace

/// As ldconfig of glibc 2.36 writes it.
static std::string cacheOf(const std::vector<Line> &lines,
                           const std::vector<const char *> &subdirectories = {},
                           bool compat = false) {
  std::string strings, table, extension;
  uint32_t base = 48 + 24 * lines.size();
  auto text = [&](const char *value) {
    uint32_t at = base + strings.size();
    strings += value;
    strings += '\0';
    return at;
  };
  for (const Line &line : lines) {
    table += word(line.flags) + word(text(line.name)) + word(text(line.path)) + word(0);
    table += word(line.subdirectory < 0 ? line.legacy : line.subdirectory);
    table += word(line.subdirectory < 0 ? 0 : 1 << 30);
  }
  std::string names;
  for (const char *name : subdirectories)
    names += word(text(name));
  strings.resize((strings.size() + 3) / 4 * 4);
  uint32_t at = base + strings.size() + (compat ? 32 : 0);
  extension = word(0xeaa42174) + word(1) + word(1) + word(0) + word(at + 24) + word(names.size());
  std::string header = "glibc-ld.so.cache1.1" + word(lines.size()) + word(strings.size());
  header += word(2) + word(subdirectories.empty() ? 0 : at) + std::string(12, '\0');
  std::string all = header + table + strings;
  if (!subdirectories.empty())
    all += extension + names;
  if (compat)
    all = std::string("ld.so-1.7.0\0", 12) + word(1) + std::string(16, '\0') + all;
  return all;
}

static std::optional<std::string> found(const std::string &bytes, const char *name,
                                        uint16_t machine = EM_X86_64,
                                        std::vector<std::string> hwcaps = {}) {
  auto cache = LoaderCache::read(bytes);
  return cache ? cache->find(name, machine, hwcaps) : std::optional<std::string>("damaged");
}

TEST(LoaderCache, byNameAndMachine) {
  std::string bytes = cacheOf({{"libz.so.1", "/32/libz.so.1", 0x0003},
                               {"libz.so.1", "/arm/libz.so.1", 0x0a03},
                               {"libz.so.1", "/lib/libz.so.1"},
                               {"libz.so.1", "/later/libz.so.1"},
                               {"liba.so", "/lib/liba.so"}});
  EXPECT_EQ(found(bytes, "libz.so.1"), "/lib/libz.so.1");
  EXPECT_EQ(found(bytes, "libz.so.1", EM_AARCH64), "/arm/libz.so.1");
  EXPECT_EQ(found(bytes, "liba.so"), "/lib/liba.so");
  EXPECT_EQ(found(bytes, "liba.so", EM_AARCH64), std::nullopt);
  EXPECT_EQ(found(bytes, "libz.so"), std::nullopt);
  EXPECT_EQ(found(bytes, "libz.so.1", EM_RISCV), std::nullopt);
  EXPECT_EQ(LoaderCache::read(bytes)->entries().size(), 5u);
}

TEST(LoaderCache, subdirectoriesByTheProcess) {
  std::string bytes = cacheOf({{"libz.so.1", "/lib/glibc-hwcaps/x86-64-v3/libz.so.1", 0x0303, 1},
                               {"libz.so.1", "/lib/glibc-hwcaps/x86-64-v2/libz.so.1", 0x0303, 0},
                               {"libz.so.1", "/lib/tls/libz.so.1", 0x0303, -1, 2},
                               {"libz.so.1", "/lib/libz.so.1"}},
                              {"x86-64-v2", "x86-64-v3"});
  EXPECT_EQ(found(bytes, "libz.so.1"), "/lib/libz.so.1");
  EXPECT_EQ(found(bytes, "libz.so.1", EM_X86_64, {"glibc-hwcaps/x86-64-v2"}),
            "/lib/glibc-hwcaps/x86-64-v2/libz.so.1");
  EXPECT_EQ(
      found(bytes, "libz.so.1", EM_X86_64, {"glibc-hwcaps/x86-64-v3", "glibc-hwcaps/x86-64-v2"}),
      "/lib/glibc-hwcaps/x86-64-v3/libz.so.1");
  EXPECT_EQ(LoaderCache::read(bytes)->entries()[2].subdirectory, "legacy");
}

TEST(LoaderCache, behindTheOlderFormat) {
  EXPECT_EQ(found(cacheOf({{"libz.so.1", "/lib/libz.so.1"}}, {}, true), "libz.so.1"),
            "/lib/libz.so.1");
  // Subdirectories are lost there: ldconfig and the loader count their names from different
  // offsets.
  std::string both = cacheOf(
      {{"libz.so.1", "/lib/glibc-hwcaps/v/libz.so.1", 0x0303, 0}, {"libz.so.1", "/lib/libz.so.1"}},
      {"v"}, true);
  EXPECT_EQ(found(both, "libz.so.1", EM_X86_64, {"glibc-hwcaps/v"}), "/lib/libz.so.1");
  EXPECT_FALSE(LoaderCache::read("ld.so-1.7.0"));
  EXPECT_FALSE(LoaderCache::read(std::string("ld.so-1.7.0\0\xff\xff\xff\xff", 16)));
}

TEST(LoaderCache, otherFormats) {
  for (const char *text : {"", "glibc", "ld.so.cache", "glibc-ld.so.cache1.0"})
    EXPECT_FALSE(LoaderCache::read(text));
  std::string bigEndian = cacheOf({{"libz.so.1", "/lib/libz.so.1"}});
  bigEndian[28] = 3;
  EXPECT_FALSE(LoaderCache::read(bigEndian));
  bigEndian[28] = 0;
  EXPECT_TRUE(LoaderCache::read(bigEndian)) << "written before glibc 2.33";
}

// Truncated anywhere, or with any word replaced: an answer or none, and no read beyond the end.
TEST(LoaderCache, damaged) {
  std::string bytes = cacheOf(
      {{"libz.so.1", "/v3/libz.so.1", 0x0303, 0}, {"libz.so.1", "/lib/libz.so.1"}}, {"x86-64-v3"});
  ASSERT_TRUE(LoaderCache::read(bytes));
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(LoaderCache::read(bytes.substr(0, size))) << size;
  for (size_t at = 20; at + 4 <= bytes.size(); at += 4)
    for (uint32_t value : {0u, 1u, 0x7fffffffu, 0xffffffffu, uint32_t(bytes.size())}) {
      std::string other = bytes;
      other.replace(at, 4, word(value));
      if (auto cache = LoaderCache::read(other)) {
        cache->find("libz.so.1", EM_X86_64, {"glibc-hwcaps/x86-64-v3"});
        cache->entries();
      }
    }
}

// Many entries that share one long text that does not end.
TEST(LoaderCache, textsAreBounded) {
  std::vector<Line> lines(20'000, {"libz.so.1", "/lib/libz.so.1"});
  std::string bytes = cacheOf(lines) + std::string(1 << 20, 'x');
  for (size_t i = 0; i < lines.size(); ++i)
    bytes.replace(48 + 24 * i + 4, 4, word(bytes.size() - (1 << 20)));
  EXPECT_FALSE(LoaderCache::read(bytes));
}
