// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/tables/lookup/Frameworks.h"
#include "driver/tables/lookup/Pins.h"
#include "driver/versions/CudaVersion.h"
#include "driver/versions/Version.h"
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

/// Rows of the tables of releases, read from data files and from a user's file.
namespace cudacc::tables::rows {

using Number = std::array<unsigned, 3>;

/// What the first two numbers of a distribution's versions are (EV-2).
enum class Numbering : uint8_t {
  /// No toolkit release is known to have a version.
  Unknown,
  /// Its own.
  Own,
  /// The toolkit's minor in every known version; by libraries.json, in every one there will be.
  ShownMinor,
  RuledMinor,
};

inline bool startsWithMinor(Numbering numbering) { return numbering >= Numbering::ShownMinor; }

struct Toolkit {
  Number number{};
  /// Version of every component, by distribution.
  std::vector<std::pair<std::string, std::string>> components;
};

struct Dist {
  Numbering numbering = Numbering::Unknown;
  /// Toolkit releases that have a version, ascending.
  std::map<versions::Version, std::set<Number>> releases = {};
  /// Versions of its wheels, whether a toolkit release has them or not.
  std::set<versions::Version> wheels = {};
};

/// Pins of a torch build or a framework have texts of their own here, where Pin refers to those of
/// the tables.
struct OwnedPin {
  std::string dist;
  /// Empty: no bound.
  std::string floor;
  /// Kept for frameworks only.
  std::string spec;
  bool floats = false;
  PinKind kind = PinKind::Direct;
  Confidence confidence = Confidence::Unverified;
};

struct PinSet {
  bool complete = false;
  /// By distribution.
  std::vector<OwnedPin> pins;
};

inline constexpr uint16_t noPins = 0xffff;

struct Line {
  versions::CudaVersion cuda;
  std::string tag;
  std::optional<Number> toolkit;
  /// Counted on from the built-in ones; noPins: not known.
  uint16_t pinSet = noPins;
};

struct Torch {
  Number number{};
  versions::CudaVersion defaultLine;
  /// By CUDA version.
  std::vector<Line> lines;
  /// The machine for which PyPI's wheel has no CUDA; empty: none that is known.
  std::string withoutCuda;

  Line *find(versions::CudaVersion cuda);
  const Line *find(versions::CudaVersion cuda) const {
    return const_cast<Torch *>(this)->find(cuda);
  }
};

/// Releases of a framework, as FrameworkRun has them.
struct Framework {
  std::string name, first, torch;
  std::vector<std::string> read;
  unsigned major = 0;
  versions::CudaVersion from, to;
  std::optional<Number> toolkit;
  FrameworkPins kind = FrameworkPins::None;
  Confidence confidence = Confidence::Unverified;
  bool toolkitFloats = false, tells = false;
  /// By distribution.
  std::vector<OwnedPin> pins;
};

struct ReleaseTables {
  /// By number.
  std::vector<Toolkit> toolkits;
  std::map<std::string, Dist, std::less<>> dists;
  std::vector<PinSet> pinSets;
  /// By number. A built-in release that the rows add a line to is here whole, in its place.
  std::vector<Torch> torch;
  /// In the order of the rows.
  std::vector<Framework> frameworks;

  const Toolkit *findToolkit(const Number &number) const;
};

/// `13.6.1`.
std::string str(const Number &number);

} // namespace cudacc::tables::rows
