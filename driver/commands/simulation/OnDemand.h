// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/commands/simulation/EnvironmentSnapshot.h"
#include <set>

namespace cudacc::commands {

struct ExaminedFile;

/// Which files are loaded only by code that opens them by name. Each package is read once.
class OnDemand {
public:
  /// Both must outlive this.
  OnDemand(process::DiskTree &disk, const EnvironmentSnapshot &snapshot)
      : disk(disk), snapshot(snapshot) {}

  /// True for a file that lies in site-packages, is not an extension module (by its suffix and
  /// PyInit_NAME), and that nothing in its own package NEEDs, such as NVSHMEM's transports and
  /// libcufile_rdma. False if the package cannot be read completely.
  bool has(const ExaminedFile &subject);

private:
  /// The paths of the files that NEED a library, by its name.
  using Needers = std::map<std::string, std::set<std::string>, std::less<>>;

  process::DiskTree &disk;
  const EnvironmentSnapshot &snapshot;
  /// By folder and ELF machine; std::nullopt for one that cannot be read completely.
  std::map<std::pair<std::string, uint16_t>, std::optional<Needers>> packages;

  std::string packageFolder(llvm::StringRef path) const;
  std::optional<Needers> read(const std::string &folder, uint16_t machine) const;
};

} // namespace cudacc::commands
