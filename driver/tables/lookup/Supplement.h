#pragma once

#include "driver/tables/lookup/Confidence.h"
#include "driver/tables/lookup/Frameworks.h"
#include "driver/tables/lookup/Torch.h"
#include "driver/versions/CudaVersion.h"
#include "driver/versions/Version.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace cudacc::tables {

/// Rows that a file of the user's adds to the tables at run time (F16). What the look-ups return
/// refers to it.
struct Supplement {
  using Number = std::array<unsigned, 3>;

  /// A toolkit release that the tables do not have.
  struct Toolkit {
    Number number{};
    /// Version of every component, by distribution.
    std::vector<std::pair<std::string, std::string>> components;
  };
  /// Toolkit releases, of the tables too, that have a version of a distribution.
  struct Wheel {
    std::string dist;
    versions::Version version;
    /// Ascending.
    std::vector<Number> releases;
  };
  struct Pin {
    std::string dist, floor;
    bool floats = false;
    PinKind kind = PinKind::Direct;
    Confidence confidence = Confidence::Unverified;
  };
  /// By distribution.
  struct PinSet {
    bool complete = false;
    std::vector<Pin> pins;
  };
  struct Line {
    versions::CudaVersion cuda;
    std::string tag;
    std::optional<Number> toolkit;
    /// Counted on from those of the tables; noPins: not known.
    uint16_t pinSet = 0;
  };
  /// A release with all its lines, those of the tables included: it stands in their place.
  struct Torch {
    Number number{};
    size_t defaultLine = 0;
    /// By CUDA version.
    std::vector<Line> lines;
  };
  struct FrameworkPin {
    std::string dist, spec, floor;
    bool floats = false;
    PinKind kind = PinKind::Direct;
    Confidence confidence = Confidence::Unverified;
  };
  /// Releases of a framework, as FrameworkRun has them.
  struct Framework {
    std::string framework, first, torch;
    std::vector<std::string> read;
    unsigned major = 0;
    versions::CudaVersion from, to;
    std::optional<Number> toolkit;
    FrameworkPins kind = FrameworkPins::None;
    Confidence confidence = Confidence::Unverified;
    bool toolkitFloats = false, tells = false;
    /// By distribution.
    std::vector<FrameworkPin> pins;
  };
  static constexpr uint16_t noPins = 0xffff;

  /// By number.
  std::vector<Toolkit> toolkits;
  std::vector<Wheel> wheels;
  std::vector<PinSet> pinSets;
  /// By number.
  std::vector<Torch> torch;
  /// In the order of the file.
  std::vector<Framework> frameworks;

  const Wheel *findWheel(llvm::StringRef dist, const versions::Version &version) const;
};

/// Reads `{"schema": 1, "tables": {"torch_wheel_pins": [ROW...], ...}}`: rows as the data files
/// have them (data/README.md), so that one can be moved there as it is. \p shown names the file in
/// errors: Code::BrokenFacts for text, types and rows that are not what the tables hold,
/// Code::FactsContradict for a row that says something else than a built-in one. An equal one adds
/// nothing.
llvm::Expected<Supplement> readSupplement(llvm::StringRef text, llvm::StringRef shown);

} // namespace cudacc::tables
