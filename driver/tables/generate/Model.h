// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/tables/generate/Input.h"
#include "driver/tables/lookup/ReleaseTables.h"
#include "driver/versions/Arch.h"
#include "driver/versions/CudaVersion.h"
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace cudacc::tables::generate {

/// The tables before texts and versions became numbers. Versions are in the normal form of PEP 440.
struct Model {
  struct FrameworkName {
    std::string name, framework;
    std::vector<std::string> extras;
    /// 0: of each release.
    uint8_t major = 0;
  };
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
    /// What the names of its interface begin with.
    std::vector<std::string> begins = {};
  };
  struct Coupling {
    std::string soname, dist, from;
    /// Soname and Reach.
    std::vector<std::pair<std::string, uint8_t>> needs;
  };
  /// What the dynamic section of a library says over a run of versions.
  struct Shape {
    std::string soname, dist, from, to;
    std::vector<std::string> nodes, needed, dlopens;
    std::optional<std::string> runpath, rpath;
  };
  /// What a library asks of another by symbol over a run of versions.
  struct Floor {
    std::string soname, dist, from, to, needs, needsDist, least;
    uint8_t reach = 0, confidence = 0;
    bool sameWheel = false, oldestOpened = false;
    std::vector<std::string> deciding, missingLater;
    /// Runs of versions; both ends included.
    std::vector<std::pair<std::string, std::string>> notInLater;
  };
  struct SymbolVersion {
    /// The version as written: that of a driver has zeros.
    std::string dist, version, soname;
    uint8_t major = 0;
    versions::CudaVersion toolkit;
  };
  /// First and last version, by index.
  using Ranges = std::vector<std::pair<unsigned, unsigned>>;
  struct SymbolLibrary {
    std::string name;
    std::vector<SymbolVersion> versions;
    std::map<std::string, Ranges> symbols;
    /// Internal names were left out. Then words with which names of its interface begin, separated
    /// by blanks: `cudnn` for cudnnCreate.
    bool leftOut = false;
    std::string words;
  };
  struct Arch {
    versions::CudaVersion first, firstPtx;
    /// 0.0: no end.
    versions::CudaVersion last;
    bool firstPtxAtMost = false, embedded = false;
    std::vector<uint16_t> family;
  };
  struct DriverCuda {
    std::string driver;
    versions::CudaVersion cuda;
  };
  struct NvJitLinkName {
    uint8_t suffixedSince = 0xff, plainSince = 0xff;
  };
  /// A part of CUDA and what holds it together with others; bits of Side.
  struct Part {
    std::string name, group, library;
    uint8_t kind = 0, sides = 0;
  };
  /// As tables::Message.
  struct Message {
    std::string id, family, source;
    std::vector<std::string> patterns, what, facts, causes, fixes;
  };

  struct Preload {
    std::vector<std::string> packages, files, opens;
    std::string from, source;
    bool dependents = false, isGlobal = false, isFallback = false;
    uint8_t confidence = 0;
  };

  rows::ReleaseTables releases;
  std::vector<FrameworkName> frameworkNames;
  std::vector<Library> libraries;
  std::map<std::string, Stem> stems;
  /// Names that vanished, with the name that a program calls instead.
  std::map<std::string, std::string> replacements;
  /// Version node of libstdc++ -> first gcc.
  std::map<std::string, std::string> libstdcxxNodes;
  /// Names of CPython's stable ABI, and 3.X since when.
  std::map<std::string, uint8_t> limitedApi;
  std::vector<Coupling> couplings;
  std::map<uint8_t, std::string> driverFloors;
  std::map<versions::CudaVersion, versions::CudaVersion> ptx;
  /// (function, major).
  std::map<std::pair<std::string, uint8_t>, NvJitLinkName> nvJitLink;
  std::vector<Shape> shapes;
  std::vector<Floor> floors;
  /// By file name.
  std::vector<SymbolLibrary> symbolLibraries;
  /// Names of the driver: first CUDA version, and whether it may be an older one.
  std::map<std::string, std::pair<versions::CudaVersion, bool>> driverNames;
  /// By PTX ISA.
  std::map<versions::CudaVersion, versions::CudaVersion> minCudaOfPtx;
  std::map<versions::Arch, Arch> archs;
  /// By line.
  std::map<versions::CudaVersion, versions::CudaVersion> ltoIr;
  /// (kind, producer, consumer).
  std::map<std::tuple<uint8_t, versions::CudaVersion, versions::CudaVersion>, bool> nvJitLinkTakes;
  /// First driver of each line, by line.
  std::vector<DriverCuda> driverCudas;
  std::vector<Part> parts;
  std::vector<Preload> preloads;
  std::vector<Message> messages;

  bool hasLine(versions::CudaVersion line) const;
  bool hasDist(llvm::StringRef name) const { return releases.dists.count(name) != 0; }
};

/// Each reads some tables, checks them against what is there already, and adds to the model; in
/// this order.
void readReleases(Input &input, Model &model);
/// Called by readReleases().
void readLibraries(Input &input, Model &model);
void readCoupling(Input &input, Model &model);
void readDrivers(Input &input, Model &model);
void readNvJitLink(Input &input, Model &model);
void readShapes(Input &input, Model &model);
void readDevice(Input &input, Model &model);
void readSymbols(Input &input, Model &model);
void readFloors(Input &input, Model &model);
void readGroups(Input &input, Model &model);
void readPreloads(Input &input, Model &model);
void readMessages(Input &input, Model &model);

/// The versions of `first to last`, or of the only one.
inline std::pair<versions::Version, versions::Version> versionsOf(const Row &row,
                                                                  llvm::StringRef key) {
  auto [first, last] = row.text(key).split(" to ");
  return {row.asVersion(first), row.asVersion(last.empty() ? first : last)};
}

inline void requireDist(const Row &row, const Model &model, llvm::StringRef dist) {
  row.require(model.hasDist(dist), "nvidia_wheel_versions does not have {}", dist);
}

/// By library and distribution, then by first version.
template <typename T> void sortRuns(std::vector<T> &runs) {
  llvm::stable_sort(runs, [](const T &a, const T &b) {
    auto key = [](const T &run) { return std::tie(run.soname, run.dist); };
    return key(a) != key(b) ? key(a) < key(b)
                            : *versions::Version::parse(a.from) < *versions::Version::parse(b.from);
  });
}

/// \p what begins the message.
void requireAscending(const std::map<versions::CudaVersion, versions::CudaVersion> &versions,
                      llvm::StringRef what);

/// The model as C++ text for driver/tables/lookup/Tables.cpp.
std::string write(const Model &model);

} // namespace cudacc::tables::generate
