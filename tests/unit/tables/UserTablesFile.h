// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>
#include <string>

/// A facts file of a release that does not exist: torch 9.9.0 with CUDA 13.6, for the tests of its
/// readers. Each test changes a part of it.
namespace cudacc::test {

inline const std::string userTablesFile = R"({
 "schema": 1,
 "description": "A release that does not exist.",
 "tables": {
  "ctk_component_versions": [
   {"ctk": "13.6.1", "complete": true,
    "components": {"nvidia-cuda-runtime": "13.6.40", "nvidia-nvjitlink": "13.6.40",
                   "nvidia-cublas": "13.11.1.2", "nvidia-cusparse": "12.10.0.1",
                   "nvidia-cuda-novel": "1.2.3"},
    "wheel_overrides": {"nvidia-nvjitlink": ">=13.6.40,<14"},
    "note": null, "source": "made up", "confidence": "verified"}],
  "nvidia_wheel_versions": [
   {"dist": "nvidia-cublas", "cuda_major": "13",
    "versions": [["13.11.1.2.post1", ["13.6.1"], "manifest", true, true, ""],
                 ["13.11.9.9", null, null, true, true, ""]],
    "note": null, "source": "made up", "confidence": "verified"}],
  "torch_wheel_pins": [
   {"torch": "9.9", "torch_versions": ["9.9.0"], "cuda": "13.6", "local_tag": "cu136",
    "pypi_default": true, "ctk": "13.6.1", "complete": true,
    "pins": [
     {"dist": "nvidia-cublas", "spec": "==13.11.1.2.*", "kind": "extra", "floor": "13.11.1.2",
      "seen": [], "confidence": null},
     {"dist": "nvidia-cudnn-cu13", "spec": "==9.30.0.5", "kind": "direct", "floor": "9.30.0.5",
      "seen": [], "confidence": null},
     {"dist": "nvidia-nvjitlink", "spec": ">=13.6.40,<14", "kind": "extra", "floor": "13.6.40",
      "seen": [], "confidence": "secondary"}],
    "note": null, "source": "made up", "confidence": "verified"}],
  "pytorch_cuda_lines": [
   {"torch": "9.9", "cuda": "13.6", "local_tag": "cu136", "pypi_default": true, "ctk": "13.6.1",
    "note": null, "source": "made up", "confidence": "verified"},
   {"torch": "9.9", "cuda": "13.2", "local_tag": "cu132", "pypi_default": false, "ctk": null,
    "note": null, "source": "made up", "confidence": "verified"}],
  "torch_pypi_default": [
   {"torch": "9.9", "cuda": "13.6", "local_tag": "cu136", "released": null,
    "note": null, "source": "made up", "confidence": "verified"}]
 }
})";

/// The file with a text replaced everywhere.
inline std::string userTablesWith(const std::string &piece, const std::string &other) {
  std::string text = userTablesFile;
  size_t at = text.find(piece);
  EXPECT_NE(at, std::string::npos) << piece;
  for (; at != std::string::npos; at = text.find(piece, at + other.size()))
    text.replace(at, piece.size(), other);
  return text;
}

} // namespace cudacc::test
