#pragma once

#include "driver/core/Diagnostic.h"
#include "driver/tables/lookup/Supplement.h"
#include "driver/versions/CudaVersion.h"
#include "driver/versions/Version.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/JSON.h"
#include <optional>
#include <string>
#include <vector>

namespace cudacc::tables::supplement {

using Number = Supplement::Number;

/// Longest table, and longest list in a row: the longest of the data files has some 130.
inline constexpr size_t mostRows = 512;

/// The first thing that is wrong with a file; later ones follow from it.
struct Problem {
  std::string file;
  std::optional<core::Finding> finding;

  void broken(llvm::StringRef place, const llvm::Twine &what);
};

/// One row. Whatever is wrong with it goes into the problem, and what it reads from then on is
/// empty.
class Row {
public:
  Row(const llvm::json::Object &object, std::string place, Problem &problem)
      : object(&object), place(std::move(place)), problem(&problem) {}

  bool good() const { return !problem->finding; }
  bool require(bool condition, const llvm::Twine &what) const;
  /// \p says is not what the tables have, \p builtIn.
  void contradict(const llvm::Twine &what, std::string says, std::string builtIn) const;

  llvm::StringRef text(llvm::StringRef key) const;
  /// Empty for null.
  llvm::StringRef textOrNull(llvm::StringRef key) const;
  bool flag(llvm::StringRef key) const;
  std::vector<llvm::StringRef> texts(llvm::StringRef key) const;
  std::vector<Row> rows(llvm::StringRef key) const;
  /// Pairs of texts, by key.
  std::vector<std::pair<llvm::StringRef, llvm::StringRef>> map(llvm::StringRef key) const;
  const llvm::json::Array &array(llvm::StringRef key) const;
  /// Reads `M.m`, of whatever is numbered so.
  versions::CudaVersion cuda(llvm::StringRef key) const;
  Confidence confidence(llvm::StringRef text) const;
  Number asNumber(llvm::StringRef text) const;
  versions::Version asVersion(llvm::StringRef text) const;
  llvm::StringRef asText(const llvm::json::Value &value) const;

private:
  /// Null: missing, which has been said.
  const llvm::json::Value *value(llvm::StringRef key) const;
  /// Numbers separated by dots, each below 255 as in the tables.
  std::vector<unsigned> numbers(llvm::StringRef text, size_t count) const;

  const llvm::json::Object *object;
  std::string place;
  Problem *problem;
};

/// `13.6.1`.
std::string str(const Number &number);

/// The tables of a file.
class Tables {
public:
  Tables(const llvm::json::Object &tables, Problem &problem) : tables(&tables), problem(&problem) {}
  /// In their order; none where the file does not have the table.
  std::vector<Row> rows(llvm::StringRef table) const;
  bool good() const { return !problem->finding; }

private:
  const llvm::json::Object *tables;
  Problem *problem;
};

/// Each reads some tables, checks them against what is there, and adds to \p out; in this order.
void readToolkits(const Tables &tables, Supplement &out);
void readTorch(const Tables &tables, Supplement &out);
void readFrameworks(const Tables &tables, Supplement &out);

/// A distribution of the tables, or one that a row read so far names.
bool isKnownDist(llvm::StringRef dist, const Supplement &out);

} // namespace cudacc::tables::supplement
