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
#include <tuple>
#include <utility>
#include <vector>

/// Rows of the release tables, read from data files and from a user's file.
namespace cudacc::tables::rows {

using Number = std::array<unsigned, 3>;

/// The meaning of the first two numbers of a distribution's versions (EV-2).
enum class Numbering : uint8_t {
  /// No version is known to belong to a toolkit release.
  Unknown,
  /// Versions of its own.
  Own,
  /// The toolkit's minor: in every known version, or by a rule in libraries.json in all versions.
  ShownMinor,
  RuledMinor,
};

inline bool startsWithMinor(Numbering numbering) { return numbering >= Numbering::ShownMinor; }

struct Toolkit {
  Number number{};
  /// Version of every component, sorted by distribution.
  std::vector<std::pair<std::string, std::string>> components;
};

struct Dist {
  Numbering numbering = Numbering::Unknown;
  /// For each version the toolkit releases that contain it, ascending.
  std::map<versions::Version, std::set<Number>> releases = {};
  /// Versions of its wheels, whether a toolkit release contains them or not.
  std::set<versions::Version> wheels = {};
};

/// A pin of a torch build or a framework that owns its strings, whereas Pin refers to those of the
/// tables.
struct OwnedPin {
  std::string dist;
  /// Empty: no bound.
  std::string floor;
  /// Set for frameworks only.
  std::string spec;
  bool floats = false;
  PinKind kind = PinKind::Direct;
  Confidence confidence = Confidence::Unverified;

  static constexpr auto columns =
      std::tuple(&OwnedPin::dist, &OwnedPin::floor, &OwnedPin::spec, &OwnedPin::floats,
                 &OwnedPin::kind, &OwnedPin::confidence);
};

struct PinSet {
  /// Sorted by distribution.
  std::vector<OwnedPin> pins;
};

inline constexpr uint16_t noPins = 0xffff;

struct Line {
  versions::CudaVersion cuda;
  std::string tag;
  std::optional<Number> toolkit;
  /// Index that continues the built-in pin sets. noPins if not known.
  uint16_t pinSet = noPins;

  static constexpr auto columns =
      std::tuple(&Line::cuda, &Line::tag, &Line::toolkit, &Line::pinSet);
};

struct Torch {
  Number number{};
  versions::CudaVersion defaultLine;
  /// Sorted by CUDA version.
  std::vector<Line> lines;
  /// The machine whose wheel on PyPI has no CUDA. Empty if none is known.
  std::string withoutCuda;

  static constexpr auto columns =
      std::tuple(&Torch::number, &Torch::defaultLine, &Torch::lines, &Torch::withoutCuda);

  Line *find(versions::CudaVersion cuda);
  const Line *find(versions::CudaVersion cuda) const {
    return const_cast<Torch *>(this)->find(cuda);
  }
};

/// Releases of a framework, see FrameworkRun.
struct Framework {
  std::string name, first, torch;
  std::vector<std::string> read;
  unsigned major = 0;
  versions::CudaVersion from, to;
  std::optional<Number> toolkit;
  FrameworkPins kind = FrameworkPins::None;
  Confidence confidence = Confidence::Unverified;
  bool toolkitFloats = false, requiresCuda = false;
  /// Sorted by distribution.
  std::vector<OwnedPin> pins;

  static constexpr auto columns =
      std::tuple(&Framework::name, &Framework::first, &Framework::torch, &Framework::read,
                 &Framework::major, &Framework::from, &Framework::to, &Framework::toolkit,
                 &Framework::kind, &Framework::confidence, &Framework::toolkitFloats,
                 &Framework::requiresCuda, &Framework::pins);
};

struct ReleaseTables {
  /// Sorted by number.
  std::vector<Toolkit> toolkits;
  std::map<std::string, Dist, std::less<>> dists;
  std::vector<PinSet> pinSets;
  /// Sorted by number. A built-in release to which rows add a line is here in full.
  std::vector<Torch> torch;
  /// In the order of the rows.
  std::vector<Framework> frameworks;

  const Toolkit *findToolkit(const Number &number) const;
};

/// `13.6.1`.
std::string str(const Number &number);

} // namespace cudacc::tables::rows
