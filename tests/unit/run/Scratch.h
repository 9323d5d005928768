// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

namespace cudacc {

/// A temporary directory for one test, removed afterwards.
struct Scratch {
  std::string path;
  Scratch() {
    std::string pattern = std::filesystem::temp_directory_path() / "cudacc-unit-XXXXXX";
    path = mkdtemp(pattern.data());
  }
  ~Scratch() { std::filesystem::remove_all(path); }
};

} // namespace cudacc
