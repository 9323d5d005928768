// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/versions/Version.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cudacc::versions {

/// A version as in PEP 440: epoch, release, pre, post, dev, local. The component versions of
/// NVIDIA's wheels (`12.4.5.8`, `12.4.127.post1`) are a subset.
struct Version {
  uint64_t epoch = 0;
  std::vector<uint64_t> release;
  /// 'a', 'b', 'r' (rc), or 0 if it is no pre-release.
  char preKind = 0;
  uint64_t pre = 0;
  std::optional<uint64_t> post;
  std::optional<uint64_t> dev;
  /// Segments of the local label in normal form (`cu126`). Empty if there is none.
  std::vector<std::string> local;

  /// Accepts and normalises what PEP 440 appendix B accepts; std::nullopt for other text.
  static std::optional<Version> parse(llvm::StringRef text);
  std::string str() const;
  bool isPreRelease() const { return preKind != 0 || dev.has_value(); }
  /// The release number at \p index; 0 past the end, because 1.0 equals 1.0.0.
  uint64_t at(size_t index) const { return index < release.size() ? release[index] : 0; }

  /// The total order of PEP 440, local labels included.
  std::strong_ordering operator<=>(const Version &other) const;
  bool operator==(const Version &other) const { return (*this <=> other) == 0; }
};

/// One clause of a specifier: `>=12.4`, `==12.*`, `~=12.4`, `===text`.
struct Specifier {
  enum class Op { Equal, NotEqual, LessEqual, GreaterEqual, Less, Greater, Compatible, Arbitrary };
  Op op = Op::Equal;
  Version version;
  /// `==12.*`, `!=12.*`.
  bool prefix = false;
  /// The right side as written; the only meaningful part for `===`.
  std::string text;

  bool contains(const Version &candidate) const;
  std::string str() const;
};

/// Comma-separated specifiers, all of which must hold. An empty set matches everything.
struct SpecifierSet {
  std::vector<Specifier> clauses;

  /// std::nullopt if a clause is malformed or has no operator (V-CN-03 rejects a bare version).
  static std::optional<SpecifierSet> parse(llvm::StringRef text);
  /// As in PEP 440, pre-releases match only if a clause names one or \p pre is set.
  bool contains(const Version &candidate, bool pre = false) const;
  std::string str() const;
};

/// Whether some release matches both sets, whether or not it was ever published. Clauses `===` are
/// compared by the release that they name.
bool overlap(const SpecifierSet &one, const SpecifierSet &other);
/// Whether every release that matches \p narrow matches \p wide.
bool implies(const SpecifierSet &narrow, const SpecifierSet &wide);

} // namespace cudacc::versions
