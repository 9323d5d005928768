#pragma once

#include "driver/core/CudaVersion.h"
#include "driver/facts/generate/Input.h"
#include <array>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace cudacc::facts::generate {

/// The tables before texts and versions became numbers. Versions are in the normal form of PEP 440.
struct Model {
  struct Release {
    std::array<uint8_t, 3> number{};
    /// dist -> version.
    std::map<std::string, std::string> components;
    auto key() const { return number; }
  };
  struct Dist {
    uint8_t major = 0;
    bool startsWithMinor = false;
  };
  struct Pin {
    std::string dist, floor;
    bool floats = false;
    uint8_t kind = 0, confidence = 0;
  };
  struct PinSet {
    bool complete = false;
    std::vector<Pin> pins;
  };
  struct TorchLine {
    core::CudaVersion cuda;
    std::string tag;
    /// Index into releases, pinSets; -1: unknown.
    int release = -1, pinSet = -1;
  };
  struct Torch {
    std::array<uint8_t, 3> number{};
    unsigned defaultLine = 0;
    std::vector<TorchLine> lines;
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
  };
  struct Coupling {
    std::string soname, dist, from;
    /// Soname and Reach.
    std::vector<std::pair<std::string, uint8_t>> needs;
  };
  struct NvJitLinkName {
    uint8_t suffixedSince = 0xff, plainSince = 0xff;
  };

  std::vector<Release> releases;
  std::map<std::string, Dist> dists;
  /// (dist, version) -> releases that have it, by index.
  std::map<std::pair<std::string, std::string>, std::set<uint8_t>> wheels;
  std::vector<PinSet> pinSets;
  std::vector<Torch> torch;
  std::vector<Library> libraries;
  std::map<std::string, Stem> stems;
  std::vector<Coupling> couplings;
  std::map<uint8_t, std::string> driverFloors;
  std::map<core::CudaVersion, std::array<uint8_t, 2>> ptx;
  /// (function, major).
  std::map<std::pair<std::string, uint8_t>, NvJitLinkName> nvJitLink;

  /// Index of a release, or -1.
  int findRelease(const std::array<uint8_t, 3> &number) const;
  bool hasLine(core::CudaVersion line) const;
};

std::array<uint8_t, 3> releaseNumber(const Row &row, llvm::StringRef text);

/// Each reads some tables, checks them against what is there already, and adds to the model; in
/// this order.
void readToolkits(Input &input, Model &model);
void readTorch(Input &input, Model &model);
void readLibraries(Input &input, Model &model);
void readCoupling(Input &input, Model &model);
void readDrivers(Input &input, Model &model);
void readNvJitLink(Input &input, Model &model);

/// The model as C++ text for driver/facts/Tables.cpp.
std::string write(const Model &model);

} // namespace cudacc::facts::generate
