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
/// Whether a cubin is final and has a non-empty executable section (FB-40). No for other kinds.
enum class HasCode : uint8_t { No, Yes, Unknown };

/// One image of device code, as described by its entry header alone (FB-20).
struct DeviceImage {
  ImageKind kind = ImageKind::Unknown;
  Compression compression = Compression::None;
  HasCode code = HasCode::No;
  /// A cubin of e_type 1, for nvlink or nvJitLink only. Known if `code` is.
  bool relocatable = false;
  versions::Arch arch;
  /// PTX ISA of PTX, IR version of LTO-IR; 0.0 for cubins.
  versions::CudaVersion version;

  auto operator<=>(const DeviceImage &) const = default;
};

/// One fatbin container: what one translation unit, or the device link, contributed to the file.
/// Coverage is checked per unit, never over their union (FB-42). Units with equal contents are
/// stored once, with a count.
struct DeviceUnit {
  enum class Home : uint8_t {
    /// .nv_fatbin: executable images.
    Fatbin,
    /// __nv_relfatbin: used by run-time linking only (FB-2).
    Relocatable,
    /// Found by the scan of FB-33. Private code loads it, so it is never checked (AV-I04).
    Elsewhere,
  };
  Home home = Home::Fatbin;
  /// A version 2 wrapper points to it: the result of the device link (FB-10).
  bool linked = false;
  uint64_t count = 1;
  /// Empty for an empty container, which is valid (FB-15).
  std::vector<DeviceImage> images;

  auto operator<=>(const DeviceUnit &) const = default;
};

/// All device code of one file.
struct DeviceCode {
  /// In order of first occurrence.
  std::vector<DeviceUnit> units;
  /// Sections that hold units of Home::Elsewhere.
  std::vector<std::string> otherSections;
  /// Wrappers that point to no container (FB-12), one clause each.
  std::vector<std::string> brokenWrappers;
  /// Containers or entries of an unknown version (AV-U02); limits reached (AV-U03). One clause
  /// each.
  std::vector<std::string> unknown, limits;
  /// Headers that disagree with their payload; filled with `--verify` only (AV-W13).
  std::vector<std::string> disagreements;
  /// Hints of FB-4: the file was built by nvcc, has relocatable device code, has managed variables.
  bool byNvcc = false, relocatable = false, managed = false;

  bool empty() const { return units.empty(); }
};

} // namespace cudacc::core
