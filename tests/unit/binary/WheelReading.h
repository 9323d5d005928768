// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "Support.h"
#include "ZipWriter.h"
#include "driver/binary/archive/Wheel.h"
#include <gtest/gtest.h>

/// Wheels made in memory, and the results of reading them.
namespace cudacc::binary::test {

inline std::string failure(llvm::Error error) { return core::toFinding(std::move(error)).message; }

inline std::vector<WheelEntry> list(MemoryFile &file) {
  auto entries = readWheel(file, "dist/x.whl");
  if (entries)
    return *entries;
  ADD_FAILURE() << failure(entries.takeError());
  return {};
}
inline std::string listError(const std::string &bytes) {
  MemoryFile file(bytes);
  auto entries = readWheel(file, "dist/x.whl");
  return entries ? "" : failure(entries.takeError());
}

inline std::string readAll(core::ReadableFile &file, size_t step = 1 << 20) {
  std::string out(file.size(), '\0');
  for (size_t at = 0; at < out.size(); at += step) {
    size_t count = std::min(step, out.size() - at);
    auto got = file.readAt(at, {out.data() + at, count});
    if (!got)
      return "error: " + failure(got.takeError());
    EXPECT_EQ(*got, count);
  }
  return out;
}
/// The contents, or "error: " and the reason.
inline std::string contents(MemoryFile &file, const WheelEntry &entry) {
  auto opened = openEntry(file, entry);
  return opened ? readAll(**opened) : "error: " + failure(opened.takeError());
}
inline std::string firstOf(const std::string &bytes) {
  MemoryFile file(bytes);
  std::vector<WheelEntry> entries = list(file);
  return entries.empty() ? "" : contents(file, entries[0]);
}

/// Text that compresses by about a third and differs everywhere.
inline std::string noise(size_t size) {
  std::string out(size, '\0');
  uint64_t seed = 88172645463325252;
  for (char &c : out) {
    seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
    c = 'a' + seed % 32;
  }
  return out;
}

} // namespace cudacc::binary::test
