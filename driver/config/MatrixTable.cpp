// SPDX-License-Identifier: Apache-2.0
#include "driver/config/MatrixTable.h"
#include "driver/config/ConfigFile.h"
#include "driver/config/Settings.h"
#include "driver/core/Diagnostic.h"
#include "driver/support/Text.h"
#include "driver/versions/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <variant>

namespace cudacc::config {

using namespace core;
using llvm::StringRef;
using support::Value;

namespace {

struct MatrixKey {
  llvm::StringLiteral name;
  std::variant<MatrixTable::Texts MatrixTable::*, Setting<std::string> MatrixTable::*> field;
};

} // namespace

static constexpr MatrixKey rows[] = {
    {"artefacts", &MatrixTable::artefacts}, {"build", &MatrixTable::build},
    {"inputs", &MatrixTable::inputs},       {"pythons", &MatrixTable::pythons},
    {"runtimes", &MatrixTable::runtimes},   {"test", &MatrixTable::test},
    {"toolkits", &MatrixTable::toolkits},   {"torch-abi", &MatrixTable::torchAbi},
};

static const MatrixKey *findMatrixKey(StringRef name) {
  const auto *found = llvm::find_if(rows, [&](const MatrixKey &row) { return row.name == name; });
  return found == std::end(rows) ? nullptr : found;
}

static llvm::Error badEntry(StringRef name, StringRef wanted, const Origin &origin) {
  return makeError(Code::BadValue, fmt::format("{} of matrix must be {}", name, wanted),
                   {{"where", placeOf(origin)}});
}

static llvm::Error unknownMatrixKey(StringRef name, const Origin &origin) {
  llvm::SmallVector<StringRef, 8> known;
  for (const MatrixKey &row : rows)
    known.push_back(row.name);
  StringRef near = nearest(name, known);
  return makeError(Code::UnknownKey,
                   fmt::format("unknown key {} of matrix", support::quoted(name, 24)),
                   {{"where", placeOf(origin)}, {"known", llvm::join(known, ", ")}},
                   near.empty() ? std::vector<std::string>{}
                                : std::vector<std::string>{fmt::format("write {}", near)});
}

/// A program or toolkit that is named by a path.
static std::string resolved(MatrixTable::Texts MatrixTable::*field, StringRef text,
                            StringRef folder, Files &files) {
  if (field == &MatrixTable::runtimes)
    return resolveAgainst(text, folder, files);
  bool isPath =
      field == &MatrixTable::inputs || (field != &MatrixTable::artefacts && text.contains('/'));
  return isPath ? resolvePathAgainst(text, folder, files) : text.str();
}

llvm::Expected<MatrixTable> readMatrixTable(const Value &table, StringRef shown, StringRef folder,
                                            Files &files) {
  MatrixTable made;
  made.folder = folder.str();
  auto originOf = [&](const Value &value, unsigned column) {
    return Origin{Origin::Kind::File, shown.str(), value.line, column};
  };
  if (!table.isTable())
    return makeError(Code::BadValue, "matrix must be a table",
                     {{"where", placeOf(originOf(table, table.column))}});
  for (auto [name, value] : llvm::zip_equal(table.keys, table.items)) {
    const MatrixKey *key = findMatrixKey(name);
    if (!key)
      return unknownMatrixKey(name, originOf(value, value.keyColumn));
    auto isFull = [](const Value &text) {
      return text.isText() && !StringRef(text.text).trim().empty();
    };
    if (const auto *one = std::get_if<Setting<std::string> MatrixTable::*>(&key->field)) {
      if (!isFull(value))
        return badEntry(name, "a string that is not empty", originOf(value, value.column));
      made.**one = {value.text, originOf(value, value.column)};
      continue;
    }
    auto field = std::get<MatrixTable::Texts MatrixTable::*>(key->field);
    llvm::ArrayRef<Value> texts = value.isList() ? llvm::ArrayRef(value.items) : value;
    if (texts.empty() || !llvm::all_of(texts, isFull))
      return badEntry(name, "a string or a list of strings, none of them empty",
                      originOf(value, value.column));
    for (const Value &text : texts)
      (made.*field)
          .push_back({resolved(field, text.text, folder, files), originOf(text, text.column)});
  }
  return made;
}

llvm::Expected<MatrixTable> findMatrixTable(const Environment &env, Files &files, unsigned uid) {
  support::Trust trust(files, env, uid);
  auto config = findConfigFile(files.workingDirectory(), files, trust);
  if (!config)
    return config.takeError();
  if (!*config || !(**config).matrix)
    return MatrixTable();
  if (auto doubt = trust.doubt((**config).path, (**config).status))
    return makeError(doubt->finding("a declaration from a file that others can write",
                                    {{"refused", "matrix, which names programs to run"}}));
  return std::move(*(**config).matrix);
}

} // namespace cudacc::config
