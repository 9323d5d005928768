// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cudacc::versions {

/// A version after PEP 440: epoch, release, pre, post, dev, local. core::Component versions of
/// NVIDIA's wheels (`12.4.5.8`, `12.4.127.post1`) are a subset.
struct Version {
  uint64_t epoch = 0;
  std::vector<uint64_t> release;
  /// 'a', 'b', 'r' (rc), or 0 when it is no pre-release.
  char preKind = 0;
  uint64_t pre = 0;
  std::optional<uint64_t> post;
  std::optional<uint64_t> dev;
  /// Segments of the local label in normal form (`cu126`); empty: none.
  std::vector<std::string> local;

  /// Accepts what PEP 440 appendix B accepts, normalising on the way; nothing for other text.
  static std::optional<Version> parse(llvm::StringRef text);
  std::string str() const;
  bool isPreRelease() const { return preKind != 0 || dev.has_value(); }
  /// The release number at \p index, 0 beyond the end: 1.0 equals 1.0.0.
  uint64_t at(size_t index) const { return index < release.size() ? release[index] : 0; }

  /// Total order of PEP 440, local labels included.
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
  /// The right side as written, the whole meaning of `===`.
  std::string text;

  bool contains(const Version &candidate) const;
  std::string str() const;
};

/// Comma-separated specifiers; all must hold. Empty: everything matches.
struct SpecifierSet {
  std::vector<Specifier> clauses;

  /// Nothing when a clause is malformed or has no operator (V-CN-03: a bare version is refused).
  static std::optional<SpecifierSet> parse(llvm::StringRef text);
  /// Pre-releases are accepted only when a clause names one, as PEP 440 says, or when \p pre is
  /// set.
  bool contains(const Version &candidate, bool pre = false) const;
  std::string str() const;
};

} // namespace cudacc::versions
