// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/versions/CudaVersion.h"
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace cudacc::core {

/// Facts about the compile of one translation unit (docs/spec/manifest.md). Absent means unknown.
struct ObjectRecord {
  std::string tool;
  /// nvcc release. Empty for host-only units.
  std::string toolkit;
  /// CUDA version of the headers that the include path actually resolves to.
  std::string headers;
  /// `gcc-12.2.0`.
  std::string host;

  auto operator<=>(const ObjectRecord &) const = default;
};

/// The link record. Empty strings and absent optionals are not written.
struct LinkRecord {
  std::string tool;
  /// First 16 hex digits of the SHA-256 of the normalised policy (MJ-8).
  std::string policy;
  /// `target.cuda`, `target.spec`, `target.libs`. All empty if no runtime was declared.
  std::string targetCuda, targetSpec;
  std::map<std::string, std::string> targetLibs;
  std::string toolkitMax, toolkitMin;
  std::string host, linker;
  std::optional<std::vector<std::string>> needed;
  std::map<std::string, std::string> floor;
  /// The releases of torch that export what the file imports: `>=2.8,<2.12`. Empty if it imports no
  /// torch symbols, if no release has all of them, or if that is not known.
  std::string torch;
  /// `rpath`, `runpath`, `none`. Empty if unknown.
  std::string rpath;
  /// `shared`, `static`, `none`. Empty if unknown.
  std::string cudart;
  /// Architectures of machine code, with suffix (`sm_90a`). Absent if they were not examined.
  std::optional<std::vector<std::string>> sass;
  /// Highest PTX ISA and LTO-IR version. Empty if there is none or they were not examined.
  std::string ptxMax, ltoirMax;
  std::optional<uint64_t> noted, unnoted;
  /// Absent means unknown. An empty list is written.
  std::optional<std::vector<std::string>> waivers;
  /// `enforce` if it is not the default (`warn`, `off`): every override is recorded (MD-3).
  std::string enforce;
  /// The search path has absolute directories of an environment: the file is meant for the machine
  /// it was built on (F18).
  bool develop = false;
  bool truncated = false;

  bool operator==(const LinkRecord &) const = default;
};

/// For readers without a JSON parser.
struct SummaryRecord {
  static constexpr uint16_t Sealed = 0x1, DeviceCode = 0x2, Ptx = 0x4, LtoIr = 0x8, Rdc = 0x10,
                            Waiver = 0x20, Unnoted = 0x40, StaticCudart = 0x80, CoarseFloor = 0x100;
  uint16_t schema = 1;
  uint16_t flags = 0;
  versions::CudaVersion toolkit, target, floor, ptx, ltoir;
  uint32_t linkCrc = 0;
  bool crcValid = true;
};

/// All cuda-cc records in one file.
struct Manifest {
  /// Distinct object records, ordered by the bytes of their JSON, with the number of occurrences.
  std::vector<std::pair<ObjectRecord, uint64_t>> objects;
  /// In file order. More than one is AV-W10.
  std::vector<LinkRecord> links;
  std::vector<SummaryRecord> summaries;
  /// The link record's JSON matches the CRC in the summary, and the summary is sealed.
  bool sealed = false;
  /// Records exist only in sections, not in a segment (RD-4).
  bool onlyInSections = false;
  /// Records that could not be read, one clause each (RD-6 limits, broken JSON).
  std::vector<std::string> problems;

  bool empty() const { return objects.empty() && links.empty() && summaries.empty(); }
};

} // namespace cudacc::core
