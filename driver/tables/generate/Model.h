// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/tables/generate/Input.h"
#include "driver/tables/lookup/Coupling.h"
#include "driver/tables/lookup/DeviceRows.h"
#include "driver/tables/lookup/Fetched.h"
#include "driver/tables/lookup/Frameworks.h"
#include "driver/tables/lookup/Groups.h"
#include "driver/tables/lookup/Libraries.h"
#include "driver/tables/lookup/Messages.h"
#include "driver/tables/lookup/Opens.h"
#include "driver/tables/lookup/Providers.h"
#include "driver/tables/lookup/ReleaseTables.h"
#include "driver/tables/lookup/SymbolNames.h"
#include "driver/tables/lookup/TextTable.h"
#include "driver/versions/Arch.h"
#include "driver/versions/CudaVersion.h"
#include <array>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace cudacc::tables::generate {

/// The tables before strings and versions become numbers. Versions are normalised as in PEP 440.
struct Model {
  /// Of release.json, `2026.11.0`.
  std::string dataRelease;
  struct Library {
    std::string soname, dist, folder;
    /// Empty: no bound.
    std::string from, last;
    uint8_t major = 0;
    bool ownMinor = false;
  };
  struct Stem {
    bool archive = false;
    uint8_t origin = 0;
    std::string header, include;
    /// Prefixes of the names in its interface.
    std::vector<std::string> begins = {};
  };
  struct SymbolVersion {
    /// The version as written: driver versions have leading zeros.
    std::string dist, version, soname;
    uint8_t major = 0;
    versions::CudaVersion toolkit;
  };
  /// Index of the first and of the last version.
  using Ranges = std::vector<std::pair<unsigned, unsigned>>;
  struct SymbolLibrary {
    std::string name;
    std::vector<SymbolVersion> versions;
    std::map<std::string, Ranges> symbols;
    /// Internal names are not in the table. `words`: prefixes of the names in its interface,
    /// separated by spaces: `cudnn` for cudnnCreate.
    bool leftOut = false;
    std::string words;
  };
  using Pairs = std::map<versions::CudaVersion, versions::CudaVersion>;

  rows::ReleaseTables releases;
  std::vector<FrameworkName> frameworkNames;
  std::vector<Library> libraries;
  std::map<std::string, Stem> stems;
  /// Removed names, with the name that replaces each.
  std::map<std::string, std::string> replacements;
  std::vector<GeneratedName> generatedNames;
  /// Version node of libstdc++ -> first gcc release that has it.
  std::map<std::string, std::string> libstdcxxNodes;
  /// Names of CPython's stable ABI, with the minor of the 3.X that added each.
  std::map<std::string, uint8_t> limitedApi;
  std::map<uint8_t, std::string> driverFloors;
  /// By CUDA line.
  Pairs ptx, ltoIr;
  std::vector<rows::Run<LibraryShape>> shapes;
  std::vector<rows::Run<Coupling>> floors;
  /// Sorted by file name.
  std::vector<SymbolLibrary> symbolLibraries;
  std::vector<rows::Run<rows::Difference>> differences;
  /// Names exported by the driver: the first CUDA version, and whether it may be older.
  std::map<std::string, std::pair<versions::CudaVersion, bool>> driverNames;
  /// Key: PTX ISA.
  Pairs minCudaOfPtx;
  std::map<versions::Arch, rows::ArchRow> archs;
  std::vector<rows::PipeRow> pipes;
  /// First driver of each line, sorted by line.
  std::vector<std::pair<llvm::StringRef, versions::CudaVersion>> driverCudas;
  std::vector<GroupMember> parts;
  std::vector<Open> opens;
  std::vector<VersionRule> versionRules;
  std::vector<Message> messages;
  std::vector<ToolkitPart> toolkitParts;
  std::vector<PublishedFile> published;

  /// Keeps a text that no row has.
  llvm::StringRef keep(std::string text) { return kept.emplace_back(std::move(text)); }
  std::deque<std::string> kept;

  bool hasLine(versions::CudaVersion line) const;
  bool hasDist(llvm::StringRef name) const { return releases.dists.count(name) != 0; }
};

/// Each function reads some tables, checks them against the model and adds to it. They must be
/// called in this order.
void readReleases(Input &input, Model &model);
/// Called by readReleases().
void readLibraries(Input &input, Model &model);
void readShapes(Input &input, Model &model);
void readDevice(Input &input, Model &model);
void readSymbols(Input &input, Model &model);
void readFloors(Input &input, Model &model);
void readGroups(Input &input, Model &model);
/// After readShapes.
void readOpens(Input &input, Model &model);
void readVersionRules(Input &input, Model &model);
void readMessages(Input &input, Model &model);
/// What can be fetched; after readReleases.
void readFetched(Input &input, Model &model);

/// First and last version of `FIRST to LAST`; a single version is both.
inline std::pair<versions::Version, versions::Version> versionsOf(const Row &row,
                                                                  llvm::StringRef key) {
  auto [first, last] = row.text(key).split(" to ");
  return {row.asVersion(first), row.asVersion(last.empty() ? first : last)};
}

inline void requireDist(const Row &row, const Model &model, llvm::StringRef dist) {
  row.require(model.hasDist(dist), "nvidia_wheel_versions does not have {}", dist);
}

/// Sorts by library and distribution, then by first version.
template <typename T> void sortRuns(std::vector<T> &runs) {
  llvm::stable_sort(runs, [](const T &a, const T &b) {
    auto key = [](const T &run) { return std::tie(run.soname, run.dist); };
    return key(a) != key(b) ? key(a) < key(b)
                            : *versions::Version::parse(a.from) < *versions::Version::parse(b.from);
  });
}

/// The model as C++ source text for driver/tables/lookup/Tables.cpp.
std::string write(const Model &model);

} // namespace cudacc::tables::generate
