// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "driver/core/Diagnostic.h"
#include "driver/support/Value.h"
#include "driver/tables/lookup/Confidence.h"
#include "driver/tables/lookup/ReleaseTables.h"
#include "driver/versions/CudaVersion.h"
#include "driver/versions/Format.h"
#include "driver/versions/Version.h"
#include "llvm/ADT/STLExtras.h"
#include <optional>
#include <string>
#include <vector>

namespace cudacc::tables::rows {

using support::Value;

/// Limits on user-supplied files: bytes, rows of a table, entries of a list. The data files respect
/// them, too.
inline constexpr uint64_t largestFile = 1 << 20;
inline constexpr size_t mostRows = 512;

/// A mistake and its place: `more.json: torch_wheel_pins, row 1, pins 3`.
struct Mistake {
  std::string place, what;
  /// The row contradicts a known fact.
  bool contradicts = false;
  std::vector<core::Fact> facts = {};
};

/// Collects the first mistake; later ones are usually consequences.
struct Problem {
  size_t mostEntries = mostRows;
  /// Called with the first mistake. May end the program.
  void (*onMistake)(const Mistake &) = nullptr;
  std::optional<Mistake> mistake = {};
  /// A row that contradicts a known fact is no mistake: the fact stays.
  bool keepsKnown = false;

  void report(Mistake found);
};

/// Parses JSON with a nesting depth of at most 32. \p place names the file. Returns std::nullopt
/// after a problem was reported.
std::optional<Value> parseJson(llvm::StringRef text, llvm::StringRef place, Problem &problem);

/// Keys and values of an object, in file order.
inline auto membersOf(const Value &object) { return llvm::zip_equal(object.keys, object.items); }

/// An object of a data file. Mistakes are reported to `problem`; the value read is then empty.
class Row {
public:
  Row(const Value &object, std::string place, Problem &problem)
      : object(&object), place(std::move(place)), problem(&problem) {}

  bool good() const { return !problem->mistake; }
  /// See Problem::keepsKnown.
  bool keepsKnown() const { return problem->keepsKnown; }
  template <typename... Args> void reject(fmt::format_string<Args...> what, Args &&...args) const {
    problem->report({place, fmt::format(what, std::forward<Args>(args)...)});
  }
  /// The arguments are formatted only if the condition is false.
  template <typename... Args>
  bool require(bool condition, fmt::format_string<Args...> what, Args &&...args) const {
    if (!condition)
      reject(what, std::forward<Args>(args)...);
    return good();
  }
  /// Reports the first difference between a row and the built-in row that it repeats.
  void compare(const std::string &what, llvm::ArrayRef<std::string> says,
               llvm::ArrayRef<std::string> builtIn) const;
  void contradict(std::string what, std::string says, std::string builtIn) const {
    if (!keepsKnown())
      problem->report({place,
                       std::move(what),
                       true,
                       {{"says", std::move(says)}, {"built in", std::move(builtIn)}}});
  }
  /// Reports keys that are not in \p known.
  void requireKeys(const Value &object, llvm::StringRef what,
                   llvm::ArrayRef<llvm::StringRef> known) const;

  /// In file order.
  auto keys() const { return llvm::ArrayRef(object->keys); }
  /// A missing key is reported; the result is then null.
  const Value &value(llvm::StringRef key) const;
  /// A non-empty string.
  llvm::StringRef text(llvm::StringRef key) const;
  /// A non-empty string, or an empty one for null.
  llvm::StringRef textOrNull(llvm::StringRef key) const;
  bool flag(llvm::StringRef key) const;
  std::optional<bool> flagOrNull(llvm::StringRef key) const;
  unsigned number(llvm::StringRef key) const;
  std::vector<llvm::StringRef> texts(llvm::StringRef key) const { return textsOf(array(key)); }
  std::vector<Row> rows(llvm::StringRef key) const;
  llvm::ArrayRef<Value> array(llvm::StringRef key) const;
  const Value &map(llvm::StringRef key) const;
  /// A map of strings, sorted by key.
  std::vector<std::pair<llvm::StringRef, llvm::StringRef>> textMap(llvm::StringRef key) const;
  /// Parses `M.m`, of any version numbered that way.
  versions::CudaVersion cuda(llvm::StringRef key) const { return asCuda(text(key)); }
  std::vector<std::string> strings(llvm::StringRef key) const;
  /// Maps a string to one of several values.
  template <typename T>
  T choice(llvm::StringRef key, std::initializer_list<std::pair<llvm::StringRef, T>> known) const {
    llvm::StringRef found = text(key);
    for (const auto &[name, value] : known)
      if (name == found)
        return value;
    reject("unknown {} \"{}\"", key, found);
    return known.begin()->second;
  }
  Confidence confidence() const;
  Confidence confidenceOr(Confidence ofOwner) const {
    return textOrNull("confidence").empty() ? ofOwner : confidence();
  }

  versions::CudaVersion asCuda(llvm::StringRef text) const;
  Number asNumber(llvm::StringRef text) const;
  /// Parses exactly \p count numbers below 255.
  std::vector<uint8_t> asNumbers(llvm::StringRef text, size_t count) const;
  versions::Version asVersion(llvm::StringRef text) const;
  /// An empty text has no clauses.
  versions::SpecifierSet asSpecifiers(llvm::StringRef text) const;
  /// A non-empty string.
  llvm::StringRef asText(const Value &value) const;
  std::vector<llvm::StringRef> asTexts(const Value &value) const {
    return textsOf(asArray(value, "a list in it"));
  }
  /// An integer from 0 to 65534.
  unsigned asIndex(const Value &value) const;

private:
  llvm::ArrayRef<Value> asArray(const Value &value, llvm::StringRef name) const;
  std::vector<llvm::StringRef> textsOf(llvm::ArrayRef<Value> array) const;

  const Value *object;
  std::string place;
  Problem *problem;
};

/// The place of each row is \p prefix and its number.
std::vector<Row> rowsOf(llvm::ArrayRef<Value> objects, llvm::StringRef prefix, Problem &problem);
/// Reports rows that lack a source or a confidence.
void requireSources(llvm::ArrayRef<Row> rows);

} // namespace cudacc::tables::rows
