// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/versions/Arch.h"
#include "driver/versions/CudaVersion.h"
#include <cstdint>
#include <string>
#include <vector>

namespace cudacc::core {

enum class ImageKind : uint8_t { Ptx, Cubin, LtoIr, Unknown };
enum class Compression : uint8_t { None, Zstd, Lz4, Unknown };
/// Whether a cubin is final and has a non-empty executable section (FB-40). Of other kinds:
/// No.
enum class HasCode : uint8_t { No, Yes, Unknown };

/// One image of device code, from its entry header alone (FB-20).
struct DeviceImage {
  ImageKind kind = ImageKind::Unknown;
  Compression compression = Compression::None;
  HasCode code = HasCode::No;
  /// A cubin of e_type 1, for nvlink or nvJitLink only; known when `code` is.
  bool relocatable = false;
  versions::Arch arch;
  /// PTX ISA of PTX, IR version of LTO-IR; 0.0 for cubins.
  versions::CudaVersion version;

  auto operator<=>(const DeviceImage &) const = default;
};

/// A container: what one translation unit, or the device link, put into the file. Coverage is
/// judged per unit, never over their union (FB-42). Units of the same contents are one with a
/// count.
struct DeviceUnit {
  enum class Home : uint8_t {
    /// .nv_fatbin: executable images.
    Fatbin,
    /// __nv_relfatbin: of use to run-time linking only (FB-2).
    Relocatable,
    /// Found by the scan of FB-33; loaded by private code, never judged (AV-I04).
    Elsewhere,
  };
  Home home = Home::Fatbin;
  /// A version 2 wrapper points here: the result of the device link (FB-10).
  bool linked = false;
  uint64_t count = 1;
  /// Empty: an empty container, which is valid (FB-15).
  std::vector<DeviceImage> images;

  auto operator<=>(const DeviceUnit &) const = default;
};

/// All device code of one file.
struct DeviceCode {
  /// In the order of first occurrence.
  std::vector<DeviceUnit> units;
  /// Sections in which units of Home::Elsewhere lie.
  std::vector<std::string> otherSections;
  /// Wrappers that point at no container (FB-12), one clause each.
  std::vector<std::string> brokenWrappers;
  /// Containers or entries of unknown version (AV-U02), limits (AV-U03), one clause each.
  std::vector<std::string> unknown, limits;
  /// Headers that disagree with their payload, with `--verify` only (AV-W13).
  std::vector<std::string> disagreements;
  /// Hints of FB-4: the file was built by nvcc, has relocatable device code, managed variables.
  bool byNvcc = false, relocatable = false, managed = false;

  bool empty() const { return units.empty(); }
};

} // namespace cudacc::core
